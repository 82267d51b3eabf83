// Tables of which a part stays: `_complete_tables` of src/tamis/extractor/tamis.py.

import { lookup } from "../../tags.js";
import { SURELY_NOT } from "./copies.js";

// Tables of more words are pages; of smaller ones a tenth has to stay before the rest does.
const SMALL_TABLE = 300;
const PART_OF_TABLE = 0.1;

const IS_TABLE = lookup("table");
const IS_HEADER_CELL = lookup("th");

/**
 * Half a table says nothing: a small one with header cells, a part of which stays, stays whole.
 *
 * @param {import("./rows.js").PageRows} rows
 * @param {Float32Array} logits one a row
 * @param {number} threshold
 * @returns {Float32Array}
 */
export function withWholeTables(rows, logits, threshold) {
  const { elements } = rows.table;
  const tableOf = elements.nearest(Uint8Array.from(elements.code, (code) => IS_TABLE[code]));
  const found = new Map();
  rows.runs.element.forEach((element, row) => {
    const table = tableOf[element];
    if (table < 0) return;
    if (!found.has(table)) found.set(table, { words: 0, kept: 0, lowest: Infinity });
    const seen = found.get(table);
    seen.words += rows.texts.words[row];
    if (logits[row] < threshold) return;
    seen.kept += rows.texts.words[row];
    seen.lowest = Math.min(seen.lowest, logits[row]);
  });
  if (![...found.values()].some(({ kept }) => kept)) return logits;
  const headers = elements.sums(Uint8Array.from(elements.code, (code) => IS_HEADER_CELL[code]));
  return logits.map((logit, row) => {
    const table = tableOf[rows.runs.element[row]];
    const seen = table < 0 ? undefined : found.get(table);
    if (!seen || logit >= threshold || logit <= SURELY_NOT || !headers[table]) return logit;
    const isWhole = seen.kept > 0 && seen.words <= SMALL_TABLE && seen.kept >= PART_OF_TABLE * seen.words;
    return isWhole ? seen.lowest : logit;
  });
}
