// The npm package: the core of the extension with the default extractor, its kernel and its weights, in one file.

/** @import {Labels} from "../extension/src/core/labels.js" */
/** @import {Steps} from "../extension/src/core/pace.js" */
/** @import {PageTable} from "../extension/src/core/page/table.js" */

import kernel from "../build/kernel.wasm";
import config from "../packages/tamis/src/tamis/extractor/weights/config.json" with { type: "json" };
import weights from "../packages/tamis/src/tamis/extractor/weights/model.safetensors";
import { folded } from "../extension/src/core/characters.js";
import { htmlOf, markdownOf, textOf } from "../extension/src/core/content/index.js";
import { label } from "../extension/src/core/extractors/tamis/label.js";
import { networksOf } from "../extension/src/core/extractors/tamis/network.js";
import { tablesOf } from "../extension/src/core/extractors/tamis/tables.js";
import { labelsFrom } from "../extension/src/core/extractors/tamis/tamis.js";
import { finished } from "../extension/src/core/pace.js";
import { defaultView, ownerDocument } from "../extension/src/core/page/dom.js";
import { reading } from "../extension/src/core/page/table.js";

/** @type {Record<string, Uint8Array<ArrayBuffer>>} */
const FILES = {
  "tamis/config.json": new TextEncoder().encode(JSON.stringify(config)),
  "tamis/kernel.wasm": kernel,
  "tamis/model.safetensors": weights,
};
const models = { bytes: async (/** @type {string} */ path) => FILES[path] };

/** Compile the kernel and prepare the weights, once. */
export async function load() {
  const networks = await networksOf(models);
  return {
    /**
     * @param {Document | Element} root
     * @param {{url?: string | null, live?: boolean}} [options]
     */
    extract(root, { url, live = isShown(root) } = {}) {
      const table = finished(reading(root, { live, url })).unfolded;
      const page = ownerDocument(root) ?? /** @type {Document} */ (root);
      const labels = labelsFrom(table, label(finished(tablesOf(table)), networks));
      return new Page(table, labels, defaultView(page) ?? globalThis);
    },
  };
}

/** True for a page that a browser shows, in which each element has a style. @param {Document | Element} root */
function isShown(root) {
  const page = ownerDocument(root) ?? /** @type {Document} */ (root);
  return "document" in globalThis && Boolean(defaultView(page));
}

class Page {
  #table;
  #labels;
  #window;

  /** @param {PageTable} table @param {Labels} labels @param {object} window */
  constructor(table, labels, window) {
    this.#table = table;
    this.#labels = labels;
    this.#window = window;
  }

  get text() {
    return this.#written(textOf);
  }

  get markdown() {
    return this.#written(markdownOf);
  }

  get html() {
    return this.#written(htmlOf);
  }

  /** The headline, or else the page's TITLE. */
  get title() {
    const { leaves, blocks, title } = this.#table;
    const first = this.#labels.role.indexOf("title");
    if (first < 0) return title;
    const isInIt = (/** @type {number} */ leaf) => blocks[leaves[leaf].element] === blocks[leaves[first].element];
    const parts = leaves.filter((_, leaf) => this.#labels.role[leaf] === "title" && isInIt(leaf));
    return folded(parts.map(({ text }) => text).join(""));
  }

  get pageType() {
    const likely = Object.entries(this.pageTypes ?? {});
    return likely.length ? likely.reduce((best, each) => (each[1] > best[1] ? each : best))[0] : null;
  }

  get pageTypes() {
    return this.#labels.pageTypes ?? null;
  }

  get labels() {
    const { keep, score, role } = this.#labels;
    return this.#table.leaves.map(({ node, text, isMedia }, leaf) => {
      return { node, text, isMedia, keep: keep[leaf] === 1, score: score[leaf], role: role[leaf] };
    });
  }

  /** @param {(table: PageTable, labels: Labels, options: {window: object}) => Steps<string>} write */
  #written(write) {
    return finished(write(this.#table, this.#labels, { window: this.#window }));
  }
}
