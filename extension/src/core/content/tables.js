// A table of data as rows with as many cells each, for Markdown.

const MOST_COLUMNS = 100;

/** @typedef {HTMLTableCellElement | null} Cell null where a row has fewer cells than another */
/** @typedef {{title: Cell, head: Cell[] | null, rows: Cell[][]}} Grid `title` is the only cell of a first row */

/** @param {HTMLTableElement} table @returns {Grid} */
export function gridOf(table) {
  const places = [...spread([...table.rows])];
  const width = Math.max(0, ...places.map((row) => row.length));
  // A column in which no cell begins is there for a span alone.
  const columns = [...Array(width).keys()].filter((column) =>
    places.some((row, at) => row[column] && row[column] !== row[column - 1] && row[column] !== places[at - 1]?.[column]),
  );
  const full = places.map((row) => columns.map((column) => row[column] ?? null)).filter((row) => row.some(hasContent));
  const isWhole = (/** @type {Cell[]} */ row) => row.length > 1 && row.every((cell) => cell && cell === row[0]);
  const title = full.length > 1 && isWhole(full[0]) ? full[0][0] : null;
  // A cell over all columns is written once.
  const rows = (title ? full.slice(1) : full).map((row) => (isWhole(row) ? row.map((cell, at) => (at ? null : cell)) : row));
  return isHead(rows) ? { title, head: rows[0], rows: rows.slice(1) } : { title, head: null, rows };
}

/** The cells of each row, one that spans several places in each of them. @param {HTMLTableRowElement[]} rows */
function* spread(rows) {
  /** @type {Map<number, {cell: Cell, left: number}>} */
  let hanging = new Map(); // by column: a cell from above, and how many rows it has left
  for (const { cells } of rows) {
    /** @type {Cell[]} */
    const row = [];
    /** @type {typeof hanging} */
    const below = new Map();
    const put = (/** @type {Cell} */ cell, /** @type {number} */ left) => {
      if (left) below.set(row.length, { cell, left });
      row.push(cell);
    };
    const hang = () => {
      for (let above; (above = hanging.get(row.length)); ) put(above.cell, above.left - 1);
    };
    for (const cell of cells) {
      hang();
      const [wide, high] = [within(cell.colSpan, MOST_COLUMNS), within(cell.rowSpan, rows.length)];
      for (let width = wide; width > 0 && row.length < MOST_COLUMNS; width--) put(cell, high - 1);
    }
    hang();
    hanging = below;
    yield row;
  }
}

/** A span; one beyond the table is a mistake. @param {number} span @param {number} most */
const within = (span, most) => (span <= most ? span : 1);

/** @param {Cell} cell */
const hasContent = (cell) => Boolean(cell && (cell.textContent?.trim() || cell.querySelector("img, math, input")));

/** Is the first row one of headers? @param {Cell[][]} rows */
function isHead([first, ...others]) {
  if (!first || !others.length) return Boolean(first?.every((cell) => cell?.localName === "th"));
  if (first.some((cell) => cell?.closest("thead")) || first.slice(1).some((cell) => cell?.localName === "th")) return true;
  if (first.every((cell) => cell?.querySelector("strong, b, h1, h2, h3, h4, h5, h6"))) return true;
  const hasNumber = (/** @type {Cell} */ cell) => /\d/.test(cell?.textContent ?? "");
  return !first.some(hasNumber) && first.every(hasContent) && others.every((row) => row.slice(1).some(hasNumber));
}
