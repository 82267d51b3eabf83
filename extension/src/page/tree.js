// The page's tree as it is shown: through slots, out of shadow roots, out of frames.

import {
  boxOf,
  childNodes,
  children,
  defaultView,
  localName,
  nodeType,
  ownerDocument,
  parentNode,
  shadowRoot,
  slotOf,
} from "./dom.js";

/** The element around a node on the screen; null above the outermost page. */
export function elementAbove(node) {
  const slot = nodeType(node) === Node.ELEMENT_NODE ? slotOf(node) : node.assignedSlot;
  if (slot) return slot;
  const parent = parentNode(node);
  if (!parent) return null;
  const kind = nodeType(parent);
  if (kind === Node.ELEMENT_NODE) return parent;
  if (kind === Node.DOCUMENT_FRAGMENT_NODE) return parent.host ?? null;
  if (kind === Node.DOCUMENT_NODE && parent !== document) return defaultView(parent)?.frameElement ?? null;
  return null;
}

/** The elements right below an element, those of its shadow root and of the page in it included. */
export function elementsBelow(element) {
  const below = [...children(element)];
  const shadow = shadowRoot(element);
  if (shadow) below.push(...shadow.children);
  const inside = pageInside(element);
  if (inside) below.push(...inside);
  return below;
}

// The outermost element of the page in a frame that may be read.
function pageInside(element) {
  const tag = localName(element);
  if (tag !== "iframe" && tag !== "frame") return null;
  const page = element.contentDocument; // null where it is another origin's
  return page && [...childNodes(page)].filter((node) => nodeType(node) === Node.ELEMENT_NODE);
}

/** Every document and shadow root that holds leaves. */
export function rootsOf(leaves) {
  const roots = new Set([document]);
  const parents = new Set();
  for (const { node } of leaves) {
    const parent = parentNode(node);
    if (!parent || parents.has(parent)) continue;
    parents.add(parent);
    roots.add(node.getRootNode());
  }
  return [...roots].filter((root) => nodeType(root) === Node.DOCUMENT_NODE || root.host);
}

/** Where an element's frame begins, in coordinates of the outermost window. */
export function frameOffset(element) {
  let [x, y] = [0, 0];
  for (let frame = frameOf(element); frame; frame = frameOf(frame)) {
    const box = boxOf(frame);
    x += box.left + frame.clientLeft;
    y += box.top + frame.clientTop;
  }
  return { x, y };
}

const frameOf = (element) => defaultView(ownerDocument(element))?.frameElement ?? null;
