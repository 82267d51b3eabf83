// A page as Python's parser read it, with as much of the DOM as the core needs to read it again. It takes no browser,
// and the two can't differ for what their parsers do.

import { finished } from "../../../extension/src/core/pace.js";
import { Elements } from "../../../extension/src/core/page/elements.js";
import { PageTable } from "../../../extension/src/core/page/table.js";
import { walk } from "../../../extension/src/core/page/walk.js";
import { lookup } from "../../../extension/src/core/tags.js";

/** @typedef {[tag: string, attributes: Record<string, string>, children: number]} Opened an element */
/** @typedef {Opened | string | number | null} Entry or a text, the number of nodes in a template, or a comment */

/**
 * @typedef {object} Page as Python read it
 * @property {Entry[]} tree
 * @property {string | null} url
 * @property {boolean[]} visible for each leaf
 * @property {boolean[]} folded
 */

class Node {
  /** @param {number} kind */
  constructor(kind) {
    this.kind = kind;
    /** @type {Node[]} */
    this.inside = [];
    /** @type {Node | null} */
    this.before = null;
    /** @type {Node | null} */
    this.after = null;
    /** @type {Node | null} */
    this.above = null;
    this.data = "";
  }

  get nodeType() {
    return this.kind;
  }

  get ownerDocument() {
    return null;
  }

  /** @returns {Node | null} */
  get lastChild() {
    return this.inside.at(-1) ?? null;
  }

  get previousSibling() {
    return this.before;
  }

  /** @returns {string} */
  get textContent() {
    return this.data + this.inside.map((node) => node.textContent).join("");
  }

  /** @param {Node} node */
  add(node) {
    node.above = this;
    node.before = this.lastChild;
    if (node.before) node.before.after = node;
    this.inside.push(node);
  }
}

class Element extends Node {
  /** @type {Node | null} */
  content = null; // of a template

  /** @param {string} tag @param {Record<string, string>} attributes */
  constructor(tag, attributes) {
    super(1);
    this.tag = tag;
    this.attributes = attributes;
  }

  get localName() {
    return this.tag;
  }

  getAttributeNames() {
    return Object.keys(this.attributes);
  }

  /** @param {string} name */
  getAttribute(name) {
    return this.hasAttribute(name) ? this.attributes[name] : null;
  }

  /** @param {string} name */
  hasAttribute(name) {
    return Object.hasOwn(this.attributes, name);
  }

  /** @param {string} selector a list of selectors such as p, sup.name and [id^='a']:not([id*='b']) */
  closest(selector) {
    const simple = /(:not\()?(?:\[([\w-]+)(?:(.?)='([^']*)')?\]|([.]?)([\w-]+))/g;
    const parts = selector.split(",").map((one) => [...one.matchAll(simple)]);
    /** @type {Node | null} */
    let at = this;
    for (; at instanceof Element; at = at.above) {
      if (parts.some((each) => /** @type {Element} */ (at).fits(each))) return at;
    }
    return null;
  }

  /** @param {RegExpExecArray[]} parts of one selector */
  fits(parts) {
    return parts.every(([, not, name, sign, value, dot, word]) => {
      const given = this.attributes[name ?? "class"];
      if (word) return dot ? given?.split(/\s+/).includes(word) : this.tag === word;
      const isThere = given !== undefined && (value === undefined || holds(given, sign, value));
      return isThere !== Boolean(not);
    });
  }

  get previousElementSibling() {
    let node = this.before;
    while (node && node.kind !== 1) node = node.before;
    return node;
  }

  get nextElementSibling() {
    let node = this.after;
    while (node && node.kind !== 1) node = node.after;
    return node;
  }

  get children() {
    return this.inside.filter((node) => node.kind === 1);
  }

  getElementsByTagName() {
    return []; // only their number is asked for, to tell how far reading is
  }
}

/** @param {string} given @param {string} sign @param {string} value */
function holds(given, sign, value) {
  return sign === "^" ? given.startsWith(value) : sign === "*" ? given.includes(value) : given === value;
}

class Document extends Node {
  defaultView = null;

  constructor() {
    super(9);
  }

  get documentElement() {
    return this.inside.find((node) => node.kind === 1) ?? null;
  }
}

Object.assign(globalThis, { Node, Element });

/** The table of a page. @param {Page} page */
export function tableOf({ tree, url, visible, folded }) {
  const raw = finished(walk(documentOf(tree).documentElement, { live: false, expected: tree.length }));
  const elements = new Elements(raw);
  const linked = elements.inside(elements.coded(lookup("a")));
  const leaves = raw.leaves.map((leaf, place) => {
    return { ...leaf, visible: visible[place], folded: folded[place], inLink: linked[leaf.element] === 1 };
  });
  if (leaves.length !== visible.length) throw new RangeError(`${leaves.length} leaves; ${visible.length} in Python`);
  return new PageTable(elements, leaves, url);
}

/** @param {Entry[]} entries in document order @returns {globalThis.Document} */
export function documentOf(entries) {
  const page = new Document();
  /** @type {{node: Node, left: number}[]} */
  const open = [{ node: page, left: Infinity }]; // the innermost last
  for (const entry of entries) {
    while (!open[open.length - 1].left) open.pop();
    const around = open[open.length - 1];
    around.left--;
    if (typeof entry === "number") {
      // The content of a <template> is a child of it in Python and beside its children in browsers.
      const content = new Node(11);
      /** @type {Element} */ (around.node).content = content;
      open.push({ node: content, left: entry });
      continue;
    }
    const node = entry === null ? new Node(8) : typeof entry === "string" ? new Node(3) : new Element(entry[0], entry[1]);
    if (typeof entry === "string") node.data = entry;
    around.node.add(node);
    if (Array.isArray(entry)) open.push({ node, left: entry[2] });
  }
  return /** @type {any} */ (page);
}
