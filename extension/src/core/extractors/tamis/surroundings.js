// What a row's place on the page says: headings before it, rows like it, and sums over the rows before it (PageRows of
// src/tamis/extractor/runs.py).

import { HEADINGS, lookup, OTHER } from "../../tags.js";

// A row of so many words, of which few are links, is prose and no teaser.
const PROSE_WORDS = 15;
const PROSE_LINKS = 0.35;

// Where there is no heading before a row, it counts as so many rows before the first.
const NO_HEADING = -50;

const IS_HEADING = lookup(...HEADINGS);

/** For each row: 1 where its block-level element is a heading. */
export const isHeading = ({ elements }, element) => Uint8Array.from(element, (row) => IS_HEADING[elements.code[row]]);

/** For each row: the last heading up to it, itself included. */
export function lastHeading(headings) {
  let last = NO_HEADING;
  return Int32Array.from(headings, (is, row) => (last = is ? row : last));
}

/**
 * For each row: how many rows there are with its tag and depth, itself included, and their words.
 *
 * @returns {{rows: number, words: number, linked: number}[]}
 */
export function alike({ elements }, element, { words, linked }) {
  const groups = new Map();
  return Array.from(element, (at, row) => {
    const key = elements.depth[at] * (OTHER + 1) + elements.code[at];
    if (!groups.has(key)) groups.set(key, { rows: 0, words: 0, linked: 0 });
    const group = groups.get(key);
    group.rows++;
    group.words += words[row];
    group.linked += linked[row];
    return group;
  });
}

/**
 * @typedef {object} Running sums over the rows before each row, and at the end over all of them
 * @property {Float64Array} words
 * @property {Float64Array} linked words in links
 * @property {Float64Array} prose words of rows that are prose
 * @property {Float64Array} sentences marks that end one
 * @property {Float64Array} headings
 */

/**
 * @param {import("./texts.js").Texts} texts
 * @param {Uint8Array} headings 1 where a row is one
 * @returns {Running}
 */
export function running({ words, linked, sentenceEnds }, headings) {
  const isProse = (row) => words[row] >= PROSE_WORDS && linked[row] < PROSE_LINKS * words[row];
  return {
    words: sumsBefore(words),
    linked: sumsBefore(linked),
    prose: sumsBefore(words.map((number, row) => (isProse(row) ? number : 0))),
    sentences: sumsBefore(sentenceEnds),
    headings: sumsBefore(headings),
  };
}

/** The sum of the values before each place, and of all of them at the end. */
export function sumsBefore(values) {
  const sums = new Float64Array(values.length + 1);
  for (let at = 0; at < values.length; at++) sums[at + 1] = sums[at] + values[at];
  return sums;
}
