// What plain text shows for formulas, code, notes, superscripts and the like, leaf by leaf
// (src/tamis/render/changes.py).

/** @import {PageTable} from "../page/table.js" */
/** @import {Child} from "./node.js" */

import { folded as joined, stripped, strippedEnd, strippedStart, withoutEnd, withoutStart } from "../characters.js";
import { forText, marks } from "./recognisers.js";
import { written as scriptText } from "./scripts.js";
import { folded, Source } from "./source.js";

const SCRIPTS = ["sup", "sub", "q", "rt"];
const MOST_LEAVES = 1000; // in one of these; nested around more they would take long
/** @type {Map<string, [before: string, after: string]>} */
const AROUND = new Map([["q", ["\u201c", "\u201d"]], ["rt", ["(", ")"]]]);

/**
 * Leaves whose text is not the one that the page has there.
 *
 * @typedef {object} Changes
 * @property {Set<number>} dropped
 * @property {Map<number, string>} shown other text, to be folded as usual
 * @property {Map<number, string>} verbatim text to be written as it is; one with a line break at its begin or end
 *   stands on a line of its own
 */

/**
 * What is shown for the kept leaves where it is not their text; null if there is nothing. In steps (Pace.finish).
 *
 * @param {PageTable} table
 * @param {Uint8Array} keep
 * @param {string | null} url
 * @returns {Generator<void, Changes | null, void>}
 */
export function* changesOf(table, keep, url) {
  const { leaves } = table;
  const recognisers = yield* forText(table, keep);
  if (!recognisers.length && !table.elements.has(...SCRIPTS)) return null;
  const source = new Source(table, keep, url, true);
  const found = yield* marks(source, recognisers);
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
  for (const [leaf, parts] of found.split) {
    const text = splitText(table, leaf, parts);
    if (text) (text.includes("\n") ? verbatim : shown).set(leaf, text);
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
  for (const tag of SCRIPTS) {
    for (const row of source.tags.get(tag) ?? []) {
      yield;
      const all = source.leavesIn(row);
      const inside = all.length > MOST_LEAVES ? [] : all.filter((leaf) => keep[leaf] && !leaves[leaf].isMedia);
      if (!inside.length || inside.some((leaf) => dropped.has(leaf) || verbatim.has(leaf))) continue;
      const [first, last] = [inside[0], inside[inside.length - 1]];
      const around = AROUND.get(tag);
      if (around) {
        shown.set(first, around[0] + strippedStart(shownOf(first)));
        shown.set(last, strippedEnd(shownOf(last)) + around[1]);
        continue;
      }
      const content = joined(source.text(row));
      const written = scriptText(tag, content, beside(table, first, first - 1), beside(table, last, last + 1));
      const at = inside.length > 1 && content ? written.indexOf(content) : -1;
      if (at >= 0) {
        shown.set(first, written.slice(0, at) + strippedStart(shownOf(first)));
        shown.set(last, strippedEnd(shownOf(last)) + written.slice(at + content.length));
      } else {
        shown.set(first, written);
        drop(inside.slice(1));
      }
    }
  }
  for (const row of source.tags.get("rp") ?? []) drop(source.leavesIn(row));
  return { dropped, shown, verbatim };
}

/**
 * A text with formulas; those on lines of their own with a line break before and after them.
 *
 * @param {PageTable} table
 * @param {number} leaf
 * @param {Child[]} parts
 */
function splitText({ leaves, blocks }, leaf, parts) {
  let whole = "";
  for (const part of parts) {
    const isString = typeof part === "string";
    const text = folded(isString ? part : part.text());
    if (!isString && "display" in part.attributes) whole = `${withoutEnd(whole, " ")}\n${text}\n`;
    else whole += whole.endsWith("\n") ? strippedStart(text) : text;
  }
  const isSameBlock = leaf > 0 && blocks[leaves[leaf].element] === blocks[leaves[leaf - 1].element];
  return isSameBlock ? whole : withoutStart(whole, " ");
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
