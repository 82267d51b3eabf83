// Addresses that are safe to write (safe_url of src/tamis/render/safe.py). An address is resolved as a browser resolves
// it, and only the result is judged. Not by the browser's own URL, which encodes letters and so is harder to read.

/** @import {PageTable} from "../page/table.js" */

import { length, SPACE_CLASS, stripped, withoutStart } from "../characters.js";

// The schemes that are written, and those of them that have a host, in which a browser reads \ as /.
const WITH_HOST = new Set(["http", "https", "ftp"]);
const SCHEMES = new Set([...WITH_HOST, "mailto", "tel"]);

// Servers and browsers refuse longer ones. A base is repeated in every relative link, so it has less, and so much
// altogether: its characters times the elements that could hold a link.
const LONGEST_ADDRESS = 8000;
const LONGEST_BASE = 2000;
const MOST_REPEATED = 20e6;

// Browsers remove white space of these before they read the scheme, so "java\nscript:" is a script.
const CONTROLS = /[\x00-\x1f\x7f]+/g;
const SCHEME = /^([a-zA-Z][a-zA-Z0-9+.-]*):/;
const PARTS = /^(\/\/[^/?#]*)?([^?#]*)(\?[^#]*)?(#.*)?/s;
const NO_HOST = new RegExp(`[${SPACE_CLASS}<>^|%{}\\[\\]/?#@\\\\]`);
const IPV6 = /^\[[0-9a-fA-F:.]+\](?::\p{Nd}*)?$/u;
// What stands between the slashes and the last @ of the host's part. A password may hold an @ of its own.
const CREDENTIALS = new RegExp(`^([${SPACE_CLASS}]*(?:[A-Za-z][A-Za-z0-9+.-]*:)?[/\\\\]{2,})[^/\\\\?#]*@`);
// A browser writes these so. Markdown would read them as the end of an address or the begin of markup.
const TO_ENCODE = /[ <>"`]/g;

/**
 * An address that others are relative to; each part but the path may be empty.
 *
 * @typedef {{scheme: string, host: string, path: string, query: string}} Base `host` has the slashes before it
 */

/**
 * `url` as a browser resolves it; null if it is empty, invalid, too long, or could run code. Without a base, or with
 * one that is itself relative, the result can be relative.
 *
 * @param {string | null | undefined} url
 * @param {string | null} base
 * @returns {string | null}
 */
export function safeUrl(url, base) {
  if (!url || length(url) > LONGEST_ADDRESS) return null;
  const clean = stripped(url.replace(CONTROLS, ""));
  const scheme = SCHEME.exec(clean)?.[1].toLowerCase() ?? "";
  if (!clean || (scheme && !SCHEMES.has(scheme))) return null;
  let found = /** @type {string | null} */ (clean);
  if (WITH_HOST.has(scheme) || !scheme) {
    found = resolved(scheme, scheme ? clean.slice(scheme.length + 1) : clean, base ? parsed(base) : null);
  }
  if (!found || length(found) > LONGEST_ADDRESS) return null;
  return found.replace(TO_ENCODE, encodeURIComponent);
}

/**
 * An address from what follows its scheme; the scheme may be empty.
 *
 * @param {string} scheme
 * @param {string} rest
 * @param {Base | null} base
 * @returns {string | null}
 */
function resolved(scheme, rest, base) {
  if (rest.includes("\\")) {
    const end = rest.search(/[?#]|$/);
    rest = rest.slice(0, end).replaceAll("\\", "/") + rest.slice(end);
  }
  // A browser forgives any number of slashes.
  if (scheme && (!base || scheme !== base.scheme || rest.startsWith("//"))) rest = `//${withoutStart(rest, "/")}`;
  let [, host = "", path = "", query = "", fragment = ""] = PARTS.exec(rest) ?? [];
  if (host) {
    if (!isHost(host.slice(2))) return null;
    scheme ||= base?.scheme ?? "";
  } else if (!base) {
    // The first part of a relative path must not look like a scheme, also after "." and ".." are resolved.
    if (path.includes(":") && path[0] !== "/" && (path.split("/", 1)[0].includes(":") || path.includes("./"))) {
      path = path.replaceAll(":", "%3A");
    }
    return path + query + fragment;
  } else {
    ({ scheme, host } = base);
    if (!path) {
      path = base.path;
      query ||= base.query;
    } else {
      const folder = path[0] === "/" ? "" : base.path.slice(0, base.path.lastIndexOf("/") + 1);
      path = withoutDots(folder + path);
    }
    if (!host && path.startsWith("//")) path = `/.${path}`; // else it would be read as a host
    else if (!host && path.includes(":") && path[0] !== "/") path = path.replaceAll(":", "%3A");
  }
  if (base) {
    if (query === "?") query = "";
    if (fragment === "#") fragment = "";
  }
  return `${scheme}${scheme ? ":" : ""}${host}${path}${query}${fragment}`;
}

/** @type {{url: string, base: Base | null} | null} */
let last = null; // most links of a page have the same base

/** The parts of a base without its credentials; null if nothing can be relative to it. @param {string} url */
function parsed(url) {
  if (last?.url !== url) last = { url, base: partsOf(url) };
  return last.base;
}

/** @param {string} url @returns {Base | null} */
function partsOf(url) {
  const clean = stripped(url.replace(CREDENTIALS, "$1").replace(CONTROLS, ""));
  const scheme = SCHEME.exec(clean)?.[1].toLowerCase() ?? "";
  if (length(clean) > LONGEST_BASE || (scheme && !WITH_HOST.has(scheme))) return null;
  const found = resolved(scheme, scheme ? clean.slice(scheme.length + 1) : clean, null);
  if (found === null) return null;
  const [, host = "", path = "", query = ""] = PARTS.exec(scheme ? found.slice(scheme.length + 1) : found) ?? [];
  return { scheme, host, path: path || (host ? "/" : ""), query };
}

/** Could this be a host, with or without credentials and a port? @param {string} name */
function isHost(name) {
  name = name.slice(name.lastIndexOf("@") + 1);
  if (name.includes("[")) return IPV6.test(name);
  name = name.normalize("NFKC"); // a browser does so, and then there could be a slash
  const colon = name.indexOf(":");
  const [host, port] = colon < 0 ? [name, ""] : [name.slice(0, colon), name.slice(colon + 1)];
  return host !== "" && !NO_HOST.test(host) && /^[0-9]*$/.test(port);
}

/** A path without the segments "." and ".."; those that lead out of a relative path stay. @param {string} path */
function withoutDots(path) {
  if (!path.includes(".") && !path.includes("%2")) return path;
  /** @type {string[]} */
  const segments = [];
  let dots = "";
  for (const segment of path.split("/")) {
    dots = segment.toLowerCase().replaceAll("%2e", ".");
    if (dots === "..") {
      if (segments.length > 1 || (segments.length && segments[0] !== "" && segments[0] !== "..")) segments.pop();
      else if (segments.length !== 1 || segments[0] !== "") segments.push("..");
    } else if (dots !== ".") {
      segments.push(segment);
    }
  }
  if (dots === "." || dots === "..") segments.push("");
  return segments.join("/");
}

/**
 * The base of relative links: the page's <base>, itself relative to its URL. Null if it is so long that the links of
 * this page would fill the memory; then they stay relative.
 *
 * @param {PageTable} table
 * @param {string | null} url
 */
export function baseOf({ elements }, url) {
  const row = elements.tag.findIndex((tag, at) => tag === "base" && safeUrl(elements.attribute(at, "href"), url));
  const base = row < 0 ? url : safeUrl(elements.attribute(row, "href"), url);
  return base && length(base) * elements.length <= MOST_REPEATED ? base : null;
}
