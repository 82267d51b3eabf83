// The commands of TeX and their characters (src/tamis/render/math/symbols.py). The table is Python's own file.

import table from "../../../../../src/tamis/render/math/symbols.json" with { type: "json" };

/** @param {Record<string, string>} object */
const mapOf = (object) => new Map(Object.entries(object));

export const TABLE = table;
export const LETTERS = mapOf(table.letters);
export const OPERATORS = mapOf(table.operators);
export const LARGE = mapOf(table.large);
export const INTEGRALS = mapOf(table.integrals);
export const LIMITS = mapOf(table.limits);
export const ACCENTS = mapOf(table.accents);
export const UNDERS = mapOf(table.unders);
export const ARROWS = mapOf(table.arrows);
export const SPACES = mapOf(table.spaces);
export const FONT_COMMANDS = mapOf(table.fonts);
export const NEGATED = mapOf(table.negated);
export const CHARACTERS = mapOf(table.characters);
/** @type {Map<string, string[]>} */
export const ENVIRONMENTS = new Map(Object.entries(table.environments));
export const FUNCTIONS = new Set(table.functions);
export const FENCES = new Set("()[]{}|‖⌈⌉⌊⌋⟨⟩⟦⟧");

/** @typedef {{A: string, a: string, 0?: string, except: Record<string, string>}} Font */

/** The letters and digits of a font, by the plain ones. @param {Font} font */
function alphabet(font) {
  /** @type {Map<string, string>} */
  const found = new Map();
  const ranges = /** @type {[string, string | undefined, number][]} */ ([
    ["A", font.A, 26],
    ["a", font.a, 26],
    ["0", font[0], 10],
  ]);
  for (const [first, shown, count] of ranges) {
    for (let step = 0; shown && step < count; step++) found.set(moved(first, step), moved(shown, step));
  }
  for (const [letter, shown] of Object.entries(font.except)) found.set(letter, shown);
  return found;
}

/** @param {string} character @param {number} step */
const moved = (character, step) => String.fromCodePoint(Number(character.codePointAt(0)) + step);

/** @type {Map<string, Map<string, string>>} */
export const ALPHABETS = new Map(
  Object.entries(/** @type {Record<string, Font>} */ (table.alphabets)).map(([name, font]) => [name, alphabet(font)]),
);

/** The command of each character; the first name is the usual one. @type {Map<string, string>} */
export const COMMANDS = new Map();
for (const names of [LETTERS, OPERATORS, LARGE, INTEGRALS]) {
  for (const [name, character] of names) if (!COMMANDS.has(character)) COMMANDS.set(character, `\\${name}`);
}
for (const plain of "<>[]|:/") COMMANDS.delete(plain);
for (const [character, command] of Object.entries({
  "{": "\\{", "}": "\\}", "−": "-", "∗": "*", "′": "'", "″": "''", "‴": "'''", "\\": "\\backslash",
})) {
  COMMANDS.set(character, command);
}
for (const unseen of "\u2061\u2062\u2063\u2064\u200b\ufeff") COMMANDS.set(unseen, "");

/** A letter of a font, by its character: the font and the plain letter. @type {Map<string, [string, string]>} */
export const FONTS = new Map();
for (const [name, font] of ALPHABETS) for (const [letter, character] of font) FONTS.set(character, [name, letter]);

/** str.isascii() and str.isalpha() @param {string} text */
export const isLatin = (text) => /^[A-Za-z]+$/.test(text);
