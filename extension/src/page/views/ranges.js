// Neighbouring leaves with the same highlight as one range, because one range a leaf is slow to paint.

/** @import {Leaf} from "../../core/page/table.js" */
/** @import {Painted} from "./paint.js" */

import { Pace } from "../../core/pace.js";
import { defaultView } from "../dom.js";

// A browser goes through all highlighted texts at every change of the page. On a page of more leaves than this, only
// the ranges near the window are painted.
const MANY = 1500; // leaves
const LONGEST = 20; // leaves of a range in a long page
const SCREENS = 2; // above and below the window

/** @typedef {Window & typeof globalThis} PageWindow the window of the page or of a frame */

export class Ranges {
  /** @type {{name: string, first: Text, end: Text, leaves: number}[]} */
  #ranges = [];
  #last = -2; // the last leaf
  #long;

  /** @param {number} leaves how many there are on the page */
  constructor(leaves) {
    this.#long = leaves > MANY;
  }

  /** Add a text. @param {string} name of the highlight @param {number} index of the leaf @param {Leaf} leaf */
  add(name, index, leaf) {
    const last = this.#ranges.at(-1);
    const first = /** @type {Text} */ (leaf.node);
    const end = /** @type {Text} */ (leaf.nodes.at(-1));
    const hasRoom = last && (!this.#long || last.leaves < LONGEST);
    if (hasRoom && last.name === name && index === this.#last + 1 && sameTree(last.end, first)) {
      last.end = end;
      last.leaves++;
    } else this.#ranges.push({ name, first, end, leaves: 1 });
    this.#last = index;
  }

  /** True if `highlights` returns only those near the window, so that scrolling changes them. */
  get isPartial() {
    return this.#long;
  }

  /** The ranges as highlights. @param {AbortSignal} signal @returns {Promise<Painted>} */
  async highlights(signal) {
    /** @type {Painted} */
    const found = new Map();
    await new Pace({ signal }).each(this.#ranges.length, (index) => {
      const { name, first, end } = this.#ranges[index];
      const window = /** @type {PageWindow | null} */ (defaultView(first.ownerDocument));
      if (!window || !first.isConnected || !end.isConnected) return; // removed since
      const place = { startContainer: first, startOffset: 0, endContainer: end, endOffset: end.length };
      if (this.#long && !isNear(place, window)) return;
      const registry = window.CSS.highlights;
      const byName = found.get(registry) ?? new Map();
      found.set(registry, byName);
      if (!byName.has(name)) byName.set(name, new window.Highlight());
      byName.get(name).add(new window.StaticRange(place));
    });
    return found;
  }
}

/**
 * True if a range may span both texts. Comparing parents is nearly always enough.
 *
 * @param {Text} one
 * @param {Text} other
 */
function sameTree(one, other) {
  return one.parentNode === other.parentNode || one.getRootNode() === other.getRootNode();
}

/**
 * True if the texts are near the window. The elements around them may be as long as the page, so they do not count.
 *
 * @param {StaticRangeInit} place
 * @param {PageWindow} window
 */
function isNear({ startContainer, endContainer, endOffset }, { innerHeight, Range }) {
  const range = new Range();
  range.setStart(startContainer, 0);
  range.setEnd(endContainer, endOffset);
  const { top, bottom } = range.getBoundingClientRect();
  return bottom > -SCREENS * innerHeight && top < (1 + SCREENS) * innerHeight;
}
