// Formulas, whatever writes them, each once, as TeX (src/tamis/render/content/formulas.py).

/** @import {PageTable} from "../page/table.js" */
/** @import {Marks} from "./marks.js" */
/** @import {Child} from "./node.js" */
/** @import {Source} from "./source.js" */
/** @typedef {globalThis.Node} DomNode */

import { firstOf, folded, isSpace, length, split, stripped, strippedStart } from "../characters.js";
import { withoutEnd, withoutStart } from "../characters.js";
import { getAttribute, isElement, textContent } from "../page/dom.js";
import { MEDIA } from "../tags.js";
import { marksOf, united } from "./marks.js";
import * as katex from "./math/katex.js";
import { clean, presentation, toTex } from "./math/mathml.js";
import { plain } from "./math/readable.js";
import { isLatin } from "./math/symbols.js";
import { contentOf } from "./math/tex.js";
import { Node } from "./node.js";

// What the scripts that draw formulas, or hold one, are called.
const DRAWERS = ["mathjax", "katex", "tex-mml", "math/tex"];

const ATTRIBUTES = [
  "mathvariant", "linethickness", "columnalign", "columnspan", "rowspan", "stretchy", "accent", "fence", "accentunder",
  "displaystyle", "open", "close", "separators", "width", "linebreak", "form",
];
const DRAWN = ["MathJax", "mjx-chtml", "MJX"]; // how the classes of what MathJax 2 draws begin
const PREVIEW = "MathJax_Preview";
const TEX_CLASSES = new Set([
  "latex", "tex", "math", "mathtex", "mwe-math-fallback-image-inline", "mwe-math-fallback-image-display",
]);
// Programs that draw the TeX in their address, and what stands before it.
const DRAWING = [
  "latex.codecogs.com/", "latex.php?", "mathtex.cgi?", "mimetex.cgi?", "chart?cht=tx&chl=", "tex.s2cms.ru/",
];
const IN_ADDRESS = /(?:latex=|chl=|\?)((?:&space;|&plus;|[^&#])*)/u;
const SIZES = /\\(?:dpi|bg|fg)(?:_[a-z]+|\{[^{}]{0,20}\})|\\(?:inline|large|huge|small|LARGE)(?![a-zA-Z])/gu;
const WORDS = /[A-Za-z]{3,}/;
const RAW_CLASSES = ["math", "arithmatex", "tex", "latex", PREVIEW];
const NO_MATH_CLASSES = new Set(["tex2jax_ignore", "mathjax_ignore", "no-mathjax"]);
const NO_MATH_TAGS = new Set(["pre", "code", "kbd", "samp", "textarea", "option", "svg", "math"]);
const BLOCK_CLASSES = new Set(["mwe-math-element-block", "mwe-math-mathml-display", "mwe-math-fallback-image-display"]);
const DISPLAY_CLASSES = new Set(["display", "displaymath", "math-display"]);
const DEFINITIONS = [
  "\\newcommand", "\\renewcommand", "\\providecommand", "\\def", "\\DeclareMathOperator", "\\require", "\\let",
  "\\newenvironment", "\\gdef",
];
/** @type {[left: string, right: string, display: boolean][]} */
const DELIMITERS = [["$$", "$$", true], ["\\[", "\\]", true], ["\\(", "\\)", false], ["$", "$", false]];
const DIGIT = /^[0-9]$/;
const HIGHEST = 6; // elements around one that are looked at
const LONGEST = 20_000;
const LONGEST_IN_DOLLARS = 1000;

/** A formula. Its content is what plain text shows for it. */
export class Formula extends Node {
  /** @param {string} tex @param {boolean} display @param {() => Node} [content] the page's MathML */
  constructor(tex, display, content) {
    super("formula", display ? { tex, display: "block" } : { tex }, [plain(tex)]);
    this.content = content;
  }
}

/**
 * A formula as one element of MathML: the page's own, or made from the TeX.
 *
 * @param {Node} formula
 * @returns {Child[]}
 */
export function mathmlOf(formula) {
  if (formula instanceof Formula && formula.content) {
    const found = presentation(formula.content());
    return found.length === 1 && typeof found[0] !== "string" ? found : [new Node("mrow", {}, found)];
  }
  return [contentOf(formula.attributes.tex)];
}

/** May the page have formulas? A quick look. @param {PageTable} table */
export function hasFormulas({ elements }) {
  if (elements.has("math", "mjx-container", "math-renderer")) return true;
  return elements.tag.some((tag, row) => {
    if (tag === "script") return namesTex(elements.node[row]);
    return tag === "img" && mayBeTex(elements.node[row]);
  });
}

/** Does a script draw formulas, or hold one? @param {DomNode} script */
function namesTex(script) {
  if (!isElement(script)) return false;
  const says = ["src", "type", "id"].map((name) => getAttribute(script, name) ?? "").join(" ").toLowerCase();
  return DRAWERS.some((name) => says.includes(name));
}

/** @param {DomNode} image */
function mayBeTex(image) {
  if (!isElement(image)) return false;
  const alt = getAttribute(image, "alt") || getAttribute(image, "title");
  if (!alt) return false;
  return /[\\^]|^\$/.test(alt) || split(getAttribute(image, "class") ?? "").some((name) => TEX_CLASSES.has(name));
}

/** The formulas of a page. @param {Source} source @returns {Generator<void, Marks | null, void>} */
export function* formulas(source) {
  if (!hasFormulas(source.table)) return null;
  let found = yield* new Finder(source).find();
  const dollars = rawMath(source.table);
  if (dollars !== null) found = united(found, yield* rawLeaves(source, dollars, found));
  return found.replaced.size || found.skipped.size || found.split.size ? found : null;
}

/** Collects the formulas that are elements. */
class Finder {
  /** @type {Map<number, Formula>} */
  found = new Map();
  /** @type {Set<number>} */
  skipped = new Set();

  /** @param {Source} source */
  constructor(source) {
    this.source = source;
    this.end = source.elements.end;
    this.parent = source.elements.parent;
  }

  /** @returns {Generator<void, Marks, void>} */
  *find() {
    const { source } = this;
    for (const row of this.outermost(source.classes.get("katex"))) {
      yield;
      this.katex(row);
    }
    for (const row of this.outermost(source.tags.get("mjx-container"))) {
      yield;
      this.add(row, this.formulaIn(row, source.attribute(row, "display") === "true"));
    }
    for (const row of source.tags.get("script") ?? []) {
      yield;
      this.script(row);
    }
    for (const [name, rows] of source.classes) {
      yield;
      if (isDrawn(name)) for (const row of rows) this.drawn(row, name);
    }
    for (const row of this.outermost(source.classes.get("mwe-math-element"))) {
      yield;
      this.add(row, this.formulaIn(row, this.isBlock(row)));
    }
    for (const row of this.outermost(source.tags.get("math"))) {
      yield;
      if (!this.isInFormula(row)) this.add(this.drawnAround(row), this.formulaOf(row, this.isDisplay(row)));
    }
    for (const row of source.tags.get("img") ?? []) {
      yield;
      this.image(row);
    }
    for (const row of source.tags.get("math-renderer") ?? []) this.marked(row, ""); // GitHub
    for (const name of RAW_CLASSES) {
      yield;
      for (const row of source.classes.get(name) ?? []) this.marked(row, name);
    }
    return this.marks();
  }

  /** Without the elements that are inside of others. @param {number[]} [rows] */
  outermost(rows = []) {
    let reach = -1;
    return rows.filter((row) => {
      if (row < reach) return false;
      reach = this.end[row];
      return true;
    });
  }

  /** @param {number} row @param {Formula | null} formula */
  add(row, formula) {
    if (!formula || this.found.has(row)) return;
    if (isDefinition(formula.attributes.tex)) this.skipped.add(row);
    else this.found.set(row, formula);
  }

  /** Without formulas that are inside of others. @returns {Marks} */
  marks() {
    /** @type {Map<number, Node>} */
    const replaced = new Map();
    /** @type {Map<number, string>} */
    const text = new Map();
    for (const row of this.outermost([...this.found.keys()].sort((one, other) => one - other))) {
      const formula = /** @type {Formula} */ (this.found.get(row));
      replaced.set(row, formula);
      const shown = formula.text();
      if ("display" in formula.attributes) text.set(row, `\n${shown}\n`);
      else if (this.followsDigit(row, shown)) text.set(row, ` ${shown}`);
    }
    return marksOf({ replaced, text, skipped: new Set([...this.skipped].filter((row) => !replaced.has(row))) });
  }

  /** Would a number run into the one before it, as in 1½? @param {number} row @param {string} shown */
  followsDigit(row, shown) {
    const { leaves, table } = this.source;
    const [first] = this.source.leavesIn(row);
    if (!first || leaves[first].gap || !DIGIT.test(shown[0] ?? "")) return false;
    if (table.blocks[leaves[first].element] !== table.blocks[leaves[first - 1].element]) return false;
    return DIGIT.test(leaves[first - 1].text.slice(-1));
  }

  /** Is an element in a formula, or in what is skipped? @param {number} row */
  isInFormula(row) {
    for (let step = 0, each = row; step < HIGHEST && each >= 0; step++, each = this.parent[each]) {
      if (this.found.has(each) || this.skipped.has(each)) return true;
    }
    return false;
  }

  /** The elements around one. @param {number} row */
  *above(row) {
    let each = this.parent[row];
    for (let step = 0; step < HIGHEST && each >= 0; step++, each = this.parent[each]) yield each;
  }

  /** @param {number} row */
  katex(row) {
    let formula = this.formulaIn(row, false);
    const above = this.parent[row];
    const isDisplay = above >= 0 && this.source.classNames(above).includes("katex-display");
    if (!formula) {
      const tex = clean(katex.toTex(this.source.subtree(row, ["class"])));
      formula = tex ? new Formula(tex, isDisplay) : null;
    } else if (isDisplay) formula = new Formula(formula.attributes.tex, true, formula.content);
    this.add(isDisplay ? above : row, formula);
  }

  /** The type of a script that holds a formula, else empty. @param {number} row */
  scriptType(row) {
    const kind = (this.source.attribute(row, "type") ?? "").toLowerCase();
    return kind.startsWith("math/tex") ? kind : "";
  }

  /** A formula for MathJax 2. @param {number} row */
  script(row) {
    const kind = this.scriptType(row);
    if (!kind) return;
    const tex = clean(this.source.script(row));
    this.add(row, tex ? new Formula(tex, kind.includes("mode=display")) : null);
  }

  /**
   * What MathJax 2 has drawn for the script that follows it; both are siblings.
   *
   * @param {number} row
   * @param {string} name
   */
  drawn(row, name) {
    if (this.source.tag(row) === "mjx-container" || this.isInFormula(row)) return;
    let sibling = row;
    for (let step = 0; step < 3; step++) {
      const after = this.end[sibling];
      if (after === this.end.length || this.parent[after] !== this.parent[row]) return;
      sibling = after;
      if (this.source.tag(sibling) === "script") break;
    }
    if (!this.scriptType(sibling)) return;
    if (!this.found.has(sibling) && !this.skipped.has(sibling) && name !== PREVIEW) {
      this.script(sibling);
      const formula = this.found.get(sibling);
      if (formula && !this.source.holds[sibling]) {
        this.found.delete(sibling); // only what is drawn is kept
        this.found.set(row, formula);
        return;
      }
    }
    this.skipped.add(row);
  }

  /** What MathJax has drawn with this MathML in it; else the MathML itself. @param {number} row */
  drawnAround(row) {
    let outer = row;
    for (const above of this.above(row)) if (this.source.classNames(above).some(isDrawn)) outer = above;
    return outer;
  }

  /** @param {number} math */
  isDisplay(math) {
    const display = (this.source.attribute(math, "display") ?? "").toLowerCase();
    return display === "block" || this.source.attribute(math, "mode") === "display";
  }

  /** Is an element of Wikipedia's a formula on a line of its own? @param {number} row */
  isBlock(row) {
    for (let inner = row; inner < Math.min(this.end[row], row + 4); inner++) {
      if (this.source.classNames(inner).some((name) => BLOCK_CLASSES.has(name))) return true;
    }
    return false;
  }

  /**
   * The formula that an element holds as MathML, as an attribute, or as an image.
   *
   * @param {number} row
   * @param {boolean} display
   */
  formulaIn(row, display) {
    const { source } = this;
    const end = this.end[row];
    for (const name of ["data-latex", "data-tex"]) {
      for (let inside = row; inside < Math.min(end, row + 3); inside++) {
        const tex = clean(source.attribute(inside, name) ?? "");
        if (tex) return new Formula(tex, display);
      }
    }
    for (let inside = row; inside < end; inside++) {
      if (source.tag(inside) === "math") return this.formulaOf(inside, display || this.isDisplay(inside));
    }
    for (let inside = row; inside < end; inside++) {
      const tex = source.tag(inside) === "img" ? clean(source.attribute(inside, "alt") ?? "") : "";
      if (tex) return new Formula(tex, display);
    }
    return null;
  }

  /** The formula of a `math` element. @param {number} math @param {boolean} display */
  formulaOf(math, display) {
    const { source } = this;
    const content = () => source.subtree(math, ATTRIBUTES);
    for (let inside = this.end[math] - 1; inside > math; inside--) {
      if (source.tag(inside) !== "annotation") continue; // which comes last
      if (!(source.attribute(inside, "encoding") ?? "").toLowerCase().includes("tex")) continue;
      const tex = clean(source.text(inside));
      return tex ? new Formula(tex, display, content) : null;
    }
    for (const name of ["data-latex", "alttext"]) {
      const tex = clean(source.attribute(math, name) ?? "");
      if (tex && isTex(tex)) return new Formula(tex, display, content);
    }
    const tex = clean(toTex(content()));
    return tex ? new Formula(tex, display, content) : null;
  }

  /** An image of a formula, with the TeX as its alternative text or in its address. @param {number} row */
  image(row) {
    const { source } = this;
    const address = source.attribute(row, "src") || source.attribute(row, "data-src") || "";
    const isProgram = DRAWING.some((program) => address.includes(program));
    const names = source.classNames(row);
    const alt = folded(source.attribute(row, "alt") || source.attribute(row, "title") || "");
    const display = alt.startsWith("\\begin{") ? true : delimited(alt); // LaTeX2HTML
    if (!isProgram && display === null && !names.some((name) => TEX_CLASSES.has(name))) return;
    let tex = clean(alt);
    const found = isProgram && !(tex && isTex(tex)) ? IN_ADDRESS.exec(address) : null;
    if (found) {
      const part = found[1].replaceAll("+", " ").replaceAll("&space;", " ").replaceAll("&plus;", "+");
      tex = clean(unquoted(part).replace(SIZES, " "));
    }
    if (!tex || !isTex(tex)) return;
    const above = this.parent[row] >= 0 ? source.classNames(this.parent[row]) : [];
    this.add(row, new Formula(tex, Boolean(display) || [...names, ...above].some((name) => DISPLAY_CLASSES.has(name))));
  }

  /**
   * TeX in an element of its own, with delimiters or with classes that say what it is.
   *
   * @param {number} row
   * @param {string} name
   */
  marked(row, name) {
    const { source } = this;
    if (this.end[row] !== row + 1 || this.isInFormula(row) || MEDIA.has(source.tag(row))) return;
    const text = folded(source.text(row));
    const names = source.classNames(row);
    const byClass = name === "math" && (names.includes("inline") || names.includes("display"));
    let display = delimited(text);
    if (display === null && byClass && !/^(?:\$|\\[([])/.test(text)) display = names.includes("display");
    const tex = display === null ? "" : clean(text);
    if (tex) this.add(row, new Formula(tex, Boolean(display)));
  }
}

/**
 * Does one formula between delimiters stand on a line of its own? Null if the text is something else.
 *
 * @param {string} text
 */
function delimited(text) {
  for (const [left, right, display] of DELIMITERS) {
    if (!text.startsWith(left) || !text.endsWith(right) || text.length <= left.length + right.length) continue;
    return text.slice(left.length, -right.length).includes(left) ? null : display;
  }
  return null;
}

/** @param {string} name of a class */
const isDrawn = (name) => DRAWN.some((begin) => name.startsWith(begin));

/** Is an alternative text a formula, and no words about one? @param {string} text */
const isTex = (text) => /[\\^_{]/.test(text) || !WORDS.test(text);

/** urllib.parse.unquote() @param {string} text */
function unquoted(text) {
  return text.replace(/(?:%[0-9a-fA-F]{2})+/g, (run) => {
    const bytes = Uint8Array.from(run.slice(1).split("%"), (byte) => parseInt(byte, 16));
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  });
}

/** Does it define commands and show nothing? @param {string} tex */
function isDefinition(tex) {
  if (length(tex) > LONGEST) return false;
  let rest = tex;
  while (rest) {
    const name = DEFINITIONS.find((each) => rest.startsWith(each));
    if (!name) return false;
    rest = withoutStart(rest.slice(name.length), " *");
    for (let count = name === "\\require" ? 1 : 2; count; count--) {
      while (rest[0] === "[") {
        const end = rest.indexOf("]");
        rest = strippedStart(end < 0 ? "" : rest.slice(end + 1));
      }
      rest = strippedStart(rest.slice(endOfArgument(rest)));
    }
  }
  return true;
}

/** Where a group, or a command, at the begin of TeX ends. @param {string} tex */
function endOfArgument(tex) {
  if (tex[0] === "\\") {
    let end = 1;
    while (end < tex.length && isLatin(tex[end])) end++;
    const begin = tex[end] === "#" ? tex.indexOf("{", end) : end; // the parameters of \def
    return begin >= 0 ? begin : tex.length;
  }
  if (tex[0] !== "{") return firstOf(tex).length;
  let depth = 0;
  let skipped = false;
  for (let at = 0; at < tex.length; at++) {
    if (skipped || tex[at] === "\\") skipped = !skipped;
    else if (tex[at] === "{") depth++;
    else if (tex[at] === "}" && !--depth) return at + 1;
  }
  return tex.length;
}

/**
 * Does a script of the page draw TeX in its text? Null if not; else whether single dollars are delimiters, too.
 *
 * @param {PageTable} table
 */
export function rawMath({ elements }) {
  const scripts = elements.node.filter((_, row) => elements.tag[row] === "script");
  if (!scripts.some((node) => namesTex(node) && !holdsTex(node))) return null;
  return scripts.some((node) => {
    const text = textContent(node) ?? "";
    return /inlineMath|delimiters/.test(text) && /'\$'|"\$"/.test(text);
  });
}

/** @param {DomNode} node */
const holdsTex = (node) => isElement(node) && (getAttribute(node, "type") ?? "").toLowerCase().startsWith("math/tex");

const OPENING = /\\\(|\\\[|\$\$?|\\begin\{([a-zA-Z]{1,20}\*?)\}|\\[\s\S]/gu;
const CLOSING = new Map([["\\(", "\\)"], ["\\[", "\\]"], ["$$", "$$"], ["$", "$"]]);
// These need no delimiters.
const ENVIRONMENTS = new Set([
  "equation", "align", "gather", "multline", "eqnarray", "alignat", "flalign", "displaymath", "math",
]);

/** @typedef {[first: number, last: number, child: Child]} Range */

/**
 * A text as texts and formulas: \(..\), \[..\], $$..$$, environments, and with `dollars` $..$.
 *
 * @param {string} text
 * @param {boolean} dollars
 */
export function splitRaw(text, dollars) {
  /** @type {Child[]} */
  const parts = [];
  let at = 0;
  for (const [first, last, child] of rawFormulas(text, dollars)) {
    if (first > at) parts.push(text.slice(at, first));
    parts.push(child);
    at = last;
  }
  if (at < text.length) parts.push(text.slice(at));
  return parts;
}

/**
 * The formulas in a text, and dollars that are escaped because others are delimiters, with their ranges.
 *
 * @param {string} text
 * @param {boolean} dollars
 * @returns {Generator<Range, void, void>}
 */
function* rawFormulas(text, dollars) {
  let at = 0;
  /** @type {Map<string, number>} */
  const ends = new Map(); // where each end is next; -1 if nowhere
  for (;;) {
    OPENING.lastIndex = at;
    const found = OPENING.exec(text);
    if (!found) return;
    const [opening, name] = found;
    const start = found.index;
    at = start + opening.length;
    if (opening === "\\$" && dollars) yield [start, at, "$"];
    const closing = name ? `\\end{${name}}` : CLOSING.get(opening);
    if (!closing || (opening === "$" && !dollars) || (name && !ENVIRONMENTS.has(withoutEnd(name, "*")))) continue;
    const known = ends.get(closing) ?? 0;
    const end = known < 0 || known >= at ? known : opening === "$" ? unescaped(text, at) : text.indexOf(closing, at);
    ends.set(closing, end);
    if (end < 0 || end - at > LONGEST) continue;
    const inside = text.slice(at, end);
    if (!stripped(inside) || (opening === "$" && !isBetweenDollars(inside, text[end + 1] ?? ""))) continue;
    const last = end + closing.length;
    const tex = clean(name ? text.slice(start, last) : inside);
    if (tex) yield [start, last, new Formula(tex, opening === "$$" || opening === "\\[" || Boolean(name))];
    at = last;
  }
}

/** Where the next dollar is that has no backslash before it; -1 if nowhere. @param {string} text @param {number} at */
function unescaped(text, at) {
  let end = text.indexOf("$", at);
  while (end > 0 && text[end - 1] === "\\") end = text.indexOf("$", end + 1);
  return end;
}

/** Is it a formula, and not what stands between two prices? @param {string} inside @param {string} after */
function isBetweenDollars(inside, after) {
  if (length(inside) > LONGEST_IN_DOLLARS || isSpace(inside[0]) || isSpace(inside[inside.length - 1])) return false;
  return !inside.includes("\n\n") && !DIGIT.test(after);
}

/**
 * The texts with raw formulas, by leaf. A formula may go on after a line break: then it is in its first text.
 *
 * @param {Source} source
 * @param {boolean} dollars
 * @param {Marks} found
 */
function* rawLeaves(source, dollars, found) {
  const { leaves } = source;
  const taken = new Set([...found.replaced.keys(), ...found.skipped].flatMap((row) => source.leavesIn(row)));
  /** @type {Map<number, Child[]>} */
  const parted = new Map();
  /** @type {Set<number>} */
  const skipped = new Set(); // line breaks inside of formulas
  /** @type {Map<number, boolean>} */
  const inCode = new Map();
  for (const group of linesOf(source)) {
    yield;
    if (!group.some((leaf) => /[\\$]/.test(leaves[leaf].text))) continue;
    if (taken.has(group[0]) || isCode(source, leaves[group[0]].element, inCode)) continue;
    const texts = group.map((leaf) => leaves[leaf].text);
    const ranges = [...rawFormulas(texts.join("\n"), dollars)];
    for (const [leaf, parts, goesOn] of byLeaf(texts, group, ranges)) {
      parted.set(leaf, parts);
      for (let row = leaves[leaf].opened + 1; goesOn && row <= leaves[leaf + 1].opened; row++) skipped.add(row);
    }
  }
  return marksOf({ split: parted, skipped });
}

/** Kept texts, those with only line breaks between them together. @param {Source} source */
function* linesOf({ leaves, kept, elements }) {
  /** @type {number[]} */
  let group = [];
  for (const leaf of kept) {
    if (leaves[leaf].isMedia) continue;
    const last = group[group.length - 1];
    if (group.length && !areLines(leaf, last)) {
      yield group;
      group = [];
    }
    group.push(leaf);
  }
  if (group.length) yield group;

  /** @param {number} leaf @param {number} last */
  function areLines(leaf, last) {
    const [from, to] = [leaves[last].opened + 1, leaves[leaf].opened + 1];
    if (leaf !== last + 1 || leaves[leaf].element !== leaves[last].element || to - from >= 4) return false;
    return elements.tag.slice(from, to).every((tag) => tag === "br" || tag === "wbr");
  }
}

/**
 * Is it in an element whose text is not read for formulas? What is found is added to `known`.
 *
 * @param {Source} source
 * @param {number} row
 * @param {Map<number, boolean>} known
 */
function isCode(source, row, known) {
  const path = [];
  let found = false;
  for (const above of source.elements.ancestors(row)) {
    const before = known.get(above);
    if (before === undefined) path.push(above);
    const isNone = () => source.classNames(above).some((name) => NO_MATH_CLASSES.has(name));
    found = before ?? (NO_MATH_TAGS.has(source.tag(above)) || isNone());
    if (found || before !== undefined) break;
  }
  for (const each of path) known.set(each, found);
  return found;
}

/**
 * The parts of each text of a group that has formulas, and whether the last goes on in the next text. A formula is in
 * the text in which it begins.
 *
 * @param {string[]} texts
 * @param {number[]} group
 * @param {Range[]} ranges
 * @returns {Generator<[leaf: number, parts: Child[], goesOn: boolean], void, void>}
 */
function* byLeaf(texts, group, ranges) {
  let begin = 0;
  let number = 0;
  for (const [place, text] of texts.entries()) {
    const end = begin + text.length;
    /** @type {Child[]} */
    const parts = [];
    let at = begin;
    let isTouched = false;
    let goesOn = false;
    while (number < ranges.length && ranges[number][0] < end && !goesOn) {
      const [first, last, child] = ranges[number];
      isTouched = true;
      if (first > at) parts.push(text.slice(at - begin, first - begin));
      if (first >= begin) parts.push(child);
      at = Math.min(last, end);
      goesOn = last > end;
      if (!goesOn) number++;
    }
    if (at < end) parts.push(text.slice(at - begin));
    if (isTouched) yield [group[place], parts, goesOn];
    begin = end + 1;
  }
}
