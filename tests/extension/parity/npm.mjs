// What the npm package writes for pages that jsdom reads, for test_npm.py: one question a line of JSON in, one answer a
// line out.
//
//     node npm.mjs < questions.jsonl

import { createRequire } from "node:module";
import { answer } from "./lines.mjs";

const { JSDOM } = createRequire(new URL("../../../extension/package.json", import.meta.url))("jsdom");
const address = "../../../build/npm/index.js"; // it is built
/** @type {typeof import("../../../npm/index.js")} */
const { load } = await import(address);
const tamis = await load();

await answer(async (/** @type {{html: string, url: string}} */ { html, url }) => {
  const { text, markdown, html: written, pageType, labels } = tamis.extract(new JSDOM(html).window.document, { url });
  return { text, markdown, html: written, pageType, keep: labels.map(({ keep }) => keep) };
});
