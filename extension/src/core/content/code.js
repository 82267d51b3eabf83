// Blocks of code as pre > code, with their language and without line numbers. Classes are those that Python knows.

import table from "../../../../src/tamis/render/content/code.json" with { type: "json" };
import { split } from "../characters.js";
import { getAttribute, matches, parentElement, selectIn, textContent } from "../page/dom.js";

/** @param {string[]} names */
const classes = (names) => names.map((name) => `.${name}`).join();

const CODE = "pre, xmp, listing, plaintext, code";
const BLOCKS =
  `pre, xmp, listing, plaintext, .highlight table, table.highlighttable, table.lntable, ${classes(table.containers)}`;
const CELLS = classes(table.cells);
const VERBATIM = /white-space:\s*pre\s*(?:;|$)/;
const BESIDE =
  `${classes([...table.gutters, ...table.tools, ...table.labels, ...table.titles, ...table.unselectable])}, ` +
  "button, script, style, [aria-hidden=true], [style*='user-select: none'], [style*='user-select:none']";
const ROWS = "tr, li, p, div";
const UNSEEN = /[\u200b\ufeff]/g;
const END = "\ufdd0"; // of a line that a <br> ends
const ENDED = /[\n\ufdd0]$/;
const LABELS = `${classes(table.labels)}, .code-header .lang, .code-header .language`;

const KNOWN = new Set(table.languages);
const NONE = new Set(table.none);
const MARKERS = new Set(table.markers);
const NATURAL = new Set(table.natural); // `lang` has the codes of human languages, too
/** @type {Record<string, string | undefined>} */
const ALIASES = table.aliases;
const NAME = /^[a-z0-9_+#.-]{1,40}$/; // other characters could end the line of a fence
const LONGEST_CLASS = 1_000;
const ABOVE = 3; // elements above a block that may name its language

/**
 * The block of code that an element is, or null.
 *
 * @param {Element} element
 * @param {Document} inert
 */
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
  const text = copy.textContent ?? "";
  const rows = [...copy.querySelectorAll(ROWS)].filter((row) => !row.querySelector(ROWS));
  const lines = rows.length || text.trim().includes("\n") ? rows : [...copy.querySelectorAll(classes(table.lines))];
  if (copy.localName !== "pre") {
    // Here only elements end a line.
    for (const { previousSibling: before } of lines) if (before?.nodeType === 3 && !before.nodeValue?.trim()) before.nodeValue = "";
  }
  for (const end of copy.querySelectorAll("br")) end.replaceWith(END);
  for (const line of lines) {
    const parts = line.localName === "tr" ? [...line.children] : [line];
    line.textContent = `${parts.map((part) => part.textContent).join("").replace(ENDED, "")}\n`;
  }
  const written = copy.localName === "code" ? copy.textContent?.replace(/[ \n\t]+/g, " ") : copy.textContent;
  const plain = (written ?? "").replace(copy.localName === "code" ? / ?\ufdd0 ?/g : /\ufdd0/g, "\n").replaceAll("\xa0", " ");
  return plain.replace(UNSEEN, "").replace(/^(?:[^\S\n]*\n)+|\s+$/g, "");
}

/** The language that a block names, or what is in it or around it; empty if none does. @param {Element} element */
function languageOf(element) {
  const inner = [...selectIn(element, CODE)].slice(0, 8).reverse();
  const around = [];
  for (let above = parentElement(element); above && around.length < ABOVE; above = parentElement(above)) around.push(above);
  for (const each of [...inner, element, ...around]) {
    const found = named(each);
    if (found !== null) return found;
  }
  const [label] = around.flatMap((above) => [...selectIn(above, LABELS)]);
  return (label && nameOf(textContent(label) ?? "", false)) ?? "";
}

/** The language that one element names; empty for plain text, null if it names none. @param {Element} element */
function named(element) {
  const isCode = matches(element, CODE);
  const words = split((getAttribute(element, "class") ?? "").slice(0, LONGEST_CLASS).toLowerCase());
  for (const prefix of table.prefixes) {
    for (const [place, word] of words.entries()) {
      if (!word.startsWith(prefix)) continue;
      const found = nameOf(word.slice(prefix.length) || (words[place + 1] ?? ""), isCode && prefix.startsWith("lang"));
      if (found !== null) return found;
    }
  }
  for (const attribute of table.attributes) {
    const found = nameOf(getAttribute(element, attribute) ?? "", isCode);
    if (found !== null) return found;
  }
  const marked = isCode || words.some((word) => MARKERS.has(word));
  const known = marked ? words.find((word) => !MARKERS.has(word) && nameOf(word, false)) : undefined;
  if (known) return nameOf(known, false);
  const lang = getAttribute(element, "lang") ?? "";
  return isCode && !NATURAL.has(lang) ? nameOf(lang, false) || null : null;
}

/** @param {string} given @param {boolean} isAny if names count that no table has */
function nameOf(given, isAny) {
  const lower = given.trim().replace(/[;,]+$/, "").toLowerCase();
  const name = ALIASES[lower] ?? lower;
  if (NONE.has(name)) return "";
  return NAME.test(name) && (isAny || KNOWN.has(name) || KNOWN.has(name.split("+")[0])) ? name : null;
}
