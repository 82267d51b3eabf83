// Content as nodes without scripts. The core's tree is clean already; this is a second check, because the content comes
// from strangers.

import { isBlank } from "../../core/characters.js";
import { Plain } from "../../core/render/html.js";
import { Node as TreeNode } from "../../core/render/node.js";
import { make } from "../host.js";

const TAGS = new Set(
  (
    "a abbr article aside audio b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl dt " +
    "em figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i img input ins kbd li main mark ol p picture pre q rp rt " +
    "ruby s samp section small source span strong sub summary sup table tbody td tfoot th thead time tr u ul var " +
    "video wbr"
  ).split(" "),
);
const MATH = new Set(
  (
    "math menclose mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt mstyle " +
    "msub msubsup msup mtable mtd mtext mtr munder munderover none semantics"
  ).split(" "),
);
const ATTRIBUTES = new Set(
  (
    "alt checked cite class colspan datetime dir disabled height href id lang open reversed role rowspan scope src " +
    "start title type value width accent accentunder columnalign columnspan display displaystyle fence form " +
    "linethickness mathvariant movablelimits stretchy"
  ).split(" "),
);
// The names that our styles know. Others could be those of the reader itself.
const CLASSES = /^(?:callout(?:-[a-z]+| callout-[a-z]+)?|language-.*)$/;
// Elements that are left out with their content.
const DROPPED = new Set(
  "script style template noscript object embed iframe form button select textarea svg canvas annotation".split(" "),
);
const LINKS = new Set(["http:", "https:", "mailto:", "tel:"]);
const SOURCES = new Set(["http:", "https:", "blob:"]);
const MATHML = "http://www.w3.org/1998/Math/MathML";

// So many neighbouring blocks are grouped, so that a browser can skip a whole group that is not visible (.tamis-huge in
// page.css).
const GROUP_SIZE = 50;
const HOLDERS = new Set(["article", "aside", "blockquote", "div", "dl", "main", "ol", "section", "ul"]);
const BLOCKS = new Set(
  (
    "article aside blockquote dd div dl dt figure footer h1 h2 h3 h4 h5 h6 header hr li main ol p pre section table ul"
  ).split(" "),
);

/**
 * Add content to `target`, in steps (Pace.finish). Unknown elements are left out, but their content is kept.
 *
 * @param {Element} target
 * @param {(TreeNode | string)[]} tree
 * @param {string} base of relative addresses
 * @returns {Generator<void, void, void>}
 */
export function* addClean(target, tree, base) {
  const todo = [new Level(tree, target)];
  const plain = new Plain();
  for (let level; (level = todo.at(-1)); ) {
    yield;
    if (level.isDone) {
      todo.pop();
      continue;
    }
    const next = level.next();
    if (typeof next === "string") {
      level.parent.append(next);
      continue;
    }
    const node = isFrame(next) ? linkTo(next) : plain.node(next);
    if (!DROPPED.has(node.name)) {
      const copy = copyOf(node, base);
      if (copy) level.parent.append(copy);
      todo.push(new Level(node.children, copy ?? level.parent));
    }
  }
}

/** @param {TreeNode} node */
const isFrame = ({ name, attributes: { kind } }) => name === "embed" && kind === "frame";

/** A frame is not loaded. @param {TreeNode} node */
function linkTo({ attributes: { src, href = src, title } }) {
  return new TreeNode("p", {}, [new TreeNode("a", { href }, [title || href])]);
}

/** Siblings of the tree, and the parent of the next of them. */
class Level {
  #siblings;
  #place = 0;
  #holder; // of groups, if there are many siblings
  #room = 0; // in the group
  #isAfterBlock = true;
  #number = 1; // of the next item of a numbered list

  /** @param {(TreeNode | string)[]} siblings @param {Element} parent */
  constructor(siblings, parent) {
    this.#siblings = siblings;
    const isLong = siblings.length > GROUP_SIZE && HOLDERS.has(parent.localName);
    this.#holder = isLong && !parent.hasAttribute("reversed") ? parent : null;
    this.#number = parseInt(parent.getAttribute("start") ?? "1") || 1;
    this.parent = parent;
  }

  get isDone() {
    return this.#place === this.#siblings.length;
  }

  next() {
    const node = this.#siblings[this.#place++];
    const isString = typeof node === "string";
    if (!this.#holder || (isString && isBlank(node))) return node;
    const isBegin = this.#group(this.#holder, !isString && BLOCKS.has(node.name));
    return isString || node.name !== "li" ? node : this.#numbered(node, isBegin && this.#holder.localName === "ol");
  }

  /** An item, with its number if the browser could not count it: a group is a world of its own for numbers. */
  #numbered(/** @type {TreeNode} */ item, /** @type {boolean} */ isFirst) {
    const { name, attributes, children } = item;
    this.#number = parseInt(attributes.value ?? "") || this.#number;
    const value = String(this.#number++);
    return isFirst ? new TreeNode(name, { ...attributes, value }, children) : item;
  }

  /**
   * Begin a new group if the last is full. It begins between two blocks, never inside a line.
   *
   * @param {Element} holder
   * @param {boolean} isBlock
   */
  #group(holder, isBlock) {
    const isBegin = --this.#room < 0 && isBlock && this.#isAfterBlock;
    if (isBegin) {
      this.parent = make("div");
      holder.append(this.parent);
      this.#room = GROUP_SIZE - 1;
    }
    this.#isAfterBlock = isBlock;
    return isBegin;
  }
}

/** The element for a node, or null if its tag is not allowed. @param {TreeNode} node @param {string} base */
function copyOf({ name: tag, attributes }, base) {
  const isMath = MATH.has(tag);
  if (!isMath && !TAGS.has(tag)) return null;
  const copy = isMath ? Document.prototype.createElementNS.call(document, MATHML, tag) : make(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (ATTRIBUTES.has(name) && isSafe(name, value, base)) copy.setAttribute(name, value);
  }
  if (tag === "input") {
    const box = /** @type {HTMLInputElement} */ (copy);
    box.type = "checkbox";
    box.disabled = true;
  } else if (tag === "video" || tag === "audio") {
    const player = /** @type {HTMLMediaElement} */ (copy);
    player.controls = true;
    player.preload = "none"; // nothing is fetched before it is played
  }
  return copy;
}

/** True if an attribute may be copied. @param {string} name @param {string} value @param {string} base */
function isSafe(name, value, base) {
  if (name === "class") return CLASSES.test(value);
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
