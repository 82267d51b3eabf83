// The core of the extension: it turns a page into a table of leaves, says which leaves are content, and writes that
// content as text, Markdown and HTML. Its results equal Python's (tests/extension/test_parity.py). It uses no
// framework and no network connection.

/** @import {Options} from "./extractors/index.js" */
/** @import {Labels} from "./labels.js" */
/** @import {PageTable} from "./page/table.js" */
/** @typedef {{url?: string | null, pace?: Pace}} RenderOptions */

import { CoreError } from "./errors.js";
import { EXTRACTORS } from "./extractors/index.js";
import { Pace } from "./pace.js";
import * as html from "./render/html.js";
import * as markdown from "./render/markdown.js";
import * as text from "./render/text.js";
import * as tree from "./render/tree.js";

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
 * Run a renderer on the page as the extractor read it: with folded content if the extractor read that.
 *
 * @template T
 * @param {(table: PageTable, labels: Labels, options: {url?: string | null}) => Generator<void, T, void>} write
 * @returns {(table: PageTable, labels: Labels, options?: RenderOptions) => Promise<T>}
 */
const renderer =
  (write) =>
  (table, labels, { url, pace = new Pace() } = {}) =>
    pace.finish(write(labels.table ?? table, labels, { url }));

/** The content as a tree of clean nodes. */
export const contentOf = renderer(tree.contentTree);

/** The content as a string, in three formats. */
export const textOf = renderer(text.textOf);
export const markdownOf = renderer(markdown.markdownOf);
export const htmlOf = renderer(html.htmlOf);
