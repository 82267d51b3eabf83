// What a page in a browser has beyond its markup: shadow roots, frames that may be read, computed style.

import { isBlank } from "../characters.js";
import { STEPS } from "../pace.js";
import * as dom from "./dom.js";

const FRAMES = new Set(["iframe", "frame"]);

/** The body of a frame's page where this page may read it and there is something in it; else the frame is a medium. */
export function bodyOf(frame, tag) {
  // There is none where it is of another origin, and none in an element of SVG that has the name.
  const page = FRAMES.has(tag) ? frame.contentDocument : null;
  const body = page ? dom.body(page) : null;
  return body && (dom.localName(body) === "frameset" || !isBlank(dom.textContent(body))) ? body : null;
}

/**
 * Mark what the browser does not show although markup says nothing of it. Nothing becomes visible by it.
 *
 * @param {import("./elements.js").Elements} elements
 * @param {import("./table.js").Leaf[]} leaves
 * @param {import("../pace.js").Pace} pace
 */
export async function hideByStyle(elements, leaves, pace) {
  const wanted = new Float64Array(elements.length); // leaves that are still visible
  for (const leaf of leaves) if (leaf.visible) wanted[leaf.element]++;
  const holds = elements.sums(wanted);
  const gone = new Uint8Array(elements.length); // shows no descendant
  const unseen = new Uint8Array(elements.length); // shows no text of its own; a descendant may say otherwise
  for (let row = 0; row < elements.length; row++) {
    if (row % STEPS === 0 && pace.due) await pace.rest(0.5 + (0.5 * row) / elements.length);
    const parent = elements.parent[row];
    if (parent >= 0 && gone[parent]) gone[row] = 1;
    else if (holds[row]) [gone[row], unseen[row]] = look(elements.node[row]);
  }
  for (const leaf of leaves) {
    if (leaf.visible && (gone[leaf.element] || unseen[leaf.element] || isLeftOut(leaf))) leaf.visible = false;
  }
}

/** Does an element show nothing at all, or none of its own texts? */
function look(node) {
  if (dom.nodeType(node) === dom.FRAGMENT) return [0, 0];
  // Where scripts run, what a noscript holds is markup in one string.
  if (dom.localName(node) === "noscript" && !dom.firstElementChild(node)) return [1, 1];
  const style = dom.defaultView(dom.ownerDocument(node))?.getComputedStyle(node);
  // A child of a shadow host that no slot takes has no style at all, and a page without a window none either.
  if (!style || style.display === "" || style.display === "none") return [1, 1];
  return [0, style.visibility === "visible" ? 0 : 1];
}

/** A text that stands right in a shadow host without a slot, or in a slot that something else fills. */
function isLeftOut({ node, isMedia }) {
  if (isMedia) return false;
  const holder = dom.parentNode(node);
  if (!holder || dom.nodeType(holder) !== dom.ELEMENT) return false;
  if (dom.shadowRoot(holder)) return !node.assignedSlot;
  return dom.localName(holder) === "slot" && Boolean(holder.assignedNodes?.().length);
}
