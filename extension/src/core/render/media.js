// Media elements: where they come from and how they are written (src/tamis/render/media.py).

import { folded } from "../characters.js";
import { safeUrl } from "./links.js";

// Where pages that load media late put the real source, most common first.
const LAZY_SOURCES = ["data-src", "data-original", "data-lazy-src", "data-lazy", "data-hi-res-src", "data-url"];
const SETS = ["srcset", "data-srcset", "data-lazy-srcset"];

const IMAGES = new Set(["img", "picture", "amp-img"]);
const SHOWN = new Set([...IMAGES, "video", "audio", "iframe"]);
const INNER = new Set(["img", "source"]);

// One image of a srcset: its address, and its width or density where it has one.
const CANDIDATE = /(\S*[^\s,])(?:\s+(\d+(?:\.\d+)?)[wx])?\s*(?:,|$)/g;

/** The address of what a media element shows: lazy ones, the largest of a set, inner sources; else null. */
export function mediumSource({ elements }, row, base) {
  const tag = elements.tag[row];
  if (!SHOWN.has(tag)) return null;
  const inner = rowsBelow(elements, row).filter((each) => INNER.has(elements.tag[each]));
  // The <img> of a <picture> comes last in it and is the one that every browser understands.
  const order = tag === "picture" ? inner.reverse() : [row, ...inner];
  for (const each of order) {
    const source = sourceOf((name) => elements.attribute(each, name), base);
    if (source) return source;
  }
  return null;
}

/** The element as a node of the clean tree; players and frames as a link where asked for. */
export function mediumNode({ elements }, row, source, asLink) {
  const tag = elements.tag[row];
  if (IMAGES.has(tag)) {
    const alts = [row, ...rowsBelow(elements, row)].map((each) => elements.attribute(each, "alt"));
    return { name: "img", attributes: { src: source, alt: folded(alts.find(Boolean) ?? "") }, children: [] };
  }
  const title = folded(elements.attribute(row, "title") ?? "");
  if (asLink) return { name: "a", attributes: { href: source }, children: [title || source] };
  if (tag === "iframe") return { name: tag, attributes: { src: source, title, sandbox: true }, children: [] };
  return { name: tag, attributes: { src: source, controls: true }, children: [] };
}

function rowsBelow(elements, row) {
  return Array.from({ length: elements.end[row] - row - 1 }, (_, step) => row + 1 + step);
}

function sourceOf(attribute, base) {
  const candidates = [
    ...LAZY_SOURCES.map(attribute),
    ...SETS.map(attribute).filter(Boolean).map(largest),
    attribute("src"),
  ];
  for (const url of candidates) {
    const safe = safeUrl(url, base);
    if (safe) return safe;
  }
  return null;
}

/** The URL with the largest width or density of a srcset. */
function largest(srcset) {
  let best = null;
  let most = -1;
  for (const [, url, size] of srcset.matchAll(CANDIDATE)) {
    if (Number(size ?? 1) > most) [best, most] = [url, Number(size ?? 1)];
  }
  return best;
}
