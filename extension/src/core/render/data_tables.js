// Tables that show data, told from those that arrange the page; and the columns of their cells
// (src/tamis/render/data_tables.py).

/** @import {Elements} from "../page/elements.js" */
/** @import {PageTable} from "../page/table.js" */

import { length, stripped } from "../characters.js";
import { CODES, lookup } from "../tags.js";

const IS_ROW = lookup("tr");
const IS_CELL = lookup("td", "th");
const IS_TH = lookup("th");
const IS_TABLE = lookup("table");
const IS_CAPTION = lookup("caption");
// A table with one of these in it arranges the page, whatever else it has.
const ARRANGES = lookup("h1", "article", "form");
// Or it does so if it has no header; with the last one, if its rows differ in length.
const NEEDS_HEADER = lookup("table", "h2", "h3", "section", "hr", "blockquote");
const DOUBTFUL = lookup("h1", "article", "form", "table", "h2", "h3", "section", "hr", "blockquote", "pre");

// A longer cell (in characters) is prose, and its table no data table; the second is for tables with a header.
const LONGEST_CELL = 600;
const LONGEST_UNDER_HEADER = 3_000;

// As in tables.js.
const WIDEST = 100;
const MOST_ADDED = 100;
const ADDED_FOR_CELL = 16;

/** For each element: the entry of `table` for its code. @param {Uint8Array} codes @param {Uint8Array} table */
const coded = (codes, table) => codes.map((code) => table[code]);

/**
 * For each element: 1 if it is a data table, with some of these leaves in two of its cells or more, and no layout table.
 * Of data tables in each other the outer one is one. Computed in steps (Pace.finish).
 *
 * @param {PageTable} table
 * @param {number[]} places of leaves
 * @param {Uint8Array} codes of the elements' tags
 * @returns {Generator<void, Uint8Array, void>}
 */
export function* dataTables({ elements, leaves }, places, codes) {
  const isTable = coded(codes, IS_TABLE);
  if (!isTable.includes(1)) return isTable;
  const doubtful = elements.sums(coded(codes, DOUBTFUL)); // each counts the table itself
  let isData = isTable.map((is, row) => (is && doubtful[row] === 1 ? 1 : 0));
  const isPlain = isTable.every((is, row) => !is || doubtful[row] === 1);
  yield;
  const { hasHeader, isGrid } = structure(elements, codes);
  yield;
  if (!isPlain) {
    const arranging = elements.sums(coded(codes, ARRANGES));
    const needing = elements.sums(coded(codes, NEEDS_HEADER));
    isData = isTable.map((is, row) => {
      if (!is || isData[row]) return isData[row];
      return !arranging[row] && (hasHeader[row] || (needing[row] === 1 && isGrid[row])) ? 1 : 0;
    });
  }
  isData.forEach((is, row) => {
    if (is && ["presentation", "none"].includes(elements.attribute(row, "role") ?? "")) isData[row] = 0;
  });
  const cellAbove = elements.nearest(coded(codes, IS_CELL));
  const tableAbove = elements.nearest(isData);
  const sizes = new Map(); // characters of each cell that holds some
  for (const place of places) {
    yield;
    const { element, text } = leaves[place];
    const cell = cellAbove[element];
    if (text && tableAbove[element] >= 0 && cell >= 0) sizes.set(cell, (sizes.get(cell) ?? 0) + length(text));
  }
  const filled = new Map();
  for (const [cell, size] of sizes) {
    const holder = tableAbove[cell];
    if (holder < 0) continue;
    filled.set(holder, (filled.get(holder) ?? 0) + 1);
    if (size > (hasHeader[holder] ? LONGEST_UNDER_HEADER : LONGEST_CELL)) isData[holder] = 0;
  }
  isData = isData.map((is, row) => (is && (filled.get(row) ?? 0) >= 2 ? 1 : 0));
  if (isPlain) return isData;
  const outer = elements.inside(isData);
  return isData.map((is, row) => (is && !(elements.parent[row] >= 0 && outer[elements.parent[row]]) ? 1 : 0));
}

/**
 * For each element: is it a table of two rows or more with a caption or headers, and is it a regular grid?
 *
 * @param {Elements} elements
 * @param {Uint8Array} codes
 */
function structure(elements, codes) {
  const size = elements.length;
  const rowAbove = elements.nearest(coded(codes, IS_ROW));
  const tableAbove = elements.nearest(coded(codes, IS_TABLE));
  const [width, wideRows, headers, cells, captions, widest, narrow] = Array.from({ length: 7 }, () => new Int32Array(size));
  const rows = [];
  for (let row = 0; row < size; row++) {
    const code = codes[row];
    const table = tableAbove[row];
    if (IS_ROW[code]) rows.push(row);
    if (IS_CAPTION[code] && elements.parent[row] >= 0) captions[elements.parent[row]]++;
    if (!IS_CELL[code]) continue;
    if (rowAbove[row] >= 0) width[rowAbove[row]]++;
    if (table >= 0) cells[table]++;
    if (table >= 0 && IS_TH[code]) headers[table]++;
  }
  for (const row of rows) {
    const table = tableAbove[row];
    if (table < 0) continue;
    if (width[row] > 1) wideRows[table]++;
    widest[table] = Math.max(widest[table], width[row]);
  }
  for (const row of rows) if (tableAbove[row] >= 0 && width[row] < widest[tableAbove[row]]) narrow[tableAbove[row]]++;
  const has = (/** @type {number} */ row) => captions[row] > 0 || (headers[row] > 1 && headers[row] < cells[row]);
  return {
    hasHeader: wideRows.map((count, row) => (count > 1 && has(row) ? 1 : 0)),
    isGrid: wideRows.map((count, row) => (count > 1 && !narrow[row] ? 1 : 0)),
  };
}

/**
 * The tag codes, with the rows and cells of other tables inside of data tables as plain blocks.
 *
 * @param {Elements} elements
 * @param {Uint8Array} tables
 * @param {Uint8Array} codes
 */
export function ownCodes(elements, tables, codes) {
  const within = elements.inside(tables);
  const inner = codes.map((code, row) => (IS_TABLE[code] && !tables[row] && within[row] ? 1 : 0));
  if (!inner.includes(1)) return codes;
  const inInner = elements.inside(inner);
  const div = Number(CODES.get("div"));
  return codes.map((code, row) => (inInner[row] && (IS_ROW[code] || IS_CELL[code]) ? div : code));
}

/**
 * For each element: its column, if it is a cell of a data table. Spans count as all of their columns.
 *
 * @param {Elements} elements
 * @param {Uint8Array} tables
 * @param {Uint8Array} codes
 * @returns {Int32Array}
 */
export function cellColumns(elements, tables, codes) {
  const columns = new Int32Array(elements.length);
  const rowAbove = elements.nearest(coded(codes, IS_ROW));
  const tableAbove = elements.nearest(tables);
  /** @type {{row: number, wide: number, high: number}[]} */
  let cells = [];
  let table = -1;
  const close = () => {
    for (const [place, column] of withSpans(cells.map((cell) => ({ ...cell, row: rowAbove[cell.row] }))).entries()) {
      columns[cells[place].row] = column;
    }
    cells = [];
  };
  for (let row = 0; row < elements.length; row++) {
    if (!IS_CELL[codes[row]] || tableAbove[row] < 0) continue;
    if (tableAbove[row] !== table) {
      close();
      table = tableAbove[row];
    }
    cells.push({ row, wide: span(elements.attribute(row, "colspan")), high: span(elements.attribute(row, "rowspan")) });
  }
  close();
  return columns;
}

/**
 * The columns of the cells of one table. Columns in which no cell begins do not count.
 *
 * @param {{row: number, wide: number, high: number}[]} cells
 */
function withSpans(cells) {
  let left = MOST_ADDED + ADDED_FOR_CELL * cells.length;
  let column = 0;
  let row = -1;
  const found = [];
  /** @type {Map<number, number>} */
  let covered = new Map(); // by column: how many more rows a cell from above covers
  /** @type {Map<number, number>} */
  let coming = new Map(); // the same for the row after
  for (const cell of cells) {
    let { wide, high } = cell;
    if (cell.row !== row) {
      [row, column] = [cell.row, 0];
      const all = [...new Map([...covered, ...coming])];
      covered = new Map(all.filter(([, rest]) => rest > 1).map(([place, rest]) => [place, rest - 1]));
      coming = new Map();
    }
    while (covered.has(column)) column++;
    if (wide * high - 1 > left) wide = high = 1;
    left -= wide * high - 1;
    found.push(column);
    for (let place = column; high > 1 && place < column + wide; place++) coming.set(place, high);
    column += wide;
  }
  const ordered = [...new Set(found)].sort((one, other) => one - other);
  const number = new Map(ordered.map((place, rank) => [place, rank]));
  return found.map((place) => Number(number.get(place)));
}

/** @param {string | null} value */
function span(value) {
  const digits = stripped(value ?? "");
  return /^[0-9]{1,5}$/.test(digits) ? Math.min(Math.max(Number(digits), 1), WIDEST) : 1;
}
