// Tables with spans as plain grids (src/tamis/render/spans.py).

// No table of data needs a cell this wide or high; a hostile page could ask for billions.
const WIDEST = 100;

/** Says how many empty cells stand in for those that a colspan or rowspan covers, and for missing ones. */
export class Grid {
  #column = 0;
  #wide = 1;
  #columns = 0;
  /** @type {Map<number, number>} */
  #covered = new Map(); // column: rows that a cell above still covers

  startTable(columns) {
    this.#columns = Math.min(columns, WIDEST);
    this.#covered.clear();
  }

  startRow() {
    this.#column = 0;
  }

  /** How many to put before a cell. */
  startCell(colspan, rowspan) {
    let filler = 0;
    for (; this.#covered.has(this.#column); filler++) this.#step();
    this.#wide = span(colspan);
    const high = span(rowspan);
    for (let column = this.#column; high > 1 && column < this.#column + this.#wide; column++) {
      this.#covered.set(column, high - 1);
    }
    this.#column += this.#wide;
    return filler;
  }

  /** How many to put after a cell. */
  endCell() {
    return this.#wide - 1;
  }

  /** How many to put after the last cell of a row. */
  endRow() {
    const missing = Math.max(0, this.#columns - this.#column);
    for (const column of [...this.#covered.keys()].filter((each) => each >= this.#column)) {
      this.#column = column;
      this.#step();
    }
    return missing;
  }

  #step() {
    const left = this.#covered.get(this.#column) - 1;
    if (left) this.#covered.set(this.#column, left);
    else this.#covered.delete(this.#column);
    this.#column++;
  }
}

/** The value of a colspan or rowspan; one that makes no sense counts as 1. */
function span(value) {
  const number = /^[0-9]{1,4}$/.test(value ?? "") ? Number(value) : 1;
  return number >= 1 && number <= WIDEST ? number : 1;
}
