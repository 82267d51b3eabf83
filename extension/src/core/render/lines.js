// The lines of a block of code, without what highlighters put beside them: line numbers, buttons, prompts, titles
// (src/tamis/render/content/lines.py).

/** @import {Source} from "./source.js" */

import {
  folded, isBlank, isSpace, length, SPACE_CLASS, split, stripped, strippedEnd, withoutEnd, withoutStart,
} from "../characters.js";
import { BLOCK, CODE, lookup } from "../tags.js";
import { table } from "./language.js";

const GUTTERS = new Set(table.gutters);
const TOOLS = new Set(table.tools);
const TITLES = new Set(table.titles);
const UNSELECTABLE = new Set(table.unselectable);
const LINES = new Set(table.lines);

const NO_CODE_TAGS = new Set([...CODE, "button", "select", "textarea", "clipboard-copy", "template", "svg"]);
const IS_TABLE_TAG = lookup("table", "thead", "tbody", "tfoot", "tr", "ol", "ul"); // white space in them is not shown
// Each of these begins on a line of its own. The cells of a row are one line.
const NO_LINE_TAGS = ["td", "th", "tbody", "thead", "tfoot", "col", "colgroup", "button", "select", "textarea"];
const LINE_TAGS = new Set([...BLOCK].filter((tag) => !NO_LINE_TAGS.includes(tag)));
const IS_LINE_TAG = lookup(...LINE_TAGS);

// Line numbers, and the signs of added and removed lines beside them.
const NUMBERS = new RegExp(`^[${SPACE_CLASS}0-9.:|+-]*$`);
const NO_SELECT = new RegExp(`user-select:[${SPACE_CLASS}]*none`);
const BLOCK_STYLE = new RegExp(`display:[${SPACE_CLASS}]*block`);
const LINE_END = "\r"; // of a <br>; parsers read no other
// Prompts and marks that can't be selected are short.
const LONGEST_MARK = 16;

/** @typedef {{code: string, titles: string[]}} Code a block of code, and the names of files in the same element */

/**
 * The code in an element. `folds`: its lines end in <br>, and white space is shown as in prose.
 *
 * @param {Source} source
 * @param {number} row
 * @param {boolean} folds
 * @returns {Code}
 */
export function codeOf(source, row, folds) {
  const reader = new Reader(source, row);
  let raw = plainText(source, row) ?? reader.read();
  let lines;
  if (folds) {
    lines = raw.replace(/[ \t\n]+/g, " ").split(LINE_END).map((line) => withoutStart(withoutEnd(line, " "), " "));
  } else {
    const breaks = raw.split(LINE_END).length - 1;
    // Written by a program that breaks each line twice.
    if (breaks > 1 && breaks === raw.split("\n").length - 1 && breaks === raw.split(`${LINE_END}\n`).length - 1) {
      raw = raw.replaceAll("\n", "");
    }
    lines = raw.replaceAll(LINE_END, "\n").split("\n");
  }
  lines = lines.map((line) => line.replaceAll("\xa0", " ").replaceAll(/[\u200b\ufeff]/g, ""));
  const code = lines.map((line) => (isBlank(line) ? "" : line)).join("\n");
  return { code: strippedEnd(withoutStart(code, "\n")), titles: reader.titles };
}

/** The text of an element that is one text, in a `code` or not; else null. @param {Source} source @param {number} row */
function plainText(source, row) {
  const leaves = source.leavesIn(row);
  const { gap, isMedia, text } = source.leaves[leaves[0]] ?? {};
  if (leaves.length !== 1 || gap || isMedia) return null;
  const end = source.elements.end[row];
  return end === row + 1 || (end === row + 2 && source.tag(row + 1) === "code") ? text : null;
}

/** @param {Set<string>} set @param {string[]} names */
const hasAny = (set, names) => names.some((name) => set.has(name));

/** Reads one block. */
class Reader {
  /** @param {Source} source @param {number} row */
  constructor(source, row) {
    this.source = source;
    this.row = row;
    const [first, last] = source.leafRange(row);
    this.first = first;
    this.last = last;
    /** @type {string[]} */
    this.titles = [];
    /** @type {number[] | undefined} */
    this.wordsBefore = undefined;
    /** @type {Map<number, boolean>} elements that hold a text of their own: is it shown or kept? */
    this.holders = new Map();
    for (let leaf = this.first; leaf < this.last; leaf++) {
      const { element, visible, folded: isFolded } = source.leaves[leaf];
      this.holders.set(element, visible || isFolded || source.keep[leaf] === 1);
    }
    /** @type {Map<number, boolean>} */
    this.linesIn = new Map();
  }

  read() {
    const { source } = this;
    const { end, parent } = source.elements;
    const parts = [];
    let breaks = 0; // how many lines have ended
    let atStart = true; // of a line
    let skipped = 0; // the element that is no code, and its end
    let skippedTo = 0;
    /** @type {[row: number, end: number][]} */
    const blocks = []; // open ones
    let ended = false; // a block has ended on this line
    let spaceAfter = ""; // a gutter or a prompt
    /** @type {Map<number, [kind: string, breaks: number]>} */
    const last = new Map(); // by parent: the kind of its last line, and how many had ended before
    for (const [row, content] of source.content(this.row)) {
      if (skipped <= row && row < skippedTo) continue;
      for (let block; (block = blocks.at(-1)) && !(block[0] <= row && row < block[1]); ended = true) blocks.pop();
      if (content === null) {
        const tag = source.tag(row);
        if (tag === "br") {
          parts.push(ended && !atStart ? `\n${LINE_END}` : LINE_END);
          [breaks, atStart, ended] = [breaks + 1, true, false];
          continue;
        }
        const names = source.classNames(row);
        if (this.isNoCode(row, tag, names)) {
          [skipped, skippedTo] = [row, end[row]];
          spaceAfter = this.isNumber(row) ? "\xa0" : " \xa0";
          continue;
        }
        const isBlock = LINE_TAGS.has(tag) || BLOCK_STYLE.test(source.attribute(row, "style") ?? "");
        if (!isBlock && !hasAny(LINES, names)) continue;
        let kind = tag;
        if (names.length && tag !== "li" && tag !== "tr") kind += ` ${withoutEnd(names[0], "0123456789")}`;
        const before = last.get(parent[row]);
        if ((isBlock && !atStart) || (before && before[0] === kind && before[1] === breaks)) {
          parts.push("\n");
          [breaks, atStart, ended] = [breaks + 1, true, false];
        }
        last.set(parent[row], [kind, breaks]);
        if (isBlock) blocks.push([row, end[row]]);
        continue;
      }
      let text = content;
      if (this.holders.get(row) === false || (isSpace(text) && this.isBetweenLines(row))) continue;
      if (text && spaceAfter.includes(text[0])) text = text.slice(1);
      spaceAfter = "";
      if (!text) continue;
      if (ended && !atStart) {
        parts.push("\n");
        breaks++;
      }
      ended = false;
      parts.push(text);
      breaks += text.split("\n").length - 1;
      atStart = text.endsWith("\n");
    }
    return parts.join("");
  }

  /** @param {number} row @param {string} tag @param {string[]} names */
  isNoCode(row, tag, names) {
    const { source } = this;
    if (NO_CODE_TAGS.has(tag) || hasAny(TOOLS, names)) return true;
    if (tag === "caption" || tag === "figcaption" || hasAny(TITLES, names)) {
      this.titles.push(folded(source.text(row)));
      return true;
    }
    if (hasAny(GUTTERS, names) && this.isNumber(row)) return true;
    const number = source.attribute(row, "data-line-number");
    if (number !== null && this.isShort(row) && ["", stripped(number)].includes(stripped(source.text(row)))) return true;
    if (tag === "a") return this.isShort(row) && isNumbered(source, row);
    if (
      source.attribute(row, "aria-hidden") === "true" ||
      hasAny(UNSELECTABLE, names) ||
      NO_SELECT.test(source.attribute(row, "style") ?? "")
    ) {
      return this.isShort(row);
    }
    return (tag === "td" || tag === "th") && this.isGutterCell(row);
  }

  /** Is it the first of several cells, with nothing but ascending numbers? @param {number} row */
  isGutterCell(row) {
    const { parent, end } = this.source.elements;
    const isFirst = row === parent[row] + 1 && end[row] < end[parent[row]];
    return isFirst && this.isNumber(row) && ascending(this.source.text(row));
  }

  /** Does an element hold nothing but numbers? @param {number} row */
  isNumber(row) {
    if (!this.wordsBefore) {
      this.wordsBefore = [0];
      for (let leaf = this.first, words = 0; leaf < this.last; leaf++) {
        words += NUMBERS.test(this.source.leaves[leaf].text) ? 0 : 1;
        this.wordsBefore.push(words);
      }
    }
    const [first, last] = this.source.leafRange(row);
    return first >= last || this.wordsBefore[last - this.first] === this.wordsBefore[first - this.first];
  }

  /** @param {number} row */
  isShort(row) {
    const [first, last] = this.source.leafRange(row);
    let sum = 0;
    for (let leaf = first; leaf < last && leaf < first + 4; leaf++) sum += length(this.source.leaves[leaf].text);
    return last - first < 4 && sum <= LONGEST_MARK;
  }

  /** Is white space in this element only between the elements of lines? @param {number} row */
  isBetweenLines(row) {
    if (this.holders.has(row)) return false;
    const known = this.linesIn.get(row);
    if (known !== undefined) return known;
    const { code } = this.source.elements;
    const children = this.source.children(row);
    const isLine = (/** @type {number} */ child) => IS_LINE_TAG[code[child]] === 1;
    const isEmpty = (/** @type {number} */ child) => this.source.leafRange(child).every((leaf, _, [first]) => leaf === first);
    const found =
      IS_TABLE_TAG[code[row]] === 1 ||
      (children.some(isLine) && children.every((child) => isLine(child) || isEmpty(child)));
    this.linesIn.set(row, found);
    return found;
  }
}

/** Are these the numbers of lines, each one more than the one before? @param {string} text */
export function ascending(text) {
  const words = split(text);
  return words.length > 0 && words.every((word, place) => {
    return /^[0-9]{1,6}$/.test(word) && Number(word) === Number(words[0]) + place;
  });
}

/** Is the text of a link the number of a line, which is its own target? @param {Source} source @param {number} row */
function isNumbered(source, row) {
  const number = stripped(source.text(row));
  if (!/^[0-9]+$/.test(number)) return false;
  const names = ["href", "id", "name"].map((name) => source.attribute(row, name) ?? "");
  return names.some((name) => name.endsWith(number)) && (names[0].startsWith("#") || !names[0]);
}
