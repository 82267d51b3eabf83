// The elements around a run: which tags they have, and which names, roles and properties (`_around` of
// src/tamis/extractor/runs.py).

/** @import {Pace} from "../../pace.js" */
/** @import {Elements} from "../../page/elements.js" */

import { lookup, OTHER } from "../../tags.js";
import { HOLDERS } from "./columns.js";
import { CALLED, NameColumns, propertyColumns, roleColumns } from "./conventions.js";

// The columns CALLED are stored as bits of this many integers.
const WORDS = Math.ceil(CALLED.length / 32);

const IS_PAGE = lookup("html", "body");

// For each tag code one bit for each of HOLDERS that has the tag.
const HOLDER_BITS = new Int32Array(OTHER + 1);
HOLDERS.forEach((tags, holder) => {
  lookup(...tags.split(" ")).forEach((is, code) => {
    if (is) HOLDER_BITS[code] |= 1 << holder;
  });
});

/**
 * Read the tags and attributes of the elements that hold any run.
 *
 * @param {Elements} elements
 * @param {ArrayLike<number>} held for each element how many runs it holds
 * @param {Pace} pace
 * @param {number} from the progress to report at the start
 * @param {number} to and at the end
 */
export async function readAround(elements, held, pace, from, to) {
  const around = new Around(elements);
  const names = new NameColumns();
  const read = (/** @type {number} */ element) => {
    if (!held[element]) return;
    around.inherit(element);
    around.add(element, roleColumns(elements.attribute(element, "role")));
    around.add(element, propertyColumns(elements.attribute(element, "itemprop")));
    // An element with a single run is described by its tag. Class names of html and body name features of the site.
    if (held[element] < 2 || IS_PAGE[elements.code[element]]) return;
    around.add(element, names.of(elements.attribute(element, "class")));
    around.add(element, names.of(elements.attribute(element, "id")));
  };
  await pace.each(elements.length, read, from, to);
  return around;
}

export class Around {
  #elements;
  #holders;
  #called; // (elements, WORDS)

  /** @param {Elements} elements */
  constructor(elements) {
    this.#elements = elements;
    this.#holders = new Int32Array(elements.length);
    this.#called = new Int32Array(elements.length * WORDS);
  }

  /** Copy the bits of the parent, which is read before its children. @param {number} element */
  inherit(element) {
    const { code, parent } = this.#elements;
    const above = parent[element];
    this.#holders[element] = HOLDER_BITS[code[element]] | (above >= 0 ? this.#holders[above] : 0);
    if (above >= 0) this.#called.copyWithin(element * WORDS, above * WORDS, (above + 1) * WORDS);
  }

  /** Set the bits of some columns of CALLED. @param {number} element @param {number[]} columns */
  add(element, columns) {
    for (const column of columns) this.#called[element * WORDS + (column >> 5)] |= 1 << (column & 31);
  }

  /** One bit for each of HOLDERS that an element is or stands in. @param {number} element */
  holders(element) {
    return this.#holders[element];
  }

  /**
   * 1 if this column of CALLED applies to an element or one around it.
   *
   * @param {number} element
   * @param {number} column
   */
  called(element, column) {
    return (this.#called[element * WORDS + (column >> 5)] >> (column & 31)) & 1;
  }
}
