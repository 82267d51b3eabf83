// Answers the shared vectors with extension/src/boilernet/input.js: node boilernet.mjs INPUT.JS VECTORS.JSON [JSDOM]
// JSDOM is the folder of jsdom; without it pages are left out. The answers go to standard output as JSON.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [source, vectors, jsdom] = process.argv.slice(2);
// A browser's module lies in a folder without a package.json, so node is told that it is one.
const url = `data:text/javascript;base64,${readFileSync(source).toString("base64")}`;
const input = await import(url);
const asked = JSON.parse(readFileSync(vectors, "utf8"));

const answers = {
  version: input.VERSION,
  tables: { DROPPED: input.DROPPED, SPACE: input.SPACE, ALONE: input.ALONE, CAPITALS: input.CAPITALS },
  sets: { CODE: [...input.CODE], MEDIA: [...input.MEDIA], INVISIBLE: [...input.INVISIBLE] },
  tokens: asked.tokens.map(({ text }) => input.tokens(text)),
};

if (jsdom) {
  const { JSDOM } = createRequire(import.meta.url)(jsdom);
  const rows = (document, scripting) => {
    const found = input.leafCounts(document.documentElement, asked.vocabulary, { scripting });
    return found.leaves.map((node, leaf) => {
      const [first, last] = found.bounds.slice(leaf, leaf + 2);
      return {
        text: node.data,
        columns: [...found.columns.slice(first, last)],
        counts: [...found.counts.slice(first, last)],
      };
    });
  };
  answers.pages = asked.pages.map(({ html }) => rows(new JSDOM(html).window.document, false));

  // What only a browser has: a shadow root that a script attached, and noscript as a string.
  const html = "<!doctype html><x-host><b>a light</b></x-host><noscript><p>no</p></noscript>";
  const live = new JSDOM(html).window.document;
  live.querySelector("x-host").attachShadow({ mode: "open" }).innerHTML = "<p>the shadow</p><p hidden>no</p>";
  answers.live = rows(live, true);
}

process.stdout.write(JSON.stringify(answers));
