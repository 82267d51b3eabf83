// How leaves are separated on the page: by lines, list items, table rows and cells (src/tamis/render/layout.py).

/** @import {Elements} from "../page/elements.js" */
/** @import {Leaf, PageTable} from "../page/table.js" */

import { SPACE_CLASS } from "../characters.js";
import { BLOCK, CODES, lookup, OTHER, PREFORMATTED } from "../tags.js";
import { cellColumns, coded, dataTables, ownCodes } from "./data_tables.js";
import { tableCodes } from "./roles.js";

/** The separator between a leaf and the one before it. */
export const Break = Object.freeze({ NONE: 0, SPACE: 1, CELL: 2, LINE: 3, PARAGRAPH: 4 });
const BY_LINE_BREAKS = [Break.NONE, Break.LINE, Break.PARAGRAPH];

const IS_BLOCK = lookup(...BLOCK);
// Nobody sees the choices of a list, or the title of a drawing.
const IS_SHOWN_BLOCK = lookup(...[...BLOCK].filter((tag) => !["title", "option", "optgroup"].includes(tag)));
const IS_BR = lookup("br");
const IS_LIST = lookup("ul", "ol", "dl", "menu", "dir");
const IS_ITEM = lookup("li", "dt", "dd");
const IS_ROW = lookup("tr");
const IS_CELL = lookup("td", "th");
const IS_PRE = lookup(...PREFORMATTED);
const CONTROLS = ["button", "select", "textarea"];
const IS_CONTROL = lookup(...CONTROLS);
const space = `[${SPACE_CLASS}]{0,3}`;
const BLOCK_STYLE = new RegExp(
  `(?:^|[;${SPACE_CLASS}])display${space}:${space}(?:block|flex|grid|table|list-item)(?![\\p{L}\\p{N}_])`,
  "iu",
);

/**
 * @typedef {object} Layout columns over some leaves
 * @property {number[]} breaks the Break before each leaf; the first has none
 * @property {Map<number, number>} tabs for leaves that begin a table's cell: how many columns after the cell before
 * @property {boolean[]} followsText true if something between the leaf and the one before keeps their texts apart
 * @property {boolean[]} preformatted true if white space is kept
 */

/**
 * Computed in steps (Pace.finish), each of which is one pass over the page.
 *
 * @param {PageTable} table
 * @param {number[]} places of leaves, ascending
 * @returns {Generator<void, Layout, void>}
 */
export function* layoutOf(table, places) {
  const { elements } = table;
  const leaves = places.map((place) => table.leaves[place]);
  const codes = shownCodes(table, leaves.map(({ element }) => element));
  yield;
  const pre = elements.inside(coded(codes, IS_PRE));
  yield;
  const { breaks, isNewBlock } = breaksOf(table, codes, leaves);
  yield;
  joinItems(elements, codes, leaves, breaks, isNewBlock);
  yield;
  const tabs = yield* joinCells(table, codes, places, breaks);
  yield;
  return {
    breaks,
    tabs,
    followsText: followsOther(table, places),
    preformatted: leaves.map(({ element }) => pre[element] === 1),
  };
}

/**
 * The tag codes as the page is seen by a reader of the text in the elements `holders`. A form control beside text
 * stands in the line of that text, and a style can make any element a block.
 *
 * @param {PageTable} table
 * @param {number[]} holders
 * @returns {Uint8Array}
 */
export function shownCodes({ elements }, holders) {
  const { parent, styled } = elements;
  const code = tableCodes(elements);
  const blocks = styled.filter(([row, style]) => code[row] === OTHER && BLOCK_STYLE.test(style));
  const besideText = elements.has(...CONTROLS) ? elements.mask(holders) : null;
  const controls = besideText ? [...code.keys()].filter((row) => IS_CONTROL[code[row]] && besideText[parent[row]]) : [];
  if (!blocks.length && !controls.length) return code;
  const shown = code.slice();
  for (const row of controls) shown[row] = OTHER;
  for (const [row] of blocks) shown[row] = Number(CODES.get("div"));
  return shown;
}

/**
 * For each of these leaves: is there visible text, or white space before a medium, between it and the one before?
 *
 * @param {PageTable} table
 * @param {number[]} places
 */
export function followsOther({ leaves }, places) {
  let last = -1;
  return places.map((leaf) => {
    let follows = false;
    for (let each = last + 1; last >= 0 && each < leaf && !follows; each++) {
      const { gap, visible, isMedia } = leaves[each];
      follows = isMedia ? gap !== "" : visible;
    }
    last = leaf;
    return follows;
  });
}

/** For each element: how many elements up to it are in `table`. @param {Uint8Array} codes @param {Uint8Array} table */
function running(codes, table) {
  let sum = 0;
  return Float64Array.from(codes, (code) => (sum += table[code]));
}

/**
 * The breaks by blocks and by line breaks, and where the former are.
 *
 * @param {PageTable} table
 * @param {Uint8Array} codes
 * @param {Leaf[]} leaves
 */
function breaksOf({ elements, blocks: usual }, codes, leaves) {
  const blocks = codes === elements.code ? usual : elements.nearest(coded(codes, IS_BLOCK));
  const blocksOpened = running(codes, IS_SHOWN_BLOCK);
  const linesOpened = running(codes, IS_BR);
  const isNewBlock = new Array(leaves.length).fill(false);
  const breaks = leaves.map((leaf, at) => {
    if (!at) return Break.NONE;
    const before = leaves[at - 1];
    isNewBlock[at] =
      blocks[leaf.element] !== blocks[before.element] || blocksOpened[leaf.opened] > blocksOpened[before.opened];
    if (isNewBlock[at]) return Break.PARAGRAPH;
    return BY_LINE_BREAKS[Math.min(linesOpened[leaf.opened] - linesOpened[before.opened], 2)];
  });
  return { breaks, isNewBlock };
}

/** @param {number[]} rows @param {number} at */
const isSame = (rows, at) => at > 0 && rows[at] >= 0 && rows[at] === rows[at - 1];

/**
 * Put short list items on neighbouring lines; a blank line separates items of several blocks. Changes `breaks`.
 *
 * @param {Elements} elements
 * @param {Uint8Array} codes
 * @param {Leaf[]} leaves
 * @param {number[]} breaks
 * @param {boolean[]} isNewBlock
 */
function joinItems(elements, codes, leaves, breaks, isNewBlock) {
  const lists = outermost(elements, coded(codes, IS_LIST));
  const list = leaves.map(({ element }) => lists[element]);
  const inList = leaves.map((_, at) => isNewBlock[at] && isSame(list, at));
  if (!inList.includes(true)) return;
  const nearest = elements.nearest(coded(codes, IS_ITEM));
  const item = leaves.map(({ element }, at) => (list[at] >= 0 ? nearest[element] : -1));
  // An item is long if it holds a break of its own.
  const long = new Set(item.filter((_, at) => inList[at] && isSame(item, at)));
  inList.forEach((is, at) => {
    if (is && (isSame(item, at) || !(long.has(item[at]) || long.has(item[at - 1])))) breaks[at] = Break.LINE;
  });
}

/**
 * For each element: the row of the outermost element in `mask` that it is or stands in, else -1.
 *
 * @param {Elements} elements
 * @param {Uint8Array} mask
 */
function outermost(elements, mask) {
  const found = new Int32Array(elements.length).fill(-1);
  for (let row = 0; row < found.length; row++) {
    const parent = elements.parent[row];
    if (parent >= 0 && found[parent] >= 0) found[row] = found[parent];
    else if (mask[row]) found[row] = row;
  }
  return found;
}

/**
 * Put each row of a data table on one line. Changes `breaks`, returns the tabs that put its cells into their columns.
 *
 * @param {PageTable} table
 * @param {Uint8Array} shown
 * @param {number[]} places
 * @param {number[]} breaks
 * @returns {Generator<void, Map<number, number>, void>}
 */
function* joinCells(table, shown, places, breaks) {
  const { elements, leaves } = table;
  /** @type {Map<number, number>} */
  const tabs = new Map();
  const data = yield* dataTables(table, places, shown);
  if (!data.includes(1)) return tabs;
  const codes = ownCodes(elements, data, shown);
  const inData = elements.inside(data);
  const [tables, rows, cells] = [data, coded(codes, IS_ROW), coded(codes, IS_CELL)].map((mask) => {
    const nearest = elements.nearest(mask);
    return places.map((place) => (inData[leaves[place].element] ? nearest[leaves[place].element] : -1));
  });
  yield;
  const columnOf = yield* cellColumns(elements, data, codes);
  yield;
  let last = 0; // the column of the leaf before
  for (let at = 0; at < places.length; at++) {
    const column = columnOf(rows[at], cells[at]);
    const sameTable = isSame(tables, at);
    const sameRow = sameTable && isSame(rows, at);
    const sameCell = sameRow && isSame(cells, at);
    if (sameRow && !sameCell) breaks[at] = Break.CELL;
    else if (sameCell && breaks[at]) breaks[at] = Break.SPACE;
    else if (sameTable && breaks[at]) breaks[at] = Break.LINE;
    let count = sameCell ? 0 : sameRow ? column - last : column;
    if (at && breaks[at] === Break.CELL) count = Math.max(count, 1);
    else if (at) count = Math.max(count, 0);
    if (count) tabs.set(at, count);
    last = column;
  }
  return tabs;
}
