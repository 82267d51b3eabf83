// Rows that say the same as another one: PageRows.copies of src/tamis/extractor/runs.py and `_drop_copies` of
// src/tamis/extractor/tamis.py.

import { folded } from "../../characters.js";
import { STEPS } from "../../pace.js";
import { LONG, piecesOf } from "./texts.js";

// Shorter rows, and code, may say the same twice and mean it.
const COPY_WORDS = 8;

// The logit of a text that stays elsewhere on the page.
export const SURELY_NOT = -30;

/**
 * For each row the first one with the same text, mostly itself; rows that are short or code have no copies.
 *
 * @param {import("./rows.js").PageRows} rows
 * @param {import("../../pace.js").Pace} pace
 */
export async function copiesOf(rows, pace) {
  const { table, runs, texts } = rows;
  const found = Int32Array.from(texts.repeated, (_, row) => row);
  const firsts = new Map();
  let parts = []; // of the row so far
  for (let at = 0; at < runs.readable.length; at++) {
    if (at % STEPS === 0 && pace.due) await pace.rest(1);
    const row = runs.rowOf[at];
    if (!texts.repeated[row] || texts.words[row] < COPY_WORDS || rows.inCode(row)) continue;
    for (const piece of piecesOf(table.leaves[runs.readable[at]].text)) {
      if (piece.length >= LONG && pace.due) await pace.rest(1);
      parts.push(folded(piece));
    }
    if (runs.rowOf[at + 1] === row) continue;
    const text = parts.filter(Boolean).join(" ");
    parts = [];
    if (!firsts.has(text)) firsts.set(text, row);
    found[row] = firsts.get(text);
  }
  return found;
}

/**
 * Of rows with the same text only the likeliest may stay, the first of equals. Pages hold tables and teasers a second
 * time for narrow screens, and answers quote what they answer.
 *
 * @param {Float32Array} logits one a row
 * @param {Int32Array} copies for each row the first one with the same text
 * @returns {Float32Array}
 */
export function withoutCopies(logits, copies) {
  const best = Int32Array.from(copies.keys());
  copies.forEach((one, row) => {
    if (logits[row] > logits[best[one]]) best[one] = row;
  });
  return logits.map((logit, row) => (best[copies[row]] === row ? logit : SURELY_NOT));
}
