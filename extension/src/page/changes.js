// Notices when a page changes under its reader: texts that come, go or are written anew.

import { localName, nodeType } from "./dom.js";
import { TAG } from "./host.js";
import { rootsOf } from "./tree.js";

export class Changes {
  #observer = null;
  #changed;

  /** @param {() => void} changed is called at every change, often many times in a row */
  constructor(changed) {
    this.#changed = changed;
  }

  /** Watch every part of the page that these leaves stand in. */
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
        attributeFilter: ["hidden"], // the only one that reading looks at and that menus and tabs are made of
      });
    }
  }

  stop() {
    this.#observer?.disconnect();
    this.#observer = null;
  }
}

// What we add ourselves is no change, and neither are scripts, styles and white space.
function matters({ type, target, addedNodes, removedNodes }) {
  if (type === "attributes") return true;
  if (type === "characterData") return target.data.trim() !== "";
  return [...addedNodes, ...removedNodes].some(hasContent);
}

const CODE = new Set(["script", "style", "link", "meta", TAG]);

function hasContent(node) {
  const kind = nodeType(node);
  if (kind === Node.TEXT_NODE) return node.data.trim() !== "";
  return kind === Node.ELEMENT_NODE && !CODE.has(localName(node));
}
