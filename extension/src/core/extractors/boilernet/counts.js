// BoilerNet's input (section 3.1): for each text the counts of the tags above it and of the words in it
// (tamis_papers/boilernet/features.py).

/** @import {Pace} from "../../pace.js" */
/** @import {PageTable} from "../../page/table.js" */

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

/** The number of columns of a vocabulary. @param {Vocabulary} vocabulary */
export const dimsOf = (vocabulary) => vocabulary.tags.length + 1 + vocabulary.words.length + 1;

/**
 * The input of the model for a page.
 *
 * @param {PageTable} table
 * @param {Vocabulary} vocabulary
 * @param {Pace} pace
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
  /** @type {number[]} */
  const columns = [];
  /** @type {number[]} */
  const counts = [];
  await pace.each(
    leaves.length,
    (place) => {
      const { element, text } = table.leaves[leaves[place]];
      for (const [column, count] of above.get(element) ?? []) {
        columns.push(column);
        counts.push(count);
      }
      /** @type {Map<number, number>} */
      const inText = new Map();
      for (const token of tokens(text)) {
        const column = columnOfWord.get(token) ?? dims - 1;
        inText.set(column, (inText.get(column) ?? 0) + 1);
      }
      for (const [column, count] of [...inText].sort(([a], [b]) => a - b)) {
        columns.push(column);
        counts.push(count);
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

/** The rows from `lower` up to `upper`. @param {Rows} rows @param {number} lower @param {number} upper */
export function rowsBetween({ bounds, columns, counts, dims }, lower, upper) {
  const [first, last] = [bounds[lower], bounds[upper]];
  return {
    bounds: bounds.slice(lower, upper + 1).map((bound) => bound - first),
    columns: columns.slice(first, last),
    counts: counts.slice(first, last),
    dims,
  };
}

/**
 * For each element that holds one of the texts: [column, count] of the tags from itself up to the root.
 *
 * @param {PageTable} table
 * @param {number[]} places of the texts
 * @param {Map<string, number>} columnOf a tag
 * @param {number} unknown the column of other tags
 */
function tagsAbove({ elements, leaves }, places, columnOf, unknown) {
  const { tag, end } = elements;
  const wanted = elements.mask(places.map((place) => leaves[place].element));
  /** @type {Map<number, [column: number, count: number][]>} */
  const above = new Map();
  const counts = new Int32Array(unknown + 1);
  /** @type {number[]} */
  const open = [];
  for (let row = 0; row < tag.length; row++) {
    for (let last; (last = open.at(-1)) !== undefined && end[last] <= row; open.pop()) {
      counts[columnOf.get(tag[last]) ?? unknown]--;
    }
    open.push(row);
    counts[columnOf.get(tag[row]) ?? unknown]++;
    if (!wanted[row]) continue;
    /** @type {[number, number][]} */
    const entries = [];
    counts.forEach((count, column) => count && entries.push([column, count]));
    above.set(row, entries);
  }
  return above;
}
