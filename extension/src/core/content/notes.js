// Footnotes: a mark that leads to a note on the page becomes a numbered reference, and the notes come last.

/** @import {Steps} from "../pace.js" */

import names from "../../../../src/tamis/render/content/names.json" with { type: "json" };
import { folded, split } from "../characters.js";
import { isHollow } from "./kept.js";

/** @param {string[]} list */
const called = (list) => list.map((name) => `.${name}, [role='${name}']`).join();

const REFERENCES = called(names.notes.references);
const NOTES = called(names.notes.notes);
const BACKS = called(names.notes.backs);
const UNSEEN = `:is(h1, h2, h3, h4, h5, h6):is(${called(names.notes.hidden)})`;
// Notes where they are referred to, and what shows them.
const BESIDE = ".sidenote, .marginnote, .modern-footnotes-footnote__note, .ltx_role_footnote .ltx_note_content";
const OPENERS = "label.margin-toggle, input.margin-toggle, .modern-footnotes-footnote, .ltx_note_mark, .ltx_tag_note";
const HOLDERS = "table.footnote, li, p, dd, tr, aside, section, div";
const MARK =
  /^[[(]?(?:(?:note|nb|fn) ?)?(?:\d{1,3}|[a-z]|[ivx]{1,5}|[*†‡§¶]{1,3}|[A-Z]\w{0,20}\d{2,4}\w?)[\])]?$/i;
const NAMED =
  /(?:^|[-_:.])_?(?:s?d?foot|end|side|cite_?)?(?:fn|ftn|edn|note|footnote|endnote|reference|ref)(?:def)?s?\d*(?:$|[-_:.\d])/i;
const LABEL =
  /^\s*(?:\[?\(?(?:\d{1,3}(?![\d,.]*\d|\w)|[*†‡§¶]{1,3}|[a-z](?=[\])]))[\])]?[.:]?|[\^↑]|\[\s*\])\s*/i;
const ARROWS = /^(?:[\s↩↑⤴⏎^]|\ufe0e|\ufe0f|back|return)*$/i;
const MOST_WORDS = 400;
const MOST_NOTES = 2_000;

/** @typedef {{mark: Element, holder: Element}} Found */

/** @param {Element} root is changed @returns {Steps<void>} */
export function* noted(root) {
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
    mark.replaceWith(raised);
    numbers.set(holder, number);
  };
  for (const holder of root.querySelectorAll(BESIDE)) {
    yield;
    const place = inert.createElement("span");
    holder.replaceWith(place);
    refer({ mark: place.closest(".ltx_note") ?? place, holder });
  }
  if (numbers.size) for (const opener of root.querySelectorAll(OPENERS)) opener.remove();
  for (const { mark, holder } of yield* linked(root)) {
    yield;
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

/** The marks that lead to a note after them. @param {Element} root @returns {Steps<Found[]>} */
function* linked(root) {
  const named = [...root.querySelectorAll("a[name], [id]")].reverse(); // of two with one name the first counts
  const targets = new Map(named.map((target) => [target.id || target.getAttribute("name"), target]));
  /** @type {Found[]} */
  const found = [];
  for (const mark of root.querySelectorAll("a[href*='#']")) {
    yield;
    const name = nameIn(mark);
    const target = targets.get(name);
    if (!target || !MARK.test(folded(mark.textContent ?? "")) || mark.closest(`${BACKS}, h1, h2, h3`)) continue;
    if (found.at(-1)?.holder.contains(mark) || !(mark.compareDocumentPosition(target) & 4)) continue;
    const holder = holderOf(target, root);
    if (!holder || holder.contains(mark) || holder.querySelector("h1, h2, h3, h4")) continue;
    const isNamed = NAMED.test(name) || mark.closest(REFERENCES) || holder.closest(NOTES);
    const isNote = isNamed || leadsBack(holder, mark);
    if (isNote && split(holder.textContent ?? "").length <= MOST_WORDS) found.push({ mark, holder });
  }
  return found;
}

/** The name that a link leads to. @param {Element} link */
function nameIn(link) {
  const name = link.getAttribute("href")?.replace(/^[^#]*#/, "") ?? "";
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** The element of the note that a target begins or is in. @param {Element} target @param {Element} root */
function holderOf(target, root) {
  const definition = target.closest("dt")?.nextElementSibling;
  const holder = definition?.localName === "dd" ? definition : target.closest(HOLDERS);
  return holder && holder !== root && root.contains(holder) && !isHollow(holder) ? holder : null;
}

/** Does a link in the note lead to the mark? @param {Element} holder @param {Element} mark */
function leadsBack(holder, mark) {
  const near = [mark, mark.parentElement, mark.parentElement?.parentElement];
  const own = near.flatMap((each) => [each?.id, each?.getAttribute("name")]);
  return [...holder.querySelectorAll("a[href^='#']")].some((link) => own.includes(nameIn(link)));
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
