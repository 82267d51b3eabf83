// Clean content as Markdown with GitHub's tables, by turndown. Its own escaping leaves < and & as they are and so lets
// the text of a page become markup; here each text is escaped so that nothing that comes after it can undo that.

/** @import {Steps} from "../pace.js" */
/** @import {Cell} from "./tables.js" */
/** @import {Rule} from "turndown" */

import TurndownService from "turndown";
import { finished } from "../pace.js";
import { isElement } from "../page/dom.js";
import { EDGE } from "./clean.js";
import { gridOf } from "./tables.js";

// A larger element is converted in parts, which end where a block, a line or a word does.
const MOST_NODES = 1_000;
const MOST_IN_A_WORD = 5_000;

const EDGES = new RegExp(`${EDGE}{2}`, "g");

const IN_LINE = "h1, h2, h3, h4, h5, h6, a, dt, summary, td, th"; // there Markdown has no blocks
const BLOCKS = new Set(
  (
    "address article aside blockquote dd details div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr " +
    "main nav p pre section summary table ul ol"
  ).split(" "),
);

// In the middle of a line. What is at the end of a text may be continued by the next one.
const MARKS = /[\\`*[\]~]|_(?![^\W_])|(?<![^\W_])_|<(?=[a-z/!?]|$)|&(?=#?\w{0,32}(?:;|$))|!$/gi;
const LINE_START = /^(?=(?:#{1,6}|[-+]|[-=:|]+)(?:\s|$)|>)|^(\d{1,9})(?=[.)](?:\s|$))/;
const DOLLARS = /\$/g;

/** A text of the page in which nothing is markup. @param {string} text */
export function escaped(text) {
  const marked = text.replace(MARKS, "\\$&").replace(LINE_START, (_, number) => `${number ?? ""}\\`);
  return (marked.match(DOLLARS)?.length ?? 0) > 1 ? marked.replace(DOLLARS, "\\$$") : marked;
}

/** An address as the target of a link: no sign of it ends the link, or begins a tag or code. @param {string} url */
function target(url) {
  const safe = url.replace(/[\s<>\\|`]/g, encodeURIComponent).replace(/&(?=#?\w{1,32};)/g, "&amp;");
  return /[()]/.test(safe) ? `<${safe}>` : safe;
}

/** TeX between dollars, also for a reader of Markdown who knows no formulas: no tag, link or code is in it. @param {Element} math */
function texOf(math) {
  const tex = math.querySelector("annotation")?.textContent ?? "";
  return tex
    .replace(/\s+/g, " ")
    .trim()
    .replace(/<(?=[a-z/!?]|$)/gi, "\\lt ")
    .replace(/(?<!\\)\$|`/g, "")
    .replace(/\](?=[([:])/g, "] ");
}

/** In one line. @param {string} text */
const inLine = (text) => text.trim().replace(/\s*\n\s*/g, " ");

/** @param {string} code */
function span(code) {
  const text = code.replace(/\s+/g, " ").trim();
  if (!text) return code && " ";
  const fence = "`".repeat(longestRun(text) + 1);
  const pad = /^`|`$/.test(text) ? " " : "";
  return EDGE + fence + pad + text + pad + fence + EDGE;
}

/** @param {string} text */
const longestRun = (text) => Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));

/** @param {string} text @param {string} first @param {string} others */
const indented = (text, first, others) => first + text.replace(/\n(?!\n|$)/g, `\n${others}`);

/** @param {Element} item of a list */
function marker(item) {
  const list = item.parentElement;
  if (list?.localName !== "ol") return "- ";
  const items = [...list.children].filter(({ localName }) => localName === "li");
  const number = parseInt(list.getAttribute("start") ?? "1") || 0;
  return `${Math.max(0, number) + items.indexOf(item)}. `;
}

/** @param {Node} node */
const elementOf = (node) => /** @type {HTMLElement} */ (node);

/** @param {Node} node @param {string} name */
const attributeOf = (node, name) => elementOf(node).getAttribute(name) ?? "";

/** @param {string} text */
const apart = (text) => `\n\n${text}\n\n`;

/** @type {Record<string, Rule>} */
const RULES = {
  heading: {
    filter: ["h1", "h2", "h3", "h4", "h5", "h6"],
    replacement: (content, node) => apart(`${"#".repeat(Number(node.nodeName[1]))} ${inLine(content).replace(/#+$/, "\\$&")}`),
  },
  struck: { filter: ["del", "s"], replacement: (content) => content.trim() && `~~${content}~~` },
  quoted: { filter: "q", replacement: (content) => `\u201c${content}\u201d` },
  reading: { filter: "rt", replacement: (content) => `(${content})` },
  raised: { filter: "sup", replacement: (content, node) => script(content, node, "^") },
  lowered: { filter: "sub", replacement: (content, node) => script(content, node, "\\_") },
  code: { filter: ["code", "kbd", "samp"], replacement: (_, node) => span(node.textContent ?? "") },
  link: {
    filter: (node) => node.nodeName === "A",
    replacement: (content, node) => {
      const href = attributeOf(node, "href");
      const isLine = content.trim() && !/\n\s*\n/.test(content.trim());
      return isLine && href && !href.startsWith("#") ? `[${inLine(content)}](${target(href)})` : content;
    },
  },
  image: {
    filter: "img",
    replacement: (_, node) => {
      const src = attributeOf(node, "src");
      return src && `![${inLine(escaped(attributeOf(node, "alt").replaceAll(EDGE, "")))}](${target(src)})`;
    },
  },
  player: {
    filter: ["audio", "video"],
    replacement: (_, node) => {
      const [title, src] = [attributeOf(node, "title"), attributeOf(node, "src")];
      return apart(`[${escaped((title || src).replaceAll(EDGE, ""))}](${target(src)})`);
    },
  },
  block: {
    filter: "pre",
    replacement: (_, node) => {
      const code = node.textContent ?? "";
      if (elementOf(node).closest(IN_LINE)) return code.split("\n").map(span).join("\n");
      const language = /^language-(.+)$/.exec(elementOf(node).querySelector("code")?.className ?? "")?.[1] ?? "";
      const fence = "`".repeat(Math.max(3, longestRun(code) + 1));
      return code.trim() && apart(`${fence}${language}\n${code}\n${fence}`);
    },
  },
  formula: {
    filter: (node) => node.nodeName.toLowerCase() === "math",
    replacement: (_, node) => {
      const math = elementOf(node);
      const tex = texOf(math);
      if (!tex) return "";
      if (math.closest("td, th")) return `$${tex.replaceAll("\\|", "\\Vert ").replaceAll("|", "\\vert ")}$`;
      return math.getAttribute("display") && !math.closest(IN_LINE) ? apart(`$$\n${tex}\n$$`) : `$${tex}$`;
    },
  },
  item: {
    filter: "li",
    replacement: (content, node) => {
      const sign = marker(elementOf(node));
      return `${indented(content.trim(), sign, " ".repeat(sign.length))}\n`;
    },
  },
  task: { filter: "input", replacement: (_, node) => (elementOf(node).hasAttribute("checked") ? "[x] " : "[ ] ") },
  term: {
    filter: "dt",
    replacement: (content, node) => {
      const isNext = elementOf(node).previousElementSibling?.localName === "dt";
      return `${isNext ? "\n  " : "\n\n- "}**${inLine(content)}**${elementOf(node).nextElementSibling?.localName === "dt" ? "  \n" : "\n\n"}`;
    },
  },
  definition: {
    filter: "dd",
    replacement: (content, node) => apart(indented(content.trim(), elementOf(node).previousElementSibling ? "  " : "- ", "  ")),
  },
  folded: { filter: "details", replacement: apart },
  summary: { filter: "summary", replacement: (content) => apart(`**${inLine(content)}**`) },
  quotation: { filter: "blockquote", replacement: (content) => quotation(content) },
  callout: {
    filter: (node) => node.getAttribute("role") === "note",
    replacement: (content, node) => {
      const kind = /callout-(\w+)/.exec(node.className)?.[1] ?? "note";
      return quotation(`[!${kind.toUpperCase()}]\n${content.trim()}`);
    },
  },
  reference: {
    filter: (node) => node.getAttribute("role") === "doc-noteref",
    replacement: (_, node) => `[^${attributeOf(node, "href").slice("#fn-".length)}]`,
  },
  note: {
    filter: (node) => node.nodeName === "LI" && node.id.startsWith("fn-"),
    replacement: (content, node) => apart(indented(content.trim(), `[^${elementOf(node).id.slice("fn-".length)}]: `, "    ")),
  },
  table: {
    filter: "table",
    replacement: (_, node) => apart(finished(tableText(/** @type {HTMLTableElement} */ (elementOf(node))))),
  },
};

/** @param {string} content */
const quotation = (content) => apart(indented(content.trim(), "> ", "> ").replace(/^$/gm, ">"));

/** A superscript or subscript; letters alone are an ordinal or an abbreviation. @param {string} content @param {Node} node @param {string} sign */
function script(content, node, sign) {
  const text = (node.textContent ?? "").trim();
  const isScript = /^(?=.*\d|.$)[\w+\-\u2212,.()=]{1,12}$/u.test(text) && !elementOf(node).querySelector("a");
  if (!isScript) return content;
  return sign + (/^[\-\u2212]?(?:\w|\d+)$/.test(text) ? content : `(${content})`);
}

/** @param {HTMLTableElement} table @returns {Steps<string>} */
function* tableText(table) {
  if (table.querySelector("ul, ol, dl, pre")) return asHtml(table);
  const { title, head, rows } = gridOf(table);
  const width = (head ?? rows[0] ?? []).length;
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(" | ")} |`;
  const lines = [line((head ?? Array(width).fill(null)).map(cellText)), line(Array(width).fill("---"))];
  for (const row of rows) {
    yield;
    lines.push(line(row.map(cellText)));
  }
  const above = [table.caption, title].map((cell) => (cell ? turndown.turndown(cell) : "")).filter(Boolean);
  return [...above, ...(width ? [lines.join("\n")] : [])].join("\n\n");
}

/** An element as HTML in one line, in which no text is Markdown wherever that line stands. @param {Element} element */
function asHtml(element) {
  const code = (/** @type {string} */ sign) => `&#${sign.charCodeAt(0)};`;
  return element.outerHTML.replace(/>[^<]+/g, (text) => text.replace(/[\\`*_[\]~$!|:]/g, code)).replace(/\n/g, code);
}

/** @param {Cell} cell */
function cellText(cell) {
  if (!cell) return "";
  const text = turndown.turndown(cell).trim().replace(/\s*\n\s*/g, "<br>");
  return text.replace(/\\.|\|/gs, (sign) => (sign === "|" ? "\\|" : sign));
}

const turndown = new TurndownService({ hr: "---", bulletListMarker: "-", emDelimiter: "*" });
turndown.escape = escaped;
for (const [name, rule] of Object.entries(RULES)) turndown.addRule(name, rule);

/** @param {Element} root with clean content @returns {Steps<string>} */
export function* markdownOf(root) {
  const written = yield* inside(root);
  return written.replace(EDGES, " ").replaceAll(EDGE, "").trim();
}

/** What is in an element. @param {Element} element @returns {Steps<string>} */
function* inside(element) {
  if (!isLarge(element)) return turndown.turndown(element);
  const list = element.localName === "ol" ? element : null;
  let number = parseInt(list?.getAttribute("start") ?? "1") || 0;
  let text = "";
  const part = /** @type {Element} */ (element.cloneNode(false));
  let nodes = 0; // in the part
  const flush = (/** @type {string} */ end) => {
    list && part.setAttribute("start", String(number));
    number += [...part.children].filter(({ localName }) => localName === "li").length;
    const written = turndown.turndown(part);
    text += written && written + end;
    part.replaceChildren();
    nodes = 0;
  };
  for (const child of element.childNodes) {
    yield;
    const inner = isElement(child) ? child : null;
    const isBlock = Boolean(inner && BLOCKS.has(inner.localName));
    if (inner && isLarge(inner)) {
      flush(isBlock ? "\n\n" : "");
      text += yield* large(/** @type {HTMLElement} */ (inner));
      if (inner.localName === "li") number++;
      continue;
    }
    if (isBlock && nodes > MOST_NODES) flush("\n\n");
    part.append(child.cloneNode(true));
    nodes += 1 + (inner?.getElementsByTagName("*").length ?? 0);
    const isSpace = !inner && /\s$/.test(child.nodeValue ?? "");
    if (nodes < MOST_NODES) continue;
    if (isBlock || inner?.localName === "li") flush(isBlock ? "\n\n" : "\n");
    else if (inner?.localName === "br" || isSpace || nodes > MOST_IN_A_WORD) flush(inner?.localName === "br" ? "  \n" : isSpace ? " " : "");
  }
  flush("");
  return text;
}

/** @param {HTMLElement} element @returns {Steps<string>} */
function* large(element) {
  if (element.localName === "table") return apart(yield* tableText(/** @type {HTMLTableElement} */ (element)));
  const content = yield* inside(element);
  const written = turndown.rules.forNode(element).replacement(content, element, turndown.options);
  return BLOCKS.has(element.localName) ? apart(written.trim()) : written;
}

/** @param {Element} element */
const isLarge = (element) => element.getElementsByTagName("*").length > MOST_NODES;
