// Kept leaves as a clean tree: the structure of the page without scripts and styles (src/tamis/render/html.py). HTML
// and Markdown are both written from it.

/** @import {Labels} from "../labels.js" */
/** @import {PageTable} from "../page/table.js" */

import { split, spaced, withoutEnd } from "../characters.js";
import { BLOCK, HEADINGS, lookup, MEDIA, PREFORMATTED } from "../tags.js";
import { Grid } from "./grid.js";
import { dataTables } from "./layout.js";
import { baseOf, safeUrl } from "./links.js";
import { mediumNode, mediumSource } from "./media.js";
import { neededElements } from "./needed.js";

/**
 * @typedef {{name: string, attributes: Record<string, string | true>, children: (Node | string)[]}} Node an element;
 *   an attribute that is true has no value
 *
 * @typedef {{row: number, name: string, into: (Node | string)[]}} Open an element that is being written; one without a
 *   name is left out, and its content goes into the element around it
 */

/** @param {string} text */
const words = (text) => new Set(text.trim().split(/\s+/));
// Tags that are kept. Other block-level elements become a div, other inline elements are left out.
const KEPT_TAGS = words(`
  a abbr address article aside b bdi bdo blockquote br caption cite code dd del details dfn div dl dt
  em figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i ins kbd li main mark nav ol p pre q
  rp rt ruby s samp section small strong sub summary sup table tbody td tfoot th thead time tr u ul var
  math mi mn mo ms mtext mrow mfrac msqrt mroot msup msub msubsup munder mover munderover mtable mtr mtd
`);
const RENAMED = new Map([
  ["strike", "s"], ["tt", "code"], ["menu", "ul"], ["dir", "ul"], ["xmp", "pre"], ["listing", "pre"],
  ["plaintext", "pre"],
]);
const UNWRAPPED = words("html body head");
const TABLE_TAGS = words("table caption thead tbody tfoot tr th td");
/** @type {Record<string, string[]>} */
const KEPT_ATTRIBUTES = {
  abbr: ["title"],
  td: ["colspan", "rowspan"],
  th: ["colspan", "rowspan", "scope"],
  ol: ["start", "type", "reversed"],
  li: ["value"],
  time: ["datetime"],
  details: ["open"],
};
const LANGUAGE_PREFIXES = ["language-", "lang-", "highlight-source-", "highlight-", "brush:"];
// Syntax highlighters name the language up to so many elements above a <pre> or <code>.
const LANGUAGE_LEVELS = 3;
// Others would end the line of a code block in Markdown, and with it the block.
const LANGUAGE = /^[a-z0-9_+#.-]{1,40}$/;
// The tags that are kept in a cell of one line.
const INLINE_IN_CELL = words(
  "a abbr b bdi bdo cite code del dfn em i ins kbd mark q rp rt ruby s samp strong sub sup u var",
);
const SECTIONS_OF_TABLE = words("thead tbody tfoot");
// Elements nested deeper than this are left out of Markdown and only their text is written: rendering recurses.
const DEEPEST = 300;

const IS_TABLE = lookup("table");
const IS_CELL = lookup("td", "th");
const IS_BLOCK = lookup(...BLOCK);
/** @param {string} name */
const isCell = (name) => name === "td" || name === "th";

/**
 * The main content as the children of a fragment, in steps (Pace.finish).
 *
 * `forMarkdown` limits the tree to what Markdown can express: cells of one line without spans, links inside headings
 * and not around them, embedded media as links.
 *
 * @param {PageTable} table
 * @param {Labels} labels
 * @param {{url?: string | null, forMarkdown?: boolean}} options
 * @returns {Generator<void, (Node | string)[], void>}
 */
export function* contentTree(table, labels, { url, forMarkdown = false } = {}) {
  return yield* new Builder(table, labels, url ?? table.url, forMarkdown).build();
}

class Builder {
  /** @param {PageTable} table @param {Labels} labels @param {string | null} url @param {boolean} forMarkdown */
  constructor(table, labels, url, forMarkdown) {
    this.table = table;
    this.elements = table.elements;
    this.forMarkdown = forMarkdown;
    this.base = baseOf(table, url);
    this.kept = [...table.leaves.keys()].filter((place) => labels.keep[place]);
    this.tableOf = this.elements.nearest(this.elements.coded(IS_TABLE));
    this.blocksBelow = this.elements.sums(this.elements.coded(IS_BLOCK));
    /** @type {(Node | string)[]} */
    this.fragment = [];
    /** @type {Open[]} */
    this.open = [];
    this.inPre = 0;
    this.grid = new Grid();
    /** @type {string | null} */
    this.lastSource = null;
    /** @type {{row: number, href: string | null}} */
    this.lastLink = { row: -1, href: null }; // `href` is called twice for each link
    this.afterBr = false;
    /** @type {Map<number, string | null>} */
    this.languages = new Map(); // of elements that name one or none
    /** @type {Uint8Array} one entry an element, filled by `build` */
    this.isData = new Uint8Array();
  }

  get into() {
    return this.open.at(-1)?.into ?? this.fragment;
  }

  /** @returns {Generator<void, (Node | string)[], void>} */
  *build() {
    const { elements, table } = this;
    this.isData = yield* dataTables(table, this.kept.filter((place) => !table.leaves[place].isMedia));
    const needed = neededElements(table, this.kept);
    const rows = [...needed.keys()].filter((row) => needed[row]);
    /** @type {number[]} */
    const readableBefore = []; // how many visible texts stand before each leaf
    let readable = 0;
    for (const { visible, isMedia } of table.leaves) {
      readableBefore.push(readable);
      if (visible && !isMedia) readable++;
    }
    let next = 0; // in `rows`
    let last = -1;
    for (const place of this.kept) {
      yield;
      const leaf = table.leaves[place];
      const since = last < 0 ? readableBefore[place] : readableBefore[Math.min(last + 1, place)];
      let gap = leaf.gap || (last >= 0 && readableBefore[place] > since ? " " : "");
      if (next < rows.length && rows[next] <= leaf.opened && !this.inPre) {
        // White space is written before the elements that open, not inside them.
        this.closeUntil(elements.parent[rows[next]]);
        if (gap && !PREFORMATTED.has(elements.tag[rows[next]]) && !this.inPre) {
          this.into.push(" ");
          gap = "";
        }
      }
      for (; next < rows.length && rows[next] <= leaf.opened; next++) {
        yield;
        this.start(rows[next]);
      }
      this.closeUntil(leaf.element);
      if (this.inPre) this.into.push(leaf.gap);
      else if (gap) this.into.push(" ");
      if (leaf.isMedia) {
        this.medium(leaf.element);
      } else {
        this.into.push(this.inPre ? leaf.text : spaced(leaf.text));
        this.lastSource = null;
      }
      this.afterBr = false;
      last = place;
    }
    // The elements that are left are the empty cells at the end of the last table row.
    for (; next < rows.length; next++) {
      yield;
      this.start(rows[next]);
    }
    this.closeUntil(-1);
    return this.fragment;
  }

  /** Begin to write an element. @param {number} row */
  start(row) {
    this.closeUntil(this.elements.parent[row]);
    const tag = this.elements.tag[row];
    if (MEDIA.has(tag) && tag !== "math") return;
    let name = this.name(row, tag);
    if (this.forMarkdown && this.open.length > DEEPEST) name = "";
    if (this.forMarkdown && !INLINE_IN_CELL.has(name) && this.open.some((each) => isCell(each.name))) {
      if (tag === "br" || BLOCK.has(tag)) this.into.push(" ");
      name = "";
    }
    if (name === "br" || name === "hr") {
      const isParagraph = name === "br" && this.afterBr && this.forMarkdown;
      this.into.push({ name: isParagraph ? "p" : name, attributes: {}, children: [] });
      this.afterBr = true;
      return;
    }
    if (this.forMarkdown) this.startGrid(row, name);
    let into = this.into;
    if (name) into = append(into, name, this.attributes(row, name));
    const link = HEADINGS.has(name) ? this.linkAround(row) : null;
    if (link) into = append(into, "a", { href: link });
    this.open.push({ row, name, into });
    if (name === "pre") this.inPre++;
  }

  /** Close the open elements that do not hold the element `holder`; -1 closes all. @param {number} holder */
  closeUntil(holder) {
    for (let ended; (ended = this.open.at(-1)); ) {
      if (ended.row <= holder && holder < this.elements.end[ended.row]) return;
      this.open.pop();
      if (ended.name === "pre") this.inPre--;
      if (this.forMarkdown && ended.name === "tr") fill(ended.into, this.grid.endRow());
      if (this.forMarkdown && isCell(ended.name)) fill(this.into, this.grid.endCell());
    }
  }

  /**
   * The tag that is written for an element, empty for one that is left out.
   *
   * @param {number} row
   * @param {string} original
   */
  name(row, original) {
    const tag = RENAMED.get(original) ?? original;
    if (TABLE_TAGS.has(tag) && !this.isData[this.tableOf[row]]) return "div";
    if (this.forMarkdown && tag === "caption") return "div";
    if (this.forMarkdown && SECTIONS_OF_TABLE.has(tag)) return "";
    if (tag === "a" && ((this.forMarkdown && this.blocksBelow[row] > 0) || !this.href(row))) return "";
    if (KEPT_TAGS.has(tag)) return tag;
    return BLOCK.has(tag) && !UNWRAPPED.has(tag) ? "div" : "";
  }

  /** The target of a link, or null. @param {number} row */
  href(row) {
    if (this.lastLink.row !== row) {
      this.lastLink = { row, href: safeUrl(this.elements.attribute(row, "href"), this.base) };
    }
    return this.lastLink.href;
  }

  /** The target of a link that was left out because it holds this heading, or null. @param {number} row */
  linkAround(row) {
    if (!this.forMarkdown) return null;
    const around = this.open.findLast((each) => this.elements.tag[each.row] === "a" && this.blocksBelow[each.row] > 0);
    return around && row < this.elements.end[around.row] ? this.href(around.row) : null;
  }

  /** @param {number} row @param {string} name */
  startGrid(row, name) {
    if (name === "table") this.grid.startTable(this.widest(row));
    else if (name === "tr") this.grid.startRow();
    else if (isCell(name)) {
      const [colspan, rowspan] = ["colspan", "rowspan"].map((key) => this.elements.attribute(row, key));
      fill(this.into, this.grid.startCell(colspan, rowspan));
    }
  }

  /** The most cells that one element of a table holds. @param {number} row */
  widest(row) {
    /** @type {Map<number, number>} */
    const widths = new Map();
    let most = 0;
    for (let each = row; each < this.elements.end[row]; each++) {
      if (!IS_CELL[this.elements.code[each]]) continue;
      const width = (widths.get(this.elements.parent[each]) ?? 0) + 1;
      widths.set(this.elements.parent[each], width);
      most = Math.max(most, width);
    }
    return most;
  }

  /** The attributes that are written for an element. @param {number} row @param {string} name */
  attributes(row, name) {
    const attribute = (/** @type {string} */ key) => this.elements.attribute(row, key);
    /** @type {Record<string, string>} */
    const values = {};
    for (const key of this.forMarkdown && isCell(name) ? [] : (KEPT_ATTRIBUTES[name] ?? [])) {
      const value = attribute(key);
      if (value !== null) values[key] = value;
    }
    if (name === "a") values.href = this.href(row) ?? "";
    const source = name === "blockquote" || name === "q" ? safeUrl(attribute("cite"), this.base) : null;
    if (source) values.cite = source;
    const language = name === "code" || name === "pre" ? this.language(row) : null;
    if (language) values.class = `language-${language}`;
    for (const key of ["lang", "dir"]) {
      const value = attribute(key);
      if (value) values[key] = value;
    }
    return values;
  }

  /** The programming language of a code element, from its class or one close above, or null. @param {number} row */
  language(row) {
    let levels = LANGUAGE_LEVELS + 1;
    for (const candidate of this.elements.ancestors(row)) {
      if (!levels--) break;
      let language = this.languages.get(candidate);
      if (language === undefined) {
        language = this.namedLanguage(candidate);
        this.languages.set(candidate, language); // many code elements can be below one with a long class
      }
      if (language) return language;
    }
    return null;
  }

  /** The programming language that an element names itself, or null. @param {number} row */
  namedLanguage(row) {
    const names = split((this.elements.attribute(row, "class") ?? "").toLowerCase()).flatMap((word) =>
      LANGUAGE_PREFIXES.filter((prefix) => word.startsWith(prefix)).map((prefix) =>
        withoutEnd(word.slice(prefix.length), ";").replace(/^;+/, ""),
      ),
    );
    const named = names.find(Boolean) ?? (this.elements.attribute(row, "data-lang") ?? "").toLowerCase();
    return LANGUAGE.test(named) ? named : null;
  }

  /** Write a medium. @param {number} row */
  medium(row) {
    const source = mediumSource(this.table, row, this.base);
    // An image with lazy loading often has a copy in a <noscript>.
    if (!source || source === this.lastSource) return;
    this.lastSource = source;
    this.into.push(mediumNode(this.table, row, source, this.forMarkdown));
  }
}

/**
 * Add a node; returns its children.
 *
 * @param {(Node | string)[]} into
 * @param {string} name
 * @param {Node["attributes"]} attributes
 */
function append(into, name, attributes) {
  /** @type {Node} */
  const node = { name, attributes, children: [] };
  into.push(node);
  return node.children;
}

/** Add empty cells. @param {(Node | string)[]} into @param {number} cells how many */
function fill(into, cells) {
  for (let cell = 0; cell < cells; cell++) append(into, "td", {});
}
