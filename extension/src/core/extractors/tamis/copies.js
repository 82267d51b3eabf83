// Runs with the same text as another run: PageRuns.copies of src/tamis/extractor/runs.py and
// src/tamis/extractor/copies.py.

/** @import {Pace} from "../../pace.js" */
/** @import {PageRuns} from "./runs.js" */

import { folded } from "../../characters.js";
import { STEPS } from "../../pace.js";
import { lookup } from "../../tags.js";
import { LONG, piecesOf } from "./run_texts.js";

// Shorter runs, and code, may repeat on purpose.
const COPY_WORDS = 8;

// The logit of what is no content whatever the network says: a comment, a text that is kept elsewhere, noise.
export const DROPPED_LOGIT = -30;

// Paragraphs, list items and cells in one of these are in the flow of the element around it.
const IS_FLOW = lookup("ul", "ol", "li", "dl", "dt", "dd", "table", "thead", "tbody", "tfoot", "tr");

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
 * Of runs with the same text the one with the highest logit may be kept, the first of equals, and those in its flow.
 * Pages repeat tables and teasers for narrow screens, and answers quote what they answer: such copies are in
 * another container.
 *
 * @param {Float32Array} logits one a run
 * @param {Int32Array} copies for each run the first run with the same text
 * @param {Int32Array} flow for each run the number of its flow
 * @returns {Float32Array}
 */
export function withoutCopies(logits, copies, flow) {
  const best = Int32Array.from(copies.keys());
  copies.forEach((one, run) => {
    if (logits[run] > logits[best[one]]) best[one] = run;
  });
  return logits.map((logit, run) => (flow[best[copies[run]]] === flow[run] ? logit : DROPPED_LOGIT));
}

/** A number for the container of each run; the folded part of a container is another one. @param {PageRuns} runs */
export function flowsOf({ table, index }) {
  const { elements, leaves } = table;
  const container = elements.nearest(elements.coded(IS_FLOW).map((is) => 1 - is));
  return index.element.map((element, run) => {
    const parent = elements.parent[element];
    return 2 * (parent < 0 ? -1 : container[parent]) + (leaves[index.begins[run]].folded ? 1 : 0);
  });
}
