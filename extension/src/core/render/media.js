// Images, videos and frames: their best address, and what they are as content (src/tamis/render/content/media.py).

/** @import {Elements} from "../page/elements.js" */
/** @import {Marks} from "./marks.js" */
/** @import {Source} from "./source.js" */

import names from "../../../../src/tamis/render/content/names.json" with { type: "json" };
import { SPACE_CLASS, folded, split, stripped, withoutEnd } from "../characters.js";
import { attributeNames, isElement } from "../page/dom.js";
import { embed } from "./embeds.js";
import { safeUrl } from "./links.js";
import { marksOf } from "./marks.js";
import { Node } from "./node.js";

// Attributes with the real source of lazily loaded media, most common first, and others that may have it.
const { lazy: LAZY_SOURCES, sets: SETS, others: LAST_SOURCES } = names.media;

// Addresses of pictures that only hold the place of one. The first are the place holder by their whole name; of the
// others any other address of the image is more likely to be it.
const PLACEHOLDER = new RegExp(
  "/(?:blank|placeholder|spacer|pixel|transparent|trans|loading|loader|lazy|lazyload|empty|dummy|clear|1x1|shim)" +
    "(?:[-_.]?(?:image|img|placeholder|pixel|bg|[0-9]{1,4}(?:x[0-9]{1,4})?))?\\.(?:gif|png|svg|jpe?g|webp)(?:[?#]|$)",
  "i",
);
const DOUBTFUL = /placeholder|blank\.|spacer|1x1|lazy[-_]|[-_]lazy|loading\.|transparent/i;
const PICTURE = /\.(?:jpe?g|png|gif|webp|avif|svg|bmp)(?:[?#/]|$)/i;
const TINY = new Set(["0", "1", "2", "0px", "1px", "2px"]);

// What differs between versions of one image: its size at the end of the name, and the query.
const SIZE_IN_NAME = /(?:-[0-9]{1,5}x[0-9]{1,5}|@[0-9]x)(?=\.[a-zA-Z]{3,4}$)/g;

const NEAR = 4; // elements around an image that may hold its copy for those without scripts
const IMAGES = new Set(["img", "picture", "amp-img"]);
const SHOWN = new Set([...IMAGES, "video", "audio", "iframe"]);
const INNER = new Set(["img", "source"]);

// An address in a srcset, and its width or density behind it.
const ADDRESS = new RegExp(`[${SPACE_CLASS},]*([^${SPACE_CLASS},][^${SPACE_CLASS}]*)`, "y");
const SPACE = new RegExp(`[${SPACE_CLASS}"'(){}<>]`);
const SIZE = /^([0-9]{1,9}(?:\.[0-9]{1,9})?)[wx]$/;

/**
 * The address of a medium: lazily loaded, the largest of a set, or of an inner source. Null if there is none but a
 * placeholder, and for elements that could run code.
 *
 * @param {Elements} elements
 * @param {number} row
 * @param {string | null} base
 */
export function mediumSource(elements, row, base) {
  const tag = elements.tag[row];
  if (!SHOWN.has(tag)) return null;
  const inner = rowsBelow(elements, row).filter((each) => INNER.has(elements.tag[each]));
  // The <img> of a <picture> comes last in it, and every browser understands it.
  const order = tag === "picture" ? inner.reverse() : [row, ...inner];
  let doubtful = null;
  for (const each of order) {
    const isTiny = (/** @type {string} */ name) => TINY.has(elements.attribute(each, name) ?? "");
    if (isTiny("width") && isTiny("height")) return null; // it counts visitors
    for (const url of candidates(elements, each, IMAGES.has(tag))) {
      const address = url.includes("{") ? null : safeUrl(url, base); // "{width}" is for a script to fill in
      if (!address) continue;
      if (!IMAGES.has(tag)) return address;
      if (PLACEHOLDER.test(address)) continue;
      if (!DOUBTFUL.test(address)) return address;
      doubtful ??= address;
    }
  }
  return doubtful;
}

/**
 * A media element as content; null if it has no address.
 *
 * @param {Elements} elements
 * @param {number} row
 * @param {string | null} base
 */
export function mediumNode(elements, row, base) {
  const source = mediumSource(elements, row, base);
  if (!source) return null;
  if (!IMAGES.has(elements.tag[row])) return embed(elements, row, source, base);
  const alts = [row, ...rowsBelow(elements, row)].map((each) => elements.attribute(each, "alt"));
  return new Node("img", { src: source, alt: folded(alts.find(Boolean) ?? "") }, [], row);
}

const SIZE_IN_ADDRESS = /(?<![0-9a-zA-Z])(?:w|h|width|height|resize|size)[=:_/-]?([0-9]{2,4})(?![0-9])/g;

/** The largest number that an address names as a width or height; 0 if there is none. @param {string} url */
export const sizeIn = (url) => [...url.matchAll(SIZE_IN_ADDRESS)].reduce((most, [, size]) => Math.max(most, Number(size)), 0);

/** Are these addresses of one image, perhaps in two sizes? @param {string} url @param {string} other */
export const sameImage = (url, other) => url === other || (PICTURE.test(url) && fileOf(url) === fileOf(other));

/** @param {string} url */
function fileOf(url) {
  const path = url.split("#")[0].split("?")[0];
  return (path.slice(path.indexOf(":") + 1) || path).replace(SIZE_IN_NAME, "");
}

/** @param {Elements} elements @param {number} row */
function rowsBelow(elements, row) {
  return Array.from({ length: elements.end[row] - row - 1 }, (_, step) => row + 1 + step);
}

/**
 * The addresses in the attributes of one element, the most likely first.
 *
 * @param {Elements} elements
 * @param {number} row
 * @param {boolean} isImage
 */
function candidates(elements, row, isImage) {
  const attribute = (/** @type {string} */ name) => elements.attribute(row, name) ?? "";
  const found = [
    ...LAZY_SOURCES.map(attribute),
    ...SETS.map((name) => largest(attribute(name)) ?? ""),
    attribute("src"),
  ];
  const node = elements.node[row];
  if (isImage && isElement(node)) {
    const others = attributeNames(node).filter((/** @type {string} */ name) => name.startsWith("data-"));
    for (const name of [...LAST_SOURCES, ...others]) {
      const value = stripped(attribute(name));
      if (PICTURE.test(value) && !SPACE.test(value)) found.push(value);
    }
  }
  return found.filter(Boolean);
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

/**
 * Images in a <noscript> beside the same image for those with scripts.
 *
 * @param {Source} source
 * @returns {Generator<void, Marks | null, void>}
 */
export function* copies(source) {
  const { elements, leaves } = source;
  const skipped = new Set();
  for (const row of source.tags.get("noscript") ?? []) {
    yield;
    const inside = source.leavesIn(row);
    if (inside.length !== 1 || !leaves[inside[0]].isMedia) continue;
    for (const beside of [inside[0] - 1, inside[0] + 1]) {
      if (!leaves[beside]?.isMedia || !source.keep[beside]) continue;
      const other = leaves[beside].element;
      const around = [...elements.ancestors(other)].slice(1, NEAR);
      const isNear = around.includes(elements.parent[row]) && IMAGES.has(source.tag(other));
      if (isNear && mediumSource(elements, other, source.base)) skipped.add(row);
    }
  }
  return skipped.size ? marksOf({ skipped }) : null;
}
