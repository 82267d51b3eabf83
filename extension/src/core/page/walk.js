// The tree to tables in one pass, as `walk` of src/tamis/document/parse.py.

import { isBlank } from "../characters.js";
import { CoreError } from "../errors.js";
import { STEPS } from "../pace.js";
import { codeOf, LAST_CODE, LAST_PREFORMATTED, LAST_SPECIAL } from "../tags.js";
import { CDATA, ELEMENT, FRAGMENT, lastChild, localName, nodeType, previousSibling, shadowRoot, TEXT } from "./dom.js";
import { hides } from "./hidden.js";
import { bodyOf } from "./live.js";

const CLOSE = Symbol("close");

// As MAX_TAGS in src/tamis/document/table.py: beyond it a page is not a page.
const MOST_ELEMENTS = 1_000_000;

/**
 * @typedef {object} Raw
 * @property {string[]} tag one row an element
 * @property {number[]} parent
 * @property {number[]} end
 * @property {number[]} childNodes
 * @property {Node[]} node
 * @property {number[]} frames rows of frames whose pages are read
 * @property {number[]} hidden rows that an attribute of their own hides
 * @property {import("./table.js").Leaf[]} leaves
 */

/**
 * Fill the tables. Children are put aside before the first of them is read, so a page that changes while the walk
 * rests is read as one of its states or as a mixture, and never makes the walk go astray.
 *
 * @param {Node | null} root an Element, or a ShadowRoot, which counts as the template that would declare it
 * @param {{live: boolean, pace: import("../pace.js").Pace, expected: number}} options `expected` nodes, for progress
 * @returns {Promise<Raw>}
 */
export async function walk(root, { live, pace, expected }) {
  const writer = new Writer();
  const bodies = new Set(); // of frames: each stands as a div, for a page has one body
  /** @type {(Node | typeof CLOSE)[]} */
  const todo = root ? [root] : []; // the next one last
  for (let step = 0; todo.length; step++) {
    if (step % STEPS === 0 && pace.due) await pace.rest(Math.min(live ? 0.5 : 1, step / expected));
    const node = todo.pop();
    const kind = node === CLOSE ? CLOSE : nodeType(node);
    if (kind === TEXT || kind === CDATA) {
      writer.text(node);
    } else if (kind === CLOSE) {
      writer.close();
    } else if (kind === ELEMENT || kind === FRAGMENT) {
      const tag = kind === FRAGMENT ? "template" : bodies.has(node) ? "div" : localName(node);
      const body = live && kind === ELEMENT ? bodyOf(node, tag) : null;
      const shadow = live && kind === ELEMENT ? shadowRoot(node) : null; // an open one
      // What a <template> holds hangs below a fragment, which is its one child to Python's parser.
      const isTemplate = tag === "template" && (kind === FRAGMENT || node.content);
      todo.push(CLOSE);
      const before = todo.length;
      if (body) todo.push(body);
      else pushChildren(todo, (isTemplate && node.content) || node);
      if (shadow) todo.push(shadow);
      writer.open(node, tag, isTemplate ? 1 : todo.length - before, Boolean(body));
      if (body) bodies.add(body);
    } else {
      writer.endText(); // a comment stands between two texts
    }
  }
  return writer.raw;
}

function pushChildren(todo, node) {
  for (let child = lastChild(node); child; child = previousSibling(child)) todo.push(child);
}

class Writer {
  /** @type {Raw} */
  raw = { tag: [], parent: [], end: [], childNodes: [], node: [], frames: [], hidden: [], leaves: [] };
  #element = -1; // the row that is open
  #gap = "";
  #verbatim = false; // there was preformatted text, in which every blank counts
  #source = -1; // the last element of code
  #medium = -1; // the last media leaf: while it is open, media inside it are part of it
  /** @type {Node[]} */
  #run = []; // neighbouring Text nodes, which are one text: browsers cut at 65,536 characters, scripts anywhere

  open(node, tag, count, isFrame) {
    this.endText();
    const raw = this.raw;
    const row = raw.tag.length;
    if (row >= MOST_ELEMENTS) throw new CoreError("too-large", `the page has more than ${MOST_ELEMENTS} elements`);
    raw.tag.push(tag);
    raw.parent.push(this.#element);
    raw.end.push(0);
    raw.childNodes.push(count);
    raw.node.push(node);
    if (isFrame) raw.frames.push(row);
    if (nodeType(node) === ELEMENT && hides(node)) raw.hidden.push(row);
    const code = codeOf(tag);
    if (code <= LAST_CODE) {
      this.#source = row;
    } else if (code <= LAST_PREFORMATTED) {
      this.#gap = ""; // white space before it says nothing
      this.#verbatim = true;
    } else if (code <= LAST_SPECIAL && !isFrame && (this.#medium < 0 || raw.end[this.#medium])) {
      this.#medium = row;
      this.#leaf([node], "", row, row, true);
    }
    this.#element = row;
  }

  close() {
    this.endText();
    this.raw.end[this.#element] = this.raw.tag.length;
    this.#element = this.raw.parent[this.#element];
  }

  text(node) {
    // Code is no leaf, and not worth copying.
    if (this.#element !== this.#source && node.data) this.#run.push(node);
  }

  endText() {
    const nodes = this.#run;
    if (!nodes.length) return;
    this.#run = [];
    const text = nodes.length === 1 ? nodes[0].data : nodes.map((node) => node.data).join("");
    if (isBlank(text)) this.#gap = this.#verbatim ? this.#gap + text : text;
    else this.#leaf(nodes, text, this.#element, this.raw.tag.length - 1, false);
  }

  #leaf(nodes, text, element, opened, isMedia) {
    const later = { visible: true, folded: false, inLink: false }; // known when the tables are whole
    this.raw.leaves.push({ node: nodes[0], nodes, text, gap: this.#gap, element, opened, isMedia, ...later });
    this.#gap = "";
  }
}
