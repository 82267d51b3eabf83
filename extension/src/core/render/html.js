// The content tree as clean HTML (src/tamis/render/html.py). Nothing in it runs, and links are absolute if the page's
// address is known.

/** @import {Labels} from "../labels.js" */
/** @import {PageTable} from "../page/table.js" */
/** @import {Child} from "./node.js" */

import { stripped } from "../characters.js";
import { mathmlOf } from "./formulas.js";
import { Node } from "./node.js";
import { attributesOf, escaped } from "./safe.js";
import { contentTree } from "./tree.js";

const VOID = new Set(["br", "hr", "img", "input"]);

/**
 * The main content as an HTML fragment, in steps (Pace.finish).
 *
 * @param {PageTable} table
 * @param {Labels} labels
 * @param {{url?: string | null}} [options]
 * @returns {Generator<void, string, void>}
 */
export function* htmlOf(table, labels, options) {
  return yield* writtenTree(yield* contentTree(table, labels, options));
}

/** A tree as HTML, in steps (Pace.finish). @param {Node} tree @returns {Generator<void, string, void>} */
export function* writtenTree(tree) {
  const pieces = [];
  for (const piece of written(tree.children)) {
    yield;
    pieces.push(piece);
  }
  return stripped(pieces.join(""));
}

/**
 * The HTML of some nodes, in pieces. Without recursion, because pages may be nested deeper than the call stack.
 *
 * @param {Child[]} children
 * @returns {Generator<string, void, void>}
 */
export function* written(children) {
  /** @type {(Child | {closing: string})[]} */
  const todo = [...children].reverse();
  const plain = new Plain();
  for (let node; (node = todo.pop()) !== undefined; ) {
    if (typeof node === "string") {
      yield escaped(node);
    } else if ("closing" in node) {
      yield node.closing;
    } else {
      const { name, attributes, children: inside } = plain.node(node);
      yield `<${name}${attributesOf(attributes)}>`;
      if (VOID.has(name)) continue;
      todo.push({ closing: `</${name}>` });
      for (let place = inside.length - 1; place >= 0; place--) todo.push(inside[place]);
    }
  }
}

/** Nodes of the content as elements of HTML, asked in document order. */
export class Plain {
  /** @type {Set<string>} */
  #referred = new Set(); // the notes that have been referred to

  /** The element for a node. What is in it may be content again. @param {Node} node @returns {Node} */
  node(node) {
    const { name, attributes, children } = node;
    switch (name) {
      case "p": // around a block, which a style made, it would end there
        return children.some(isBlock) ? new Node("div", attributes, children) : node;
      case "pre":
        return codeBlock(node);
      case "li":
        return "checked" in attributes ? task(node) : node;
      case "callout":
        return callout(node);
      case "note-reference":
        return this.#reference(attributes.id);
      case "notes":
        return new Node("section", { role: "doc-endnotes" }, [new Node("ol", {}, children)]);
      case "note":
        return new Node("li", { id: `fn-${attributes.id}` }, children);
      case "embed":
        return embed(node);
      case "formula":
        return formula(node);
      default:
        return node;
    }
  }

  /** @param {string} id */
  #reference(id) {
    /** @type {Record<string, string>} */
    const values = { href: `#fn-${id}` };
    if (!this.#referred.has(id)) values.id = `fnref-${id}`;
    this.#referred.add(id);
    return new Node("sup", {}, [new Node("a", { ...values, role: "doc-noteref" }, [id])]);
  }
}

/** @param {Child} node */
const isBlock = (node) => typeof node !== "string" && (node.name === "div" || node.name === "p");

/** @param {Node} node */
function codeBlock({ attributes: { language }, children }) {
  return new Node("pre", {}, [new Node("code", language ? { class: `language-${language}` } : {}, children)]);
}

/** @param {Node} node */
function task({ attributes: { checked, ...others }, children }) {
  const box = new Node("input", { type: "checkbox", disabled: "", ...(checked === "true" ? { checked: "" } : {}) });
  return new Node("li", others, [box, " ", ...children]);
}

/** @param {Node} node */
function callout({ attributes: { kind, title }, children }) {
  const shown = title || kind[0].toUpperCase() + kind.slice(1);
  const above = new Node("p", { class: "callout-title" }, [shown]);
  return new Node("div", { role: "note", class: `callout callout-${kind}` }, [above, ...children]);
}

/** @param {Node} node */
function embed({ attributes: { src = "", title = "", kind } }) {
  if (kind === "video" || kind === "audio") return new Node(kind, { src, controls: "" });
  return new Node("iframe", { src, title, sandbox: "" });
}

/** @param {Node} node */
function formula(node) {
  const { tex = "", display } = node.attributes;
  const annotation = new Node("annotation", { encoding: "application/x-tex" }, [tex]);
  const semantics = new Node("semantics", {}, [...mathmlOf(node), ...(tex ? [annotation] : [])]);
  return new Node("math", display === undefined ? {} : { display: "block" }, [semantics]);
}
