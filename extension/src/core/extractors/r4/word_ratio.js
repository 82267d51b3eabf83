// Words outside links, each divided by its distance; a text is 1 away from its element (§3.1). Sums are taken in the
// same order as in PageTree.word_ratio of tamis_papers/r4/extractor.py, so the numbers are equal to the last bit.

/** @import {Pace} from "../../pace.js" */
/** @import {Elements} from "../../page/elements.js" */

// Up to this distance the ratio is exact; larger distances are rounded down to steps of a twentieth.
const EXACT = 64;
const STEP = 1.05;

/**
 * Words at least d away from n are those below the elements that are d - 1 away. Each word counts 1 at first; at each
 * distance d, the words at least that far lose the difference between the share of the distance before and that of d.
 *
 * @param {Elements} elements
 * @param {Float64Array} below words of each subtree
 * @param {Pace} pace
 */
export async function wordRatio(elements, below, pace) {
  const ratio = Float64Array.from(below);
  const byDepth = rowsByDepth(elements);
  let rows = [...below.keys()].filter((row) => below[row] !== 0);
  let ancestors = rows;
  let climbed = 0;
  let near = 1;
  const deepest = elements.depth.reduce((most, depth) => Math.max(most, depth), 0);
  for (const far of distances(deepest + 1)) {
    if (pace.due) await pace.rest(0.7);
    const levels = far - 1 - climbed;
    climbed = far - 1;
    const farther = new Float64Array(elements.length);
    const stillDeep = [];
    const above = [];
    for (let place = 0; place < rows.length; place++) {
      const row = rows[place];
      if (elements.depth[row] < climbed) continue;
      const ancestor = climb(elements, byDepth, ancestors[place], levels);
      farther[ancestor] += below[row];
      stillDeep.push(row);
      above.push(ancestor);
    }
    const lost = 1 / near - 1 / far;
    for (let row = 0; row < ratio.length; row++) ratio[row] -= farther[row] * lost;
    [rows, ancestors, near] = [stillDeep, above, far];
  }
  return ratio;
}

/** The distances from 2 up that are told apart. @param {number} deepest */
function distances(deepest) {
  const steps = [];
  for (let step = 2; step <= Math.min(deepest, EXACT); step++) steps.push(step);
  for (let last = steps.at(-1) ?? 0; last >= EXACT && last * STEP < deepest; ) {
    last = Math.trunc(last * STEP);
    steps.push(last);
  }
  return steps;
}

/** @param {Elements} elements */
function rowsByDepth(elements) {
  /** @type {number[][]} */
  const byDepth = [];
  elements.depth.forEach((depth, row) => (byDepth[depth] ??= []).push(row));
  return byDepth;
}

/**
 * The ancestor `levels` up, which has to exist.
 *
 * @param {Elements} elements
 * @param {number[][]} byDepth
 * @param {number} row
 * @param {number} levels
 */
function climb(elements, byDepth, row, levels) {
  if (levels === 1) return elements.parent[row];
  // The ancestor is the last element of its depth up to the row.
  const there = byDepth[elements.depth[row] - levels];
  let low = 0;
  let high = there.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (there[middle] <= row) low = middle;
    else high = middle - 1;
  }
  return there[low];
}
