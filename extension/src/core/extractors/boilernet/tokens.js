// BoilerNet's tokens (section 3.1 of the paper), by the rule of tamis_papers/boilernet/features.py. The rule names
// ranges of code points, so it depends neither on the version of Unicode nor on the programming language.
// packages/tamis-papers/tests/papers/boilernet/vectors.json checks both implementations.

// The version of the rule, as in Python. Weights name the version that they were trained with.
export const VERSION = 1;

// First and last code point of each range.
export const DROPPED = [
  [0x00ad, 0x00ad], [0x200c, 0x200f], [0x202a, 0x202e], [0x2060, 0x206f], [0xfe00, 0xfe0f], [0xfeff, 0xfeff],
  [0xffff, 0xffff],
];
export const SPACE = [
  [0x0000, 0x0020], [0x007f, 0x00a0], [0x1680, 0x1680], [0x2000, 0x200b], [0x2028, 0x2029], [0x202f, 0x202f],
  [0x205f, 0x205f], [0x3000, 0x3000],
];
export const ALONE = [
  [0x0021, 0x002f], [0x003a, 0x0040], [0x005b, 0x0060], [0x007b, 0x007e], [0x00a1, 0x00a9], [0x00ab, 0x00ac],
  [0x00ae, 0x00b4], [0x00b6, 0x00b9], [0x00bb, 0x00bf], [0x00d7, 0x00d7], [0x00f7, 0x00f7], [0x037e, 0x037e],
  [0x0387, 0x0387], [0x055a, 0x055f], [0x0589, 0x058a], [0x05be, 0x05be], [0x05c0, 0x05c0], [0x05c3, 0x05c3],
  [0x05f3, 0x05f4], [0x060c, 0x060d], [0x061b, 0x061f], [0x066a, 0x066d], [0x06d4, 0x06d4], [0x0964, 0x0965],
  [0x0e00, 0x0eff], [0x0f00, 0x0f14], [0x1000, 0x109f], [0x1780, 0x17ff], [0x2010, 0x2027], [0x2030, 0x205e],
  [0x2070, 0x2bff], [0x2e00, 0x2fff], [0x3001, 0x312f], [0x3190, 0x9fff], [0xd800, 0xf8ff], [0xf900, 0xfaff],
  [0xfe10, 0xfe1f], [0xfe30, 0xfe6f], [0xff00, 0xff0f], [0xff1a, 0xff20], [0xff3b, 0xff40], [0xff5b, 0xff9f],
  [0xffe0, 0xfffe], [0x1b000, 0x1b16f], [0x1f000, 0x10ffff],
];
// First and last capital letter, and the distance to the small letters.
export const CAPITALS = [
  [0x0041, 0x005a, 32], [0x00c0, 0x00d6, 32], [0x00d8, 0x00de, 32], [0x0391, 0x03a1, 32], [0x03a3, 0x03ab, 32],
  [0x0400, 0x040f, 80], [0x0410, 0x042f, 32],
];

/** @param {number[][]} list */
const ranges = (list) =>
  list.map(([first, last]) => `\\u{${first.toString(16)}}-\\u{${last.toString(16)}}`).join("");
const TOKEN = new RegExp(`[^${ranges([...SPACE, ...ALONE])}]+|[${ranges(ALONE)}]`, "gu");
const DROP = new RegExp(`[${ranges(DROPPED)}]`, "gu");
const CAPITAL = new RegExp(`[${ranges(CAPITALS)}]`, "gu");
const ASCII = /^[\0-\x7f]*$/;

/** @param {string} letter */
function small(letter) {
  const point = Number(letter.codePointAt(0));
  const distance = CAPITALS.find(([first, last]) => first <= point && point <= last)?.[2] ?? 0;
  return String.fromCodePoint(point + distance);
}

/** The tokens of a text. @param {string} text @returns {string[]} */
export function tokens(text) {
  const folded = ASCII.test(text) ? text.toLowerCase() : text.replace(DROP, "").replace(CAPITAL, small);
  return folded.match(TOKEN) ?? [];
}
