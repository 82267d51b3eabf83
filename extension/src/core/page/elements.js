// The elements of a page as columns in document order, one row an element (Elements of tamis/document/table.py).
// The subtree of an element is the range of rows from its own up to `end`. A parent comes before its children, so most
// values need a single pass.

/** @import {Raw} from "./walk.js" */

import { codeOf } from "../tags.js";
import { getAttribute, isElement } from "./dom.js";

export class Elements {
  /** @param {Pick<Raw, "tag" | "parent" | "end" | "childNodes" | "node" | "frames">} raw */
  constructor({ tag, parent, end, childNodes, node, frames }) {
    /** The tag, in lower case except for a few of SVG. */
    this.tag = tag;
    /** The Element; a ShadowRoot where the table has the template that would declare it. */
    this.node = node;
    this.code = Uint8Array.from(tag.map(codeOf));
    /** Row of the parent, -1 for the root. */
    this.parent = Int32Array.from(parent);
    /** Row after the last descendant. */
    this.end = Int32Array.from(end);
    /** How many nodes of any kind it holds. */
    this.childNodes = Int32Array.from(childNodes);
    /** Rows of frames whose pages are below them. */
    this.frames = frames;
    /** How many ancestors it has. */
    this.depth = new Int32Array(tag.length);
    for (let row = 0; row < tag.length; row++) {
      if (parent[row] >= 0) this.depth[row] = this.depth[parent[row]] + 1;
    }
  }

  get length() {
    return this.tag.length;
  }

  /** One attribute of one element, or null. @param {number} row @param {string} name */
  attribute(row, name) {
    const node = this.node[row];
    return isElement(node) ? getAttribute(node, name) : null;
  }

  /** For each element the entry of `table` for its code. @param {Uint8Array} table */
  coded(table) {
    return this.code.map((code) => table[code]);
  }

  /** A mask that is 1 in these rows. @param {Iterable<number>} rows */
  mask(rows) {
    const mask = new Uint8Array(this.length);
    for (const row of rows) mask[row] = 1;
    return mask;
  }

  /** For each element: 1 if it or one of its ancestors is in `mask`. @param {Uint8Array} mask */
  inside(mask) {
    const found = new Uint8Array(this.length);
    for (let row = 0; row < found.length; row++) {
      found[row] = mask[row] || (this.parent[row] >= 0 && found[this.parent[row]]) ? 1 : 0;
    }
    return found;
  }

  /** For each element: the row of itself or of its nearest ancestor in `mask`, else -1. @param {Uint8Array} mask */
  nearest(mask) {
    const found = new Int32Array(this.length);
    for (let row = 0; row < found.length; row++) {
      found[row] = mask[row] ? row : this.parent[row] >= 0 ? found[this.parent[row]] : -1;
    }
    return found;
  }

  /** For each element: the sum of `values` over itself and its descendants. @param {ArrayLike<number>} values */
  sums(values) {
    const total = Float64Array.from(values);
    for (let row = total.length - 1; row > 0; row--) {
      if (this.parent[row] >= 0) total[this.parent[row]] += total[row];
    }
    return total;
  }

  /** The row itself, its parent, and so on up to the root. @param {number} row */
  *ancestors(row) {
    for (; row >= 0; row = this.parent[row]) yield row;
  }
}
