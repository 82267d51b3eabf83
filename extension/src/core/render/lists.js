// Task lists: items with a box that is checked or not (src/tamis/render/content/lists.py).

/** @import {Marks} from "./marks.js" */
/** @import {Source} from "./source.js" */

import names from "../../../../src/tamis/render/content/names.json" with { type: "json" };
import { marksOf } from "./marks.js";
import { Node } from "./node.js";

const CHECKED = new Set(names.lists.checked);
const UNCHECKED = new Set(names.lists.unchecked);
const FIRST_ROWS = 5; // elements of an item that are looked at for its box

/** The items of task lists. @param {Source} source @returns {Generator<void, Marks | null, void>} */
export function* lists(source) {
  const rows = new Set(names.lists.items.flatMap((name) => source.classes.get(name) ?? []));
  for (const name of names.lists.lists) {
    for (const row of source.classes.get(name) ?? []) for (const item of source.children(row)) rows.add(item);
  }
  const found = marksOf();
  for (const row of rows) {
    yield;
    const checked = source.tag(row) === "li" && source.holds[row] ? checkedOf(source, row) : "";
    if (checked) found.named.set(row, new Node("li", { checked }));
  }
  return found.named.size ? found : null;
}

/**
 * Whether the box of an item is checked, "true" or "false"; empty if it has none.
 *
 * @param {Source} source
 * @param {number} row
 */
function checkedOf(source, row) {
  const { elements } = source;
  for (let each = row; each < Math.min(elements.end[row], row + 1 + FIRST_ROWS); each++) {
    if (each > row && ["ul", "ol", "li"].includes(source.tag(each))) break;
    const classes = source.classNames(each);
    if (source.tag(each) === "input" && (source.attribute(each, "type") ?? "").toLowerCase() === "checkbox") {
      return source.attribute(each, "checked") === null ? "false" : "true";
    }
    for (const name of ["data-checked", "aria-checked"]) {
      const value = source.attribute(each, name);
      if (value === "true" || value === "false") return value;
    }
    if (classes.some((name) => CHECKED.has(name))) return "true";
    if (classes.some((name) => UNCHECKED.has(name))) return "false";
  }
  return source.classNames(elements.parent[row]).includes("inline-task-list") ? "false" : "";
}
