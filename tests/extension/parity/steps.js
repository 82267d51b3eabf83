// How much work is done between two points where it may be interrupted: counted, not timed.

/** @import {Labels} from "/core/labels.js" */
/** @import {PageTable} from "/core/page/table.js" */

import * as content from "/core/content/index.js";
import { analyse, contentOf, htmlOf, markdownOf, readPage, textOf } from "/core/index.js";
import { labelsOf } from "/core/labels.js";
import { Pace } from "/core/pace.js";
import { addShown } from "/page/views/shown.js";
import { elsewhere } from "./models.js";

/** The largest growth of `count` between two calls of `next`. */
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

/** Count how often texts of the leaves are read. @param {PageTable} table @param {Stretches} stretches */
function watch(table, stretches) {
  for (const leaf of table.leaves) {
    const { text } = leaf;
    Object.defineProperty(leaf, "text", { get: () => (stretches.count++, text), enumerable: true });
  }
}

const shown = () => readPage(document, { live: true });
/** Labels that keep every leaf. @param {PageTable} table @returns {Labels} */
function everything({ leaves }) {
  const ones = new Uint8Array(leaves.length).fill(1);
  return labelsOf(ones, ones);
}

/** Count how often attributes of elements are read. @param {PageTable} table @param {Stretches} stretches */
function watchAttributes({ elements }, stretches) {
  const { attribute } = elements;
  elements.attribute = (...given) => (stretches.count++, attribute.apply(elements, given));
}

/**
 * How many texts and attributes of the page an extractor reads between two points where it may rest.
 *
 * @param {string} name
 */
export async function judged(name) {
  const table = await shown();
  const models = await elsewhere();
  const [stretches, attributes] = [new Stretches(), new Stretches()];
  watch(table, stretches);
  watchAttributes(table, attributes);
  const { now } = performance;
  let time = 0;
  performance.now = () => (time += 1000); // a rest is always due
  try {
    await analyse(table, name, { models, progress: () => (stretches.next(), attributes.next()) });
  } finally {
    performance.now = now;
  }
  stretches.next();
  attributes.next();
  return { ...stretches, texts: table.readable.length, attributes: attributes.longest };
}

/** Count the nodes that are copied: what is sanitized or converted is copied first. @param {Stretches} stretches */
function watchCopies(stretches) {
  const [{ cloneNode }, { importNode }] = [Node.prototype, Document.prototype];
  /** @template {Node} T @param {T} copy */
  const counted = (copy) => {
    const walker = document.createTreeWalker(copy);
    for (stretches.count++; walker.nextNode(); ) stretches.count++;
    return copy;
  };
  Node.prototype.cloneNode = function (/** @type {boolean} */ isDeep) {
    return counted(cloneNode.call(this, isDeep));
  };
  Document.prototype.importNode = /** @type {any} */ (
    /** @this {Document} @param {Node} node @param {boolean} isDeep */
    function (node, isDeep) {
      return counted(importNode.call(this, node, isDeep));
    }
  );
  return () => {
    Node.prototype.cloneNode = cloneNode;
    Document.prototype.importNode = importNode;
  };
}

/** For each format: how many texts are read, and how many nodes are copied, between two points where it may rest. */
export async function written_in_steps() {
  /** @type {Record<string, object>} */
  const found = {};
  for (const [form, write] of Object.entries(content)) {
    const table = await shown();
    const [stretches, copies] = [new Stretches(), new Stretches()];
    watch(table, stretches);
    const stop = watchCopies(copies);
    for (const _ of write(table, everything(table), {})) {
      stretches.next();
      copies.next();
    }
    stop();
    stretches.next();
    copies.next();
    found[form] = { ...stretches, copied: copies.longest, texts: table.readable.length };
  }
  return found;
}

/** How often each format checks if a rest is due. */
export async function asked() {
  const table = await shown();
  const looks = [];
  for (const write of [textOf, htmlOf, markdownOf, contentOf]) {
    const pace = new (class extends Pace {
      looks = 0;
      /** @override */
      get due() {
        return ++this.looks % 1000 === 0;
      }
    })();
    await write(table, everything(table), { pace });
    looks.push(pace.looks);
  }
  return { looks, texts: table.readable.length };
}

/** What the reader shows of a page, as HTML. */
export async function read() {
  const table = await shown();
  const article = document.createElement("article");
  const { notes } = await analyse(table, "tamis", { models: await elsewhere() }); // the kernel finds them
  for (const _ of addShown(article, await contentOf(table, { ...everything(table), notes })));
  return article.innerHTML.trim();
}

/** How many nodes the reader adds to its page in one step. */
export async function added() {
  const table = await shown();
  const whole = await contentOf(table, everything(table));
  const article = document.createElement("article");
  const stretches = new Stretches();
  const { append } = Element.prototype;
  Element.prototype.append = /** @type {Element["append"]} */ function (...nodes) {
    stretches.count += nodes.length;
    append.apply(this, nodes);
  };
  try {
    for (const _ of addShown(article, whole)) stretches.next();
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
