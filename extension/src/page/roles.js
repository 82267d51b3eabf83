// The role of a leaf, for colours and explanations. Where an extractor gives none, tags and names of the page do.

/** @import {Labels, Role} from "../core/labels.js" */
/** @import {PageTable} from "../core/page/table.js" */

import { folded } from "../core/characters.js";
import { HEADINGS, lookup } from "../core/tags.js";
import { getAttribute, isElement, localName, parentNode } from "./dom.js";

const IS_HEADING = lookup(...HEADINGS);
const TITLE_LETTERS = 4; // a shorter heading is in the page's TITLE by chance
const CAPTIONS = new Set(["figcaption", "caption"]);
const COMMENTS = /(?:^|[\s_-])comments?(?:$|[\s_-])/i;

/**
 * A function from the index of a leaf to its role. With `byTags` the page's tags also give a role to leaves that the
 * extractor calls text: colours show more roles than extractors know.
 *
 * @param {PageTable} table
 * @param {Labels} labels
 * @param {{byTags?: boolean}} [options]
 * @returns {(index: number) => Role}
 */
export function roleReader(table, { keep, role }, { byTags = false } = {}) {
  /** @type {Map<Node, Role | null>} */
  const known = new Map(); // from an element to the role by its own tag and those above
  const isTitle = titleReader(table, keep);
  return (index) => {
    const given = role[index];
    if (given && !(byTags && given === "text")) return given;
    if (!keep[index]) return "boilerplate";
    if (!given && isTitle(index)) return "title";
    const { node } = table.leaves[index];
    return roleAbove(isElement(node) ? node : parentNode(node), known) ?? "text";
  };
}

/**
 * A function from the index of a leaf to whether it is in the page's main heading: the first kept heading that the
 * page's TITLE contains, or else the first kept H1.
 *
 * @param {PageTable} table
 * @param {Uint8Array} keep
 * @returns {(index: number) => boolean}
 */
function titleReader({ elements, leaves, title }, keep) {
  const heading = elements.nearest(elements.coded(IS_HEADING));
  const kept = leaves.filter(({ element }, index) => keep[index] && heading[element] >= 0);
  const inTitle = kept.find(({ text }) => text.trim().length >= TITLE_LETTERS && title.includes(folded(text)));
  const found = inTitle ?? kept.find(({ element }) => elements.tag[heading[element]] === "h1");
  return (index) => found !== undefined && heading[leaves[index].element] === heading[found.element];
}

/**
 * The role by the tags of an element and those above it.
 *
 * @param {Node | null} element
 * @param {Map<Node, Role | null>} known
 */
function roleAbove(element, known) {
  // Without recursion, because pages may be nested deeper than the call stack.
  const path = [];
  /** @type {Role | null} */
  let role = null;
  for (let at = element; at && isElement(at); at = parentNode(at)) {
    const found = known.get(at);
    if (found !== undefined) {
      role = found;
      break;
    }
    path.push(at);
  }
  for (const at of path.reverse()) {
    role = ownRole(at) ?? role;
    known.set(at, role);
  }
  return role;
}

/** @param {Element} element @returns {Role | null} */
function ownRole(element) {
  const tag = localName(element);
  if (CAPTIONS.has(tag)) return "caption";
  const names = [getAttribute(element, "class"), getAttribute(element, "id")];
  return names.some((name) => name && COMMENTS.test(name)) ? "comment" : null;
}

/** How many colours there are for the scores of kept leaves. */
export const STEPS = 4;

/** The colour of a kept leaf, from 1 at the threshold to STEPS. @param {number} score @param {number} threshold */
export function stepOf(score, threshold) {
  const share = threshold < 1 ? (score - threshold) / (1 - threshold) : 1;
  return Math.min(STEPS, Math.max(1, 1 + Math.floor(share * STEPS)));
}
