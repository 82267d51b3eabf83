// TeX to MathML (src/tamis/render/math/tex.py, which says what is forgiven).

import { folded, length, stripped, withoutEnd, withoutStart } from "../../characters.js";
import { Node } from "../node.js";
import * as symbols from "./symbols.js";

const { ACCENTS, ALPHABETS, ARROWS, CHARACTERS, ENVIRONMENTS, FENCES, FONT_COMMANDS, FUNCTIONS, INTEGRALS } = symbols;
const { LARGE, LETTERS, LIMITS, NEGATED, OPERATORS, SPACES, TABLE, UNDERS } = symbols;

// Each level of TeX is at the most two of MathML.
const DEEPEST = 25;
const LONGEST = 20_000; // longer ones are written as their source
const TOKEN = /\\(?:[a-zA-Z]+|[\s\S])|[0-9]+(?:\.[0-9]+)?|%[^\n]*\n?|[ \t\r\n\f\v\xa0]+|[\s\S]/gu;
const BLANK = new Set(" \t\r\n\f\v\xa0%");
const ENDS = new Set(["}", "&", "\\right", "\\end", "\\\\", "\\cr", "\\newline"]);
const NEW_ROWS = new Set(["\\\\", "\\cr", "\\newline"]);
const INFIX = new Map([
  ["\\over", ["", "", ""]],
  ["\\atop", ["", "", "0"]],
  ["\\choose", ["(", ")", "0"]],
  ["\\brack", ["[", "]", "0"]],
  ["\\brace", ["{", "}", "0"]],
]);
const FRACTIONS = new Set(["frac", "dfrac", "tfrac", "cfrac"]);
const BINOMIALS = new Set(["binom", "dbinom", "tbinom"]);
const OVER = new Set(["overset", "stackrel"]);
const PLAIN = new Set(["equation", "math", "displaymath"]);
const COUNTED = new Set(["array", "subarray", "alignat", "alignedat"]); // environments with an argument
const ALIGNED = new Set(["aligned", "align", "split", "alignat", "alignedat", "eqnarray", "flalign"]);
const SIDES = new Map([["cases", "left"], ["dcases", "left"], ["rcases", "left"], ["multline", "left"]]);
const STACKING = new Set([...LARGE.values(), "⏞", "⏟", "⎴", "⎵", "⏜", "⏝"]); // scripts stand above and below
const LIMIT_TEXTS = new Set(LIMITS.values());
const [SWITCHES, TEXTS, IGNORED, HIDING, TRANSPARENT] = [
  TABLE.switches, TABLE.texts, TABLE.ignored, TABLE.hiding, TABLE.transparent,
].map((names) => new Set(names));
const STYLED = new Set(["textcolor", "colorbox", "class", "cssId", "href", "style"]);
const DIGIT = /^[0-9]/;

/** The formula is nested too deeply. */
export class TooDeep extends Error {}

/** A formula as a `math` element with its TeX as annotation. @param {string} tex @param {boolean} [display] */
export function toMathml(tex, display = false) {
  const annotation = new Node("annotation", { encoding: "application/x-tex" }, [tex]);
  const semantics = new Node("semantics", {}, [contentOf(tex), annotation]);
  return new Node("math", display ? { display: "block" } : {}, [semantics]);
}

/** A formula as one element of MathML. @param {string} tex */
export function contentOf(tex) {
  try {
    if (length(tex) <= LONGEST) return row(parse(tex));
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
  }
  return new Node("mtext", {}, [tex]);
}

/** A formula as elements of MathML that stand in a row; throws TooDeep. @param {string} tex */
export const parse = (tex) => new Parser(tex, 0).whole();

/** Elements as one. @param {Node[]} items @returns {Node} */
export const row = (items) => (items.length === 1 ? items[0] : new Node("mrow", {}, [...items]));

class Parser {
  #at = 0;
  #font = "";
  #tokens;
  #depth;

  /** @param {string} tex @param {number} depth */
  constructor(tex, depth) {
    /** @type {string[]} */
    this.#tokens = tex.match(TOKEN) ?? [];
    this.#depth = depth;
  }

  /** All of it; what ends without a beginning is left out. */
  whole() {
    /** @type {Node[]} */
    const items = [];
    for (;;) {
      for (const item of this.#items()) items.push(item);
      if (this.#at === this.#tokens.length) return items;
      const piece = this.#next();
      if (piece === "\\right") this.#delimiter();
      else if (piece === "\\end") this.#raw();
      else if (piece !== "&" && piece !== "}" && piece !== "") items.push(new Node("mspace", { linebreak: "newline" }));
    }
  }

  /** The next token that is not blank; empty at the end. */
  #peek() {
    while (this.#at < this.#tokens.length && BLANK.has(this.#tokens[this.#at][0])) this.#at++;
    return this.#tokens[this.#at] ?? "";
  }

  #next() {
    const piece = this.#peek();
    if (piece) this.#at++;
    return piece;
  }

  /** Go past the next token if it is this one. @param {string} piece */
  #take(piece) {
    const found = this.#peek() === piece;
    if (found) this.#at++;
    return found;
  }

  #deeper() {
    if (this.#depth === DEEPEST) throw new TooDeep();
    this.#depth++;
  }

  /**
   * Elements up to the end of a group, cell or formula, or up to `end`, which is not consumed.
   *
   * @param {string} [end]
   */
  #items(end = "") {
    this.#deeper();
    const font = this.#font;
    /** @type {Node[]} */
    let items = [];
    for (let piece; (piece = this.#peek()) && !ENDS.has(piece) && piece !== end; ) {
      const infix = INFIX.get(piece);
      if (infix) {
        this.#at++;
        const [left, right, line] = infix;
        items = [this.#fraction(row(items), row(this.#items(end)), left, right, line)];
        break;
      }
      const found = this.#scripted(this.#atom());
      if (!found) continue;
      if (items.length && isFunction(items[items.length - 1])) items.push(mo("\u2061")); // the sign of application
      items.push(found);
    }
    this.#font = font;
    this.#depth--;
    return items;
  }

  /** A group whose brace has been read. */
  #group() {
    const found = row(this.#items());
    this.#take("}");
    return found;
  }

  /** A group, a command with its arguments, or a single character. @returns {Node} */
  #argument() {
    const piece = this.#peek();
    if (!piece || ENDS.has(piece)) return row([]);
    if (piece === "{") {
      this.#at++;
      return this.#group();
    }
    if (DIGIT.test(piece) && piece.length > 1) {
      this.#tokens[this.#at] = piece.slice(1); // of a number only the first digit
      return this.#number(piece[0]);
    }
    this.#deeper();
    const found = this.#atom();
    this.#depth--;
    return found ?? row([]);
  }

  /** An argument in square brackets. */
  #optional() {
    if (!this.#take("[")) return null;
    const found = row(this.#items("]"));
    this.#take("]");
    return found;
  }

  /** A group as it is written, without its braces; a single token without them. */
  #raw() {
    if (this.#peek() !== "{") return this.#next();
    this.#at++;
    const first = this.#at;
    for (let depth = 1; this.#at < this.#tokens.length; ) {
      const piece = this.#tokens[this.#at++];
      depth += Number(piece === "{") - Number(piece === "}");
      if (!depth) return this.#tokens.slice(first, this.#at - 1).join("");
    }
    return this.#tokens.slice(first).join("");
  }

  /**
   * An element with the scripts that follow it. A second one of a kind stands beside the first.
   *
   * @param {Node | null} base
   */
  #scripted(base) {
    /** @type {Node[]} */
    const below = [];
    /** @type {Node[]} */
    const above = [];
    for (;;) {
      const piece = this.#peek();
      if (piece === "_") {
        this.#at++;
        below.push(this.#argument());
      } else if (piece === "^") {
        this.#at++;
        above.push(this.#argument());
      } else if (piece === "'") above.push(this.#primes());
      else if (piece === "\\limits" || piece === "\\nolimits") this.#at++;
      else break;
    }
    if (!below.length && !above.length) return base;
    const under = base ?? row([]);
    const stacked = takesLimits(under);
    if (below.length && above.length) {
      return new Node(stacked ? "munderover" : "msubsup", {}, [under, row(below), row(above)]);
    }
    if (below.length) return new Node(stacked ? "munder" : "msub", {}, [under, row(below)]);
    return new Node(stacked ? "mover" : "msup", {}, [under, row(above)]);
  }

  #primes() {
    let count = 0;
    while (this.#take("'")) count++;
    return mo(count <= 3 ? "′″‴"[count - 1] : "′".repeat(count));
  }

  /** @param {string} digits */
  #number(digits) {
    const font = ALPHABETS.get(this.#font);
    return new Node("mn", {}, [Array.from(digits, (digit) => font?.get(digit) ?? digit).join("")]);
  }

  /** A letter in the font that is set. @param {string} letter */
  #letter(letter) {
    if (this.#font === "mathrm") return new Node("mi", { mathvariant: "normal" }, [letter]);
    const styled = ALPHABETS.get(this.#font)?.get(letter);
    if (styled !== undefined) return new Node("mi", {}, [styled]);
    const bold = this.#font === "mathbf" || this.#font === "boldsymbol";
    return new Node("mi", bold ? { mathvariant: "bold-italic" } : {}, [letter]);
  }

  /** The next element without its scripts; null for what shows nothing. @returns {Node | null} */
  #atom() {
    const piece = this.#peek();
    if (piece === "^" || piece === "_" || piece === "'") return row([]);
    this.#at++;
    if (piece === "{") return this.#group();
    if (piece === "~") return space("~");
    if (piece.length > 1 && piece[0] === "\\") return this.#command(piece.slice(1));
    if (DIGIT.test(piece)) return this.#number(piece);
    if (/^\p{L}$/u.test(piece)) return this.#letter(piece);
    return piece === "\\" ? null : mo(CHARACTERS.get(piece) ?? piece);
  }

  /** @param {string} name @returns {Node | null} */
  #command(name) {
    const letter = LETTERS.get(name);
    if (letter !== undefined) return this.#letter(letter);
    const operator = OPERATORS.get(name) ?? LARGE.get(name) ?? INTEGRALS.get(name);
    if (operator !== undefined) return mo(operator);
    if (FUNCTIONS.has(name)) return new Node("mi", {}, [name]);
    const limit = LIMITS.get(name);
    if (limit !== undefined) return new Node("mo", { movablelimits: "true" }, [limit]);
    if (SPACES.has(name)) return space(name);
    if (FRACTIONS.has(name)) return this.#fraction(this.#argument(), this.#argument());
    if (FONT_COMMANDS.has(name)) return this.#inFont(name);
    if (TEXTS.has(name)) return this.#text(this.#raw());
    const accent = ACCENTS.get(name);
    if (accent !== undefined) return new Node("mover", { accent: "true" }, [this.#argument(), mark(accent)]);
    return this.#rarer(name);
  }

  /** @param {string} name @returns {Node | null} */
  #rarer(name) {
    const under = UNDERS.get(name);
    if (under !== undefined) return new Node("munder", { accentunder: "true" }, [this.#argument(), mark(under)]);
    if (name === "sqrt") {
      const index = this.#optional();
      const radicand = this.#argument();
      return index ? new Node("mroot", {}, [radicand, index]) : new Node("msqrt", {}, [radicand]);
    }
    if (name === "left") return this.#fenced();
    if (name === "middle") return fence(this.#delimiter(), "infix");
    if (name === "begin") return this.#environment(withoutStart(withoutEnd(this.#raw(), " *"), " *"));
    if (name === "operatorname" || name === "mathop") return this.#operator();
    if (BINOMIALS.has(name)) return this.#fraction(this.#argument(), this.#argument(), "(", ")", "0");
    if (OVER.has(name) || name === "underset") {
      const script = this.#argument();
      return new Node(name === "underset" ? "munder" : "mover", {}, [this.#argument(), script]);
    }
    const arrow = ARROWS.get(name);
    if (arrow !== undefined) {
      const below = this.#optional();
      const above = this.#argument();
      return new Node(below ? "munderover" : "mover", {}, [mark(arrow), ...(below ? [below] : []), above]);
    }
    return this.#rarest(name);
  }

  /** @param {string} name @returns {Node | null} */
  #rarest(name) {
    if (TRANSPARENT.has(name)) return this.#argument();
    if (IGNORED.has(name)) return null;
    if (HIDING.has(name)) {
      this.#raw();
      return null;
    }
    if (name === "not") {
      const text = this.#argument().text();
      return mo(NEGATED.get(text) ?? `${text}\u0338`);
    }
    if (name === "phantom") return new Node("mphantom", {}, [this.#argument()]);
    if (name === "substack") return this.#table("substack", this.#take("{"));
    if (STYLED.has(name)) {
      this.#raw();
      return this.#argument();
    }
    if (name === "bmod" || name === "mod") return mo("mod");
    if (name === "pmod" || name === "pod") {
      const word = name === "pmod" ? [new Node("mi", {}, ["mod"]), space("~")] : [];
      return row([space("quad"), mo("("), ...word, this.#argument(), mo(")")]);
    }
    if (name === "tag" || name === "eqref" || name === "ref") {
      this.#take("*");
      const label = this.#raw();
      return new Node("mtext", {}, [name === "tag" ? `\u2003(${label})` : label]);
    }
    return new Node("mtext", {}, [`\\${name}`]);
  }

  #operator() {
    this.#take("*");
    const source = this.#raw();
    const name = stripped(source.replaceAll("\\,", " ").replaceAll("\\ ", " ").replaceAll("~", " "));
    if (/^[\p{L}\p{N}]+$/u.test(name.replaceAll(" ", "").replaceAll("-", ""))) {
      return new Node("mi", [...name].length === 1 ? { mathvariant: "normal" } : {}, [folded(name)]);
    }
    return this.#inner(source);
  }

  /** TeX inside of a text, or that has been read as one. @param {string} tex */
  #inner(tex) {
    if (this.#depth === DEEPEST) throw new TooDeep();
    return row(new Parser(tex, this.#depth + 1).whole());
  }

  /** @param {Node} above @param {Node} below @param {string} [left] @param {string} [right] @param {string} [line] */
  #fraction(above, below, left = "", right = "", line = "") {
    const found = new Node("mfrac", line ? { linethickness: line } : {}, [above, below]);
    return left ? new Node("mrow", {}, [fence(left, "prefix"), found, fence(right, "postfix")]) : found;
  }

  /** What follows, in a font: the rest of the group, or an argument. @param {string} name */
  #inFont(name) {
    const font = FONT_COMMANDS.get(name) ?? "";
    if (SWITCHES.has(name)) {
      this.#font = font;
      return null;
    }
    const [start, before] = [this.#at, this.#font];
    if (font === "mathrm") {
      const word = this.#raw();
      if (word.length > 1 && symbols.isLatin(word)) return new Node("mi", {}, [word]);
      this.#at = start;
    }
    this.#font = font;
    const found = this.#argument();
    this.#font = before;
    return found;
  }

  /** A text, with the formulas in it. @param {string} source */
  #text(source) {
    const parts = source.replaceAll("\\(", "$").replaceAll("\\)", "$").replaceAll("\\$", "\0").split("$");
    /** @type {Node[]} */
    const found = [];
    parts.forEach((part, number) => {
      if (number % 2) found.push(this.#inner(part.replaceAll("\0", "\\$")));
      else if (part) found.push(new Node("mtext", {}, [shown(part.replaceAll("\0", "$"))]));
    });
    return row(found);
  }

  /** The bracket after `left`, `middle` or `right`; empty for none. */
  #delimiter() {
    const piece = this.#next();
    if (piece === ".") return "";
    const name = piece.slice(1);
    return piece[0] === "\\" && name ? (OPERATORS.get(name) ?? name) : piece;
  }

  #fenced() {
    const left = this.#delimiter();
    const inside = this.#items();
    const right = this.#take("\\right") ? this.#delimiter() : "";
    const items = [...(left ? [fence(left, "prefix")] : []), ...inside, ...(right ? [fence(right, "postfix")] : [])];
    return new Node("mrow", {}, items);
  }

  /** @param {string} name */
  #environment(name) {
    const brackets = ENVIRONMENTS.get(name);
    if (PLAIN.has(name) || !brackets) {
      const inside = this.#items();
      this.#end();
      return row(inside);
    }
    if (name === "array") this.#optional();
    if (COUNTED.has(name)) this.#raw();
    const table = this.#table(name);
    this.#end();
    const [left, right] = brackets;
    if (!left && !right) return table;
    const fences = [fence(left, "prefix"), table, fence(right, "postfix")];
    return new Node("mrow", {}, fences.filter((each) => each.children.length));
  }

  #end() {
    if (this.#take("\\end")) this.#raw();
  }

  /** Rows and cells up to the end of the environment. @param {string} name @param {boolean} [brace] */
  #table(name, brace = false) {
    /** @type {Node[]} */
    const rows = [];
    /** @type {Node[]} */
    let cells = [];
    for (;;) {
      const content = this.#items();
      const piece = this.#peek();
      if (content.length || cells.length || !["\\end", "}", "\\right", ""].includes(piece)) {
        cells.push(new Node("mtd", {}, [...content]));
      }
      if (piece === "&") {
        this.#at++;
        continue;
      }
      if (cells.length) {
        rows.push(new Node("mtr", {}, cells));
        cells = [];
      }
      if (!NEW_ROWS.has(piece)) break;
      this.#at++;
      this.#take("*");
      if (this.#tokens[this.#at] === "[") this.#optional();
    }
    if (brace) this.#take("}");
    return new Node("mtable", columns(name, rows), rows);
  }
}

/** @param {string} name @param {Node[]} rows @returns {Record<string, string>} */
function columns(name, rows) {
  if (ALIGNED.has(name)) {
    let most = 0;
    for (const { children } of rows) most = Math.max(most, children.length);
    const sides = Array.from({ length: Math.min(most, 20) }, (_, column) => (column % 2 ? "left" : "right"));
    return { columnalign: sides.join(" ") };
  }
  const side = SIDES.get(name);
  return side ? { columnalign: side } : {};
}

/** @param {string} name */
const space = (name) => new Node("mspace", { width: SPACES.get(name) ?? "" });

/** @param {string} sign */
const mo = (sign) => new Node("mo", FENCES.has(sign) ? { stretchy: "false" } : {}, [sign]);

/** @param {string} sign */
const mark = (sign) => new Node("mo", { stretchy: "true" }, [sign]);

/** @param {string} sign @param {string} form */
const fence = (sign, form) => new Node("mo", { stretchy: "true", form }, sign ? [sign] : []);

/** Is it the name of a function, with scripts or without? @param {Node} node */
function isFunction(node) {
  const base = node.name === "msub" || node.name === "msup" || node.name === "msubsup" ? node.children[0] : node;
  return typeof base !== "string" && base.name === "mi" && FUNCTIONS.has(base.text());
}

/** Do scripts of it stand above and below? @param {Node} node */
function takesLimits(node) {
  if (node.name === "munder" || node.name === "mover") {
    const last = node.children[node.children.length - 1];
    return typeof last !== "string" && last.name === "mo" && STACKING.has(last.text());
  }
  const text = node.name === "mo" ? node.text() : "";
  return STACKING.has(text) || LIMIT_TEXTS.has(text);
}

/** A text of TeX as it is shown. @param {string} text */
function shown(text) {
  const whole = (text.match(TOKEN) ?? []).map((piece) => {
    if (piece[0] === "\\") return LETTERS.get(piece.slice(1)) ?? ([...piece].length === 2 ? piece.slice(1) : " ");
    if (piece === "~" || BLANK.has(piece[0])) return " ";
    return piece === "{" || piece === "}" ? "" : piece;
  }).join("");
  // White space at the edges of an element of MathML is not shown.
  const begin = whole[0] === " " ? " " : "";
  const end = whole[whole.length - 1] === " " ? " " : "";
  const inside = folded(whole);
  return begin || end ? `${begin}${inside}${end}`.replaceAll(" ", "\u00a0") : inside;
}
