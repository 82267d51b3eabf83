// The core of the extension: a page to a table of leaves, which leaves are its content, and that content as text,
// Markdown and HTML. The same answers as Python's (tests/extension/test_parity.py). No framework, no network.

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

/** What there is to choose from. */
export const extractors = EXTRACTORS.map(({ name, label }) => ({ name, label }));

/**
 * Which leaves of a page stay.
 *
 * @param {import("./page/table.js").PageTable} table
 * @param {string} name one of `extractors`
 * @param {import("./extractors/index.js").Options} [options] `models` for those that were trained
 * @returns {Promise<import("./labels.js").Labels>} rejects with a CoreError, or with the signal's reason
 */
export async function analyse(table, name, options = {}) {
  const extractor = EXTRACTORS.find((each) => each.name === name);
  if (!extractor) throw new CoreError("unknown-extractor", `no extractor is called ${name}`);
  return extractor.run(table, options);
}

// What is written is the page as the extractor read it, with what is folded away if it read that too.
const asRead =
  (write) =>
  (table, labels, { url, pace = new Pace() } = {}) =>
    pace.finish(write(labels.table ?? table, labels, { url }));

/** The content as a tree of clean nodes: (table, labels, {url, pace}) to a promise of a list. */
export const contentOf = asRead(tree.contentTree);

/** The content in three forms: (table, labels, {url, pace}) to a promise of a string. */
export const textOf = asRead(text.textOf);
export const markdownOf = asRead(markdown.markdownOf);
export const htmlOf = asRead(html.htmlOf);
