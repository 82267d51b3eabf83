// Links that are safe to hand on (src/tamis/render/links.py).

import { stripped } from "../characters.js";

const SAFE_SCHEMES = new Set(["http", "https", "mailto", "tel", "ftp"]);
const SCHEME = /^([a-zA-Z][a-zA-Z0-9+.-]*):/;
// Browsers drop these from a URL before they read its scheme, so "java\nscript:" is a script.
// eslint-disable-next-line no-control-regex
const IGNORED = /[\x00-\x20\x7f]+/g;
// eslint-disable-next-line no-control-regex
const INNER = /[\x00-\x1f\x7f]+/g;

/** `url` made absolute where the base is known, or null if it is empty or could run code. */
export function safeUrl(url, base) {
  const clean = stripped((url ?? "").replace(INNER, ""));
  const scheme = SCHEME.exec(clean.replace(IGNORED, ""));
  if (!clean || (scheme && !SAFE_SCHEMES.has(scheme[1].toLowerCase()))) return null;
  if (!base) return clean;
  try {
    return new URL(clean, base).href;
  } catch {
    // Not a URL at all, such as "http://["; or all that is known of the page is a <base> that is itself relative.
    return isAbsolute(base) ? null : clean;
  }
}

function isAbsolute(url) {
  try {
    return Boolean(new URL(url));
  } catch {
    return false;
  }
}

/** What relative links are relative to: the page's <base>, itself relative to its URL. */
export function baseOf({ elements }, url) {
  const row = elements.tag.findIndex((tag, at) => tag === "base" && safeUrl(elements.attribute(at, "href"), url));
  return row < 0 ? url : safeUrl(elements.attribute(row, "href"), url);
}
