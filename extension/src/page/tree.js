// The tree of the page as it is shown: through slots, shadow roots and frames.

/** @import {Leaf} from "../core/page/table.js" */

import {
  boxOf,
  childNodes,
  children,
  defaultView,
  isElement,
  localName,
  nodeType,
  ownerDocument,
  parentNode,
  shadowRoot,
  slotOf,
} from "./dom.js";

/**
 * The element around a node on the screen; null above the outermost page.
 *
 * @param {Node} node
 * @returns {Element | null}
 */
export function elementAbove(node) {
  const slot = isElement(node) ? slotOf(node) : /** @type {Text} */ (node).assignedSlot;
  if (slot) return slot;
  const parent = parentNode(node);
  if (!parent) return null;
  if (isElement(parent)) return parent;
  const kind = nodeType(parent);
  if (kind === Node.DOCUMENT_FRAGMENT_NODE) return /** @type {ShadowRoot} */ (parent).host ?? null;
  if (kind === Node.DOCUMENT_NODE && parent !== document) {
    return defaultView(/** @type {Document} */ (parent))?.frameElement ?? null;
  }
  return null;
}

/** The children of an element, with those of its shadow root and of the page in a frame. @param {Element} element */
export function elementsBelow(element) {
  const below = [...children(element)];
  const shadow = shadowRoot(element);
  if (shadow) below.push(...shadow.children);
  const inside = pageInside(element);
  if (inside) below.push(...inside);
  return below;
}

/** The root element of the page in a frame, if the page is readable. @param {Element} element */
function pageInside(element) {
  const tag = localName(element);
  if (tag !== "iframe" && tag !== "frame") return null;
  const page = /** @type {HTMLIFrameElement} */ (element).contentDocument; // null for another origin
  return page && [...childNodes(page)].filter(isElement);
}

/** Every document and shadow root that holds leaves. @param {Leaf[]} leaves @returns {(Document | ShadowRoot)[]} */
export function rootsOf(leaves) {
  /** @type {Set<Node>} */
  const roots = new Set([document]);
  const parents = new Set();
  for (const { node } of leaves) {
    const parent = parentNode(node);
    if (!parent || parents.has(parent)) continue;
    parents.add(parent);
    roots.add(node.getRootNode());
  }
  const found = /** @type {(Document | ShadowRoot)[]} */ ([...roots]);
  return found.filter((root) => nodeType(root) === Node.DOCUMENT_NODE || (!isElement(root) && "host" in root));
}

/** Where the frame of an element begins, in coordinates of the outermost window. @param {Element} element */
export function frameOffset(element) {
  let [x, y] = [0, 0];
  for (let frame = frameOf(element); frame; frame = frameOf(frame)) {
    const box = boxOf(frame);
    x += box.left + frame.clientLeft;
    y += box.top + frame.clientTop;
  }
  return { x, y };
}

/** @param {Element} element @returns {Element | null} */
function frameOf(element) {
  const page = ownerDocument(element);
  return (page && defaultView(page)?.frameElement) ?? null;
}
