// Kept leaves to clean HTML.

import { stripped } from "../characters.js";
import { contentTree } from "./tree.js";

const VOID = new Set(["br", "hr", "img"]);

/**
 * The main content as an HTML fragment, in steps (Pace.finish): nothing in it runs, and links are absolute where the
 * address is known.
 *
 * @param {import("../page/table.js").PageTable} table
 * @param {import("../labels.js").Labels} labels
 * @param {{url?: string | null}} [options]
 */
export function* htmlOf(table, labels, { url } = {}) {
  return yield* writtenTree(yield* contentTree(table, labels, { url }));
}

/**
 * Without recursion: pages may be nested deeper than a stack is.
 *
 * @param {(import("./tree.js").Node | string)[]} tree
 */
export function* writtenTree(tree) {
  const pieces = [];
  const todo = [...tree].reverse();
  while (todo.length) {
    yield;
    const node = todo.pop();
    if (typeof node === "string") {
      pieces.push(escaped(node));
    } else if (node.closing) {
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

function attributesOf(attributes) {
  return Object.entries(attributes)
    .map(([key, value]) => (value === true ? ` ${key}` : ` ${key}="${quoted(value)}"`))
    .join("");
}

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const quoted = (text) => escaped(text).replaceAll('"', "&quot;").replaceAll("'", "&#x27;");
