// Blocks of code as pre > code, with their language and without line numbers. Classes are those that Python knows.

import table from "../../../../packages/tamis/src/tamis/render/content/code.json" with { type: "json" };
import { split } from "../characters.js";
import { getAttribute, matches, parentElement, selectIn, textContent } from "../page/dom.js";

/** Selects elements of these classes. @param {string[]} names */
export const classes = (names) => names.map((name) => `.${name}`).join();

const CODE = "pre, xmp, listing, plaintext, code";
const BLOCKS =
  `pre, xmp, listing, plaintext, .highlight table, table.highlighttable, table.lntable, ${classes(table.containers)}`;
const CELLS = classes(table.cells);
const VERBATIM = /white-space:\s*pre\s*(?:;|$)/;
const BESIDE =
  `${classes([...table.gutters, ...table.tools, ...table.labels, ...table.titles, ...table.unselectable])}, ` +
  "button, script, style, [aria-hidden=true], [style*='user-select: none'], [style*='user-select:none']";
const LABELS = `${classes(table.labels)}, .code-header .lang, .code-header .language`;
const LINES = classes(table.lines);
const ROWS = "tr, li, p, div";
const END = "\ufdd0"; // of a line that a <br> ends
const UNSEEN = /[\u200b\ufeff]/g;

const [KNOWN, NONE, MARKERS, NATURAL] = [table.languages, table.none, table.markers, table.natural].map(
  (names) => new Set(names),
);
/** @type {Record<string, string | undefined>} */
const ALIASES = table.aliases;
const NAME = /^[a-z0-9_+#.-]{1,40}$/; // other characters could end the line of a fence
const LONGEST_CLASS = 1_000;
const MOST_INSIDE = 8; // elements of a block that are asked for its language
const ABOVE = [1, 2, 3]; // elements around it

/** The block of code that an element is, or null. @param {Element} element @param {Document} inert */
export function codeBlock(element, inert) {
  if (!isBlock(element)) return null;
  const code = inert.createElement("code");
  const language = languageOf(element);
  if (language) code.className = `language-${language}`;
  code.append(textOf(inert.importNode(element, true)));
  const block = inert.createElement("pre");
  block.append(code);
  return block;
}

/** @param {Element} element */
function isBlock(element) {
  if (matches(element, BLOCKS)) return true;
  if (matches(element, "code")) return selectIn(element, "br").length > 0;
  if (matches(element, "table")) return selectIn(element, CELLS).length > 0;
  return matches(element, "div") && VERBATIM.test(getAttribute(element, "style") ?? "");
}

/** The text of code, with the ends of its lines. @param {Element} copy is changed */
function textOf(copy) {
  for (const beside of copy.querySelectorAll(BESIDE)) {
    const { nextSibling: after } = beside;
    if (after?.nodeType === 3) after.nodeValue = (after.nodeValue ?? "").replace(/^[ \xa0]/, "");
    beside.remove();
  }
  const rows = [...copy.querySelectorAll(ROWS)].filter((row) => !row.querySelector(ROWS));
  const isFlat = !rows.length && !copy.textContent?.trim().includes("\n");
  const lines = isFlat ? copy.querySelectorAll(LINES) : rows;
  for (const { previousSibling: before } of copy.localName === "pre" ? [] : lines) {
    if (before?.nodeType === 3 && !before.nodeValue?.trim()) before.nodeValue = ""; // here only elements end a line
  }
  for (const end of copy.querySelectorAll("br")) end.replaceWith(END);
  for (const line of lines) {
    const parts = line.localName === "tr" ? [...line.children] : [line];
    line.textContent = `${parts.map((part) => part.textContent).join("").replace(/[\n\ufdd0]$/, "")}\n`;
  }
  const text = copy.textContent ?? "";
  const plain = copy.localName === "code" ? text.replace(/[ \n\t]+/g, " ").replace(/ ?\ufdd0 ?/g, END) : text;
  return plain.replaceAll(END, "\n").replaceAll("\xa0", " ").replace(UNSEEN, "").replace(/^(?:[^\S\n]*\n)+|\s+$/g, "");
}

/** The language that a block names, or what is in it or around it; empty if none does. @param {Element} element */
function languageOf(element) {
  const inner = [...selectIn(element, CODE)].slice(0, MOST_INSIDE).reverse();
  /** @type {Element | null} */
  let above = element;
  const around = ABOVE.flatMap(() => (above &&= parentElement(above)) ?? []);
  const found = [...inner, element, ...around].map(named).find((name) => name !== null);
  const [label] = found === undefined ? around.flatMap((each) => [...selectIn(each, LABELS)]) : [];
  return found ?? (label && nameOf(textContent(label) ?? "", false)) ?? "";
}

/** The language that one element names; empty for plain text, null if it names none. @param {Element} element */
function named(element) {
  const isCode = matches(element, CODE);
  const words = split((getAttribute(element, "class") ?? "").slice(0, LONGEST_CLASS).toLowerCase());
  const prefixed = table.prefixes.flatMap((prefix) =>
    words.flatMap((word, place) => {
      const name = word.startsWith(prefix) ? word.slice(prefix.length) || words[place + 1] : "";
      return name ? [nameOf(name, isCode && prefix.startsWith("lang"))] : [];
    }),
  );
  const said = table.attributes.map((attribute) => nameOf(getAttribute(element, attribute) ?? "", isCode));
  const isMarked = isCode || words.some((word) => MARKERS.has(word));
  const known = isMarked ? words.map((word) => (MARKERS.has(word) ? null : nameOf(word, false) || null)) : [];
  const lang = getAttribute(element, "lang") ?? "";
  const own = isCode && !NATURAL.has(lang) ? nameOf(lang, false) || null : null;
  return [...prefixed, ...said, ...known, own].find((name) => name !== null) ?? null;
}

/** @param {string} given @param {boolean} isAny if names count that no table has */
function nameOf(given, isAny) {
  const lower = given.trim().replace(/[;,]+$/, "").toLowerCase();
  const name = ALIASES[lower] ?? lower;
  if (NONE.has(name)) return "";
  return NAME.test(name) && (isAny || KNOWN.has(name) || KNOWN.has(name.split("+")[0])) ? name : null;
}
