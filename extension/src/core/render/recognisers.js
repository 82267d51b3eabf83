// All recognisers, and what they find together (src/tamis/render/content/recognisers.py).

/** @import {Elements} from "../page/elements.js" */
/** @import {Leaf, PageTable} from "../page/table.js" */
/** @import {Marks} from "./marks.js" */
/** @import {Source} from "./source.js" */
/** @typedef {(source: Source) => Marks | null} Recogniser */

import { SPACE_CLASS, split, stripped } from "../characters.js";
import { HEADINGS, lookup } from "../tags.js";
import { anchors, isAnchor } from "./anchors.js";
import { callouts } from "./callouts.js";
import { codeBlocks } from "./code.js";
import { embeds } from "./embeds.js";
import { lists } from "./lists.js";
import { marksOf, united } from "./marks.js";
import { copies } from "./media.js";
import { notes } from "./notes.js";
import { roleTables } from "./tables.js";

const MARK = new RegExp(`^[${SPACE_CLASS}]*(?:[[(]?[0-9]{1,3}[\\])]?|[*†‡§¶#])[${SPACE_CLASS}]*$`);
const IS_HEADING = lookup(...HEADINGS);

/** @type {Recogniser[]} the first that knows a row wins */
const RECOGNISERS = [notes, callouts, anchors, codeBlocks, roleTables, lists, embeds, copies];

/**
 * The recognisers that may find something that plain text shows otherwise than the leaves have it.
 *
 * @param {PageTable} table
 * @param {Uint8Array} keep
 * @returns {Recogniser[]}
 */
export function forText({ elements, leaves, blocks }, keep) {
  const found = [];
  const isMark = (/** @type {Leaf} */ { text, inLink, isMedia }, /** @type {number} */ leaf) =>
    keep[leaf] && inLink && !isMedia && MARK.test(text);
  if (hasSidenotes(elements) || leaves.some(isMark)) found.push(notes);
  const kept = leaves.filter(({ isMedia }, leaf) => keep[leaf] && !isMedia);
  const hasCode =
    elements.has("pre", "code") ||
    elements.styled.some(([, style]) => style.includes("white-space") && style.includes("pre")) ||
    kept.some(({ text }) => looksLikeCode(text));
  const isSign = (/** @type {Leaf} */ { text, element }) =>
    IS_HEADING[elements.code[blocks[element]]] && isAnchor(stripped(text).toLowerCase());
  if (hasCode || kept.some(isSign)) found.push(anchors);
  if (hasCode) found.push(codeBlocks);
  if (elements.has("lite-youtube", "lite-vimeo")) found.push(embeds);
  return found;
}

/** Does a text end as a line of code, or begin with blanks that are no indentation of HTML? @param {string} text */
const looksLikeCode = (text) => text.startsWith("\t") || text.startsWith("  ") || "{};".includes(text[text.length - 1]);

/** @param {Elements} elements */
function hasSidenotes(elements) {
  if (!elements.has("label")) return false;
  return elements.tag.some(
    (tag, row) => tag === "label" && split(elements.attribute(row, "class") ?? "").includes("sidenote-number"),
  );
}

/**
 * What the recognisers find, in steps (Pace.finish).
 *
 * @param {Source} source
 * @param {Recogniser[]} [recognisers]
 * @returns {Generator<void, Marks, void>}
 */
export function* marks(source, recognisers = RECOGNISERS) {
  let found = marksOf();
  for (const recognise of recognisers) {
    yield;
    const more = recognise(source);
    if (more) found = united(found, more);
  }
  return found;
}
