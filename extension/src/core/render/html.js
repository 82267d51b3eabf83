// Kept leaves as clean HTML.

/** @import {Labels} from "../labels.js" */
/** @import {PageTable} from "../page/table.js" */
/** @import {Node} from "./tree.js" */

import { stripped } from "../characters.js";
import { contentTree } from "./tree.js";

const VOID = new Set(["br", "hr", "img"]);

/**
 * The main content as an HTML fragment, in steps (Pace.finish). Nothing in it runs, and links are absolute if the
 * address of the page is known.
 *
 * @param {PageTable} table
 * @param {Labels} labels
 * @param {{url?: string | null}} [options]
 * @returns {Generator<void, string, void>}
 */
export function* htmlOf(table, labels, { url } = {}) {
  return yield* writtenTree(yield* contentTree(table, labels, { url }));
}

/**
 * A tree as HTML. Without recursion, because pages may be nested deeper than the call stack.
 *
 * @param {(Node | string)[]} tree
 * @returns {Generator<void, string, void>}
 */
export function* writtenTree(tree) {
  const pieces = [];
  /** @type {(Node | string | {closing: string})[]} */
  const todo = [...tree].reverse();
  for (let node; (node = todo.pop()) !== undefined; ) {
    yield;
    if (typeof node === "string") {
      pieces.push(escaped(node));
    } else if ("closing" in node) {
      pieces.push(node.closing);
    } else {
      pieces.push(`<${node.name}${attributesOf(node.attributes)}>`);
      if (VOID.has(node.name)) continue;
      todo.push({ closing: `</${node.name}>` });
      for (let place = node.children.length - 1; place >= 0; place--) todo.push(node.children[place]);
    }
  }
  return stripped(pieces.join(""));
}

/** @param {Node["attributes"]} attributes */
function attributesOf(attributes) {
  return Object.entries(attributes)
    .map(([key, value]) => (value === true ? ` ${key}` : ` ${key}="${quoted(value)}"`))
    .join("");
}

/** @param {string} text */
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
/** @param {string} text */
const quoted = (text) => escaped(text).replaceAll('"', "&quot;").replaceAll("'", "&#x27;");
