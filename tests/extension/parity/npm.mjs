// What the npm package writes for pages, for test_npm.py: one question a line of JSON in, one answer a line out.
//
//     node npm.mjs < questions.jsonl

/** @import {Page} from "./tree.mjs" */

import { answer, documentOf } from "./tree.mjs";

const address = "../../../build/npm/index.js"; // it is built
/** @type {typeof import("../../../npm/index.js")} */
const { load } = await import(address);
const tamis = await load();

await answer(async (/** @type {Page} */ { tree, url }) => {
  const { text, markdown, html, pageType, labels } = tamis.extract(documentOf(tree), { url });
  return { text, markdown, html, pageType, keep: labels.map(({ keep }) => keep) };
});
