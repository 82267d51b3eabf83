// The kept part of a page, as recognisers read it (src/tamis/render/content/source.py).
//
// A recogniser is a function `(source: Source) => Marks | null` as in Python, in steps. What a property of Python
// computes once is a getter here that does the same.

/** @import {PageTable} from "../page/table.js" */
/** @import {Child} from "./node.js" */

import { folded as joined, isSpace, SPACE_CLASS, split } from "../characters.js";
import * as dom from "../page/dom.js";
import { lookup } from "../tags.js";
import { baseOf } from "./links.js";
import { Node } from "./node.js";
import { tableCodes } from "./roles.js";

// Trees are read by recursion. What is nested deeper is read as its text.
const DEEPEST = 60;

const IS_CELL = lookup("td", "th");
const IS_ROW = lookup("tr");
const IS_VOID = lookup("br", "hr");

// Marks where a line may be broken. In scripts of South-East Asia some divide words and stay.
const UNSEEN = /[\u00ad\u2060\ufeff]|(?<![\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff])\u200b/g;
// Most texts have none of these and are returned as they are.
const TO_FOLD = new RegExp(`  |[\\u00ad\\u200b\\u2060\\ufeff]|(?! )[${SPACE_CLASS}]`);

/** A text with its white space folded, and without marks that nobody sees. @param {string} text */
export function folded(text) {
  if (!TO_FOLD.test(text)) return text;
  const inner = seen(joined(text));
  const before = isSpace(text.slice(0, 1)) ? " " : "";
  const after = isSpace(text.slice(-1)) ? " " : "";
  return inner ? before + inner + after : before || after;
}

/** A text without marks that nobody sees. @param {string} text */
export const seen = (text) => text.replace(UNSEEN, "");

/** Elements that hold kept leaves, by tag and by class, and what is in them. */
export class Source {
  /**
   * @param {PageTable} table
   * @param {Uint8Array} keep 1 for each kept leaf
   * @param {string | null} [url]
   * @param {boolean} [forText] plain text shows no languages of code
   */
  constructor(table, keep, url = table.url, forText = false) {
    this.forText = forText;
    this.table = table;
    this.keep = keep;
    this.url = url;
    this.elements = table.elements;
    this.leaves = table.leaves;
  }

  /** @type {number[] | undefined} */
  #kept;
  /** @type {string | null | undefined} */
  #base;
  /** @type {Uint8Array | undefined} */
  #holds;
  /** @type {Uint8Array | undefined} */
  #needed;
  /** @type {number[] | undefined} */
  #rows;
  /** @type {Map<string, number[]> | undefined} */
  #tags;
  /** @type {Map<string, number[]> | undefined} */
  #classes;

  /** Compute what takes long, in steps (Pace.finish). @returns {Generator<void, void, void>} */
  *prepare() {
    for (const name of /** @type {const} */ (["kept", "holds", "rows", "tags"])) {
      void this[name];
      yield;
    }
    this.#classes = new Map();
    for (const row of this.rows) {
      yield;
      for (const name of this.classNames(row)) put(this.#classes, name, row);
    }
  }

  /** The kept leaves. */
  get kept() {
    this.#kept ??= [...this.leaves.keys()].filter((leaf) => this.keep[leaf]);
    return this.#kept;
  }

  /** The base of relative links. */
  get base() {
    if (this.#base === undefined) this.#base = baseOf(this.table, this.url);
    return this.#base;
  }

  /** For each element: does it hold a kept leaf? */
  get holds() {
    if (!this.#holds) {
      const held = new Float64Array(this.elements.length);
      for (const leaf of this.kept) held[this.leaves[leaf].element]++;
      this.#holds = Uint8Array.from(this.elements.sums(held), (sum) => (sum > 0 ? 1 : 0));
    }
    return this.#holds;
  }

  /** For each element: does it hold a kept leaf, is it an empty cell, or a <br> or <hr> between kept leaves? */
  get needed() {
    this.#needed ??= this.#findNeeded();
    return this.#needed;
  }

  #findNeeded() {
    const { elements, leaves, keep } = this;
    const codes = tableCodes(elements);
    const needed = this.holds.slice();
    const shown = [...leaves.keys()].filter((leaf) => keep[leaf] || (leaves[leaf].visible && !leaves[leaf].isMedia));
    let after = 0; // the first shown leaf that does not come before the element
    for (let row = 0; row < elements.length; row++) {
      const code = codes[row];
      const parent = elements.parent[row];
      // Empty cells stay, so that those after them stay in their columns.
      if (IS_CELL[code] && parent >= 0 && IS_ROW[codes[parent]] && this.holds[parent]) needed[row] = 1;
      if (!IS_VOID[code]) continue;
      // A <br> or <hr> stays if the shown leaves before and after it are kept.
      while (after < shown.length && leaves[shown[after]].opened < row) after++;
      if (keep[shown[after - 1]] && keep[shown[after]]) needed[row] = 1;
    }
    return needed;
  }

  /** The rows of needed elements, in document order. */
  get rows() {
    const needed = this.forText ? this.holds : this.needed;
    this.#rows ??= [...needed.keys()].filter((row) => needed[row]);
    return this.#rows;
  }

  /** The rows of each tag, of needed elements. */
  get tags() {
    if (!this.#tags) {
      this.#tags = new Map();
      for (const row of this.rows) put(this.#tags, this.elements.tag[row], row);
    }
    return this.#tags;
  }

  /** The rows of each class, of needed elements. Class names are as written. */
  get classes() {
    if (!this.#classes) {
      this.#classes = new Map();
      for (const row of this.rows) for (const name of this.classNames(row)) put(this.#classes, name, row);
    }
    return this.#classes;
  }

  /** The tag of any element. @param {number} row */
  tag(row) {
    return this.elements.tag[row];
  }

  /** An attribute of any element, or null. @param {number} row @param {string} name */
  attribute(row, name) {
    return this.elements.attribute(row, name);
  }

  /** The classes of any element. @param {number} row */
  classNames(row) {
    const names = this.elements.attribute(row, "class");
    return names ? split(names) : [];
  }

  /** The rows of the child elements. @param {number} row */
  children(row) {
    const found = [];
    const end = this.elements.end[row];
    for (let child = row + 1; child < end; child = this.elements.end[child]) found.push(child);
    return found;
  }

  /** All leaves in an element, kept or not, shown or not; media count once. @param {number} row @returns {number[]} */
  leavesIn(row) {
    const [first, last] = this.leafRange(row);
    return Array.from({ length: last - first }, (_, place) => first + place);
  }

  /** The first leaf in an element and the one after the last. @param {number} row @returns {[number, number]} */
  leafRange(row) {
    const [first, end] = [this.#leafFrom(row), this.#leafFrom(this.elements.end[row])];
    let last = end;
    while (first < last && this.leaves[last - 1].element < row) last--; // text behind it, before another is opened
    return [first, last];
  }

  /** Have two elements the same leaves? @param {number} one @param {number} other */
  holdSame(one, other) {
    const [[first, last], [otherFirst, otherLast]] = [this.leafRange(one), this.leafRange(other)];
    return last - first === otherLast - otherFirst && (first === otherFirst || first === last);
  }

  /** The first leaf before which this element or a later one was opened. @param {number} row */
  #leafFrom(row) {
    let [low, high] = [0, this.leaves.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.leaves[middle].opened < row) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** All text in an element as it is written, shown or not, with the white space between texts. @param {number} row */
  text(row) {
    return this.leavesIn(row)
      .map((leaf, place) => (place ? this.leaves[leaf].gap : "") + this.leaves[leaf].text)
      .join("");
  }

  /**
   * All below an element as it is, white space too: texts with the rows of the elements that hold them, and elements
   * with their rows and null.
   *
   * @param {number} row
   * @returns {Generator<[row: number, text: string | null], void, void>}
   */
  *content(row) {
    const { node: nodes, end } = this.elements;
    const rows = new Map();
    for (let each = row; each < end[row]; each++) rows.set(nodes[each], each);
    /** @type {{node: globalThis.Node, holder: number}[]} */
    const todo = [];
    const push = (/** @type {number} */ holder) => {
      const content = this.tag(holder) === "template" ? /** @type {HTMLTemplateElement} */ (nodes[holder]).content : null;
      for (let node = dom.lastChild(content ?? nodes[holder]); node; node = dom.previousSibling(node)) {
        todo.push({ node, holder });
      }
    };
    push(row);
    for (let next; (next = todo.pop()); ) {
      const kind = dom.nodeType(next.node);
      const inner = rows.get(next.node);
      if (kind === dom.TEXT || kind === dom.CDATA) {
        yield [next.holder, /** @type {Text} */ (next.node).data];
      } else if (inner !== undefined) {
        yield [inner, null];
        push(inner);
      }
    }
  }

  /** The source in a script element, which is no leaf. @param {number} row */
  script(row) {
    return dom.textContent(this.elements.node[row]) ?? "";
  }

  /**
   * An element as a plain tree: tags as names, the wanted attributes, texts as they are, shown or not. Deeply nested
   * elements are read as their text.
   *
   * @param {number} row
   * @param {string[]} [attributes]
   */
  subtree(row, attributes = []) {
    return this.#subtree(row, attributes, 0);
  }

  /** @param {number} row @param {string[]} attributes @param {number} depth @returns {Node} */
  #subtree(row, attributes, depth) {
    /** @type {Record<string, string>} */
    const values = {};
    for (const name of attributes) {
      const value = this.attribute(row, name);
      if (value !== null) values[name] = value;
    }
    if (depth === DEEPEST) return new Node(this.tag(row), values, [this.text(row)], row);
    /** @type {{opened: number, child: Child}[]} */
    const content = this.children(row).map((child) => {
      return { opened: child, child: this.#subtree(child, attributes, depth + 1) };
    });
    for (const leaf of this.leavesIn(row)) {
      const { element, opened, gap, text, isMedia } = this.leaves[leaf];
      if (element === row && !isMedia) content.push({ opened, child: gap + text });
    }
    content.sort((one, other) => one.opened - other.opened); // stable: an element before the text behind it
    return new Node(this.tag(row), values, content.map(({ child }) => child), row);
  }
}

/** @param {Map<string, number[]>} map @param {string} key @param {number} row */
function put(map, key, row) {
  const rows = map.get(key);
  if (rows) rows.push(row);
  else map.set(key, [row]);
}

/** The place of the first of some ascending rows that is not smaller. @param {number[]} rows @param {number} row */
export function placeOf(rows, row) {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle] < row) low = middle + 1;
    else high = middle;
  }
  return low;
}
