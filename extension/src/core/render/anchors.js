// Signs beside headings that link to them, the edit links of wikis, and buttons that copy something
// (src/tamis/render/content/anchors.py).

/** @import {Marks} from "./marks.js" */
/** @import {Source} from "./source.js" */

import { folded, length } from "../characters.js";
import { HEADINGS } from "../tags.js";
import { marksOf } from "./marks.js";
import { Node } from "./node.js";
import { placeOf } from "./source.js";
import table from "../../../../src/tamis/render/content/anchors.json" with { type: "json" };

const SIGNS = new Set(table.signs);
const COPY = new Set(table.copy);
const BUTTONS = ["button", "clipboard-copy"];

// Longer texts, and texts in more pieces, are no sign and no label.
const LONGEST = 200;
const MOST_LEAVES = 4;
const LONGEST_LABEL = 30;
const UNSEEN = /\u200b|\u200d|\ufe0e|\ufe0f|\ufeff|\u2060/g;

/**
 * The anchors and buttons of a page, which are skipped.
 *
 * @param {Source} source
 * @returns {Generator<void, Marks | null, void>}
 */
export function* anchors(source) {
  const { tags, classes } = source;
  const { end } = source.elements;
  const marks = marksOf();
  const { skipped, named } = marks;
  for (const name of table.edit) for (const row of classes.get(name) ?? []) skipped.add(row);
  for (const name of table.classes) {
    yield;
    for (const row of classes.get(name) ?? []) if (isSign(source, row)) skipped.add(row);
  }
  const links = tags.get("a") ?? [];
  for (const heading of [...HEADINGS].flatMap((tag) => tags.get(tag) ?? [])) {
    yield;
    for (let place = placeOf(links, heading); place < links.length && links[place] < end[heading]; place++) {
      const row = links[place];
      if (!(source.attribute(row, "href") ?? "").includes("#")) continue;
      if (isSign(source, row)) skipped.add(row);
      else if (source.holdSame(heading, row) && isOwn(source, row, heading)) named.set(row, new Node(""));
    }
  }
  for (const tag of BUTTONS) for (const row of tags.get(tag) ?? []) if (copies(source, row)) skipped.add(row);
  return skipped.size || named.size ? marks : null;
}

/** The text of an element in lower case, null if it is long. @param {Source} source @param {number} row */
function textOf(source, row) {
  const [first, last] = source.leafRange(row);
  if (last - first > MOST_LEAVES) return null;
  let sum = 0;
  for (let leaf = first; leaf < last; leaf++) sum += length(source.leaves[leaf].text);
  return sum > LONGEST ? null : folded(source.text(row).replace(UNSEEN, "").toLowerCase());
}

/** @param {Source} source @param {number} row */
function isSign(source, row) {
  const text = textOf(source, row);
  return text !== null && isAnchor(text);
}

/** Is this what links to headings show, in lower case? @param {string} text */
export const isAnchor = (text) => SIGNS.has(text) || table.begins.some((begin) => text.startsWith(begin));

/** Does a link in a heading lead to that heading? @param {Source} source @param {number} row @param {number} heading */
function isOwn(source, row, heading) {
  const href = source.attribute(row, "href") ?? "";
  if (!href.startsWith("#") || href.length < 2) return false;
  for (let place = heading; place <= row; place++) {
    if (["id", "name"].some((key) => source.attribute(place, key) === href.slice(1))) return true;
  }
  return false;
}

/** @param {Source} source @param {number} row */
function copies(source, row) {
  const text = textOf(source, row);
  if (!text || length(text) > LONGEST_LABEL) return false;
  if (COPY.has(text)) return true;
  const says = ["class", "aria-label", "title", "data-action"].map((name) => source.attribute(row, name) ?? "").join(" ");
  const said = says.toLowerCase();
  return table.copying.some((word) => said.includes(word)) || source.attribute(row, "data-clipboard-text") !== null;
}
