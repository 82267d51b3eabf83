// Simple formulas as a line of text (src/tamis/render/math/readable.py).

/** @import {Child, Node} from "../node.js" */

import { folded, length, stripped, withoutEnd, withoutStart } from "../../characters.js";
import { lowered, raised } from "../scripts.js";
import * as symbols from "./symbols.js";
import { parse, TooDeep } from "./tex.js";

// Commands that make a formula more than one line; found before it is parsed.
const COMMAND = /\\(?:begin|sum|prod|i?i?int|oint|hat|bar|vec|tilde|overline|binom|over|lim)(?![a-zA-Z])/;
const LONGEST = 1000;
const RELATIONS = new Set(symbols.TABLE.relations);
const BINARY = new Set(symbols.TABLE.binary);
const PLAIN_FONTS = new Set(["mathbf", "boldsymbol", "mathsf", "mathtt"]);
const SIMPLE = new Set(["ordinary", "number"]);
const FACTORS = new Set([...SIMPLE, "close"]);
const INTEGRALS = new Set(symbols.INTEGRALS.values());
const SIGNS = new Map([["∗", "*"], ["⋅", "·"], ["∣", "|"]]); // those of formulas, as texts write them
const SCRIPTED = new Set(["msub", "msup", "msubsup"]);
const BEFORE_SIGNS = new Set(["", "binary", "relation", "open", "comma", "function"]);

/**
 * A piece of the line: its text and what it is: ordinary, number, function, fraction, binary, relation, open, close,
 * comma, text or space.
 *
 * @typedef {[text: string, kind: string]} Piece
 */

/** The formula is no line of text. */
class Complex extends Error {}

/**
 * A formula as Unicode text: letters, digits and signs, scripts of one level, fractions and roots of such. Null if it
 * is more than that.
 *
 * @param {string} tex
 */
export function readable(tex) {
  if (length(tex) > LONGEST || COMMAND.test(tex)) return null;
  try {
    return stripped(lineOf(piecesOf(parse(tex)))) || null;
  } catch (error) {
    if (error instanceof TooDeep || error instanceof Complex) return null;
    throw error;
  }
}

/** A formula as plain text shows it. @param {string} tex */
export const plain = (tex) => readable(tex) ?? `$${tex}$`;

/** @param {readonly Child[]} nodes @returns {Piece[]} */
function piecesOf(nodes) {
  /** @type {Piece[]} */
  const found = [];
  for (const node of nodes) {
    if (typeof node === "string") continue;
    const { name } = node;
    const inner = /** @type {Node[]} */ (node.children.filter((child) => typeof child !== "string"));
    if (name === "mrow") {
      for (const piece of piecesOf(inner)) found.push(piece);
    } else if (name === "mi" || name === "mn") {
      const text = lettersOf(node.text());
      found.push([text, name === "mn" ? "number" : symbols.FUNCTIONS.has(text) ? "function" : "ordinary"]);
    } else if (name === "mo") {
      const sign = node.text();
      found.push([SIGNS.get(sign) ?? sign, kindOf(sign)]);
    } else if (name === "mtext") {
      const text = node.text();
      if (text.includes("\\")) throw new Complex(); // a command that is not known
      found.push([text.replaceAll("\u00a0", " "), "text"]);
    } else if (name === "mspace" && "width" in node.attributes) found.push([" ", "space"]);
    else if (SCRIPTED.has(name)) found.push(scripted(name, inner));
    else if (name === "mfrac" && !Object.keys(node.attributes).length) {
      found.push([`${part(inner[0])}/${part(inner[1])}`, "fraction"]);
    } else if (name === "msqrt") found.push([`√${part(inner[0])}`, "ordinary"]);
    else throw new Complex();
  }
  return found;
}

/** Letters in a font as they are, but bold ones and the like as plain ones. @param {string} text */
function lettersOf(text) {
  return Array.from(text, (character) => {
    const font = symbols.FONTS.get(character);
    return font && PLAIN_FONTS.has(font[0]) ? font[1] : character;
  }).join("");
}

/** @param {string} sign */
function kindOf(sign) {
  if (RELATIONS.has(sign) || sign === "mod") return "relation";
  if (BINARY.has(sign)) return "binary";
  if ("([{⌈⌊⟨".includes(sign)) return "open";
  if (")]}⌉⌋⟩!".includes(sign)) return "close";
  if (length(sign) > 1) throw new Complex(); // the name of an operator with limits
  return ",;".includes(sign) ? "comma" : sign === "\u2061" ? "apply" : "ordinary";
}

/** @param {string} name @param {Node[]} inner @returns {Piece} */
function scripted(name, inner) {
  const base = piecesOf(inner.slice(0, 1));
  const kind = base.length === 1 ? base[0][1] : "ordinary";
  let text = base.length === 1 ? base[0][0] : lineOf(base);
  if (base.length > 1 && !(base[0][1] === "open" && base[base.length - 1][1] === "close")) text = `(${text})`;
  if (kind === "fraction" || kind === "binary" || kind === "relation" || INTEGRALS.has(text)) throw new Complex();
  if (name !== "msup") text += lowered(scriptOf(inner[1]));
  if (name !== "msub") {
    const above = scriptOf(inner[inner.length - 1]);
    if (above === "∘" || above === "°") text += "°";
    else text += withoutStart(withoutEnd(above, "′″‴"), "′″‴") ? raised(above) : above;
  }
  return [text, kind];
}

/** A script without scripts of its own, and without spaces between its signs. @param {Node} node */
function scriptOf(node) {
  for (const { name } of node.walk()) if (SCRIPTED.has(name) || name === "msqrt") throw new Complex();
  const found = stripped(
    piecesOf([node])
      .map(([text, kind]) => (kind === "space" ? " " : kind === "apply" ? "" : text))
      .join(""),
  );
  if (!found) throw new Complex();
  return found;
}

/** A part of a fraction, or what is under a root: in brackets if it is more than one sign. @param {Node} node */
function part(node) {
  for (const { name } of node.walk()) if (name === "mfrac") throw new Complex();
  const pieces = piecesOf([node]);
  const text = stripped(lineOf(pieces));
  if (!text) throw new Complex();
  const isOne = pieces.length === 1 && !text.includes("√") && !text.includes("/");
  return isOne || /^[A-Za-z0-9]{1,2}$/.test(text) ? text : `(${text})`;
}

/**
 * Pieces with spaces around relations and binary operators, behind commas and around names of functions.
 *
 * @param {Piece[]} pieces
 */
function lineOf(pieces) {
  let line = "";
  let before = ""; // what the piece before is
  pieces.forEach(([text, given], number) => {
    if (given === "apply") return;
    const after = pieces[number + 1]?.[1] ?? "";
    const kind = given === "binary" && BEFORE_SIGNS.has(before) ? "sign" : given; // of a number
    if (kind === "relation" || kind === "binary") line += ` ${text} `;
    else if (kind === "comma") line += `${text} `;
    else if (kind === "fraction") line += beside(text, before, after);
    else {
      const apart =
        (kind === "number" && before === "number") ||
        (kind === "function" && (FACTORS.has(before) || before === "function")) ||
        (before === "function" && SIMPLE.has(kind));
      line += apart ? ` ${text}` : text;
    }
    before = kind;
  });
  return folded(line);
}

/**
 * A fraction: a mixed number, a factor, or one that stands alone.
 *
 * @param {string} fraction
 * @param {string} before
 * @param {string} after
 */
function beside(fraction, before, after) {
  if (before === "number" && /^[0-9]/.test(fraction)) return ` ${fraction}`;
  if (FACTORS.has(before) || SIMPLE.has(after) || after === "open" || after === "function") return `(${fraction})`;
  return before === "function" ? ` ${fraction}` : fraction;
}
