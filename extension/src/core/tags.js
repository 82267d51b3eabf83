// The tags of tamis/document/tags.py: the same sets, and the same code for each tag.

import lists from "./tags.json" with { type: "json" };

export const CODE = new Set(["script", "style"]);
export const [MEDIA, BLOCK, INVISIBLE, HEADINGS, PREFORMATTED] = [
  ...[lists.media, lists.block, lists.invisible, lists.headings, lists.preformatted].map((names) => new Set(names)),
];

// Code, preformatted text and media have the lowest codes, so the walk finds them by one comparison.
export const OTHER = 255;
const first = [CODE, PREFORMATTED, MEDIA];
const rest = new Set([...BLOCK, ...INVISIBLE, ...PREFORMATTED, "a", "br", "noscript"]);
for (const set of first) for (const tag of set) rest.delete(tag);
const ordered = [...first, rest].flatMap((set) => [...set].sort());

/** @type {Map<string, number>} */
export const CODES = new Map(ordered.map((tag, code) => [tag, code]));
export const LAST_CODE = CODE.size - 1;
export const LAST_PREFORMATTED = LAST_CODE + PREFORMATTED.size;
export const LAST_SPECIAL = LAST_PREFORMATTED + MEDIA.size;

/** The code of a tag. @param {string} tag */
export const codeOf = (tag) => CODES.get(tag) ?? OTHER;

/** For each code: 1 if its tag is one of `tags`. Throws RangeError for a tag without a code. @param {string[]} tags */
export function lookup(...tags) {
  const table = new Uint8Array(OTHER + 1);
  for (const tag of tags) {
    const code = CODES.get(tag);
    if (code === undefined) throw new RangeError(`the tag ${tag} has no code`);
    table[code] = 1;
  }
  return table;
}
