// Which elements are written: those that hold a kept leaf, and line breaks and rules between kept leaves (`_needed` of
// src/tamis/render/html.py).

/** @import {PageTable} from "../page/table.js" */

import { lookup } from "../tags.js";

const IS_VOID = lookup("br", "hr");
const IS_CELL = lookup("td", "th");
const IS_ROW = lookup("tr");

/**
 * @param {PageTable} table
 * @param {number[]} kept places of leaves
 * @returns {Uint8Array} one entry an element
 */
export function neededElements({ elements, leaves }, kept) {
  const own = new Float64Array(elements.length);
  for (const place of kept) own[leaves[place].element]++;
  const needed = Uint8Array.from(elements.sums(own), (sum) => (sum > 0 ? 1 : 0));
  const isKept = new Set(kept);
  // A line break or rule is written if the leaves on both sides are kept.
  const shown = leaves
    .map((leaf, place) => ({ opened: leaf.opened, kept: isKept.has(place), readable: leaf.visible && !leaf.isMedia }))
    .filter((leaf) => leaf.kept || leaf.readable);
  let after = 0; // the first shown leaf that does not come before the element
  for (let row = 0; row < elements.length; row++) {
    const code = elements.code[row];
    const parent = elements.parent[row];
    // An empty cell keeps the ones after it in their columns.
    if (IS_CELL[code] && parent >= 0 && IS_ROW[elements.code[parent]] && needed[parent]) needed[row] = 1;
    if (!IS_VOID[code]) continue;
    while (after < shown.length && shown[after].opened < row) after++;
    if (shown[after - 1]?.kept && shown[after]?.kept) needed[row] = 1;
  }
  return needed;
}
