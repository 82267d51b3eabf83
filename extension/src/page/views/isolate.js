// Everything but the content out of sight, and nothing moved: what is hidden keeps its place.
//
// An element without any kept leaf gets an attribute, and our styles hide it. A dropped text that stands directly in
// an element with kept ones is painted transparent by a custom highlight. Elements that hold kept and dropped leaves
// stay as they are, so that content keeps the background it is readable on.

import { Pace, STEPS } from "../../core/pace.js";
import {
  countBelow,
  documentElement,
  hasAttribute,
  localName,
  nodeType,
  removeAttribute,
  setAttribute,
} from "../dom.js";
import { frameByFrame } from "../frames.js";
import { TAG } from "../host.js";
import { elementAbove, elementsBelow } from "../tree.js";
import { OFF } from "./highlight.js";
import { Paint } from "./paint.js";
import { Runs } from "./runs.js";

export const HIDDEN = "data-tamis-off";
// They show nothing, or what they do is not to be seen anyway.
const SKIPPED = new Set([
  ..."head script style link meta title template noscript br wbr source track param base".split(" "),
  TAG,
]);

// Elements whose style changes in one frame; a browser computes some 200 in a millisecond.
const AT_ONCE = 5000;

export class IsolateView {
  /** @type {Set<Element>} */
  #hidden = new Set();
  #paint = new Paint();

  /** Hide what these labels drop, in place of what was hidden before. */
  async show({ table, labels }, signal) {
    const pace = new Pace({ signal });
    const { leaves } = table;
    const holding = new Set(); // elements with a kept leaf in them
    const mixed = new Set(); // elements with a dropped one
    await pace.each(leaves.length, (index) => {
      const leaf = leaves[index];
      if (labels.keep[index]) climb(leaf.node, holding);
      else if (leaf.visible) climb(leaf.node, mixed);
    });
    const wanted = await hiddenElements(holding, mixed, pace);
    const runs = new Runs(0); // all of them: nothing that is hidden may be seen for a moment
    await pace.each(leaves.length, (index) => {
      const leaf = leaves[index];
      if (leaf.isMedia || !leaf.visible || labels.keep[index]) return;
      if (holding.has(elementAbove(leaf.node))) runs.add(OFF, index, leaf);
    });
    this.#paint.replace(await runs.highlights(signal));
    await frameByFrame(this.#apply(wanted), signal);
  }

  /** Give the page back, in steps (frames.js). */
  *hide() {
    this.#paint.clear();
    yield* this.#apply(new Set());
  }

  *#apply(wanted) {
    let changed = 0;
    for (const element of new Set([...this.#hidden, ...wanted])) {
      if (this.#hidden.has(element) === wanted.has(element)) continue;
      if (this.#hidden.delete(element)) {
        removeAttribute(element, HIDDEN);
      } else {
        if (hasAttribute(element, HIDDEN)) continue; // the page's own: it must still be there afterwards
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

function climb(node, reached) {
  let at = nodeType(node) === Node.ELEMENT_NODE ? node : elementAbove(node);
  while (at && !reached.has(at)) {
    reached.add(at);
    at = elementAbove(at);
  }
}

// The outermost elements without content. An element whose leaves all stay is left alone with all that is in it.
async function hiddenElements(holding, mixed, pace) {
  const hidden = new Set();
  const todo = [documentElement(document)];
  for (let step = 0; todo.length; step++) {
    if (step % STEPS === 0 && pace.due) await pace.rest(1);
    const element = todo.pop();
    if (!holding.has(element)) hidden.add(element);
    else if (mixed.has(element)) {
      for (const below of elementsBelow(element)) if (!SKIPPED.has(localName(below))) todo.push(below);
    }
  }
  return hidden;
}
