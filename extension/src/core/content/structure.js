// What pages write in many ways, as HTML has it: headings without the signs beside them, lists, tables of data, callouts.

/** @import {Steps} from "../pace.js" */

import anchors from "../../../../packages/tamis/src/tamis/render/content/anchors.json" with { type: "json" };
import names from "../../../../packages/tamis/src/tamis/render/content/names.json" with { type: "json" };
import { folded, split } from "../characters.js";
import allowed from "./allowed.json" with { type: "json" };
import { classes } from "./code.js";
import { BLOCKS } from "./markdown.js";

const SIGNS = new Set(anchors.signs);
const HEADINGS = "h1, h2, h3, h4, h5, h6";
const LINKS = `:is(${HEADINGS}) a[href*='#'], ${classes(anchors.classes)}`;
const UNSEEN = /[\ue000-\uf8ff]|\u200b|\u200c|\u200d|\u2060|\ufe0e|\ufe0f|\ufeff/g;
const NO_CELLS = "table, hr, section, article, aside, nav, blockquote";
const NO_LINKS = "a, audio, blockquote, details, dl, hr, ol, pre, table, ul, video";
const FEW_WORDS = 30; // for each cell of a table that says nothing of its kind

const { boxes, prefixes, kinds, other_kinds: others, need_kind: vague, kind_attributes, titles, icons } = names.callouts;
const KINDS = new Map(
  Object.entries(kinds).concat(Object.entries(others)).flatMap(([kind, all]) => all.map((name) => [name, kind])),
);

/** @param {Element} element */
const textOf = (element) => folded((element.textContent ?? "").replace(UNSEEN, ""));

/** @param {Element} root is changed @returns {Steps<void>} */
export function* structured(root) {
  /** @param {string} selector @param {(element: any) => void} change */
  function* each(selector, change) {
    for (const element of [...root.querySelectorAll(selector)].reverse()) { // the innermost first
      yield;
      change(element);
    }
  }
  yield* each(classes(anchors.edit), (edit) => edit.remove());
  yield* each(LINKS, bare);
  yield* each("a[href]", narrowed);
  yield* each(".tiktok-embed[cite]", (post) => post.querySelector("a")?.setAttribute("href", post.getAttribute("cite")));
  yield* each("input", (box) => (box.closest("li") ? box.setAttribute("disabled", "") : box.remove()));
  yield* each("ul, ol", inItems);
  yield* each(classes(boxes), callout);
  yield* each("table", arranged);
  // Markdown has no blocks in a line: a mark beside the end of a block of code would leave it open.
  yield* each(allowed.inline.join(), (inline) => inline.querySelector(BLOCKS) && inline.replaceWith(...inline.childNodes));
  yield* each("a", (link) => link.querySelector(NO_LINKS) && link.replaceWith(...link.childNodes));
}

/** Remove a sign beside a heading, and a link from a heading to itself. @param {Element} link */
function bare(link) {
  if (SIGNS.has(textOf(link).toLowerCase()) && !link.querySelector("img")) link.remove();
  else if (link.getAttribute("href") === `#${link.closest(HEADINGS)?.id}`) link.replaceWith(...link.childNodes);
}

/** Put a link around blocks into the heading in it. @param {Element} link */
function narrowed(link) {
  const heading = link.querySelector(HEADINGS);
  if (!heading) return;
  const inner = /** @type {Element} */ (link.cloneNode(false));
  inner.append(...heading.childNodes);
  heading.append(inner);
  link.replaceWith(...link.childNodes);
}

/** Put the nodes between two items of a list into the one before. @param {Element} list */
function inItems(list) {
  let item = null;
  for (const child of [...list.childNodes]) {
    if (child.nodeName === "LI") item = /** @type {Element} */ (child);
    else item?.append(" ", child);
  }
}

/** The kind of callout that a class or an attribute names. @param {Element} box */
function kindOf(box) {
  const words = split((box.getAttribute("class") ?? "").toLowerCase());
  const said = kind_attributes.map((name) => box.getAttribute(name)?.toLowerCase() ?? "");
  const parts = words.flatMap((word) => prefixes.map((start) => (word.startsWith(start) ? word.slice(start.length) : "")));
  const named = [...said, ...words, ...parts].find((name) => KINDS.has(name));
  return KINDS.get(named ?? "") ?? (words.some((word) => boxes.includes(word) && !vague.includes(word)) ? "note" : null);
}

/** @param {Element} box */
function callout(box) {
  const kind = kindOf(box);
  if (!kind || box.querySelector("[role=note]") || !textOf(box)) return;
  for (const icon of box.querySelectorAll(classes(icons))) if (!icon.querySelector("p")) icon.remove();
  const title = box.querySelector(`${classes(titles)}, summary`);
  const [made, line] = ["div", "p"].map((name) => box.ownerDocument.createElement(name));
  made.setAttribute("role", "note");
  made.className = `callout callout-${kind}`;
  line.className = "callout-title";
  line.append((title && textOf(title)) || kind[0].toUpperCase() + kind.slice(1));
  title?.remove();
  made.append(line, ...box.childNodes);
  box.replaceWith(made);
}

/** Put blocks in place of a table that arranges them. @param {HTMLTableElement} table */
function arranged(table) {
  if (isData(table)) return;
  const parts = [table.caption, ...[...table.rows].flatMap((row) => [...row.cells])].map((part) => {
    const block = table.ownerDocument.createElement("div");
    block.append(...(part?.childNodes ?? []));
    return block;
  });
  table.replaceWith(...parts);
}

/** Is a table one of data? @param {HTMLTableElement} table */
function isData(table) {
  if (table.matches("[role=presentation], [role=none]") || table.querySelector(NO_CELLS)) return false;
  const rows = [...table.rows];
  const columns = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  if (rows.slice(1).some((row) => row.querySelector(HEADINGS))) return false;
  if (table.querySelector("th, caption, thead")) return columns > 0;
  const cells = rows.flatMap((row) => [...row.cells].filter(textOf));
  return rows.length > 1 && columns > 1 && split(table.textContent ?? "").length <= FEW_WORDS * cells.length;
}
