// The elements of a page as columns in document order (Elements of src/tamis/document/table.py). A row's subtree is
// the rows from itself up to `end`, and a parent always comes before its children: one pass answers most questions.

import { codeOf } from "../tags.js";
import { ELEMENT, getAttribute, nodeType } from "./dom.js";

export class Elements {
  /**
   * @param {Pick<import("./walk.js").Raw, "tag" | "parent" | "end" | "childNodes" | "node" | "frames">} raw
   */
  constructor({ tag, parent, end, childNodes, node, frames }) {
    /** The tag, in lower case but for a few of SVG's. */
    this.tag = tag;
    /** The Element itself; a ShadowRoot where the table has the template that would declare it. */
    this.node = node;
    this.code = Uint8Array.from(tag, codeOf);
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

  /** One attribute of one element, or null. */
  attribute(row, name) {
    const node = this.node[row];
    return nodeType(node) === ELEMENT ? getAttribute(node, name) : null;
  }

  /** For each element: 1 where `table`, by code, says so. */
  coded(table) {
    return this.code.map((code) => table[code]);
  }

  /** A mask with these rows in it. */
  mask(rows) {
    const mask = new Uint8Array(this.length);
    for (const row of rows) mask[row] = 1;
    return mask;
  }

  /** For each element: is it, or one of its ancestors, in `mask`? */
  inside(mask) {
    const found = new Uint8Array(this.length);
    for (let row = 0; row < found.length; row++) {
      found[row] = mask[row] || (this.parent[row] >= 0 && found[this.parent[row]]) ? 1 : 0;
    }
    return found;
  }

  /** For each element: the row of itself or its nearest ancestor in `mask`, else -1. */
  nearest(mask) {
    const found = new Int32Array(this.length);
    for (let row = 0; row < found.length; row++) {
      found[row] = mask[row] ? row : this.parent[row] >= 0 ? found[this.parent[row]] : -1;
    }
    return found;
  }

  /** For each element: the sum of `values`, one an element, over itself and its descendants. */
  sums(values) {
    const total = Float64Array.from(values);
    for (let row = total.length - 1; row > 0; row--) {
      if (this.parent[row] >= 0) total[this.parent[row]] += total[row];
    }
    return total;
  }

  /** The row itself, its parent, and so on up to the root. */
  *ancestors(row) {
    for (; row >= 0; row = this.parent[row]) yield row;
  }
}
