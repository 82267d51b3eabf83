// From the DOM to tables in one pass, as `walk` of tamis/document/parse.py.

/** @import {Steps} from "../pace.js" */
/** @import {Leaf} from "./table.js" */

import { isBlank } from "../characters.js";
import { CoreError } from "../errors.js";
import { STEPS } from "../pace.js";
import { codeOf, LAST_CODE, LAST_PREFORMATTED, LAST_SPECIAL } from "../tags.js";
import {
  CDATA,
  ELEMENT,
  FRAGMENT,
  getAttribute,
  isElement,
  lastChild,
  localName,
  nodeType,
  previousSibling,
  shadowRoot,
  TEXT,
} from "./dom.js";
import { bodyOf } from "./live.js";

const CLOSE = Symbol("close");

// Of elements and of leaves: the same limit as MAX_ELEMENTS in tamis/document/table.py.
const MOST = 300_000;

/**
 * @typedef {object} Raw
 * @property {string[]} tag one row an element
 * @property {number[]} parent
 * @property {number[]} end
 * @property {number[]} childNodes
 * @property {Node[]} node
 * @property {number[]} frames rows of frames whose pages are read
 * @property {Leaf[]} leaves
 */

/**
 * Fill the tables. The children of a node are put on the stack before the first of them is read. A page that changes
 * between two steps is therefore read in one of its states or in a mixture, and the walk always ends.
 *
 * @param {Node | null} root an Element, or a ShadowRoot, which counts as the template that would declare it
 * @param {{live: boolean, expected: number}} options `expected` is the number of steps, for progress
 * @returns {Steps<Raw>} throws a CoreError if there are too many elements
 */
export function* walk(root, { live, expected }) {
  const writer = new Writer();
  const bodies = new Set(); // of frames: each becomes a div, because a page has one body
  /** @type {(Node | typeof CLOSE)[]} */
  const todo = root ? [root] : []; // the next one last
  for (let step = 0; todo.length; step++) {
    if (step % STEPS === 0) yield Math.min(live ? 0.5 : 1, step / expected);
    const node = /** @type {Node | typeof CLOSE} */ (todo.pop());
    if (node === CLOSE) {
      writer.close();
      continue;
    }
    const kind = nodeType(node);
    if (kind === TEXT || kind === CDATA) {
      writer.text(/** @type {Text} */ (node));
    } else if (kind === ELEMENT || kind === FRAGMENT) {
      const element = kind === ELEMENT ? /** @type {Element} */ (node) : null;
      const tag = !element ? "template" : bodies.has(node) ? "div" : localName(element);
      const body = live && element ? bodyOf(element, tag) : null;
      const shadow = live && element ? shadowRoot(element) : null; // an open one
      // Python's parser puts the content of a <template> below a fragment, its only child.
      const content = tag === "template" && element ? /** @type {HTMLTemplateElement} */ (element).content : null;
      const isTemplate = tag === "template" && (!element || content);
      todo.push(CLOSE);
      if (body) todo.push(body);
      const count = body ? 1 : pushChildren(todo, content || node);
      if (shadow) todo.push(shadow);
      writer.open(node, tag, isTemplate ? 1 : count + Number(Boolean(shadow)), Boolean(body));
      if (body) bodies.add(body);
    } else {
      writer.endText(); // a comment separates two texts
    }
  }
  return writer.raw;
}

/** Returns their number; neighbouring texts count as one, since a browser cuts long ones. @param {(Node | typeof CLOSE)[]} todo @param {Node} node */
function pushChildren(todo, node) {
  let [count, after] = [0, 0];
  for (let child = lastChild(node); child; child = previousSibling(child)) {
    const kind = nodeType(child);
    if (kind !== TEXT || after !== TEXT) count++;
    after = kind;
    todo.push(child);
  }
  return count;
}

/**
 * True for a script that holds a formula for MathJax. It is a medium: the page shows it in its place.
 *
 * @param {Node} node
 * @param {string} tag
 */
function isFormula(node, tag) {
  return tag === "script" && isElement(node) && (getAttribute(node, "type") ?? "").toLowerCase().startsWith("math/tex");
}

class Writer {
  /** @type {Raw} */
  raw = { tag: [], parent: [], end: [], childNodes: [], node: [], frames: [], leaves: [] };
  #element = -1; // the row that is open
  #gap = "";
  #verbatim = false; // there was preformatted text, in which all white space counts
  #source = -1; // the last script or style element
  #medium = -1; // the last media leaf: while it is open, media inside belong to it
  /** @type {Text[]} */
  #texts = []; // neighbouring Text nodes, which are one text: browsers cut long ones, scripts cut anywhere

  /** @param {Node} node @param {string} tag @param {number} count of its child nodes @param {boolean} isFrame */
  open(node, tag, count, isFrame) {
    this.endText();
    const raw = this.raw;
    const row = raw.tag.length;
    if (row >= MOST) throw new CoreError("too-large", `the page has more than ${MOST} elements`);
    raw.tag.push(tag);
    raw.parent.push(this.#element);
    raw.end.push(0);
    raw.childNodes.push(count);
    raw.node.push(node);
    if (isFrame) raw.frames.push(row);
    const code = codeOf(tag);
    if (code <= LAST_CODE) {
      this.#source = row;
      if (isFormula(node, tag) && (this.#medium < 0 || raw.end[this.#medium])) this.#leaf([node], "", row, row, true);
    } else if (code <= LAST_PREFORMATTED) {
      this.#gap = ""; // white space before it does not count
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

  /** @param {Text} node */
  text(node) {
    // Scripts and styles are not leaves.
    if (this.#element !== this.#source && node.data) this.#texts.push(node);
  }

  endText() {
    const nodes = this.#texts;
    if (!nodes.length) return;
    this.#texts = [];
    const text = nodes.length === 1 ? nodes[0].data : nodes.map((node) => node.data).join("");
    if (isBlank(text)) this.#gap = this.#verbatim ? this.#gap + text : text;
    else this.#leaf(nodes, text, this.#element, this.raw.tag.length - 1, false);
  }

  /**
   * @param {Node[]} nodes
   * @param {string} text
   * @param {number} element
   * @param {number} opened
   * @param {boolean} isMedia
   */
  #leaf(nodes, text, element, opened, isMedia) {
    const { leaves } = this.raw;
    if (leaves.length >= MOST) throw new CoreError("too-large", `the page has more than ${MOST} texts and media`);
    const [node, gap] = [nodes[0], this.#gap];
    // The last three are set when the tables are complete.
    leaves.push({ node, nodes, text, gap, element, opened, isMedia, visible: true, folded: false, inLink: false });
    this.#gap = "";
  }
}
