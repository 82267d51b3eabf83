// Footnotes: a mark that leads to a note on the page becomes a numbered reference, and the notes come last.

/** @import {Steps} from "../pace.js" */

import names from "../../../../packages/tamis/src/tamis/document/notes.json" with { type: "json" };
import { folded } from "../characters.js";
import { isHollow } from "./kept.js";

const BACKS = String(names.backs);
const UNSEEN = `:is(h1, h2, h3, h4, h5, h6):is(${names.hidden})`;
// Notes where they are referred to, and what shows them.
const BESIDE = ".sidenote, .marginnote, .modern-footnotes-footnote__note, .ltx_role_footnote .ltx_note_content";
const OPENERS = "label.margin-toggle, input.margin-toggle, .modern-footnotes-footnote, .ltx_note_mark, .ltx_tag_note";
const MARK =
  /^[[(]?(?:(?:note|nb|fn) ?)?(?:\d{1,3}|[a-z]|[ivx]{1,5}|[*†‡§¶]{1,3}|[A-Z]\w{0,20}\d{2,4}\w?)[\])]?$/i;
const LABEL =
  /^\s*(?:\[?\(?(?:\d{1,3}(?![\d,.]*\d|\w)|[*†‡§¶]{1,3}|[a-z](?=[\])]))[\])]?[.:]?|[\^↑]|\[\s*\])\s*/i;
const ARROWS = /^(?:[\s↩↑⤴⏎^]|\ufe0e|\ufe0f|back|return)*$/i;
const MOST_NOTES = 2_000;

/** @typedef {{mark: Element, holder: Element}} Found */

// The kernel decides which marks lead to a note.
/** @param {Element} root is changed @param {Found[]} found @returns {Steps<void>} */
export function* noted(root, found) {
  const inert = root.ownerDocument;
  const notes = inert.createElement("section");
  notes.setAttribute("role", "doc-endnotes");
  notes.append(inert.createElement("ol"));
  /** @type {Map<Element, number>} */
  const numbers = new Map();
  /** @param {Found} found */
  const refer = ({ mark, holder }) => {
    const number = numbers.get(holder) ?? numbers.size + 1;
    const link = inert.createElement("a");
    link.setAttribute("href", `#fn-${number}`);
    link.setAttribute("role", "doc-noteref");
    if (!numbers.has(holder)) link.id = `fnref-${number}`;
    link.append(String(number));
    const raised = inert.createElement("sup");
    raised.append(link);
    if (mark.matches("a") && !MARK.test(folded(mark.textContent ?? ""))) mark.append(raised); // "Smith 2004" stays
    mark.replaceWith(...(mark.contains(raised) ? mark.childNodes : [raised]));
    numbers.set(holder, number);
  };
  for (const holder of root.querySelectorAll(BESIDE)) {
    yield;
    const place = inert.createElement("span");
    holder.replaceWith(place);
    refer({ mark: place.closest(".ltx_note") ?? place, holder });
  }
  if (numbers.size) for (const opener of root.querySelectorAll(OPENERS)) opener.remove();
  for (const { mark, holder } of found) {
    yield;
    if (isHollow(holder) || holder.contains(mark)) continue;
    if (numbers.size < MOST_NOTES || numbers.has(holder)) refer({ mark: around(mark), holder });
  }
  if (!numbers.size) return;
  for (const [holder, number] of numbers) {
    yield;
    notes.firstChild?.appendChild(noteOf(holder, number));
  }
  for (const heading of root.querySelectorAll(UNSEEN)) heading.remove();
  root.append(notes);
}

/** A mark with the superscript or brackets around it. @param {Element} mark */
function around(mark) {
  const { parentElement: above, previousSibling: before, nextSibling: after } = mark;
  if (above?.matches("sup, span, cite") && MARK.test(folded(above.textContent ?? ""))) return above;
  if (before?.nodeValue?.endsWith("[") && after?.nodeValue?.startsWith("]")) {
    before.nodeValue = before.nodeValue.slice(0, -1);
    after.nodeValue = after.nodeValue.slice(1);
  }
  return mark;
}

/** A note as an item, without its label and the links back. @param {Element} holder is taken out @param {number} number */
function noteOf(holder, number) {
  const item = holder.ownerDocument.createElement("li");
  item.id = `fn-${number}`;
  for (const link of holder.querySelectorAll(`${BACKS}, a[href^='#']`)) {
    const text = folded(link.textContent ?? "");
    if (link.matches(BACKS) || ARROWS.test(text) || MARK.test(text)) link.remove();
  }
  const label = holder.matches("dt + dd") ? holder.previousElementSibling : null;
  const { parentElement: list } = holder;
  const parts = holder.matches("tr, table") ? [...holder.querySelectorAll("td")] : [holder];
  item.append(...parts.flatMap((part) => [...part.childNodes]));
  label?.remove();
  holder.remove();
  if (list && isHollow(list)) list.remove();
  const walker = item.ownerDocument.createTreeWalker(item, 4);
  for (let isLabel = true; isLabel && walker.nextNode(); ) {
    const text = /** @type {Text} */ (walker.currentNode);
    text.data = text.data.replace(LABEL, "");
    isLabel = !text.data.trim();
  }
  return item;
}
