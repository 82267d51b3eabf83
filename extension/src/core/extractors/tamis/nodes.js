// The elements in which a page parts into rows, and what is in each: RowTree of src/tamis/extractor/run_tree.py and
// `_nodes` of src/tamis/extractor/runs.py. A node is an element of which at least two children hold text, or that holds
// text of its own beside them.

import { LEVELS, NO_TAG, OF_NODES } from "./columns.js";
import { sumsBefore } from "./surroundings.js";

/**
 * @typedef {object} Tree the number after that of the last node, `size`, stands for none; none has all rows
 * @property {Float64Array} held for each element how many rows it holds
 * @property {number} size how many nodes there are
 * @property {Int32Array} nodes the element of each
 * @property {Int32Array} numberOf for each element: the number of the node that it is, or of the nearest above it
 * @property {Int32Array} parent (size + 1): the number of the node above
 * @property {Int32Array} children (size): rows that it holds itself, and children that hold any
 * @property {Int32Array} first (size + 1): the first row in it
 * @property {Int32Array} last (size + 1): the row after its last
 */

/**
 * @param {import("../../page/table.js").PageTable} table
 * @param {import("./rows.js").Runs} runs
 * @returns {Tree}
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

  // A node need not be a block: rows count as in it when their first text is, whatever their block is.
  const beginning = new Float64Array(elements.length);
  for (const leaf of begins) beginning[leaves[leaf].element]++;
  const inside = elements.sums(beginning);
  const first = new Int32Array(size + 1);
  const last = new Int32Array(size + 1).fill(begins.length);
  let row = 0;
  for (let number = 0; number < size; number++) {
    while (row < begins.length && leaves[begins[row]].opened < nodes[number]) row++;
    first[number] = row;
    last[number] = row + inside[nodes[number]];
  }
  return { held, size, nodes, numberOf, parent, children: nodes.map((node) => children[node]), first, last };
}

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

/** (rows, LEVELS): the numbers of the nodes above each row. */
export function nodesAbove({ numberOf, parent }, element) {
  const found = new Int32Array(element.length * LEVELS);
  element.forEach((at, row) => {
    let number = numberOf[at];
    for (let level = 0; level < LEVELS; level++) {
      found[row * LEVELS + level] = number;
      number = parent[number];
    }
  });
  return found;
}

/** (rows, 1 + LEVELS): the codes of the row's own tag and of the nodes above it. */
export function tagsOf({ elements }, { size, nodes }, element, above) {
  const found = new Uint8Array(element.length * (1 + LEVELS));
  element.forEach((at, row) => {
    found[row * (1 + LEVELS)] = elements.code[at];
    for (let level = 0; level < LEVELS; level++) {
      const number = above[row * LEVELS + level];
      found[row * (1 + LEVELS) + 1 + level] = number === size ? NO_TAG : elements.code[nodes[number]];
    }
  });
  return found;
}

/** How many words a node has. */
export const wordsIn = (before, { first, last }, number) => before.words[last[number]] - before.words[first[number]];

/**
 * (size + 1, OF_NODES): the last row, for none, is the page as a whole.
 *
 * @param {import("../../page/table.js").PageTable} table
 * @param {Tree} tree
 * @param {import("./surroundings.js").Running} before
 */
export function nodeColumns(table, tree, before) {
  const { size, nodes, parent, first, last } = tree;
  const { end } = table.elements;
  const media = mediaBefore(table);
  const someWords = (number) => Math.max(wordsIn(before, tree, number), 1);
  const someRows = (number) => Math.max(last[number] - first[number], 1);
  const found = new Float32Array((size + 1) * OF_NODES.length);
  for (let number = 0; number <= size; number++) {
    const within = (sums) => sums[last[number]] - sums[first[number]];
    const words = within(before.words);
    const isNone = number === size;
    found.set(
      [
        Math.log1p(words),
        words / someWords(size),
        within(before.linked) / someWords(number),
        Math.log1p(last[number] - first[number]),
        Math.log1p(words / someRows(number)),
        within(before.prose) / someWords(number),
        Math.min(within(before.sentences) / someWords(number), 0.5),
        isNone ? 0 : Math.log1p(tree.children[number]),
        words / someWords(parent[number]),
        (first[number] - first[parent[number]]) / someRows(parent[number]),
        isNone ? 0 : Math.log1p(media[end[nodes[number]]] - media[nodes[number]]),
        within(before.headings) / someRows(number),
      ],
      number * OF_NODES.length,
    );
  }
  return found;
}

/** How many visible media stand in the elements before each, and in all of them at the end. */
function mediaBefore({ elements, leaves }) {
  const media = new Float64Array(elements.length);
  for (const { element, isMedia, visible } of leaves) if (isMedia && visible) media[element]++;
  return sumsBefore(media);
}
