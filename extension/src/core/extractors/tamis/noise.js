// Short lines that are no content wherever they are (src/tamis/extractor/noise.py). The table is Python's own file.

/** @import {Pace} from "../../pace.js" */
/** @import {PageRuns} from "./runs.js" */

import table from "../../../../../src/tamis/extractor/noise.json" with { type: "json" };
import { first, folded, split } from "../../characters.js";
import { STEPS } from "../../pace.js";
import { DROPPED_LOGIT } from "./copies.js";

// Listings and threads count comments and views of what they list.
const COUNTING_TYPES = ["listing", "collection", "forum"];

const MOST_WORDS = 16;
const MOST_COUNTED_WORDS = 5;
const PROSE_WORDS = 15;

const NUMBER = /[0-9]+(?:[.,][0-9]+)*/g;
const SEPARATOR = /[|·•∙]| [-–—/] /;
const EDGE = new Set(" .:…*+»«›‹>→←-–—[]()!?,;\u200d");
const BEFORE = new Set([...EDGE, ..."|·•∙0123456789"]);
const BEGIN = 4;

const LINES = new Set(Object.values(table.lines).flat());
const COUNTERS = new Set(table.counters.map(trimmed));
const LABELS = Object.values(table.labels).flat();
const BEGINS = new Set(
  [...LINES, ...COUNTERS, ...LABELS].flatMap((line) =>
    Array.from({ length: BEGIN }, (_, end) => first(beginOf(line), end + 1)),
  ),
);

/**
 * Drop kept runs that are noise.
 *
 * @param {PageRuns} runs
 * @param {Float32Array} logits one a run
 * @param {string} pageType
 * @param {number} threshold
 * @param {Pace} pace
 * @returns {Promise<Float32Array>}
 */
export async function withoutNoise(runs, logits, pageType, threshold, pace) {
  const { words, begin, digits } = runs.texts;
  const changed = Float32Array.from(logits);
  const prose = logits.findIndex((logit, run) => logit >= threshold && words[run] >= PROSE_WORDS);
  const top = pageType === "article" ? prose : 0; // above it names may stand before counters
  for (let run = 0; run < logits.length; run++) {
    if (run % STEPS === 0 && pace.due) await pace.rest(1);
    if (logits[run] < threshold || words[run] > MOST_WORDS || runs.inCode(run)) continue;
    const isCandidate = (run < top && digits[run] > 0) || BEGINS.has(beginOf(begin[run]));
    if (isCandidate && isNoise(runs.leafTexts(run), pageType)) changed[run] = DROPPED_LOGIT;
  }
  return changed;
}

/** @param {string} text */
function beginOf(text) {
  let from = 0;
  while (BEFORE.has(text[from])) from++;
  return first(text.slice(from, from + 2 * BEGIN), BEGIN).toLowerCase();
}

/** Without marks at both ends. @param {string} text */
function trimmed(text) {
  let from = 0;
  let end = text.length;
  while (from < end && EDGE.has(text[from])) from++;
  while (end > from && EDGE.has(text[end - 1])) end--;
  return text.slice(from, end);
}

/**
 * Is a short run of these texts noise? They are tried as one line, and as parts.
 *
 * @param {string[]} texts
 * @param {string} pageType
 */
function isNoise(texts, pageType) {
  return isLine(texts.join(" "), pageType) || (texts.length > 1 && isLine(texts.join("|"), pageType));
}

/** @param {string} text @param {string} pageType */
function isLine(text, pageType) {
  const line = folded(text.toLowerCase()).replace(NUMBER, "0");
  const parts = line.split(SEPARATOR).map(trimmed).filter(Boolean);
  if (!COUNTING_TYPES.includes(pageType) && parts.some((part) => COUNTERS.has(part))) {
    return parts.every((part) => COUNTERS.has(part) || split(part).length <= MOST_COUNTED_WORDS);
  }
  const whole = trimmed(line);
  if (LABELS.some((label) => whole.startsWith(label))) return true;
  return parts.length > 0 && parts.every((part) => LINES.has(part));
}
