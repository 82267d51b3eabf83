// The content of pages in each format, for test_render.py: one question a line of JSON in, one answer a line out.
//
//     node render.mjs < questions.jsonl

/** @import {Entry} from "./tree.mjs" */

import { createInterface } from "node:readline";
import { htmlOf, markdownOf, textOf } from "../../../extension/src/core/index.js";
import { labelsOf } from "../../../extension/src/core/labels.js";
import { Pace } from "../../../extension/src/core/pace.js";
import { Elements } from "../../../extension/src/core/page/elements.js";
import { PageTable } from "../../../extension/src/core/page/table.js";
import { walk } from "../../../extension/src/core/page/walk.js";
import { lookup } from "../../../extension/src/core/tags.js";
import { treeOf } from "./tree.mjs";

/**
 * @typedef {object} Question
 * @property {Entry[]} tree
 * @property {string | null} url
 * @property {boolean[]} visible for each leaf
 * @property {boolean[]} folded
 * @property {number[]} keep
 */

/** @param {Question} question */
async function answer({ tree, url, visible, folded, keep }) {
  const raw = await walk(treeOf(tree), { live: false, pace: new Pace(), expected: tree.length });
  const elements = new Elements(raw);
  const linked = elements.inside(elements.coded(lookup("a")));
  const leaves = raw.leaves.map((leaf, place) => {
    return { ...leaf, visible: visible[place], folded: folded[place], inLink: linked[leaf.element] === 1 };
  });
  if (leaves.length !== keep.length) throw new RangeError(`${leaves.length} leaves, and ${keep.length} in Python`);
  const table = new PageTable(elements, leaves, url);
  const labels = labelsOf(keep, Uint8Array.from(keep));
  return {
    text: await textOf(table, labels),
    markdown: await markdownOf(table, labels),
    html: await htmlOf(table, labels),
  };
}

for await (const line of createInterface({ input: process.stdin })) {
  const found = await answer(JSON.parse(line)).catch((error) => ({ error: String(error.stack) }));
  process.stdout.write(`${JSON.stringify(found)}\n`);
}
