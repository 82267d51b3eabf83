// Questions to the nodes of a page. A form answers with its fields and a document with its named images before their
// own properties are looked at (<form><input name="nodeType">), so every question goes by way of the prototypes.

/** A property as a function of the node. Looked up at first use: the modules also load where there is no DOM. */
export function property(type, name) {
  let read;
  return (node) => {
    read ??= Object.getOwnPropertyDescriptor(globalThis[type].prototype, name).get;
    return read.call(node);
  };
}

/** A method as a function of the node and its arguments. */
export function method(type, name) {
  return (node, ...given) => globalThis[type].prototype[name].apply(node, given);
}

export const nodeType = property("Node", "nodeType");
export const lastChild = property("Node", "lastChild");
export const previousSibling = property("Node", "previousSibling");
export const parentNode = property("Node", "parentNode");
export const ownerDocument = property("Node", "ownerDocument");
export const textContent = property("Node", "textContent");

export const localName = property("Element", "localName");
export const shadowRoot = property("Element", "shadowRoot");
export const children = property("Element", "children");
export const firstElementChild = property("Element", "firstElementChild");
export const outerHTML = property("Element", "outerHTML");
export const hasAttribute = method("Element", "hasAttribute");
/** How many elements there are below an element. */
export const countBelow = (element) => globalThis.Element.prototype.getElementsByTagName.call(element, "*").length;

export const documentElement = property("Document", "documentElement");
export const body = property("Document", "body");
export const addressOf = property("Document", "URL");
export const defaultView = property("Document", "defaultView");
export const selectAll = method("Document", "querySelectorAll");

let readAttribute;
/** One attribute of an element, or null. Asked most often of all, so it takes no list of arguments. */
export function getAttribute(element, name) {
  readAttribute ??= globalThis.Element.prototype.getAttribute;
  return readAttribute.call(element, name);
}

export const ELEMENT = 1;
export const TEXT = 3;
export const CDATA = 4;
export const DOCUMENT = 9;
export const FRAGMENT = 11;
