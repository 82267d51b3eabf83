// Access to the nodes of a page through the prototypes. In a form, a field called "nodeType" hides the property of that
// name (<form><input name="nodeType">), and in a document an image can do the same.

// The DOM interfaces by name, and the type of an object of each.
/** @typedef {{Node: Node, Element: Element, Document: Document, EventTarget: EventTarget}} Interfaces */

// Node.js has no DOM of its own. In the libraries for it, no name hides a property.
/** @param {string} type @returns {any} */
const prototypeOf = (type) => /** @type {any} */ (globalThis)[type]?.prototype;

/**
 * A getter as a function of the node. It is looked up at first use, because the modules also load without a DOM.
 *
 * @template {keyof Interfaces} Type
 * @template {keyof Interfaces[Type] & string} Name
 * @param {Type} type
 * @param {Name} name
 * @returns {(node: Interfaces[Type]) => Interfaces[Type][Name]}
 */
export function property(type, name) {
  /** @type {Function | undefined} */
  let read;
  return (node) => {
    read ??= getterOf(type, name);
    return read.call(node);
  };
}

/** @param {string} type @param {string} name @returns {(this: any) => any} */
function getterOf(type, name) {
  const found = Object.getOwnPropertyDescriptor(prototypeOf(type) ?? {}, name)?.get;
  return found ?? function () { return this[name]; };
}

/**
 * A method as a function of the node and the arguments.
 *
 * @template {keyof Interfaces} Type
 * @template {keyof Interfaces[Type] & string} Name
 * @param {Type} type
 * @param {Name} name
 * @returns {Interfaces[Type][Name] extends (...given: infer Given) => infer Result
 *   ? (node: Interfaces[Type], ...given: Given) => Result : never}
 */
export function method(type, name) {
  const call = (/** @type {Interfaces[Type]} */ node, /** @type {unknown[]} */ ...given) =>
    (prototypeOf(type) ?? node)[name].apply(node, given);
  return /** @type {any} */ (call);
}

export const nodeType = property("Node", "nodeType");
export const lastChild = property("Node", "lastChild");
export const previousSibling = property("Node", "previousSibling");
export const parentNode = property("Node", "parentNode");
export const ownerDocument = property("Node", "ownerDocument");
export const textContent = property("Node", "textContent");

export const localName = property("Element", "localName");
export const shadowRoot = property("Element", "shadowRoot");
export const slotOf = property("Element", "assignedSlot");
export const children = property("Element", "children");
export const firstElementChild = property("Element", "firstElementChild");
export const previousElementSibling = property("Element", "previousElementSibling");
export const nextElementSibling = property("Element", "nextElementSibling");
export const attributeNames = method("Element", "getAttributeNames");
export const outerHTML = property("Element", "outerHTML");
export const parentElement = property("Node", "parentElement");
export const implementation = property("Document", "implementation");
/** @type {(element: Element, selector: string) => boolean} */
export const matches = method("Element", "matches");
export const closest = method("Element", "closest");
/** @type {(element: Element, selector: string) => NodeListOf<Element>} */
export const selectIn = method("Element", "querySelectorAll");
export const hasAttribute = method("Element", "hasAttribute");
/** @type {(element: Element, tag: string) => ArrayLike<Element>} */
const elementsBelow = method("Element", "getElementsByTagName");
/** How many elements there are below an element. @param {Element} element */
export const countBelow = (element) => elementsBelow(element, "*").length;

export const documentElement = property("Document", "documentElement");
export const body = property("Document", "body");
export const addressOf = property("Document", "URL");
export const defaultView = property("Document", "defaultView");
/** @type {(page: Document, selector: string) => NodeListOf<Element>} */
export const selectAll = method("Document", "querySelectorAll");

/** @type {Element["getAttribute"]} */
let readAttribute;
/**
 * One attribute of an element, or null. This is called most of all, so it takes no list of arguments.
 *
 * @param {Element} element
 * @param {string} name
 * @returns {string | null}
 */
export function getAttribute(element, name) {
  readAttribute ??= prototypeOf("Element")?.getAttribute;
  return readAttribute ? readAttribute.call(element, name) : element.getAttribute(name);
}

/** True for an Element. @param {Node} node @returns {node is Element} */
export const isElement = (node) => nodeType(node) === ELEMENT;

export const ELEMENT = 1;

export const TEXT = 3;
export const CDATA = 4;
export const DOCUMENT = 9;
export const FRAGMENT = 11;
