// Tables with spans as plain grids (src/tamis/render/spans.py).

import { CoreError } from "../errors.js";

// No table of data needs a wider or higher cell, and a hostile page could ask for billions.
const WIDEST = 100;
// The most cells of a page that spans may cover. Beyond, its Markdown would be larger than any page.
const MOST_COVERED = 5e6;

/** Counts the empty cells to write for those that a colspan or rowspan covers, and for missing ones. */
export class Grid {
  #column = 0;
  #wide = 1;
  #columns = 0;
  /** @type {Map<number, number>} */
  #covered = new Map(); // column: rows that a cell above still covers
  #left = MOST_COVERED;

  /** @param {number} columns */
  startTable(columns) {
    this.#columns = Math.min(columns, WIDEST);
    this.#covered.clear();
  }

  startRow() {
    this.#column = 0;
  }

  /** How many to write before a cell. @param {string | null} colspan @param {string | null} rowspan */
  startCell(colspan, rowspan) {
    let filler = 0;
    for (; this.#covered.has(this.#column); filler++) this.#step();
    this.#wide = span(colspan);
    const high = span(rowspan);
    this.#take(this.#wide);
    for (let column = this.#column; high > 1 && column < this.#column + this.#wide; column++) {
      this.#covered.set(column, high - 1);
    }
    this.#column += this.#wide;
    return filler;
  }

  /** How many to write after a cell. */
  endCell() {
    return this.#wide - 1;
  }

  /** How many to write after the last cell of a row. */
  endRow() {
    const missing = Math.max(0, this.#columns - this.#column);
    this.#take(missing);
    for (const column of [...this.#covered.keys()].filter((each) => each >= this.#column)) {
      this.#column = column;
      this.#step();
    }
    return missing;
  }

  /** Count cells. @param {number} cells */
  #take(cells) {
    this.#left -= cells;
    if (this.#left < 0) throw new CoreError("too-large", `the tables span more than ${MOST_COVERED} cells`);
  }

  #step() {
    this.#take(1);
    const left = (this.#covered.get(this.#column) ?? 1) - 1;
    if (left) this.#covered.set(this.#column, left);
    else this.#covered.delete(this.#column);
    this.#column++;
  }
}

/** The value of a colspan or rowspan; an invalid one counts as 1. @param {string | null} value */
function span(value) {
  const number = /^[0-9]{1,4}$/.test(value ?? "") ? Number(value) : 1;
  return number >= 1 && number <= WIDEST ? number : 1;
}
