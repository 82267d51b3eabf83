// Characters as Python sees them. JavaScript's \s, trim and toLowerCase draw other lines: U+001C to U+001F and
// U+0085 are white space to Python and not here, U+FEFF is white space here and not to Python.

// What str.isspace() is true for, as the inside of a character class.
export const SPACE_CLASS = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";

const BLANK = new RegExp(`^[${SPACE_CLASS}]*$`);
const RUN_OF_SPACE = new RegExp(`[${SPACE_CLASS}]+`, "g");
const TOKEN = new RegExp(`[^${SPACE_CLASS}]+`, "g");
const ALNUM = /[\p{L}\p{N}\u{20000}-\u{10ffff}]/u;
const ASTRAL = /[\ud800-\udbff][\udc00-\udfff]/g;

// Letters of scripts that put no spaces between words (features/characters.py): a word of the first has about two
// characters, one of the second about four. From U+20000 on every code point counts as a Han character there.
const KANA = "\\u3005-\\u3007\\u3041-\\u30fa\\u30fc-\\u30ff\\u31f0-\\u31ff\\uff66-\\uff9f";
const HAN = "\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{10ffff}";
const SOUTH_EAST = "\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff";
const HALF = new RegExp(`[${KANA}${HAN}]`, "gu");
const QUARTER = new RegExp(`[${SOUTH_EAST}]`, "g");
const UNSPACED = new RegExp(`[${KANA}${HAN}${SOUTH_EAST}]`, "u");

/** Is there nothing but white space? */
export const isBlank = (text) => BLANK.test(text);

/** str.split() */
export const split = (text) => text.match(TOKEN) ?? [];

/** " ".join(str.split()) */
export const folded = (text) => split(text).join(" ");

/** str.isspace() of the UTF-16 unit at a place; no white space is beyond U+FFFF. */
export const spaceAt = (text, place) => BLANK.test(text[place]);

/** str.strip() */
export function stripped(text) {
  // Not by a pattern: one that ends in $ tries every place of a long run of white space.
  let first = 0;
  let last = text.length;
  while (first < last && spaceAt(text, first)) first++;
  while (last > first && spaceAt(text, last - 1)) last--;
  return text.slice(first, last);
}

/** Every run of white space as one space. */
export const spaced = (text) => text.replace(RUN_OF_SPACE, " ");

/** len() of Python: code points and not UTF-16 units. */
export const length = (text) => text.length - (text.match(ASTRAL)?.length ?? 0);

/** text[:count] of Python: so many code points and not UTF-16 units. */
export function first(text, count) {
  if (text.length <= count) return text;
  let end = 0;
  for (let taken = 0; taken < count && end < text.length; taken++) end += text.codePointAt(end) > 0xffff ? 2 : 1;
  return text.slice(0, end);
}

/** How many words a text has (features/words.py); tokens of an unspaced script count for several. */
export function countWords(text) {
  let words = 0;
  for (const token of split(text)) {
    if (ALNUM.test(token)) words += UNSPACED.test(token) ? Math.max(1, share(token)) : 1;
  }
  return words;
}

function share(token) {
  return (token.match(HALF)?.length ?? 0) / 2 + (token.match(QUARTER)?.length ?? 0) / 4;
}
