// A page as Python's parser read it, with as much of the DOM as the core needs to read it again. It takes no browser,
// and the two can't differ for what their parsers do.

/** @typedef {[tag: string, attributes: Record<string, string>, children: number]} Opened an element */
/** @typedef {Opened | string | number | null} Entry or a text, the number of nodes in a template, or a comment */

class Node {
  /** @param {number} kind */
  constructor(kind) {
    this.kind = kind;
    /** @type {Node[]} */
    this.inside = [];
    /** @type {Node | null} */
    this.before = null;
    this.data = "";
  }

  get nodeType() {
    return this.kind;
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
    node.before = this.lastChild;
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
    return Object.hasOwn(this.attributes, name) ? this.attributes[name] : null;
  }
}

Object.assign(globalThis, { Node, Element });

/** The root of a page. @param {Entry[]} entries in document order @returns {globalThis.Node | null} */
export function treeOf(entries) {
  const page = new Node(9);
  const open = [{ node: page, left: Infinity }];
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
  return /** @type {any} */ (page.inside.find((node) => node.kind === 1) ?? null);
}
