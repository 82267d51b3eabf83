// What every extractor answers: which leaves stay (src/tamis/labels.py).

// A leaf stays when its score reaches this.
export const THRESHOLD = 0.5;
const JUST_BELOW = 0.5 - 2 ** -25; // the number before it among single floats

/**
 * @typedef {object} Labels one entry a leaf
 * @property {Float32Array} score from 0 to 1
 * @property {Uint8Array} keep 1 where the leaf stays
 * @property {(string | null)[]} role title, text, caption, comment, related or boilerplate, where the extractor knows
 * @property {number} threshold the score from which on a leaf stays
 * @property {import("./page/table.js").PageTable} [table] the page as it was read, where that is not as it is shown
 */

/** @returns {Labels} */
export function labelsOf(scores, keep, role = new Array(keep.length).fill(null)) {
  // A double just below the threshold would become a single float on it.
  const score = Float32Array.from(scores, (value) => (value < THRESHOLD ? Math.min(value, JUST_BELOW) : value));
  return { score, keep, role, threshold: THRESHOLD };
}

/**
 * Labels from one score a leaf, of which only those of visible texts count. Media follow what surrounds them.
 *
 * @param {import("./page/table.js").PageTable} table
 * @param {ArrayLike<number>} scores
 */
export function fromTextScores(table, scores) {
  const { leaves } = table;
  const own = Float64Array.from(leaves, ({ visible, isMedia }, leaf) => (visible && !isMedia ? scores[leaf] : 0));
  const keep = Uint8Array.from(leaves, ({ visible, isMedia }, leaf) =>
    visible && !isMedia && own[leaf] >= THRESHOLD ? 1 : 0,
  );
  for (const leaf of surroundedMedia(table, keep)) keep[leaf] = own[leaf] = 1;
  return labelsOf(own, keep);
}

/**
 * The visible media that stay because what surrounds them stays: the texts next to the medium on both sides are kept,
 * or one of them is and stands in the smallest element around the medium that holds any text.
 */
export function surroundedMedia(table, keep) {
  const { leaves, elements } = table;
  const readable = table.readable;
  const stays = [];
  let after = 0; // place in `readable` of the first text behind the medium
  for (let medium = 0; medium < leaves.length; medium++) {
    if (!leaves[medium].isMedia || !leaves[medium].visible) continue;
    while (after < readable.length && readable[after] < medium) after++;
    const before = after > 0 ? readable[after - 1] : -1;
    const behind = after < readable.length ? readable[after] : -1;
    const keptBefore = before >= 0 && keep[before];
    const keptBehind = behind >= 0 && keep[behind];
    if (keptBefore && keptBehind) stays.push(medium);
    else if (keptBefore) holdsFirst(elements, leaves, medium, before, behind) && stays.push(medium);
    else if (keptBehind) holdsFirst(elements, leaves, medium, behind, before) && stays.push(medium);
  }
  return stays;
}

/** Does the smallest element around the medium that holds one of two texts hold the first, `wanted`? */
function holdsFirst(elements, leaves, medium, wanted, other) {
  const holds = (row, leaf) => leaf >= 0 && row <= leaves[leaf].element && leaves[leaf].element < elements.end[row];
  for (let row = elements.parent[leaves[medium].element]; row >= 0; row = elements.parent[row]) {
    if (holds(row, wanted)) return true;
    if (holds(row, other)) return false;
  }
  return false;
}
