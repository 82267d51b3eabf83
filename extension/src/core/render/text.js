// Kept leaves as plain text (src/tamis/render/text.py). A blank line separates paragraphs; a line break separates list
// items and table rows and stands for a <br>; a tab separates the cells of a row. There are no bullets and no bars.

/** @import {Labels} from "../labels.js" */
/** @import {PageTable} from "../page/table.js" */
/** @import {Changes} from "./changes.js" */

import { folded, isSpace, spaceAt, stripped, withoutEnd, withoutStart } from "../characters.js";
import { changesOf } from "./changes.js";
import { layoutOf } from "./layout.js";
import { seen } from "./source.js";

const BREAKS = ["", " ", "", "\n", "\n\n"]; // by Break; cells are put into their columns by tabs

/**
 * The main content as plain text, in steps (Pace.finish); empty if nothing is kept.
 *
 * @param {PageTable} table
 * @param {Labels} labels
 * @param {{url?: string | null}} [options]
 * @returns {Generator<void, string, void>}
 */
export function* textOf(table, { keep }, { url } = {}) {
  const changes = yield* changesOf(table, keep, url ?? table.url);
  const shown = [...table.leaves.keys()].filter((leaf) => {
    if (changes?.dropped.has(leaf)) return false;
    return changes?.verbatim.has(leaf) || (keep[leaf] && !table.leaves[leaf].isMedia);
  });
  const text = (yield* pieces(table, shown, changes)).join("");
  return withoutStart(withoutEnd(text, "\n "), "\n ");
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
  let endsLine = false; // does nothing else stand on the line of the leaf before?
  let before = 0;
  for (const [at, place] of places.entries()) {
    yield;
    const { gap } = table.leaves[place];
    let { text } = table.leaves[place];
    let apart = BREAKS[layout.breaks[at]] + "\t".repeat(layout.tabs.get(at) ?? 0);
    let isSkipped = layout.followsText[at];
    if (changes) {
      isSkipped &&= isApart(table, before, place, changes);
      before = place;
      if (endsLine) apart ||= "\n";
      endsLine = false;
      const verbatim = changes.verbatim.get(place);
      if (verbatim !== undefined) {
        if (verbatim.startsWith("\n")) apart ||= "\n";
        const isGlued = !(apart || endsInSpace || gap || isSkipped);
        rendered.push((apart || isGlued ? apart : " ") + withoutStart(withoutEnd(verbatim, "\n"), "\n"));
        endsInSpace = followsPreformatted = false;
        endsLine = verbatim.endsWith("\n");
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
    const collapsed = stripped(seen(folded(text)));
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
 * Is there text between two leaves that was not kept, or white space beside what is not shown?
 *
 * @param {PageTable} table
 * @param {number} before
 * @param {number} leaf
 * @param {Changes} changes
 */
function isApart({ leaves }, before, leaf, changes) {
  for (let each = before + 1; each < leaf; each++) {
    const { gap, text, visible, isMedia } = leaves[each];
    const isDropped = isMedia || changes.dropped.has(each);
    if (isDropped ? gap || isSpace(text.slice(0, 1)) || isSpace(text.slice(-1)) : visible) return true;
  }
  return false;
}
