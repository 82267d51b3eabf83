// What may be written into markup (src/tamis/render/safe.py).

import { safeUrl } from "./links.js";

// The attributes that hold an address, and all others that are ever written. None of them runs or loads anything.
const ADDRESSES = new Set(["href", "src", "cite"]);
const NAMES = new Set(
  (
    "alt checked class colspan controls datetime dir disabled id lang open reversed role rowspan sandbox scope start " +
    "title type value accent accentunder columnalign columnspan display displaystyle encoding fence form height " +
    "linebreak linethickness mathvariant movablelimits stretchy width"
  ).split(" "),
);
const EMPTY = new Set(["checked", "controls", "disabled", "open", "reversed", "sandbox"]);
/** @type {Record<string, string>} */
const REFERENCES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };

/** A text as HTML, outside of attributes. @param {string} text */
export const escaped = (text) => text.replace(/[&<>]/g, (sign) => REFERENCES[sign]);

/** @param {string} text */
const quoted = (text) => text.replace(/[&<>"']/g, (sign) => REFERENCES[sign]);

/**
 * Attributes as HTML with a space before each. Names that are not allowed and addresses that are not are left out.
 *
 * @param {Record<string, string>} values
 */
export function attributesOf(values) {
  let written = "";
  for (const [name, value] of Object.entries(values)) {
    if (NAMES.has(name)) {
      written += EMPTY.has(name) ? ` ${name}` : ` ${name}="${quoted(value)}"`;
    } else if (ADDRESSES.has(name)) {
      const address = safeUrl(value, null);
      if (address) written += ` ${name}="${quoted(address)}"`;
    }
  }
  return written;
}
