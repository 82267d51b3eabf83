// Which leaves are visible, by tags, attributes and style elements: `_visible` of tamis/document/table.py.

/** @import {Elements} from "./elements.js" */
/** @import {Way} from "./hidden.js" */
/** @import {Leaf} from "./table.js" */
/** @import {Raw} from "./walk.js" */

import { length } from "../characters.js";
import { INVISIBLE, lookup } from "../tags.js";
import { hasAttribute, isElement, textContent } from "./dom.js";
import { hidingRules, wayByRules, wayOf } from "./hidden.js";
import { opened } from "./opening.js";

// If fewer than one leaf in this many is visible, the page hides itself until its script has run.
const CURTAIN = 20;
// A page with more elements that are hidden by opacity alone shows them with a script while its reader scrolls.
const MOST_FADED = 2;
// A hidden part with more of the characters of a page, and at least this many, is revealed by a script.
const LEAST_REVEALED_SHARE = 0.3;
const LEAST_REVEALED = 1000;

const IS_INVISIBLE = lookup(...INVISIBLE);
const IS_TEMPLATE = lookup("template");
const IS_STYLE = lookup("style");
const IS_DIALOG = lookup("dialog");

/** @typedef {{row: number, way: Way}} Hidden an element that is hidden by itself */

/**
 * @param {Elements} elements
 * @param {Raw} raw
 * @param {boolean} live of a page that a browser shows, computed style is read later, and not its style elements
 * @returns {{visible: Uint8Array, folded: Uint8Array}} one entry a leaf; a folded leaf is hidden, and something on the
 *   page opens it, such as the content of a closed tab
 */
export function visibleLeaves(elements, raw, live) {
  const byTag = shownByTag(elements, raw);
  const rows = hiddenRows(elements, raw, byTag, live);
  const never = leavesInside(elements, raw.leaves, rows.never);
  const shown = byTag.map((is, leaf) => (is && !never[leaf] ? 1 : 0));
  const closed = leavesInside(elements, raw.leaves, rows.folded);
  return {
    visible: shown.map((is, leaf) => (is && !closed[leaf] ? 1 : 0)),
    folded: shown.map((is, leaf) => (is && closed[leaf] ? 1 : 0)),
  };
}

/**
 * The elements that are folded, and those that are never shown.
 *
 * @param {Elements} elements
 * @param {Raw} raw
 * @param {Uint8Array} shown
 * @param {boolean} live
 */
function hiddenRows(elements, raw, shown, live) {
  const folded = rowsOf(elements, IS_DIALOG).filter((row) => elements.attribute(row, "open") === null);
  let hidden = withoutCurtain(elements, raw, shown, live);
  if (hidden.filter(({ way }) => way === "faded").length > MOST_FADED) hidden = hidden.filter(({ way }) => way !== "faded");
  const isOpened = opened(
    elements,
    hidden.map(({ row }) => row),
  );
  /** @type {number[]} */
  const never = [];
  const before = [0]; // characters of the texts before each leaf
  for (const { text } of raw.leaves) before.push(before[before.length - 1] + length(text));
  const large = Math.max(LEAST_REVEALED, LEAST_REVEALED_SHARE * before[before.length - 1]);
  hidden.forEach(({ row, way }, place) => {
    const size = before[firstFrom(raw.leaves, elements.end[row])] - before[firstFrom(raw.leaves, row)];
    // Carousels and the like move and mark what a reader may well see.
    const isClosed = way === "closed" && (isOpened[place] || size > large);
    if (isClosed || way === "moving") folded.push(row);
    else if (!isOpened[place] && size <= large) never.push(row);
  });
  return { folded, never };
}

/**
 * The hidden elements that hold leaves, without those that hide the page until its script has run.
 *
 * @param {Elements} elements
 * @param {Raw} raw
 * @param {Uint8Array} shown
 * @param {boolean} live
 */
function withoutCurtain(elements, raw, shown, live) {
  const hidden = hiddenByThemselves(elements, live).filter(({ row }) => {
    const leaf = raw.leaves[firstFrom(raw.leaves, row)];
    // Text that comes after an element, before another one is opened, is in an element of a lower row.
    return leaf !== undefined && leaf.opened < elements.end[row] && leaf.element >= row;
  });
  const small = hidden.filter(({ row }) => 2 * (elements.end[row] - row) <= elements.length);
  if (small.length === hidden.length) return hidden;
  const covered = leavesInside(
    elements,
    raw.leaves,
    hidden.map(({ row }) => row),
  );
  const seen = shown.reduce((sum, is, leaf) => sum + (is && !covered[leaf] ? 1 : 0), 0);
  return seen * CURTAIN < shown.length ? small : hidden;
}

/** @param {Elements} elements @param {boolean} live @returns {Hidden[]} */
function hiddenByThemselves(elements, live) {
  const sheets = live ? [] : rowsOf(elements, IS_STYLE).map((row) => textContent(elements.node[row]) ?? "");
  const rules = hidingRules(sheets);
  /** @type {Hidden[]} */
  const hidden = [];
  elements.node.forEach((node, row) => {
    if (!isElement(node)) return;
    const way = wayOf(node, () => isRestyled(elements, row)) ?? (rules.size ? wayByRules(node, rules) : null);
    if (way) hidden.push({ row, way });
  });
  return hidden;
}

/** True if something inside an element may have a size and a colour of its own. @param {Elements} elements @param {number} row */
function isRestyled(elements, row) {
  for (let inner = row + 1; inner < elements.end[row]; inner++) {
    if (["class", "style"].some((name) => elements.attribute(inner, name) !== null)) return true;
  }
  return false;
}

/** The rows of these tags. @param {Elements} elements @param {Uint8Array} table */
function rowsOf(elements, table) {
  const rows = [];
  for (let row = 0; row < elements.length; row++) if (table[elements.code[row]]) rows.push(row);
  return rows;
}

/** The first leaf before which this element or a later one was opened. @param {Leaf[]} leaves @param {number} row */
function firstFrom(leaves, row) {
  let low = 0;
  let high = leaves.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (leaves[middle].opened < row) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** @param {Node} node */
function isShadow(node) {
  return !isElement(node) || hasAttribute(node, "shadowrootmode");
}

/** @param {Elements} elements @param {Raw} raw */
function shownByTag(elements, raw) {
  const byTag = elements.coded(IS_INVISIBLE);
  elements.coded(IS_TEMPLATE).forEach((is, row) => {
    // A browser shows the content of a template that declares a shadow root.
    if (is) byTag[row] = isShadow(elements.node[row]) ? 0 : 1;
  });
  for (const row of raw.frames) byTag[row] = 0;
  const covered = elements.inside(byTag);
  const shown = raw.leaves.map(({ element, isMedia }) => {
    // The text inside a medium is invisible but the medium itself is not, so its parent counts.
    const holder = isMedia ? elements.parent[element] : element;
    return holder >= 0 && covered[holder] ? 0 : 1;
  });
  return Uint8Array.from(shown);
}

/** @param {Elements} elements @param {Leaf[]} leaves @param {number[]} rows */
function leavesInside(elements, leaves, rows) {
  const inside = elements.inside(elements.mask(rows));
  return Uint8Array.from(leaves.map(({ element }) => inside[element]));
}
