// Boilerplate Removal using a Neural Sequence Labeling Model (Leonhardt, Anand, Khosla; WWW 2020 Companion), as in
// tamis_papers/boilernet/extractor.py: each visible text becomes a row of counts, and LSTMs over the rows give each
// the probability of being content.

/** @import {Extractor} from "../index.js" */
/** @import {Rows} from "./counts.js" */
/** @import {Models} from "./network.js" */

import { CoreError } from "../../errors.js";
import { fromTextScores, THRESHOLD } from "../../labels.js";
import { Pace } from "../../pace.js";
import { countLeaves, rowsBetween } from "./counts.js";
import { readConfig, scoreRows } from "./network.js";

// A page of up to this many texts is one window. Shorter windows change the result: the network remembers further than
// any context (tamis_papers/boilernet/README.md).
const WINDOW = 8_192;
// The windows of a longer page overlap: each reads this many texts before and after those that it labels.
const CONTEXT = 512;

/** The extractor with the weights of this name. @param {string} name @returns {Extractor["run"]} */
export const boilernet = (name) => async (table, { signal, progress, models }) => {
  if (!models) throw new CoreError("model", `${name} needs models`);
  const pace = new Pace({ signal, progress });
  const { vocabulary, threshold } = await readConfig(name, models);
  const rows = await countLeaves(table, vocabulary, pace);
  const found = await probabilities(name, rows, models, pace);
  const scores = new Float64Array(table.leaves.length);
  rows.leaves.forEach((leaf, place) => (scores[leaf] = centred(found[place], threshold)));
  return fromTextScores(table, scores);
};

/**
 * For each row the probability of being content.
 *
 * @param {string} name
 * @param {Rows} rows
 * @param {Models} models
 * @param {Pace} pace
 */
async function probabilities(name, rows, models, pace) {
  const found = new Float32Array(rows.leaves.length);
  for (const [lower, first, last, upper] of windows(found.length)) {
    await pace.rest(0.5 + (0.5 * first) / found.length);
    const given = rowsBetween(rows, lower, upper);
    const part = await (models.score ? models.score(name, given) : scoreRows(name, given, models));
    if (part.length !== upper - lower) throw new CoreError("model", `${name} scored ${part.length} texts`);
    found.set(part.subarray(first - lower, last - lower), first);
  }
  return found;
}

/**
 * The windows of a page, each with four places: where reading begins, where labelling begins, where labelling ends,
 * where reading ends.
 *
 * @param {number} texts how many the page has
 * @returns {[lower: number, first: number, last: number, upper: number][]}
 */
export function windows(texts) {
  if (texts <= WINDOW) return texts ? [[0, 0, texts, texts]] : [];
  const step = WINDOW - 2 * CONTEXT;
  /** @type {[number, number, number, number][]} */
  const found = [];
  for (let first = 0; first < texts; first += step) {
    const last = Math.min(first + step, texts);
    found.push([Math.max(first - CONTEXT, 0), first, last, Math.min(first + step + CONTEXT, texts)]);
  }
  return found;
}

/**
 * A probability as a score: 0 and 1 stay, the threshold becomes THRESHOLD, and the rest is linear.
 *
 * @param {number} probability
 * @param {number} threshold
 */
export function centred(probability, threshold) {
  // Rounding must not carry a score across the threshold.
  if (probability < threshold) return Math.min(probability * (THRESHOLD / threshold), THRESHOLD - 2 ** -54);
  return Math.max(1 - (1 - probability) * ((1 - THRESHOLD) / (1 - threshold)), THRESHOLD);
}
