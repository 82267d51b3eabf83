// What a kept leaf is, for colours and words. Where an extractor does not say, the page's own tags and names do.

import { folded } from "../core/characters.js";
import { HEADINGS, lookup } from "../core/tags.js";
import { getAttribute, localName, nodeType, parentNode } from "./dom.js";

const IS_HEADING = lookup(...HEADINGS);
const TITLE_LETTERS = 4; // a shorter heading is in the page's TITLE by chance
const CAPTIONS = new Set(["figcaption", "caption"]);
const COMMENTS = /(?:^|[\s_-])comments?(?:$|[\s_-])/i;

/**
 * A function from a leaf's index to its role. With `byTags` the page's tags also tell what an extractor calls text:
 * colours are to tell apart what extractors do not.
 */
export function roleReader(table, { keep, role }, { byTags = false } = {}) {
  const known = new Map(); // element to the role that its own and its ancestors' tags give
  const isTitle = titleReader(table, keep);
  return (index) => {
    if (role[index] && !(byTags && role[index] === "text")) return role[index];
    if (!keep[index]) return "boilerplate";
    if (!role[index] && isTitle(index)) return "title";
    const { node } = table.leaves[index];
    return roleAbove(nodeType(node) === Node.ELEMENT_NODE ? node : parentNode(node), known) ?? "text";
  };
}

/**
 * A function from a leaf's index to whether it is in the heading that is the title of the page: the first that is kept
 * and that the page's TITLE repeats, or else the first H1 that is kept.
 */
function titleReader({ elements, leaves, title }, keep) {
  const heading = elements.nearest(elements.coded(IS_HEADING));
  const kept = leaves.filter(({ element }, index) => keep[index] && heading[element] >= 0);
  const inTitle = kept.find(({ text }) => text.trim().length >= TITLE_LETTERS && title.includes(folded(text)));
  const found = inTitle ?? kept.find(({ element }) => elements.tag[heading[element]] === "h1");
  return (index) => found !== undefined && heading[leaves[index].element] === heading[found.element];
}

// Without recursion: pages nest as deep as they like.
function roleAbove(element, known) {
  const path = [];
  let role = null;
  for (let at = element; at && nodeType(at) === Node.ELEMENT_NODE; at = parentNode(at)) {
    if (known.has(at)) {
      role = known.get(at);
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

function ownRole(element) {
  const tag = localName(element);
  if (CAPTIONS.has(tag)) return "caption";
  const names = [getAttribute(element, "class"), getAttribute(element, "id")];
  return names.some((name) => name && COMMENTS.test(name)) ? "comment" : null;
}

/** How sure a kept leaf is, in steps from 1 to STEPS: the score's way from the threshold to 1. */
export const STEPS = 4;

export function stepOf(score, threshold) {
  const share = threshold < 1 ? (score - threshold) / (1 - threshold) : 1;
  return Math.min(STEPS, Math.max(1, 1 + Math.floor(share * STEPS)));
}
