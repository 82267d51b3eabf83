// Tables that are kept in part: `_complete_tables` of src/tamis/extractor/tamis.py.

/** @import {PageRuns} from "./runs.js" */

import { lookup } from "../../tags.js";
import { DROPPED_LOGIT } from "./copies.js";

// Larger tables arrange a page. Of a smaller one a tenth of the words has to be kept before the rest is.
const SMALL_TABLE = 300;
const KEPT_SHARE = 0.1;

const IS_TABLE = lookup("table");
const IS_HEADER_CELL = lookup("th");

/**
 * A part of a table makes no sense alone: a small table with header cells of which a part is kept is kept whole.
 *
 * @param {PageRuns} runs
 * @param {Float32Array} logits one a run
 * @param {number} threshold
 * @returns {Float32Array}
 */
export function withWholeTables(runs, logits, threshold) {
  const { elements } = runs.table;
  const tableOf = elements.nearest(elements.coded(IS_TABLE));
  /** @type {Map<number, {words: number, kept: number, lowest: number}>} */
  const tables = new Map();
  runs.index.element.forEach((element, run) => {
    const table = tableOf[element];
    if (table < 0) return;
    const seen = tables.get(table) ?? { words: 0, kept: 0, lowest: Infinity };
    tables.set(table, seen);
    seen.words += runs.texts.words[run];
    if (logits[run] < threshold) return;
    seen.kept += runs.texts.words[run];
    seen.lowest = Math.min(seen.lowest, logits[run]);
  });
  if (![...tables.values()].some(({ kept }) => kept)) return logits;
  const headers = elements.sums(elements.coded(IS_HEADER_CELL));
  return logits.map((logit, run) => {
    const table = tableOf[runs.index.element[run]];
    const seen = tables.get(table);
    if (!seen || logit >= threshold || logit <= DROPPED_LOGIT || !headers[table]) return logit;
    const isWhole = seen.kept > 0 && seen.words <= SMALL_TABLE && seen.kept >= KEPT_SHARE * seen.words;
    return isWhole ? seen.lowest : logit;
  });
}
