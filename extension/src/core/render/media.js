// Media elements: their addresses and how they are written (src/tamis/render/media.py).

/** @import {Elements} from "../page/elements.js" */
/** @import {PageTable} from "../page/table.js" */

import { SPACE_CLASS, folded, split, withoutEnd } from "../characters.js";
import { safeUrl } from "./links.js";
import { Node } from "./node.js";

// Attributes in which pages with lazy loading put the real source, most common first.
const LAZY_SOURCES = ["data-src", "data-original", "data-lazy-src", "data-lazy", "data-hi-res-src", "data-url"];
const SETS = ["srcset", "data-srcset", "data-lazy-srcset"];

const IMAGES = new Set(["img", "picture", "amp-img"]);
const SHOWN = new Set([...IMAGES, "video", "audio", "iframe"]);
const INNER = new Set(["img", "source"]);

// An address in a srcset, and its width or density behind it.
const ADDRESS = new RegExp(`[${SPACE_CLASS},]*([^${SPACE_CLASS},][^${SPACE_CLASS}]*)`, "y");
const SIZE = /^([0-9]{1,9}(?:\.[0-9]{1,9})?)[wx]$/;

/**
 * The address of a medium, or null: from attributes of lazy loading, the largest of a srcset, or an inner source.
 *
 * @param {PageTable} table
 * @param {number} row
 * @param {string | null} base
 */
export function mediumSource({ elements }, row, base) {
  const tag = elements.tag[row];
  if (!SHOWN.has(tag)) return null;
  const inner = rowsBelow(elements, row).filter((each) => INNER.has(elements.tag[each]));
  // The <img> of a <picture> comes last in it, and every browser understands it.
  const order = tag === "picture" ? inner.reverse() : [row, ...inner];
  for (const each of order) {
    const source = sourceOf((name) => elements.attribute(each, name), base);
    if (source) return source;
  }
  return null;
}

/**
 * The element as content.
 *
 * @param {PageTable} table
 * @param {number} row
 * @param {string} source
 */
export function mediumNode({ elements }, row, source) {
  const tag = elements.tag[row];
  if (IMAGES.has(tag)) {
    const alts = [row, ...rowsBelow(elements, row)].map((each) => elements.attribute(each, "alt"));
    return new Node("img", { src: source, alt: folded(alts.find(Boolean) ?? "") }, [], row);
  }
  const title = folded(elements.attribute(row, "title") ?? "");
  return new Node("embed", { src: source, title, kind: tag === "iframe" ? "frame" : tag }, [], row);
}

/** @param {Elements} elements @param {number} row */
function rowsBelow(elements, row) {
  return Array.from({ length: elements.end[row] - row - 1 }, (_, step) => row + 1 + step);
}

/** @param {(name: string) => string | null} attribute @param {string | null} base */
function sourceOf(attribute, base) {
  const candidates = [
    ...LAZY_SOURCES.map(attribute),
    ...SETS.map((name) => largest(attribute(name) ?? "")),
    attribute("src"),
  ];
  for (const url of candidates) {
    const safe = safeUrl(url, base);
    if (safe) return safe;
  }
  return null;
}

/**
 * The address with the largest width or density of a srcset, which is read as the HTML standard says, or null.
 *
 * @param {string} srcset
 */
export function largest(srcset) {
  let [best, most] = [/** @type {string | null} */ (null), 0];
  let place = 0;
  for (;;) {
    ADDRESS.lastIndex = place;
    const found = ADDRESS.exec(srcset);
    if (!found) return best;
    const url = found[1];
    place = ADDRESS.lastIndex;
    let size = 1;
    if (!url.endsWith(",")) {
      const end = srcset.indexOf(",", place);
      const [described] = split(srcset.slice(place, end < 0 ? undefined : end));
      place = end < 0 ? srcset.length : end;
      if (described) size = Number(SIZE.exec(described)?.[1] ?? 0);
    }
    if (size > most) [best, most] = [withoutEnd(url, ","), size];
  }
}
