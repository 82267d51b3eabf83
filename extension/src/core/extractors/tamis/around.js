// What the elements around a row are and are called: `_around` of src/tamis/extractor/runs.py.

import { lookup, OTHER } from "../../tags.js";
import { HOLDERS } from "./columns.js";
import { CALLED, NameColumns, propertyColumns, roleColumns } from "./conventions.js";

// CALLED as bits, in so many whole numbers.
const WORDS = Math.ceil(CALLED.length / 32);

const IS_PAGE = lookup("html", "body");

// For each code the bits of the holders that the tag is one of.
const HOLDER_BITS = new Int32Array(OTHER + 1);
HOLDERS.forEach((tags, holder) => {
  lookup(...tags.split(" ")).forEach((is, code) => {
    if (is) HOLDER_BITS[code] |= 1 << holder;
  });
});

/**
 * Read what is said by the elements that hold any row, and by those around each of them.
 *
 * @param {import("../../page/elements.js").Elements} elements
 * @param {ArrayLike<number>} held for each element how many rows it holds
 * @param {import("../../pace.js").Pace} pace is told of progress between `from` and `to`
 */
export async function readAround(elements, held, pace, from, to) {
  const around = new Around(elements);
  const names = new NameColumns();
  const read = (row) => {
    if (!held[row]) return;
    around.inherit(row);
    around.add(row, roleColumns(elements.attribute(row, "role")));
    around.add(row, propertyColumns(elements.attribute(row, "itemprop")));
    // Of smaller elements the tag says enough; a page is called by what it can do and not by what it is.
    if (held[row] < 2 || IS_PAGE[elements.code[row]]) return;
    around.add(row, names.of(elements.attribute(row, "class")));
    around.add(row, names.of(elements.attribute(row, "id")));
  };
  await pace.each(elements.length, read, from, to);
  return around;
}

class Around {
  #elements;
  #holders;
  #called; // (elements, WORDS)

  constructor(elements) {
    this.#elements = elements;
    this.#holders = new Int32Array(elements.length);
    this.#called = new Int32Array(elements.length * WORDS);
  }

  /** An element has what its parent has, which is known already. */
  inherit(row) {
    const { code, parent } = this.#elements;
    const above = parent[row];
    this.#holders[row] = HOLDER_BITS[code[row]] | (above >= 0 ? this.#holders[above] : 0);
    if (above >= 0) this.#called.copyWithin(row * WORDS, above * WORDS, (above + 1) * WORDS);
  }

  /** It is called so, too. */
  add(row, columns) {
    for (const column of columns) this.#called[row * WORDS + (column >> 5)] |= 1 << (column & 31);
  }

  /** One bit for each of HOLDERS that an element is or stands in. */
  holders(row) {
    return this.#holders[row];
  }

  /** 1 if an element, or one around it, is called what this column of CALLED says. */
  called(row, column) {
    return (this.#called[row * WORDS + (column >> 5)] >> (column & 31)) & 1;
  }
}
