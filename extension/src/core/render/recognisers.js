// All recognisers, and what they find together (src/tamis/render/content/recognisers.py).

/** @import {PageTable} from "../page/table.js" */
/** @import {Marks} from "./marks.js" */
/** @import {Source} from "./source.js" */
/** @typedef {(source: Source) => Marks | null} Recogniser */

import { marksOf, united } from "./marks.js";

/** @type {Recogniser[]} the first that knows a row wins */
const RECOGNISERS = [];

/**
 * The recognisers that may find something that plain text shows otherwise than the leaves have it.
 *
 * @param {PageTable} table
 * @param {Uint8Array} keep
 * @returns {Recogniser[]}
 */
export function forText(table, keep) {
  void [table, keep];
  return [];
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
