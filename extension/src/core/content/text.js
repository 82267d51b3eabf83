// Clean content as plain text: lines as on the page, cells of tables apart by tabs.

/** @import {Steps} from "../pace.js" */

import { folded } from "../characters.js";
import { isElement } from "../page/dom.js";

const LINES = "br, dd, div, dt, figcaption, li, summary, tr, caption, li > ol, li > ul";
const PARAGRAPHS =
  "address, article, aside, blockquote, details, dl, figure, footer, h1, h2, h3, h4, h5, h6, header, hgroup, hr, main, " +
  "nav, :not(li) > ol, p, pre, section, table, :not(li) > ul";

/** @param {Element} root @returns {Steps<string>} */
export function* textOf(root) {
  let [text, line, gap] = ["", "", 0]; // gap: how many ends of lines are before what follows
  const write = (/** @type {string} */ written) => {
    if (!written) return;
    text += (text && "\n".repeat(gap)) + written;
    gap = 0;
  };
  const end = (/** @type {number} */ ends) => {
    write(line.trim().replace(/ *\t */g, "\t"));
    line = "";
    gap = Math.max(gap, ends);
  };
  /** @type {(Node | number)[]} */
  const todo = [root]; // a number ends an element
  for (let node; (node = todo.pop()) !== undefined; ) {
    yield;
    if (typeof node === "number") {
      end(node);
    } else if (!isElement(node)) {
      const said = (node.nodeValue ?? "").replace(/\s+/g, " ");
      line += line === "" || line.endsWith(" ") ? said.trimStart() : said;
    } else {
      const ends = node.matches(PARAGRAPHS) ? 2 : node.matches(LINES) ? 1 : 0;
      if (ends) {
        end(ends);
        todo.push(ends);
      }
      if (node.matches("pre")) write(node.textContent ?? "");
      else if (node.matches("math")) line += folded(node.querySelector("annotation")?.textContent ?? "");
      else if (node.matches("[role=doc-noteref]")) line += `[${node.textContent}]`;
      else if (node.matches("td + *, th + *")) line += "\t";
      if (node.matches("pre, math, [role=doc-noteref]")) continue;
      for (let child = node.lastChild; child; child = child.previousSibling) todo.push(child);
    }
  }
  end(0);
  return text;
}
