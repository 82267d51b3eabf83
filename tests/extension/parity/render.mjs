// The content of pages in each format, for test_render.py: one question a line of JSON in, one answer a line out.
//
//     node render.mjs < questions.jsonl

/** @import {Page} from "./tree.mjs" */

import { htmlOf, markdownOf, textOf } from "../../../extension/src/core/index.js";
import { labelsOf } from "../../../extension/src/core/labels.js";
import { answer, tableOf } from "./tree.mjs";

await answer(async (/** @type {Page & {keep: number[]}} */ { keep, ...page }) => {
  const table = tableOf(page);
  const labels = labelsOf(keep, Uint8Array.from(keep));
  return {
    text: await textOf(table, labels),
    markdown: await markdownOf(table, labels),
    html: await htmlOf(table, labels),
  };
});
