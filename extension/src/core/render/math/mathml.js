// MathML to TeX, and TeX as pages write it to TeX as it stands in Markdown (src/tamis/render/math/mathml.py).

/** @import {Child} from "../node.js" */

import { folded, length, split, stripped, withoutEnd } from "../../characters.js";
import { Node } from "../node.js";
import * as symbols from "./symbols.js";

const { ACCENTS, ARROWS, COMMANDS, FONTS, FUNCTIONS, INTEGRALS, LARGE, LIMITS, UNDERS, isLatin } = symbols;

const DEEPEST = 60;
const DIGIT = /^[0-9]$/;
const SPACE = new Set("\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000");
const VARIANTS = new Map([
  ["normal", "mathrm"],
  ["bold", "mathbf"],
  ["bold-italic", "boldsymbol"],
  ["italic", "mathit"],
  ["double-struck", "mathbb"],
  ["script", "mathcal"],
  ["bold-script", "mathcal"],
  ["fraktur", "mathfrak"],
  ["bold-fraktur", "mathfrak"],
  ["sans-serif", "mathsf"],
  ["bold-sans-serif", "mathsf"],
  ["monospace", "mathtt"],
]);
const ESCAPED = new Map(Array.from("%$#&_", (sign) => [sign, `\\${sign}`]));
const OPENING = new Set("([{|‖⌈⌊⟨⟦");
const CLOSING = new Set(")]}|‖⌉⌋⟩⟧");
const TALL = new Set(["mfrac", "mtable", "munder", "mover", "munderover", "mfenced"]);
const MATRICES = new Map([
  ["()", "pmatrix"], ["[]", "bmatrix"], ["{}", "Bmatrix"], ["||", "vmatrix"], ["‖‖", "Vmatrix"],
]);
const STACKING = new Set([...LARGE.values(), ...INTEGRALS.values(), ...LIMITS.values()]);
const LIMIT_COMMANDS = new Map(Array.from(LIMITS, ([name, text]) => [text, `\\${name}`]));

/**
 * The command of each sign; the first name is the usual one.
 *
 * @param {Map<string, string>} names
 * @param {[string, string][]} more
 */
function commands(names, more) {
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const [name, sign] of [...names].reverse()) found.set(sign, `\\${name}`);
  for (const [sign, name] of more) found.set(sign, name);
  return found;
}
const ACCENT_COMMANDS = commands(ACCENTS, [
  ["^", "\\hat"], ["ˆ", "\\hat"], ["¯", "\\bar"], ["‾", "\\overline"], ["―", "\\overline"], ["_", "\\overline"],
  ["˜", "\\tilde"], ["~", "\\tilde"], ["→", "\\vec"], ["\u20d7", "\\vec"], [".", "\\dot"], ["\u0302", "\\hat"],
  ["\u0303", "\\tilde"], ["\u0304", "\\bar"], ["\u0305", "\\overline"], ["\u0307", "\\dot"], ["\u0308", "\\ddot"],
]);
const UNDER_COMMANDS = commands(UNDERS, [["¯", "\\underline"], ["‾", "\\underline"], ["\u0332", "\\underline"]]);
const ARROW_COMMANDS = commands(ARROWS, []);
ARROW_COMMANDS.delete("=");
const WIDE = new Map([
  ["\\hat", "\\widehat"],
  ["\\tilde", "\\widetilde"],
  ["\\bar", "\\overline"],
  ["\\vec", "\\overrightarrow"],
  ["\\check", "\\widecheck"],
]);
const IGNORED = new Set(["annotation", "annotation-xml", "mprescripts", "none", "malignmark", "maligngroup", "script"]);
const BRACES = new Set("⏞⏟⎴⎵⏜⏝");
const TOKENS = new Set(["mi", "mn", "mo", "mtext", "ms"]);
const ONE = new Set(["mi", "mn", "mo", "mtext"]);
const UPRIGHT = new Set(["∞", "∅", "∂", "ℏ"]);
/** @type {[number, string][]} */
const WIDTHS = [[2, "\\qquad"], [1, "\\quad"], [0.25, "\\ "], [0.01, "\\,"]];
// How many children an element has; with others it is read as a row.
const SCHEMES = new Map([
  ["mfrac", 2], ["mroot", 2], ["msub", 2], ["msup", 2], ["msubsup", 3], ["munder", 2], ["mover", 2], ["munderover", 3],
]);

/** The elements among children. @param {readonly Child[]} children */
const elementsOf = (children) => /** @type {Node[]} */ (children.filter((child) => typeof child !== "string"));

/** A MathML element as TeX. @param {Node} node */
export const toTex = (node) => texOf(node, 0);

/** @param {Child} node @param {number} depth @returns {string} */
function texOf(node, depth) {
  if (typeof node === "string") return escaped(node);
  if (depth === DEEPEST) return escaped(node.text());
  const { name } = node;
  if (TOKENS.has(name)) return token(node);
  let inner = elementsOf(node.children).filter((child) => !IGNORED.has(child.name));
  if (SCHEMES.get(name) === inner.length) return scheme(node, inner, depth);
  if (name === "mtable") return table(node, depth);
  if (name === "mspace") return space(node.attributes);
  if (name === "mphantom") return command("\\phantom", rowOf(inner, depth));
  if (name === "msqrt") return command("\\sqrt", rowOf(inner, depth));
  if (name === "mfenced") return fenced(node, inner, depth);
  if (name === "mmultiscripts") return multiscripts(node, depth);
  if (name === "semantics" || name === "maction") inner = inner.slice(0, 1);
  return inner.length ? rowOf(inner, depth) : escaped(stripped(node.text()));
}

/**
 * Elements that stand in a row, with the brackets around tall ones, and matrices, as such.
 *
 * @param {readonly Child[]} nodes
 * @param {number} depth
 * @returns {string}
 */
function rowOf(nodes, depth) {
  const items = elementsOf(nodes);
  const sign = items.length >= 2 ? signOf(items[0]) : "";
  if (OPENING.has(sign)) {
    const end = signOf(items[items.length - 1]);
    const second = items[1];
    if (items.length === 3 && end) {
      const matrix = MATRICES.get(sign + end);
      if (second.name === "mtable" && matrix && !isAligned(second)) return table(second, depth + 1, matrix);
      if (sign + end === "()" && second.name === "mfrac" && isStack(second)) {
        const parts = elementsOf(second.children);
        if (parts.length === 2) return command("\\binom", ...parts.map((part) => texOf(part, depth + 2)));
      }
    }
    if (items.length === 2 && sign === "{" && second.name === "mtable") return table(second, depth + 1, "cases");
    if (CLOSING.has(end) && items.length > 2 && items[0].attributes.stretchy !== "false") {
      const inside = items.slice(1, -1);
      if (inside.some(isTall)) {
        const content = joined(inside.map((node) => texOf(node, depth + 1)));
        return joined([`\\left${bracket(sign)}`, content, `\\right${bracket(end)}`]);
      }
    }
  }
  return joined(items.map((node) => texOf(node, depth + 1)));
}

/** @param {Node} node */
const signOf = (node) => (node.name === "mo" ? stripped(node.text()) : "");

/** @param {string} sign */
const bracket = (sign) => COMMANDS.get(sign) ?? sign;

/** Is it a fraction and the like, or does it hold one directly or in a row? @param {Node} node */
function isTall(node) {
  if (TALL.has(node.name)) return true;
  return elementsOf(node.children).some(
    (child) => TALL.has(child.name) || elementsOf(child.children).some(({ name }) => TALL.has(name)),
  );
}

/** @param {Node} node */
const isStack = ({ attributes }) => (attributes.linethickness ?? "")[0] === "0";

/**
 * TeX of neighbours: a letter does not continue the command before it, nor, if they are apart, a digit a number.
 *
 * @param {string[]} parts
 * @param {boolean} [areApart]
 */
export function joined(parts, areApart = true) {
  let found = "";
  let before = "";
  for (const part of parts) {
    if (!part) continue;
    const last = before[before.length - 1] ?? "";
    const apart = DIGIT.test(part[0])
      ? areApart && (last === "." || DIGIT.test(last))
      : isLatin(part[0]) && endsInCommand(before);
    found += apart ? ` ${part}` : part;
    before = part;
  }
  return found;
}

/** @param {string} tex */
function endsInCommand(tex) {
  let at = tex.length;
  while (at && isLatin(tex[at - 1])) at--;
  if (at === tex.length) return false;
  let slashes = 0;
  while (at && tex[at - 1] === "\\") {
    at--;
    slashes++;
  }
  return slashes % 2 === 1;
}

/** @param {string} name @param {...string} given */
const command = (name, ...given) => name + given.map((argument) => `{${argument}}`).join("");

/** A script: in braces if it is more than one character. @param {string} tex */
export const script = (tex) => (length(tex) === 1 && !"\\^_'".includes(tex) ? tex : `{${tex}}`);

/** A superscript; primes need no sign before them. @param {string} tex */
const above = (tex) => (tex && !withoutEnd(tex, "'") ? tex : `^${script(tex)}`);

/** Characters as TeX that shows them in a formula. @param {string} text */
export function escaped(text) {
  const parts = Array.from(text, (character) => {
    const known = ESCAPED.get(character) ?? COMMANDS.get(character);
    if (known !== undefined) return known;
    const font = FONTS.get(character);
    if (font) return command(`\\${font[0]}`, font[1]);
    const point = Number(character.codePointAt(0));
    if (point >= 0x1d400 && point <= 0x1d7ff) {
      const plain = character.normalize("NFKC");
      return COMMANDS.get(plain) ?? plain;
    }
    if (character === "^" || character === "~") return command("\\text", `\\${character}{}`);
    return SPACE.has(character) ? " " : character;
  });
  return joined(parts, false);
}

/** @param {Node} node */
function token(node) {
  if (node.name === "mtext" || node.name === "ms") return textOf(node.text());
  const text = folded(node.text());
  if (node.name === "mo") return operator(text);
  const variant = VARIANTS.get(node.attributes.mathvariant ?? "") ?? "";
  if (node.name === "mi" && length(text) > 1 && (!variant || variant === "mathrm")) return nameOf(text);
  const tex = escaped(text);
  if (!variant || !tex || UPRIGHT.has(text)) return tex;
  if (variant === "mathrm" && !isLatin(text)) return tex;
  if (variant === "mathit" && (length(text) === 1 || tex[0] === "\\")) return tex;
  return command(`\\${variant === "mathbf" && tex[0] === "\\" ? "boldsymbol" : variant}`, tex);
}

/** A name of several letters. @param {string} text */
function nameOf(text) {
  if (FUNCTIONS.has(text)) return `\\${text}`;
  const limit = LIMIT_COMMANDS.get(text);
  if (limit) return limit;
  if (isLatin(text)) return command("\\mathrm", text);
  if (/^[A-Za-z0-9 -]*$/.test(text) && /[A-Za-z0-9]/.test(text)) return command("\\operatorname", text);
  return escaped(text);
}

/** @param {string} text */
function operator(text) {
  const limit = LIMIT_COMMANDS.get(text);
  if (limit) return limit;
  if (FUNCTIONS.has(text)) return `\\${text}`;
  if (text === "mod") return "\\bmod";
  const characters = [...text];
  if (characters.length === 2 && characters[1] === "\u0338") return joined(["\\not", escaped(characters[0])]);
  if (text.length > 1 && isLatin(text)) return command("\\operatorname", text);
  return escaped(text);
}

/** @param {string} given */
function textOf(given) {
  if (given[0] === "\\" && isLatin(given.slice(1))) return given; // a command that stays as it is
  const text = Array.from(given, (character) => (SPACE.has(character) ? " " : character)).join("");
  const shown = folded(text);
  if (!shown) return text ? "\\ " : "";
  const begin = text[0] === " " ? " " : "";
  const end = text[text.length - 1] === " " ? " " : "";
  const inside = Array.from(shown, (each) => {
    if (each === "\\" || each === "^" || each === "~") return "";
    return ESCAPED.get(each) ?? (each === "{" || each === "}" ? `\\${each}` : each);
  }).join("");
  return command("\\text", begin + inside + end);
}

/** @param {Record<string, string>} attributes */
function space({ linebreak, width = "" }) {
  if (linebreak === "newline") return "\\\\ ";
  const found = /^(-?[0-9]{0,4}\.?[0-9]{0,6})em/.exec(width);
  const number = found && /[0-9]/.test(found[1]) ? Number(found[1]) : 0;
  return WIDTHS.find(([least]) => number >= least)?.[1] ?? "";
}

/** Elements with a fixed number of parts. @param {Node} node @param {Node[]} inner @param {number} depth */
function scheme(node, inner, depth) {
  const { name } = node;
  const [first, second] = inner.slice(0, 2).map((child) => texOf(child, depth + 1));
  if (name === "mfrac") return isStack(node) ? `{${first} \\atop ${second}}` : command("\\frac", first, second);
  if (name === "mroot") return second.includes("]") ? `\\sqrt[{${second}}]{${first}}` : `\\sqrt[${second}]{${first}}`;
  const base = baseOf(inner[0], first);
  const sign = inner[0].name === "mi" || inner[0].name === "mo" ? stripped(inner[0].text()) : "";
  if (name === "msub") return `${base}_${script(second)}`;
  if (name === "msup") return base + above(second);
  const third = inner.length === 3 ? texOf(inner[2], depth + 1) : "";
  if (name === "msubsup" || (name === "munderover" && STACKING.has(sign))) {
    return `${base}_${script(second)}${above(third)}`;
  }
  const mark = signOf(inner[1]);
  const stacked = STACKING.has(sign) || isBraced(inner[0]);
  if (name === "munder") {
    const under = UNDER_COMMANDS.get(mark);
    if (under) return command(under, first);
    return stacked ? `${base}_${script(second)}` : command("\\underset", second, first);
  }
  const arrow = ARROW_COMMANDS.get(sign);
  if (name === "mover") {
    if (arrow && !mark) return command(arrow, second);
    const accent = ACCENT_COMMANDS.get(mark);
    if (accent) return command(length(inner[0].text()) > 1 ? (WIDE.get(accent) ?? accent) : accent, first);
    return stacked ? base + above(second) : command("\\overset", second, first);
  }
  if (arrow) return `${arrow}[${second}]{${third}}`;
  return command("\\underset", second, command("\\overset", third, first));
}

/** Does a brace or the like stand above or below it? @param {Node} node */
function isBraced({ name, children }) {
  const marks = elementsOf(children).slice(1);
  return (name === "munder" || name === "mover") && marks.length === 1 && BRACES.has(signOf(marks[0]));
}

// What is between one pair of brackets.
const FENCED =
  /^\\left(?![a-zA-Z])(?:[^\\]|\\(?!left(?![a-zA-Z])|right(?![a-zA-Z])).)*\\right\\?(?:[a-zA-Z]+|[^a-zA-Z\\])$/u;

/** What a script is put at. @param {Node} node @param {string} tex */
function baseOf(node, tex) {
  if (!tex) return "{}";
  return ONE.has(node.name) || FENCED.test(tex) || isBraced(node) ? tex : `{${tex}}`;
}

/** @param {Node} node @param {Node[]} inner @param {number} depth */
function fenced({ attributes }, inner, depth) {
  const signs = [...split(attributes.separators ?? ",").join("")];
  const parts = inner.flatMap((child, number) => {
    const sign = number && signs.length ? [escaped(signs[Math.min(number, signs.length) - 1])] : [];
    return [...sign, texOf(child, depth + 1)];
  });
  const left = bracket(stripped(attributes.open ?? "("));
  const right = bracket(stripped(attributes.close ?? ")"));
  if (inner.some(isTall)) return joined([`\\left${left || "."}`, ...parts, `\\right${right || "."}`]);
  return joined([left, ...parts, right]);
}

/** A base with scripts behind it and, after `mprescripts`, before it. @param {Node} node @param {number} depth */
function multiscripts(node, depth) {
  /** @type {string[]} */
  const behind = [];
  /** @type {string[]} */
  const before = [];
  let scripts = behind;
  let base = "";
  elementsOf(node.children).forEach((child, number) => {
    if (child.name === "mprescripts") scripts = before;
    else if (number) scripts.push(child.name === "none" ? "" : texOf(child, depth + 1));
    else base = texOf(child, depth + 1);
  });
  return joined([before.length ? "{}" : "", pairs(before), base, pairs(behind)]);
}

/** @param {string[]} scripts */
function pairs(scripts) {
  const below = scripts.filter((_, place) => place % 2 === 0).join("");
  const over = scripts.filter((_, place) => place % 2 === 1).join("");
  return (below ? `_${script(below)}` : "") + (over ? above(over) : "");
}

/** @param {Node} node */
const isAligned = ({ attributes }) => (attributes.columnalign ?? "").startsWith("right left");

/** @param {Node} node @param {number} depth @param {string} [given] */
function table(node, depth, given = "") {
  const lines = elementsOf(node.children)
    .filter(({ name }) => name === "mtr" || name === "mlabeledtr")
    .map((line) =>
      elementsOf(line.children)
        .slice(line.name === "mlabeledtr" ? 1 : 0)
        .map((cell) => rowOf(cell.children, depth + 2) || escaped(stripped(cell.text())))
        .join(" & "),
    );
  const name = given || (isAligned(node) ? "aligned" : "matrix");
  return `${command("\\begin", name)} ${lines.join(" \\\\ ")} ${command("\\end", name)}`;
}

// What may stand in a formula that is written. The content of other elements is written without them.
const PRESENTATION = new Set(
  split(`
    mi mn mo ms mtext mspace mrow mfrac msqrt mroot mstyle merror mpadded mphantom msub msup msubsup munder mover
    munderover mmultiscripts mprescripts none mtable mtr mtd menclose
  `),
);
const LEFT_OUT = new Set(["annotation", "annotation-xml", "malignmark", "maligngroup", "script", "style", "mglyph"]);

/**
 * The MathML of a page, by an element of it, as it may be written: no annotations and no elements of others.
 *
 * @param {Node} node
 * @param {number} [depth]
 * @returns {Child[]}
 */
export function presentation(node, depth = 0) {
  if (LEFT_OUT.has(node.name)) return [];
  const isWrapper = node.name === "semantics" || node.name === "maction";
  const children = isWrapper ? elementsOf(node.children).slice(0, 1) : node.children;
  if (depth === DEEPEST) return [new Node("mtext", {}, [node.text()])];
  /** @type {Child[]} */
  const found = [];
  for (const child of children) {
    if (typeof child !== "string") for (const each of presentation(child, depth + 1)) found.push(each);
    else if (folded(child)) found.push(folded(child));
  }
  if (node.name === "mfenced") return [new Node("mrow", {}, withBrackets(node, found))];
  if (node.name === "mlabeledtr") return [new Node("mtr", {}, found.slice(1))];
  return PRESENTATION.has(node.name) ? [new Node(node.name, node.attributes, found)] : found;
}

/** The content of `mfenced`, which browsers do not know any more. @param {Node} node @param {Child[]} inner */
function withBrackets({ attributes }, inner) {
  const signs = [...split(attributes.separators ?? ",").join("")];
  /** @type {Child[]} */
  const found = [new Node("mo", {}, [attributes.open ?? "("])];
  inner.forEach((child, number) => {
    if (number && signs.length) found.push(new Node("mo", {}, [signs[Math.min(number, signs.length) - 1]]));
    found.push(child);
  });
  return [...found, new Node("mo", {}, [attributes.close ?? ")"])];
}

const STYLE = /^\\(?:displaystyle|textstyle|scriptstyle)(?![a-zA-Z])[ \t\r\n]*/;
const DELIMITERS = [["$$", "$$"], ["\\[", "\\]"], ["\\(", "\\)"], ["$", "$"]];
const EQUATION = /^\\begin\{(equation\*?|displaymath|math)\}/;

/**
 * TeX of a page on one line, without the marks that only say that it is a formula and in which style.
 *
 * @param {string} given
 */
export function clean(given) {
  let tex = folded(given.includes("%") ? withoutComments(given) : given);
  for (let round = 0; round < 4; round++) {
    const before = tex; // each may be inside of the other
    for (const [left, right] of DELIMITERS) {
      const inside = tex.slice(left.length, Math.max(left.length, tex.length - right.length));
      if (tex === left + inside + right && !inside.includes(left)) {
        tex = stripped(inside);
        break;
      }
    }
    if (tex[0] === "{" && STYLE.test(tex.slice(1)) && closesLast(tex)) tex = stripped(tex.slice(1, -1));
    tex = tex.replace(STYLE, "");
    const found = EQUATION.exec(tex);
    const end = found ? `\\end{${found[1]}}` : "";
    if (found && tex.endsWith(end)) tex = stripped(tex.slice(found[0].length, tex.length - end.length));
    if (tex === before) break;
  }
  return tex.includes("$") ? withoutDollars(tex) : tex;
}

/** TeX that is no HTML for a reader of Markdown who knows no formulas. @param {string} tex */
export function withoutTags(tex) {
  return tex.replace(/<(?=[A-Za-z/!?][^<]*>)/g, "\\lt ");
}

/** TeX without vertical bars, which end the cells of a table in Markdown. @param {string} tex */
export function withoutBars(tex) {
  const [first, ...parts] = tex.split("|");
  let found = first;
  let last = first;
  for (const part of parts) {
    const isNorm = (last.length - withoutEnd(last, "\\").length) % 2 === 1;
    found = isNorm ? `${found.slice(0, -1)}\\Vert` : `${found}\\vert`;
    found += isLatin(part[0] ?? "") ? ` ${part}` : part;
    last = part;
  }
  return found;
}

/** Is the brace that closes the first one the last character? @param {string} tex */
function closesLast(tex) {
  let depth = 0;
  let skipped = false;
  for (let at = 0; at < tex.length; at++) {
    if (skipped || tex[at] === "\\") skipped = !skipped;
    else if (tex[at] === "{") depth++;
    else if (tex[at] === "}" && !--depth) return at === tex.length - 1;
  }
  return false;
}

/** TeX without its comments. A percent sign on the last line is one that is not escaped. @param {string} tex */
function withoutComments(tex) {
  const lines = tex.split("\n");
  return lines
    .map((line, number) => {
      let found = "";
      let skipped = false;
      for (const character of line) {
        if (character === "%" && !skipped) {
          if (number < lines.length - 1) break;
          found += "\\";
        }
        skipped = character === "\\" && !skipped;
        found += character;
      }
      return found;
    })
    .join("\n");
}

/**
 * TeX with the formulas inside of its texts between other marks than dollars, which end a formula in Markdown.
 *
 * @param {string} tex
 */
function withoutDollars(tex) {
  let found = "";
  let skipped = false;
  let inside = false;
  for (const character of tex) {
    if (character === "$" && !skipped) {
      found += inside ? "\\)" : "\\(";
      inside = !inside;
    } else found += character;
    skipped = character === "\\" && !skipped;
  }
  return found;
}

