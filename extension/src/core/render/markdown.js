// The content tree as GitHub-flavoured Markdown (src/tamis/render/markdown.py), in steps (Pace.finish).

/** @import {Labels} from "../labels.js" */
/** @import {PageTable} from "../page/table.js" */
/** @import {Child} from "./node.js" */

import { isSpace, folded, stripped, strippedEnd, withoutEnd } from "../characters.js";
import { HEADINGS } from "../tags.js";
import { written as writtenHtml } from "./html.js";
import { inline, longestRun } from "./inline.js";
import { tableBlocks } from "./markdown_table.js";
import { withoutTags } from "./math/mathml.js";
import { Node } from "./node.js";
import { contentTree } from "./tree.js";

const NO_PARAGRAPH = /^(?:\||---|>|#{1,6} |\$\$|<(?:table|details))/;
const BLOCKS = new Set(
  (
    "address article aside blockquote callout caption dd details div dl dt embed figcaption figure footer h1 h2 h3 h4 " +
    "h5 h6 header hgroup hr li main nav note notes ol p pre section summary table tbody td tfoot th thead tr ul"
  ).split(" "),
);
const NOT_IN_A_LINE = new Set("blockquote callout details dl hr note ol pre table ul".split(" "));
const NOT_DIVIDED = new Set([...BLOCKS, "a", "formula"]);
const AS_MARKDOWN = new Set(["formula", "note-reference", "embed"]); // in HTML among Markdown
const ORDINAL = /^[0-9]{1,8}$/; // Markdown takes nine digits

/**
 * A paragraph, a list, a table and so on.
 *
 * @typedef {object} Block
 * @property {string} text
 * @property {string} [kind] ul, ol or code: these need no blank line before them in an item
 * @property {string} [marker] of a list
 *
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
export function* markdownOf(table, labels, options) {
  return yield* written((yield* contentTree(table, labels, options)).children);
}

/**
 * Some nodes as Markdown; the notes among them come last.
 *
 * @param {Child[]} children
 * @returns {Generator<void, string, void>}
 */
export function* written(children) {
  const writer = new Writer();
  const blocks = yield* writer.blocks(children);
  return together([...blocks, ...writer.notes]);
}

/** @param {Block[]} blocks */
const together = (blocks) => blocks.map(({ text }) => text).join("\n\n");

/** @param {string} text @returns {Block[]} */
const blockOf = (text) => [{ text }];

/** Writes blocks, and collects the notes that come last. */
class Writer {
  /** @type {Block[]} */
  notes = [];
  /** @type {Node | null} */
  link = null; // one around blocks that is still to be written
  /** @type {Node | null} */
  heading = null; // the one in it that is to be linked

  /**
   * The blocks of some nodes; inline nodes between two blocks are a paragraph.
   *
   * @param {Child[]} children
   * @returns {Blocks}
   */
  *blocks(children) {
    /** @type {Block[]} */
    const found = [];
    /** @type {Child[]} */
    let inlines = [];
    for (const node of unwrapped(children)) {
      yield;
      if (!holdsBlock(node)) {
        inlines.push(node);
        continue;
      }
      for (const block of yield* this.paragraph(inlines)) found.push(block);
      inlines = [];
      for (const block of yield* this.block(node, found.at(-1))) found.push(block);
    }
    for (const block of yield* this.paragraph(inlines)) found.push(block);
    return found;
  }

  /** @param {Child[]} nodes @returns {Blocks} */
  *paragraph(nodes) {
    if (nodes.every((node) => typeof node === "string" && isSpace(node))) return [];
    /** @type {Block[]} */
    const found = [];
    for (const part of paragraphs(nodes)) {
      const text = yield* inline(this.linked(part));
      if (text) found.push({ text });
    }
    return found;
  }

  /**
   * The nodes in the link around them, if it has not been written yet.
   *
   * @param {Child[]} nodes
   * @param {Node | null} [heading]
   */
  linked(nodes, heading = null) {
    const { link } = this;
    if (!link || this.heading !== heading) return nodes;
    if (!nodes.some((node) => typeof node !== "string" || stripped(node))) return nodes;
    this.link = this.heading = null;
    return [new Node("a", link.attributes, nodes)];
  }

  /** @param {Node} node @param {Block | undefined} before @returns {Blocks} */
  *block(node, before) {
    const { name } = node;
    if (name === "p" || name === "div" || name === "section") return yield* this.blocks(node.children);
    if (HEADINGS.has(name)) return yield* this.headingOf(node);
    if (name === "ul" || name === "ol") return yield* this.list(node, before);
    if (name === "pre") return codeBlock(node);
    if (name === "table") {
      const texts = yield* tableBlocks(node);
      return texts ? texts.map((text) => ({ text })) : yield* this.blocks(node.children);
    }
    if (name === "blockquote") return yield* this.quotation(node);
    if (name === "callout") return yield* this.callout(node);
    if (name === "formula") return blockOf(`$$\n${withoutTags(stripped(node.attributes.tex))}\n$$`);
    if (name === "dl") return yield* this.definitions(node);
    if (name === "details") return yield* this.details(node);
    if (name === "note") return yield* this.note(node);
    if (name === "hr") return blockOf("---");
    if (name === "embed") return yield* this.paragraph([node]);
    if (name === "a" && !this.link) return yield* this.linkAround(node);
    return yield* this.blocks(node.children);
  }

  /** @param {Node} node @returns {Blocks} */
  *headingOf(node) {
    if ([...node.walk()].some((each) => NOT_IN_A_LINE.has(each.name))) return yield* this.blocks(node.children);
    const children = node.children.some(holdsBlock) ? [...inlineIn(node.children)] : node.children;
    const text = yield* inline(this.linked(children, this.heading === node ? node : null), { oneLine: true });
    const bare = withoutEnd(text, "#");
    // Others at the end would be read as the end of the heading.
    const isEnd = bare.length < text.length && (!bare || bare.endsWith(" "));
    const shown = isEnd ? `${bare}\\${text.slice(bare.length)}` : text;
    return text ? blockOf(`${"#".repeat(Number(node.name[1]))} ${shown}`) : [];
  }

  /**
   * A link around blocks: Markdown links the first heading in it, or else the first paragraph.
   *
   * @param {Node} node
   * @returns {Blocks}
   */
  *linkAround(node) {
    this.link = node;
    this.heading = [...node.walk()].find((each) => HEADINGS.has(each.name)) ?? null;
    const found = yield* this.blocks(node.children);
    this.link = this.heading = null;
    return found;
  }

  /** @param {Node} node @returns {Blocks} */
  *quotation(node) {
    const text = together(yield* this.blocks(node.children));
    return text ? blockOf(prefixed(text, "> ", "> ")) : [];
  }

  /** @param {Node} node @returns {Blocks} */
  *callout({ attributes: { kind, title }, children }) {
    let inner = yield* this.blocks(children);
    if (title) inner = [{ text: `**${yield* inline([title], { oneLine: true })}**` }, ...inner];
    const text = together(inner);
    return text ? blockOf(prefixed(`[!${kind.toUpperCase()}]\n${text}`, "> ", "> ")) : [];
  }

  /** As GitHub's readers write it: the tags in HTML, what is inside in Markdown. @param {Node} node @returns {Blocks} */
  *details(node) {
    const summary = node.children.find((each) => typeof each !== "string" && each.name === "summary");
    const content = yield* this.blocks(node.children.filter((each) => each !== summary));
    if (!(summary instanceof Node)) return content;
    if ([...summary.walk()].some((each) => HEADINGS.has(each.name))) {
      return [...(yield* this.blocks(summary.children)), ...content];
    }
    /** @type {Child[]} */
    const parts = [];
    for (const part of inlineIn(summary.children)) {
      // What HTML can't say in a line of Markdown is said in Markdown.
      const isOther = typeof part !== "string" && AS_MARKDOWN.has(part.name);
      parts.push(isOther ? yield* inline([part], { oneLine: true }) : part);
    }
    const title = folded([...writtenHtml(parts)].join(""));
    const head = title ? `<details>\n<summary>${title}</summary>` : "<details>";
    return content.length || title ? [{ text: head }, ...content, { text: "</details>" }] : [];
  }

  /** @param {Node} node @returns {Blocks} */
  *note(node) {
    const text = together(yield* this.blocks(node.children));
    if (text) this.notes.push({ text: prefixed(text, `[^${node.attributes.id}]: `, "    ") });
    return [];
  }

  /**
   * A list. Directly after another list it takes another marker, or both would be one list.
   *
   * @param {Node} node
   * @param {Block | undefined} before
   * @returns {Blocks}
   */
  *list(node, before) {
    const kind = node.name;
    const [usual, other] = kind === "ul" ? ["-", "*"] : [".", ")"];
    const marker = before?.kind === kind && before.marker === usual ? other : usual;
    const items = [];
    for (const item of itemsOf(node)) {
      const blocks = yield* this.blocks(item.children);
      if (blocks.length) items.push({ item, blocks });
    }
    if (!items.length) return [];
    const isTight = items.every(({ blocks }) => blocks.filter((block) => !block.kind).length <= 1);
    let number = ordinal(node.attributes.start);
    const lines = [];
    for (const { item, blocks } of items) {
      yield;
      const { value, checked } = item.attributes;
      if (value !== undefined) number = ordinal(value);
      const sign = kind === "ol" ? `${number++}${marker} ` : `${marker} `;
      const box = checked === "true" ? "[x] " : checked === "false" ? "[ ] " : "";
      lines.push(prefixed(box + itemText(blocks, isTight), sign, " ".repeat(sign.length)));
    }
    return [{ text: lines.join(isTight ? "\n" : "\n\n"), kind, marker }];
  }

  /** A definition list as a list: the term in bold, its definitions below. @param {Node} node @returns {Blocks} */
  *definitions(node) {
    const items = [];
    for (const { terms, definitions } of defined(node)) {
      const names = [];
      for (const term of terms) {
        const text = yield* inline(term.children, { oneLine: true });
        if (text) names.push(text.startsWith("**") ? text : `**${text}**`);
      }
      /** @type {Block[]} */
      const blocks = [];
      for (const each of definitions) for (const block of yield* this.blocks(each.children)) blocks.push(block);
      const isParagraph = blocks.length === 1 && !blocks[0].kind && !blocks[0].text.includes("\n\n");
      const isOne = isParagraph && !NO_PARAGRAPH.test(blocks[0].text);
      const text = [names.join("  \n"), together(blocks)].filter(Boolean).join(isOne ? "  \n" : "\n\n");
      if (text) items.push(prefixed(text, "- ", "  "));
    }
    return items.length ? [{ text: items.join("\n"), kind: "ul", marker: "-" }] : [];
  }
}

/**
 * The nodes, with inline elements around blocks divided: they are put around what is inline in them.
 *
 * @param {Child[]} children
 * @returns {Generator<Child, void, void>}
 */
function* unwrapped(children) {
  for (const node of children) {
    if (typeof node === "string" || NOT_DIVIDED.has(node.name) || !holdsBlock(node)) {
      yield node;
      continue;
    }
    for (const child of unwrapped(node.children)) {
      yield holdsBlock(child) ? child : new Node(node.name, node.attributes, [child]);
    }
  }
}

/**
 * What is inline in some nodes, with spaces for the blocks around it.
 *
 * @param {Child[]} children
 * @returns {Generator<Child, void, void>}
 */
function* inlineIn(children) {
  for (const node of children) {
    if (holdsBlock(node)) {
      yield " ";
      yield* inlineIn(node.children);
      yield " ";
    } else {
      yield node;
    }
  }
}

/** Inline nodes, divided where two line breaks or more follow each other. @param {Child[]} nodes */
function paragraphs(nodes) {
  /** @type {Child[][]} */
  const parts = [[]];
  let breaks = 0;
  for (const node of nodes) {
    if (typeof node !== "string" && node.name === "br") {
      breaks++;
    } else if (!(breaks && typeof node === "string" && isSpace(node))) {
      if (breaks > 1) parts.push([]);
      else if (breaks) parts[parts.length - 1].push(new Node("br"));
      breaks = 0;
      parts[parts.length - 1].push(node);
    }
  }
  return parts;
}

/** @type {WeakMap<Node, boolean>} */
const known = new WeakMap();

/** Is it a block, or an inline element around one? @param {Child} node @returns {node is Node} */
function holdsBlock(node) {
  if (typeof node === "string") return false;
  if (BLOCKS.has(node.name)) return true;
  if (node.name === "formula") return "display" in node.attributes;
  const holds = known.get(node) ?? node.children.some(holdsBlock);
  known.set(node, holds);
  return holds;
}

/** @param {Node} node @returns {Block[]} */
function codeBlock(node) {
  const code = node.text();
  if (!stripped(code)) return [];
  const fence = "`".repeat(Math.max(3, longestRun(code) + 1));
  return [{ text: `${fence}${node.attributes.language ?? ""}\n${code}\n${fence}`, kind: "code" }];
}

/**
 * A text with a prefix for its first line and one for the others.
 *
 * @param {string} text
 * @param {string} first
 * @param {string} others
 */
function prefixed(text, first, others) {
  const blank = strippedEnd(others);
  return text
    .split("\n")
    .map((line, at) => (!at ? first + line : line ? others + line : blank))
    .join("\n");
}

/** The number that a `start` or `value` says; 1 if Markdown can't. @param {string | undefined} value */
const ordinal = (value) => (value && ORDINAL.test(value) ? Number(value) : 1);

/** The items of a list; what stands between two items goes with the one before. @param {Node} node */
function itemsOf(node) {
  /** @type {Node[]} */
  const items = [];
  for (const child of node.children) {
    const isNode = typeof child !== "string";
    if (isNode && child.name === "li") items.push(new Node("li", child.attributes, [...child.children]));
    else if (items.length) items[items.length - 1].children.push(" ", child);
    else if (isNode || stripped(child)) items.push(new Node("li", {}, [child]));
  }
  return items;
}

/** @param {Block[]} blocks @param {boolean} isTight */
function itemText(blocks, isTight) {
  return blocks
    .map(({ text, kind }, at) => {
      if (!at) return text;
      // A numbered list that does not begin with 1 needs a blank line before it.
      const follows = isTight && kind && !(kind === "ol" && !/^1[.)] /.test(text));
      return (follows ? "\n" : "\n\n") + text;
    })
    .join("");
}

/** @param {Child} node @returns {node is Node} */
const isPart = (node) => typeof node !== "string" && (node.name === "dt" || node.name === "dd");

/** The terms and definitions of a list, in groups. @param {Node} node */
function defined(node) {
  /** @type {Node[]} */
  const parts = [];
  for (const child of node.children) {
    const inner = typeof child !== "string" && child.name === "div" ? child.children : [child];
    for (const each of inner.some(isPart) ? inner : [child]) {
      if (isPart(each)) parts.push(each);
      else if (typeof each !== "string" || stripped(each)) parts.push(new Node("dd", {}, [each]));
    }
  }
  /** @type {{terms: Node[], definitions: Node[]}[]} */
  const groups = [];
  for (const part of parts) {
    const last = groups.at(-1);
    if (!last || (part.name === "dt" && last.definitions.length)) groups.push({ terms: [], definitions: [] });
    const { terms, definitions } = groups[groups.length - 1];
    (part.name === "dt" ? terms : definitions).push(part);
  }
  return groups;
}
