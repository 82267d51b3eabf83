// The kept leaves of a page with the elements around them, as a copy in a document that loads and runs nothing. What the
// page says by its own means (code, formulas, media) is copied whole, in the form that all outputs know.

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
const isMedium = (/** @type {string} */ tag) => MEDIA.has(tag) || tag === "lite-youtube";
// What is nested deeper is copied without the elements around it: writers recurse.
const DEEPEST = 100;

/**
 * @param {PageTable} table
 * @param {Uint8Array} keep 1 for each kept leaf
 * @param {Document} inert makes the copy
 * @param {string | null} base of relative addresses
 * @returns {Steps<HTMLElement>} one element with everything in it
 */
export function* keptCopy(table, keep, inert, base) {
  const { elements, leaves } = table;
  const rows = neededRows(table, keep);
  const root = inert.createElement("div");
  /** @type {{row: number, copy: Element}[]} */
  const open = [{ row: -1, copy: root }]; // the innermost last
  const whole = { from: 0, to: 0 }; // the rows of what was copied whole last
  let next = 0; // in `rows`
  let dropped = false; // something visible since the last kept leaf

  /** Close the open elements that do not contain the element `holder`. @param {number} holder */
  const close = (holder) => {
    while (open.length > 1 && !(open[open.length - 1].row <= holder && holder < elements.end[open[open.length - 1].row])) {
      open.pop();
    }
    return open[open.length - 1].copy;
  };
  /** @param {number} row */
  const start = (row) => {
    if (row < whole.to) return;
    const into = close(elements.parent[row]);
    const node = elements.node[row];
    const tag = elements.tag[row];
    const found = dom.isElement(node) ? (formula(node, inert) ?? codeBlock(node, inert)) : null;
    if (found || (isMedium(tag) && !elements.frames.includes(row))) {
      Object.assign(whole, { from: row, to: elements.end[row] });
      const copy = found ?? medium(/** @type {Element} */ (node), inert, base);
      if (copy) into.append(copy);
      return;
    }
    const name = RENAMED[tag] ?? tag;
    const isKnown = (name === "span" || TAGS.has(name)) && dom.isElement(node); // a span may be named for what it is
    if ((!isKnown && !BLOCK.has(tag)) || open.length > DEEPEST) return;
    const copy = isKnown && name === tag ? inert.importNode(node, false) : inert.createElement(isKnown ? name : "div");
    into.append(copy);
    open.push({ row, copy });
  };

  for (const [place, leaf] of leaves.entries()) {
    yield;
    if (!keep[place]) {
      dropped ||= leaf.visible;
      continue;
    }
    const isApart = leaf.gap !== "" || dropped;
    dropped = false;
    // White space goes before the elements that open here, not into them.
    const isOpening = rows[next] <= leaf.opened && rows[next] >= whole.to;
    if (isApart && isOpening) close(elements.parent[rows[next]]).append(" ");
    for (; rows[next] <= leaf.opened; next++) start(rows[next]);
    if (leaf.isMedia || (whole.from <= leaf.element && leaf.element < whole.to)) continue;
    close(leaf.element).append((isApart && !isOpening ? " " : "") + leaf.text);
  }
  for (; next < rows.length; next++) start(rows[next]); // the empty cells after the last kept leaf
  return root;
}

/**
 * The rows that hold a kept leaf; the breaks between kept leaves, the empty cells of kept rows, the boxes of tasks and
 * the places that notes are linked by.
 *
 * @param {PageTable} table
 * @param {Uint8Array} keep
 */
function neededRows({ elements, leaves }, keep) {
  const held = new Float64Array(elements.length);
  leaves.forEach(({ element }, place) => (held[element] += keep[place]));
  const holds = elements.sums(held);
  const shown = [...leaves.keys()].filter((place) => keep[place] || (leaves[place].visible && !leaves[place].isMedia));
  const { code, parent, tag } = elements;
  const rows = [];
  let after = 0; // the first shown leaf that does not come before the element
  for (let row = 0; row < elements.length; row++) {
    while (after < shown.length && leaves[shown[after]].opened < row) after++;
    if (holds[row]) rows.push(row);
    else if (parent[row] < 0 || !holds[parent[row]]) continue;
    else if (IS_BREAK[code[row]] && keep[shown[after - 1]] && keep[shown[after]]) rows.push(row);
    else if (IS_CELL[code[row]] && IS_ROW[code[parent[row]]]) rows.push(row);
    else if (tag[row] === "input" && elements.attribute(row, "type") === "checkbox") rows.push(row);
    else if ((tag[row] === "a" || tag[row] === "span") && (elements.attribute(row, "id") ?? elements.attribute(row, "name"))) {
      rows.push(row);
    }
  }
  return rows;
}

/** True if nothing is in an element that a reader would miss. @param {Element} element */
export const isHollow = (element) => isBlank(element.textContent ?? "") && !element.querySelector("img,math,video,audio,input");

