// Data tables beside kept text stay, and stay whole, whatever their size: see src/tamis/extractor/data_tables.py.

/** @import {PageRuns} from "./runs.js" */
/** @import {Part} from "./structures.js" */

import { lookup } from "../../tags.js";
import { DROPPED_LOGIT } from "./copies.js";
import { MOST_LINKED, partsOf, running, sum } from "./structures.js";

const LEAST_ROWS = 3;
const LEAST_CELLS = 2;
const NEAR = 3;

const IS_TABLE = lookup("table");
const IS_ROW = lookup("tr");
const IS_HEADER = lookup("th");
const IS_CELL = lookup("td", "th");
const ARRANGES = lookup("table", "form", "h1");

/**
 * Data tables are kept of which half of the runs are kept, or the text beside them: the run before and the run after.
 * One of them is enough if it is near: the one before, or the one after if the table has header cells. What was
 * dropped before stays so, but for comments.
 *
 * @param {PageRuns} runs
 * @param {Float32Array} logits one a run
 * @param {Uint8Array} isComment
 * @param {number} threshold
 */
export function withDataTables(runs, logits, isComment, threshold) {
  if (!runs.table.elements.has("table")) return logits;
  const isKept = logits.map((logit) => (logit >= threshold ? 1 : 0));
  const kept = running(runs.length, (run) => isKept[run]);
  const wanted = partsOf(runs, IS_TABLE).filter((part) => {
    const { first, last } = part;
    const count = sum(kept, part);
    return (isKept[first - 1] || isKept[last] || count > 0) && count < last - first;
  });
  const tables = dataTables(runs, wanted, isComment);
  if (!tables.length) return logits;
  const sure = running(runs.length, (run) => logits[run] * isKept[run]);
  const changed = Float32Array.from(logits);
  for (const table of tables) {
    const { first, last } = table;
    const count = sum(kept, table);
    const isHalf = 2 * count >= last - first;
    const level = Math.fround(isHalf ? sum(sure, table) / count : levelBeside(runs, table, logits, isKept));
    if (!(level >= threshold)) continue;
    for (let run = first; run < last; run++) if (logits[run] > DROPPED_LOGIT || isComment[run]) changed[run] = level;
  }
  return changed;
}

/** @typedef {Part & {hasHeader: boolean}} DataTable */

/**
 * Those that show data: none that arrange a page, nor calendars and the like beside it, nor a reader's comment. A table
 * of links has header cells if it is no menu.
 *
 * @param {PageRuns} runs
 * @param {Part[]} tables
 * @param {Uint8Array} isComment
 * @returns {DataTable[]}
 */
function dataTables(runs, tables, isComment) {
  if (!tables.length) return [];
  const { elements } = runs.table;
  const [lines, cells, headers, arranging] = [IS_ROW, IS_CELL, IS_HEADER, ARRANGES].map((is) =>
    elements.sums(elements.coded(is)),
  );
  const words = running(runs.length, (run) => runs.texts.words[run]);
  const linked = running(runs.length, (run) => runs.texts.words[run] * runs.linkedShare(run));
  const aside = running(runs.length, (run) => (runs.isAside(run) ? 1 : 0));
  const comments = running(runs.length, (run) => isComment[run]);
  return tables
    .map((table) => ({ ...table, hasHeader: headers[table.row] > 0 }))
    .filter((table) => {
      const { row, first, last, hasHeader } = table;
      if (lines[row] < LEAST_ROWS || cells[row] < LEAST_CELLS * lines[row] || arranging[row] !== 1) return false;
      if (sum(aside, table) || sum(comments, table) === last - first) return false;
      return hasHeader || sum(linked, table) < MOST_LINKED * Math.max(sum(words, table), 1);
    });
}

/**
 * The surer logit of the texts beside a table that are reason to keep it.
 *
 * @param {PageRuns} runs
 * @param {DataTable} table
 * @param {Float32Array} logits
 * @param {Float32Array} isKept
 */
function levelBeside(runs, { row, first, last, hasHeader }, logits, isKept) {
  const { elements } = runs.table;
  const { element } = runs.index;
  let above = row;
  for (let level = 0; level < NEAR; level++) above = Math.max(elements.parent[above], 0);
  const both = isKept[first - 1] && isKept[last];
  const isNear = element[last] >= above && element[last] < elements.end[above];
  const before = isKept[first - 1] && (both || element[first - 1] >= above) ? logits[first - 1] : -Infinity;
  const after = isKept[last] && (both || (hasHeader && isNear)) ? logits[last] : -Infinity;
  return Math.max(before, after);
}
