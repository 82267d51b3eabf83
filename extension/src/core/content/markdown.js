// Clean content as Markdown with GitHub's tables, by turndown. Its own escaping leaves < and & as they are and so lets
// the text of a page become markup; here each text is escaped so that nothing that comes after it can undo that.

/** @import {Steps} from "../pace.js" */
/** @import {Cell} from "./tables.js" */

import TurndownService from "turndown";
import { finished } from "../pace.js";
import { isElement } from "../page/dom.js";
import { EDGE } from "./clean.js";
import { gridOf } from "./tables.js";

// A larger element is converted in parts, which end where a block, a line or a word does.
const MOST_NODES = 1_000;
const MOST_IN_A_WORD = 5_000;
const MOST_IN_A_LIST = 999_999_999; // with ten digits a number begins no item

const IN_LINE = "h1, h2, h3, h4, h5, h6, a, dt, summary, td, th"; // there Markdown has no blocks
export const BLOCKS =
  "address, article, aside, blockquote, dd, details, div, dl, dt, figcaption, figure, footer, h1, h2, h3, h4, h5, h6, " +
  "header, hgroup, hr, main, nav, p, pre, section, summary, table, ul, ol";

// Signs that are markup in a line. The next text may continue what a text ends with, so a sign at its end counts, too.
// Some readers make links of bare addresses and take the signs behind them along, also those that escape. So an address
// is cut, unless a space follows it in the same text.
const MARKS =
  /[\\`*[\]~]|_(?![^\W_])|(?<![^\W_])_|<(?=[a-z/!?]|$)|&(?=#?\w{0,32}(?:;|$))|!(?=\[|$)|:(?=\/?$|\/(?![\w./:?=%#+-]*\s))|(?<=www)\.(?![\w./:?=%#+-]*\s)/gi;
const HALF_ADDRESS = /(?<!\w)w{1,3}$/i;
const LINE_START = /^(\s*)(?=(?:#{1,6}|[-+])(?:\s|$)|[-=|:][-=|:\s]*$|[<>:(^]|\)(?:\s|$))|^(\s*\d{0,9})(?=[.)](?:\s|$))/;
// A note of a single word is the address of a link for a reader of Markdown who knows no notes.
const WORD = /^([^ \t\n]+)(?=[ \t]*(?:\n|$)|[ \t]+["'(])/;
const DOLLARS = /\$/g;
const EDGES = new RegExp(`${EDGE}{2}`, "g");

/** A text of the page in which nothing is markup. @param {string} text */
export function escaped(text) {
  const marked = text
    .replaceAll(EDGE, "")
    .replace(MARKS, "\\$&")
    .replace(LINE_START, (_, space = "", number = "") => `${space}${number}\\`)
    .replace(HALF_ADDRESS, (letters) => `&#${letters.charCodeAt(0)};${letters.slice(1)}`);
  return (marked.match(DOLLARS)?.length ?? 0) > 1 ? marked.replace(DOLLARS, "\\$$") : marked;
}

/** An address as the target of a link: no sign in it ends the link, or begins a tag or code. @param {string} url */
function target(url) {
  const safe = url.replace(/[\s<>\\|`]/g, encodeURIComponent).replace(/&(?=#?\w{1,32};)/g, "&amp;");
  return /[()]/.test(safe) ? `<${safe}>` : safe;
}

// Brackets end the text of a link, but for those of a root, which are a pair.
const BRACKETS = /(\\sqrt\[[^[\]]*\])|[[\]]/g;
/** @type {Record<string, string>} */
const BRACKET = { "[": "\\lbrack ", "]": "\\rbrack " };

/** TeX in which a reader of Markdown who knows no formulas sees no tag, link or code. @param {Element} math */
function texOf(math) {
  const tex = (math.querySelector("annotation")?.textContent ?? "").replace(/\s+/g, " ").trim();
  return (math.closest("a") ? tex.replace(BRACKETS, (all, root) => (root ? all : BRACKET[all])) : tex)
    .replace(/<(?=[a-z/!?]|$)/gi, "\\lt ")
    .replace(/(?<!\\)\$|`/g, "")
    .replace(/\](?=[([:])|~(?=~)|:(?=\/)|www(?=\.)/gi, "$& ")
    .replace(/^(?=[-+*#>=|:~]|\d+[.)])/, "{}");
}

/** @param {string} code */
function span(code) {
  const text = code.replace(/\s+/g, " ").trim();
  const fence = "`".repeat(longestRun(text) + 1);
  const pad = /^`|`$/.test(text) ? " " : "";
  return text ? EDGE + fence + pad + text + pad + fence + EDGE : code && " ";
}

/** @param {string} text */
const longestRun = (text) => (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
/** @param {string} text */
const inLine = (text) => joined(text, " ");
/** The lines of a text, without those that are empty. @param {string} text @param {string} by */
const joined = (text, by) => text.split("\n").map((line) => line.trim()).filter(Boolean).join(by);
/** @param {string} text */
const apart = (text) => `\n\n${text}\n\n`;
/** @param {string} text @param {string} first @param {string} others */
const indented = (text, first, others) => first + text.trim().replace(/\n(?!\n|$)/g, `\n${others}`);
/** @param {string} text */
const quotation = (text) => apart(indented(text, "> ", "> ").replace(/^$/gm, ">"));

/** @typedef {(content: string, element: HTMLElement) => string} Write */

/** @type {[tags: string, write: Write][]} */
const RULES = [
  ["h1, h2, h3, h4, h5, h6", (text, { localName: [, level] }) => {
    return apart(`${"#".repeat(Number(level))} ${inLine(text).replace(/(?<!#)#+$/, "\\$&")}`);
  }],
  // Four of these would begin a block of code.
  ["del, s", (text, { parentElement: above }) => (text.trim() && !above?.closest("del, s") ? `~~${text}~~` : text)],
  ["q", (text) => `\u201c${text}\u201d`],
  ["rt", (text) => `(${text})`],
  ["sup", (text, element) => script(text, element, "^")],
  ["sub", (text, element) => script(text, element, "\\_")],
  ["code, kbd, samp", (_, { textContent }) => span(textContent ?? "")],
  ["summary", (text) => text.trim() && apart(`**${inLine(text)}**`)],
  ["blockquote", quotation],
  ["div", (text, { className }) => {
    const [, kind] = /callout-(\w+)/.exec(className) ?? [];
    return kind ? quotation(`[!${kind.toUpperCase()}]\n${text.trim()}`) : apart(text);
  }],
  ["input", (_, box) => (box.hasAttribute("checked") ? "[x] " : "[ ] ")],
  ["dt", (text, term) => {
    const [start, end] = [term.matches("dt + dt") ? "\n  " : "\n\n- ", term.matches(":has(+ dt)") ? "  \n" : "\n\n"];
    return `${start}**${inLine(text)}**${end}`;
  }],
  ["dd", (text, { previousElementSibling: before }) => apart(indented(text, before ? "  " : "- ", "  "))],
  ["ul, ol", (text, { parentElement: above }) => (above?.localName === "li" ? `\n${text.trim()}\n` : apart(text.trim()))],
  ["li", (text, item) => {
    const sign = item.id ? `[^${item.id.slice(3)}]: ` : marker(item);
    if (!item.id) return `\n${indented(text, sign, " ".repeat(sign.length))}\n`;
    const isCode = /^\s*`/.test(text); // for a reader who knows no notes it is code only behind a blank line
    return apart(indented(isCode ? text : text.trim().replace(WORD, "$1 &nbsp;"), isCode ? `${sign.trim()}\n\n    ` : sign, "    "));
  }],
  ["a", (text, link) => {
    const href = link.getAttribute("href");
    if (link.hasAttribute("role")) return `[^${href?.slice(4)}]`;
    const isLine = text.trim() && !/\n\s*\n/.test(text.trim());
    return isLine && href && !href.startsWith("#") ? `[${inLine(text)}](${target(href)})` : text;
  }],
  ["img, audio, video", (_, element) => {
    const [alt, src, title] = ["alt", "src", "title"].map((name) => element.getAttribute(name) ?? "");
    if (element.localName === "img") return src && `![${inLine(escaped(alt))}](${target(src)})`;
    return src && apart(`[${escaped(title || src)}](${target(src)})`);
  }],
  ["pre", (_, block) => {
    const code = block.textContent ?? "";
    if (block.closest(IN_LINE)) return code.split("\n").map(span).join("\n");
    const language = /^language-(.+)$/.exec(block.querySelector("code")?.className ?? "")?.[1] ?? "";
    const fence = "`".repeat(Math.max(3, longestRun(code) + 1));
    return code.trim() && apart(`${fence}${language}\n${code}\n${fence}`);
  }],
  ["math", (_, math) => {
    const tex = texOf(math);
    if (math.closest("td, th")) return `$${tex.replaceAll("\\|", "\\Vert ").replaceAll("|", "\\vert ")}$`;
    return math.getAttribute("display") && !math.closest(IN_LINE) ? apart(`$$\n${tex}\n$$`) : tex && `$${tex}$`;
  }],
  ["table", (_, table) => apart(finished(tableText(/** @type {HTMLTableElement} */ (table))))],
];

/** The text before an item of a list. @param {Element} item */
function marker(item) {
  const list = item.parentElement;
  if (list?.localName !== "ol") return "- ";
  const place = [...list.children].filter(({ localName }) => localName === "li").indexOf(item);
  return `${Math.min(Math.max(0, parseInt(list.getAttribute("start") ?? "1") || 0) + place, MOST_IN_A_LIST)}. `;
}

// A superscript or subscript; letters alone are an ordinal or an abbreviation.
/** @param {string} content @param {Element} element @param {string} sign */
function script(content, element, sign) {
  const text = (element.textContent ?? "").trim();
  if (!/^(?=.*\d|.$)[\w+\-\u2212,.()=]{1,12}$/u.test(text) || element.querySelector("a")) return content;
  return sign + (/^[-\u2212]?(?:\w|\d+)$/.test(text) ? content : `(${content})`);
}

/** @param {HTMLTableElement} table @returns {Steps<string>} */
function* tableText(table) {
  if (table.querySelector("ul, ol, dl, pre")) return asHtml(table);
  const { title, head, rows } = gridOf(table);
  const none = (head ?? rows[0] ?? []).map(() => null);
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(" | ")} |`;
  const lines = [line((head ?? none).map(cellText)), line(none.map(() => "---"))];
  for (const row of rows) {
    yield;
    lines.push(line(row.map(cellText)));
  }
  const above = [table.caption, title].flatMap((cell) => (cell ? [turndown.turndown(cell)] : []));
  return [...above, ...(none.length ? [lines.join("\n")] : [])].join("\n\n");
}

/** @param {Cell} cell */
const cellText = (cell) =>
  joined(cell ? turndown.turndown(cell) : "", "<br>").replace(/\\.|\|/g, (sign) => (sign === "|" ? "\\|" : sign));

/** An element as HTML in one line, in which no text is Markdown wherever that line is. @param {Element} element */
function asHtml(element) {
  const code = (/** @type {string} */ sign) => `&#${sign.charCodeAt(0)};`;
  return element.outerHTML.replace(/>[^<]+/g, (text) => text.replace(/[\\`*_[\]~$!|:]/g, code)).replace(/\n/g, code);
}

const turndown = new TurndownService({ hr: "---", bulletListMarker: "-", emDelimiter: "*" });
turndown.escape = escaped;
for (const [tags, write] of RULES) {
  turndown.addRule(tags, {
    filter: /** @type {any} */ (tags.split(", ")),
    replacement: (content, node) => write(content, /** @type {HTMLElement} */ (node)),
  });
}

/** @param {HTMLElement} root with clean content @returns {Steps<string>} */
export function* markdownOf(root) {
  const written = yield* inside(root);
  return written.replace(EDGES, " ").replaceAll(EDGE, "").trim();
}

/** The content of an element. @param {HTMLElement} element @returns {Steps<string>} */
function* inside(element) {
  if (!isLarge(element)) return turndown.turndown(element);
  let number = parseInt(element.getAttribute("start") ?? "1") || 0; // of the next item
  let [text, nodes] = ["", 0];
  let part = /** @type {HTMLElement} */ (element.cloneNode(false));
  const flush = (/** @type {string} */ end) => {
    part.setAttribute("start", String(number));
    number += [...part.children].filter(({ localName }) => localName === "li").length;
    const written = turndown.turndown(part);
    text += written && written + end;
    part = /** @type {HTMLElement} */ (element.cloneNode(false)); // removing the children of the last takes long
    nodes = 0;
  };
  for (const child of element.childNodes) {
    yield;
    const inner = isElement(child) ? /** @type {HTMLElement} */ (child) : null;
    const end = inner ? endOf(inner) : /\s$/.test(child.nodeValue ?? "") ? " " : "";
    if (inner && isLarge(inner)) {
      flush(end);
      text += yield* large(inner);
      if (inner.localName === "li") number++;
      continue;
    }
    part.append(child.cloneNode(true));
    nodes += 1 + (inner?.getElementsByTagName("*").length ?? 0);
    if (nodes > (end ? MOST_NODES : MOST_IN_A_WORD)) flush(end);
  }
  flush("");
  return text;
}

/** What ends a part behind an element. @param {Element} element */
const endOf = (element) =>
  element.matches(BLOCKS) ? "\n\n" : element.localName === "li" ? "\n" : element.localName === "br" ? "  \n" : "";

/** @param {HTMLElement} element @returns {Steps<string>} */
function* large(element) {
  if (element.localName === "table") return apart(yield* tableText(/** @type {HTMLTableElement} */ (element)));
  const content = yield* inside(element);
  const written = turndown.rules.forNode(element).replacement?.(content, element, turndown.options) ?? content;
  return element.matches(BLOCKS) ? apart(written.trim()) : written;
}

/** @param {Element} element */
const isLarge = (element) => element.getElementsByTagName("*").length > MOST_NODES;
