// Content as nodes that can do nothing but be read. The core's tree is clean already; this is the wall behind it, since
// what comes in was written by strangers.

import { isBlank } from "../../core/characters.js";
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

// Blocks side by side are put together by so many, so that a browser can leave out at once what is not in sight
// (.tamis-huge in page.css).
const TOGETHER = 50;
const HOLDERS = new Set(["article", "aside", "blockquote", "div", "main", "section"]);
const BLOCKS = new Set(
  "article aside blockquote div dl figure footer h1 h2 h3 h4 h5 h6 header hr main ol p pre section table ul".split(" "),
);

/**
 * Put content below `target`, from the first node to the last, in steps (Pace.finish). Elements that are not known are
 * left out, and what they hold stays in its place.
 *
 * @param {Element} target
 * @param {(import("../../core/render/tree.js").Node | string)[]} tree
 * @param {string} base what addresses are relative to
 */
export function* addClean(target, tree, base) {
  const todo = [new Level(tree, target)];
  while (todo.length) {
    yield;
    const level = todo.at(-1);
    if (level.isDone) {
      todo.pop();
      continue;
    }
    const node = level.next();
    if (typeof node === "string") level.parent.append(node);
    else if (!DROPPED.has(node.name)) {
      const copy = copyOf(node, base);
      if (copy) level.parent.append(copy);
      todo.push(new Level(node.children, copy ?? level.parent));
    }
  }
}

/** Siblings of the tree, and the element that the next of them goes below. */
class Level {
  #siblings;
  #place = 0;
  #holder; // of groups, where there are many siblings
  #room = 0; // in the group
  #isAfterBlock = true;

  constructor(siblings, parent) {
    this.#siblings = siblings;
    this.#holder = siblings.length > TOGETHER && HOLDERS.has(parent.localName) ? parent : null;
    this.parent = parent;
  }

  get isDone() {
    return this.#place === this.#siblings.length;
  }

  next() {
    const node = this.#siblings[this.#place++];
    if (this.#holder && !(typeof node === "string" && isBlank(node))) this.#group(BLOCKS.has(node.name));
    return node;
  }

  // A group begins with a block that follows one: what stands in a line stays in it.
  #group(isBlock) {
    if (--this.#room < 0 && isBlock && this.#isAfterBlock) {
      this.parent = make("div");
      this.#holder.append(this.parent);
      this.#room = TOGETHER - 1;
    }
    this.#isAfterBlock = isBlock;
  }
}

function copyOf({ name: tag, attributes }, base) {
  if (MATH.has(tag)) return Document.prototype.createElementNS.call(document, MATHML, tag);
  if (!TAGS.has(tag)) return null;
  const copy = make(tag);
  for (const [name, value] of Object.entries(attributes)) {
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
