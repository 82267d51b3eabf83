// Counts over the text of each run: RunTexts of src/tamis/extractor/run_texts.py.

/** @import {Pace} from "../../pace.js" */
/** @import {PageTable} from "../../page/table.js" */
/** @import {RunIndex} from "./runs.js" */

import { countWords, length, spaceAt, stripped } from "../../characters.js";
import { STEPS } from "../../pace.js";

// Characters that are counted in each run, by meaning; full-width forms mean the same.
const MARKS = /** @type {const} */ ([
  ["digits", "0123456789"],
  ["capitals", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"],
  ["sentenceEnds", ".!?。！？…"],
  ["commas", ",;，；、"],
  ["separators", "|/›»>·•:-–—"],
  ["quotes", '"“”()'],
]);
const FINAL = new Set('.!?。！？”"’…)');

// A shorter text is in a title by chance.
const TITLE_LETTERS = 4;

/** Characters of a text between two checks of the clock. */
export const LONG = 50_000;
// The share of this part in the progress of the extractor.
const SHARE = 0.4;

// From UTF-16 units to the place of the mark in MARKS, counted from 1; no mark is beyond U+FFFF.
const MARK = new Uint8Array(0x10000);
MARKS.forEach(([, marks], kind) => {
  for (const mark of marks) MARK[mark.charCodeAt(0)] = kind + 1;
});

/**
 * @typedef {object} RunTexts one entry a run
 * @property {Float64Array} words
 * @property {Float64Array} linked words in links
 * @property {Float64Array} characters
 * @property {Float64Array} count texts
 * @property {Float64Array} digits
 * @property {Float64Array} capitals
 * @property {Float64Array} sentenceEnds
 * @property {Float64Array} commas
 * @property {Float64Array} separators
 * @property {Float64Array} quotes
 * @property {Uint8Array} isFinal 1 if it ends as a sentence does
 * @property {Uint8Array} inTitle 1 if its first text is a part of the page's title
 * @property {Float64Array} repeated how many other runs begin with the same text
 * @property {string[]} begin the first text of each, without white space around it
 */

/**
 * @param {PageTable} table
 * @param {RunIndex} index
 * @param {Pace} pace
 * @returns {Promise<RunTexts>}
 */
export async function countTexts(table, { readable, runOf, begins }, pace) {
  const runs = begins.length;
  const counts = () => new Float64Array(runs);
  const found = {
    words: counts(),
    linked: counts(),
    characters: counts(),
    count: counts(),
    digits: counts(),
    capitals: counts(),
    sentenceEnds: counts(),
    commas: counts(),
    separators: counts(),
    quotes: counts(),
  };
  const marks = MARKS.map(([name]) => found[name]);
  const isFinal = new Uint8Array(runs);
  const inTitle = new Uint8Array(runs);
  /** @type {string[]} */
  const begin = new Array(runs);
  /** @type {Map<string, number>} */
  const often = new Map(); // how many runs begin with a text
  for (let at = 0; at < readable.length; at++) {
    const { text, inLink } = table.leaves[readable[at]];
    const run = runOf[at];
    for (const piece of piecesOf(text)) {
      if ((at % STEPS === 0 || piece.length >= LONG) && pace.due) await pace.rest((SHARE * at) / readable.length);
      const words = countWords(piece);
      found.words[run] += words;
      if (inLink) found.linked[run] += words;
      found.characters[run] += length(piece);
      countMarks(piece, marks, run);
    }
    if (found.count[run]++ === 0) {
      const opening = stripped(text);
      begin[run] = opening;
      often.set(opening, (often.get(opening) ?? 0) + 1);
      inTitle[run] = length(opening) >= TITLE_LETTERS && table.title.includes(opening) ? 1 : 0;
    }
    if (runOf[at + 1] !== run) isFinal[run] = FINAL.has(stripped(text).at(-1) ?? "") ? 1 : 0;
  }
  const repeated = Float64Array.from(begin, (opening) => Number(often.get(opening)) - 1);
  return { ...found, isFinal, inTitle, repeated, begin };
}

/** A long text in pieces that begin at white space, so that the caller can rest in between. @param {string} text */
export function* piecesOf(text) {
  let from = 0;
  while (text.length - from > LONG) {
    let to = from + LONG;
    while (to < text.length && !spaceAt(text, to)) to++;
    yield text.slice(from, to);
    from = to;
  }
  yield from ? text.slice(from) : text;
}

/** @param {string} text @param {Float64Array[]} marks @param {number} run */
function countMarks(text, marks, run) {
  for (let at = 0; at < text.length; at++) {
    const kind = MARK[text.charCodeAt(at)];
    if (kind) marks[kind - 1][run]++;
  }
}
