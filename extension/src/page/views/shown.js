// The clean content as the reader shows it: a copy in the page, node by node, in groups that a browser can skip.

import { isBlank } from "../../core/characters.js";
import { make } from "../host.js";

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
 * Add a copy of content to `target`, in steps (Pace.finish).
 *
 * @param {Element} target
 * @param {Element} content
 * @returns {Generator<void, void, void>}
 */
export function* addShown(target, content) {
  const todo = [new Level(content, target)];
  for (let level; (level = todo.at(-1)); ) {
    yield;
    const node = level.next();
    if (!node) {
      todo.pop();
      continue;
    }
    const isWhole = node.nodeName === "math";
    const copy = Document.prototype.importNode.call(document, node, isWhole);
    if (copy instanceof HTMLInputElement) copy.setAttribute("aria-label", node.parentNode?.textContent?.trim() ?? "");
    if (copy instanceof HTMLMediaElement) copy.preload = "none"; // nothing is fetched before it is played
    level.parent.append(copy);
    if (node.hasChildNodes() && !isWhole) todo.push(new Level(/** @type {Element} */ (node), /** @type {Element} */ (copy)));
  }
}

/** The children of an element, and the parent of the copy of the next of them. */
class Level {
  #next;
  #holder; // of groups, if there are many children
  #room = 0; // in the group
  #isAfterBlock = true;
  #number; // of the next item of a numbered list

  /** @param {Element} source @param {Element} copy */
  constructor(source, copy) {
    this.#next = source.firstChild;
    const isLong = source.childNodes.length > GROUP_SIZE && HOLDERS.has(source.localName);
    this.#holder = isLong && !source.hasAttribute("reversed") ? copy : null;
    this.#number = parseInt(source.getAttribute("start") ?? "1") || 1;
    this.parent = copy;
  }

  /** The next child, null after the last. An item that begins a group gets its number: the browser does not count on. */
  next() {
    const node = this.#next;
    this.#next = node?.nextSibling ?? null;
    if (!node || !this.#holder || (node.nodeName === "#text" && isBlank(node.nodeValue ?? ""))) return node;
    const isBegin = this.#group(this.#holder, BLOCKS.has(node.nodeName.toLowerCase()));
    if (node.nodeName !== "LI") return node;
    const item = /** @type {HTMLLIElement} */ (node);
    this.#number = parseInt(item.getAttribute("value") ?? "") || this.#number;
    if (isBegin && this.#holder.localName === "ol") item.setAttribute("value", String(this.#number));
    this.#number++;
    return item;
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
