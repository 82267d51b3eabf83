// Tables that are written without HTML's tags, by ARIA's roles (src/tamis/render/roles.py).

/** @import {Elements} from "../page/elements.js" */

import { CODES, HEADINGS, lookup } from "../tags.js";

/** @type {Map<string, string>} */
const ROLES = new Map([
  ["table", "table"], ["grid", "table"], ["treegrid", "table"], ["rowgroup", "tbody"], ["row", "tr"], ["cell", "td"],
  ["gridcell", "td"], ["columnheader", "th"], ["rowheader", "th"], ["caption", "caption"],
]);
const NO_TABLE = lookup(...HEADINGS, "article", "section", "form", "table");

/**
 * The tag that each element of such a table stands for, by row; empty if there is no table.
 *
 * @param {Elements} elements
 * @returns {Map<number, string>}
 */
export function tableParts(elements) {
  /** @type {Map<number, string>} */
  const parts = new Map();
  /** @type {Map<number, string>} */
  let table = new Map();
  let end = -1;
  for (const [row, role] of [...elements.roles, /** @type {const} */ ([elements.length, "table"])]) {
    const name = ROLES.get(role);
    if (!name) continue;
    if (row >= end) {
      if (isData([...table.values()])) for (const [each, part] of table) parts.set(each, part);
      table = new Map();
      end = -1;
      if (name === "table" && row < elements.length) {
        end = elements.end[row];
        if (!elements.code.subarray(row, end).some((code) => NO_TABLE[code])) table.set(row, name);
      }
    } else if (table.size && name !== "table") {
      table.set(row, name);
    }
  }
  return parts;
}

/** The tag codes of all elements, with those of such tables. @param {Elements} elements */
export function tableCodes(elements) {
  const parts = tableParts(elements);
  if (!parts.size) return elements.code;
  const codes = elements.code.slice();
  for (const [row, name] of parts) codes[row] = Number(CODES.get(name));
  return codes;
}

/**
 * Are there two rows or more, and more cells than rows? Others show no data but a list of things.
 *
 * @param {string[]} names
 */
function isData(names) {
  const rows = names.filter((name) => name === "tr").length;
  return rows > 1 && names.filter((name) => name === "td" || name === "th").length > rows;
}
