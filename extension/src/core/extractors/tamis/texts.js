// Counts of the text of each row: RowTexts of src/tamis/extractor/run_texts.py.

import { countWords, length, spaceAt, stripped } from "../../characters.js";
import { STEPS } from "../../pace.js";

// Marks that are counted in each row, by what they mean; full-width forms mean the same.
const MARKS = [
  ["digits", "0123456789"],
  ["capitals", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"],
  ["sentenceEnds", ".!?。！？…"],
  ["commas", ",;，；、"],
  ["separators", "|/›»>·•:-–—"],
  ["quotes", '"“”()'],
];
const FINAL = new Set('.!?。！？”"’…)');

// A shorter text is in a title by chance.
const TITLE_LETTERS = 4;

/** Characters of a text between two looks at the clock. */
export const LONG = 50_000;
// Of all the work; what is left is for the others.
const SHARE = 0.4;

// From UTF-16 units to the number of what the mark means, from 1; no mark is beyond U+FFFF.
const MARK = new Uint8Array(0x10000);
MARKS.forEach(([, marks], kind) => {
  for (const mark of marks) MARK[mark.charCodeAt(0)] = kind + 1;
});

/**
 * @typedef {object} Texts one entry a row
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
 * @property {Uint8Array} isFinal does it end as a sentence does?
 * @property {Uint8Array} inTitle is its first text a part of the page's title?
 * @property {Float64Array} repeated how many other rows begin with the same text
 * @property {string[]} begin the first text of each, without white space around it
 */

/**
 * @param {import("../../page/table.js").PageTable} table
 * @param {import("./rows.js").Runs} runs
 * @param {import("../../pace.js").Pace} pace
 * @returns {Promise<Texts>}
 */
export async function countTexts(table, { readable, rowOf, begins }, pace) {
  const rows = begins.length;
  const names = ["words", "linked", "characters", "count", ...MARKS.map(([name]) => name)];
  const found = Object.fromEntries(names.map((name) => [name, new Float64Array(rows)]));
  const marks = MARKS.map(([name]) => found[name]);
  const isFinal = new Uint8Array(rows);
  const inTitle = new Uint8Array(rows);
  const begin = new Array(rows);
  const often = new Map(); // how many rows begin with a text
  for (let at = 0; at < readable.length; at++) {
    const { text, inLink } = table.leaves[readable[at]];
    const row = rowOf[at];
    for (const piece of piecesOf(text)) {
      if ((at % STEPS === 0 || piece.length >= LONG) && pace.due) await pace.rest((SHARE * at) / readable.length);
      const words = countWords(piece);
      found.words[row] += words;
      if (inLink) found.linked[row] += words;
      found.characters[row] += length(piece);
      countMarks(piece, marks, row);
    }
    if (found.count[row]++ === 0) {
      const opening = stripped(text);
      begin[row] = opening;
      often.set(opening, (often.get(opening) ?? 0) + 1);
      inTitle[row] = length(opening) >= TITLE_LETTERS && table.title.includes(opening) ? 1 : 0;
    }
    if (rowOf[at + 1] !== row) isFinal[row] = FINAL.has(stripped(text).at(-1)) ? 1 : 0;
  }
  const repeated = Float64Array.from(begin, (opening) => often.get(opening) - 1);
  return { ...found, isFinal, inTitle, repeated, begin };
}

/** A text in pieces that begin at white space, where it is so long that counting all of it takes its time. */
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

function countMarks(text, marks, row) {
  for (let at = 0; at < text.length; at++) {
    const kind = MARK[text.charCodeAt(at)];
    if (kind) marks[kind - 1][row]++;
  }
}
