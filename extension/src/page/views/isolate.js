// Hides everything but the content. Nothing moves: hidden elements keep their place.
//
// An element without a kept leaf gets an attribute, and our styles hide it. A dropped text directly in an element with
// kept ones is painted transparent by a custom highlight. Elements with kept and dropped leaves are not changed, so
// that content keeps its background.

/** @import {Result} from "../analysis.js" */

import { Pace, STEPS } from "../../core/pace.js";
import {
  countBelow,
  documentElement,
  hasAttribute,
  isElement,
  localName,
  removeAttribute,
  setAttribute,
} from "../dom.js";
import { frameByFrame } from "../frames.js";
import { TAG } from "../host.js";
import { elementAbove, elementsBelow } from "../tree.js";
import { OFF } from "./highlight.js";
import { Paint } from "./paint.js";
import { Ranges } from "./ranges.js";

export const HIDDEN = "data-tamis-off";
// Elements that show nothing, and our own element.
const SKIPPED = new Set([
  ..."head script style link meta title template noscript br wbr source track param base".split(" "),
  TAG,
]);

// How many elements may change their style in one frame; a browser computes about 200 in a millisecond.
const AT_ONCE = 5000;

export class IsolateView {
  /** @type {Set<Element>} */
  #hidden = new Set();
  #paint = new Paint();

  /**
   * Hide what the labels drop, in place of what was hidden before.
   *
   * @param {Result} result
   * @param {AbortSignal} signal
   */
  async show({ table, labels }, signal) {
    const pace = new Pace({ signal });
    const { leaves } = table;
    /** @type {Set<Element | null>} */
    const holding = new Set(); // elements with a kept leaf in them
    /** @type {Set<Element | null>} */
    const mixed = new Set(); // elements with a dropped one
    await pace.each(leaves.length, (index) => {
      const leaf = leaves[index];
      if (labels.keep[index]) climb(leaf.node, holding);
      else if (leaf.visible) climb(leaf.node, mixed);
    });
    const wanted = await hiddenElements(holding, mixed, pace);
    const ranges = new Ranges(0); // all of them, not only those near the window
    await pace.each(leaves.length, (index) => {
      const leaf = leaves[index];
      if (leaf.isMedia || !leaf.visible || labels.keep[index]) return;
      if (holding.has(elementAbove(leaf.node))) ranges.add(OFF, index, leaf);
    });
    this.#paint.replace(await ranges.highlights(signal));
    await frameByFrame(this.#apply(wanted), signal);
  }

  /** Show the page as it was, in steps (frames.js). @returns {Generator<void, void, void>} */
  *hide() {
    this.#paint.clear();
    yield* this.#apply(new Set());
  }

  /** @param {Set<Element>} wanted the elements to hide @returns {Generator<void, void, void>} */
  *#apply(wanted) {
    let changed = 0;
    for (const element of new Set([...this.#hidden, ...wanted])) {
      if (this.#hidden.has(element) === wanted.has(element)) continue;
      if (this.#hidden.delete(element)) {
        removeAttribute(element, HIDDEN);
      } else {
        if (hasAttribute(element, HIDDEN)) continue; // the page's own attribute, which has to stay
        setAttribute(element, HIDDEN, "");
        this.#hidden.add(element);
      }
      changed += 1 + countBelow(element);
      if (changed < AT_ONCE) continue;
      yield;
      changed = 0;
    }
  }
}

/** Add an element and all above it. @param {Node} node @param {Set<Element | null>} reached */
function climb(node, reached) {
  let at = isElement(node) ? node : elementAbove(node);
  while (at && !reached.has(at)) {
    reached.add(at);
    at = elementAbove(at);
  }
}

/**
 * The outermost elements without content. An element whose leaves are all kept is not changed, nor anything in it.
 *
 * @param {Set<Element | null>} holding
 * @param {Set<Element | null>} mixed
 * @param {Pace} pace
 */
async function hiddenElements(holding, mixed, pace) {
  /** @type {Set<Element>} */
  const hidden = new Set();
  /** @type {Element[]} */
  const todo = [documentElement(document)];
  for (let step = 0, element; (element = todo.pop()); step++) {
    if (step % STEPS === 0 && pace.due) await pace.rest(1);
    if (!holding.has(element)) hidden.add(element);
    else if (mixed.has(element)) {
      for (const below of elementsBelow(element)) if (!SKIPPED.has(localName(below))) todo.push(below);
    }
  }
  return hidden;
}
