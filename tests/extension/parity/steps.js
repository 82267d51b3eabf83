// How much is done between two points where work may be interrupted: counted, not timed.

import { analyse, contentOf, htmlOf, markdownOf, readPage, textOf } from "/core/index.js";
import { Pace } from "/core/pace.js";
import * as html from "/core/render/html.js";
import * as markdown from "/core/render/markdown.js";
import * as text from "/core/render/text.js";
import * as tree from "/core/render/tree.js";
import { addClean } from "/page/views/clean.js";
import { elsewhere } from "./models.js";

/** The most that `count` has grown by between two calls of `next`. */
class Stretches {
  number = 0;
  longest = 0;
  count = 0;

  next() {
    this.longest = Math.max(this.longest, this.count);
    this.count = 0;
    this.number++;
  }
}

/** Count how often texts of the leaves are looked at. */
function watch(table, stretches) {
  for (const leaf of table.leaves) {
    const { text } = leaf;
    Object.defineProperty(leaf, "text", { get: () => (stretches.count++, text), enumerable: true });
  }
}

const shown = () => readPage(document, { live: true });
const everything = ({ leaves }) => ({ keep: new Uint8Array(leaves.length).fill(1) });

/** Count how often attributes of elements are asked for. */
function watchAttributes({ elements }, stretches) {
  const { attribute } = elements;
  elements.attribute = (...given) => (stretches.count++, attribute.apply(elements, given));
}

/**
 * How many texts of the page an extractor looks at between two points where it rests when it is time to, and how many
 * attributes.
 */
export async function judged(name) {
  const table = await shown();
  const models = await elsewhere();
  const [stretches, attributes] = [new Stretches(), new Stretches()];
  watch(table, stretches);
  watchAttributes(table, attributes);
  const { now } = performance;
  let time = 0;
  performance.now = () => (time += 1000); // it is always time to
  try {
    await analyse(table, name, { models, progress: () => (stretches.next(), attributes.next()) });
  } finally {
    performance.now = now;
  }
  stretches.next();
  attributes.next();
  return { ...stretches, texts: table.readable.length, attributes: attributes.longest };
}

const FORMS = { text: text.textOf, html: html.htmlOf, markdown: markdown.markdownOf, tree: tree.contentTree };

/** The same for each form in which all of the page is written. */
export async function written_in_steps() {
  const found = {};
  for (const [form, write] of Object.entries(FORMS)) {
    const table = await shown();
    const stretches = new Stretches();
    watch(table, stretches);
    for (const _ of write(table, everything(table), {})) stretches.next();
    stretches.next();
    found[form] = { ...stretches, texts: table.readable.length };
  }
  return found;
}

/** How often the pace is asked if it is time to rest, for each form. */
export async function asked() {
  const table = await shown();
  const looks = [];
  for (const write of [textOf, htmlOf, markdownOf, contentOf]) {
    const pace = new (class extends Pace {
      looks = 0;
      get due() {
        return ++this.looks % 1000 === 0;
      }
    })();
    await write(table, everything(table), { pace });
    looks.push(pace.looks);
  }
  return { looks, texts: table.readable.length };
}

/** How many nodes the reader adds to its page in one step. */
export async function added() {
  const table = await shown();
  const content = await contentOf(table, everything(table));
  const article = document.createElement("article");
  const stretches = new Stretches();
  const { append } = Element.prototype;
  Element.prototype.append = function (...nodes) {
    stretches.count += nodes.length;
    append.apply(this, nodes);
  };
  try {
    for (const _ of addClean(article, content, document.baseURI)) stretches.next();
  } finally {
    Element.prototype.append = append;
  }
  const groups = [...article.querySelectorAll("div")].filter(({ children: [first] }) => first?.localName === "p");
  return {
    ...stretches,
    elements: article.querySelectorAll("*").length,
    groups: groups.map((group) => group.querySelectorAll("p").length),
  };
}
