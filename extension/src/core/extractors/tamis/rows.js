// What the default extractor sees of a page: one row a run of visible texts in one block-level element, such as a
// paragraph, a heading or a link in a list (PageRows of src/tamis/extractor/runs.py). Numbers are doubles until they
// are stored, as in Python.

import { readAround } from "./around.js";
import { COLUMNS, HOLDERS, LEVELS, OF_NODES, OWN, SAID } from "./columns.js";
import { CALLED } from "./conventions.js";
import { foundIn, readDeclared } from "./declared.js";
import { nodeColumns, nodesAbove, tagsOf, treeOf, wordsIn } from "./nodes.js";
import { alike, isHeading, lastHeading, running } from "./surroundings.js";
import { countTexts } from "./texts.js";

// Of longer words, if they are any, the length says no more.
const LONGEST_WORD = 30;

const H1 = 1 << HOLDERS.indexOf("h1");
const CODE = 1 << HOLDERS.indexOf("pre listing xmp");
const CAPTION = 1 << HOLDERS.indexOf("figcaption caption");
// What stands in these is for the hand or for another browser, and is not said.
const NOT_SAID = ["nav", "form", "button", "textarea select"]
  .map((holder) => 1 << HOLDERS.indexOf(holder))
  .reduce((all, bit) => all | bit);

/**
 * The rows of a page.
 *
 * @param {import("../../page/table.js").PageTable} table
 * @param {import("../../pace.js").Pace} pace is told of progress up to a half
 */
export async function readRows(table, pace) {
  const runs = runsOf(table);
  const texts = await countTexts(table, runs, pace);
  if (pace.due) await pace.rest(0.4);
  const tree = treeOf(table, runs);
  if (pace.due) await pace.rest(0.42);
  const around = await readAround(table.elements, tree.held, pace, 0.42, 0.44);
  const declared = await readDeclared(table, pace, 0.44);
  const said = await foundIn(declared, texts.begin, pace, 0.45);
  const before = running(texts, isHeading(table, runs.element));
  const nodes = nodeColumns(table, tree, before);
  if (pace.due) await pace.rest(0.46);
  const above = nodesAbove(tree, runs.element);
  const tags = tagsOf(table, tree, runs.element, above);
  if (pace.due) await pace.rest(0.49);
  return new PageRows(table, runs, { texts, tree, before, nodes, above, tags, around, said, page: declared.page });
}

export class PageRows {
  #before;
  #tree;
  #nodes; // (nodes + 1, OF_NODES)
  #around;
  #said; // for each row one bit for each of SAID
  #page; // what is said of the page as a whole
  #like;
  #lastHeading;
  #firstH1;

  constructor(table, runs, { texts, tree, before, nodes, above, tags, around, said, page }) {
    this.table = table;
    this.runs = runs;
    this.texts = texts;
    /** (rows, LEVELS): the numbers of the nodes above each row. */
    this.above = above;
    /** (rows, 1 + LEVELS): the codes of the row's own tag and of the nodes above it. */
    this.tags = tags;
    /** For each row: one bit for each of HOLDERS that it stands in. */
    this.inside = runs.element.map((row) => around.holders(row));
    this.#before = before;
    this.#tree = tree;
    this.#nodes = nodes;
    this.#around = around;
    this.#said = said;
    this.#page = page;
    this.#like = alike(table, runs.element, texts);
    this.#lastHeading = lastHeading(isHeading(table, runs.element));
    this.#firstH1 = this.inside.findIndex((bits) => bits & H1);
  }

  /** How many there are. */
  get length() {
    return this.runs.element.length;
  }

  /** Does a row stand in a caption? */
  inCaption(row) {
    return (this.inside[row] & CAPTION) !== 0;
  }

  /** Does it stand in code, or in other text that is set as it was typed? */
  inCode(row) {
    return (this.inside[row] & CODE) !== 0;
  }

  /** Is a row no link, no field and no note? */
  isSaid(row) {
    const linked = Math.fround(this.texts.linked[row] / Math.max(this.texts.words[row], 1));
    const first = this.table.leaves[this.runs.begins[row]];
    return linked < 0.5 && !(this.inside[row] & NOT_SAID) && !first.folded && !this.#inNoscript(first.element);
  }

  #inNoscript(element) {
    const { tag, parent } = this.table.elements;
    for (let row = element; row >= 0; row = parent[row]) if (tag[row] === "noscript") return true;
    return false;
  }

  /** One value a row, spread over the leaves of the page; other leaves get `other`. */
  toLeaves(values, other) {
    const spread = new Array(this.table.leaves.length).fill(other);
    this.runs.readable.forEach((leaf, at) => (spread[leaf] = values[this.runs.rowOf[at]]));
    return spread;
  }

  /** (rows, COLUMNS), for whoever wants all of it. */
  get values() {
    const found = new Float32Array(this.length * COLUMNS.length);
    for (let row = 0; row < this.length; row++) this.fill(row, found.subarray(row * COLUMNS.length));
    return found;
  }

  /** Write the COLUMNS of one row into an array of single floats. */
  fill(row, into) {
    into.set(this.#own(row));
    let at = OWN.length;
    for (let holder = 0; holder < HOLDERS.length; holder++) into[at++] = (this.inside[row] >> holder) & 1;
    for (let level = 0; level < LEVELS; level++) {
      let from = this.above[row * LEVELS + level] * OF_NODES.length;
      for (let column = 0; column < OF_NODES.length; column++) into[at++] = this.#nodes[from++];
    }
    const element = this.runs.element[row];
    for (let column = 0; column < CALLED.length; column++) into[at++] = this.#around.called(element, column);
    for (let kind = 0; kind < SAID.length; kind++) into[at++] = (this.#said[row] >> kind) & 1;
    into.set(this.#page, at);
  }

  /** The columns OWN of one row. */
  #own(row) {
    const { texts, length: rows } = this;
    const { elements, leaves } = this.table;
    const before = this.#before;
    const words = texts.words[row];
    const some = Math.max(words, 1);
    const letters = Math.max(texts.characters[row], 1);
    const total = Math.max(before.words[rows], 1);
    const like = this.#like[row];
    const fromH1 = this.#firstH1 < 0 ? null : row - this.#firstH1;
    const inNode = wordsIn(before, this.#tree, this.above[row * LEVELS]);
    return [
      Math.log1p(words),
      Math.log1p(texts.characters[row]),
      Math.min(texts.characters[row] / some, LONGEST_WORD),
      texts.linked[row] / some,
      texts.digits[row] / letters,
      texts.capitals[row] / letters,
      Math.log1p(texts.sentenceEnds[row]),
      Math.log1p(texts.commas[row]),
      texts.separators[row] / letters,
      Math.log1p(texts.quotes[row]),
      texts.isFinal[row],
      Math.log1p(texts.count[row]),
      words === 0 ? 1 : 0,
      row / rows,
      Math.log1p(row),
      Math.log1p(rows - 1 - row),
      before.words[row] / total,
      Math.log1p(rows),
      Math.log1p(total),
      before.linked[rows] / total,
      before.prose[rows] / total,
      Math.log1p(elements.depth[this.runs.element[row]]),
      fromH1 === null ? 0 : Math.sign(fromH1),
      fromH1 === null ? 0 : Math.log1p(Math.abs(fromH1)),
      Math.log1p(row - this.#lastHeading[row]),
      Math.log1p(like.rows),
      Math.log1p(like.words / like.rows),
      like.linked / Math.max(like.words, 1),
      like.words / total,
      words / Math.max(inNode, 1),
      leaves[this.runs.begins[row]].folded ? 1 : 0,
      texts.inTitle[row],
      Math.log1p(texts.repeated[row]),
    ];
  }
}

/**
 * @typedef {object} Runs
 * @property {number[]} readable the visible texts, as places among the leaves
 * @property {Int32Array} rowOf the row of each of them
 * @property {Int32Array} begins for each row the leaf that it begins with
 * @property {Int32Array} element for each row its block-level element
 */

/**
 * Neighbouring texts in one block-level element.
 *
 * @param {import("../../page/table.js").PageTable} table
 * @returns {Runs}
 */
function runsOf({ leaves, blocks, readable }) {
  const rowOf = new Int32Array(readable.length);
  const begins = [];
  const element = [];
  readable.forEach((leaf, at) => {
    // Where nothing around a text is block-level (there always is in a page), the top stands for it.
    const block = Math.max(blocks[leaves[leaf].element], 0);
    if (!at || block !== element.at(-1)) {
      begins.push(leaf);
      element.push(block);
    }
    rowOf[at] = begins.length - 1;
  });
  return { readable, rowOf, begins: Int32Array.from(begins), element: Int32Array.from(element) };
}
