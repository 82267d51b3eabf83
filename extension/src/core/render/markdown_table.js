// Tables in Markdown: with pipes if each cell is a line, else in HTML (src/tamis/render/markdown_table.py).

/** @import {Child} from "./node.js" */
/** @import {Grid} from "./tables.js" */

import { folded, length, stripped } from "../characters.js";
import { written } from "./html.js";
import { inline } from "./inline.js";
import { Node } from "./node.js";
import { gridOf, linesOf } from "./tables.js";

// Characters that may be repeated for spans, and how many more for each of the table's own. Beyond, places stay empty.
const MOST_REPEATED = 2_000;
const REPEATED_FOR_ONE = 2;
// A blank line would end the HTML.
const BLANK_LINE = /\n(?=[ \t]*\n)/g;
const SECTIONS = new Set(["thead", "tbody", "tfoot"]);

/**
 * The paragraphs and the table that a table is written as, in steps (Pace.finish); null if it has no cells.
 *
 * @param {Node} node
 * @returns {Generator<void, string[] | null, void>}
 */
export function* tableBlocks(node) {
  yield;
  const grid = gridOf(node);
  if (!grid.rows.length) return null;
  if (!grid.isInline || grid.captions.some((caption) => linesOf(caption) === null)) return [html(node)];
  const blocks = [];
  for (const caption of grid.captions) {
    for (const line of linesOf(caption) ?? []) {
      const text = yield* inline(line);
      if (text) blocks.push(text);
    }
  }
  blocks.push(yield* piped(grid));
  return blocks;
}

/** @param {Grid} grid @returns {Generator<void, string, void>} */
function* piped({ rows, headers }) {
  /** @type {Map<Node | null, string>} */
  const texts = new Map([[null, ""]]);
  let left = MOST_REPEATED;
  for (const cell of rows.flat()) {
    if (!cell || texts.has(cell)) continue;
    const parts = [];
    for (const line of linesOf(cell) ?? []) parts.push(yield* inline(line, { oneLine: true, inCell: true }));
    const text = parts.filter(Boolean).join("<br>");
    texts.set(cell, text);
    left += REPEATED_FOR_ONE * length(text);
  }
  const seen = new Set();
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const lines = rows.map((row, number) => {
    const values = row.map((cell) => {
      const text = texts.get(cell) ?? "";
      if (!seen.has(cell)) {
        seen.add(cell);
        return text;
      }
      left -= length(text);
      return left >= 0 ? text : "";
    });
    while (!number && values.length < width) values.push(""); // a row longer than the header would be cut
    return `| ${values.join(" | ")} |`;
  });
  if (!headers) lines.unshift(`|${"  |".repeat(width)}`);
  lines.splice(1, 0, `| ${new Array(width).fill("---").join(" | ")} |`);
  return lines.join("\n");
}

/** A table in HTML, one row a line. @param {Node} table */
function html(table) {
  const parts = table.children.flatMap((child) => {
    if (typeof child === "string" || !SECTIONS.has(child.name)) return htmlRows([child]);
    return [`<${child.name}>`, ...htmlRows(child.children), `</${child.name}>`];
  });
  return ["<table>", ...parts, "</table>"].join("\n").replace(BLANK_LINE, "&#10;");
}

/** @param {Child[]} children */
function htmlRows(children) {
  const nodes = children.flatMap((child) => (typeof child === "string" ? [] : [withoutMarkdown(child)]));
  return nodes.map((node) => stripped([...written([node])].join("")));
}

/**
 * A copy with formulas and references to notes as their Markdown: there is no other to be found in the text.
 *
 * @param {Node} node
 * @returns {Node}
 */
function withoutMarkdown(node) {
  const children = node.children.map((child) => {
    if (typeof child === "string") return child;
    if (child.name === "formula") return `$${folded(child.attributes.tex)}$`;
    if (child.name === "note-reference") return `[^${child.attributes.id}]`;
    return withoutMarkdown(child);
  });
  return new Node(node.name, node.attributes, children, node.row);
}
