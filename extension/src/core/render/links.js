// Links that are safe to write (src/tamis/render/links.py).

/** @import {PageTable} from "../page/table.js" */

import { stripped } from "../characters.js";

const SAFE_SCHEMES = new Set(["http", "https", "mailto", "tel", "ftp"]);
const SCHEME = /^([a-zA-Z][a-zA-Z0-9+.-]*):/;
// Browsers drop these characters from a URL before they read its scheme, so "java\nscript:" is a script.
const IGNORED = /[\x00-\x20\x7f]+/g;
const INNER = /[\x00-\x1f\x7f]+/g;

/**
 * `url` made absolute if the base is known, or null if it is empty or could run code.
 *
 * @param {string | null} url
 * @param {string | null} base
 * @returns {string | null}
 */
export function safeUrl(url, base) {
  const clean = stripped((url ?? "").replace(INNER, ""));
  const scheme = SCHEME.exec(clean.replace(IGNORED, ""));
  if (!clean || (scheme && !SAFE_SCHEMES.has(scheme[1].toLowerCase()))) return null;
  if (!base) return clean;
  try {
    return new URL(clean, base).href;
  } catch {
    // Either no URL at all, such as "http://[", or the base itself is relative.
    return isAbsolute(base) ? null : clean;
  }
}

/** @param {string} url */
function isAbsolute(url) {
  try {
    return Boolean(new URL(url));
  } catch {
    return false;
  }
}

/**
 * The base of relative links: the page's <base>, itself relative to its URL.
 *
 * @param {PageTable} table
 * @param {string | null} url
 */
export function baseOf({ elements }, url) {
  const row = elements.tag.findIndex((tag, at) => tag === "base" && safeUrl(elements.attribute(at, "href"), url));
  return row < 0 ? url : safeUrl(elements.attribute(row, "href"), url);
}
