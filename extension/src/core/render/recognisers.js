// All recognisers, and what they find together (src/tamis/render/content/recognisers.py).

/** @import {Elements} from "../page/elements.js" */
/** @import {Leaf, PageTable} from "../page/table.js" */
/** @import {Marks} from "./marks.js" */
/** @import {Source} from "./source.js" */
/** @typedef {(source: Source) => Marks | null} Recogniser */

import { SPACE_CLASS, split } from "../characters.js";
import { callouts } from "./callouts.js";
import { embeds } from "./embeds.js";
import { lists } from "./lists.js";
import { marksOf, united } from "./marks.js";
import { copies } from "./media.js";
import { notes } from "./notes.js";

const MARK = new RegExp(`^[${SPACE_CLASS}]*(?:[[(]?[0-9]{1,3}[\\])]?|[*†‡§¶#])[${SPACE_CLASS}]*$`);

/** @type {Recogniser[]} the first that knows a row wins */
const RECOGNISERS = [notes, callouts, lists, embeds, copies];

/**
 * The recognisers that may find something that plain text shows otherwise than the leaves have it.
 *
 * @param {PageTable} table
 * @param {Uint8Array} keep
 * @returns {Recogniser[]}
 */
export function forText({ elements, leaves }, keep) {
  const found = [];
  const isMark = (/** @type {Leaf} */ { text, inLink, isMedia }, /** @type {number} */ leaf) =>
    keep[leaf] && inLink && !isMedia && MARK.test(text);
  if (hasSidenotes(elements) || leaves.some(isMark)) found.push(notes);
  if (elements.has("lite-youtube", "lite-vimeo")) found.push(embeds);
  return found;
}

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
