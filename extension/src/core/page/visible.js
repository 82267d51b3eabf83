// Which leaves a reader sees, by tags and attributes alone: `_visible` of src/tamis/document/table.py.

import { INVISIBLE, lookup } from "../tags.js";
import { FRAGMENT, hasAttribute, nodeType } from "./dom.js";

// A page of which less than one leaf in this many is shown was hidden to be shown later.
const CURTAIN = 20;

const IS_INVISIBLE = lookup(...INVISIBLE);
const IS_TEMPLATE = lookup("template");

/**
 * @param {import("./elements.js").Elements} elements
 * @param {import("./walk.js").Raw} raw
 * @returns {{visible: Uint8Array, folded: Uint8Array}} one entry a leaf: those that are shown, and those that would be
 *   if no attribute hid them, such as what a closed tab holds
 */
export function visibleLeaves(elements, raw) {
  const shown = shownByTag(elements, raw);
  let hidden = leavesInside(elements, raw.leaves, raw.hidden);
  const seen = shown.reduce((sum, is, leaf) => sum + (is && !hidden[leaf] ? 1 : 0), 0);
  if (raw.hidden.length && seen * CURTAIN < shown.length) {
    // Next to nothing is left: the page stands behind a curtain that its script draws back.
    const few = raw.hidden.filter((row) => 2 * (elements.end[row] - row) <= elements.length);
    hidden = leavesInside(elements, raw.leaves, few);
  }
  return {
    visible: shown.map((is, leaf) => (is && !hidden[leaf] ? 1 : 0)),
    folded: shown.map((is, leaf) => (is && hidden[leaf] ? 1 : 0)),
  };
}

function isShadow(node) {
  return nodeType(node) === FRAGMENT || hasAttribute(node, "shadowrootmode");
}

function shownByTag(elements, raw) {
  const byTag = elements.coded(IS_INVISIBLE);
  elements.coded(IS_TEMPLATE).forEach((is, row) => {
    // A declared shadow root is a template whose content a browser does show.
    if (is) byTag[row] = isShadow(elements.node[row]) ? 0 : 1;
  });
  for (const row of raw.frames) byTag[row] = 0;
  const covered = elements.inside(byTag);
  return Uint8Array.from(raw.leaves, ({ element, isMedia }) => {
    // A medium is shown even though the text inside it is not: it asks its parent.
    const holder = isMedia ? elements.parent[element] : element;
    return holder >= 0 && covered[holder] ? 0 : 1;
  });
}

function leavesInside(elements, leaves, rows) {
  const inside = elements.inside(elements.mask(rows));
  return Uint8Array.from(leaves, ({ element }) => inside[element]);
}
