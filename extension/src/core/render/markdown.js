// Kept leaves to GitHub-flavoured Markdown, from the clean tree; all that walks it does so in steps (Pace.finish).

import { folded } from "../characters.js";
import { inline, longestRun, plain } from "./inline.js";
import { contentTree } from "./tree.js";

const BLOCKS = new Set(
  (
    "address article aside blockquote dd details div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup " +
    "hr li main nav ol p pre section summary table tbody td tfoot th thead tr ul"
  ).split(" "),
);

/** @typedef {{text: string, kind: "" | "ul" | "ol", marker?: string}} Block */

/**
 * The main content as Markdown.
 *
 * @param {import("../page/table.js").PageTable} table
 * @param {import("../labels.js").Labels} labels
 * @param {{url?: string | null}} [options]
 */
export function* markdownOf(table, labels, { url } = {}) {
  return yield* writtenTree(yield* contentTree(table, labels, { url, forMarkdown: true }));
}

/** @param {(import("./tree.js").Node | string)[]} tree */
export function* writtenTree(tree) {
  return together(yield* blocksOf(tree));
}

const together = (blocks) => blocks.map(({ text }) => text).join("\n\n");

/** @returns {Generator<void, Block[]>} */
function* blocksOf(nodes) {
  /** @type {Block[]} */
  const found = [];
  let run = []; // inline nodes since the last block
  for (const node of nodes) {
    yield;
    if (!holdsBlock(node)) {
      run.push(node);
    } else {
      found.push(...(yield* paragraph(run)));
      run = [];
      for (const block of yield* blockOf(node, found.at(-1))) if (block.text) found.push(block);
    }
  }
  found.push(...(yield* paragraph(run)));
  return found;
}

/** Inline nodes as a block; none where they say nothing. */
function* paragraph(nodes) {
  const text = nodes.length ? yield* inline(nodes) : "";
  return text ? [{ text, kind: "" }] : [];
}

const known = new WeakMap();

/** Is it a block, or an inline element around one? */
function holdsBlock(node) {
  if (typeof node === "string") return false;
  if (BLOCKS.has(node.name)) return true;
  if (!known.has(node)) known.set(node, node.children.some(holdsBlock));
  return known.get(node);
}

/** @returns {Generator<void, Block[]>} */
function* blockOf(node, before) {
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
      return yield* table(node);
    default:
      return yield* blocksOf(node.children);
  }
}

function* heading(node) {
  const text = (yield* inline(node.children, { oneLine: true })).replace(/(#+)$/, "\\$1");
  return text && `${"#".repeat(Number(node.name[1]))} ${text}`;
}

function codeBlock(node) {
  const code = plain(node).replace(/^\n+/, "").trimEnd();
  if (!code) return "";
  const fence = "`".repeat(Math.max(3, longestRun(code, "`") + 1));
  const named = [...node.children.filter((child) => typeof child !== "string"), node];
  const language = named.map((each) => each.attributes.class ?? "").find(Boolean) ?? "";
  return `${fence}${language.replace("language-", "").replaceAll("`", "")}\n${code}\n${fence}`;
}

function prefixed(text, first, others) {
  if (!text) return "";
  return text
    .split("\n")
    .map((line, at) => ((at ? others : first) + line).replace(/^([> ]*[>]) $/, "$1").replace(/^ +$/, ""))
    .join("\n");
}

/** Two lists side by side would be one list: the second takes another marker. */
function* list(node, before) {
  const kind = node.name;
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

/** The number that a list or an item says it begins with; Markdown takes nine digits. */
const numeral = (value) => (/^[0-9]{1,8}$/.test(value ?? "") ? Number(value) : null);

/** The children of each item; what stands in a list outside of items goes with the item before. */
function itemsOf(node) {
  const items = [];
  for (const child of node.children) {
    if (child.name === "li") items.push({ value: child.attributes.value, children: [...child.children] });
    else if (items.length) items.at(-1).children.push(child);
    else if (typeof child !== "string" || child.trim()) items.push({ children: [child] });
  }
  return items;
}

function itemText(blocks, isTight) {
  return blocks
    .map(({ text, kind }, at) => {
      if (!at) return text;
      // A numbered list that begins past 1 can't stand right below a line of text.
      const canFollow = isTight && kind && !(kind === "ol" && !/^1[.)] /.test(text));
      return (canFollow ? "\n" : "\n\n") + text;
    })
    .join("");
}

function* table(node) {
  const [rows, others] = [[], []];
  for (const child of node.children) (child.name === "tr" ? rows : others).push(child);
  const cells = [];
  for (const row of rows) cells.push(yield* cellsOf(row));
  const before = yield* blocksOf(others); // its caption
  const filled = cells.filter((row) => row.some((cell) => folded(cell)));
  if (!filled.length) return before;
  const width = filled.reduce((most, row) => Math.max(most, row.length), 0);
  const line = (row) => `| ${Array.from({ length: width }, (_, at) => row[at] ?? "").join(" | ")} |`;
  const [head, ...rest] = filled.map(line);
  const text = [head, line(new Array(width).fill("---")), ...rest].join("\n");
  return [...before, { text, kind: "" }];
}

function* cellsOf(row) {
  const cells = [];
  for (const { name, children } of row.children) {
    if (name !== "td" && name !== "th") continue;
    cells.push((yield* inline(children, { oneLine: true })).replace(/\|/g, "\\|"));
  }
  return cells;
}
