// A page as the kernel takes it: tables of numbers, and texts. They can be sent to another thread.

/** @import {Steps} from "../../pace.js" */
/** @import {Leaf, PageTable} from "../../page/table.js" */
/** @import {Fragments} from "./fragments.js" */

import { STEPS } from "../../pace.js";
import { readDeclared } from "./declared.js";
import { fragmentsOf } from "./fragments.js";

/**
 * @typedef {object} Tables what the structures tamis_page and tamis_declared hold (kernel/tamis.h)
 * @property {Uint8Array} code of each element
 * @property {Int32Array} parent
 * @property {Int32Array} end
 * @property {Int32Array} element of each leaf
 * @property {Int32Array} opened
 * @property {Uint8Array} isMedia
 * @property {Uint8Array} visible
 * @property {Uint8Array} folded
 * @property {string[]} texts
 * @property {string} title
 * @property {string} ogTitle
 * @property {string[]} declared the texts of each kind: body, description, meta, review, part
 * @property {string[]} names
 * @property {string[]} openings
 * @property {Float32Array} page
 * @property {Int32Array} named elements that have a class or an id, and hold two visible texts or more
 * @property {string[]} called the class and the id of each of them
 * @property {Int32Array} marked elements that have a role or a property of schema.org
 * @property {string[]} marks the role and the property of each of them
 * @property {Fragments} fragments links to places on the page
 */

/**
 * @param {PageTable} table
 * @returns {Steps<Tables>}
 */
export function* tablesOf(table) {
  const { elements, leaves } = table;
  const { texts, names, openings, page, title } = yield* readDeclared(table);
  const attributes = yield* readAttributes(table);
  /** @param {(leaf: Leaf) => number} value */
  const rows = (value) => Int32Array.from(leaves.map(value));
  /** @param {(leaf: Leaf) => boolean} value */
  const flags = (value) => Uint8Array.from(leaves.map((leaf) => Number(value(leaf))));
  return {
    code: elements.code,
    parent: elements.parent,
    end: elements.end,
    element: rows(({ element }) => element),
    opened: rows(({ opened }) => opened),
    isMedia: flags(({ isMedia }) => isMedia),
    visible: flags(({ visible }) => visible),
    folded: flags(({ folded }) => folded),
    texts: leaves.map(({ text }) => text),
    title: table.title,
    ogTitle: title,
    declared: ["body", "description", "meta", "review", "part"].map((kind) => texts.get(kind) ?? ""),
    names: [...names],
    openings,
    page,
    ...attributes,
    fragments: yield* fragmentsOf(elements),
  };
}

/** @param {PageTable} table @returns {Steps<Pick<Tables, "named" | "called" | "marked" | "marks">>} */
function* readAttributes({ elements, leaves, readable }) {
  const own = new Float64Array(elements.length);
  for (const leaf of readable) own[leaves[leaf].element]++;
  const texts = elements.sums(own);
  /** @type {{named: number[], called: string[], marked: number[], marks: string[]}} */
  const found = { named: [], called: [], marked: [], marks: [] };
  for (let row = 0; row < elements.length; row++) {
    if (row % STEPS === 0) yield 0.2;
    // Only an element with two texts or more can have two runs; of others the names do not count.
    if (texts[row] > 1) add(row, "class", "id", found.named, found.called);
    add(row, "role", "itemprop", found.marked, found.marks);
  }
  return { ...found, named: Int32Array.from(found.named), marked: Int32Array.from(found.marked) };

  /** @param {number} row @param {string} one @param {string} other @param {number[]} rows @param {string[]} values */
  function add(row, one, other, rows, values) {
    const pair = [elements.attribute(row, one) ?? "", elements.attribute(row, other) ?? ""];
    if (!pair[0] && !pair[1]) return;
    rows.push(row);
    values.push(...pair);
  }
}
