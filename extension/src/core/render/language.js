// The programming language that the markup of a block of code names (src/tamis/render/content/language.py).

/** @import {Source} from "./source.js" */

import { first, split, stripped } from "../characters.js";
import { placeOf } from "./source.js";
import table from "../../../../src/tamis/render/content/code.json" with { type: "json" };

export { table };
const KNOWN = new Set(table.languages);
/** @type {Map<string, string>} */
const ALIASES = new Map(Object.entries(table.aliases));
const NONE = new Set(table.none);
const NATURAL = new Set(table.natural); // `lang` has the codes of human languages, too
const MARKERS = new Set(table.markers);

// Other characters could end the line of a fence.
const NAME = /^[a-z0-9_+#.-]{1,40}$/;
// How many elements of a block, and how many above it, are asked for its language.
const INSIDE = 24;
const ABOVE = 3;
const MOST_CODE = 8; // of each tag: a column of line numbers may come first
const CODE_TAGS = new Set(["pre", "code", "listing", "xmp"]);
const LONGEST_CLASS = 1_000;
const VAGUE = new Set(["highlight-", "src-", "hl-"]); // what follows may be anything

/** The language of the block of code in an element; empty if it is not known. @param {Source} source @param {number} row */
export function language(source, row) {
  const { parent, end } = source.elements;
  const inner = [];
  for (let place = row; place < Math.min(end[row], row + INSIDE); place++) if (source.needed[place]) inner.push(place);
  const code = [...CODE_TAGS].flatMap((tag) => {
    const rows = source.tags.get(tag) ?? [];
    const from = placeOf(rows, row);
    return rows.slice(from, from + MOST_CODE).filter((place) => place < end[row]);
  });
  // The innermost says it best: a wrapper may be named for the page.
  for (const place of code.sort((one, other) => other - one)) {
    const found = own(source, place, true);
    if (found !== null) return found;
  }
  for (const place of inner) {
    if (source.tag(place) === "span" || CODE_TAGS.has(source.tag(place))) continue;
    const found = own(source, place, false);
    if (found !== null) return found;
  }
  let above = parent[row];
  for (let level = 0; level < ABOVE && above >= 0; level++) {
    const found = own(source, above, CODE_TAGS.has(source.tag(above)));
    if (found !== null) return found;
    above = parent[above];
  }
  return "";
}

/** The language of this name, if it is a known one; else empty. @param {string} text */
export function known(text) {
  const name = stripped(text).toLowerCase();
  const shown = ALIASES.get(name) ?? name;
  return KNOWN.has(shown) ? shown : "";
}

/**
 * What one element names, empty if that is no language. Elements that are not of code name known languages only.
 *
 * @param {Source} source
 * @param {number} row
 * @param {boolean} isCode
 * @returns {string | null}
 */
function own(source, row, isCode) {
  const words = split(first(source.attribute(row, "class") ?? "", LONGEST_CLASS));
  for (const prefix of table.prefixes) {
    for (const [place, word] of words.entries()) {
      if (!word.toLowerCase().startsWith(prefix)) continue;
      const name = word.slice(prefix.length) || (words[place + 1] ?? "");
      const found = named(name, isCode && !VAGUE.has(prefix));
      if (found !== null) return found;
    }
  }
  for (const attribute of table.attributes) {
    const value = source.attribute(row, attribute);
    const found = value ? named(value, isCode) : null;
    if (found !== null) return found;
  }
  for (const attribute of table.parameters) {
    const value = first(source.attribute(row, attribute) ?? "", LONGEST_CLASS);
    const found = value.includes("brush:") ? named(value.split("brush:")[1].split(";")[0]) : null;
    if (found !== null) return found;
  }
  if (isCode || words.some((word) => MARKERS.has(word))) {
    for (const word of words) {
      const found = MARKERS.has(word) ? null : named(word);
      if (found) return found;
    }
  }
  const value = isCode ? source.attribute(row, "lang") : null;
  return (value && !NATURAL.has(value.toLowerCase()) && named(value)) || null;
}

/**
 * The language of this name; empty for plain text, null for what is no name of a language.
 *
 * @param {string} text
 * @param {boolean} [anyName]
 */
function named(text, anyName = false) {
  const name = text.replace(/^[ ;,]+/, "").replace(/(?<![ ;,])[ ;,]+$/, "").toLowerCase();
  const shown = ALIASES.get(name) ?? name;
  if (NONE.has(shown)) return "";
  const isKnown = KNOWN.has(shown) || KNOWN.has(shown.split("+")[0]); // html+jinja
  return (isKnown || anyName) && NAME.test(shown) ? shown : null;
}
