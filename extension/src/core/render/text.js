// Kept leaves as plain text (src/tamis/render/text.py). A blank line separates paragraphs; a line break separates list
// items and table rows and stands for a <br>; a tab separates the cells of a row. No other characters are added.

/** @import {Labels} from "../labels.js" */
/** @import {PageTable} from "../page/table.js" */

import { folded, spaceAt } from "../characters.js";
import { Break, layoutOf } from "./layout.js";

const BREAKS = ["", " ", "\t", "\n", "\n\n"]; // by Break

/** @param {string} text */
const withoutFirstLines = (text) => text.slice(text.search(/[^\n]|$/));
/** @param {string} text */
const withoutLastLines = (text) => withoutEnd(text, "\n");

/** @param {string} text @param {string} characters */
function withoutEnd(text, characters) {
  let end = text.length;
  while (end && characters.includes(text[end - 1])) end--;
  return text.slice(0, end);
}

/**
 * The main content as plain text, in steps (Pace.finish); empty if nothing is kept.
 *
 * @param {PageTable} table
 * @param {Labels} labels
 * @returns {Generator<void, string, void>}
 */
export function* textOf(table, labels) {
  const kept = [...table.leaves.keys()].filter((leaf) => labels.keep[leaf] && !table.leaves[leaf].isMedia);
  const text = withoutEnd((yield* pieces(table, kept)).join(""), "\n ");
  return text.slice(text.search(/[^\n ]|$/));
}

/**
 * The text of each of these leaves, with the separator in front.
 *
 * @param {PageTable} table
 * @param {number[]} places
 * @returns {Generator<void, string[], void>}
 */
function* pieces(table, places) {
  const layout = yield* layoutOf(table, places);
  /** @type {string[]} */
  const rendered = [];
  let openEnd = false; // the leaf before ended in white space
  for (const [at, place] of places.entries()) {
    yield;
    const { text, gap } = table.leaves[place];
    const kind = layout.breaks[at];
    let apart = kind === Break.CELL ? "\t".repeat(layout.cellsApart[at]) : BREAKS[kind];
    apart += "\t".repeat(layout.emptyCells.get(at) ?? 0);
    if (layout.preformatted[at]) {
      rendered.push(apart ? apart + withoutFirstLines(gap + text) : gap + text);
      openEnd = false;
      continue;
    }
    if (apart) {
      if (at && layout.preformatted[at - 1]) rendered[at - 1] = withoutLastLines(rendered[at - 1]);
      rendered.push(apart + folded(text));
    } else if (openEnd || spaceAt(text, 0) || gap || layout.followsText[at]) {
      rendered.push(" " + folded(text));
    } else {
      rendered.push(folded(text));
    }
    openEnd = spaceAt(text, text.length - 1);
  }
  return rendered;
}
