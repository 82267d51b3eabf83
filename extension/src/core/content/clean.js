// What may be in any output: elements, attributes and schemes of lists, checked by DOMPurify.

/** @import {DOMPurify} from "dompurify" */
/** @import {Steps} from "../pace.js" */

import createDOMPurify from "dompurify";
import { CoreError } from "../errors.js";
import { isElement } from "../page/dom.js";

/** @param {string} text */
const words = (text) => text.trim().split(/\s+/);

export const TAGS = new Set(
  words(`
    a abbr address article aside b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl dt em
    figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i ins kbd li main mark nav ol p pre q rp rt ruby s samp
    section small strong sub summary sup table tbody td tfoot th thead time tr u ul var wbr
  `),
);
const MADE = words("audio img input video"); // by us
const MATH = words(`
  math annotation menclose mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt
  mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none semantics
`);
const ATTRIBUTES = words(`
  alt checked cite class colspan controls datetime dir disabled href id lang open reversed role rowspan scope src start
  title type value accent accentunder columnalign columnspan display displaystyle encoding fence form linethickness
  mathvariant movablelimits stretchy
`);
// Values of ours; names of the page could be those of whoever shows the content.
/** @type {Record<string, RegExp>} */
const VALUES = {
  class: /^(?:callout(?:-title| callout-(?:note|tip|important|warning|caution))?|language-[a-z0-9_+#.-]{1,40})$/,
  id: /^fn(?:ref)?-\d+$/,
  role: /^(?:doc-(?:noteref|endnotes)|note)$/,
  type: /^(?:checkbox|[1aAiI])$/,
};
const LINKS = new Set(["http:", "https:", "mailto:", "tel:"]);
const SOURCES = new Set(["http:", "https:"]);
const PICTURE = /^data:image\/(?:avif|gif|jpeg|png|webp)[;,]/i;
const WITHIN = /^#fn(?:ref)?-\d+$/; // from a mark to its note, and back
const WRITTEN = /^(?:https?:|mailto:|tel:|#fn(?:ref)?-\d+$)/i;
const ADDRESSES = new Set(["href", "src", "cite"]);
const LONGEST_ADDRESS = 8_000; // servers and browsers refuse longer ones
const LONGEST_BASE = 2_000; // it is repeated in every link
const CONFIG = {
  ALLOWED_TAGS: [...TAGS, ...MADE, ...MATH],
  ALLOWED_ATTR: ATTRIBUTES,
  ALLOWED_URI_REGEXP: WRITTEN,
  ADD_URI_SAFE_ATTR: ATTRIBUTES.filter((name) => !ADDRESSES.has(name)),
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
  IN_PLACE: true,
};
// What Markdown puts at both ends of a code span until it is written (markdown.js). No text has it.
export const EDGE = "\ufdd0";

/**
 * An address made absolute; null if it is off the lists, or relative and there is no base.
 *
 * @param {string} url
 * @param {string | null} base
 * @param {boolean} [isImage]
 */
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

/**
 * The base of relative addresses without its credentials; null if it is so long that links would fill the memory.
 *
 * @param {string | null} url of the page
 * @param {string | null} declared by its <base>
 */
export function baseOf(url, declared) {
  const base = parsed(declared ?? "", url) ?? (url ? parsed(url, null) : null);
  if (!base || !SOURCES.has(base.protocol)) return null;
  base.username = base.password = base.hash = "";
  return base.href.length <= LONGEST_BASE ? base.href : null;
}

/**
 * A sanitizer. It gets a document of its own, in which no name of the page's hides a property.
 *
 * @param {Document} inert
 * @param {any} window that has the interfaces of the DOM
 * @returns {DOMPurify}
 */
export function sanitizer(inert, window) {
  const { DocumentFragment, DOMParser, Element, HTMLFormElement, HTMLTemplateElement, NamedNodeMap, Node, NodeFilter } = window;
  const interfaces = { DocumentFragment, DOMParser, Element, HTMLFormElement, HTMLTemplateElement, NamedNodeMap, Node, NodeFilter };
  const purify = createDOMPurify(/** @type {any} */ ({ ...interfaces, document: inert }));
  if (!purify.isSupported) throw new CoreError("dom", "this DOM can't be sanitized: content needs a browser or jsdom");
  purify.setConfig(CONFIG);
  purify.addHook("uponSanitizeAttribute", (_, attribute) => {
    const { attrName: name, attrValue: value } = attribute;
    const isImage = name === "src" && PICTURE.test(value);
    if (VALUES[name] ? !VALUES[name].test(value) : ADDRESSES.has(name) && !isImage && !WRITTEN.test(value)) {
      attribute.keepAttr = false;
    }
  });
  return purify;
}

/**
 * Add a clean copy of what is in an element, node by node. An element off the list is left out, its content is not.
 *
 * @param {Element} target in the document of the sanitizer
 * @param {Element} source
 * @param {DOMPurify} purify
 * @param {string | null} base
 * @returns {Steps<void>}
 */
export function* addClean(target, source, purify, base) {
  const holder = target.ownerDocument.createElement("div");
  /** @type {{node: Node | null, into: Element}[]} */
  const todo = [{ node: source.firstChild, into: target }];
  for (let level; (level = todo.pop()); ) {
    yield;
    const { node, into } = level;
    if (!node) continue;
    todo.push({ node: node.nextSibling, into });
    if (!isElement(node)) {
      into.append((node.nodeValue ?? "").replaceAll(EDGE, ""));
      continue;
    }
    // A formula is one piece: what MathML may hold depends on what is around it. Its size has a limit (formulas.js).
    const isWhole = node.localName === "math";
    const copy = /** @type {Element} */ (node.cloneNode(isWhole));
    for (const name of ADDRESSES) resolve(copy, name, base);
    holder.replaceChildren(copy);
    purify.sanitize(holder);
    const clean = holder.firstElementChild;
    if (clean) into.append(clean);
    if (!isWhole) todo.push({ node: node.firstChild, into: clean ?? into });
  }
}

/** @param {Element} element @param {string} name of an attribute @param {string | null} base */
function resolve(element, name, base) {
  const said = element.getAttribute(name);
  if (said === null || WITHIN.test(said)) return;
  const address = safeAddress(said, base, name === "src");
  if (address) element.setAttribute(name, address);
  else element.removeAttribute(name);
}
