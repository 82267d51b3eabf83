// What the elements of a page are, beside what their tags say: the answer of a recogniser
// (src/tamis/render/content/marks.py, which says what the fields mean).

/** @import {Child, Node} from "./node.js" */

/**
 * Findings by the rows of elements; those in `trimmed` and `split` by the rows of leaves.
 *
 * @typedef {object} Marks
 * @property {Map<number, Node>} replaced
 * @property {Map<number, Node>} named
 * @property {Set<number>} skipped
 * @property {Map<number, string>} text
 * @property {Map<number, string>} trimmed
 * @property {Map<number, Child[]>} split
 */

/** Marks with some fields, the others empty. @param {Partial<Marks>} [fields] @returns {Marks} */
export function marksOf(fields = {}) {
  const [replaced, named, text, trimmed, split] = Array.from({ length: 5 }, () => new Map());
  return { replaced, named, skipped: new Set(), text, trimmed, split, ...fields };
}

/** Both; where they differ, the first. @param {Marks} first @param {Marks} second @returns {Marks} */
export function united(first, second) {
  return {
    replaced: new Map([...second.replaced, ...first.replaced]),
    named: new Map([...second.named, ...first.named]),
    skipped: new Set([...first.skipped, ...second.skipped]),
    text: new Map([...second.text, ...first.text]),
    trimmed: new Map([...second.trimmed, ...first.trimmed]),
    split: new Map([...second.split, ...first.split]),
  };
}
