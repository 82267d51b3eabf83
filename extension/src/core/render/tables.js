// A table of the content tree as a grid, and its header row (src/tamis/render/content/tables.py).

/** @import {Marks} from "./marks.js" */
/** @import {Child} from "./node.js" */
/** @import {Source} from "./source.js" */

import { folded, length, SPACE_CLASS, stripped } from "../characters.js";
import { marksOf } from "./marks.js";
import { Node } from "./node.js";
import { tableParts } from "./roles.js";
import { placeOf } from "./source.js";

const SECTIONS = new Set(["thead", "tbody", "tfoot"]);
const CELLS = new Set(["td", "th"]);

// A hostile page can ask for billions of cells. So much is a span at most, and so many places may be covered beside the
// table's own cells, with some more for each of these; further spans count as one cell.
const WIDEST = 100;
const MOST_ADDED = 100;
const ADDED_FOR_CELL = 16;
const MOST_PADDED = 10_000; // places of a table whose shorter rows are filled up
const MOST_TITLES = 3; // rows of one cell above a header

// Elements that can't stand in a line of Markdown. One alone is written as its content.
const BLOCKS = new Set(
  (
    "blockquote callout dd details div dl dt embed figcaption figure hr li note notes ol pre section table ul p h1 h2 " +
    "h3 h4 h5 h6 address article aside footer header hgroup main nav summary caption"
  ).split(" "),
);
const LINES = new Set("p div section h1 h2 h3 h4 h5 h6 figure address article".split(" "));
const BOLD = new Set(["b", "strong", "h1", "h2", "h3", "h4", "h5", "h6"]);

// "1,234.5", "+3 %", "$12", "(4)", "12 km"
const WORD = "\\p{L}\\p{N}_";
const NUMBER = new RegExp(
  `^[^${WORD}]{0,4}[0-9][0-9.,'${SPACE_CLASS}\\u2009\\u202f]{0,24}[^${WORD}]{0,4}[\\p{L}\\p{Nl}\\p{No}_]{0,4}[^${WORD}]{0,2}$`,
  "u",
);
const YEAR = /^(?:19|20)[0-9]{2}$/;
const LONGEST_HEADER = 80;

/** @typedef {(Node | null)[]} Row */

/**
 * A table: rows of places, equally many but in huge tables. null where there is no cell, or one for the whole row.
 *
 * @typedef {object} Grid
 * @property {Node[]} captions the caption, and rows above the header that are one cell
 * @property {Row[]} rows
 * @property {number} headers how many of the rows are headers
 * @property {boolean} isInline can each cell be written in one line?
 */

/** The grid of a table. @param {Node} table @returns {Grid} */
export function gridOf(table) {
  const { captions, sections } = sectionsOf(table);
  /** @type {Row[]} */
  let rows = [];
  let inHead = 0;
  let count = 0;
  for (const { rows: section } of sections) for (const cells of section) count += cells.length;
  let left = MOST_ADDED + ADDED_FOR_CELL * count;
  /** @type {Set<number>} */
  const begins = new Set(); // the columns in which a cell begins
  for (const { name, rows: section } of sections) {
    const placed = placedCells(section, left, begins);
    left = placed.left;
    for (const row of placed.rows) rows.push(row);
    if (name === "thead" && rows.length === inHead + placed.rows.length) inHead = rows.length;
  }
  const columns = [...begins].sort((one, other) => one - other);
  rows = rows.map((row) => columns.slice(0, placeOf(columns, row.length)).map((column) => row[column]));
  if (rows.length * columns.length <= MOST_PADDED + ADDED_FOR_CELL * count) {
    rows = rows.map((row) => [...row, ...new Array(columns.length - row.length).fill(null)]);
  }
  const isShown = rows.map((row) => row.some(isFilled));
  inHead = isShown.slice(0, inHead).filter(Boolean).length;
  rows = rows.filter((_, place) => isShown[place]);
  let titles = 0;
  const most = Math.min(MOST_TITLES, rows.length - 1);
  while (titles < most && isOne(rows[titles]) && headersOf(rows.slice(titles + 1), inHead - titles - 1)) {
    titles++;
  }
  for (const [cell] of rows.slice(0, titles)) if (cell) captions.push(cell);
  rows = rows.slice(titles);
  const headers = headersOf(rows, inHead - titles);
  rows = rows.map((row) => (isOne(row) ? [row[0], ...new Array(row.length - 1).fill(null)] : row));
  const cells = new Set(rows.flat());
  return { captions, rows, headers, isInline: [...cells].every((cell) => cell === null || linesOf(cell) !== null) };
}

/** @param {Node | null} cell */
const isFilled = (cell) =>
  cell !== null && cell.children.some((child) => typeof child !== "string" || stripped(child) !== "");

/** Is a row one cell over several columns? @param {Row} row */
const isOne = (row) => row.length > 1 && row[0] !== null && row.every((cell) => cell === row[0]);

/** @typedef {{name: string, rows: Node[][]}} Section */

/** The captions of a table, and the cells of its rows by section. Footers come last. @param {Node} table */
function sectionsOf(table) {
  /** @type {Node[]} */
  const captions = [];
  /** @type {Section[]} */
  const sections = [];
  /** @type {{node: Child, section: string}[]} */
  const todo = [];
  const push = (/** @type {Child[]} */ children, /** @type {string} */ section) => {
    for (let place = children.length - 1; place >= 0; place--) todo.push({ node: children[place], section });
  };
  push(table.children, "");
  for (let next; (next = todo.pop()); ) {
    const { node, section } = next;
    if (typeof node === "string") {
      if (stripped(node)) captions.push(new Node("caption", {}, [node])); // ARIA's tables may hold anything
    } else if (node.name === "caption" || node.name === "table") {
      captions.push(node);
    } else if (node.name === "tr") {
      if (sections.at(-1)?.name !== section) sections.push({ name: section, rows: [] });
      sections[sections.length - 1].rows.push(cellsOf(node));
    } else if (SECTIONS.has(node.name)) {
      sections.push({ name: node.name, rows: [] });
      push(node.children, node.name);
    } else {
      push(node.children, section);
    }
  }
  const isFooter = (/** @type {Section} */ { name }) => name === "tfoot";
  return { captions, sections: [...sections.filter((each) => !isFooter(each)), ...sections.filter(isFooter)] };
}

/** @param {Node} row */
function cellsOf(row) {
  /** @type {Node[]} */
  const cells = [];
  /** @type {Child[]} */
  const todo = [...row.children].reverse();
  for (let node; (node = todo.pop()) !== undefined; ) {
    if (typeof node === "string") {
      if (stripped(node)) cells.push(new Node("td", {}, [node]));
    } else if (CELLS.has(node.name)) {
      cells.push(node);
    } else {
      for (let place = node.children.length - 1; place >= 0; place--) todo.push(node.children[place]);
    }
  }
  return cells;
}

/**
 * The rows of one section with each cell at all of its places, and how many more places may be covered.
 *
 * @param {Node[][]} section
 * @param {number} budget
 * @param {Set<number>} begins
 */
function placedCells(section, budget, begins) {
  let left = budget;
  /** @type {Map<number, {cell: Node, rest: number}>} */
  let covered = new Map(); // by column: a cell from above, and how many rows it still covers
  /** @type {Row[]} */
  const rows = [];
  for (const [number, cells] of section.entries()) {
    /** @type {Row} */
    const row = [];
    for (const cell of cells) {
      for (let above; (above = covered.get(row.length)); ) row.push(above.cell);
      let wide = span(cell, "colspan", 1);
      let high = Math.min(span(cell, "rowspan", 0) || WIDEST, section.length - number);
      if (wide * high - 1 > left) wide = high = 1;
      left -= wide * high - 1;
      begins.add(row.length);
      for (let count = 0; count < wide; count++) {
        if (high > 1) covered.set(row.length, { cell, rest: high });
        row.push(cell);
      }
    }
    const beyond = [...covered.keys()].filter((column) => column >= row.length).sort((one, other) => one - other);
    for (const column of beyond) {
      while (row.length < column) row.push(null);
      row.push(covered.get(column)?.cell ?? null);
    }
    rows.push(row);
    const still = [...covered].filter(([, { rest }]) => rest > 1);
    covered = new Map(still.map(([column, { cell, rest }]) => [column, { cell, rest: rest - 1 }]));
  }
  return { rows, left };
}

/**
 * A colspan or rowspan; 1 if it is invalid. `every` is the answer to 0.
 *
 * @param {Node} cell
 * @param {string} name
 * @param {number} every
 */
function span({ attributes }, name, every) {
  const digits = stripped(attributes[name] ?? "");
  const number = /^[0-9]{1,5}$/.test(digits) ? Number(digits) : 1;
  return number ? Math.min(number, WIDEST) : every;
}

/**
 * How many rows at the top are headers: those of the head or all of `th`, or else a first row that looks so.
 *
 * @param {Row[]} rows
 * @param {number} inHead
 */
function headersOf(rows, inHead) {
  if (!rows.length) return 0;
  if (inHead > 0) return inHead;
  let named = 0;
  while (named < rows.length && allTh(rows[named])) named++;
  if (named) return named < rows.length ? named : 1;
  return rows.length > 1 && looksLikeHeader(rows) ? 1 : 0;
}

/** @param {Row} row */
function allTh(row) {
  const filled = row.filter(isFilled);
  const isLone = row.length > 1 && filled.length === 1; // the header of its row
  return filled.length > 0 && !isLone && filled.every((cell) => cell?.name === "th");
}

/** Is the first row bold, or text over numbers? @param {Row[]} rows */
function looksLikeHeader(rows) {
  const first = rows[0].map(textOf);
  if (first.length < 2 || isOne(rows[0]) || !first.slice(1).every(Boolean)) return false;
  if (first.some((text) => length(text) > LONGEST_HEADER)) return false;
  if (rows[0].every((cell, column) => cell === null || isBold(cell) || !first[column])) {
    return !rows[1].every((cell) => cell === null || isBold(cell));
  }
  if (rows.length < 3) return false;
  if (first.slice(1).every((text) => YEAR.test(text)) && !isNumber(first[0])) return true;
  if (first.some(isNumber)) return false;
  for (let column = 1; column < Math.min(first.length, WIDEST); column++) {
    const below = rows.slice(1).map((row) => textOf(row[column] ?? null)).filter(Boolean);
    if (below.length > 1 && below.every(isNumber)) return true;
  }
  return false;
}

/** @param {Node | null} cell */
const textOf = (cell) => (cell ? folded(cell.text()) : "");

/** @param {string} text */
const isNumber = (text) => length(text) <= 40 && NUMBER.test(text);

/** Is all text of a cell bold? @param {Node} cell */
function isBold(cell) {
  /** @type {Child[]} */
  const todo = [...cell.children];
  let found = false;
  for (let node; (node = todo.pop()) !== undefined; ) {
    if (typeof node === "string") {
      if (stripped(node)) return false;
    } else if (BOLD.has(node.name)) {
      found = true;
    } else {
      for (const child of node.children) todo.push(child);
    }
  }
  return found;
}

/**
 * The lines of a cell, each of inline nodes; null if it holds a list, code or several paragraphs.
 *
 * @param {Node} cell
 * @returns {Child[][] | null}
 */
export function linesOf(cell) {
  const [only, ...others] = cell.children.filter((child) => typeof child !== "string" || stripped(child));
  if (only !== undefined && !others.length && typeof only !== "string" && LINES.has(only.name)) return linesOf(only);
  /** @type {Child[][]} */
  const found = [];
  let isOpen = false; // more of the same line may follow
  for (const child of cell.children) {
    if (typeof child === "string" && !isOpen && !stripped(child)) continue;
    if (typeof child !== "string") {
      for (const each of child.walk()) if (each !== child && BLOCKS.has(each.name)) return null;
      if (child.name === "br") {
        isOpen = false;
        continue;
      }
      if (BLOCKS.has(child.name)) {
        if (child.name !== "div") return null;
        found.push(child.children);
        isOpen = false;
        continue;
      }
    }
    if (!isOpen) found.push([]);
    found[found.length - 1].push(child);
    isOpen = true;
  }
  return found;
}

/**
 * Tables that are none of HTML, by ARIA's roles.
 *
 * @param {Source} source
 * @returns {Generator<void, Marks | null, void>}
 */
export function* roleTables(source) {
  const parts = tableParts(source.elements);
  if (!parts.size) return null;
  const marks = marksOf();
  for (const [row, name] of parts) {
    yield;
    /** @type {Record<string, string>} */
    const spans = {};
    for (const key of CELLS.has(name) ? ["colspan", "rowspan"] : []) {
      const value = source.attribute(row, `aria-${key}`);
      if (value) spans[key] = value;
    }
    marks.named.set(row, new Node(name, spans));
  }
  return marks;
}
