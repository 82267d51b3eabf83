// The tags of src/tamis/document/tags.py: the same sets, and the same code for each tag.

/** @param {string} text */
const words = (text) => text.trim().split(/\s+/);

export const MEDIA = new Set(words("img picture amp-img video audio iframe object embed svg canvas math"));
export const CODE = new Set(["script", "style"]);
export const BLOCK = new Set(
  words(`
    address article aside blockquote body caption center col colgroup dd details dialog dir div dl
    dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr
    html legend li listing main menu nav noframes ol optgroup option p plaintext pre search section
    select summary table tbody td textarea tfoot th thead title tr ul xmp button
  `),
);
export const INVISIBLE = new Set(
  words(`
    annotation annotation-xml area audio base canvas datalist defs desc head iframe link meta metadata
    noembed noframes object option param script source style symbol template title track video
  `),
);
export const HEADINGS = new Set(words("h1 h2 h3 h4 h5 h6"));
export const PREFORMATTED = new Set(words("pre listing xmp plaintext textarea"));

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
