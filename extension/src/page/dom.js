// Questions to the nodes of a page, by way of the prototypes: a form answers with its fields and a document with its
// named images (core/page/dom.js). Here are those that only showing needs.

import { method, property } from "../core/page/dom.js";

export {
  addressOf,
  body,
  children,
  countBelow,
  defaultView,
  documentElement,
  getAttribute,
  hasAttribute,
  localName,
  nodeType,
  ownerDocument,
  parentNode,
  selectAll,
  shadowRoot,
} from "../core/page/dom.js";

export const childNodes = property("Node", "childNodes");
export const isConnected = property("Node", "isConnected");
export const contains = method("Node", "contains");
export const slotOf = property("Element", "assignedSlot");
export const setAttribute = method("Element", "setAttribute");
export const removeAttribute = method("Element", "removeAttribute");
export const boxOf = method("Element", "getBoundingClientRect");
export const boxesOf = method("Element", "getClientRects");
export const scrollIntoView = method("Element", "scrollIntoView");
export const baseOf = property("Node", "baseURI");
export const contentType = property("Document", "contentType");
export const titleOf = property("Document", "title");
export const activeElement = property("Document", "activeElement");
export const addListener = method("EventTarget", "addEventListener");
