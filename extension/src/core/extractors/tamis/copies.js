// Runs with the same text as another run: PageRuns.copies of src/tamis/extractor/runs.py and `_drop_copies` of
// src/tamis/extractor/tamis.py.

/** @import {Pace} from "../../pace.js" */
/** @import {PageRuns} from "./runs.js" */

import { folded } from "../../characters.js";
import { STEPS } from "../../pace.js";
import { LONG, piecesOf } from "./run_texts.js";

// Shorter runs, and code, may repeat on purpose.
const COPY_WORDS = 8;

// The logit of what is no content whatever the network says: a text that is kept elsewhere, a comment.
export const DROPPED_LOGIT = -30;

/**
 * For each run the first run with the same text, mostly itself. Short runs and code have no copies.
 *
 * @param {PageRuns} runs
 * @param {Pace} pace
 */
export async function copiesOf(runs, pace) {
  const { table, index, texts } = runs;
  const found = Int32Array.from(texts.repeated, (_, run) => run);
  /** @type {Map<string, number>} */
  const firsts = new Map();
  /** @type {string[]} */
  let parts = []; // of the present run
  for (let at = 0; at < index.readable.length; at++) {
    if (at % STEPS === 0 && pace.due) await pace.rest(1);
    const run = index.runOf[at];
    if (!texts.repeated[run] || texts.words[run] < COPY_WORDS || runs.inCode(run)) continue;
    for (const piece of piecesOf(table.leaves[index.readable[at]].text)) {
      if (piece.length >= LONG && pace.due) await pace.rest(1);
      parts.push(folded(piece));
    }
    if (index.runOf[at + 1] === run) continue;
    const text = parts.filter(Boolean).join(" ");
    parts = [];
    found[run] = firsts.get(text) ?? run;
    if (found[run] === run) firsts.set(text, run);
  }
  return found;
}

/**
 * Of runs with the same text only the one with the highest logit may be kept, the first of equals. Pages repeat tables
 * and teasers for narrow screens, and answers quote what they answer.
 *
 * @param {Float32Array} logits one a run
 * @param {Int32Array} copies for each run the first run with the same text
 * @returns {Float32Array}
 */
export function withoutCopies(logits, copies) {
  const best = Int32Array.from(copies.keys());
  copies.forEach((one, run) => {
    if (logits[run] > logits[best[one]]) best[one] = run;
  });
  return logits.map((logit, run) => (best[copies[run]] === run ? logit : DROPPED_LOGIT));
}
