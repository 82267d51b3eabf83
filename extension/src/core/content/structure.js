// What pages write in many ways, as HTML has it: headings without the signs beside them, tables of data, tasks, callouts.

/** @import {Steps} from "../pace.js" */

import anchors from "../../../../src/tamis/render/content/anchors.json" with { type: "json" };
import names from "../../../../src/tamis/render/content/names.json" with { type: "json" };
import { folded, split } from "../characters.js";

/** @param {string[]} list */
const classes = (list) => list.map((name) => `.${name}`).join();

const SIGNS = new Set(anchors.signs);
const HEADINGS = "h1, h2, h3, h4, h5, h6";
const UNSEEN = /[\u200b-\u200d\u2060\ufe0e\ufe0f\ufeff]/g;
const BLOCKS = "table, hr, section, article, aside, nav, blockquote"; // that no cell of data has
const FEW_WORDS = 30; // for each cell of a table that says nothing of its kind

const { boxes, prefixes, kinds, other_kinds: otherKinds, need_kind, kind_attributes: KIND_ATTRIBUTES, titles, icons } = names.callouts;
const BOXES = classes(boxes);
const NEED_KIND = new Set(need_kind);
/** @type {Map<string, string>} */
const KINDS = new Map(
  [otherKinds, kinds].flatMap((table) => Object.entries(table).flatMap(([kind, all]) => all.map((name) => [name, kind]))),
);

/** @param {Element} element */
const textOf = (element) => folded((element.textContent ?? "").replace(UNSEEN, ""));

/** @param {Element} root is changed @returns {Steps<void>} */
export function* structured(root) {
  for (const edit of root.querySelectorAll(classes(anchors.edit))) edit.remove();
  for (const link of root.querySelectorAll(`:is(${HEADINGS}) a[href*='#'], ${classes(anchors.classes)}`)) {
    yield;
    if (SIGNS.has(textOf(link).toLowerCase()) && !link.querySelector("img")) link.remove();
    else if (link.getAttribute("href") === `#${link.closest(HEADINGS)?.id}`) link.replaceWith(...link.childNodes);
  }
  for (const box of root.querySelectorAll("input")) {
    if (box.closest("li") && !box.closest("label[for]:not(li *)")) box.setAttribute("disabled", "");
    else box.remove();
  }
  for (const { parentElement: code } of root.querySelectorAll("code > pre")) code?.replaceWith(...code.childNodes);
  for (const list of root.querySelectorAll("ul, ol")) {
    yield* inItems(list);
  }
  for (const link of root.querySelectorAll("a[href]")) {
    yield;
    narrowed(link);
  }
  for (const box of root.querySelectorAll(BOXES)) {
    yield;
    callout(box);
  }
  for (const grid of root.querySelectorAll(":is([role=table], [role=grid]):not(table)")) grid.replaceWith(tableOf(grid));
  // The innermost first.
  for (const table of [...root.querySelectorAll("table")].reverse()) {
    yield;
    if (!isData(table)) unwrap(table);
  }
}

/** Put what is between the items of a list into the one before. @param {Element} list @returns {Steps<void>} */
function* inItems(list) {
  for (const child of [...list.childNodes]) {
    yield;
    const before = child.previousSibling;
    if (child.nodeName !== "LI" && child.nodeName !== "SCRIPT" && before?.nodeName === "LI") {
      /** @type {Element} */ (before).append(" ", child);
    }
  }
}

/** Put a link around blocks into the heading in it, or else into the first text. @param {Element} link */
function narrowed(link) {
  const heading = link.querySelector(HEADINGS);
  if (!heading) return;
  const inner = /** @type {Element} */ (link.cloneNode(false));
  inner.append(...heading.childNodes);
  heading.append(inner);
  link.replaceWith(...link.childNodes);
}

/** The kind of a callout that a class or an attribute names. @param {Element} box */
function kindOf(box) {
  const words = split((box.getAttribute("class") ?? "").toLowerCase());
  const own = KIND_ATTRIBUTES.map((name) => box.getAttribute(name)?.toLowerCase() ?? "");
  const named = words.flatMap((word) => [word, ...prefixes.filter((start) => word.startsWith(start)).map((start) => word.slice(start.length))]);
  const kind = [...own, ...named].find((name) => KINDS.has(name));
  if (kind) return KINDS.get(kind);
  return words.some((word) => boxes.includes(word) && !NEED_KIND.has(word)) ? "note" : undefined;
}

/** @param {Element} box */
function callout(box) {
  const kind = kindOf(box);
  if (!kind || box.parentElement?.closest("[role=note]") || !textOf(box)) return;
  for (const icon of box.querySelectorAll(classes(icons))) if (!icon.querySelector("p")) icon.remove();
  const title = box.querySelector(`${classes(titles)}, summary`);
  const inert = box.ownerDocument;
  const made = inert.createElement("div");
  made.setAttribute("role", "note");
  made.className = `callout callout-${kind}`;
  const line = inert.createElement("p");
  line.className = "callout-title";
  line.append((title && textOf(title)) || kind[0].toUpperCase() + kind.slice(1));
  title?.remove();
  made.append(line, ...box.childNodes);
  box.replaceWith(made);
}

/** A table of elements that only their roles call one. @param {Element} grid */
function tableOf(grid) {
  const inert = grid.ownerDocument;
  const table = inert.createElement("table");
  for (const row of grid.querySelectorAll("[role=row]")) {
    const line = inert.createElement("tr");
    for (const cell of row.querySelectorAll("[role=cell], [role=gridcell], [role=columnheader], [role=rowheader]")) {
      const made = inert.createElement(cell.getAttribute("role")?.endsWith("header") ? "th" : "td");
      made.append(...cell.childNodes);
      line.append(made);
    }
    table.append(line);
  }
  return table;
}

/** Is a table one of data? Others arrange a page. @param {HTMLTableElement} table */
function isData(table) {
  const role = table.getAttribute("role");
  if (role === "presentation" || role === "none" || table.querySelector(BLOCKS)) return false;
  const rows = [...table.rows];
  const columns = Math.max(0, ...rows.map(({ cells }) => cells.length));
  if (rows.slice(1).some((row) => row.querySelector(HEADINGS))) return false;
  if (table.querySelector("th, caption, thead")) return columns > 0;
  if (rows.length < 2 || columns < 2) return false;
  const cells = rows.flatMap((row) => [...row.cells]).filter((cell) => textOf(cell));
  return split(table.textContent ?? "").length <= FEW_WORDS * cells.length;
}

/** Put blocks in place of a table that arranges them. @param {HTMLTableElement} table */
function unwrap(table) {
  const inert = table.ownerDocument;
  const cells = [...(table.caption ? [table.caption] : []), ...[...table.rows].flatMap((row) => [...row.cells])];
  table.replaceWith(
    ...cells.map((cell) => {
      const block = inert.createElement("div");
      block.append(...cell.childNodes);
      return block;
    }),
  );
}
