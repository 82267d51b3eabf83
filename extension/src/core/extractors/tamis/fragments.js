// Links to places on their page, and what names say about them (tamis/document/notes.py).

/** @import {Steps} from "../../pace.js" */
/** @import {Elements} from "../../page/elements.js" */

import names from "../../../../../packages/tamis/src/tamis/document/notes.json" with { type: "json" };
import { STEPS } from "../../pace.js";
import { closest, isElement, textContent } from "../../page/dom.js";

const [REFERENCES, NOTES, BACKS, WORD] = [names.references, names.notes, names.backs, names.word].map(String);
const LONGEST = 80; // characters of a link; a longer one is not a mark

/** @typedef {{link: Int32Array, later: Int32Array, earlier: Int32Array, names: Uint8Array}} Fragments */

/** The columns of tamis_fragments. @param {Elements} elements @returns {Steps<Fragments>} */
export function* fragmentsOf(elements) {
  const { tag, end, parent, node } = elements;
  /** @param {number} row @param {string} name */
  const value = (row, name) => elements.attribute(row, name) ?? "";
  /** @param {number} row @param {string} selector */
  const isIn = (row, selector) => row >= 0 && isElement(node[row]) && closest(node[row], selector) !== null;
  /** @type {Map<string, {rows: number[], next: number}>} the rows of a name, and the first behind the last link */
  const places = new Map();
  for (let row = 0; row < elements.length; row++) {
    if (row % STEPS === 0) yield 0.3;
    for (const name of new Set([value(row, "id"), tag[row] === "a" ? value(row, "name") : ""])) {
      if (name && !places.get(name)?.rows.push(row)) places.set(name, { rows: [row], next: 0 });
    }
  }
  /** @type {number[][]} */
  const found = [];
  for (let row = 0; row < elements.length; row++) {
    if (row % STEPS === 0) yield 0.3;
    const [, ...rest] = (tag[row] === "a" ? value(row, "href") : "").split("#");
    const place = places.get(rest.join("#")) ?? places.get(decoded(rest.join("#")));
    if (!place || (textContent(node[row]) ?? "").length > LONGEST) continue;
    const { rows } = place;
    while (rows[place.next] <= row) place.next++;
    const later = rows[place.next] ?? rows[0];
    const isRaised = isIn(row, "sup") || tag.slice(row + 1, end[row]).includes("sup");
    const bits = [isIn(row, REFERENCES), isIn(later, NOTES), isIn(row, BACKS), isIn(parent[later], WORD), isRaised];
    const earlier = rows[place.next - (rows[place.next - 1] === row ? 2 : 1)] ?? -1;
    found.push([row, later, earlier, bits.reduce((sum, bit, at) => sum | (Number(bit) << at), 0)]);
  }
  const [link, later, earlier, said] = [0, 1, 2, 3].map((at) => Int32Array.from(found, (row) => row[at]));
  return { link, later, earlier, names: Uint8Array.from(said) };
}

/** A name as a link may spell it. @param {string} name */
function decoded(name) {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
