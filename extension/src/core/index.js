// The core of the extension: it turns a page into a table of leaves, says which leaves are content, and writes that
// content as text, Markdown and HTML. Tables and labels equal Python's (tests/extension/test_parity.py); what is written
// comes from libraries. It uses no network connection.

/** @import {Options} from "./extractors/index.js" */
/** @import {Labels} from "./labels.js" */
/** @import {Steps} from "./pace.js" */
/** @import {PageTable} from "./page/table.js" */
/** @typedef {{url?: string | null, pace?: Pace}} RenderOptions */

import * as content from "./content/index.js";
import { CoreError } from "./errors.js";
import { EXTRACTORS } from "./extractors/index.js";
import { Pace } from "./pace.js";

export { CoreError } from "./errors.js";
export { scoreRows } from "./extractors/boilernet/network.js";
export { readPage } from "./page/table.js";

/** The names of the extractors, the default first. */
export const extractors = EXTRACTORS.map(({ name, label }) => ({ name, label }));

/**
 * Which leaves of a page are content.
 *
 * @param {PageTable} table
 * @param {string} name one of `extractors`
 * @param {Options} [options] `models` for extractors with a trained model
 * @returns {Promise<Labels>} rejects with a CoreError, or with the signal's reason
 */
export async function analyse(table, name, options = {}) {
  const extractor = EXTRACTORS.find((each) => each.name === name);
  if (!extractor) throw new CoreError("unknown-extractor", `no extractor is called ${name}`);
  return extractor.run(table, options);
}

/**
 * Write the page as the extractor read it: with folded content if the extractor read that.
 *
 * @template T
 * @param {(table: PageTable, labels: Labels, options: {url?: string | null}) => Steps<T>} write
 * @returns {(table: PageTable, labels: Labels, options?: RenderOptions) => Promise<T>}
 */
const writer =
  (write) =>
  (table, labels, { url, pace = new Pace() } = {}) =>
    pace.finish(write(labels.table ?? table, labels, { url }));

/** The content as clean nodes in a document that loads and runs nothing. */
export const contentOf = writer(content.contentOf);

/** The content as a string, in three formats. */
export const textOf = writer(content.textOf);
export const markdownOf = writer(content.markdownOf);
export const htmlOf = writer(content.htmlOf);
