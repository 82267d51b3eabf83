// The user's settings. They stay on this machine: storage.sync would send them to a server.

import { api } from "./api.js";

/**
 * @typedef {object} Settings
 * @property {string} extractor empty for the default
 * @property {boolean} follow read again when the page changes
 * @property {number} readerSize in pixels
 * @property {"auto" | "light" | "sepia" | "dark"} readerTheme
 * @property {"serif" | "sans"} readerFont
 */

/** @type {Readonly<Settings>} */
export const DEFAULTS = Object.freeze({
  extractor: "",
  follow: true,
  readerSize: 20,
  readerTheme: "auto",
  readerFont: "serif",
});

export const READER_SIZES = Object.freeze([14, 16, 18, 20, 22, 25, 28, 32, 38]);
/** @type {readonly Settings["readerTheme"][]} */
export const READER_THEMES = Object.freeze(["auto", "light", "sepia", "dark"]);
/** @type {readonly Settings["readerFont"][]} */
export const READER_FONTS = Object.freeze(["serif", "sans"]);

/** @type {Record<keyof Settings, (value: any) => boolean>} */
const ALLOWED = {
  extractor: (value) => typeof value === "string",
  follow: (value) => typeof value === "boolean",
  readerSize: (value) => READER_SIZES.includes(value),
  readerTheme: (value) => READER_THEMES.includes(value),
  readerFont: (value) => READER_FONTS.includes(value),
};

// All settings. A missing value, or an invalid one of an older version, becomes the default.
/** @returns {Promise<Settings>} */
export async function readSettings() {
  const stored = await api.storage.local.get({ ...DEFAULTS });
  const valid = Object.entries(ALLOWED).filter(([name, isAllowed]) => isAllowed(stored[name]));
  return { ...DEFAULTS, ...Object.fromEntries(valid.map(([name]) => [name, stored[name]])) };
}

/** Store some of them. @param {Partial<Settings>} changed */
export async function writeSettings(changed) {
  await api.storage.local.set(changed);
}
