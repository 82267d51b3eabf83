// Neighbouring leaves of one highlight, as ranges: one a leaf would be slow to paint.

import { Pace } from "../../core/pace.js";
import { defaultView } from "../dom.js";

// A browser goes through all highlighted texts at every change, at once. So much of a page is given to it at a time;
// of longer ones what is near the window.
const MANY = 1500; // leaves
const LONGEST = 20; // leaves of a range in a long page
const SCREENS = 2; // above and below the window

export class Runs {
  #ranges = []; // [name, first node, last node, leaves]
  #last = -2; // the last leaf
  #long;

  /** @param {number} leaves how many there are on the page */
  constructor(leaves) {
    this.#long = leaves > MANY;
  }

  add(name, index, leaf) {
    const last = this.#ranges[this.#ranges.length - 1];
    const end = leaf.nodes[leaf.nodes.length - 1];
    const room = !this.#long || last?.[3] < LONGEST;
    if (last && room && last[0] === name && index === this.#last + 1 && sameTree(last[2], leaf.node)) {
      last[2] = end;
      last[3]++;
    } else this.#ranges.push([name, leaf.node, end, 1]);
    this.#last = index;
  }

  /** Is what `highlights` gives true only until the page is scrolled? */
  get isPartial() {
    return this.#long;
  }

  /** Map of registry to Map of name to Highlight. */
  async highlights(signal) {
    const found = new Map();
    await new Pace({ signal }).each(this.#ranges.length, (index) => {
      const [name, first, end] = this.#ranges[index];
      const window = defaultView(first.ownerDocument);
      if (!window || !first.isConnected || !end.isConnected) return; // gone since
      const place = { startContainer: first, startOffset: 0, endContainer: end, endOffset: end.length };
      if (this.#long && !isNear(place, window)) return;
      const registry = window.CSS.highlights;
      const byName = found.get(registry) ?? found.set(registry, new Map()).get(registry);
      if (!byName.has(name)) byName.set(name, new window.Highlight());
      byName.get(name).add(new window.StaticRange(place));
    });
    return found;
  }
}

// A range ends in the tree that it starts in. Parents are compared first: that is nearly always enough.
function sameTree(one, other) {
  return one.parentNode === other.parentNode || one.getRootNode() === other.getRootNode();
}

// By the texts themselves, not by the elements around them: those may be as long as the page.
function isNear({ startContainer, endContainer, endOffset }, { innerHeight, Range }) {
  const range = new Range();
  range.setStart(startContainer, 0);
  range.setEnd(endContainer, endOffset);
  const { top, bottom } = range.getBoundingClientRect();
  return bottom > -SCREENS * innerHeight && top < (1 + SCREENS) * innerHeight;
}
