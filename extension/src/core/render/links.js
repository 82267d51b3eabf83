// Links that are safe to write (src/tamis/render/safe.py). An address is resolved first and judged then.

/** @import {PageTable} from "../page/table.js" */

import { stripped } from "../characters.js";

const SAFE_SCHEMES = new Set(["http:", "https:", "mailto:", "tel:", "ftp:"]);
const HOSTED = new Set(["http:", "https:", "ftp:"]);
const SCHEME = /^[a-zA-Z][a-zA-Z0-9+.-]*:/;
// Browsers drop these characters from a URL before they read its scheme, so "java\nscript:" is a script.
const CONTROLS = /[\x00-\x1f\x7f]+/g;
// A browser writes these so. Markdown would read them as the end of an address or the begin of markup.
const ENCODED = /[<>"`]/g;

// Servers and browsers refuse longer ones. A base is repeated in every relative link, so it has less, and so much
// altogether: its characters times the elements that could hold a link.
const LONGEST = 8000;
const LONGEST_BASE = 2000;
const MOST_REPEATED = 20e6;

/**
 * `url` made absolute if the base is known, or null if it is empty, too long or could run code.
 *
 * @param {string | null} url
 * @param {string | null} base
 * @returns {string | null}
 */
export function safeUrl(url, base) {
  if (!url || url.length > LONGEST) return null;
  const clean = stripped(url.replace(CONTROLS, ""));
  const scheme = SCHEME.exec(clean);
  if (!clean || (scheme && !SAFE_SCHEMES.has(scheme[0].toLowerCase()))) return null;
  const found = base && base.length <= LONGEST_BASE ? parsed(base) : null;
  const above = found && HOSTED.has(found.protocol) ? found : null; // nothing is relative to others
  if (!above && !scheme) return relative(clean).replace(ENCODED, encodeURIComponent);
  const resolved = parsed(clean, above?.href);
  if (!resolved || !SAFE_SCHEMES.has(resolved.protocol) || resolved.href.length > LONGEST) return null;
  // What has a scheme and no base stays as it was written.
  return (above ? resolved.href : clean).replace(ENCODED, encodeURIComponent);
}

/** An address without its user name and password, or null if it is none. @param {string} url @param {string} [base] */
function parsed(url, base) {
  try {
    const found = new URL(url, base);
    if (!base) found.username = found.password = "";
    return found;
  } catch {
    return null;
  }
}

/**
 * A relative address whose path has no colon that anybody could read as the end of a scheme, also after "." and ".."
 * are resolved.
 *
 * @param {string} url
 */
function relative(url) {
  const end = url.search(/[?#]/);
  const path = (end < 0 ? url : url.slice(0, end)).replaceAll("\\", "/");
  const looksLikeScheme = !path.startsWith("/") && (path.split("/", 1)[0].includes(":") || path.includes("./"));
  return (looksLikeScheme ? path.replaceAll(":", "%3A") : path) + (end < 0 ? "" : url.slice(end));
}

/**
 * The base of relative links: the page's <base>, itself relative to its URL.
 *
 * @param {PageTable} table
 * @param {string | null} url
 */
export function baseOf({ elements }, url) {
  const row = elements.tag.findIndex((tag, at) => tag === "base" && safeUrl(elements.attribute(at, "href"), url));
  const base = row < 0 ? url : safeUrl(elements.attribute(row, "href"), url);
  return base && base.length * elements.length <= MOST_REPEATED ? base : null;
}
