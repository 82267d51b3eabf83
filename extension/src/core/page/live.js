// What a page in a browser has beyond its markup: shadow roots, readable frames, computed style.

/** @import {Steps} from "../pace.js" */
/** @import {Elements} from "./elements.js" */
/** @import {Leaf} from "./table.js" */

import { isBlank } from "../characters.js";
import { STEPS } from "../pace.js";
import * as dom from "./dom.js";

const FRAMES = new Set(["iframe", "frame"]);

/**
 * The body of the page in a frame, or null; a frame without one is a medium. The page has to be readable and not empty.
 *
 * @param {Element} frame
 * @param {string} tag
 */
export function bodyOf(frame, tag) {
  // A page of another origin can't be read. An SVG element called "iframe" holds no page.
  const page = FRAMES.has(tag) ? /** @type {HTMLIFrameElement} */ (frame).contentDocument : null;
  const body = page ? dom.body(page) : null;
  return body && (dom.localName(body) === "frameset" || !isBlank(dom.textContent(body) ?? "")) ? body : null;
}

/**
 * Mark the leaves that style sheets hide as not visible. No leaf becomes visible here.
 *
 * @param {Elements} elements
 * @param {Leaf[]} leaves
 * @returns {Steps<void>}
 */
export function* hideByStyle(elements, leaves) {
  const wanted = new Float64Array(elements.length); // leaves that are still visible
  for (const leaf of leaves) if (leaf.visible) wanted[leaf.element]++;
  const holds = elements.sums(wanted);
  const gone = new Uint8Array(elements.length); // nothing in it is shown
  const unseen = new Uint8Array(elements.length); // its own text is not shown; that of a descendant may be
  for (let row = 0; row < elements.length; row++) {
    if (row % STEPS === 0) yield 0.5 + (0.5 * row) / elements.length;
    const parent = elements.parent[row];
    if (parent >= 0 && gone[parent]) gone[row] = 1;
    else if (holds[row]) [gone[row], unseen[row]] = hiddenByStyle(elements.node[row]);
  }
  for (const leaf of leaves) {
    if (leaf.visible && (gone[leaf.element] || unseen[leaf.element] || isLeftOut(leaf.node))) leaf.visible = false;
  }
}

/** Two flags: 1 if nothing in the element is shown, and 1 if its own text is not. @param {Node} node */
function hiddenByStyle(node) {
  // A script that is a leaf holds a formula: the script is never shown, the formula is.
  if (!dom.isElement(node) || dom.localName(node) === "script") return [0, 0];
  // Where scripts run, the content of a noscript is one string of markup.
  if (dom.localName(node) === "noscript" && !dom.firstElementChild(node)) return [1, 1];
  if (isLeftOut(node)) return [1, 1]; // not by its style, which is there or not by the version of the browser
  const page = dom.ownerDocument(node);
  const style = page && dom.defaultView(page)?.getComputedStyle(node);
  if (!style || style.display === "" || style.display === "none") return [1, 1];
  return [0, style.visibility === "visible" && style.fontSize !== "0px" ? 0 : 1];
}

/** True for a child of a shadow host that is in no slot, and in a slot that shows other nodes. @param {Node} node */
function isLeftOut(node) {
  const holder = dom.parentNode(node);
  if (!holder || !dom.isElement(holder)) return false;
  if (dom.shadowRoot(holder)) return !(dom.isElement(node) ? dom.slotOf(node) : /** @type {Text} */ (node).assignedSlot);
  const slot = /** @type {Partial<HTMLSlotElement>} */ (holder);
  return dom.localName(holder) === "slot" && Boolean(slot.assignedNodes?.().length);
}
