// Inline content as Markdown. Emphasis is decided last, when the characters on both sides of its marks are known: marks
// that CommonMark would not read as such are left out.

/** @import {Node} from "./tree.js" */

import { spaced, stripped } from "../characters.js";

/** @type {Record<string, string>} */
const EMPHASIS = { b: "**", strong: "**", em: "*", i: "*", s: "~~", del: "~~" };
/** @type {Record<string, [before: string, after: string]>} */
const AROUND = { sup: ["^", "^"], sub: ["~", "~"], q: ["\u201c", "\u201d"] };
const BREAK = "  \n";
const CODE = new Set(["code", "kbd", "samp"]);

/**
 * @typedef {object} Piece
 * @property {string} text
 * @property {"text" | "atom" | "open" | "close"} kind a text may lose a space at its edge, an atom is never changed
 * @property {Piece} [other] of a mark: the mark at the other end
 * @property {string} [code] of a code span: its content
 *
 * @typedef {{oneLine: boolean, inLink: boolean, marks: string[]}} State `marks` are those that are open
 */

/**
 * Inline nodes as one paragraph of Markdown, in steps (Pace.finish). A line break is two spaces and a newline.
 *
 * @param {(Node | string)[]} nodes
 * @param {{oneLine?: boolean}} [options] `oneLine` writes spaces for line breaks: headings, cells, links
 * @returns {Generator<void, string, void>}
 */
export function* inline(nodes, { oneLine = false } = {}) {
  /** @type {Piece[]} */
  const pieces = [];
  yield* collect(nodes, pieces, { oneLine, inLink: false, marks: [] });
  const text = join(yield* decided(pieces));
  yield;
  if (oneLine) return stripped(text);
  return stripped(text.split("\n").map((line) => atLineStart(line.replace(/^ +/, ""))).join("\n"));
}

/**
 * @param {(Node | string)[]} nodes
 * @param {Piece[]} pieces
 * @param {State} state
 * @returns {Generator<void, void, void>}
 */
function* collect(nodes, pieces, state) {
  for (const node of nodes) {
    yield;
    if (typeof node === "string") {
      pieces.push({ kind: "text", text: escaped(spaced(node)) });
    } else {
      yield* element(node, pieces, state);
    }
  }
}

/** @param {Node} node @param {Piece[]} pieces @param {State} state @returns {Generator<void, void, void>} */
function* element(node, pieces, state) {
  const { name, attributes, children } = node;
  const mark = EMPHASIS[name];
  if (name === "br") {
    pieces.push({ kind: state.oneLine ? "text" : "atom", text: state.oneLine ? " " : BREAK });
  } else if (name === "img") {
    pieces.push({ kind: "atom", text: `![${escaped(String(attributes.alt))}](${address(String(attributes.src))})` });
  } else if (CODE.has(name)) {
    addCode(plain(node), pieces);
  } else if (name === "a" && !state.inLink) {
    yield* link(node, pieces, state);
  } else if (mark && !state.marks.includes(mark)) {
    /** @type {Piece} */
    const open = { kind: "open", text: mark };
    /** @type {Piece} */
    const close = { kind: "close", text: mark, other: open };
    open.other = close;
    pieces.push(open);
    yield* collect(children, pieces, { ...state, marks: [...state.marks, mark] });
    pieces.push(close);
  } else if (AROUND[name]) {
    const [before, after] = AROUND[name];
    pieces.push({ kind: "text", text: before });
    yield* collect(children, pieces, state);
    pieces.push({ kind: "text", text: after });
  } else {
    yield* collect(children, pieces, state);
  }
}

/** @param {Node} node @param {Piece[]} pieces @param {State} state @returns {Generator<void, void, void>} */
function* link({ attributes, children }, pieces, state) {
  /** @type {Piece[]} */
  const inner = [];
  yield* collect(children, inner, { ...state, inLink: true, oneLine: true, marks: [] });
  const text = join(yield* decided(inner));
  if (!stripped(text)) {
    pieces.push({ kind: "text", text });
    return;
  }
  const href = String(attributes.href);
  const isAddress = /^https?:[^\s<>]+$/.test(href) && stripped(text) === escaped(href);
  if (text.startsWith(" ")) pieces.push({ kind: "text", text: " " });
  pieces.push({ kind: "atom", text: isAddress ? `<${href}>` : `[${stripped(text)}](${address(href)})` });
  if (text.endsWith(" ")) pieces.push({ kind: "text", text: " " });
}

/** @param {string} code @param {Piece[]} pieces */
function addCode(code, pieces) {
  const text = spaced(code);
  const inner = stripped(text);
  if (!inner) {
    pieces.push({ kind: "text", text });
    return;
  }
  if (text.startsWith(" ")) pieces.push({ kind: "text", text: " " });
  // Two adjacent code spans would share their backticks, so they become one.
  const before = pieces.at(-1)?.code ? pieces.pop()?.code : "";
  pieces.push(codeSpan(before + inner));
  if (text.endsWith(" ")) pieces.push({ kind: "text", text: " " });
}

/** @param {string} code @returns {Piece} */
function codeSpan(code) {
  const fence = "`".repeat(longestRun(code, "`") + 1);
  const pad = code.startsWith("`") || code.endsWith("`") ? " " : "";
  return { kind: "atom", text: `${fence}${pad}${code}${pad}${fence}`, code };
}

/**
 * Without the marks that CommonMark would not read as such, and with the spaces inside of marks moved outside.
 *
 * @param {Piece[]} pieces
 * @returns {Generator<void, Piece[], void>}
 */
function* decided(pieces) {
  if (!pieces.some(isMark)) return pieces;
  /** @type {Set<Piece | undefined>} */
  const dropped = new Set();
  const drop = (/** @type {Piece} */ piece) => dropped.add(piece).add(piece.other);
  let moved = spacesOutside(pieces);
  yield;
  moved.forEach((piece, at) => {
    if (piece.kind !== "open" || dropped.has(piece)) return;
    const before = moved[at - 1];
    if (moved[at + 1] === piece.other) drop(piece);
    else if (before?.kind === "close" && !dropped.has(before)) {
      // Adjacent spans of the same emphasis become one. Of different ones the second is dropped: "*a***b**" is neither.
      if (before.text !== piece.text) drop(piece);
      else {
        dropped.add(before).add(piece);
        if (before.other) before.other.other = piece.other;
        if (piece.other) piece.other.other = before.other;
      }
    }
  });
  moved = moved.filter((piece) => !dropped.has(piece));
  dropped.clear();
  yield;
  moved.forEach((piece, at) => {
    if (piece.kind !== "open" && piece.kind !== "close") return;
    const [before, after] = [characterBefore(moved, at), characterAfter(moved, at)];
    const [outside, inside] = piece.kind === "open" ? [before, after] : [after, before];
    if (isSpace(inside) || (isPunctuation(inside) && !isSpace(outside) && !isPunctuation(outside))) drop(piece);
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
      for (; last?.kind === "text" && /^ *$/.test(last.text); last = found.at(-1)) {
        spaces.push(last);
        found.pop();
      }
      if (last?.kind === "text" && last.text.endsWith(" ")) {
        found[found.length - 1] = { ...last, text: last.text.replace(/ +$/, "") };
        spaces.push({ kind: "text", text: " " });
      }
      found.push(piece, ...spaces);
    } else if (piece.kind === "text" && piece.text.startsWith(" ") && found.at(-1)?.kind === "open") {
      let place = found.length;
      while (found[place - 1]?.kind === "open") place--;
      found.splice(place, 0, { kind: "text", text: " " });
      if (piece.text !== " ") found.push({ ...piece, text: piece.text.replace(/^ +/, "") });
    } else {
      found.push(piece);
    }
  }
  return found;
}

/** @param {Piece} piece */
const isMark = (piece) => piece.kind === "open" || piece.kind === "close";

/** The last character before a piece that is not of a mark. @param {Piece[]} pieces @param {number} at */
function characterBefore(pieces, at) {
  for (at--; at >= 0 && (isMark(pieces[at]) || !pieces[at].text); at--);
  return at < 0 ? " " : ([...pieces[at].text.slice(-2)].at(-1) ?? " ");
}

/** The first character after a piece that is not of a mark. @param {Piece[]} pieces @param {number} at */
function characterAfter(pieces, at) {
  for (at++; at < pieces.length && (isMark(pieces[at]) || !pieces[at].text); at++);
  return at >= pieces.length ? " " : String.fromCodePoint(pieces[at].text.codePointAt(0) ?? 32);
}

/** @param {string} character */
const isSpace = (character) => /\s/.test(character);
/** @param {string} character */
const isPunctuation = (character) => /[\p{P}\p{S}]/u.test(character);

/** The pieces as one text, without double spaces and without spaces around a line break. @param {Piece[]} pieces */
function join(pieces) {
  /** @type {string[]} */
  const parts = [];
  for (const { kind, text } of pieces) {
    const last = parts.at(-1) ?? "";
    const isBreak = text === BREAK;
    if (isBreak && last.endsWith(" ")) parts[parts.length - 1] = last.slice(0, -1);
    const part = kind === "text" && /[ \n]/.test(last.slice(-1)) ? text.replace(/^ +/, "") : text;
    if (part) parts.push(part);
  }
  return parts.join("");
}

/** Escape what Markdown would read as markup anywhere in a line. @param {string} text */
function escaped(text) {
  if (!/[\\`*[\]~_<&]/.test(text)) return text;
  return text
    .replace(/[\\`*[\]~]/g, "\\$&")
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_")
    .replace(/<(?=[a-zA-Z/!?])/g, "\\<")
    .replace(/&(?=#?[a-zA-Z0-9]+;)/g, "\\&");
}

/** Escape what Markdown would read as markup at the start of a line. @param {string} line */
function atLineStart(line) {
  if (!/^[#>=+\-\d]/.test(line)) return line;
  return line
    .replace(/^(#{1,6})(?= |$)/, "\\$1")
    .replace(/^([-+])(?= |$)/, "\\$1")
    .replace(/^>/, "\\>")
    .replace(/^([-=])(?=[-= ]*$)/, "\\$1")
    .replace(/^(\d{1,9})([.)])(?= |$)/, "$1\\$2");
}

/** An address as the target of a link. @param {string} url */
export function address(url) {
  const clean = url.replace(/[\s<>\\]/g, (character) => encodeURIComponent(character));
  return /[()]/.test(clean) ? `<${clean}>` : clean;
}

/** All text of a node. @param {Node} node */
export function plain(node) {
  let text = "";
  /** @type {(Node | string)[]} */
  const todo = [node];
  for (let next; (next = todo.pop()) !== undefined; ) {
    if (typeof next === "string") text += next;
    else if (next.name === "br") text += "\n";
    else for (let place = next.children.length - 1; place >= 0; place--) todo.push(next.children[place]);
  }
  return text;
}

/** How often a character is repeated at most. @param {string} text @param {string} character */
export function longestRun(text, character) {
  let [longest, run] = [0, 0];
  for (const each of text) {
    run = each === character ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}
