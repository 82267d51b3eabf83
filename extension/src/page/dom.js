// Questions to the nodes of a page, by way of the prototypes: a form answers with its fields and a document with its
// named images (core/page/dom.js). Here are those that only showing needs.

export {
  body,
  children,
  defaultView,
  documentElement,
  getAttribute,
  hasAttribute,
  localName,
  nodeType,
  ownerDocument,
  parentNode,
  shadowRoot,
} from "../core/page/dom.js";

const property = (type, name) => {
  const { get } = Object.getOwnPropertyDescriptor(globalThis[type].prototype, name);
  return (node) => get.call(node);
};

const method = (type, name) => {
  const called = globalThis[type].prototype[name];
  return (node, ...given) => called.apply(node, given);
};

export const firstChild = property("Node", "firstChild");
export const nextSibling = property("Node", "nextSibling");
export const childNodes = property("Node", "childNodes");
export const isConnected = property("Node", "isConnected");
export const contains = method("Node", "contains");
export const slotOf = property("Element", "assignedSlot");
export const attributes = property("Element", "attributes");
export const setAttribute = method("Element", "setAttribute");
export const removeAttribute = method("Element", "removeAttribute");
export const boxOf = method("Element", "getBoundingClientRect");
export const boxesOf = method("Element", "getClientRects");
export const scrollIntoView = method("Element", "scrollIntoView");
export const addressOf = property("Document", "URL");
export const baseOf = property("Node", "baseURI");
export const contentType = property("Document", "contentType");
export const titleOf = property("Document", "title");
export const activeElement = property("Document", "activeElement");
export const selectAll = method("Document", "querySelectorAll");
export const addListener = method("EventTarget", "addEventListener");
