// Kept leaves to plain text (src/tamis/render/text.py). A blank line stands between paragraphs, a line break between
// list items, table rows and where the page has a <br>, a tab between the cells of a row. Nothing is added that the
// page does not say.

import { folded, spaceAt } from "../characters.js";
import { Break, layoutOf } from "./layout.js";

const BREAKS = ["", " ", "\t", "\n", "\n\n"]; // by Break

const withoutFirstLines = (text) => text.slice(text.search(/[^\n]|$/));
const withoutLastLines = (text) => withoutEnd(text, "\n");

function withoutEnd(text, characters) {
  let end = text.length;
  while (end && characters.includes(text[end - 1])) end--;
  return text.slice(0, end);
}

/**
 * The main content as plain text, in steps (Pace.finish); empty where nothing is kept.
 *
 * @param {import("../page/table.js").PageTable} table
 * @param {import("../labels.js").Labels} labels
 */
export function* textOf(table, labels) {
  const kept = [...table.leaves.keys()].filter((leaf) => labels.keep[leaf] && !table.leaves[leaf].isMedia);
  const text = withoutEnd((yield* pieces(table, kept)).join(""), "\n ");
  return text.slice(text.search(/[^\n ]|$/));
}

/** The text of each of these leaves, with what separates it from the one before in front. */
function* pieces(table, places) {
  const layout = yield* layoutOf(table, places);
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
