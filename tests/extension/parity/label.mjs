// The labels of pages by the kernel, for test_label.py: one question a line of JSON in, one answer a line out.
//
//     node label.mjs < questions.jsonl

/** @import {Page} from "./tree.mjs" */

import { readFile } from "node:fs/promises";
import { analyse } from "../../../extension/src/core/index.js";
import { modelFile } from "../../../extension/tools/models.js";
import { answer } from "./lines.mjs";
import { tableOf } from "./tree.mjs";

const models = { bytes: (/** @type {string} */ path) => readFile(modelFile(path)) };

await answer(async (/** @type {Page} */ page) => {
  const { score, keep, role, threshold, pageTypes } = await analyse(tableOf(page), "tamis", { models });
  return { score: [...score], keep: [...keep], role, threshold, pageTypes };
});
