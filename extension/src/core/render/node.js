// The nodes of the content tree (src/tamis/render/content/node.py, which lists their names).

/** @typedef {Node | string} Child */

/** An element of the content. */
export class Node {
  /**
   * @param {string} name
   * @param {Record<string, string>} [attributes]
   * @param {Child[]} [children]
   * @param {number} [row] of the page's elements, -1 if there is none
   */
  constructor(name, attributes = {}, children = [], row = -1) {
    this.name = name;
    this.attributes = attributes;
    this.children = children;
    this.row = row;
  }

  /** This node and all below it, in document order, without recursion. @returns {Generator<Node, void, void>} */
  *walk() {
    /** @type {Child[]} */
    const todo = [this];
    for (let node; (node = todo.pop()) !== undefined; ) {
      if (typeof node === "string") continue;
      yield node;
      for (let place = node.children.length - 1; place >= 0; place--) todo.push(node.children[place]);
    }
  }

  /** All text below this node as it is. */
  text() {
    let text = "";
    /** @type {Child[]} */
    const todo = [this];
    for (let node; (node = todo.pop()) !== undefined; ) {
      if (typeof node === "string") text += node;
      else for (let place = node.children.length - 1; place >= 0; place--) todo.push(node.children[place]);
    }
    return text;
  }
}
