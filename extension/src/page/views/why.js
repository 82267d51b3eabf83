// Explains a block that the user points at or goes to by keyboard: its score, its role, the threshold.

/** @import {Role} from "../../core/labels.js" */
/** @import {Result} from "../analysis.js" */

import { folded } from "../../core/characters.js";
import { asNumber, asPercent, say } from "../../shared/strings.js";
import { labelOf } from "../analysis.js";
import {
  activeElement,
  addListener,
  boxesOf,
  boxOf,
  childNodes,
  contains,
  documentElement,
  isConnected,
  isElement,
  localName,
  nodeType,
  ownerDocument,
  scrollIntoView,
} from "../dom.js";
import { make, present } from "../host.js";
import { roleReader } from "../roles.js";
import { elementAbove, frameOffset, rootsOf } from "../tree.js";

const EXCERPT = 120; // characters
const MOST_LEAVES = 400; // of one block whose scores are compared
const MARGIN = 5; // pixels between a block and the line around it
const EDGE = 16; // pixels between the card and the edge of the window

/** @type {Record<Role, string>} */
const ROLES = {
  title: "roleTitle",
  text: "roleText",
  caption: "roleCaption",
  note: "roleNote",
  comment: "roleComment",
  related: "roleRelated",
  boilerplate: "roleBoilerplate",
};

/**
 * @typedef {object} Card
 * @property {HTMLElement} score
 * @property {HTMLMeterElement} meter
 * @property {HTMLElement} verdict
 * @property {HTMLElement} detail
 * @property {HTMLElement} excerpt
 * @property {HTMLElement} card around all of them
 * @property {HTMLElement} box the line around the block
 * @property {() => void} remove
 *
 * @typedef {{result: Result, roleOf: (index: number) => Role}} Subject the block to explain
 */

export class WhyView {
  /** @type {Card | null} */
  #card = null;
  /** @type {Subject | null} */
  #subject = null;
  /** @type {AbortController | null} */
  #listeners = null;
  /** @type {Map<Node, number>} */
  #byNode = new Map(); // from the nodes of the leaves to their indexes
  #current = -1;
  /** @type {HTMLElement | null} */
  #before = null; // what had the focus
  #frame = 0;
  #close;

  /** @param {() => void} close is called when the user closes the card */
  constructor(close) {
    this.#close = close;
  }

  /** @param {Result} result */
  async show(result) {
    const place = this.#current;
    this.#listeners?.abort();
    this.#subject = { result, roleOf: roleReader(result.table, result.labels) };
    this.#byNode = new Map();
    result.table.leaves.forEach((leaf, index) => {
      for (const node of leaf.nodes) this.#byNode.set(node, index);
    });
    this.#card ??= this.#build();
    this.#listen(result);
    const start = place >= 0 && place < result.table.leaves.length ? place : result.labels.keep.indexOf(1);
    this.#explain(start);
  }

  /** Remove everything, in steps (frames.js). @returns {Generator<void, void, void>} */
  *hide() {
    this.#listeners?.abort();
    cancelAnimationFrame(this.#frame);
    this.#card?.remove();
    this.#card = this.#listeners = this.#subject = null;
    this.#current = -1;
    this.#byNode.clear();
    if (this.#before?.isConnected) this.#before.focus({ preventScroll: true });
    this.#before = null;
  }

  /** Show an empty card. @returns {Card} */
  #build() {
    const score = make("output", { class: "tamis-score" });
    const meter = make("meter", { min: "0", max: "1", "aria-hidden": "true" });
    const verdict = make("strong");
    const headline = make("p", { class: "tamis-verdict" }, score, verdict);
    const detail = make("p");
    const excerpt = make("p", { class: "tamis-excerpt" });
    /** @param {string} name @param {() => void} action */
    const button = (name, action) => {
      const made = make("button", { type: "button", class: "tamis-button" }, say(name));
      made.addEventListener("click", action);
      return made;
    };
    const card = make(
      "div",
      { class: "tamis-card", role: "group", tabindex: "0", "aria-label": say("whyLabel") },
      make("div", { "aria-live": "polite" }, headline, meter, detail, excerpt),
      make(
        "div",
        { class: "tamis-buttons" },
        button("previousBlock", () => this.#step(-1)),
        button("nextBlock", () => this.#step(1)),
        button("close", () => this.#close()),
      ),
    );
    card.addEventListener("keydown", (event) => {
      event.stopPropagation(); // the page may handle keys too
      if (event.key === "ArrowDown") this.#step(1);
      else if (event.key === "ArrowUp") this.#step(-1);
      else if (event.key === "Escape") this.#close();
      else return;
      event.preventDefault();
    });
    const box = make("div", { class: "tamis-box" });
    const layer = make("div", { class: "tamis-surface tamis-why", popover: "manual" }, box, card);
    this.#before = /** @type {HTMLElement | null} */ (activeElement(document));
    const remove = present(layer);
    layer.showPopover();
    card.focus({ preventScroll: true });
    return { score, meter, verdict, detail, excerpt, card, box, remove };
  }

  /** @param {Result} result */
  #listen(result) {
    this.#listeners = new AbortController();
    const options = { signal: this.#listeners.signal, capture: true, passive: true };
    for (const root of rootsOf(result.table.leaves)) {
      if (nodeType(root) !== Node.DOCUMENT_NODE) continue; // events of a shadow root reach its document
      const page = /** @type {Document} */ (root);
      addListener(page, "mousemove", (/** @type {MouseEvent} */ event) => {
        const [target] = event.composedPath(); // empty after the event
        this.#later(() => this.#point(/** @type {Node} */ (target), event.clientX, event.clientY));
      }, options);
      addListener(page, "scroll", () => this.#later(() => this.#place()), options);
    }
    window.addEventListener("resize", () => this.#later(() => this.#place()), options);
  }

  /** @param {() => void} action */
  #later(action) {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(action);
  }

  /** @param {Node | undefined} target @param {number} x @param {number} y */
  #point(target, x, y) {
    if (!target || !isElement(target)) return;
    const index = this.#leafAt(target, x, y);
    if (index >= 0 && index !== this.#current) this.#explain(index);
  }

  /**
   * The index of the leaf under the pointer, or -1: the medium there or around it, the text there, or the first text
   * directly in the element there.
   *
   * @param {Element} target
   * @param {number} x
   * @param {number} y
   */
  #leafAt(target, x, y) {
    /** @type {Element | null} */
    let at = target;
    for (; at; at = elementAbove(at)) {
      const medium = this.#byNode.get(at);
      if (medium !== undefined) return medium;
    }
    const caret = Document.prototype.caretPositionFromPoint.call(ownerDocument(target), x, y)?.offsetNode;
    const text = caret && contains(target, caret) ? this.#byNode.get(caret) : undefined;
    if (text !== undefined) return text;
    for (const child of childNodes(target)) {
      const first = this.#byNode.get(child);
      if (first !== undefined) return first;
    }
    return -1;
  }

  /** Go to the next visible leaf in another block. @param {1 | -1} direction */
  #step(direction) {
    if (!this.#subject) return;
    const { leaves } = this.#subject.result.table;
    const here = this.#current >= 0 ? blockOf(leaves[this.#current].node) : null;
    for (let index = this.#current + direction; index >= 0 && index < leaves.length; index += direction) {
      const { node, visible } = leaves[index];
      if (!visible || !isConnected(node)) continue;
      const block = blockOf(node);
      if (!block || block === here || !boxesOf(block).length) continue;
      scrollIntoView(block, { block: "center", behavior: "instant" });
      this.#explain(index);
      return;
    }
  }

  /** Fill the card with one leaf. @param {number} index */
  #explain(index) {
    if (!this.#subject || !this.#card) return;
    const { table, labels, extractor } = this.#subject.result;
    const leaf = table.leaves[index];
    const { score, meter, verdict, detail, excerpt } = this.#card;
    this.#current = index;
    const kept = Boolean(labels.keep[index]);
    score.textContent = asPercent(labels.score[index]);
    meter.value = labels.score[index];
    meter.low = meter.high = meter.optimum = labels.threshold;
    verdict.textContent = say(kept ? "whyKept" : "whyDropped", say(ROLES[this.#subject.roleOf(index)]));
    detail.textContent = leaf.isMedia
      ? say("whyMedia")
      : say("whyDetail", labelOf(extractor), asPercent(labels.threshold), spreadAround(this.#subject.result, index));
    const text = leaf.isMedia ? `<${localName(/** @type {Element} */ (leaf.node))}>` : folded(leaf.text);
    excerpt.textContent = text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text;
    this.#place();
  }

  /** Put the box around the block, and the card beside it. */
  #place() {
    if (this.#current < 0 || !this.#card || !this.#subject) return;
    const { box, card } = this.#card;
    const block = blockOf(this.#subject.result.table.leaves[this.#current].node);
    if (!block) return;
    const offset = frameOffset(block);
    const { left, top, width, height } = boxOf(block);
    const place = { left: left + offset.x, top: top + offset.y };
    Object.assign(box.style, {
      left: `${place.left - MARGIN}px`,
      top: `${place.top - MARGIN}px`,
      width: `${width + 2 * MARGIN}px`,
      height: `${height + 2 * MARGIN}px`,
    });
    Object.assign(card.style, cornerBeside({ ...place, width, height }, card));
  }
}

/**
 * A sentence about the lowest and the highest score in the block of a leaf.
 *
 * @param {Result} result
 * @param {number} index
 */
function spreadAround({ table, labels }, index) {
  const block = blockOf(table.leaves[index].node);
  let [lowest, highest, texts] = [1, 0, 0];
  const isInBlock = (/** @type {number} */ at) => {
    const leaf = table.leaves[at];
    if (!block || !leaf || texts > MOST_LEAVES || !contains(block, leaf.node)) return false;
    if (leaf.visible && !leaf.isMedia) {
      lowest = Math.min(lowest, labels.score[at]);
      highest = Math.max(highest, labels.score[at]);
      texts++;
    }
    return true;
  };
  for (let at = index; isInBlock(at); at--);
  for (let at = index + 1; isInBlock(at); at++);
  return texts > 1 ? say("whySpread", asNumber(texts), asPercent(lowest), asPercent(highest)) : "";
}

/**
 * The corner of the window for the card: the first where it does not cover the block, or the first of all.
 *
 * @param {{left: number, top: number, width: number, height: number}} block
 * @param {HTMLElement} card
 */
function cornerBeside(block, card) {
  const right = documentElement(document).clientWidth - card.offsetWidth - EDGE;
  const bottom = innerHeight - card.offsetHeight - EDGE;
  const corners = [[right, bottom], [right, EDGE], [EDGE, bottom], [EDGE, EDGE]];
  const covers = (/** @type {number[]} */ [x, y]) =>
    x < block.left + block.width &&
    block.left < x + card.offsetWidth &&
    y < block.top + block.height &&
    block.top < y + card.offsetHeight;
  const [x, y] = corners.find((corner) => !covers(corner)) ?? corners[0];
  return { left: `${x}px`, top: `${y}px` };
}

/** The nearest element around a leaf that is displayed as a block. @param {Node} node */
function blockOf(node) {
  let at = isElement(node) ? node : elementAbove(node);
  for (let above = at; above; above = elementAbove(above)) {
    at = above;
    const { display } = getComputedStyle(above);
    if (display !== "inline" && display !== "contents" && display !== "none") break;
  }
  return at;
}
