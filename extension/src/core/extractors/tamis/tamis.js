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
import { OUTPUTS, PAGE_TYPES } from "./columns.js";
import { copiesOf, DROPPED_LOGIT, flowsOf, withoutCopies } from "./copies.js";
import { withDataTables } from "./data_tables.js";
import { headline } from "./headline.js";
import { runNetwork } from "./network.js";
import { withoutNoise } from "./noise.js";
import { readRuns } from "./runs.js";
import { withWholeStructures } from "./structures.js";
import { weightsOf } from "./weights.js";

// The lowest logits of a comment and of a teaser.
export const COMMENT_THRESHOLD = -0.75;
export const RELATED_THRESHOLD = -0.25;

// A page of fewer words has no content if only links, controls, footers, folded texts and noscript texts would be kept.
const SMALL_PAGE = 150;

// What is added to the trained threshold, in logits: for pages of these types, and for others.
/** @type {Record<string, number>} */
export const ADDED = { article: 0.35, product: 0.35, forum: 0 };
export const ADDED_ELSE = -0.65;

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
  const [given, comment, related] = [...OUTPUTS.keys()].map((output) =>
    logits.filter((_, at) => at % weights.outputs === output),
  );
  const pageType = PAGE_TYPES[pageTypes.indexOf(Math.max(...pageTypes))];
  const cut = Math.fround(weights.threshold + (ADDED[pageType] ?? ADDED_ELSE));
  const isComment = commentsOf(comment, pageType);
  const content = given.map((logit, run) => (isComment[run] ? DROPPED_LOGIT : logit));
  // Documentation repeats texts on purpose.
  const repeats = pageType === "documentation";
  const unique = repeats ? content : withoutCopies(content, await copiesOf(runs, pace), flowsOf(runs));
  if (pace.due) await pace.rest(1);
  const whole = await withWholeStructures(runs, unique, cut, pace);
  if (pace.due) await pace.rest(1);
  const tabled = withDataTables(runs, whole, isComment, cut);
  if (pace.due) await pace.rest(1);
  const completed = await withoutNoise(runs, tabled, pageType, cut, pace);
  if (pace.due) await pace.rest(1);
  const isKept = Uint8Array.from(completed, (logit) => (logit >= cut ? 1 : 0));
  const threshold = Math.fround(sigmoid(cut));
  if (!hasContent(runs, isKept)) {
    return { ...fromTextScores(table, new Float64Array(table.leaves.length)), threshold, table };
  }
  const role = runs.toLeaves(rolesOf(runs, isKept, isComment, related), "boilerplate");
  const kept = runs.toLeaves(isKept, 0);
  const probability = runs.toLeaves(Float64Array.from(completed, sigmoid), 0);
  for (const leaf of headline(runs, isKept)) [role[leaf], kept[leaf], probability[leaf]] = ["title", 0, 0];
  if (pace.due) await pace.rest(1);
  const { keep } = fromTextScores(table, kept); // adds media
  if (pace.due) await pace.rest(1);
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
 * Which runs are readers' comments. They are no content; the posts of a thread are content and no comments.
 *
 * @param {Float32Array} comment logits
 * @param {string} pageType
 */
export function commentsOf(comment, pageType) {
  return Uint8Array.from(comment, (logit) => (logit >= COMMENT_THRESHOLD && pageType !== "forum" ? 1 : 0));
}

/**
 * The role of each run. The network finds comments and teasers. A kept run in a FIGCAPTION is a caption, and none is a
 * comment. `headline` finds the title.
 *
 * @param {Pick<PageRuns, "inCaption">} runs
 * @param {Uint8Array} isKept
 * @param {Uint8Array} isComment
 * @param {ArrayLike<number>} related logits
 * @returns {Role[]}
 */
export function rolesOf(runs, isKept, isComment, related) {
  return Array.from(isKept, (is, run) => {
    if (is) return runs.inCaption(run) ? "caption" : "text";
    if (isComment[run]) return "comment";
    return related[run] >= RELATED_THRESHOLD ? "related" : "boilerplate";
  });
}
