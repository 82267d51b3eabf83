// BoilerNet's input (section 3.1 of the paper): for each text of a page, the tags above it and the words in
// it, counted. The same rules as src/tamis/features/boilernet.py and src/tamis/document/, on a live DOM;
// tests/vectors/boilernet.json holds both languages to them.

// As features/boilernet.py counts it. Weights name the version that they were trained with.
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
// First and last capital, and the distance to the small letters.
export const CAPITALS = [
  [0x0041, 0x005a, 32], [0x00c0, 0x00d6, 32], [0x00d8, 0x00de, 32], [0x0391, 0x03a1, 32], [0x03a3, 0x03ab, 32],
  [0x0400, 0x040f, 80], [0x0410, 0x042f, 32],
];

// The tags of src/tamis/document/tags.py.
export const CODE = new Set(["script", "style"]);
export const MEDIA = new Set(
  "img picture amp-img video audio iframe object embed svg canvas math".split(" "),
);
export const INVISIBLE = new Set(
  (
    "annotation annotation-xml area audio base canvas datalist defs desc head iframe link meta metadata " +
    "noembed noframes object option param script source style symbol template title track video"
  ).split(" "),
);

// A page of which less than one leaf in this many is shown was hidden to be shown later (document/table.py).
const CURTAIN = 20;

const ranges = (list) =>
  list.map(([first, last]) => `\\u{${first.toString(16)}}-\\u{${last.toString(16)}}`).join("");
const TOKEN = new RegExp(`[^${ranges([...SPACE, ...ALONE])}]+|[${ranges(ALONE)}]`, "gu");
const DROP = new RegExp(`[${ranges(DROPPED)}]`, "gu");
const CAPITAL = new RegExp(`[${ranges(CAPITALS)}]`, "gu");
const ASCII = /^[\0-\x7f]*$/;

// What Python's str.isspace() is true for; \s is not the same.
const BLANK = /^[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*$/;
const HIDING_STYLE = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)(?![\p{L}\p{N}_])/u;
const UNTIL_FOUND = /^\s*until-found\s*$/i;

function small(letter) {
  const point = letter.codePointAt(0);
  const range = CAPITALS.find(([first, last]) => first <= point && point <= last);
  return String.fromCodePoint(point + range[2]);
}

/** The tokens of a text. */
export function tokens(text) {
  const folded = ASCII.test(text) ? text.toLowerCase() : text.replace(DROP, "").replace(CAPITAL, small);
  return folded.match(TOKEN) ?? [];
}

/**
 * What the model reads of a page.
 *
 * `root` is the page's outermost element. `vocabulary` is {tags: [...], words: [...]}, as in config.json.
 * `scripting` says whether the DOM was made by a browser that runs scripts: what a noscript holds is then
 * markup in one string, which nobody sees; otherwise it is read as Python reads it.
 *
 * Returns {leaves, bounds, columns, counts, dims}: the visible Text nodes in document order, and for leaf i
 * the entries from bounds[i] up to bounds[i + 1], columns ascending.
 */
export function leafCounts(root, vocabulary, { scripting = true } = {}) {
  const page = walk(root, scripting);
  const shown = visibleTexts(page);
  const names = lookup(vocabulary);
  const unknownTag = vocabulary.tags.length;
  const dims = unknownTag + 1 + vocabulary.words.length + 1;
  const above = tagsAbove(page, shown, names.tags, unknownTag);

  const leaves = [];
  const bounds = [0];
  const columns = [];
  const counts = [];
  for (const { node, element } of shown) {
    leaves.push(node);
    for (const [column, count] of above.get(element)) {
      columns.push(column);
      counts.push(count);
    }
    const inText = new Map();
    for (const token of tokens(node.data)) {
      const column = names.words.get(token) ?? dims - 1;
      inText.set(column, (inText.get(column) ?? 0) + 1);
    }
    for (const column of [...inText.keys()].sort((a, b) => a - b)) {
      columns.push(column);
      counts.push(inText.get(column));
    }
    bounds.push(columns.length);
  }
  return {
    leaves,
    bounds: Int32Array.from(bounds),
    columns: Int32Array.from(columns),
    counts: Float32Array.from(counts),
    dims,
  };
}

const lookups = new WeakMap();

function lookup(vocabulary) {
  if (!lookups.has(vocabulary)) {
    lookups.set(vocabulary, {
      tags: new Map(vocabulary.tags.map((tag, column) => [tag, column])),
      words: new Map(vocabulary.words.map((word, column) => [word, vocabulary.tags.length + 1 + column])),
    });
  }
  return lookups.get(vocabulary);
}

const CLOSE = Symbol("close");

// The page as the tables of document/parse.py: elements in document order (a row's subtree ends before `ends`)
// and leaves. A shadow root counts as the template that declares it.
function walk(root, scripting) {
  const page = { tags: [], ends: [], gone: [], hidden: [], leaves: [] };
  let medium = -1; // the last medium; what is inside it belongs to it
  const open = []; // rows of the elements around the node at hand
  const todo = [root]; // nodes still to come, the next one last; CLOSE ends an element
  while (todo.length) {
    const node = todo.pop();
    if (node === CLOSE) {
      page.ends[open.pop()] = page.tags.length;
      continue;
    }
    const element = open.length ? open[open.length - 1] : -1;
    if (node.nodeType === 3 || node.nodeType === 4) {
      if (!CODE.has(page.tags[element]) && !BLANK.test(node.data)) {
        page.leaves.push({ node, element, medium: false });
      }
      continue;
    }
    const isShadow = node.nodeType === 11;
    if (node.nodeType !== 1 && !isShadow) continue;
    const row = page.tags.length;
    const tag = isShadow ? "template" : node.localName;
    const isTemplate = tag === "template" && !isShadow && node.content;
    page.tags.push(tag);
    page.ends.push(0);
    page.gone.push(
      (INVISIBLE.has(tag) && !isShadow && !(isTemplate && node.hasAttribute("shadowrootmode"))) ||
        (tag === "noscript" && scripting),
    );
    page.hidden.push(!isShadow && hides(node));
    if (MEDIA.has(tag) && !(medium >= 0 && page.ends[medium] === 0)) {
      medium = row;
      page.leaves.push({ node, element: row, parent: element, medium: true });
    }
    open.push(row);
    todo.push(CLOSE);
    const held = isTemplate ? node.content : node;
    for (let child = held.lastChild; child; child = child.previousSibling) todo.push(child);
    if (!isShadow && node.shadowRoot) todo.push(node.shadowRoot);
  }
  return page;
}

function hides(element) {
  const hidden = element.getAttribute("hidden");
  if (hidden !== null && !UNTIL_FOUND.test(hidden)) return true;
  const style = element.getAttribute("style");
  return style !== null && HIDING_STYLE.test(style.toLowerCase());
}

// The text leaves that are shown, by tags and attributes alone, as document/table.py sees them.
function visibleTexts(page) {
  const { ends, leaves } = page;
  let { hidden } = page;
  let shown = shownLeaves(page, hidden);
  if (hidden.includes(true) && shown.length * CURTAIN < leaves.length) {
    hidden = hidden.map((is, row) => is && 2 * (ends[row] - row) <= ends.length);
    shown = shownLeaves(page, hidden);
  }
  return shown.filter((leaf) => !leaf.medium);
}

function shownLeaves({ ends, gone, leaves }, hidden) {
  const covered = new Uint8Array(ends.length);
  let until = 0; // the end of the outermost element that is not shown
  for (let row = 0; row < ends.length; row++) {
    if (row >= until && (gone[row] || hidden[row])) until = ends[row];
    covered[row] = row < until ? 1 : 0;
  }
  // A medium is shown even though the text inside it is not: it asks its parent.
  return leaves.filter((leaf) =>
    leaf.medium ? !(leaf.parent >= 0 && covered[leaf.parent]) && !hidden[leaf.element] : !covered[leaf.element],
  );
}

// For each element that holds a shown text: [column, count] of the tags from itself up to the root.
function tagsAbove({ tags, ends }, shown, columnOf, unknown) {
  const wanted = new Set(shown.map((leaf) => leaf.element));
  const above = new Map();
  const counts = new Int32Array(unknown + 1);
  const open = [];
  for (let row = 0; row < tags.length; row++) {
    while (open.length && ends[open[open.length - 1]] <= row) {
      counts[columnOf.get(tags[open.pop()]) ?? unknown]--;
    }
    open.push(row);
    counts[columnOf.get(tags[row]) ?? unknown]++;
    if (wanted.has(row)) {
      const entries = [];
      counts.forEach((count, column) => count && entries.push([column, count]));
      above.set(row, entries);
    }
  }
  return above;
}
