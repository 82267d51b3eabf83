// The default extractor: a network over the runs of a page, conditioned on the page, as in
// src/tamis/extractor/tamis.py.
//
// Content that an attribute folds away (closed tabs, collapsed sections) is read too, although only what is on the
// screen can be highlighted. Content that style sheets hide is not read: see PageTable.unfolded. For a shell, Python
// also looks into the data of the page. That is left out here, because in a browser the page's script has run.

/** @import {Labels, Role} from "../../labels.js" */
/** @import {PageTable} from "../../page/table.js" */
/** @import {Options} from "../index.js" */
/** @import {PageRuns} from "./runs.js" */

import { CoreError } from "../../errors.js";
import { fromTextScores } from "../../labels.js";
import { Pace } from "../../pace.js";
import { HEADINGS, lookup } from "../../tags.js";
import { LEVELS, OUTPUTS, PAGE_TYPES } from "./columns.js";
import { copiesOf, flowsOf, withoutCopies } from "./copies.js";
import { runNetwork } from "./network.js";
import { withoutNoise } from "./noise.js";
import { readRuns } from "./runs.js";
import { withWholeStructures } from "./structures.js";
import { weightsOf } from "./weights.js";

const IS_HEADING = lookup(...HEADINGS);
const IS_H1 = lookup("h1");

// The lowest logits of a comment and of a teaser.
export const COMMENT_THRESHOLD = -0.25;
export const RELATED_THRESHOLD = -0.25;

// A page of fewer words has no content if only links, controls, folded texts and noscript texts would be kept.
const SMALL_PAGE = 150;

// Pages of other types have more content: for them the threshold is lower by this much, in logits.
export const STRICT_TYPES = ["article", "forum"];
export const LOWERED_BY = 0.4;

// Beyond this logit a probability is as good as 0 or 1.
const LARGEST_LOGIT = 30;

/**
 * @param {PageTable} shown
 * @param {Options} options
 * @returns {Promise<Labels>} its `table` is the page as it was read
 */
export async function tamis(shown, { signal, progress, models }) {
  if (!models) throw new CoreError("model", "tamis needs models");
  const table = shown.unfolded;
  const pace = new Pace({ signal, progress });
  const weights = await weightsOf(models);
  const runs = await readRuns(table, pace);
  if (!runs.length) return { ...fromTextScores(table, new Float64Array(table.leaves.length)), table };
  const { logits, pageTypes } = await runNetwork(weights, runs, pace);
  await pace.rest(1);
  const [content, comment, related] = [...OUTPUTS.keys()].map((output) =>
    logits.filter((_, at) => at % weights.outputs === output),
  );
  const pageType = PAGE_TYPES[pageTypes.indexOf(Math.max(...pageTypes))];
  // Documentation repeats texts on purpose.
  const repeats = pageType === "documentation";
  const unique = repeats ? content : withoutCopies(content, await copiesOf(runs, pace), flowsOf(runs));
  if (pace.due) await pace.rest(1);
  const isStrict = STRICT_TYPES.includes(pageType);
  const cut = isStrict ? weights.threshold : Math.fround(weights.threshold - LOWERED_BY);
  const whole = await withWholeStructures(runs, unique, cut, pace);
  const completed = await withoutNoise(runs, whole, pageType, cut, pace);
  if (pace.due) await pace.rest(1);
  const isKept = Uint8Array.from(completed, (logit) => (logit >= cut ? 1 : 0));
  const threshold = Math.fround(sigmoid(cut));
  if (!hasContent(runs, isKept)) {
    return { ...fromTextScores(table, new Float64Array(table.leaves.length)), threshold, table };
  }
  const role = runs.toLeaves(rolesOf(runs, isKept, comment, related), "boilerplate");
  if (pace.due) await pace.rest(1);
  const { keep } = fromTextScores(table, runs.toLeaves(isKept, 0)); // adds media
  if (pace.due) await pace.rest(1);
  const probability = runs.toLeaves(Float64Array.from(completed, sigmoid), 0);
  const below = justBelow(threshold);
  const score = Float32Array.from(table.leaves, ({ isMedia }, leaf) => {
    if (isMedia) return keep[leaf];
    // Rounding must not carry a score across the threshold.
    return keep[leaf] ? Math.max(probability[leaf], threshold) : Math.min(probability[leaf], below);
  });
  return { score, keep, role, threshold, table };
}

/** False for a small page of which no plain text is kept. @param {PageRuns} runs @param {Uint8Array} isKept */
function hasContent(runs, isKept) {
  if (!isKept.includes(1) || runs.texts.words.reduce((sum, words) => sum + words, 0) >= SMALL_PAGE) return true;
  return isKept.some((is, run) => is && runs.isPlainText(run));
}

/** @param {number} logit */
const sigmoid = (logit) => 1 / (1 + Math.exp(-Math.min(Math.max(logit, -LARGEST_LOGIT), LARGEST_LOGIT)));

/** The next lower single float of a positive one. @param {number} single */
function justBelow(single) {
  const bits = new Uint32Array(Float32Array.of(single).buffer);
  bits[0]--;
  return new Float32Array(bits.buffer)[0];
}

/**
 * The role of each run. The network finds comments and teasers. A kept run in a FIGCAPTION is a caption. The title is
 * the first heading that the page's TITLE contains, or else the first H1 that is kept.
 *
 * @param {Pick<PageRuns, "tags" | "inCaption"> & {texts: {inTitle: ArrayLike<number>}}} runs
 * @param {Uint8Array} isKept
 * @param {ArrayLike<number>} comment logits
 * @param {ArrayLike<number>} related logits
 */
export function rolesOf(runs, isKept, comment, related) {
  /** @type {Role[]} */
  const roles = Array.from(isKept, (is, run) => {
    if (comment[run] >= COMMENT_THRESHOLD) return "comment";
    if (is) return runs.inCaption(run) ? "caption" : "text";
    return related[run] >= RELATED_THRESHOLD ? "related" : "boilerplate";
  });
  const code = (/** @type {number} */ run) => runs.tags[run * (1 + LEVELS)];
  const inTitle = isKept.findIndex((_, run) => Boolean(IS_HEADING[code(run)] && runs.texts.inTitle[run]));
  const title = inTitle >= 0 ? inTitle : isKept.findIndex((is, run) => Boolean(is && IS_H1[code(run)]));
  if (title >= 0) roles[title] = "title";
  return roles;
}
