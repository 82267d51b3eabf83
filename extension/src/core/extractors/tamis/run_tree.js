// The elements in which a page splits into runs: RunTree of src/tamis/extractor/run_tree.py and `_nodes` of
// src/tamis/extractor/runs.py. A node is an element of which at least two children hold text, or one that holds text of
// its own beside a child with text.

/** @import {Elements} from "../../page/elements.js" */
/** @import {PageTable} from "../../page/table.js" */
/** @import {RunIndex} from "./runs.js" */
/** @import {RunSums} from "./surroundings.js" */

import { LAST_CODE } from "../../tags.js";
import { LEVELS, NO_TAG, OF_NODES } from "./columns.js";
import { sumsBefore } from "./surroundings.js";

/**
 * @typedef {object} RunTree nodes are numbered in document order; the number `size` means no node and spans all runs
 * @property {Float64Array} held for each element how many runs it holds
 * @property {number} size how many nodes there are
 * @property {Int32Array} nodes the element of each node
 * @property {Int32Array} numberOf for each element the number of the node that it is, or of the nearest node above it
 * @property {Int32Array} parent (size + 1): the number of the node above
 * @property {Int32Array} children (size): the number of its own runs and of its children that hold any
 * @property {Int32Array} first (size + 1): its first run
 * @property {Int32Array} last (size + 1): the run after its last
 */

/**
 * @param {PageTable} table
 * @param {RunIndex} index
 * @returns {RunTree}
 */
export function treeOf({ elements, leaves }, { element, begins }) {
  const own = new Float64Array(elements.length);
  for (const row of element) own[row]++;
  const held = elements.sums(own);
  const children = Int32Array.from(own);
  for (let row = 0; row < elements.length; row++) {
    if (held[row] && elements.parent[row] >= 0) children[elements.parent[row]]++;
  }
  const nodes = new Int32Array(elements.length).map((_, row) => row).filter((row) => children[row] > 1);
  const size = nodes.length;
  const { numberOf, parent } = numbered(elements, children, size);

  // A node can be an inline element inside the block of a run. The first text of a run decides if the run is in it.
  const beginning = new Float64Array(elements.length);
  for (const leaf of begins) beginning[leaves[leaf].element]++;
  const inside = elements.sums(beginning);
  const first = new Int32Array(size + 1);
  const last = new Int32Array(size + 1).fill(begins.length);
  let run = 0;
  for (let number = 0; number < size; number++) {
    while (run < begins.length && leaves[begins[run]].opened < nodes[number]) run++;
    first[number] = run;
    last[number] = run + inside[nodes[number]];
  }
  return { held, size, nodes, numberOf, parent, children: nodes.map((node) => children[node]), first, last };
}

/** @param {Elements} elements @param {Int32Array} children @param {number} size */
function numbered(elements, children, size) {
  const numberOf = new Int32Array(elements.length);
  const parent = new Int32Array(size + 1).fill(size);
  let next = 0;
  for (let row = 0; row < elements.length; row++) {
    const above = elements.parent[row] >= 0 ? numberOf[elements.parent[row]] : size;
    const isNode = children[row] > 1;
    numberOf[row] = isNode ? next : above;
    if (isNode) parent[next++] = above;
  }
  return { numberOf, parent };
}

/**
 * (runs, LEVELS): the numbers of the nodes above each run.
 *
 * @param {RunTree} tree
 * @param {Int32Array} element for each run its block-level element
 */
export function nodesAbove({ numberOf, parent }, element) {
  const found = new Int32Array(element.length * LEVELS);
  element.forEach((row, run) => {
    let number = numberOf[row];
    for (let level = 0; level < LEVELS; level++) {
      found[run * LEVELS + level] = number;
      number = parent[number];
    }
  });
  return found;
}

/**
 * (runs, 1 + LEVELS): the tag codes of each run and of the nodes above it.
 *
 * @param {PageTable} table
 * @param {RunTree} tree
 * @param {Int32Array} element for each run its block-level element
 * @param {Int32Array} above as `nodesAbove` returns it
 */
export function tagsOf({ elements }, { size, nodes }, element, above) {
  const found = new Uint8Array(element.length * (1 + LEVELS));
  element.forEach((row, run) => {
    found[run * (1 + LEVELS)] = elements.code[row];
    for (let level = 0; level < LEVELS; level++) {
      const number = above[run * LEVELS + level];
      found[run * (1 + LEVELS) + 1 + level] = number === size ? NO_TAG : elements.code[nodes[number]];
    }
  });
  return found;
}

/** How many words a node has. @param {RunSums} before @param {RunTree} tree @param {number} number */
export const wordsIn = (before, { first, last }, number) => before.words[last[number]] - before.words[first[number]];

/**
 * (size + 1, OF_NODES): the columns of each node; the last row describes the whole page.
 *
 * @param {PageTable} table
 * @param {RunTree} tree
 * @param {RunSums} before
 */
export function nodeColumns(table, tree, before) {
  const { size, nodes, parent, first, last } = tree;
  const { end } = table.elements;
  const media = mediaBefore(table);
  // At least 1, to be divided by.
  const someWords = (/** @type {number} */ number) => Math.max(wordsIn(before, tree, number), 1);
  const someRuns = (/** @type {number} */ number) => Math.max(last[number] - first[number], 1);
  const found = new Float32Array((size + 1) * OF_NODES.length);
  for (let number = 0; number <= size; number++) {
    const within = (/** @type {Float64Array} */ sums) => sums[last[number]] - sums[first[number]];
    const words = within(before.words);
    const isPage = number === size;
    found.set(
      [
        Math.log1p(words),
        words / someWords(size),
        within(before.linked) / someWords(number),
        Math.log1p(last[number] - first[number]),
        Math.log1p(words / someRuns(number)),
        within(before.prose) / someWords(number),
        Math.min(within(before.sentences) / someWords(number), 0.5),
        isPage ? 0 : Math.log1p(tree.children[number]),
        words / someWords(parent[number]),
        (first[number] - first[parent[number]]) / someRuns(parent[number]),
        isPage ? 0 : Math.log1p(media[end[nodes[number]]] - media[nodes[number]]),
        within(before.headings) / someRuns(number),
      ],
      number * OF_NODES.length,
    );
  }
  return found;
}

/**
 * The number of visible media in the elements before each; the last entry is the number of all. Formulas in scripts do
 * not count.
 *
 * @param {PageTable} table
 */
function mediaBefore({ elements, leaves }) {
  const media = new Float64Array(elements.length);
  for (const { element, isMedia, visible } of leaves) {
    if (isMedia && visible && elements.code[element] > LAST_CODE) media[element]++;
  }
  return sumsBefore(media);
}
