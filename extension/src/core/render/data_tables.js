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
// Or it does so if it has no header.
const NEEDS_HEADER = lookup("table", "h2", "h3", "section", "hr", "blockquote");
const IS_TITLE = lookup("h2", "h3"); // but for those in its first row
const NEEDS_GRID = lookup("pre"); // or if its rows differ in length
const DOUBTFUL = ARRANGES.map((is, code) => is | NEEDS_HEADER[code] | NEEDS_GRID[code]);

// A longer cell (in characters) is prose, and its table no data table; the second is for tables with a header.
const LONGEST_CELL = 600;
const LONGEST_UNDER_HEADER = 3000;

// As in tables.js.
const WIDEST = 100;
const MOST_ADDED = 100;
const ADDED_FOR_CELL = 16;

/** For each element: the entry of `table` for its code. @param {Uint8Array} codes @param {Uint8Array} table */
export const coded = (codes, table) => codes.map((code) => table[code]);

/**
 * For each element: 1 if it is a data table, with some of these leaves in two of its cells or more, and not a layout
 * table. Of data tables in each other the outer one is one. Computed in steps (Pace.finish).
 *
 * @param {PageTable} table
 * @param {number[]} places of leaves
 * @param {Uint8Array} codes the tag codes of the elements
 * @returns {Generator<void, Uint8Array, void>}
 */
export function* dataTables({ elements, leaves }, places, codes) {
  const isTable = coded(codes, IS_TABLE);
  if (!isTable.includes(1)) return isTable;
  // Each sum counts the table itself.
  const doubtful = elements.sums(coded(codes, DOUBTFUL));
  const isPlain = isTable.map((is, row) => (is && doubtful[row] === 1 ? 1 : 0));
  const allPlain = isTable.every((is, row) => !is || isPlain[row]);
  yield;
  const structure = structureOf(elements, codes);
  const isData = isPlain.slice();
  if (!allPlain) {
    const [arranging, needing] = [ARRANGES, NEEDS_HEADER].map((kind) => elements.sums(coded(codes, kind)));
    isTable.forEach((is, row) => {
      if (!is || isPlain[row] || arranging[row]) return;
      const isSimple = needing[row] === 1 + structure.titles[row];
      if (structure.hasHeader[row] || (isSimple && structure.isGrid[row])) isData[row] = 1;
    });
  }
  for (const [row, role] of elements.roles) if (role === "presentation" || role === "none") isData[row] = 0;
  if (!isData.includes(1)) return isData;
  yield;
  const tableAbove = elements.nearest(isData);
  const cellAbove = elements.nearest(coded(codes, IS_CELL));
  /** @type {Map<number, number>} */
  const sizes = new Map(); // characters of each cell that holds some
  for (const place of places) {
    yield;
    const { element, text } = leaves[place];
    const cell = cellAbove[element];
    if (text && tableAbove[element] >= 0 && cell >= 0) sizes.set(cell, (sizes.get(cell) ?? 0) + length(text));
  }
  /** @type {Map<number, number>} */
  const filled = new Map();
  for (const [cell, size] of sizes) {
    const holder = tableAbove[cell];
    if (holder < 0) continue;
    filled.set(holder, (filled.get(holder) ?? 0) + 1);
    if (size > (structure.hasHeader[holder] ? LONGEST_UNDER_HEADER : LONGEST_CELL)) isData[holder] = 0;
  }
  isData.forEach((is, row) => {
    if (is && (filled.get(row) ?? 0) < 2) isData[row] = 0;
  });
  if (allPlain) return isData;
  const covered = elements.inside(isData);
  return isData.map((is, row) => (is && !covered[elements.parent[row]] ? 1 : 0));
}

/**
 * For each element: is it a table of two rows or more with a caption or headers, and is it a regular grid?
 *
 * @param {Elements} elements
 * @param {Uint8Array} codes
 */
function structureOf(elements, codes) {
  const size = elements.length;
  const [rowAbove, tableAbove] = [IS_ROW, IS_TABLE].map((kind) => elements.nearest(coded(codes, kind)));
  const [width, wideRows, headers, captions, cells, widest] = Array.from({ length: 6 }, () => new Int32Array(size));
  for (let row = 0; row < size; row++) {
    const [code, table] = [codes[row], tableAbove[row]];
    if (IS_CAPTION[code] && elements.parent[row] >= 0) captions[elements.parent[row]]++;
    if (!IS_CELL[code]) continue;
    if (rowAbove[row] >= 0) width[rowAbove[row]]++;
    if (table < 0) continue;
    cells[table]++;
    if (IS_TH[code]) headers[table]++;
  }
  const rows = [...codes.keys()].filter((row) => IS_ROW[codes[row]] && tableAbove[row] >= 0);
  for (const row of rows) {
    const table = tableAbove[row];
    widest[table] = Math.max(widest[table], width[row]);
    if (width[row] > 1) wideRows[table]++;
  }
  const isGrid = Uint8Array.from(wideRows, (count) => (count > 1 ? 1 : 0));
  const titlesIn = elements.sums(coded(codes, IS_TITLE));
  /** @type {Map<number, number>} */
  const titles = new Map(); // of tables: the headings in their first rows, which may be shorter than the others
  for (const row of rows) {
    const table = tableAbove[row];
    if (!titles.has(table)) titles.set(table, titlesIn[row]);
    else if (width[row] < widest[table]) isGrid[table] = 0;
  }
  const hasHeader = Uint8Array.from(wideRows, (count, table) => {
    return count > 1 && (captions[table] > 0 || (headers[table] > 1 && headers[table] < cells[table])) ? 1 : 0;
  });
  return { hasHeader, isGrid, titles: wideRows.map((_, table) => titles.get(table) ?? 0) };
}

/**
 * The tag codes, with the rows and cells of other tables inside of data tables as plain blocks.
 *
 * @param {Elements} elements
 * @param {Uint8Array} tables
 * @param {Uint8Array} codes
 */
export function ownCodes(elements, tables, codes) {
  const inTable = elements.inside(tables);
  const inner = codes.map((code, row) => (IS_TABLE[code] && !tables[row] && inTable[row] ? 1 : 0));
  if (!inner.includes(1)) return codes;
  const inInner = elements.inside(inner);
  const div = Number(CODES.get("div"));
  return codes.map((code, row) => (inInner[row] && (IS_ROW[code] || IS_CELL[code]) ? div : code));
}

/**
 * A function that tells the column of a cell in a row; 0 if it is in none. Spans count as all of their columns.
 *
 * @param {Elements} elements
 * @param {Uint8Array} tables
 * @param {Uint8Array} codes
 * @returns {Generator<void, (row: number, cell: number) => number, void>}
 */
export function* cellColumns(elements, tables, codes) {
  const hasSpans = elements.code.some((code, row) => IS_CELL[code] && hasSpan(elements, row));
  yield;
  if (!hasSpans) {
    let count = 0;
    const before = Float64Array.from(codes, (code) => (count += IS_CELL[code]));
    return (row, cell) => (cell > row && row >= 0 ? before[cell] - before[row] - 1 : 0);
  }
  const columns = new Int32Array(elements.length);
  const tableAbove = elements.nearest(tables);
  const rowAbove = elements.nearest(coded(codes, IS_ROW));
  const cells = [...codes.keys()].filter((row) => IS_CELL[codes[row]] && tableAbove[row] >= 0);
  for (let first = 0, end = 0; first < cells.length; first = end) {
    yield;
    while (end < cells.length && tableAbove[cells[end]] === tableAbove[cells[first]]) end++;
    const own = cells.slice(first, end);
    withSpans(elements, own, rowAbove).forEach((column, place) => (columns[own[place]] = column));
  }
  return (_, cell) => columns[cell] ?? 0;
}

/** @param {Elements} elements @param {number} row */
const hasSpan = (elements, row) =>
  elements.attribute(row, "colspan") !== null || elements.attribute(row, "rowspan") !== null;

/**
 * The columns of the cells of one table. Columns in which no cell begins do not count.
 *
 * @param {Elements} elements
 * @param {number[]} cells
 * @param {Int32Array} rowAbove
 */
function withSpans(elements, cells, rowAbove) {
  let left = MOST_ADDED + ADDED_FOR_CELL * cells.length;
  let [column, row] = [0, -1];
  /** @type {number[]} */
  const found = [];
  /** @type {Map<number, number>} */
  let covered = new Map(); // by column: how many more rows a cell from above covers
  /** @type {Map<number, number>} */
  let coming = new Map(); // the same for the row after
  for (const cell of cells) {
    let [wide, high] = [span(elements, cell, "colspan"), span(elements, cell, "rowspan")];
    if (rowAbove[cell] !== row) {
      row = rowAbove[cell];
      column = 0;
      const all = new Map([...covered, ...coming]);
      covered = new Map();
      for (const [place, rest] of all) if (rest > 1) covered.set(place, rest - 1);
      coming = new Map();
    }
    while (covered.has(column)) column++;
    if (wide * high - 1 > left) wide = high = 1;
    left -= wide * high - 1;
    found.push(column);
    for (let place = column; high > 1 && place < column + wide; place++) coming.set(place, high);
    column += wide;
  }
  const number = new Map([...new Set(found)].sort((one, other) => one - other).map((place, rank) => [place, rank]));
  return found.map((place) => number.get(place) ?? 0);
}

/** @param {Elements} elements @param {number} row @param {string} name */
function span(elements, row, name) {
  const digits = stripped(elements.attribute(row, name) ?? "");
  const number = /^[0-9]{1,5}$/.test(digits) ? Number(digits) : 1;
  return Math.min(Math.max(number, 1), WIDEST);
}
