// Clean content as plain text: lines as on the page, cells of tables apart by tabs.

/** @import {Steps} from "../pace.js" */

import { folded } from "../characters.js";
import { isElement } from "../page/dom.js";

/** @param {string} names */
const set = (names) => new Set(names.split(" "));
const LINES = set("br dd div dt figcaption li summary tr caption");
const PARAGRAPHS = set(
  "address article aside blockquote details dl figure footer h1 h2 h3 h4 h5 h6 header hgroup hr main nav ol p pre section table ul",
);
const NESTED = set("ol ul"); // within an item these are lines, too
const UNSPOKEN = set("audio img input video");

/** @param {Element} root @returns {Steps<string>} */
export function* textOf(root) {
  let text = "";
  let line = "";
  let gap = 0; // line ends before what follows
  const end = (/** @type {number} */ ends) => {
    const written = line.trim().replace(/ *\t */g, "\t");
    if (written) {
      text += text && "\n".repeat(gap);
      text += written;
      gap = 0;
    }
    line = "";
    gap = Math.max(gap, ends);
  };
  /** @type {(Node | number)[]} */
  const todo = [root]; // a number is the end of an element
  for (let node; (node = todo.pop()) !== undefined; ) {
    yield;
    if (typeof node === "number") {
      end(node);
      continue;
    }
    if (!isElement(node)) {
      const said = (node.nodeValue ?? "").replace(/\s+/g, " ");
      line += line === "" || line.endsWith(" ") ? said.trimStart() : said;
      continue;
    }
    const name = node.localName;
    if (UNSPOKEN.has(name)) continue;
    const isNested = NESTED.has(name) && node.parentElement?.localName === "li";
    const ends = PARAGRAPHS.has(name) && !isNested ? 2 : LINES.has(name) || isNested ? 1 : 0;
    if (ends) {
      end(ends);
      todo.push(ends);
    }
    if (name === "pre") {
      text += (text && "\n".repeat(gap)) + node.textContent;
      gap = 0;
    } else if (name === "math") {
      line += folded(node.querySelector("annotation")?.textContent ?? "");
    } else if (node.getAttribute("role") === "doc-noteref") {
      line += `[${node.textContent}]`;
    } else {
      if ((name === "td" || name === "th") && node.previousElementSibling) line += "\t";
      for (let child = node.lastChild; child; child = child.previousSibling) todo.push(child);
    }
  }
  end(0);
  return text;
}
