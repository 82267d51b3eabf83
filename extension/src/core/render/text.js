// Kept leaves as plain text (src/tamis/render/text.py). A blank line separates paragraphs; a line break separates list
// items and table rows and stands for a <br>; a tab separates the cells of a row. There are no bullets and no bars.

/** @import {Labels} from "../labels.js" */
/** @import {PageTable} from "../page/table.js" */

import {
  isSpace, spaceAt, stripped, strippedEnd, strippedStart, withoutEnd, withoutStart,
} from "../characters.js";
import { layoutOf } from "./layout.js";
import { hasCues, marks } from "./recognisers.js";
import { written as scriptText } from "./scripts.js";
import { folded, Source } from "./source.js";

const BREAKS = ["", " ", "", "\n", "\n\n"]; // by Break; cells are put into their columns by tabs
/** @type {Map<string, [before: string, after: string]>} */
const AROUND = new Map([["q", ["\u201c", "\u201d"]], ["rt", ["(", ")"]]]);

/**
 * Leaves whose text is not the one that the page has there.
 *
 * @typedef {object} Changes
 * @property {Set<number>} dropped
 * @property {Map<number, string>} shown other text, to be folded as usual
 * @property {Map<number, string>} verbatim text to be written as it is
 */

/**
 * The main content as plain text, in steps (Pace.finish); empty if nothing is kept.
 *
 * @param {PageTable} table
 * @param {Labels} labels
 * @param {{url?: string | null}} [options]
 * @returns {Generator<void, string, void>}
 */
export function* textOf(table, { keep }, { url } = {}) {
  const changes = hasCues(table, keep) ? yield* changesOf(new Source(table, keep, url ?? table.url)) : null;
  const shown = [...table.leaves.keys()].filter((leaf) => {
    if (changes?.dropped.has(leaf)) return false;
    return changes?.verbatim.has(leaf) || (keep[leaf] && !table.leaves[leaf].isMedia);
  });
  const text = (yield* pieces(table, shown, changes)).join("");
  return withoutStart(withoutEnd(text, "\n "), "\n ");
}

/**
 * What is shown for the leaves of formulas, code, notes, superscripts and the like.
 *
 * @param {Source} source
 * @returns {Generator<void, Changes, void>}
 */
function* changesOf(source) {
  const { table, leaves, keep } = source;
  const found = yield* marks(source);
  yield;
  /** @type {Set<number>} */
  const dropped = new Set();
  const drop = (/** @type {Iterable<number>} */ rows) => {
    for (const leaf of rows) dropped.add(leaf);
  };
  for (const row of found.skipped) drop(source.leavesIn(row));
  /** @type {Map<number, string>} */
  const verbatim = new Map();
  for (const [row, node] of found.replaced) {
    const inside = source.leavesIn(row).filter((leaf) => keep[leaf] && !dropped.has(leaf));
    const text = found.text.get(row) ?? node.text();
    if (inside.length && text) verbatim.set(inside[0], text);
    drop(text ? inside.slice(1) : inside);
  }
  yield;
  /** @type {Map<number, string>} */
  const shown = new Map();
  for (const [leaf, text] of found.trimmed) {
    if (stripped(text)) shown.set(leaf, text);
    else dropped.add(leaf);
  }
  const shownOf = (/** @type {number} */ leaf) => shown.get(leaf) ?? leaves[leaf].text;
  for (const [row, { name, attributes }] of found.named) {
    if (name !== "note") continue;
    const [first] = source.leavesIn(row).filter((leaf) => keep[leaf] && !dropped.has(leaf));
    if (verbatim.has(first)) verbatim.set(first, `[${attributes.id}] ${verbatim.get(first)}`);
    else if (first !== undefined && !leaves[first].isMedia) {
      shown.set(first, `[${attributes.id}] ${strippedStart(shownOf(first))}`);
    }
  }
  yield;
  for (const tag of ["sup", "sub", "q", "rt"]) {
    for (const row of source.tags.get(tag) ?? []) {
      yield;
      const inside = source.leavesIn(row).filter((leaf) => keep[leaf] && !leaves[leaf].isMedia);
      if (!inside.length || inside.some((leaf) => dropped.has(leaf) || verbatim.has(leaf))) continue;
      const [first, last] = [inside[0], inside[inside.length - 1]];
      const around = AROUND.get(tag);
      if (around) {
        shown.set(first, around[0] + strippedStart(shownOf(first)));
        shown.set(last, strippedEnd(shownOf(last)) + around[1]);
      } else if (inside.length === 1) {
        const [before, after] = [beside(table, first, first - 1), beside(table, first, first + 1)];
        shown.set(first, scriptText(tag, leaves[first].text, before, after));
      }
    }
  }
  for (const row of source.tags.get("rp") ?? []) drop(source.leavesIn(row));
  return { dropped, shown, verbatim };
}

/**
 * The text of another leaf if it stands on the same line as this one, without white space between them.
 *
 * @param {PageTable} table
 * @param {number} leaf
 * @param {number} other
 */
function beside({ leaves, blocks }, leaf, other) {
  if (!leaves[other] || blocks[leaves[leaf].element] !== blocks[leaves[other].element]) return "";
  return leaves[Math.max(leaf, other)].gap ? "" : leaves[other].text;
}

/**
 * The text of each of these leaves, after its separator from the leaf before.
 *
 * @param {PageTable} table
 * @param {number[]} places
 * @param {Changes | null} changes
 * @returns {Generator<void, string[], void>}
 */
function* pieces(table, places, changes) {
  const layout = yield* layoutOf(table, places);
  /** @type {string[]} */
  const rendered = [];
  let endsInSpace = false; // does the leaf before end in white space, is it preformatted?
  let followsPreformatted = false;
  let before = 0;
  for (const [at, place] of places.entries()) {
    yield;
    const { gap } = table.leaves[place];
    let { text } = table.leaves[place];
    const apart = BREAKS[layout.breaks[at]] + "\t".repeat(layout.tabs.get(at) ?? 0);
    let isSkipped = layout.followsText[at];
    if (changes) {
      isSkipped &&= isApart(table, before, place, changes);
      before = place;
      const verbatim = changes.verbatim.get(place);
      if (verbatim !== undefined) {
        const isGlued = !(apart || endsInSpace || gap || isSkipped);
        rendered.push((apart || isGlued ? apart : " ") + verbatim);
        endsInSpace = followsPreformatted = false;
        continue;
      }
      text = changes.shown.get(place) ?? text;
    }
    if (layout.preformatted[at]) {
      rendered.push(apart ? apart + withoutStart(gap + text, "\n") : gap + text);
      endsInSpace = false;
      followsPreformatted = true;
      continue;
    }
    const collapsed = stripped(folded(text));
    if (apart) {
      if (followsPreformatted) rendered.push(withoutEnd(rendered.pop() ?? "", "\n"));
      rendered.push(apart + collapsed);
    } else {
      rendered.push((endsInSpace || spaceAt(text, 0) || gap || isSkipped ? " " : "") + collapsed);
    }
    endsInSpace = spaceAt(text, text.length - 1);
    followsPreformatted = false;
  }
  return rendered;
}

/**
 * Is there text between two leaves that was not kept, or white space beside text that is not shown?
 *
 * @param {PageTable} table
 * @param {number} before
 * @param {number} leaf
 * @param {Changes} changes
 */
function isApart({ leaves }, before, leaf, changes) {
  for (let each = before + 1; each < leaf; each++) {
    const { gap, text, visible, isMedia } = leaves[each];
    const isDropped = changes.dropped.has(each);
    if (isDropped ? gap || isSpace(text.slice(0, 1)) || isSpace(text.slice(-1)) : visible && !isMedia) return true;
  }
  return false;
}
