// Lists, tables, quotations, code and figures stay or go whole; in the flow of kept text they stay: see
// src/tamis/extractor/structures.py. Sums are differences of running sums, as there.

/** @import {Pace} from "../../pace.js" */
/** @import {PageRuns} from "./runs.js" */

import { folded } from "../../characters.js";
import { STEPS } from "../../pace.js";
import { HEADINGS, lookup } from "../../tags.js";
import { DROPPED_LOGIT } from "./copies.js";

const MOST_WORDS = 500;
const MOST_FILLED_WORDS = 100;
export const MOST_LINKED = 0.4;
const MOST_FORMULA_WORDS = 30;

const IS_TABLE = lookup("table");
const IS_ROW = lookup("tr");
const IS_STRUCTURE = lookup("ul", "ol", "dl", "table", "blockquote", "pre", "listing", "xmp", "figure");
const IS_HEADING = lookup(...[...HEADINGS].slice(1));
const FORMULA = /[=≈≠≤≥∑∫√]|\\[a-zA-Z]|\$\$/;

/** @typedef {{row: number, first: number, last: number}} Part an element, its first run and the run after its last */

/**
 * A structure that is kept in part is kept or dropped by the mean logit of its runs, weighted by words. What would be
 * dropped, but is between two kept runs of the same parent, stays, too. What was dropped before never comes back.
 *
 * @param {PageRuns} runs
 * @param {Float32Array} logits one a run
 * @param {number} threshold
 * @param {Pace} pace
 * @returns {Promise<Float32Array>}
 */
export async function withWholeStructures(runs, logits, threshold, pace) {
  if (!logits.some((logit) => logit >= threshold)) return logits;
  const parts = partsOf(runs, IS_STRUCTURE);
  const keptBefore = running(logits.length, (run) => (logits[run] >= threshold ? 1 : 0));
  const torn = parts.filter((part) => {
    const kept = sum(keptBefore, part);
    return kept > 0 && kept < part.last - part.first;
  });
  const whole = levelled(runs, outermost(runs, torn), logits);
  if (pace.due) await pace.rest(1);
  const isKept = whole.map((logit) => (logit >= threshold ? 1 : 0));
  return filled(runs, filled(runs, whole, isKept, parts), isKept, await singleRuns(runs, isKept, pace));
}

/** All elements of these tags with text. @param {PageRuns} runs @param {Uint8Array} isTag @returns {Part[]} */
export function partsOf({ table, index }, isTag) {
  const { elements, leaves } = table;
  const held = elements.sums(counted(index.element, elements.length));
  /** @type {Part[]} */
  const parts = [];
  let first = 0;
  elements.code.forEach((code, row) => {
    if (!isTag[code] || !held[row]) return;
    while (leaves[index.begins[first]].opened < row) first++;
    parts.push({ row, first, last: first + held[row] });
  });
  return parts;
}

/** How many runs each element has of its own. @param {Int32Array} rows @param {number} length */
function counted(rows, length) {
  const found = new Float64Array(length);
  for (const row of rows) found[row]++;
  return found;
}

/**
 * The outermost of those that are neither large nor tables that arrange a page, and have no buttons.
 *
 * @param {PageRuns} runs
 * @param {Part[]} parts
 */
function outermost(runs, parts) {
  if (!parts.length) return parts;
  const { elements } = runs.table;
  const words = running(runs.length, (run) => runs.texts.words[run]);
  const fields = running(runs.length, (run) => (runs.inField(run) ? 1 : 0));
  const tables = elements.sums(elements.coded(IS_TABLE));
  const lines = elements.sums(elements.coded(IS_ROW));
  let done = 0;
  return parts.filter((part) => {
    const { row } = part;
    if (row < done || sum(words, part) > MOST_WORDS || sum(fields, part)) return false;
    if (IS_TABLE[elements.code[row]] && (tables[row] > 1 || lines[row] < 2)) return false;
    done = elements.end[row];
    return true;
  });
}

/**
 * Each run of a structure with the mean logit of all of them but the dropped ones.
 *
 * @param {PageRuns} runs
 * @param {Part[]} parts
 * @param {Float32Array} logits
 */
function levelled(runs, parts, logits) {
  if (!parts.length) return logits;
  const weight = logits.map((logit) => (logit > DROPPED_LOGIT ? 1 : 0));
  const weights = running(runs.length, (run) => runs.texts.words[run] * weight[run]);
  const weighted = running(runs.length, (run) => runs.texts.words[run] * weight[run] * logits[run]);
  const changed = Float32Array.from(logits);
  for (const part of parts) {
    const mean = sum(weighted, part) / Math.max(sum(weights, part), 1e-9);
    for (let run = part.first; run < part.last; run++) if (weight[run]) changed[run] = mean;
  }
  return changed;
}

/**
 * Headings and formulas between two kept runs.
 *
 * @param {PageRuns} runs
 * @param {Float32Array} isKept
 * @param {Pace} pace
 */
async function singleRuns(runs, isKept, pace) {
  /** @type {Part[]} */
  const parts = [];
  for (let run = 1; run + 1 < isKept.length; run++) {
    if (run % STEPS === 0 && pace.due) await pace.rest(1);
    if (isKept[run] || !isKept[run - 1] || !isKept[run + 1] || runs.texts.words[run] > MOST_FORMULA_WORDS) continue;
    const row = runs.index.element[run];
    if (IS_HEADING[runs.table.elements.code[row]] || FORMULA.test(folded(runs.leafTexts(run).join(" ")))) {
      parts.push({ row, first: run, last: run + 1 });
    }
  }
  return parts;
}

/**
 * Parts of which nothing is kept, as sure as the less sure of their neighbours if both are kept in one parent.
 *
 * @param {PageRuns} runs
 * @param {Float32Array} logits
 * @param {Float32Array} isKept
 * @param {Part[]} parts
 */
function filled(runs, logits, isKept, parts) {
  const between = parts.filter(({ first, last }) => isKept[first - 1] && !isKept[first] && isKept[last]);
  if (!between.length) return logits;
  const { elements } = runs.table;
  const { element } = runs.index;
  const words = running(runs.length, (run) => runs.texts.words[run]);
  const linked = running(runs.length, (run) => runs.texts.words[run] * runs.linkedShare(run));
  const changed = Float32Array.from(logits);
  for (const part of between) {
    const { row, first, last } = part;
    const parent = elements.parent[row];
    const size = sum(words, part);
    if (element[first - 1] < parent || element[last] < parent || element[last] >= elements.end[parent]) continue;
    if (size > MOST_FILLED_WORDS) continue;
    if (logits.subarray(first, last).some((logit) => logit <= DROPPED_LOGIT)) continue;
    if (sum(linked, part) >= MOST_LINKED * Math.max(size, 1)) continue;
    changed.fill(Math.min(logits[first - 1], logits[last]), first, last);
  }
  return changed;
}

/** (runs + 1): the sum before each run. @param {number} length @param {(run: number) => number} value */
export function running(length, value) {
  const sums = new Float64Array(length + 1);
  for (let run = 0; run < length; run++) sums[run + 1] = sums[run] + value(run);
  return sums;
}

/** @param {Float64Array} sums @param {Part} part */
export const sum = (sums, { first, last }) => sums[last] - sums[first];
