// Kept leaves to the content tree: the structure of the page without scripts, styles and what was not kept
// (src/tamis/render/content/tree.py).

/** @import {Labels} from "../labels.js" */
/** @import {PageTable} from "../page/table.js" */
/** @import {Marks} from "./marks.js" */
/** @import {Child} from "./node.js" */

import { withoutEnd, withoutStart } from "../characters.js";
import { BLOCK, lookup, MEDIA, OTHER } from "../tags.js";
import { dataTables } from "./data_tables.js";
import { followsOther, shownCodes } from "./layout.js";
import { safeUrl } from "./links.js";
import { mediumNode, sameImage, sizeIn } from "./media.js";
import { Node } from "./node.js";
import { tidied } from "./notes.js";
import { marks } from "./recognisers.js";
import { folded, Source } from "./source.js";

/** @param {string} text */
const words = (text) => text.trim().split(/\s+/);
// Tags with a meaning for the text in them. Other block-level tags become a div, all others are left out.
const KEPT_TAGS = words(`
  a abbr address article aside b bdi bdo blockquote br caption cite code dd del details dfn div dl dt
  em figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i ins kbd li main mark nav ol p pre q
  rp rt ruby s samp section small strong sub summary sup table tbody td tfoot th thead time tr u ul var
`);
const RENAMED = {
  strike: "s", tt: "code", menu: "ul", dir: "ul", xmp: "pre", listing: "pre", plaintext: "pre",
};
const UNWRAPPED = new Set(["html", "body", "head"]);
/** @type {Map<string, string>} */
const NAMES = new Map([
  ...[...BLOCK].filter((tag) => !UNWRAPPED.has(tag)).map((tag) => /** @type {const} */ ([tag, "div"])),
  ...KEPT_TAGS.map((tag) => /** @type {const} */ ([tag, tag])),
  ...Object.entries(RENAMED),
]);
const HOLLOW = new Set(words("div p section header footer figure figcaption")); // nothing without content
const TABLE_TAGS = new Set(words("table caption thead tbody tfoot tr th td"));

/** @type {Map<string, string[]>} */
const KEPT_ATTRIBUTES = new Map([
  ["abbr", ["title"]],
  ["td", ["colspan", "rowspan"]],
  ["th", ["colspan", "rowspan", "scope"]],
  ["ol", ["start", "type", "reversed"]],
  ["li", ["value"]],
  ["time", ["datetime"]],
  ["details", ["open"]],
]);

// Writers recurse over the tree. Of elements that are nested deeper only the content is written.
const DEEPEST = 100;

const IS_TABLE = lookup("table");

/**
 * The main content as a tree; its root has the name "root". In steps (Pace.finish).
 *
 * @param {PageTable} table
 * @param {Labels} labels
 * @param {{url?: string | null}} [options]
 * @returns {Generator<void, Node, void>}
 */
export function* contentTree(table, labels, { url } = {}) {
  const source = new Source(table, labels.keep, url ?? table.url);
  return yield* new Builder(source, yield* marks(source)).build();
}

/** Adds needed elements and kept leaves in document order. */
class Builder {
  /** @param {Source} source @param {Marks} found */
  constructor(source, found) {
    this.source = source;
    this.marks = found;
    this.elements = source.elements;
    this.root = new Node("root");
    /** @type {Child[]} */
    this.into = this.root.children; // the content of the innermost open element
    /** @type {{row: number, around: Child[]}[]} */
    this.open = []; // the open elements, and the content around each
    this.writtenFrom = 0; // the rows that a replaced or skipped element holds
    this.writtenTo = 0;
    /** @type {Node | null} */
    this.lastMedium = null; // the one before, if no text was in between
    /** @type {Map<number, string>} */
    this.otherNames = new Map();
    /** @type {(row: number) => boolean} */
    this.inLayoutTable = () => true;
  }

  /** @returns {Generator<void, Node, void>} */
  *build() {
    const { source, elements } = this;
    const { leaves, kept, rows } = source;
    yield;
    const afterText = followsOther(source.table, source.kept);
    yield;
    yield* this.findTables();
    const shown = shownCodes(source.table, kept.map((leaf) => leaves[leaf].element));
    if (shown !== elements.code) {
      shown.forEach((code, row) => {
        if (code !== elements.code[row]) this.otherNames.set(row, code === OTHER ? "" : "div");
      });
    }
    let next = 0; // in `rows`
    for (const [number, leaf] of kept.entries()) {
      yield;
      const { element: holder, opened: last, isMedia, text } = leaves[leaf];
      let gap = leaves[leaf].gap !== "" || afterText[number];
      if (rows[next] <= last && gap && !this.isWritten(rows[next])) {
        // White space goes before the elements that open here, not into them.
        this.close(elements.parent[rows[next]]);
        this.add(" ");
        gap = false;
      }
      for (; rows[next] <= last; next++) {
        yield;
        this.start(rows[next]);
      }
      if (this.isWritten(holder)) continue;
      this.close(holder);
      if (gap) this.add(" ");
      if (isMedia) {
        this.addMedium(holder);
      } else if (this.marks.split.has(leaf)) {
        this.addParts(this.marks.split.get(leaf) ?? []);
      } else {
        this.add(folded(this.marks.trimmed.get(leaf) ?? text));
        this.lastMedium = null;
      }
    }
    // The empty cells after the last kept leaf.
    for (; next < rows.length; next++) {
      yield;
      this.start(rows[next]);
    }
    this.close(-1);
    tidied(this.root, this.marks);
    return this.root;
  }

  /** @param {number} row */
  isWritten(row) {
    return this.writtenFrom <= row && row < this.writtenTo;
  }

  /** @param {number} row */
  setWritten(row) {
    this.writtenFrom = row;
    this.writtenTo = this.elements.end[row];
  }

  /** @param {string} text */
  add(text) {
    const last = this.into.at(-1);
    if (typeof last !== "string") this.into.push(text);
    else this.into[this.into.length - 1] = last + (text[0] === " " && last.endsWith(" ") ? text.slice(1) : text);
  }

  /** @param {Child[]} parts */
  addParts(parts) {
    for (const part of parts) {
      if (typeof part === "string") this.add(folded(part));
      else this.into.push(part);
    }
    this.lastMedium = null;
  }

  /** @param {number} row */
  start(row) {
    if (this.isWritten(row)) return;
    this.close(this.elements.parent[row]);
    if (this.marks.skipped.has(row)) {
      this.setWritten(row);
      return;
    }
    const replaced = this.marks.replaced.get(row);
    if (replaced) {
      if (replaced.name) this.into.push(replaced);
      else for (const child of replaced.children) this.into.push(child);
      this.setWritten(row);
      return;
    }
    const tag = this.elements.tag[row];
    if (MEDIA.has(tag) || this.open.length > DEEPEST) return;
    const found = this.marks.named.get(row);
    const name = found ? found.name : this.name(row, tag);
    if (!name) return;
    if (name === "pre") {
      this.into.push(new Node("pre", {}, [withoutEnd(withoutStart(this.source.text(row), "\n"), "\n")], row));
      this.setWritten(row);
      return;
    }
    const node = new Node(name, found ? found.attributes : this.attributes(row, name), [], row);
    (name === "ul" || name === "ol" ? this.lastItem() : this.into).push(node);
    if (tag === "br" || tag === "hr") return;
    this.open.push({ row, around: this.into });
    this.into = node.children;
  }

  /** Where a list is written: in a list without an item around it, in the item before. */
  lastItem() {
    const around = this.elements.tag[this.open.at(-1)?.row ?? -1];
    if (around !== "ul" && around !== "ol") return this.into;
    const last = this.into.findLast((node) => typeof node !== "string");
    return last instanceof Node && last.name === "li" ? last.children : this.into;
  }

  /** Close the open elements that do not contain the element `holder`. @param {number} holder */
  close(holder) {
    for (let last; (last = this.open.at(-1)); this.open.pop()) {
      if (last.row <= holder && holder < this.elements.end[last.row]) return;
      const node = this.into.length ? null : last.around.at(-1);
      if (node instanceof Node && HOLLOW.has(node.name)) last.around.pop(); // all that was in it is skipped
      this.into = last.around;
    }
  }

  /** The name that is written for an element; empty if only its content is. @param {number} row @param {string} tag */
  name(row, tag) {
    if (TABLE_TAGS.has(tag) && this.inLayoutTable(row)) return "div";
    const name = this.otherNames.get(row) ?? NAMES.get(tag) ?? "";
    return name === "a" && !this.address(row, "href") ? "" : name;
  }

  /** @param {number} row @param {string} name */
  attributes(row, name) {
    /** @type {Record<string, string>} */
    const values = {};
    for (const key of KEPT_ATTRIBUTES.get(name) ?? []) {
      const value = this.elements.attribute(row, key);
      if (value !== null) values[key] = value;
    }
    if (name === "a") values.href = this.address(row, "href") ?? "";
    const cited = name === "blockquote" || name === "q" ? this.address(row, "cite") : null;
    if (cited) values.cite = cited;
    for (const key of ["lang", "dir"]) {
      const value = this.elements.attribute(row, key);
      if (value) values[key] = value;
    }
    return values;
  }

  /** @param {number} row @param {string} name */
  address(row, name) {
    return safeUrl(this.elements.attribute(row, name), this.source.base);
  }

  /** Find the tables that only arrange the page. @returns {Generator<void, void, void>} */
  *findTables() {
    const { elements, leaves, kept, table } = this.source;
    const isTable = elements.coded(IS_TABLE);
    if (!isTable.includes(1)) return;
    const around = elements.nearest(isTable);
    yield;
    const isData = yield* dataTables(table, kept.filter((leaf) => !leaves[leaf].isMedia), elements.code);
    this.inLayoutTable = (row) => !isData[around[row]];
  }

  /** @param {number} row */
  addMedium(row) {
    const node = mediumNode(this.elements, row, this.source.base);
    if (!node) return;
    const last = this.lastMedium;
    if (last && sameImage(node.attributes.src, last.attributes.src)) {
      // An image is often followed by a copy of another size.
      if (sizeIn(node.attributes.src) > sizeIn(last.attributes.src)) last.attributes.src = node.attributes.src;
      return;
    }
    this.lastMedium = node;
    this.into.push(node);
  }
}
