// Inline content as Markdown (src/tamis/render/inline.py). Emphasis is decided last, when the characters on both sides
// of its marks are known: marks that CommonMark would not read as such are left out. Characters are escaped only where
// a parser would read them as markup.

/** @import {Child} from "./node.js" */

import {
  firstOf, folded, isSpace, lastOf, length, SPACE_CLASS, stripped, withoutEnd, withoutStart,
} from "../characters.js";
import { withoutBars, withoutTags } from "./math/mathml.js";
import { Node } from "./node.js";
import { written as scriptText } from "./scripts.js";

const EMPHASIS = new Map([["b", "**"], ["strong", "**"], ["em", "*"], ["i", "*"], ["s", "~~"], ["del", "~~"]]);
const CODE = new Set(["code", "kbd", "samp"]);
const LONGEST_JOINED = 2_000; // of adjacent code spans, in characters: more would take quadratic time
const BREAK = "  \n";

// Characters that may be markup anywhere in a line, and where they are.
const SPECIAL = /[\\`*_[\]<&~$|]/;
const word = "[\\p{L}\\p{N}]";
const dark = `[^${SPACE_CLASS}]`;
const MARKUP = new RegExp(
  [
    "\\\\(?=[!-/:-@\\[-`{-~])", // before a sign; else it stands for itself
    "`",
    `^\\*|\\*(?=${dark}|$)|(?<=${dark})\\*`, // not between blanks
    `^_|(?<!${word})_(?=${dark}|$)|(?<=${dark})_(?!${word})`, // not inside a word and not between blanks
    "\\[(?=\\^)|\\](?=[(\\[])", // notes and links
    "<(?=[a-zA-Z/!?])", // tags
    "&(?=#?[a-zA-Z0-9]{1,32};)", // character references
  ].join("|"),
  "gu",
);
const BRACKET = /(?<!\\)[[\]]/g;
const TILDE = new RegExp(`~(?=${dark})|(?<=${dark})~`, "gu");
const DOLLARS = new RegExp(`\\$(?=${dark})[^$]*(?<=${dark})\\$(?!\\p{Nd})`, "u");
// At the end of a text these are markup together with the begin of what follows.
/** @type {Map<string, string>} */
const TOGETHER = new Map([["]", "(["], ["!", "["], ["\\", "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"]]);

// What is markup at the start of a line only.
const LINE_STARTS = new RegExp(
  "^(?:" +
    [
      "#{1,6}(?= |$)|[-+*](?= |$)|>|[-=](?=[-=:| ]*$)|~~~",
      "[:|](?=[:| ]*-[-:| ]*$)",
      `\\[(?!\\^)(?=(?:[^[\\]\\\\]|\\\\[^\\n])*\\]:|[ xX]\\](?:[${SPACE_CLASS}]|$))`,
      "(\\[\\^[^\\]]*\\]):",
      "(\\p{Nd}{1,9})[.)](?= |$)",
    ].join("|") +
    ")",
  "u",
);
const STARTS = "#-+*>=~[:|0123456789";
const FRACTION = /^\\frac\{([0-9]{1,9})\}\{([0-9]{1,9})\}$/;
const NO_TARGET = new RegExp(`[${SPACE_CLASS}<>\\\\|]`, "g"); // a bar would end a cell of a table
const REFERENCE = /&(?=#?[a-zA-Z0-9]{1,32};)/g;

/**
 * @typedef {object} Piece a part of a line
 * @property {string} text
 * @property {"text" | "atom" | "open" | "close"} kind a text may lose a space at its edge, an atom is never changed
 * @property {Piece} [other] of a mark: the mark at the other end
 * @property {string} [code] of a code span: its content
 *
 * @typedef {object} State where an inline node stands
 * @property {boolean} oneLine
 * @property {boolean} inCell
 * @property {boolean} inLink
 * @property {boolean} isPlain there is nothing to escape
 * @property {boolean} tildes there are two or more
 * @property {boolean} besideFormula
 * @property {string[]} marks those that are open
 */

/**
 * Inline nodes as one paragraph, in steps (Pace.finish).
 *
 * @param {Child[]} nodes
 * @param {{oneLine?: boolean, inCell?: boolean}} [options] `oneLine` writes spaces for line breaks
 * @returns {Generator<void, string, void>}
 */
export function* inline(nodes, { oneLine = false, inCell = false } = {}) {
  const whole = nodes.map((node) => (typeof node === "string" ? node : node.text())).join("");
  const isPlain = !SPECIAL.test(whole);
  yield;
  /** @type {Piece[]} */
  const pieces = [];
  yield* collect(nodes, pieces, {
    oneLine,
    inCell,
    inLink: false,
    isPlain,
    tildes: whole.indexOf("~") !== whole.lastIndexOf("~"),
    besideFormula: whole.includes("$") && nodes.some(holdsFormula),
    marks: [],
  });
  const text = stripped(join(yield* decided(pieces)));
  yield;
  if (oneLine) return text;
  return text.split("\n").map((line) => atLineStart(withoutStart(line, " "))).join("\n");
}

/** An address as the target of a link. @param {string} url */
export function address(url) {
  const clean = url.replace(NO_TARGET, encodeURIComponent).replace(REFERENCE, "&amp;");
  return /[()]/.test(clean) || !clean ? `<${clean}>` : clean;
}

/** How often a backtick is repeated at most. @param {string} text */
export const longestRun = (text) => (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);

/** @param {Child} node */
const holdsFormula = (node) => typeof node !== "string" && [...node.walk()].some(({ name }) => name === "formula");

/** @param {Child[]} nodes @param {Piece[]} pieces @param {State} state @returns {Generator<void, void, void>} */
function* collect(nodes, pieces, state) {
  for (const [at, node] of nodes.entries()) {
    yield;
    if (typeof node === "string") {
      pieces.push({ kind: "text", text: escaped(node, state) });
    } else {
      const after = nodes[at + 1];
      yield* collectNode(node, pieces, state, typeof after === "string" ? after : "");
    }
  }
}

/**
 * Add a node; `after` is the text behind it.
 *
 * @param {Node} node
 * @param {Piece[]} pieces
 * @param {State} state
 * @param {string} after
 * @returns {Generator<void, void, void>}
 */
function* collectNode(node, pieces, state, after) {
  const { name, attributes, children } = node;
  const mark = EMPHASIS.get(name);
  const atom = (/** @type {string} */ text) => pieces.push({ kind: "atom", text });
  if (name === "a" && !state.inLink) {
    yield* collectLink(node, pieces, state);
  } else if (mark && !state.marks.includes(mark)) {
    /** @type {Piece} */
    const open = { kind: "open", text: mark };
    /** @type {Piece} */
    const close = { kind: "close", text: mark, other: open };
    open.other = close;
    pieces.push(open);
    yield* collect(children, pieces, { ...state, marks: [...state.marks, mark] });
    pieces.push(close);
  } else if (name === "br") {
    pieces.push(state.oneLine ? { kind: "text", text: " " } : { kind: "atom", text: BREAK });
  } else if (name === "img") {
    const alt = escaped(attributes.alt ?? "", { ...state, inLink: true, isPlain: false });
    atom(`![${closed(alt)}](${address(attributes.src)})`);
  } else if (CODE.has(name)) {
    collectCode(codeText(node), pieces, state);
  } else if (name === "formula") {
    collectFormula(folded(attributes.tex), pieces, state, after);
  } else if (name === "note-reference") {
    atom(`[^${attributes.id}]`);
  } else if (name === "embed") {
    const href = attributes.href || attributes.src;
    const link = new Node("a", { href }, [attributes.title || href]);
    yield* collectNode(link, pieces, { ...state, isPlain: false }, after);
  } else if ((name === "sup" || name === "sub") && !state.inLink) {
    yield* collectScript(node, pieces, state, after);
  } else if (name === "q") {
    yield* collect(["\u201c", ...children, "\u201d"], pieces, state);
  } else if (name === "rt") {
    yield* collect(["(", ...children, ")"], pieces, state);
  } else if (name !== "rp") {
    yield* collect(children, pieces, state);
  }
}

/** @param {string} tex @param {Piece[]} pieces @param {State} state @param {string} after */
function collectFormula(tex, pieces, state, after) {
  const space = () => pieces.push({ kind: "text", text: " " });
  if (/\p{Nd}$/u.test(pieces.at(-1)?.text ?? "")) space(); // beside a digit, dollars are those of a price
  const fraction = FRACTION.exec(tex);
  if (fraction) pieces.push({ kind: "text", text: `${fraction[1]}/${fraction[2]}` }); // among prose, as in a recipe
  else pieces.push({ kind: "atom", text: `$${state.inCell ? withoutBars(withoutTags(tex)) : withoutTags(tex)}$` });
  if (/^\p{Nd}/u.test(after)) space();
}

/**
 * @param {Node} node
 * @param {Piece[]} pieces
 * @param {State} state
 * @param {string} after
 * @returns {Generator<void, void, void>}
 */
function* collectScript(node, pieces, state, after) {
  const { name, children } = node;
  const before = pieces.findLast((piece) => piece.text && !piece.other)?.text ?? "";
  const content = folded(node.text());
  let shown = scriptText(name, content, before, after);
  const isPlain = children.every((each) => typeof each === "string" || EMPHASIS.has(each.name) || each.name === "var");
  if (children.some((each) => typeof each !== "string" && each.name === "a")) {
    yield* collect(children, pieces, state); // a mark before a link would make it a note
    return;
  }
  const at = isPlain || !content ? -1 : shown.indexOf(content);
  if (at >= 0) {
    let [opening, closing] = [shown.slice(0, at), shown.slice(at + content.length)];
    if (opening === "^" || opening === "_") [opening, closing] = [`${opening}(`, ")"]; // "^[" would be a note
    yield* collect([opening, ...children, closing], pieces, state);
    return;
  }
  let mark = "";
  if (shown.startsWith("_")) {
    // Between letters a low line is none of emphasis, nor before a bracket; after a mark of emphasis it may be.
    mark = /[\p{L}\p{N}]$/u.test(pieces.at(-1)?.text ?? "") ? "_" : "\\_";
    shown = shown.slice(1);
  }
  pieces.push({ kind: "text", text: mark + escaped(shown, state) });
}

/** @param {Node} node @param {Piece[]} pieces @param {State} state @returns {Generator<void, void, void>} */
function* collectLink(node, pieces, state) {
  /** @type {Piece[]} */
  const inner = [];
  yield* collect(node.children, inner, { ...state, inLink: true, oneLine: true, marks: [] });
  const text = join(yield* decided(inner));
  const bare = stripped(text);
  if (!bare) {
    pieces.push({ kind: "text", text });
    return;
  }
  const { href } = node.attributes;
  const isAddress = /^https?:/.test(href) && stripped(node.text()) === href && href.search(NO_TARGET) < 0;
  if (text.startsWith(" ")) pieces.push({ kind: "text", text: " " });
  pieces.push({ kind: "atom", text: isAddress ? `<${href}>` : `[${closed(bare)}](${address(href)})` });
  if (text.endsWith(" ")) pieces.push({ kind: "text", text: " " });
}

/** The text of a link, in which a backslash at the end would escape the bracket behind it. @param {string} text */
const closed = (text) => ((text.length - withoutEnd(text, "\\").length) % 2 ? `${text}\\` : text);

/** The text of a code span; a line break is a space. @param {Node} node @returns {string} */
function codeText({ children }) {
  return children.map((each) => (typeof each === "string" ? each : each.name === "br" ? " " : codeText(each))).join("");
}

/** @param {string} code @param {Piece[]} pieces @param {State} state */
function collectCode(code, pieces, state) {
  let inner = stripped(code);
  if (!inner) {
    pieces.push({ kind: "text", text: code });
    return;
  }
  if (code.startsWith(" ")) pieces.push({ kind: "text", text: " " });
  // Two adjacent code spans would share their backticks, so they become one.
  const joined = pieces.at(-1)?.code;
  if (joined && length(joined) > LONGEST_JOINED) pieces.push({ kind: "text", text: " " });
  else if (joined) inner = (pieces.pop()?.code ?? "") + inner;
  const fence = "`".repeat(longestRun(inner) + 1);
  const pad = inner.startsWith("`") || inner.endsWith("`") ? " " : "";
  const shown = state.inCell ? inner.replaceAll("|", "\\|") : inner;
  pieces.push({ kind: "atom", text: `${fence}${pad}${shown}${pad}${fence}`, code: inner });
  if (code.endsWith(" ")) pieces.push({ kind: "text", text: " " });
}

/**
 * Without the marks that CommonMark would not read as such, and with the spaces inside of marks moved outside.
 *
 * @param {Piece[]} pieces
 * @returns {Generator<void, Piece[], void>}
 */
function* decided(pieces) {
  if (!pieces.some((piece) => piece.other)) return pieces;
  /** @type {Set<Piece | undefined>} */
  const dropped = new Set();
  let moved = spacesOutside(pieces);
  yield;
  moved.forEach((piece, at) => {
    if (piece.kind !== "open" || dropped.has(piece)) return;
    const before = moved[at - 1];
    if (moved[at + 1] === piece.other) {
      dropped.add(piece).add(piece.other);
    } else if (before?.kind === "close" && !dropped.has(before)) {
      // Adjacent spans of the same emphasis become one. Of different ones the second is dropped: "*a***b**".
      dropped.add(piece);
      if (before.text !== piece.text) {
        dropped.add(piece.other);
      } else {
        dropped.add(before);
        const [open, close] = [/** @type {Piece} */ (before.other), /** @type {Piece} */ (piece.other)];
        open.other = close;
        close.other = open;
      }
    }
  });
  moved = moved.filter((piece) => !dropped.has(piece));
  yield;
  moved.forEach((piece, at) => {
    if (!piece.other || dropped.has(piece)) return;
    const [left, right] = [characterBefore(moved, at), characterAfter(moved, at)];
    const [outside, inside] = piece.kind === "open" ? [left, right] : [right, left];
    if (isSpace(inside) || (isSign(inside) && !isSpace(outside) && !isSign(outside))) {
      dropped.add(piece).add(piece.other);
    }
  });
  return moved.filter((piece) => !dropped.has(piece));
}

/** @param {Piece[]} pieces */
function spacesOutside(pieces) {
  /** @type {Piece[]} */
  const found = [];
  for (const piece of pieces) {
    if (piece.kind === "close") {
      /** @type {Piece[]} */
      const spaces = [];
      let last = found.at(-1);
      for (; last?.kind === "text" && !withoutStart(last.text, " "); last = found.at(-1)) {
        spaces.push(last);
        found.pop();
      }
      if (last?.kind === "text" && last.text.endsWith(" ")) {
        found[found.length - 1] = { ...last, text: withoutEnd(last.text, " ") };
        spaces.push({ kind: "text", text: " " });
      }
      found.push(piece, ...spaces);
    } else if (piece.kind === "text" && piece.text.startsWith(" ") && found.at(-1)?.kind === "open") {
      let place = found.length;
      while (found[place - 1]?.kind === "open") place--;
      found.splice(place, 0, { kind: "text", text: " " });
      if (piece.text !== " ") found.push({ ...piece, text: withoutStart(piece.text, " ") });
    } else {
      found.push(piece);
    }
  }
  return found;
}

/** The last character before a piece that is not of a mark. @param {Piece[]} pieces @param {number} at */
function characterBefore(pieces, at) {
  for (at--; at >= 0 && (pieces[at].other || !pieces[at].text); at--);
  return at < 0 ? " " : lastOf(pieces[at].text);
}

/** The first character after a piece that is not of a mark. @param {Piece[]} pieces @param {number} at */
function characterAfter(pieces, at) {
  for (at++; at < pieces.length && (pieces[at].other || !pieces[at].text); at++);
  return at >= pieces.length ? " " : firstOf(pieces[at].text);
}

/** Is it punctuation or a symbol, as CommonMark defines them? @param {string} character */
const isSign = (character) => /[\p{P}\p{S}]/u.test(character);

/** The pieces as one text, without double spaces and without spaces around a line break. @param {Piece[]} pieces */
function join(pieces) {
  /** @type {string[]} */
  const parts = [];
  for (const [at, piece] of pieces.entries()) {
    let { text } = piece;
    const last = parts.at(-1) ?? "";
    if (text === BREAK && last.endsWith(" ")) parts[parts.length - 1] = withoutEnd(last, " ");
    if (piece.kind === "text") {
      if (last.endsWith(" ") || last.endsWith("\n")) text = withoutStart(text, " ");
      const end = text.slice(-1);
      const signs = TOGETHER.get(end);
      if (signs && !text.endsWith(`\\${end}`) && signs.includes(pieces[at + 1]?.text[0] || " ")) {
        text = `${text.slice(0, -1)}\\${end}`;
      }
    }
    if (text) parts.push(text);
  }
  return parts.join("");
}

/** A text in which nothing is read as markup in the middle of a line. @param {string} text @param {State} state */
function escaped(text, state) {
  if (state.isPlain || !SPECIAL.test(text)) return text;
  let written = text.replace(MARKUP, "\\$&");
  if (state.inLink) written = written.replace(BRACKET, "\\$&");
  if (state.tildes) written = written.replace(TILDE, "\\~");
  if (text.includes("$") && (state.besideFormula || DOLLARS.test(text))) written = written.replaceAll("$", "\\$");
  return state.inCell ? written.replaceAll("|", "\\|") : written;
}

/** A line in which nothing is read as markup at its start. @param {string} line */
function atLineStart(line) {
  if (!line || !STARTS.includes(line[0])) return line;
  const found = LINE_STARTS.exec(line);
  if (!found) return line;
  const place = (found[1] ?? found[2] ?? "").length;
  return `${line.slice(0, place)}\\${line.slice(place)}`;
}
