// Whether something on the page opens a hidden element (tamis/document/opening.py).

/** @import {Elements} from "./elements.js" */

import { first, split } from "../characters.js";
import { BLOCK, HEADINGS } from "../tags.js";
import { attributeNames, isElement, nextElementSibling, previousElementSibling } from "./dom.js";
import lists from "./opening.json" with { type: "json" };

const OPENING = lists.parts;
const OPENING_WORDS = new Set(lists.words);
const WORD = /(?:ng|v|x)-[a-z]+|[a-z]+/g;
const CLICKED = new Set(["button", "summary"]);
const CLICKABLE = ["aria-expanded", "aria-controls", "onclick", "data-toggle", "data-bs-toggle", "tabindex"];
const POINTERS = ["href", "aria-controls", "data-target", "data-bs-target"];
const TELLING = ["role", "itemprop", "itemtype"];
const LOOKED_AT = 4;
const HEADS = new Set([...HEADINGS, "dt"]);
const NO_PARTS = new Set([...HEADINGS, "p", "td", "th", "li"]);
const WHOLES = new Set(["html", "body", "main", "article"]);
const LONGEST = 1000;

/**
 * For each of these hidden elements: true if something on the page opens it.
 *
 * @param {Elements} elements
 * @param {number[]} rows
 * @returns {boolean[]}
 */
export function opened(elements, rows) {
  if (!rows.length) return [];
  const rowOf = new Map(elements.node.map((node, row) => [node, row]));
  const page = new Openers(elements, rowOf);
  const found = rows.map((row) => page.isNamed(row) || page.isClicked(row) || page.isInNamed(row));
  const pairs = rows.map((row, place) => (found[place] ? null : page.pair(row)));
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const pair of pairs) if (pair !== null) counts.set(pair, (counts.get(pair) ?? 0) + 1);
  const targets = page.targets();
  return rows.map((row, place) => {
    const pair = pairs[place];
    const isPaired = pair !== null && /** @type {number} */ (counts.get(pair)) > 1;
    return found[place] || isPaired || targets.has(elements.attribute(row, "id") ?? "");
  });
}

class Openers {
  /** @param {Elements} elements @param {Map<Node, number>} rowOf */
  constructor(elements, rowOf) {
    this.elements = elements;
    this.rowOf = rowOf;
  }

  /** True if it is named for what opens. @param {number} row */
  isNamed(row) {
    const { elements } = this;
    const values = ["class", "id", "role"].map((name) => elements.attribute(row, name) ?? "");
    const names = first([...this.#attributes(row), ...values, elements.tag[row]].join(" "), LONGEST).toLowerCase();
    return OPENING.some((name) => names.includes(name)) || (names.match(WORD) ?? []).some((word) => OPENING_WORDS.has(word));
  }

  /** True if it is a part of something that is named for what opens. @param {number} row */
  isInNamed(row) {
    const { parent, tag } = this.elements;
    if (!isPart(tag[row])) return false;
    const above = [parent[row], parent[parent[row]] ?? -1].filter((outer) => outer >= 0);
    return above.some((outer) => !WHOLES.has(tag[outer]) && this.isNamed(outer));
  }

  /** True if something to click on is beside it. @param {number} row */
  isClicked(row) {
    return [this.#beside(row, previousElementSibling), this.#beside(row, nextElementSibling)].some(
      (beside) => beside >= 0 && this.#isClickable(beside),
    );
  }

  /** Tags and classes of a hidden part and of the element above it, if that may be its heading. @param {number} row */
  pair(row) {
    const { elements } = this;
    const above = this.#beside(row, previousElementSibling);
    if (above < 0 || !isPart(elements.tag[row])) return null;
    if (!HEADS.has(elements.tag[above]) && !elements.attribute(above, "class")) return null;
    return JSON.stringify([above, row].map((each) => [elements.tag[each], elements.attribute(each, "class")]));
  }

  /** The ids that links and buttons point to. */
  targets() {
    const { elements } = this;
    /** @type {Set<string>} */
    const found = new Set();
    for (let row = 0; row < elements.length; row++) {
      const tag = elements.tag[row];
      const points =
        tag === "button" ||
        (tag === "a" && elements.attribute(row, "href")?.startsWith("#")) ||
        TELLING.some((name) => elements.attribute(row, name) !== null);
      if (!points) continue;
      for (const name of POINTERS) {
        for (const word of split(elements.attribute(row, name) ?? "")) found.add(word.replace(/^#+/, ""));
      }
    }
    found.delete("");
    return found;
  }

  /** @param {number} row */
  #isClickable(row) {
    const { elements } = this;
    const end = Math.min(elements.end[row], row + 1 + LOOKED_AT);
    for (let inner = row; inner < end; inner++) {
      const role = elements.attribute(inner, "role");
      const href = elements.attribute(inner, "href") ?? "";
      if (CLICKED.has(elements.tag[inner]) || CLICKABLE.some((name) => elements.attribute(inner, name) !== null)) return true;
      if (role === "button" || role === "tab" || href === "#" || href.startsWith("javascript:")) return true;
    }
    return false;
  }

  /** The row of the element before or after one, or -1. @param {number} row @param {(node: Element) => Element | null} step */
  #beside(row, step) {
    const node = this.elements.node[row];
    const beside = isElement(node) ? step(node) : null;
    return beside ? (this.rowOf.get(beside) ?? -1) : -1;
  }

  /** @param {number} row */
  #attributes(row) {
    const node = this.elements.node[row];
    return isElement(node) ? attributeNames(node) : [];
  }
}

/** True for a part of a page, which is not a paragraph, item, cell or heading. @param {string} tag */
const isPart = (tag) => BLOCK.has(tag) && !NO_PARTS.has(tag);
