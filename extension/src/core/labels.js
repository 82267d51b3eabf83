// The answer of every extractor: which leaves are kept (tamis/labels.py).

/** @import {Elements} from "./page/elements.js" */
/** @import {Leaf, PageTable} from "./page/table.js" */

import { lookup } from "./tags.js";

const IS_FIGURE = lookup("figure");

// A leaf is kept if its score is at least this.
export const THRESHOLD = 0.5;

/**
 * @typedef {"title" | "text" | "caption" | "note" | "comment" | "related" | "boilerplate"} Role
 *
 * @typedef {object} Labels one entry a leaf
 * @property {Float64Array} score from 0 to 1
 * @property {Uint8Array} keep 1 if the leaf is kept
 * @property {(Role | null)[]} role null where the extractor does not tell roles apart
 * @property {number} threshold the lowest score of a kept leaf
 * @property {Record<string, number> | null} [pageTypes] how likely each page type is, if the extractor tells
 * @property {number[][]} [notes] links to notes and those notes, as rows, if the extractor tells
 * @property {PageTable} [table] the page as the extractor read it, where it reads more than the screen shows
 */

/**
 * @param {ArrayLike<number>} scores
 * @param {Uint8Array} keep
 * @returns {Labels} without roles
 */
export function labelsOf(scores, keep) {
  return { score: Float64Array.from(scores), keep, role: new Array(keep.length).fill(null), threshold: THRESHOLD };
}

/**
 * Labels from one score a leaf. Only the scores of visible texts count; media follow the texts around them.
 *
 * @param {PageTable} table
 * @param {ArrayLike<number>} scores
 */
export function fromTextScores(table, scores) {
  const { leaves } = table;
  const own = Float64Array.from(leaves, ({ visible, isMedia }, leaf) => (visible && !isMedia ? scores[leaf] : 0));
  const keep = Uint8Array.from(leaves, ({ visible, isMedia }, leaf) =>
    visible && !isMedia && own[leaf] >= THRESHOLD ? 1 : 0,
  );
  for (const leaf of surroundedMedia(table, keep)) keep[leaf] = own[leaf] = 1;
  return labelsOf(own, keep);
}

/**
 * The visible media that are kept because of the texts next to them: both texts are kept, or one is kept and is in
 * the smallest element around the medium that holds any text.
 *
 * @param {PageTable} table
 * @param {Uint8Array} keep
 * @returns {number[]} their places among the leaves
 */
function surroundedMedia(table, keep) {
  const { leaves, elements } = table;
  // A caption that is not kept says nothing about the place of its figure.
  const inFigure = elements.inside(elements.coded(IS_FIGURE));
  const readable = table.readable.filter((place) => keep[place] || !inFigure[leaves[place].element]);
  const kept = [];
  let after = 0; // place in `readable` of the first text behind the medium
  for (let medium = 0; medium < leaves.length; medium++) {
    if (!leaves[medium].isMedia || !leaves[medium].visible) continue;
    while (after < readable.length && readable[after] < medium) after++;
    const before = after > 0 ? readable[after - 1] : -1;
    const behind = after < readable.length ? readable[after] : -1;
    const keptBefore = before >= 0 && keep[before];
    const keptBehind = behind >= 0 && keep[behind];
    const isKept =
      (keptBefore && keptBehind) ||
      (keptBefore && isNearest(elements, leaves, medium, before, behind)) ||
      (keptBehind && isNearest(elements, leaves, medium, behind, before));
    if (isKept) kept.push(medium);
  }
  return kept;
}

/**
 * True if the smallest element around the medium that holds either text holds `wanted`.
 *
 * @param {Elements} elements
 * @param {Leaf[]} leaves
 * @param {number} medium
 * @param {number} wanted
 * @param {number} other -1 if there is none
 */
function isNearest(elements, leaves, medium, wanted, other) {
  /** @param {number} row @param {number} leaf */
  const holds = (row, leaf) => leaf >= 0 && row <= leaves[leaf].element && leaves[leaf].element < elements.end[row];
  for (let row = elements.parent[leaves[medium].element]; row >= 0; row = elements.parent[row]) {
    if (holds(row, wanted)) return true;
    if (holds(row, other)) return false;
  }
  return false;
}
