// Which leaves are visible, by tags and attributes alone: `_visible` of src/tamis/document/table.py.

/** @import {Elements} from "./elements.js" */
/** @import {Leaf} from "./table.js" */
/** @import {Raw} from "./walk.js" */

import { INVISIBLE, lookup } from "../tags.js";
import { hasAttribute, isElement } from "./dom.js";

// If fewer than one leaf in this many is visible, the page hides itself until its script has run.
const CURTAIN = 20;

const IS_INVISIBLE = lookup(...INVISIBLE);
const IS_TEMPLATE = lookup("template");

/**
 * @param {Elements} elements
 * @param {Raw} raw
 * @returns {{visible: Uint8Array, folded: Uint8Array}} one entry a leaf; a folded leaf would be visible if no attribute
 *   hid it, such as the content of a closed tab
 */
export function visibleLeaves(elements, raw) {
  const shown = shownByTag(elements, raw);
  let hidden = leavesInside(elements, raw.leaves, raw.hidden);
  const seen = shown.reduce((sum, is, leaf) => sum + (is && !hidden[leaf] ? 1 : 0), 0);
  if (raw.hidden.length && seen * CURTAIN < shown.length) {
    // Ignore the attributes that hide more than half of the elements.
    const few = raw.hidden.filter((row) => 2 * (elements.end[row] - row) <= elements.length);
    hidden = leavesInside(elements, raw.leaves, few);
  }
  return {
    visible: shown.map((is, leaf) => (is && !hidden[leaf] ? 1 : 0)),
    folded: shown.map((is, leaf) => (is && hidden[leaf] ? 1 : 0)),
  };
}

/** @param {Node} node */
function isShadow(node) {
  return !isElement(node) || hasAttribute(node, "shadowrootmode");
}

/** @param {Elements} elements @param {Raw} raw */
function shownByTag(elements, raw) {
  const byTag = elements.coded(IS_INVISIBLE);
  elements.coded(IS_TEMPLATE).forEach((is, row) => {
    // A browser shows the content of a template that declares a shadow root.
    if (is) byTag[row] = isShadow(elements.node[row]) ? 0 : 1;
  });
  for (const row of raw.frames) byTag[row] = 0;
  const covered = elements.inside(byTag);
  return Uint8Array.from(raw.leaves, ({ element, isMedia }) => {
    // The text inside a medium is invisible but the medium itself is not, so its parent counts.
    const holder = isMedia ? elements.parent[element] : element;
    return holder >= 0 && covered[holder] ? 0 : 1;
  });
}

/** @param {Elements} elements @param {Leaf[]} leaves @param {number[]} rows */
function leavesInside(elements, leaves, rows) {
  const inside = elements.inside(elements.mask(rows));
  return Uint8Array.from(leaves, ({ element }) => inside[element]);
}
