// Kept leaves as GitHub-flavoured Markdown, from the clean tree, in steps (Pace.finish).

/** @import {Labels} from "../labels.js" */
/** @import {PageTable} from "../page/table.js" */
/** @import {Node} from "./tree.js" */

import { folded, withoutEnd } from "../characters.js";
import { inline, longestRun, plain } from "./inline.js";
import { contentTree } from "./tree.js";

const BLOCKS = new Set(
  (
    "address article aside blockquote dd details div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup " +
    "hr li main nav ol p pre section summary table tbody td tfoot th thead tr ul"
  ).split(" "),
);

/**
 * @typedef {{text: string, kind: "" | "ul" | "ol", marker?: string}} Block
 * @typedef {Generator<void, Block[], void>} Blocks
 */

/**
 * The main content as Markdown.
 *
 * @param {PageTable} table
 * @param {Labels} labels
 * @param {{url?: string | null}} [options]
 * @returns {Generator<void, string, void>}
 */
export function* markdownOf(table, labels, { url } = {}) {
  return yield* writtenTree(yield* contentTree(table, labels, { url, forMarkdown: true }));
}

/** A tree as Markdown. @param {(Node | string)[]} tree @returns {Generator<void, string, void>} */
export function* writtenTree(tree) {
  return together(yield* blocksOf(tree));
}

/** @param {Block[]} blocks */
const together = (blocks) => blocks.map(({ text }) => text).join("\n\n");

/** @param {(Node | string)[]} nodes @returns {Blocks} */
function* blocksOf(nodes) {
  /** @type {Block[]} */
  const found = [];
  /** @type {(Node | string)[]} */
  let inlines = []; // since the last block
  for (const node of nodes) {
    yield;
    if (!holdsBlock(node)) {
      inlines.push(node);
    } else {
      found.push(...(yield* paragraph(inlines)));
      inlines = [];
      for (const block of yield* blockOf(node, found.at(-1))) if (block.text) found.push(block);
    }
  }
  found.push(...(yield* paragraph(inlines)));
  return found;
}

/** Inline nodes as a block, or no block if they have no text. @param {(Node | string)[]} nodes @returns {Blocks} */
function* paragraph(nodes) {
  const text = nodes.length ? yield* inline(nodes) : "";
  return text ? [{ text, kind: "" }] : [];
}

/** @type {WeakMap<Node, boolean>} */
const known = new WeakMap();

/** True for a block and for an inline element around one. @param {Node | string} node @returns {node is Node} */
function holdsBlock(node) {
  if (typeof node === "string") return false;
  if (BLOCKS.has(node.name)) return true;
  const holds = known.get(node) ?? node.children.some(holdsBlock);
  known.set(node, holds);
  return holds;
}

/** @param {Node} node @param {Block | undefined} before @returns {Blocks} */
function* blockOf(node, before) {
  /** @param {string} text @returns {Block[]} */
  const block = (text) => [{ text, kind: "" }];
  switch (node.name) {
    case "h1": case "h2": case "h3": case "h4": case "h5": case "h6":
      return block(yield* heading(node));
    case "hr":
      return block("---");
    case "pre":
      return block(codeBlock(node));
    case "blockquote":
      return block(prefixed(together(yield* blocksOf(node.children)), "> ", "> "));
    case "ul": case "ol":
      return yield* list(node, before);
    case "table":
      return yield* tableOf(node);
    default:
      return yield* blocksOf(node.children);
  }
}

/** @param {Node} node @returns {Generator<void, string, void>} */
function* heading(node) {
  const text = yield* inline(node.children, { oneLine: true });
  const bare = withoutEnd(text, "#"); // others at the end would be read as the end of the heading
  const written = bare.length < text.length ? `${bare}\\${text.slice(bare.length)}` : text;
  return text && `${"#".repeat(Number(node.name[1]))} ${written}`;
}

/** @param {Node} node */
function codeBlock(node) {
  const code = plain(node).replace(/^\n+/, "").trimEnd();
  if (!code) return "";
  const fence = "`".repeat(Math.max(3, longestRun(code, "`") + 1));
  const named = [...node.children.filter((child) => typeof child !== "string"), node];
  const language = String(named.map((each) => each.attributes.class).find(Boolean) ?? "");
  return `${fence}${language.replace("language-", "").replaceAll("`", "")}\n${code}\n${fence}`;
}

/**
 * A text with a prefix for its first line and one for the others.
 *
 * @param {string} text
 * @param {string} first
 * @param {string} others
 */
function prefixed(text, first, others) {
  if (!text) return "";
  return text
    .split("\n")
    .map((line, at) => ((at ? others : first) + line).replace(/^([> ]*[>]) $/, "$1").replace(/^ +$/, ""))
    .join("\n");
}

/**
 * A list. Directly after another list it takes another marker, or both would be one list.
 *
 * @param {Node} node
 * @param {Block | undefined} before
 * @returns {Blocks}
 */
function* list(node, before) {
  const kind = node.name === "ul" ? "ul" : "ol";
  const markers = kind === "ul" ? ["-", "*"] : [".", ")"];
  const marker = before?.kind === kind && before.marker === markers[0] ? markers[1] : markers[0];
  const items = [];
  for (const { value, children } of itemsOf(node)) {
    const blocks = yield* blocksOf(children);
    if (blocks.length) items.push({ value, blocks });
  }
  const isTight = items.every(({ blocks }) => blocks.filter((block) => !block.kind).length <= 1);
  let number = numeral(node.attributes.start) ?? 1;
  const written = [];
  for (const { value, blocks } of items) {
    yield;
    number = numeral(value) ?? number;
    const sign = kind === "ul" ? `${marker} ` : `${number++}${marker} `;
    written.push(prefixed(itemText(blocks, isTight), sign, " ".repeat(sign.length)));
  }
  return [{ text: written.join(isTight ? "\n" : "\n\n"), kind, marker }];
}

/** The number of a `start` or `value` attribute, or null; Markdown takes nine digits. @param {string | true} [value] */
const numeral = (value) => (/^[0-9]{1,8}$/.test(String(value ?? "")) ? Number(value) : null);

/** The items of a list; nodes between two items go with the item before. @param {Node} node */
function itemsOf(node) {
  /** @type {{value?: string | true, children: (Node | string)[]}[]} */
  const items = [];
  for (const child of node.children) {
    const item = typeof child === "string" || child.name !== "li" ? null : child;
    if (item) items.push({ value: item.attributes.value, children: [...item.children] });
    else if (items.length) items.at(-1)?.children.push(child);
    else if (typeof child !== "string" || child.trim()) items.push({ children: [child] });
  }
  return items;
}

/** @param {Block[]} blocks @param {boolean} isTight */
function itemText(blocks, isTight) {
  return blocks
    .map(({ text, kind }, at) => {
      if (!at) return text;
      // A numbered list that does not begin with 1 needs a blank line before it.
      const canFollow = isTight && kind && !(kind === "ol" && !/^1[.)] /.test(text));
      return (canFollow ? "\n" : "\n\n") + text;
    })
    .join("");
}

/** @param {Node} node @returns {Blocks} */
function* tableOf(node) {
  /** @type {Node[]} */
  const rows = [];
  /** @type {(Node | string)[]} */
  const others = [];
  for (const child of node.children) {
    if (typeof child !== "string" && child.name === "tr") rows.push(child);
    else others.push(child);
  }
  /** @type {string[][]} */
  const cells = [];
  for (const row of rows) cells.push(yield* cellsOf(row));
  const before = yield* blocksOf(others); // its caption
  const filled = cells.filter((row) => row.some((cell) => folded(cell)));
  if (!filled.length) return before;
  const width = filled.reduce((most, row) => Math.max(most, row.length), 0);
  const line = (/** @type {string[]} */ row) =>
    `| ${Array.from({ length: width }, (_, at) => row[at] ?? "").join(" | ")} |`;
  const [head, ...rest] = filled.map(line);
  const text = [head, line(new Array(width).fill("---")), ...rest].join("\n");
  return [...before, { text, kind: "" }];
}

/** @param {Node} row @returns {Generator<void, string[], void>} */
function* cellsOf(row) {
  const cells = [];
  for (const cell of row.children) {
    if (typeof cell === "string" || (cell.name !== "td" && cell.name !== "th")) continue;
    cells.push((yield* inline(cell.children, { oneLine: true })).replace(/\|/g, "\\|"));
  }
  return cells;
}
