// What the elements of a page are, beside what their tags say: the answer of a recogniser
// (src/tamis/render/content/marks.py, which says what the fields mean).

/** @import {Node} from "./node.js" */

/**
 * Findings by the rows of elements; those in `trimmed` by the rows of leaves.
 *
 * @typedef {object} Marks
 * @property {Map<number, Node>} replaced
 * @property {Map<number, Node>} named
 * @property {Set<number>} skipped
 * @property {Map<number, string>} text
 * @property {Map<number, string>} trimmed
 */

/** Marks with some fields, the others empty. @param {Partial<Marks>} [fields] @returns {Marks} */
export function marksOf(fields = {}) {
  return {
    replaced: new Map(), named: new Map(), skipped: new Set(), text: new Map(), trimmed: new Map(), ...fields,
  };
}

/** Both; where they differ, the first. @param {Marks} first @param {Marks} second @returns {Marks} */
export function united(first, second) {
  return {
    replaced: new Map([...second.replaced, ...first.replaced]),
    named: new Map([...second.named, ...first.named]),
    skipped: new Set([...first.skipped, ...second.skipped]),
    text: new Map([...second.text, ...first.text]),
    trimmed: new Map([...second.trimmed, ...first.trimmed]),
  };
}
