// A page as a flat table of leaves beside a table of elements (tamis/document).

/** @import {Steps} from "../pace.js" */

import { folded } from "../characters.js";
import { Pace } from "../pace.js";
import { BLOCK, lookup } from "../tags.js";
import * as dom from "./dom.js";
import { Elements } from "./elements.js";
import { withoutFrames } from "./frameset.js";
import { hideByStyle } from "./live.js";
import { visibleLeaves } from "./visible.js";
import { walk } from "./walk.js";

const IS_LINK = lookup("a");
const IS_BLOCK = lookup(...BLOCK);
const IS_TITLE = lookup("title");
// A TITLE in one of these is not the title of the page.
const OTHER_TITLES = new Set(["svg", "template"]);

/**
 * @typedef {object} Leaf a text that is not blank, or a medium
 * @property {Node} node the Text, or the media Element
 * @property {Node[]} nodes all Text nodes, where one text lies in several neighbours
 * @property {string} text as on the page, with its white space; empty for media
 * @property {string} gap the white space between the leaf before and this one, where it stands alone
 * @property {number} element row of the element that holds the text, or that is the medium
 * @property {number} opened row of the last element opened before or at the leaf
 * @property {boolean} isMedia
 * @property {boolean} visible
 * @property {boolean} folded hidden, and something on the page opens it, as a closed tab or a collapsed section
 * @property {boolean} inLink
 */

export class PageTable {
  /** @type {Int32Array | undefined} */
  #blocks;
  /** @type {string | undefined} */
  #title;
  /** @type {PageTable | undefined} */
  #unfolded;

  /**
   * @param {Elements} elements
   * @param {Leaf[]} leaves
   * @param {string | null} url
   */
  constructor(elements, leaves, url) {
    this.elements = elements;
    this.leaves = leaves;
    this.url = url;
  }

  /** For each element: the row of itself or of the nearest block-level element above. */
  get blocks() {
    this.#blocks ??= this.elements.nearest(this.elements.coded(IS_BLOCK));
    return this.#blocks;
  }

  /** The places of the visible texts among the leaves. */
  get readable() {
    return [...this.leaves.keys()].filter((leaf) => this.leaves[leaf].visible && !this.leaves[leaf].isMedia);
  }

  /** The text of the page's TITLE element with its white space folded; empty without one. @returns {string} */
  get title() {
    this.#title ??= this.#findTitle();
    return this.#title;
  }

  // The same page with its folded leaves visible (`unfolded` of tamis/document/table.py). Leaves that only style
  // sheets hide are not folded: beside closed tabs those are menus, dialogs and content for other screens, and no
  // attribute tells them apart.
  /** @returns {PageTable} */
  get unfolded() {
    if (!this.leaves.some((leaf) => leaf.folded)) return this;
    this.#unfolded ??= new PageTable(
      this.elements,
      this.leaves.map((leaf) => (leaf.folded ? { ...leaf, visible: true } : leaf)),
      this.url,
    );
    return this.#unfolded;
  }

  #findTitle() {
    const { code, tag } = this.elements;
    for (const { element, text } of this.leaves) {
      if (!IS_TITLE[code[element]]) continue;
      if (![...this.elements.ancestors(element)].some((row) => OTHER_TITLES.has(tag[row]))) return folded(text);
    }
    return "";
  }
}

/**
 * Read a page, with rests.
 *
 * @param {Document | Element | ShadowRoot} root
 * @param {ReadOptions & {signal?: AbortSignal, progress?: (share: number) => void}} [options]
 * @returns {Promise<PageTable>} rejects with a CoreError beyond the limits, or with the signal's reason
 */
export async function readPage(root, { live, url, signal, progress } = {}) {
  const table = await new Pace({ signal, progress }).finish(reading(root, { live, url }));
  progress?.(1);
  return table;
}

/** @typedef {{live?: boolean, url?: string | null}} ReadOptions */

/**
 * Read a page in steps.
 *
 * With `live`, for a page that a browser shows, shadow roots and frames of the same origin are read too, and leaves
 * that computed style hides are not visible. Without it only the markup counts, as in Python.
 *
 * @param {Document | Element | ShadowRoot} root
 * @param {ReadOptions} options
 * @returns {Steps<PageTable>}
 */
export function* reading(root, { live = false, url } = {}) {
  const isWhole = dom.nodeType(root) === dom.DOCUMENT;
  const page = /** @type {Document} */ (root);
  const top = isWhole ? dom.documentElement(live ? page : withoutFrames(page)) : root;
  // For progress. Each element makes about three steps: open, one text, close. Style costs as much as the walk.
  const count = isWhole && top ? dom.countBelow(/** @type {Element} */ (top)) : 0;
  const expected = (count * 3 + 1) * (live ? 2 : 1);
  const raw = yield* walk(top, { live, expected });
  const elements = new Elements(raw);
  const linked = elements.inside(elements.coded(IS_LINK));
  const shown = visibleLeaves(elements, raw, live);
  raw.leaves.forEach((leaf, place) => {
    leaf.visible = shown.visible[place] === 1;
    leaf.folded = shown.folded[place] === 1;
    leaf.inLink = linked[leaf.element] === 1;
  });
  if (live) yield* hideByStyle(elements, raw.leaves);
  return new PageTable(elements, raw.leaves, url ?? shownAt(root));
}

// The address of a page that a browser shows. A parsed page has no window and no address of its own.
/** @param {Node} root */
function shownAt(root) {
  const page = /** @type {Document} */ (dom.nodeType(root) === dom.DOCUMENT ? root : dom.ownerDocument(root));
  return dom.defaultView(page) ? dom.addressOf(page) : null;
}
