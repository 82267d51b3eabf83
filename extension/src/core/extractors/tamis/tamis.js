// The extractor of this project: a network over the rows of a page, steered by what kind of page it is, as
// src/tamis/extractor/tamis.py.
//
// What a page folds away by an attribute (closed tabs, collapsed sections) is read like the rest, in a page that a
// browser shows too, although only what is on the screen can be highlighted there. What style sheets hide there is not
// read: see PageTable.unfolded. Where a page shows next to nothing, Python also looks into the data that it carries for
// its program; that is left out here, since in a browser the program has run.

import { CoreError } from "../../errors.js";
import { fromTextScores } from "../../labels.js";
import { Pace } from "../../pace.js";
import { HEADINGS, lookup } from "../../tags.js";
import { LEVELS, OUTPUTS, PAGE_TYPES } from "./columns.js";
import { copiesOf, withoutCopies } from "./copies.js";
import { runNetwork } from "./network.js";
import { readRows } from "./rows.js";
import { withWholeTables } from "./tables.js";
import { weightsOf } from "./weights.js";

const IS_HEADING = lookup(...HEADINGS);
const IS_H1 = lookup("h1");

// The logits from which on a row counts as a comment or a teaser.
export const COMMENT_FROM = -0.25;
export const RELATED_FROM = -0.25;

// A page of fewer words, of which only links, fields, hidden notes and notes to browsers without scripts would stay, has
// no content.
const SMALL_PAGE = 150;

// Of pages that are neither articles nor threads more is content: by how much lower their cut lies, in logits.
export const CUT_HIGH = ["article", "forum"];
export const LOWER = 0.4;

// Beyond, a probability is as good as 0 or 1.
const FARTHEST = 30;

/**
 * @param {import("../../page/table.js").PageTable} shown
 * @param {import("../index.js").Options} options
 * @returns {Promise<import("../../labels.js").Labels>} its `table` is the page as it was read
 */
export async function tamis(shown, { signal, progress, models }) {
  if (!models) throw new CoreError("model", "tamis needs models");
  const table = shown.unfolded;
  const pace = new Pace({ signal, progress });
  const weights = await weightsOf(models);
  const rows = await readRows(table, pace);
  if (!rows.length) return { ...fromTextScores(table, new Float64Array(table.leaves.length)), table };
  const { logits, kinds } = await runNetwork(weights, rows, pace);
  await pace.rest(1);
  const [all, comment, related] = OUTPUTS.map((_, output) =>
    logits.filter((_, at) => at % weights.outputs === output),
  );
  const kind = PAGE_TYPES[kinds.indexOf(Math.max(...kinds))];
  // Documentation says the same of many things, and means it.
  const once = kind === "documentation" ? all : withoutCopies(all, await copiesOf(rows, pace));
  if (pace.due) await pace.rest(1);
  const cut = CUT_HIGH.includes(kind) ? weights.threshold : Math.fround(weights.threshold - LOWER);
  const content = withWholeTables(rows, once, cut);
  if (pace.due) await pace.rest(1);
  const stays = Uint8Array.from(content, (logit) => (logit >= cut ? 1 : 0));
  const threshold = Math.fround(sigmoid(cut));
  if (!saysSomething(rows, stays)) {
    return { ...fromTextScores(table, new Float64Array(table.leaves.length)), threshold, table };
  }
  const role = rows.toLeaves(rolesOf(rows, stays, comment, related), "boilerplate");
  if (pace.due) await pace.rest(1);
  const { keep } = fromTextScores(table, rows.toLeaves(stays, 0)); // media too
  if (pace.due) await pace.rest(1);
  const likely = rows.toLeaves(Float64Array.from(content, sigmoid), 0);
  const below = justBelow(threshold);
  const score = Float32Array.from(table.leaves, ({ isMedia }, leaf) => {
    if (isMedia) return keep[leaf];
    // Rounding must not carry a score across the threshold.
    return keep[leaf] ? Math.max(likely[leaf], threshold) : Math.min(likely[leaf], below);
  });
  return { score, keep, role, threshold, table };
}

/** Is a page large, or does anything stay that is no link, no field and no note? */
function saysSomething(rows, stays) {
  if (!stays.includes(1) || rows.texts.words.reduce((sum, words) => sum + words, 0) >= SMALL_PAGE) return true;
  return stays.some((is, row) => is && rows.isSaid(row));
}

const sigmoid = (logit) => 1 / (1 + Math.exp(-Math.min(Math.max(logit, -FARTHEST), FARTHEST)));

/** The single float before one that is positive. */
function justBelow(single) {
  const bits = new Uint32Array(Float32Array.of(single).buffer);
  bits[0]--;
  return new Float32Array(bits.buffer)[0];
}

/**
 * For each row its role. The network knows comments and teasers; a caption stands in a FIGCAPTION; the title is the
 * first heading that is in the page's TITLE, or else the first H1 that stays.
 *
 * @param {import("./rows.js").PageRows} rows
 * @param {Uint8Array} stays
 * @param {Float32Array} comment logits
 * @param {Float32Array} related logits
 */
export function rolesOf(rows, stays, comment, related) {
  const roles = Array.from(stays, (is, row) => {
    if (comment[row] >= COMMENT_FROM) return "comment";
    if (is) return rows.inCaption(row) ? "caption" : "text";
    return related[row] >= RELATED_FROM ? "related" : "boilerplate";
  });
  const code = (row) => rows.tags[row * (1 + LEVELS)];
  const inTitle = stays.findIndex((_, row) => IS_HEADING[code(row)] && rows.texts.inTitle[row]);
  const title = inTitle >= 0 ? inTitle : stays.findIndex((is, row) => is && IS_H1[code(row)]);
  if (title >= 0) roles[title] = "title";
  return roles;
}
