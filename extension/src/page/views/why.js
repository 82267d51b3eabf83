// Point at a block, or step to it by keys: what the extractor thinks of it.

import { asNumber, asPercent, say } from "../../shared/strings.js";
import {
  activeElement,
  addListener,
  boxesOf,
  boxOf,
  childNodes,
  contains,
  documentElement,
  isConnected,
  localName,
  nodeType,
  ownerDocument,
  scrollIntoView,
} from "../dom.js";
import { make, present } from "../host.js";
import { roleReader } from "../roles.js";
import { labelOf } from "../sieve.js";
import { elementAbove, frameOffset, rootsOf } from "../tree.js";

const EXCERPT = 120; // characters
const MOST_LEAVES = 400; // of one block that are looked at
const MARGIN = 5; // pixels between a block and the line around it
const EDGE = 16; // pixels between the card and the edge of the window

const ROLES = {
  title: "roleTitle",
  text: "roleText",
  caption: "roleCaption",
  comment: "roleComment",
  related: "roleRelated",
  boilerplate: "roleBoilerplate",
};

export class WhyView {
  #takeAway = null;
  #listeners = null;
  #result = null;
  #roleOf = null;
  #byNode = new Map();
  #current = -1;
  #before = null; // what was in focus
  #frame = 0;
  #parts = null;
  #close;

  /** @param {() => void} close is called when the reader wants to leave */
  constructor(close) {
    this.#close = close;
  }

  async show(result) {
    const place = this.#current;
    this.#listeners?.abort();
    this.#result = result;
    this.#roleOf = roleReader(result.table, result.labels);
    this.#byNode = new Map();
    result.table.leaves.forEach((leaf, index) => {
      for (const node of leaf.nodes) this.#byNode.set(node, index);
    });
    if (!this.#takeAway) this.#build();
    this.#listen();
    const start = place >= 0 && place < result.table.leaves.length ? place : result.labels.keep.indexOf(1);
    this.#explain(start);
  }

  /** Leave nothing, in steps (frames.js). */
  *hide() {
    this.#listeners?.abort();
    cancelAnimationFrame(this.#frame);
    this.#takeAway?.();
    this.#takeAway = this.#listeners = this.#result = null;
    this.#current = -1;
    this.#byNode.clear();
    if (this.#before?.isConnected) this.#before.focus({ preventScroll: true });
    this.#before = null;
  }

  #build() {
    const score = make("output", { class: "tamis-score" });
    const meter = make("meter", { min: "0", max: "1", "aria-hidden": "true" });
    const verdict = make("strong");
    const headline = make("p", { class: "tamis-verdict" }, score, verdict);
    const detail = make("p");
    const excerpt = make("p", { class: "tamis-excerpt" });
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
      event.stopPropagation(); // the page has keys of its own
      if (event.key === "ArrowDown") this.#step(1);
      else if (event.key === "ArrowUp") this.#step(-1);
      else if (event.key === "Escape") this.#close();
      else return;
      event.preventDefault();
    });
    const box = make("div", { class: "tamis-box" });
    const layer = make("div", { class: "tamis-surface tamis-why", popover: "manual" }, box, card);
    this.#parts = { score, meter, verdict, detail, excerpt, card, box };
    this.#before = activeElement(document);
    this.#takeAway = present(layer);
    layer.showPopover();
    card.focus({ preventScroll: true });
  }

  #listen() {
    this.#listeners = new AbortController();
    const options = { signal: this.#listeners.signal, capture: true, passive: true };
    for (const root of rootsOf(this.#result.table.leaves)) {
      if (nodeType(root) !== Node.DOCUMENT_NODE) continue; // what happens in a shadow root is heard outside
      addListener(root, "mousemove", (event) => {
        const [target] = event.composedPath(); // known while the event is under way only
        this.#later(() => this.#point(target, event.clientX, event.clientY));
      }, options);
      addListener(root, "scroll", () => this.#later(() => this.#place()), options);
    }
    window.addEventListener("resize", () => this.#later(() => this.#place()), options);
  }

  #later(action) {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(action);
  }

  #point(target, x, y) {
    if (!target || nodeType(target) !== Node.ELEMENT_NODE) return;
    const index = this.#leafAt(target, x, y);
    if (index >= 0 && index !== this.#current) this.#explain(index);
  }

  // The medium pointed at, or around it; the text under the pointer; the first text directly in what is pointed at.
  #leafAt(target, x, y) {
    for (let at = target; at; at = elementAbove(at)) if (this.#byNode.has(at)) return this.#byNode.get(at);
    const caret = Document.prototype.caretPositionFromPoint.call(ownerDocument(target), x, y)?.offsetNode;
    if (caret && contains(target, caret) && this.#byNode.has(caret)) return this.#byNode.get(caret);
    for (const child of childNodes(target)) if (this.#byNode.has(child)) return this.#byNode.get(child);
    return -1;
  }

  // To the next leaf in another block that is on the page.
  #step(direction) {
    const { leaves } = this.#result.table;
    const here = this.#current >= 0 ? blockOf(leaves[this.#current].node) : null;
    for (let index = this.#current + direction; index >= 0 && index < leaves.length; index += direction) {
      const { node, visible } = leaves[index];
      if (!visible || !isConnected(node)) continue;
      const block = blockOf(node);
      if (block === here || !boxesOf(block).length) continue;
      scrollIntoView(block, { block: "center", behavior: "instant" });
      this.#explain(index);
      return;
    }
  }

  #explain(index) {
    const { table, labels, extractor } = this.#result;
    const leaf = table.leaves[index];
    const { score, meter, verdict, detail, excerpt } = this.#parts;
    this.#current = index;
    const kept = Boolean(labels.keep[index]);
    score.textContent = asPercent(labels.score[index]);
    meter.value = labels.score[index];
    meter.low = meter.high = meter.optimum = labels.threshold;
    verdict.textContent = say(kept ? "whyKept" : "whyDropped", say(ROLES[this.#roleOf(index)]));
    detail.textContent = leaf.isMedia
      ? say("whyMedia")
      : say("whyDetail", labelOf(extractor), asPercent(labels.threshold), this.#spread(index));
    const text = leaf.isMedia ? `<${localName(leaf.node)}>` : leaf.text.trim().replace(/\s+/g, " ");
    excerpt.textContent = text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text;
    this.#place();
  }

  // How far the scores of the block's texts lie apart.
  #spread(index) {
    const { table, labels } = this.#result;
    const block = blockOf(table.leaves[index].node);
    let [lowest, highest, texts] = [1, 0, 0];
    const look = (at) => {
      const leaf = table.leaves[at];
      if (!leaf || texts > MOST_LEAVES || !contains(block, leaf.node)) return false;
      if (leaf.visible && !leaf.isMedia) {
        lowest = Math.min(lowest, labels.score[at]);
        highest = Math.max(highest, labels.score[at]);
        texts++;
      }
      return true;
    };
    for (let at = index; look(at); at--);
    for (let at = index + 1; look(at); at++);
    return texts > 1 ? say("whySpread", asNumber(texts), asPercent(lowest), asPercent(highest)) : "";
  }

  #place() {
    if (this.#current < 0 || !this.#parts) return;
    const { box, card } = this.#parts;
    const block = blockOf(this.#result.table.leaves[this.#current].node);
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

// The card stays in a corner, in the first where it does not cover the block; beside a block that fills the window, in
// the last resort.
function cornerBeside(block, card) {
  const right = documentElement(document).clientWidth - card.offsetWidth - EDGE;
  const bottom = innerHeight - card.offsetHeight - EDGE;
  const corners = [[right, bottom], [right, EDGE], [EDGE, bottom], [EDGE, EDGE]];
  const covers = ([x, y]) =>
    x < block.left + block.width &&
    block.left < x + card.offsetWidth &&
    y < block.top + block.height &&
    block.top < y + card.offsetHeight;
  const [x, y] = corners.find((corner) => !covers(corner)) ?? corners[0];
  return { left: `${x}px`, top: `${y}px` };
}

// The nearest element around a leaf that is a box of its own.
function blockOf(node) {
  let at = nodeType(node) === Node.ELEMENT_NODE ? node : elementAbove(node);
  for (let above = at; above; above = elementAbove(above)) {
    at = above;
    const { display } = getComputedStyle(above);
    if (display !== "inline" && display !== "contents" && display !== "none") break;
  }
  return at;
}
