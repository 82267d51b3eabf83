// All recognisers, and what they find together (src/tamis/render/content/recognisers.py).

/** @import {PageTable} from "../page/table.js" */
/** @import {Marks} from "./marks.js" */
/** @import {Source} from "./source.js" */
/** @typedef {(source: Source) => Generator<void, Marks | null, void>} Recogniser in steps (Pace.finish) */

import { split, stripped } from "../characters.js";
import { HEADINGS, lookup } from "../tags.js";
import { anchors, isAnchor } from "./anchors.js";
import { callouts } from "./callouts.js";
import { codeBlocks } from "./code.js";
import { embeds } from "./embeds.js";
import { formulas, hasFormulas } from "./formulas.js";
import { lists } from "./lists.js";
import { marksOf, united } from "./marks.js";
import { copies } from "./media.js";
import { notes } from "./notes.js";
import { roleTables } from "./tables.js";

const MARK = /^(?:[[(]?[0-9]{1,3}[\])]?|[*†‡§¶#])$/;
const NOTES_BESIDE = new Map([["label", "sidenote-number"], ["sup", "ltx_note_mark"]]); // classes of their marks
const ENDS_OF_CODE = "{};"; // of lines
const IS_HEADING = lookup(...HEADINGS);

/** @type {Recogniser[]} the first that knows a row wins */
const RECOGNISERS = [formulas, notes, callouts, anchors, codeBlocks, roleTables, lists, embeds, copies];

/**
 * The recognisers that may find something that plain text shows otherwise than the leaves have it, by cues that are at
 * hand. In steps (Pace.finish).
 *
 * @param {PageTable} table
 * @param {Uint8Array} keep
 * @returns {Generator<void, Recogniser[], void>}
 */
export function* forText(table, keep) {
  const { elements, leaves, blocks } = table;
  /** @type {Recogniser[]} */
  const found = hasFormulas(table) ? [formulas] : [];
  let [hasMark, hasCode, hasAnchor] = [false, elements.has("pre", "code"), false];
  for (const [leaf, { text, element, isMedia, inLink }] of leaves.entries()) {
    if (!keep[leaf] || isMedia) continue;
    yield;
    hasMark ||= inLink && MARK.test(stripped(text));
    hasCode ||= looksLikeCode(text);
    hasAnchor ||= IS_HEADING[elements.code[blocks[element]]] === 1 && isAnchor(stripped(text).toLowerCase());
  }
  hasCode ||= elements.styled.some(([, style]) => style.includes("white-space") && style.includes("pre"));
  hasMark ||= elements.tag.some((tag, row) => {
    const name = NOTES_BESIDE.get(tag);
    return name !== undefined && split(elements.attribute(row, "class") ?? "").includes(name);
  });
  if (hasMark) found.push(notes);
  if (hasCode || hasAnchor) found.push(anchors);
  if (hasCode) found.push(codeBlocks);
  if (elements.has("lite-youtube", "lite-vimeo")) found.push(embeds);
  return found;
}

/** Does a text end as a line of code, or begin with blanks that are no indentation of HTML? @param {string} text */
const looksLikeCode = (text) => text.startsWith("\t") || text.startsWith("  ") || ENDS_OF_CODE.includes(text.slice(-1));

/**
 * What the recognisers find, in steps (Pace.finish).
 *
 * @param {Source} source
 * @param {Recogniser[]} [recognisers]
 * @returns {Generator<void, Marks, void>}
 */
export function* marks(source, recognisers = RECOGNISERS) {
  let found = marksOf();
  yield* source.prepare();
  for (const recognise of recognisers) {
    yield;
    const more = yield* recognise(source);
    if (more) found = united(found, more);
  }
  return found;
}
