// The content tree as clean HTML (src/tamis/render/html.py). Nothing in it runs, and links are absolute if the page's
// address is known.

/** @import {Labels} from "../labels.js" */
/** @import {PageTable} from "../page/table.js" */
/** @import {Child, Node} from "./node.js" */

import { stripped } from "../characters.js";
import { attributesOf, escaped } from "./safe.js";
import { contentTree } from "./tree.js";

const VOID = new Set(["br", "hr", "img"]);

/**
 * The main content as an HTML fragment, in steps (Pace.finish).
 *
 * @param {PageTable} table
 * @param {Labels} labels
 * @param {{url?: string | null}} [options]
 * @returns {Generator<void, string, void>}
 */
export function* htmlOf(table, labels, options) {
  const tree = yield* contentTree(table, labels, options);
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
  const referred = new Set(); // the notes that have been referred to
  for (let node; (node = todo.pop()) !== undefined; ) {
    if (typeof node === "string") {
      yield escaped(node);
    } else if ("closing" in node) {
      yield node.closing;
    } else if (node.name === "note-reference") {
      yield noteReference(node, !referred.has(node.attributes.id));
      referred.add(node.attributes.id);
    } else {
      const [opening, closing] = (WRITERS.get(node.name) ?? element)(node);
      yield opening;
      if (closing === null) continue;
      todo.push({ closing });
      for (let place = node.children.length - 1; place >= 0; place--) todo.push(node.children[place]);
    }
  }
}

/** @typedef {[opening: string, closing: string | null]} Ends without an end, the content is not written */

/** @param {Node} node @returns {Ends} */
function element({ name, attributes }) {
  return [`<${name}${attributesOf(attributes)}>`, VOID.has(name) ? null : `</${name}>`];
}

/** @param {Node} node @returns {Ends} */
function codeBlock({ attributes: { language } }) {
  const named = language ? attributesOf({ class: `language-${language}` }) : "";
  return [`<pre><code${named}>`, "</code></pre>"];
}

/** @param {Node} node @returns {Ends} */
function item({ attributes: { checked, ...others } }) {
  const box = { type: "checkbox", disabled: "", ...(checked === "true" ? { checked: "" } : {}) };
  return [`<li${attributesOf(others)}>${checked ? `<input${attributesOf(box)}> ` : ""}`, "</li>"];
}

/** @param {Node} node @returns {Ends} */
function callout({ attributes: { kind, title } }) {
  const around = attributesOf({ role: "note", class: `callout callout-${kind}` });
  const shown = title || kind[0].toUpperCase() + kind.slice(1);
  return [`<div${around}><p class="callout-title">${escaped(shown)}</p>`, "</div>"];
}

/** @param {Node} node @param {boolean} isFirst */
function noteReference({ attributes: { id } }, isFirst) {
  const values = { href: `#fn-${id}`, ...(isFirst ? { id: `fnref-${id}` } : {}), role: "doc-noteref" };
  return `<sup><a${attributesOf(values)}>${escaped(id)}</a></sup>`;
}

/** @param {Node} node @returns {Ends} */
function embed({ attributes: { src = "", title = "", kind = "" } }) {
  if (kind === "video" || kind === "audio") {
    return [`<${kind}${attributesOf({ src, controls: "" })}></${kind}>`, null];
  }
  return [`<iframe${attributesOf({ src, title, sandbox: "" })}></iframe>`, null];
}

/** @param {Node} node @returns {Ends} */
function formula({ attributes: { tex = "", display }, children }) {
  const content = [...written(children)].join("");
  const annotation = tex ? `<annotation encoding="application/x-tex">${escaped(tex)}</annotation>` : "";
  const shown = display === undefined ? "" : ' display="block"';
  return [`<math${shown}><semantics><mrow>${content}</mrow>${annotation}</semantics></math>`, null];
}

/** @type {Map<string, (node: Node) => Ends>} */
const WRITERS = new Map([
  ["pre", codeBlock],
  ["li", item],
  ["callout", callout],
  ["embed", embed],
  ["formula", formula],
  ["notes", () => ['<section role="doc-endnotes"><ol>', "</ol></section>"]],
  ["note", ({ attributes: { id } }) => [`<li${attributesOf({ id: `fn-${id}` })}>`, "</li>"]],
]);
