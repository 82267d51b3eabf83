// The input of the default extractor (src/tamis/extractor/runs.py). A run is a sequence of adjacent visible texts in
// one block-level element, such as a paragraph, a heading or a link in a list. Numbers are doubles until they are
// stored, as in Python.

/** @import {Pace} from "../../pace.js" */
/** @import {PageTable} from "../../page/table.js" */
/** @import {Around} from "./around.js" */
/** @import {RunTexts} from "./run_texts.js" */
/** @import {RunTree} from "./run_tree.js" */
/** @import {RunSums} from "./surroundings.js" */

import { readAround } from "./around.js";
import { COLUMNS, HOLDERS, LEVELS, OF_NODES, OWN, SAID } from "./columns.js";
import { CALLED } from "./conventions.js";
import { foundIn, readDeclared } from "./declared.js";
import { countTexts } from "./run_texts.js";
import { nodeColumns, nodesAbove, tagsOf, treeOf, wordsIn } from "./run_tree.js";
import { alike, isHeading, lastHeading, runSums } from "./surroundings.js";

// The mean length of words is capped here: longer ones are addresses or code.
const LONGEST_WORD = 30;

const H1 = 1 << HOLDERS.indexOf("h1");
const CODE = 1 << HOLDERS.indexOf("pre listing xmp");
const CAPTION = 1 << HOLDERS.indexOf("figcaption caption");
/** @param {string[]} holders */
const bitsOf = (...holders) => holders.reduce((all, holder) => all | (1 << HOLDERS.indexOf(holder)), 0);
const FIELDS = bitsOf("button", "textarea select");
const ASIDE = FIELDS | bitsOf("nav", "aside", "footer");
// Navigation, footers and form controls.
const CONTROLS = FIELDS | bitsOf("nav", "footer", "form");

/**
 * @typedef {object} RunIndex which texts are in which run
 * @property {number[]} readable the visible texts, as places among the leaves
 * @property {Int32Array} runOf the run of each of them
 * @property {Int32Array} begins for each run the leaf that it begins with
 * @property {Int32Array} element for each run its block-level element
 *
 * @typedef {object} Parts what a PageRuns is made of
 * @property {RunTexts} texts
 * @property {RunTree} tree
 * @property {RunSums} before
 * @property {Float32Array} nodes (nodes + 1, OF_NODES)
 * @property {Int32Array} above (runs, LEVELS): the numbers of the nodes above each run
 * @property {Uint8Array} tags (runs, 1 + LEVELS): the tag codes of each run and of the nodes above it
 * @property {Around} around
 * @property {Uint8Array} said for each run one bit for each of SAID
 * @property {Float32Array} page the columns PAGE
 * @property {string} title that the page declares
 */

/**
 * The runs of a page.
 *
 * @param {PageTable} table
 * @param {Pace} pace is told of progress up to a half
 */
export async function readRuns(table, pace) {
  const index = indexOf(table);
  const texts = await countTexts(table, index, pace);
  if (pace.due) await pace.rest(0.4);
  const tree = treeOf(table, index);
  if (pace.due) await pace.rest(0.42);
  const around = await readAround(table.elements, tree.held, pace, 0.42, 0.44);
  const declared = await readDeclared(table, pace, 0.44);
  const said = await foundIn(declared, texts.begin, pace, 0.45);
  const before = runSums(texts, isHeading(table, index.element));
  const nodes = nodeColumns(table, tree, before);
  if (pace.due) await pace.rest(0.46);
  const above = nodesAbove(tree, index.element);
  const tags = tagsOf(table, tree, index.element, above);
  if (pace.due) await pace.rest(0.49);
  const { page, title } = declared;
  return new PageRuns(table, index, { texts, tree, before, nodes, above, tags, around, said, page, title });
}

export class PageRuns {
  #parts;
  #like;
  #lastHeading;
  #firstH1;
  /** @type {Int32Array | undefined} */
  #first;

  /** @param {PageTable} table @param {RunIndex} index @param {Parts} parts */
  constructor(table, index, parts) {
    this.table = table;
    this.index = index;
    this.texts = parts.texts;
    this.tags = parts.tags;
    this.declaredTitle = parts.title;
    /** For each run one bit for each of HOLDERS that it stands in. */
    this.inside = index.element.map((row) => parts.around.holders(row));
    this.#parts = parts;
    this.#like = alike(table, index.element, parts.texts);
    this.#lastHeading = lastHeading(isHeading(table, index.element));
    this.#firstH1 = this.inside.findIndex((bits) => (bits & H1) !== 0);
  }

  /** How many runs there are. */
  get length() {
    return this.index.element.length;
  }

  /** The leaves of a run. @param {number} run */
  leavesOf(run) {
    const { readable, runOf } = this.index;
    this.#first ??= firsts(runOf, this.length);
    return readable.slice(this.#first[run], this.#first[run + 1]);
  }

  /** The texts of a run, as in the source. @param {number} run */
  leafTexts(run) {
    return this.leavesOf(run).map((leaf) => this.table.leaves[leaf].text);
  }

  /** The share of a run's words in links, as a single float. @param {number} run */
  linkedShare(run) {
    return Math.fround(this.texts.linked[run] / Math.max(this.texts.words[run], 1));
  }

  /** True if a run stands in a button or a field. @param {number} run */
  inField(run) {
    return (this.inside[run] & FIELDS) !== 0;
  }

  /** True if a run stands in a control, or beside the content. @param {number} run */
  isAside(run) {
    return (this.inside[run] & ASIDE) !== 0;
  }

  /** True if a run stands in a caption. @param {number} run */
  inCaption(run) {
    return (this.inside[run] & CAPTION) !== 0;
  }

  /** True if a run stands in code or other preformatted text. @param {number} run */
  inCode(run) {
    return (this.inside[run] & CODE) !== 0;
  }

  /** True if a run is not mostly links, and in no control, footer, fold or noscript. @param {number} run */
  isPlainText(run) {
    const first = this.table.leaves[this.index.begins[run]];
    const isPlain = this.linkedShare(run) < 0.5 && !(this.inside[run] & CONTROLS) && !first.folded;
    return isPlain && !this.#inNoscript(first.element);
  }

  /** @param {number} element */
  #inNoscript(element) {
    const { tag, parent } = this.table.elements;
    for (let row = element; row >= 0; row = parent[row]) if (tag[row] === "noscript") return true;
    return false;
  }

  /**
   * Spread one value a run over the leaves of the page.
   *
   * @template T
   * @param {ArrayLike<T>} values
   * @param {T} other the value of leaves in no run
   * @returns {T[]}
   */
  toLeaves(values, other) {
    const spread = new Array(this.table.leaves.length).fill(other);
    this.index.readable.forEach((leaf, at) => (spread[leaf] = values[this.index.runOf[at]]));
    return spread;
  }

  /** (runs, COLUMNS): all columns at once, for tests. */
  get values() {
    const found = new Float32Array(this.length * COLUMNS.length);
    for (let run = 0; run < this.length; run++) this.fill(run, found.subarray(run * COLUMNS.length));
    return found;
  }

  /** Write the COLUMNS of one run into an array. @param {number} run @param {Float32Array} into */
  fill(run, into) {
    const { above, nodes, around, said, page } = this.#parts;
    into.set(this.#own(run));
    let at = OWN.length;
    for (let holder = 0; holder < HOLDERS.length; holder++) into[at++] = (this.inside[run] >> holder) & 1;
    for (let level = 0; level < LEVELS; level++) {
      let from = above[run * LEVELS + level] * OF_NODES.length;
      for (let column = 0; column < OF_NODES.length; column++) into[at++] = nodes[from++];
    }
    const element = this.index.element[run];
    for (let column = 0; column < CALLED.length; column++) into[at++] = around.called(element, column);
    for (let kind = 0; kind < SAID.length; kind++) into[at++] = (said[run] >> kind) & 1;
    into.set(page, at);
  }

  /** The columns OWN of one run. @param {number} run */
  #own(run) {
    const { texts, length: runs } = this;
    const { elements, leaves } = this.table;
    const { above, before, tree } = this.#parts;
    const words = texts.words[run];
    const some = Math.max(words, 1);
    const letters = Math.max(texts.characters[run], 1);
    const total = Math.max(before.words[runs], 1);
    const like = this.#like[run];
    const fromH1 = this.#firstH1 < 0 ? null : run - this.#firstH1;
    const inNode = wordsIn(before, tree, above[run * LEVELS]);
    return [
      Math.log1p(words),
      Math.log1p(texts.characters[run]),
      Math.min(texts.characters[run] / some, LONGEST_WORD),
      texts.linked[run] / some,
      texts.digits[run] / letters,
      texts.capitals[run] / letters,
      Math.log1p(texts.sentenceEnds[run]),
      Math.log1p(texts.commas[run]),
      texts.separators[run] / letters,
      Math.log1p(texts.quotes[run]),
      texts.isFinal[run],
      Math.log1p(texts.count[run]),
      words === 0 ? 1 : 0,
      run / runs,
      Math.log1p(run),
      Math.log1p(runs - 1 - run),
      before.words[run] / total,
      Math.log1p(runs),
      Math.log1p(total),
      before.linked[runs] / total,
      before.prose[runs] / total,
      Math.log1p(elements.depth[this.index.element[run]]),
      fromH1 === null ? 0 : Math.sign(fromH1),
      fromH1 === null ? 0 : Math.log1p(Math.abs(fromH1)),
      Math.log1p(run - this.#lastHeading[run]),
      Math.log1p(like.runs),
      Math.log1p(like.words / like.runs),
      like.linked / Math.max(like.words, 1),
      like.words / total,
      words / Math.max(inNode, 1),
      leaves[this.index.begins[run]].folded ? 1 : 0,
      texts.inTitle[run],
      Math.log1p(texts.repeated[run]),
    ];
  }
}

/** (runs + 1): the place of the first text of each run. @param {Int32Array} runOf @param {number} runs */
function firsts(runOf, runs) {
  const found = new Int32Array(runs + 1).fill(runOf.length);
  for (let at = runOf.length - 1; at >= 0; at--) found[runOf[at]] = at;
  return found;
}

/** The runs of a page: neighbouring texts in one block-level element. @param {PageTable} table @returns {RunIndex} */
function indexOf({ leaves, blocks, readable }) {
  const runOf = new Int32Array(readable.length);
  /** @type {number[]} */
  const begins = [];
  /** @type {number[]} */
  const element = [];
  readable.forEach((leaf, at) => {
    // Where no element around a text is block-level, which no parsed page has, the top element counts.
    const block = Math.max(blocks[leaves[leaf].element], 0);
    if (!at || block !== element.at(-1)) {
      begins.push(leaf);
      element.push(block);
    }
    runOf[at] = begins.length - 1;
  });
  return { readable, runOf, begins: Int32Array.from(begins), element: Int32Array.from(element) };
}
