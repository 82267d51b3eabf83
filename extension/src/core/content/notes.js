// Footnotes: a mark that leads to a note on the page becomes a numbered reference, and the notes come last.

/** @import {Steps} from "../pace.js" */

import names from "../../../../src/tamis/render/content/names.json" with { type: "json" };
import { folded } from "../characters.js";
import { isHollow } from "./kept.js";

/** @param {string[]} list */
const classes = (list) => list.map((name) => `.${name}, [role='${name}']`).join();

const { references, notes: noteNames, backs, hidden } = names.notes;
const REFERENCES = classes(references);
const NOTES = classes(noteNames);
const BACKS = classes(backs);
// Notes that stand where they are referred to, and what shows them.
const BESIDE = ".sidenote, .marginnote, .modern-footnotes-footnote__note, .ltx_note.ltx_role_footnote .ltx_note_content";
const OPENERS = "label.margin-toggle, input.margin-toggle, .modern-footnotes-footnote, .ltx_note_mark, .ltx_tag_note";
const HOLDERS = "li, p, dd, tr, aside, section, div";
const MARK = /^[[(]?(?:(?:note|nb|fn) ?)?(?:\d{1,3}|[a-z]|[ivx]{1,5}|[*†‡§¶]{1,3}|[A-Z]\w{0,20}\d{2,4}\w?)[\])]?$/i;
const NAMED = /(?:^|[-_:.])_?(?:s?d?foot|end|side|cite_?)?(?:fn|ftn|edn|note|footnote|endnote|reference|ref)(?:def)?s?\d*(?:$|[-_:.\d])/i;
const LABEL = /^\s*(?:\[?\(?(?:\d{1,3}(?![\d,.]*\d|\w)|[*†‡§¶]{1,3}|[a-z](?=[\])]))[\])]?[.:]?|[\^↑]|\[\s*\])\s*/i;
const ARROWS = /^(?:[\s↩↑⤴⏎^\ufe0e\ufe0f\u21a9]|back|return)*$/i;
const MOST_WORDS = 400;
const MOST_NOTES = 2_000;

/** @typedef {{mark: Element, holder: Element}} Found */

/** @param {Element} root is changed @returns {Steps<void>} */
export function* noted(root) {
  const inert = root.ownerDocument;
  const list = inert.createElement("ol");
  /** @type {Map<Element, number>} */
  const numbers = new Map();
  /** @param {Element} mark @param {Element} holder */
  const refer = (mark, holder) => {
    const number = numbers.get(holder) ?? numbers.size + 1;
    const isFirst = !numbers.has(holder);
    numbers.set(holder, number);
    const link = inert.createElement("a");
    link.setAttribute("href", `#fn-${number}`);
    link.setAttribute("role", "doc-noteref");
    if (isFirst) link.id = `fnref-${number}`;
    link.append(String(number));
    const raised = inert.createElement("sup");
    raised.append(link);
    mark.replaceWith(raised);
  };
  for (const note of root.querySelectorAll(BESIDE)) {
    yield;
    const place = inert.createElement("span");
    note.replaceWith(place);
    const around = place.closest(".ltx_note");
    refer(around && root.contains(around) ? around : place, note);
  }
  if (numbers.size) for (const opener of root.querySelectorAll(OPENERS)) opener.remove();
  for (const { mark, holder } of yield* linked(root)) {
    yield;
    if (numbers.size < MOST_NOTES || numbers.has(holder)) refer(around(mark), holder);
  }
  for (const [holder, number] of numbers) {
    yield;
    list.append(noteOf(holder, number));
  }
  if (!list.firstChild) return;
  for (const heading of root.querySelectorAll(classes(hidden))) if (heading.matches("h1, h2, h3, h4, h5, h6")) heading.remove();
  const notes = inert.createElement("section");
  notes.setAttribute("role", "doc-endnotes");
  notes.append(list);
  root.append(notes);
}

/** The marks that lead to a note after them. @param {Element} root @returns {Steps<Found[]>} */
function* linked(root) {
  /** @type {Map<string, Element>} */
  const targets = new Map();
  for (const target of [...root.querySelectorAll("a[name], [id]")]) {
    const name = target.id || (target.getAttribute("name") ?? "");
    if (!targets.has(name)) targets.set(name, target);
  }
  const marks = root.querySelectorAll("a[href*='#']");
  /** @type {Found[]} */
  const found = [];
  /** @type {Set<Element>} */
  const holders = new Set();
  for (const mark of marks) {
    yield;
    const name = decoded((mark.getAttribute("href") ?? "").replace(/^[^#]*#/, ""));
    const target = targets.get(name);
    if (!target || !MARK.test(folded(mark.textContent ?? "")) || mark.closest(`${BACKS}, h1, h2, h3`)) continue;
    if ([...holders].at(-1)?.contains(mark) || !(mark.compareDocumentPosition(target) & 4)) continue;
    const holder = holderOf(target, root);
    if (!holder || holder.contains(mark) || holder.querySelector("h1, h2, h3, h4")) continue;
    const isNamed = NAMED.test(name) || mark.closest(REFERENCES) || holder.closest(NOTES) || leadsBack(holder, mark) || isLabelled(holder, mark);
    if (!isNamed || folded(holder.textContent ?? "").split(" ").length > MOST_WORDS) continue;
    holders.add(holder);
    found.push({ mark, holder });
  }
  return found;
}

/** @param {string} name */
function decoded(name) {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** The element of the note that a target begins or is in. @param {Element} target @param {Element} root */
function holderOf(target, root) {
  const term = target.closest("dt");
  const holder = term?.nextElementSibling?.localName === "dd" ? term.nextElementSibling : target.closest(`table.footnote, ${HOLDERS}`);
  if (!holder || !root.contains(holder) || holder === root || isHollow(holder)) return null;
  return holder;
}

/** Does a link in the note lead to the mark? @param {Element} holder @param {Element} mark */
function leadsBack(holder, mark) {
  const names = [mark, mark.parentElement, mark.parentElement?.parentElement].flatMap((each) => [each?.id, each?.getAttribute("name")]);
  return [...holder.querySelectorAll("a[href^='#']")].some((link) => names.includes(decoded(link.getAttribute("href")?.slice(1) ?? "")));
}

/** Does the note begin with the mark? @param {Element} holder @param {Element} mark */
function isLabelled(holder, mark) {
  const [note, label] = [holder, mark].map((each) => folded(each.textContent ?? "").replace(/[[\]()]/g, ""));
  return note.startsWith(label) && !/^\w/.test(note.slice(label.length));
}

/** A mark with the superscript or brackets around it. @param {Element} mark */
function around(mark) {
  const above = mark.parentElement;
  if (above && ["sup", "span", "cite"].includes(above.localName) && MARK.test(folded(above.textContent ?? ""))) return above;
  const { previousSibling: before, nextSibling: after } = mark;
  if (/\[$/.test(before?.nodeValue ?? "") && /^\]/.test(after?.nodeValue ?? "") && before && after) {
    before.nodeValue = (before.nodeValue ?? "").slice(0, -1);
    after.nodeValue = (after.nodeValue ?? "").slice(1);
  }
  return mark;
}

/** A note as an item, without its label and the links back. @param {Element} holder is taken out of the page @param {number} number */
function noteOf(holder, number) {
  const item = holder.ownerDocument.createElement("li");
  item.id = `fn-${number}`;
  let above = holder.parentElement;
  const label = holder.localName === "dd" ? holder.previousElementSibling : null;
  holder.remove();
  if (label?.localName === "dt") label.remove();
  for (; above?.parentElement && isHollow(above); above = holder.parentElement) {
    const outer = above.parentElement;
    above.remove();
    above = outer;
    break;
  }
  for (const link of holder.querySelectorAll(`${BACKS}, a[href^='#']`)) {
    const text = folded(link.textContent ?? "");
    if (link.matches(BACKS) || ARROWS.test(text) || MARK.test(text)) link.remove();
  }
  if (holder.localName === "tr" || holder.localName === "table") item.append(...[...holder.querySelectorAll("td")].flatMap((cell) => [...cell.childNodes]));
  else item.append(...holder.childNodes);
  const walker = holder.ownerDocument.createTreeWalker(item, 4);
  while (walker.nextNode()) {
    const text = /** @type {Text} */ (walker.currentNode);
    text.data = text.data.replace(LABEL, "");
    if (text.data.trim()) break;
  }
  return item;
}
