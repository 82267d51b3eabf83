// Blocks of code: <pre> and what highlighters and editors write instead of it (src/tamis/render/content/code.py).

/** @import {Marks} from "./marks.js" */
/** @import {Child} from "./node.js" */
/** @import {Source} from "./source.js" */

import { SPACE_CLASS } from "../characters.js";
import { CODES, HEADINGS, lookup } from "../tags.js";
import { known, language, table } from "./language.js";
import { ascending, codeOf } from "./lines.js";
import { marksOf } from "./marks.js";
import { Node } from "./node.js";
import { placeOf } from "./source.js";

const PRE = ["pre", "listing", "xmp", "plaintext"];
const GUTTERS = new Set(table.gutters);
const INLINE = new Set(["b", "code", "em", "font", "i", "kbd", "samp", "span", "strong", "tt"]);
// An element with one of these in it is no code, whatever its style says.
const IS_PROSE = lookup(...HEADINGS, "img", "picture", "blockquote", "iframe", "video", "figure");
const BR = CODES.get("br");

const PRE_STYLE = new RegExp(`white-space:[${SPACE_CLASS}]*(pre(?:-wrap)?)(?![\\p{L}\\p{N}_-])`, "u");
const FIXED_FONT = /font-family:[^;]*(?:mono|courier|consolas|menlo)/i;
const STYLED = new Set(["div", "p", "span", "code", "td", "section"]);
const PARAGRAPHS = new Set(["p", "div", "li", "td", "dd", "figure", "section", "blockquote"]);
// How far above a block its table, and the elements that hold nothing else, are looked for.
const LEVELS = 6;
// The bar above a block: its name, its language, its buttons.
const MOST_BAR_LEAVES = 4;
const BAR_TAGS = new Set(["div", "span", "small"]);
const BAR_LEVELS = 3;
const NO_BARS = new Set(["body", "article", "main", "td", "li"]);

/** The blocks of code of a page. @param {Source} source @returns {Generator<void, Marks | null, void>} */
export function* codeBlocks(source) {
  const found = candidates(source);
  if (!found.size) return null;
  const finder = new Finder(source);
  for (const row of [...found.keys()].sort((one, other) => one - other)) {
    yield;
    finder.add(row, String(found.get(row)));
  }
  return finder.marks;
}

/** The elements that may be blocks of code, by what speaks for it. @param {Source} source */
function candidates(source) {
  const { tags, classes } = source;
  /** @type {Map<number, string>} */
  const found = new Map();
  const put = (/** @type {number[] | undefined} */ rows, /** @type {string} */ why) => {
    for (const row of rows ?? []) found.set(row, why);
  };
  for (const [row, style] of source.elements.styled) if (source.needed[row] && PRE_STYLE.test(style)) put([row], "style");
  const { code, end } = source.elements;
  put(tags.get("code")?.filter((row) => code.subarray(row, end[row]).includes(Number(BR))), "br");
  for (const name of table.cells) put(classes.get(name), "cell");
  for (const name of table.containers) put(classes.get(name), "container");
  for (const tag of PRE) put(tags.get(tag), "pre");
  return found;
}

/** Collects the marks of a page, candidate by candidate in document order. */
class Finder {
  marks = marksOf();
  end = 0; // of the last block
  /** @type {Map<number, boolean>} */
  tables = new Map(); // is it a table of code?

  /** @param {Source} source */
  constructor(source) {
    this.source = source;
  }

  /** Mark the block of one candidate, if it is one. @param {number} row @param {string} why */
  add(row, why) {
    if (row < this.end) return;
    const block = this.block(row, why);
    const { code, titles } =
      block < 0 ? { code: "", titles: [] } : codeOf(this.source, why === "br" ? row : block, why === "br");
    if (!code || (why === "style" && !this.isBlock(row, code))) {
      if (why === "pre") this.marks.named.set(row, new Node("div"));
      return;
    }
    const own = this.source.forText ? "" : language(this.source, block);
    const label = this.label(block, own);
    /** @type {Record<string, string>} */
    const attributes = own || label ? { language: own || label } : {};
    const pre = new Node("pre", attributes, [code], block);
    if (titles.length) {
      /** @type {Child[]} */
      const content = [...titles.map((title) => new Node("p", {}, [title])), pre];
      this.marks.replaced.set(block, new Node("div", {}, content, block));
      this.marks.text.set(block, [...titles, code].join("\n\n"));
    } else {
      this.marks.replaced.set(block, pre);
    }
    this.end = this.source.elements.end[block];
  }

  /** The element to write as the block, -1 if there is none. @param {number} row @param {string} why */
  block(row, why) {
    const { source } = this;
    if (why === "container") return !source.classNames(row).includes("fragment") || this.hasLines(row) ? row : -1;
    if (why === "br") return this.alone(row);
    if (why === "style") return row;
    const codeTable = this.codeTable(row);
    if (codeTable >= 0) return codeTable;
    if (why === "cell" || this.isProse(row)) return -1;
    let block = row;
    for (let level = 0; level < LEVELS; level++) {
      const above = source.elements.parent[block];
      if (!INLINE.has(source.tag(above)) || !source.holdSame(above, block)) break;
      block = above;
    }
    return block;
  }

  /** @param {number} row */
  hasLines(row) {
    return this.source.children(row).slice(0, 3).some((child) => this.source.classNames(child).includes("line"));
  }

  /** A `code` with line breaks is a block if nothing stands beside it in its paragraph. @param {number} row */
  alone(row) {
    const { source } = this;
    const { parent } = source.elements;
    let inner = row;
    while (INLINE.has(source.tag(parent[inner])) && source.holdSame(parent[inner], inner)) inner = parent[inner];
    const above = parent[inner];
    if (!PARAGRAPHS.has(source.tag(above)) || !source.holdSame(above, inner)) return -1;
    return source.tag(above) === "p" ? above : inner;
  }

  /** Is a <pre> without lines of its own, around headings, pictures and the like? @param {number} row */
  isProse(row) {
    if (!this.holdsProse(row)) return false;
    const { blocks } = this.source.table;
    const [first, last] = this.source.leafRange(row);
    return this.source.leaves.slice(first, last).every(({ element, isMedia }) => isMedia || blocks[element] !== row);
  }

  /** @param {number} row */
  holdsProse(row) {
    const { code, end } = this.source.elements;
    return code.subarray(row, end[row]).some((each) => IS_PROSE[each]);
  }

  /** Is an element with `white-space: pre` code? @param {number} row @param {string} code */
  isBlock(row, code) {
    const { source } = this;
    const tag = source.tag(row);
    const style = source.attribute(row, "style") ?? "";
    if (!STYLED.has(tag) || this.holdsProse(row)) return false;
    const isWrapped = PRE_STYLE.exec(style)?.[1] !== "pre"; // editors set pre-wrap for prose
    const isFixed = tag === "code" || FIXED_FONT.test(style);
    if ((isWrapped || tag === "p") && !isFixed) return false;
    return code.includes("\n") || (isFixed && tag === "div");
  }

  /** The table around that has a column of line numbers, else -1. @param {number} row */
  codeTable(row) {
    const { source } = this;
    let above = row;
    let isCell = false;
    for (let level = 0; level < LEVELS + 2 && above >= 0; level++) {
      const tag = source.tag(above);
      if (tag === "table") {
        if (!this.tables.has(above)) this.tables.set(above, isCell && this.hasGutter(above));
        return this.tables.get(above) ? above : -1;
      }
      isCell ||= tag === "td" || tag === "th";
      above = source.elements.parent[above];
    }
    return -1;
  }

  /** Does each row of several cells begin with the number of a line? @param {number} holder a table */
  hasGutter(holder) {
    const { source } = this;
    const firsts = [];
    for (let row = holder + 1; row < source.elements.end[holder]; row++) {
      if (source.tag(row) !== "tr") continue;
      const cells = source.children(row);
      if (cells.length > 1) firsts.push(cells[0]);
    }
    if (!firsts.length) return false;
    if (firsts.every((cell) => this.isGutter(cell))) return true;
    return firsts.length === 1 && ascending(source.text(firsts[0]));
  }

  /** @param {number} cell */
  isGutter(cell) {
    const { source } = this;
    for (let row = cell; row < Math.min(source.elements.end[cell], cell + 4); row++) {
      if (source.classNames(row).some((name) => GUTTERS.has(name))) return true;
    }
    return ["data-line-number", "data-linenumber"].some((name) => source.attribute(cell, name) !== null);
  }

  /**
   * The language that the bar of a block names. The label is skipped if it says only that.
   *
   * @param {number} block
   * @param {string} name
   */
  label(block, name) {
    const { source } = this;
    const { parent, end } = source.elements;
    for (const label of table.labels) {
      const rows = source.classes.get(label) ?? [];
      const row = rows[placeOf(rows, block)];
      if (row !== undefined && row < end[block]) return known(source.text(row));
    }
    const [innerFirst, innerLast] = source.leafRange(block);
    let above = parent[block];
    for (let level = 0; level < BAR_LEVELS && above >= 0 && !NO_BARS.has(source.tag(above)); level++) {
      const [first, last] = source.leafRange(above);
      if (last - first - (innerLast - innerFirst) > MOST_BAR_LEAVES) break;
      for (let leaf = first; leaf < last; leaf++) {
        if (leaf === innerFirst && innerLast > innerFirst) leaf = innerLast;
        if (leaf >= last) break;
        const { element: holder, text } = source.leaves[leaf];
        const label = known(text);
        const [holderFirst, holderLast] = source.leafRange(holder);
        if (!label || !BAR_TAGS.has(source.tag(holder)) || holderLast - holderFirst !== 1) continue;
        if (name === "" || name === label || known(name) === label) {
          this.marks.skipped.add(holder);
          return label;
        }
      }
      above = parent[above];
    }
    return "";
  }
}
