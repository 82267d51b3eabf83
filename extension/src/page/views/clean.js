// HTML of a page as nodes that can do nothing but be read. The core writes clean HTML already; this is the wall
// behind it, since what comes in was written by strangers.

import { attributes, body, firstChild, localName, nextSibling, nodeType } from "../dom.js";
import { make } from "../host.js";

const TAGS = new Set(
  (
    "a abbr article aside audio b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl dt " +
    "em figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark ol p picture pre q rp rt " +
    "ruby s samp section small source span strong sub summary sup table tbody td tfoot th thead time tr u ul var " +
    "video wbr"
  ).split(" "),
);
const MATH = new Set(
  (
    "math menclose mfrac mi mmultiscripts mn mo mover mpadded mphantom mroot mrow ms mspace msqrt mstyle msub " +
    "msubsup msup mtable mtd mtext mtr munder munderover semantics"
  ).split(" "),
);
const ATTRIBUTES = new Set(
  "alt cite colspan datetime dir height href lang reversed rowspan scope src start title width".split(" "),
);
// Their text is code, not words.
const DROPPED = new Set(
  "script style template noscript object embed iframe form input button select textarea svg canvas".split(" "),
);
const LINKS = new Set(["http:", "https:", "mailto:", "tel:"]);
const SOURCES = new Set(["http:", "https:", "blob:"]);
const MATHML = "http://www.w3.org/1998/Math/MathML";

/**
 * HTML text as nodes below `target`, from the first to the last, with rests in between. Elements that are not known are
 * left out, and what they hold stays in its place.
 */
export async function addClean(target, html, base, pace) {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  const todo = [[firstChild(body(parsed)), target]]; // a node, and what it goes below; its siblings come after it
  while (todo.length) {
    if (pace.due) await pace.rest(1);
    const [node, parent] = todo.pop();
    if (!node) continue;
    todo.push([nextSibling(node), parent]);
    const kind = nodeType(node);
    if (kind === Node.TEXT_NODE) parent.append(node.data);
    if (kind !== Node.ELEMENT_NODE || DROPPED.has(localName(node))) continue;
    const copy = copyOf(node, base);
    if (copy) parent.append(copy);
    todo.push([firstChild(node), copy ?? parent]);
  }
}

function copyOf(element, base) {
  const tag = localName(element);
  if (MATH.has(tag)) return Document.prototype.createElementNS.call(document, MATHML, tag);
  if (!TAGS.has(tag)) return null;
  const copy = make(tag);
  for (const { name, value } of attributes(element)) {
    if (ATTRIBUTES.has(name) && isSafe(name, value, base)) copy.setAttribute(name, value);
  }
  if (tag === "video" || tag === "audio") {
    copy.controls = true;
    copy.preload = "none"; // nothing is fetched before it is played
  }
  return copy;
}

function isSafe(name, value, base) {
  if (name !== "href" && name !== "src" && name !== "cite") return true;
  let url;
  try {
    url = new URL(value, base);
  } catch {
    return false;
  }
  if (name !== "src") return LINKS.has(url.protocol);
  return SOURCES.has(url.protocol) || /^data:image\//i.test(value.trim());
}
