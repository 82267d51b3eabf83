// The default extractor: two networks over the runs of a page, of which a gate chooses one
// (tamis/extractor/tamis.py). The page is read here, and the kernel does the rest.
//
// Content that an attribute folds away (closed tabs, collapsed sections) is read too, although only what is on the
// screen can be highlighted. Content that style sheets hide is not read: see PageTable.unfolded. For a shell, Python
// also looks into the data of the page. That is left out here, because in a browser the page's script has run.

/** @import {Labels, Role} from "../../labels.js" */
/** @import {PageTable} from "../../page/table.js" */
/** @import {Options} from "../index.js" */
/** @import {Found} from "./label.js" */

import { CoreError } from "../../errors.js";
import { Pace } from "../../pace.js";
import { label } from "./label.js";
import { networksOf } from "./network.js";
import { tablesOf } from "./tables.js";

// The page types that the network tells apart, and the roles, in the order of the kernel.
export const PAGE_TYPES = ["article", "documentation", "service", "forum", "product", "listing", "collection"];
/** @type {Role[]} */
export const ROLES = ["title", "text", "caption", "note", "comment", "related", "boilerplate"];

/**
 * @param {PageTable} shown
 * @param {Options} options
 * @returns {Promise<Labels>} its `table` is the page as it was read
 */
export async function tamis(shown, { signal, progress, models }) {
  if (!models) throw new CoreError("model", "tamis needs models");
  const table = shown.unfolded;
  const pace = new Pace({ signal, progress });
  const tables = await pace.finish(tablesOf(table));
  await pace.rest(0.5);
  const found = await (models.label ? models.label(tables) : label(tables, await networksOf(models)));
  await pace.rest(1);
  return labelsFrom(table, found);
}

/** @param {PageTable} table as it was read @param {Found} found @returns {Labels} */
export function labelsFrom(table, { score, keep, role, threshold, hasRoles, keepsText, types, notes }) {
  return {
    score,
    keep,
    role: [...role].map((number) => (hasRoles ? ROLES[number] : null)),
    threshold,
    // The network has learned from pages with content, and of others it says anything.
    pageTypes: hasRoles && keepsText ? Object.fromEntries(PAGE_TYPES.map((type, at) => [type, types[at]])) : null,
    notes: [...notes.keys()].filter((at) => at % 2 === 0).map((at) => [notes[at], notes[at + 1]]),
    table,
  };
}
