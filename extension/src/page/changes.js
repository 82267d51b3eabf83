// Observes changes of the page: texts that are added, removed or rewritten.

/** @import {Leaf} from "../core/page/table.js" */

import { isElement, localName, nodeType } from "./dom.js";
import { TAG } from "./host.js";
import { rootsOf } from "./tree.js";

export class Changes {
  /** @type {MutationObserver | null} */
  #observer = null;
  #changed;

  /** @param {() => void} changed is called at every change, often many times in a row */
  constructor(changed) {
    this.#changed = changed;
  }

  /** Watch every document and shadow root that holds these leaves. @param {Leaf[]} leaves */
  watch(leaves) {
    this.stop();
    this.#observer = new MutationObserver((records) => {
      if (records.some(matters)) this.#changed();
    });
    for (const root of rootsOf(leaves)) {
      this.#observer.observe(root, {
        subtree: true,
        childList: true,
        characterData: true,
        attributes: true,
        attributeFilter: ["hidden"], // the attribute by which menus and tabs hide content
      });
    }
  }

  stop() {
    this.#observer?.disconnect();
    this.#observer = null;
  }
}

/** False for our own elements, scripts, styles and white space. @param {MutationRecord} record */
function matters({ type, target, addedNodes, removedNodes }) {
  if (type === "attributes") return true;
  if (type === "characterData") return target.nodeValue?.trim() !== "";
  return [...addedNodes, ...removedNodes].some(hasContent);
}

const IGNORED = new Set(["script", "style", "link", "meta", TAG]);

/** @param {Node} node */
function hasContent(node) {
  if (isElement(node)) return !IGNORED.has(localName(node));
  return nodeType(node) === Node.TEXT_NODE && node.nodeValue?.trim() !== "";
}
