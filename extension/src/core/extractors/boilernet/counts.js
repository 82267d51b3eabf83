// BoilerNet's input (section 3.1): for each text, the tags above it and the words in it, counted
// (src/tamis/papers/boilernet/features.py).

import { tokens } from "./tokens.js";

/**
 * @typedef {{tags: string[], words: string[]}} Vocabulary as in config.json
 *
 * @typedef {object} Rows one sparse row for each visible text of a page, in document order: row i has counts[j] in
 *   column columns[j], for j from bounds[i] up to bounds[i + 1]; its columns ascend
 * @property {number[]} leaves the places of the texts among the leaves of the page
 * @property {Int32Array} bounds
 * @property {Int32Array} columns
 * @property {Float32Array} counts
 * @property {number} dims the number of columns: tags, other tags, words, other words
 */

/** The number of columns of a vocabulary. */
export const dimsOf = (vocabulary) => vocabulary.tags.length + 1 + vocabulary.words.length + 1;

/**
 * What the model reads of a page.
 *
 * @param {import("../../page/table.js").PageTable} table
 * @param {Vocabulary} vocabulary
 * @param {import("../../pace.js").Pace} pace
 * @returns {Promise<Rows>}
 */
export async function countLeaves(table, vocabulary, pace) {
  const leaves = table.readable;
  const unknownTag = vocabulary.tags.length;
  const dims = dimsOf(vocabulary);
  const columnOfTag = new Map(vocabulary.tags.map((tag, column) => [tag, column]));
  const columnOfWord = new Map(vocabulary.words.map((word, column) => [word, unknownTag + 1 + column]));
  const above = tagsAbove(table, leaves, columnOfTag, unknownTag);
  const bounds = [0];
  const columns = [];
  const counts = [];
  await pace.each(
    leaves.length,
    (place) => {
      const { element, text } = table.leaves[leaves[place]];
      for (const [column, count] of above.get(element)) {
        columns.push(column);
        counts.push(count);
      }
      const inText = new Map();
      for (const token of tokens(text)) {
        const column = columnOfWord.get(token) ?? dims - 1;
        inText.set(column, (inText.get(column) ?? 0) + 1);
      }
      for (const column of [...inText.keys()].sort((a, b) => a - b)) {
        columns.push(column);
        counts.push(inText.get(column));
      }
      bounds.push(columns.length);
    },
    0,
    0.5,
  );
  return {
    leaves,
    bounds: Int32Array.from(bounds),
    columns: Int32Array.from(columns),
    counts: Float32Array.from(counts),
    dims,
  };
}

/** The rows from `lower` up to `upper`, by themselves. */
export function rowsBetween({ bounds, columns, counts, dims }, lower, upper) {
  const [first, last] = [bounds[lower], bounds[upper]];
  return {
    bounds: bounds.slice(lower, upper + 1).map((bound) => bound - first),
    columns: columns.slice(first, last),
    counts: counts.slice(first, last),
    dims,
  };
}

/** For each element that holds one of the texts: [column, count] of the tags from itself up to the root. */
function tagsAbove({ elements, leaves }, places, columnOf, unknown) {
  const { tag, end } = elements;
  const wanted = elements.mask(places.map((place) => leaves[place].element));
  const above = new Map();
  const counts = new Int32Array(unknown + 1);
  const open = [];
  for (let row = 0; row < tag.length; row++) {
    while (open.length && end[open.at(-1)] <= row) counts[columnOf.get(tag[open.pop()]) ?? unknown]--;
    open.push(row);
    counts[columnOf.get(tag[row]) ?? unknown]++;
    if (!wanted[row]) continue;
    const entries = [];
    counts.forEach((count, column) => count && entries.push([column, count]));
    above.set(row, entries);
  }
  return above;
}
