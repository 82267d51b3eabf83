// The input of R4: columns with one row an element (PageTree of tamis_papers/r4/extractor.py). The root is BODY
// (Definition 2.1). Only visible text counts.

/** @import {Pace} from "../../pace.js" */
/** @import {Elements} from "../../page/elements.js" */
/** @import {PageTable} from "../../page/table.js" */

import { countWords } from "../../characters.js";
import { lookup } from "../../tags.js";
import { wordRatio } from "./word_ratio.js";

// §3.1, criterion 2: elements that can't be the main content, or that others subsume.
const EXCLUDED = new Set("a nav undefined hr span em body script header h1 h2 h3 h4 h5 br iframe".split(" "));

const IS_BODY = lookup("body");
const IS_LINK = lookup("a");

/** @typedef {Awaited<ReturnType<typeof columnsOf>>} R4Columns */

/**
 * @param {PageTable} table
 * @param {Pace} pace
 */
export async function columnsOf(table, pace) {
  const { elements, leaves } = table;
  const size = elements.length;
  const root = elements.code.findIndex((code) => IS_BODY[code] === 1);

  const ownTexts = new Float64Array(size);
  const ownVisible = new Float64Array(size);
  const ownReadable = new Float64Array(size);
  const ownWords = new Float64Array(size);
  const ownUnlinked = new Float64Array(size);
  await pace.each(
    leaves.length,
    (place) => {
      const leaf = leaves[place];
      if (leaf.visible) ownVisible[leaf.element]++;
      if (leaf.isMedia) return;
      ownTexts[leaf.element]++;
      if (!leaf.visible) return;
      const words = countWords(leaf.text);
      ownReadable[leaf.element]++;
      ownWords[leaf.element] += words;
      if (!leaf.inLink) ownUnlinked[leaf.element] += words;
    },
    0,
    0.5,
  );

  const children = Float64Array.from(ownTexts); // elements and texts, without white space and comments
  for (const parent of elements.parent) if (parent >= 0) children[parent]++;
  const mayBeContent = new Uint8Array(size); // criterion 2
  for (let row = root + 1; root >= 0 && row < elements.end[root]; row++) {
    mayBeContent[row] = EXCLUDED.has(elements.tag[row]) ? 0 : 1;
  }
  /** @type {number[]} */
  const rated = []; // the rows that get ratios: criteria 1 and 2
  mayBeContent.forEach((may, row) => may && children[row] > 0 && rated.push(row));

  const visible = elements.sums(ownVisible);
  const unlinkedWords = elements.sums(ownUnlinked);
  const links = elements.sums(elements.coded(IS_LINK));
  const depth = depthBelow(elements, ownTexts);
  await pace.rest(0.6);
  return {
    elements,
    leaves,
    root: root < 0 ? [] : [root],
    rated,
    children,
    showsSomething: visible.map((count) => (count > 0 ? 1 : 0)),
    isWide: isWiderThanDeep(elements, root, (row) => mayBeContent[row] === 1 && visible[row] > 0),
    words: elements.sums(ownWords), // all of the subtree
    unlinkedWords, // words(n): those that belong to no hyperlink
    texts: elements.sums(ownReadable),
    links,
    ratios: [
      await wordRatio(elements, unlinkedWords, pace),
      links.map((number) => 1 / Math.max(number, 1)), // hyperlink ratio
      Float64Array.from(elements.childNodes, (number) => (number > 2 ? 1 : 0)), // children ratio
      positionRatio(depth, root),
    ],
  };
}

/**
 * The maximum depth of subtree(n), down to its texts (Definition 2.1).
 *
 * @param {Elements} elements
 * @param {Float64Array} ownTexts
 */
function depthBelow(elements, ownTexts) {
  const deepest = elements.depth.map((depth, row) => depth + (ownTexts[row] > 0 ? 1 : 0));
  for (let row = elements.length - 1; row > 0; row--) {
    const parent = elements.parent[row];
    if (parent >= 0 && deepest[parent] < deepest[row]) deepest[parent] = deepest[row];
  }
  return deepest.map((depth, row) => depth - elements.depth[row]);
}

/** 1 up to half the depth of the page, less beyond. @param {Int32Array} depth @param {number} root */
function positionRatio(depth, root) {
  const deepest = root < 0 ? 0 : depth[root];
  return Float64Array.from(depth, (own) => (own <= deepest / 2 ? 1 : deepest / Math.max(own, 1) - 1));
}

/**
 * Criterion 3: true if BODY has more such children than such elements are nested anywhere.
 *
 * @param {Elements} elements
 * @param {number} root
 * @param {(row: number) => boolean} counts
 */
function isWiderThanDeep(elements, root, counts) {
  const level = new Int32Array(elements.length); // how many of itself and its ancestors count
  let deepest = 0;
  let wide = 0;
  for (let row = 0; row < level.length; row++) {
    const parent = elements.parent[row];
    level[row] = (parent >= 0 ? level[parent] : 0) + (counts(row) ? 1 : 0);
    deepest = Math.max(deepest, level[row]);
    if (parent >= 0 && parent === root && counts(row)) wide++;
  }
  return deepest < wide;
}
