// What may be in any output: elements, attributes and schemes of lists (allowed.json), checked by DOMPurify.

/** @import {DOMPurify} from "dompurify" */
/** @import {Steps} from "../pace.js" */

import createDOMPurify from "dompurify";
import { CoreError } from "../errors.js";
import { isElement } from "../page/dom.js";
import allowed from "./allowed.json" with { type: "json" };

export const TAGS = new Set(allowed.tags);
const KNOWN = new Set([...allowed.tags, ...allowed.made, "math"]);
const ADDRESSES = new Set(allowed.addresses);
const VALUES = new Map(Object.entries(allowed.values).map(([name, pattern]) => [name, new RegExp(`^${pattern}$`)]));
const LINKS = new Set(["http:", "https:", "mailto:", "tel:"]);
const PICTURE = /^data:image\/(?:avif|gif|jpeg|png|webp)[;,]/i;
const WITHIN = /^#fn(?:ref)?-\d+$/; // from a mark to its note, and back
const WRITTEN = /^(?:https?:|mailto:|tel:|#fn(?:ref)?-\d+$)/i;
const LONGEST_ADDRESS = 8_000; // servers and browsers refuse longer ones
const LONGEST_BASE = 2_000; // it is repeated in every link
// What Markdown puts at both ends of a code span until it is written (markdown.js). No text has it.
export const EDGE = "\ufdd0";

// An absolute address; null if the lists do not allow it, or if it is relative and there is no base.
/** @param {string} url @param {string | null} base @param {boolean} [isImage] */
export function safeAddress(url, base, isImage = false) {
  if (!url.trim() || url.length > LONGEST_ADDRESS) return null;
  if (isImage && PICTURE.test(url)) return url;
  const found = parsed(url, base);
  return found && LINKS.has(found.protocol) && found.href.length <= LONGEST_ADDRESS ? found.href : null;
}

/** @param {string} url @param {string | null} base */
function parsed(url, base) {
  try {
    return new URL(url, base ?? undefined);
  } catch {
    return null;
  }
}

// The base of relative addresses without its credentials; null if it is so long that links would fill the memory.
/** @param {string | null} url of the page @param {string | null} declared by its <base> */
export function baseOf(url, declared) {
  const base = parsed(declared ?? "", url) ?? parsed(url ?? "", null);
  if (!base?.protocol.startsWith("http")) return null;
  base.username = base.password = base.hash = "";
  return base.href.length <= LONGEST_BASE ? base.href : null;
}

// A sanitizer. It gets a document of its own, in which no name of the page's hides a property.
/** @param {Document} inert @param {any} window that has the interfaces of the DOM @returns {DOMPurify} */
export function sanitizer(inert, window) {
  const { DocumentFragment, DOMParser, Element, HTMLFormElement, HTMLTemplateElement, NamedNodeMap, Node } = window;
  const types = { DocumentFragment, DOMParser, Element, HTMLFormElement, HTMLTemplateElement, NamedNodeMap, Node };
  const given = { ...types, NodeFilter: window.NodeFilter, document: inert };
  const purify = createDOMPurify(/** @type {any} */ (given));
  if (!purify.isSupported) throw new CoreError("dom", "this DOM can't be sanitized: content needs a browser or jsdom");
  purify.setConfig({
    ALLOWED_TAGS: [...allowed.tags, ...allowed.made, ...allowed.math],
    ALLOWED_ATTR: [...allowed.attributes, ...allowed.addresses],
    ADD_URI_SAFE_ATTR: allowed.attributes,
    ALLOWED_URI_REGEXP: WRITTEN,
    ALLOW_ARIA_ATTR: false,
    ALLOW_DATA_ATTR: false,
    IN_PLACE: true,
  });
  return purify;
}

// Add a clean copy of what is in an element, node by node. An element off the list is left out, its content is not.
/** @param {Element} target @param {Element} source @param {DOMPurify} purify @param {string | null} base @returns {Steps<void>} */
export function* addClean(target, source, purify, base) {
  // DOMPurify leaves an iterator in the document of each node, and all of them look at each node that is removed there.
  const page = target.ownerDocument.implementation.createHTMLDocument("");
  /** @type {{node: Node | null, into: Element}[]} */
  const todo = [{ node: source.firstChild, into: target }];
  for (let level; (level = todo.pop()); ) {
    yield;
    const { node, into } = level;
    if (!node) continue;
    todo.push({ node: node.nextSibling, into });
    if (!isElement(node)) {
      const text = (node.nodeValue ?? "").replaceAll(EDGE, "").replace(/\r\n?/g, "\n");
      if (into.lastChild?.nodeType === 3) into.lastChild.nodeValue += text; // what is cut is escaped more
      else into.append(text);
      continue;
    }
    // A formula is one piece: what MathML may hold depends on what is around it. Its size has a limit (formulas.js).
    const isWhole = node.localName === "math";
    let copy = KNOWN.has(node.localName) ? page.importNode(node, isWhole) : null;
    if (copy) {
      for (const each of isWhole ? copy.querySelectorAll("*") : [copy]) check(each, base);
      purify.sanitize(copy);
      copy = target.ownerDocument.importNode(copy, true);
      into.append(copy);
    }
    if (!isWhole) todo.push({ node: node.firstChild, into: copy ?? into });
  }
}

// Make addresses absolute, and remove values off the lists. Not by hooks of DOMPurify, which then copies its lists each time.
/** @param {Element} element @param {string | null} base */
function check(element, base) {
  for (const [name, pattern] of VALUES) if (!pattern.test(element.getAttribute(name) ?? "")) element.removeAttribute(name);
  for (const name of ADDRESSES) {
    const said = element.getAttribute(name) ?? "";
    const address = WITHIN.test(said) ? said : safeAddress(said, base, name === "src");
    if (address) element.setAttribute(name, address);
    else element.removeAttribute(name);
  }
}
