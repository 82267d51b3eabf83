// Tables that are written without HTML's tags, by ARIA's roles (src/tamis/render/roles.py).

/** @import {Elements} from "../page/elements.js" */

import { CODES, HEADINGS, lookup } from "../tags.js";

/** @type {Map<string | null, string>} */
const ROLES = new Map([
  ["table", "table"], ["grid", "table"], ["treegrid", "table"], ["rowgroup", "tbody"], ["row", "tr"], ["cell", "td"],
  ["gridcell", "td"], ["columnheader", "th"], ["rowheader", "th"], ["caption", "caption"],
]);
const NO_TABLE = lookup(...HEADINGS, "article", "section", "form", "table");

/** @type {WeakMap<Elements, Map<number, string>>} */
const found = new WeakMap();

/** The tag that each element of such a table stands for, by row. @param {Elements} elements */
export function tableParts(elements) {
  const known = found.get(elements);
  if (known) return known;
  const parts = find(elements);
  found.set(elements, parts);
  return parts;
}

/** @param {Elements} elements @returns {Map<number, string>} */
function find(elements) {
  /** @type {Map<number, string>} */
  const parts = new Map();
  /** @type {Map<number, string>} */
  let table = new Map();
  let end = -1;
  const close = () => {
    if (isData([...table.values()])) for (const [row, name] of table) parts.set(row, name);
    table = new Map();
    end = -1;
  };
  for (let row = 0; row < elements.length; row++) {
    const name = ROLES.get(elements.attribute(row, "role"));
    if (!name) continue;
    if (row >= end) {
      close();
      if (name !== "table") continue;
      end = elements.end[row];
      if (!elements.code.subarray(row, end).some((code) => NO_TABLE[code])) table.set(row, name);
    } else if (table.size && name !== "table") {
      table.set(row, name);
    }
  }
  close();
  return parts;
}

/** The tag codes of all elements, with those of such tables. @param {Elements} elements @returns {Uint8Array} */
export function tableCodes(elements) {
  const parts = tableParts(elements);
  if (!parts.size) return elements.code;
  const code = elements.code.slice();
  for (const [row, name] of parts) code[row] = Number(CODES.get(name));
  return code;
}

/** Are there two rows or more, and more cells than rows? Others show no data. @param {string[]} names */
function isData(names) {
  const count = (/** @type {string} */ name) => names.filter((each) => each === name).length;
  return count("tr") > 1 && count("td") + count("th") > count("tr");
}
