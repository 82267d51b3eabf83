// Access to the nodes of a page through the prototypes (core/page/dom.js says why). Here is what only the views need.

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
  isElement,
  localName,
  nodeType,
  ownerDocument,
  parentNode,
  selectAll,
  shadowRoot,
  slotOf,
} from "../core/page/dom.js";

export const childNodes = property("Node", "childNodes");
export const isConnected = property("Node", "isConnected");
export const contains = method("Node", "contains");
export const setAttribute = method("Element", "setAttribute");
export const removeAttribute = method("Element", "removeAttribute");
export const boxOf = method("Element", "getBoundingClientRect");
export const boxesOf = method("Element", "getClientRects");
export const scrollIntoView = method("Element", "scrollIntoView");
export const baseOf = property("Node", "baseURI");
export const contentType = property("Document", "contentType");
export const titleOf = property("Document", "title");
export const activeElement = property("Document", "activeElement");
/**
 * @type {(target: Document, type: string, listener: (event: any) => void, options: AddEventListenerOptions) => void}
 */
export const addListener = method("EventTarget", "addEventListener");
