// The content of a page in each format: the kept leaves are copied, brought into one form, sanitized and written.

/** @import {Labels} from "../labels.js" */
/** @import {Steps} from "../pace.js" */
/** @import {PageTable} from "../page/table.js" */

import * as dom from "../page/dom.js";
import { addClean, baseOf, sanitizer } from "./clean.js";
import { rawFormulas } from "./formulas.js";
import { keptCopy } from "./kept.js";
import { markdownOf as markdown } from "./markdown.js";
import { noted } from "./notes.js";
import { structured } from "./structure.js";
import { textOf as text } from "./text.js";

/** @typedef {{url?: string | null, window?: object}} Options `window` has the interfaces of the DOM */

const FORMULAS = /mathjax|katex/i;

// The content as an element of a document that loads and runs nothing.
/** @param {PageTable} table @param {Labels} labels @param {Options} [options] @returns {Steps<HTMLElement>} */
export function* contentOf(table, { keep, notes = [] }, { url = table.url, window = globalThis } = {}) {
  const { elements } = table;
  const page = /** @type {Document} */ (dom.ownerDocument(elements.node[0]));
  const inert = dom.implementation(page).createHTMLDocument("");
  const declared = elements.tag.indexOf("base");
  const base = baseOf(url, declared < 0 ? null : elements.attribute(declared, "href"));
  const { root: copy, copies } = yield* keptCopy(table, keep, inert, base);
  const scripts = [...elements.tag.keys()].filter((row) => elements.tag[row] === "script");
  if (scripts.some((row) => FORMULAS.test(elements.attribute(row, "src") ?? ""))) yield* rawFormulas(copy);
  const found = notes.flatMap(([row, note]) => {
    const [mark, holder] = [copies.get(row), copies.get(note)];
    return mark && holder ? [{ mark, holder }] : [];
  });
  yield* noted(copy, found);
  yield* structured(copy);
  const clean = inert.createElement("div");
  yield* addClean(clean, copy, sanitizer(inert, window), base);
  return clean;
}

/** @param {(content: HTMLElement) => Steps<string>} write */
const written = (write) =>
  /** @param {PageTable} table @param {Labels} labels @param {Options} [options] @returns {Steps<string>} */
  function* steps(table, labels, options) {
    return yield* write(yield* contentOf(table, labels, options));
  };

export const markdownOf = written(markdown);
export const textOf = written(text);
export const htmlOf = written(function* html(content) {
  yield;
  return content.innerHTML.trim();
});
