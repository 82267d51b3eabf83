// R4's choice among the rated elements: §3.2 to §3.5, step by step as in tamis_papers/r4/extractor.py.

/** @import {R4Columns} from "./columns.js" */

import { lookup } from "../../tags.js";

const IS_LINK = lookup("a");
const IS_IMAGE = lookup("img", "picture", "amp-img", "svg");

// Rounded to nine digits, half to even as in NumPy: equal values stay equal in whatever order sums are taken.
/** @param {number} value */
function rounded(value) {
  const scaled = value * 1e9;
  const down = Math.floor(scaled);
  const rest = scaled - down;
  const whole = rest > 0.5 || (rest === 0.5 && down % 2 !== 0) ? down + 1 : down;
  return whole / 1e9;
}

// Definition 3.3: the four ratios of the rated elements, standardised (§3.2); one array a ratio.
/** @param {R4Columns} page */
function points({ ratios, rated }) {
  return ratios.map((ratio) => {
    const values = rated.map((row) => ratio[row]);
    const mean = meanOf(values);
    const apart = values.map((value) => value - mean);
    const deviation = Math.sqrt(meanOf(apart.map((value) => value * value)));
    // A ratio that is the same for all elements becomes 0.
    return apart.map((value) => rounded(deviation > 0 ? value / deviation : 0));
  });
}

/** @param {number[]} values */
const meanOf = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Algorithms 1 and 2: the c nodes farthest from the centroid, in document order. Elements with the same four ratios are
 * one node and come together; of nodes equally far the first ones are taken.
 *
 * @param {R4Columns} page
 * @param {number} c
 */
export function candidateSet(page, c) {
  const columns = points(page);
  const means = columns.map(meanOf);
  const distance = page.rated.map((_, place) =>
    rounded(Math.sqrt(columns.reduce((sum, column, which) => sum + (column[place] - means[which]) ** 2, 0))),
  );
  const left = new Uint8Array(distance.length).fill(1);
  for (let round = 0; round < c; round++) {
    let farthest = -1;
    left.forEach((is, place) => {
      if (is && (farthest < 0 || distance[place] > distance[farthest])) farthest = place;
    });
    if (farthest < 0) break;
    left.forEach((is, place) => {
      if (is && columns.every((column) => column[place] === column[farthest])) left[place] = 0;
    });
  }
  return page.rated.filter((_, place) => !left[place]);
}

/**
 * For each of some elements: its nearest ancestor among them, else -1.
 *
 * @param {R4Columns} page
 * @param {number[]} rows
 */
function nextAbove({ elements }, rows) {
  const nearest = elements.nearest(elements.mask(rows));
  return rows.map((row) => (elements.parent[row] >= 0 ? nearest[elements.parent[row]] : -1));
}

/**
 * Algorithm 3: without the candidates that hold the same text nodes as an ancestor among them.
 *
 * @param {R4Columns} page
 * @param {number[]} candidates
 */
export function reduced(page, candidates) {
  const above = nextAbove(page, candidates);
  return candidates.filter((row, place) => above[place] < 0 || page.texts[above[place]] > page.texts[row]);
}

/**
 * Algorithm 4: the candidates with most words for their tags, and their siblings among the candidates.
 *
 * @param {R4Columns} page
 * @param {number[]} candidates
 */
export function mainContent(page, candidates) {
  const { elements, words } = page;
  const ratio = candidates.map((row) => words[row] / (elements.end[row] - row)); // an element's own tag counts
  const most = ratio.reduce((best, value) => Math.max(best, value), -Infinity);
  const parents = new Set(candidates.filter((_, place) => ratio[place] === most).map((row) => elements.parent[row]));
  const chosen = candidates.filter((row) => parents.has(elements.parent[row]));
  // Definition 2.3: the set is minimal. Where two candidates tie, one may hold the other.
  const above = nextAbove(page, chosen);
  return chosen.filter((_, place) => above[place] < 0);
}

/**
 * Algorithm 5: the chosen nodes that are more than links, and the lists of links inside them. A step that would leave
 * nothing visible is not taken: then links are the content of the page.
 *
 * @param {R4Columns} page
 * @param {number[]} chosen
 * @param {number} tr
 * @param {number} hr
 * @returns {[kept: number[], groups: number[]]}
 */
export function withoutGroupsOfLinks(page, chosen, tr, hr) {
  const { elements, leaves, words, unlinkedWords, links, showsSomething } = page;
  const unlinked = chosen.filter((row) => !(words[row] > tr * unlinkedWords[row] && links[row] > hr));
  const kept = unlinked.some((row) => showsSomething[row]) ? unlinked : chosen;
  const groups = listsOfLinks(page, kept);
  const inKept = elements.inside(elements.mask(kept));
  const inGroups = elements.inside(elements.mask(groups));
  const left = leaves.some(({ visible, element }) => visible && inKept[element] && !inGroups[element]);
  return [kept, left ? groups : []];
}

/**
 * The children of an element inside the chosen ones, if all have the same tag, one link each, and no image.
 *
 * @param {R4Columns} page
 * @param {number[]} chosen
 */
function listsOfLinks({ elements, children }, chosen) {
  const size = elements.length;
  const linkChildren = new Int32Array(size);
  const items = new Int32Array(size);
  /** @type {string[]} */
  const tagBelow = new Array(size);
  const mixed = new Uint8Array(size);
  for (let row = 0; row < size; row++) {
    const parent = elements.parent[row];
    if (parent < 0) continue;
    linkChildren[parent] += IS_LINK[elements.code[row]];
    tagBelow[parent] ??= elements.tag[row];
    if (tagBelow[parent] !== elements.tag[row]) mixed[parent] = 1;
  }
  for (let row = 0; row < size; row++) {
    if (elements.parent[row] >= 0 && linkChildren[row] === 1 && children[row] === 1) items[elements.parent[row]]++;
  }
  const images = elements.sums(elements.coded(IS_IMAGE));
  const inside = elements.inside(elements.mask(chosen));
  // One such child is not a group: a headline often is such a child.
  const isList = (/** @type {number} */ row) =>
    items[row] >= 2 && items[row] === children[row] && !mixed[row] && !images[row] && inside[row];
  /** @type {number[]} */
  const found = [];
  elements.parent.forEach((parent, row) => parent >= 0 && isList(parent) && found.push(row));
  return found;
}
