// R4's choice among the rated elements: §3.2 to §3.5, step by step as in src/tamis/papers/r4/extractor.py.

import { lookup } from "../../tags.js";

const IS_LINK = lookup("a");
const IS_IMAGE = lookup("img", "picture", "amp-img", "svg");

/** Half to even, as NumPy rounds; what is equal stays equal whatever order sums are taken in. */
function rounded(value) {
  const scaled = value * 1e9;
  const down = Math.floor(scaled);
  const rest = scaled - down;
  const whole = rest > 0.5 || (rest === 0.5 && down % 2 !== 0) ? down + 1 : down;
  return whole / 1e9;
}

/** Definition 3.3: the four ratios of the rated elements, standardised (§3.2). One array a ratio. */
function points({ ratios, rated }) {
  return ratios.map((ratio) => {
    const values = rated.map((row) => ratio[row]);
    const mean = meanOf(values);
    const apart = values.map((value) => value - mean);
    const deviation = Math.sqrt(meanOf(apart.map((value) => value * value)));
    // A ratio that all elements share tells none of them from the others.
    return apart.map((value) => rounded(deviation > 0 ? value / deviation : 0));
  });
}

const meanOf = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Algorithms 1 and 2: the c nodes farthest from the centroid, as rows in document order. Elements with the same four
 * ratios are one node and come together; of nodes equally far the first ones are taken.
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

/** For each of some elements: the next of its ancestors that is one of them, else -1. */
function nextAbove({ elements }, rows) {
  const nearest = elements.nearest(elements.mask(rows));
  return rows.map((row) => (elements.parent[row] >= 0 ? nearest[elements.parent[row]] : -1));
}

/** Algorithm 3: without those that hold the same text nodes as an ancestor among them. */
export function reduced(page, candidates) {
  const above = nextAbove(page, candidates);
  return candidates.filter((row, place) => above[place] < 0 || page.texts[above[place]] > page.texts[row]);
}

/** Algorithm 4: the candidates with most words for their tags, and their siblings among the candidates. */
export function mainContent(page, candidates) {
  const { elements, words } = page;
  const ratio = candidates.map((row) => words[row] / (elements.end[row] - row)); // an element's own tag counts
  const most = ratio.reduce((best, value) => Math.max(best, value), -Infinity);
  const parents = new Set(candidates.filter((_, place) => ratio[place] === most).map((row) => elements.parent[row]));
  const chosen = candidates.filter((row) => parents.has(elements.parent[row]));
  // Definition 2.3: the set is minimal. Of a tie one may hold the other.
  const above = nextAbove(page, chosen);
  return chosen.filter((_, place) => above[place] < 0);
}

/**
 * Algorithm 5: the chosen nodes that are more than links, and the lists of links inside them. A step that would leave
 * nothing to see is not taken: then links are what the page is about.
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

/** The children, of one tag, of an element inside the chosen ones, if each holds one link and no image. */
function listsOfLinks({ elements, children }, chosen) {
  const size = elements.length;
  const linkChildren = new Int32Array(size);
  const items = new Int32Array(size);
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
  // One such child is no group: a headline is often just that.
  const isList = (row) => items[row] >= 2 && items[row] === children[row] && !mixed[row] && !images[row] && inside[row];
  const found = [];
  elements.parent.forEach((parent, row) => parent >= 0 && isList(parent) && found.push(row));
  return found;
}
