// What is remembered, on this machine only: storage.sync would send it elsewhere.

import { api } from "./api.js";

export const DEFAULTS = Object.freeze({
  extractor: "", // empty: the first that the core has
  follow: true, // read again when the page changes
  readerSize: 20, // pixels
  readerTheme: "auto", // or light, sepia, dark
  readerFont: "serif", // or sans
});

export const READER_SIZES = Object.freeze([14, 16, 18, 20, 22, 25, 28, 32, 38]);
export const READER_THEMES = Object.freeze(["auto", "light", "sepia", "dark"]);
export const READER_FONTS = Object.freeze(["serif", "sans"]);

const ALLOWED = {
  extractor: (value) => typeof value === "string",
  follow: (value) => typeof value === "boolean",
  readerSize: (value) => READER_SIZES.includes(value),
  readerTheme: (value) => READER_THEMES.includes(value),
  readerFont: (value) => READER_FONTS.includes(value),
};

/** All settings; what is missing or makes no sense (an older version wrote it) is the default. */
export async function readSettings() {
  const stored = await api.storage.local.get(DEFAULTS);
  const names = Object.keys(DEFAULTS);
  return Object.fromEntries(names.map((name) => [name, ALLOWED[name](stored[name]) ? stored[name] : DEFAULTS[name]]));
}

/** Remember some of them. */
export async function writeSettings(changed) {
  await api.storage.local.set(changed);
}
