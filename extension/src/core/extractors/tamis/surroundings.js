// Where a run stands on the page: the headings before it, the runs like it, and sums over the runs before it (PageRuns
// of src/tamis/extractor/runs.py).

/** @import {PageTable} from "../../page/table.js" */
/** @import {RunTexts} from "./run_texts.js" */

import { HEADINGS, lookup, OTHER } from "../../tags.js";

// A run of at least so many words, of which few are links, is prose and not a teaser.
const PROSE_WORDS = 15;
const PROSE_LINKS = 0.35;

// The place of the last heading where there is none before a run.
const NO_HEADING = -50;

const IS_HEADING = lookup(...HEADINGS);

/**
 * For each run: 1 if its block-level element is a heading.
 *
 * @param {PageTable} table
 * @param {Int32Array} element for each run its block-level element
 */
export const isHeading = ({ elements }, element) => Uint8Array.from(element, (row) => IS_HEADING[elements.code[row]]);

/** For each run: the last heading up to and including it. @param {Uint8Array} headings 1 if a run is one */
export function lastHeading(headings) {
  let last = NO_HEADING;
  return Int32Array.from(headings, (is, run) => (last = is ? run : last));
}

/**
 * For each run: the number of runs with its tag and depth, itself included, and the sum of their words.
 *
 * @param {PageTable} table
 * @param {Int32Array} element for each run its block-level element
 * @param {RunTexts} texts
 * @returns {{runs: number, words: number, linked: number}[]}
 */
export function alike({ elements }, element, { words, linked }) {
  const groups = new Map();
  return Array.from(element, (row, run) => {
    const key = elements.depth[row] * (OTHER + 1) + elements.code[row];
    if (!groups.has(key)) groups.set(key, { runs: 0, words: 0, linked: 0 });
    const group = groups.get(key);
    group.runs++;
    group.words += words[run];
    group.linked += linked[run];
    return group;
  });
}

/**
 * @typedef {object} RunSums sums over the runs before each run; the last entry is the sum over all of them
 * @property {Float64Array} words
 * @property {Float64Array} linked words in links
 * @property {Float64Array} prose words of runs that are prose
 * @property {Float64Array} sentences characters that end one
 * @property {Float64Array} headings
 */

/**
 * @param {RunTexts} texts
 * @param {Uint8Array} headings 1 if a run is one
 * @returns {RunSums}
 */
export function runSums({ words, linked, sentenceEnds }, headings) {
  const isProse = (/** @type {number} */ run) => words[run] >= PROSE_WORDS && linked[run] < PROSE_LINKS * words[run];
  return {
    words: sumsBefore(words),
    linked: sumsBefore(linked),
    prose: sumsBefore(words.map((number, run) => (isProse(run) ? number : 0))),
    sentences: sumsBefore(sentenceEnds),
    headings: sumsBefore(headings),
  };
}

/** The sum of the values before each place; the last entry is the sum of all. @param {ArrayLike<number>} values */
export function sumsBefore(values) {
  const sums = new Float64Array(values.length + 1);
  for (let at = 0; at < values.length; at++) sums[at + 1] = sums[at] + values[at];
  return sums;
}
