// The kept leaves of a page with the elements around them, as a copy in a document that loads and runs nothing. Code,
// formulas and media are copied whole, in the form that all outputs know.

/** @import {Steps} from "../pace.js" */
/** @import {PageTable} from "../page/table.js" */

import { isBlank } from "../characters.js";
import * as dom from "../page/dom.js";
import { BLOCK, lookup, MEDIA } from "../tags.js";
import { TAGS } from "./clean.js";
import { codeBlock } from "./code.js";
import { formula } from "./formulas.js";
import { medium } from "./media.js";

const IS_BREAK = lookup("br", "hr");
const IS_CELL = lookup("td", "th");
const IS_ROW = lookup("tr");
/** @type {Record<string, string | undefined>} */
const RENAMED = { dir: "ul", menu: "ul", strike: "s", tt: "code" };
// Elements that are nested deeper are copied without the elements around it: writers recurse.
const DEEPEST = 100;

// One element with everything in it, and the copy of each row. `inert` makes the copies.
/** @param {PageTable} table @param {Uint8Array} keep @param {Document} inert @param {string | null} base @returns {Steps<{root: HTMLElement, copies: Map<number, Element>}>} */
export function* keptCopy(table, keep, inert, base) {
  const { elements, leaves } = table;
  /** @type {Map<number, Element>} */
  const copies = new Map();
  const rows = neededRows(table, keep);
  const root = inert.createElement("div");
  const open = [{ row: -1, end: Infinity, copy: /** @type {Element} */ (root) }]; // the innermost last
  const whole = { from: 0, to: 0 }; // the rows of what was copied whole last
  let next = 0; // in `rows`
  let dropped = false; // something visible since the last kept leaf

  /** Close the open elements that do not hold a row, and return the innermost that does. @param {number} row */
  const around = (row) => {
    while (row < open[open.length - 1].row || row >= open[open.length - 1].end) open.pop();
    return open[open.length - 1].copy;
  };
  /** @param {number} row */
  const start = (row) => {
    if (row < whole.to) return;
    const into = around(elements.parent[row]);
    const node = elements.node[row];
    const element = dom.isElement(node) ? node : null;
    const tag = elements.tag[row];
    const found = element && (formula(element, inert) ?? codeBlock(element, inert));
    const isMedium = (MEDIA.has(tag) || tag === "lite-youtube") && !elements.frames.includes(row);
    if (element && (found || isMedium)) {
      Object.assign(whole, { from: row, to: elements.end[row] });
      const copy = found ?? medium(element, inert, base);
      if (copy) into.append(copy);
      return;
    }
    const name = RENAMED[tag] ?? tag;
    const isKnown = element && (name === "span" || name === "input" || TAGS.has(name)); // of names and tasks
    if ((!isKnown && !BLOCK.has(tag)) || /^(?:html|head|body)$/.test(tag) || open.length > DEEPEST) return;
    const copy = isKnown && name === tag ? inert.importNode(element, false) : inert.createElement(isKnown ? name : "div");
    into.append(copy);
    copies.set(row, copy);
    open.push({ row, end: elements.end[row], copy });
  };

  for (const [place, { element: holder, gap, isMedia, opened, text, visible }] of leaves.entries()) {
    yield;
    if (!keep[place]) {
      dropped ||= visible;
      continue;
    }
    const isApart = gap !== "" || dropped;
    dropped = false;
    // White space goes before the elements that open here, not into them.
    const isOpening = rows[next] <= opened && rows[next] >= whole.to;
    if (isApart && isOpening) around(elements.parent[rows[next]]).append(" ");
    for (; rows[next] <= opened; next++) start(rows[next]);
    if (isMedia || (whole.from <= holder && holder < whole.to)) continue;
    around(holder).append((isApart && !isOpening ? " " : "") + text);
  }
  for (; next < rows.length; next++) start(rows[next]); // the empty cells after the last kept leaf
  return { root, copies };
}

// The rows that hold a kept leaf; the breaks between kept leaves, the empty cells of kept rows, the boxes of tasks and
// the places that notes are linked by.
/** @param {PageTable} table @param {Uint8Array} keep */
function neededRows({ elements, leaves }, keep) {
  const held = new Float64Array(elements.length);
  leaves.forEach(({ element }, place) => (held[element] += keep[place]));
  const holds = elements.sums(held);
  const shown = [...leaves.keys()].filter((place) => keep[place] || (leaves[place].visible && !leaves[place].isMedia));
  const { code, parent, tag } = elements;
  let after = 0; // the first shown leaf that does not come before the element
  return [...tag.keys()].filter((row) => {
    while (after < shown.length && leaves[shown[after]].opened < row) after++;
    if (holds[row]) return true;
    if (parent[row] < 0 || !holds[parent[row]]) return false;
    if (IS_BREAK[code[row]]) return keep[shown[after - 1]] && keep[shown[after]];
    if (IS_CELL[code[row]]) return IS_ROW[code[parent[row]]];
    if (tag[row] === "input") return elements.attribute(row, "type") === "checkbox";
    return (tag[row] === "a" || tag[row] === "span") && (elements.attribute(row, "id") || elements.attribute(row, "name"));
  });
}

/** True if nothing is in an element that a reader would miss. @param {Element} element */
export const isHollow = (element) => isBlank(element.textContent ?? "") && !element.querySelector("img, math, video, audio");
