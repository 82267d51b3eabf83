// Superscripts and subscripts as text (src/tamis/render/content/scripts.py).

import { firstOf, folded, isSpace, lastOf, length, SPACE_CLASS, split, stripped, withoutEnd } from "../characters.js";
import { TABLE } from "./math/symbols.js";

const SUBSCRIPTS = new Map(Object.entries(TABLE.subscripts));
const ORDINALS = new Set(
  split(`
    st nd rd th er ers re res ère ères e es ème èmes ième eme è o os a as º ª te ter ten ra do da to ta mo ma
    vo va no na
  `),
);
const SUFFIXES = new Set(["st", "nd", "rd", "th"]);
const ABBREVIATIONS = new Set(split("me mes lle lles gr grs mme ve vve ie"));
const NUMBERS = new Set(["o", "os", "ro"]);
const MARKS = new Map([
  ["TM", "™"], ["tm", "™"], ["SM", "℠"], ["sm", "℠"], ["(R)", "®"], ["(r)", "®"], ["(TM)", "™"], ["(C)", "©"],
]);
// Nothing but signs that are raised anyway, or that refer to a note.
const PLAIN = new Set("™®℠©°ºª*†‡§¶′″‴");
const ONE_TOKEN = new RegExp(`^(?:[+\\-−±]?[\\p{L}\\p{N}]+(?:[.,][0-9]+)?%?|[^\\p{L}\\p{N}_${SPACE_CLASS}])$`, "u");
const LONGEST = 20; // longer ones are words that are raised or lowered, and no script
const LONGEST_SPACED = 8;
const NUMBER = /^[0-9]+$/;
const LETTER = /\p{L}/u;

/**
 * What to write for a `sup` or `sub` with this text, between the texts `before` and `after` it on its line. Of the
 * texts around it only some characters are read. The text is in the result as it is, but for Unicode subscripts and
 * some marks.
 *
 * @param {string} name
 * @param {string} given
 * @param {string} before
 * @param {string} [after]
 */
export function written(name, given, before, after = "") {
  const content = folded(given);
  const near = before.slice(-20);
  const next = firstOf(after);
  if (!content) return "";
  if (name === "sup" && (next === "/" || next === "⁄") && NUMBER.test(content)) {
    return NUMBER.test(lastOf(near)) ? ` ${content}` : content; // <sup>1</sup>/<sub>2</sub>
  }
  if (!near || isSpace(lastOf(near))) return content; // there is nothing that it could belong to
  return name === "sup" ? raisedAfter(content, near) : loweredAfter(content, near);
}

/** A superscript behind its base. @param {string} content */
export const raised = (content) => `^${grouped(content)}`;

/**
 * A subscript behind its base: in Unicode if all of it has such a form and at most one letter is in it.
 *
 * @param {string} content
 */
export function lowered(content) {
  const characters = [...content];
  if (characters.filter((each) => LETTER.test(each)).length <= 1 && characters.every((each) => SUBSCRIPTS.has(each))) {
    return characters.map((each) => SUBSCRIPTS.get(each)).join("");
  }
  return `_${grouped(content)}`;
}

/** @param {string} content @param {string} before */
function raisedAfter(content, before) {
  const mark = MARKS.get(content);
  if (mark) return mark;
  if (content.startsWith("[") && content.endsWith("]")) return content; // the mark of a note
  if ([...content].every((character) => PLAIN.has(character)) || /^[.,]/.test(content)) return content;
  const word = withoutEnd(content.toLowerCase(), ".");
  const last = lastOf(before);
  if (SUFFIXES.has(word)) return content;
  if (ORDINALS.has(word) && (NUMBER.test(last) || last === "." || last === "°" || isRoman(before))) return content;
  if (/\p{Lu}/u.test(last) && ABBREVIATIONS.has(word)) return content;
  if ((last === "N" || last === "n") && NUMBERS.has(word)) return content;
  if (content.length === 2 && NUMBER.test(content) && isPrice(before)) return `.${content}`;
  return isProse(content) ? ` ${content}` : raised(content);
}

/** @param {string} content @param {string} before */
function loweredAfter(content, before) {
  const last = lastOf(before);
  if ((last === "/" || last === "⁄") && NUMBER.test(content)) return content;
  return isProse(content) ? ` ${content}` : lowered(content);
}

/** A single token as it is, others in brackets. @param {string} content */
const grouped = (content) => (ONE_TOKEN.test(content) || isBracketed(content) ? content : `(${content})`);

/** @param {string} content */
const isProse = (content) => length(content) > (content.includes(" ") ? LONGEST_SPACED : LONGEST);

/** @param {string} content */
const isBracketed = (content) => content[0] === "(" && content.endsWith(")") && !/[()]/.test(content.slice(1, -1));

/** Does it end in a Roman number? @param {string} before */
function isRoman(before) {
  const rest = withoutEnd(before, "IVXLCDM");
  return rest !== before && !LETTER.test(lastOf(rest));
}

/** Does it end in a whole number behind the sign of a currency? @param {string} before */
function isPrice(before) {
  const rest = withoutEnd(before, "0123456789,");
  return rest !== before && ["$", "€", "£", "¥"].includes(lastOf(stripped(`.${rest}`)));
}
