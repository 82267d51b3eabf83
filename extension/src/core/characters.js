// Characters as Python defines them. JavaScript's \s, trim and toLowerCase differ: U+001C to U+001F and U+0085 are
// white space in Python only, U+FEFF is white space in JavaScript only.

// The characters for which str.isspace() is true, as the inside of a character class.
export const SPACE_CLASS = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";

const BLANK = new RegExp(`^[${SPACE_CLASS}]*$`);
const TOKEN = new RegExp(`[^${SPACE_CLASS}]+`, "g");
const ALNUM = /[\p{L}\p{N}\u{20000}-\u{10ffff}]/u;
const ASTRAL = /[\ud800-\udbff][\udc00-\udfff]/g;

// Letters of scripts without spaces between words (tamis/document/characters.py): a word in kana or Han has about
// two characters, a word in a script of South-East Asia about four. From U+20000 on every code point counts as Han.
const KANA = "\\u3005-\\u3007\\u3041-\\u30fa\\u30fc-\\u30ff\\u31f0-\\u31ff\\uff66-\\uff9f";
const HAN = "\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{10ffff}";
const SOUTH_EAST = "\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff";
const HALF = new RegExp(`[${KANA}${HAN}]`, "gu");
const QUARTER = new RegExp(`[${SOUTH_EAST}]`, "g");
const UNSPACED = new RegExp(`[${KANA}${HAN}${SOUTH_EAST}]`, "u");

/** True if there is nothing but white space. @param {string} text */
export const isBlank = (text) => BLANK.test(text);

/** str.split() @param {string} text @returns {string[]} */
export const split = (text) => text.match(TOKEN) ?? [];

/** " ".join(str.split()) @param {string} text */
export const folded = (text) => split(text).join(" ");

/** str.isspace() of one UTF-16 unit; no white space is beyond U+FFFF. @param {string} text @param {number} place */
const spaceAt = (text, place) => BLANK.test(text[place]);

/** str.strip() @param {string} text */
export function stripped(text) {
  // Not by a pattern: one that ends in $ would be tried at every place of a long run of white space.
  let begin = 0;
  let end = text.length;
  while (begin < end && spaceAt(text, begin)) begin++;
  while (end > begin && spaceAt(text, end - 1)) end--;
  return text.slice(begin, end);
}

/** len() of Python: the number of code points, not of UTF-16 units. @param {string} text */
export const length = (text) => text.length - (text.match(ASTRAL)?.length ?? 0);

/** text[:count] of Python: counts code points, not UTF-16 units. @param {string} text @param {number} count */
export function first(text, count) {
  if (text.length <= count) return text;
  let end = 0;
  for (let taken = 0; taken < count && end < text.length; taken++) end += isAstral(text, end) ? 2 : 1;
  return text.slice(0, end);
}

/** @param {string} text @param {number} place */
const isAstral = (text, place) => Number(text.codePointAt(place)) > 0xffff;

// How many words a text has (tamis/document/words.py). A token of a script without spaces counts for several.
/** @param {string} text */
export function countWords(text) {
  let words = 0;
  for (const token of split(text)) {
    if (ALNUM.test(token)) words += UNSPACED.test(token) ? Math.max(1, unspacedWords(token)) : 1;
  }
  return words;
}

/** @param {string} token */
function unspacedWords(token) {
  return (token.match(HALF)?.length ?? 0) / 2 + (token.match(QUARTER)?.length ?? 0) / 4;
}
