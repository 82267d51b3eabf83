// All recognisers, and what they find together (src/tamis/render/content/recognisers.py).

/** @import {PageTable} from "../page/table.js" */
/** @import {Marks} from "./marks.js" */
/** @import {Source} from "./source.js" */

import { length } from "../characters.js";
import { HEADINGS, lookup } from "../tags.js";
import { marksOf, united } from "./marks.js";

// Without one of these tags, a link in a heading or a link that looks like the mark of a note, plain text is the text of
// the leaves.
const CUES = ["sup", "sub", "q", "rt", "math", "mjx-container", "pre", "code"];
const LONGEST_MARK = 5;
const IS_HEADING = lookup(...HEADINGS);
const MARK = /^[[\]()]*[\p{L}\p{N}]+[[\]()]*$/u;

/** @type {((source: Source) => Marks | null)[]} the first that knows a row wins */
const RECOGNISERS = [];

/**
 * May the recognisers find anything in what is kept that plain text shows otherwise?
 *
 * @param {PageTable} table
 * @param {Uint8Array} keep
 */
export function hasCues({ elements, leaves, blocks }, keep) {
  if (elements.has(...CUES)) return true;
  return leaves.some(({ text, element, isMedia, inLink }, leaf) => {
    if (!keep[leaf] || !inLink || isMedia) return false;
    return IS_HEADING[elements.code[blocks[element]]] || (length(text) <= LONGEST_MARK && MARK.test(text));
  });
}

/** What all recognisers find, in steps (Pace.finish). @param {Source} source @returns {Generator<void, Marks, void>} */
export function* marks(source) {
  let found = marksOf();
  for (const recognise of RECOGNISERS) {
    yield;
    const more = recognise(source);
    if (more) found = united(found, more);
  }
  return found;
}
