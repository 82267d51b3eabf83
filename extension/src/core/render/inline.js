// Inline content as Markdown. Emphasis is decided last, when it is known what stands on either side of its marks:
// where CommonMark would not read them as marks they are left out.

import { spaced, stripped } from "../characters.js";

const EMPHASIS = { b: "**", strong: "**", em: "*", i: "*", s: "~~", del: "~~" };
const AROUND = { sup: ["^", "^"], sub: ["~", "~"], q: ["\u201c", "\u201d"] };
const BREAK = "  \n";
const CODE = new Set(["code", "kbd", "samp"]);

/**
 * @typedef {object} Piece
 * @property {string} text
 * @property {"text" | "atom" | "open" | "close"} kind text may lose a space at its edge, an atom is never touched
 * @property {Piece} [other] of a mark: the one at the other end
 * @property {string} [code] of a span of code: what is in it
 */

/**
 * Inline nodes as one paragraph of Markdown, in steps (Pace.finish); line breaks stand as two spaces and a newline.
 *
 * @param {(import("./tree.js").Node | string)[]} nodes
 * @param {{oneLine?: boolean}} [options] `oneLine` has spaces for line breaks: headings, cells, links
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

function* element(node, pieces, state) {
  const { name, attributes, children } = node;
  const mark = EMPHASIS[name];
  if (name === "br") {
    pieces.push({ kind: state.oneLine ? "text" : "atom", text: state.oneLine ? " " : BREAK });
  } else if (name === "img") {
    pieces.push({ kind: "atom", text: `![${escaped(attributes.alt)}](${address(attributes.src)})` });
  } else if (CODE.has(name)) {
    addCode(plain(node), pieces);
  } else if (name === "a" && !state.inLink) {
    yield* link(node, pieces, state);
  } else if (mark && !state.marks.includes(mark)) {
    const open = { kind: "open", text: mark };
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

function* link({ attributes, children }, pieces, state) {
  const inner = [];
  yield* collect(children, inner, { ...state, inLink: true, oneLine: true, marks: [] });
  const text = join(yield* decided(inner));
  if (!stripped(text)) {
    pieces.push({ kind: "text", text });
    return;
  }
  const { href } = attributes;
  const isAddress = /^https?:[^\s<>]+$/.test(href) && stripped(text) === escaped(href);
  if (text.startsWith(" ")) pieces.push({ kind: "text", text: " " });
  pieces.push({ kind: "atom", text: isAddress ? `<${href}>` : `[${stripped(text)}](${address(href)})` });
  if (text.endsWith(" ")) pieces.push({ kind: "text", text: " " });
}

function addCode(code, pieces) {
  const text = spaced(code);
  const inner = stripped(text);
  if (!inner) {
    pieces.push({ kind: "text", text });
    return;
  }
  if (text.startsWith(" ")) pieces.push({ kind: "text", text: " " });
  // Two spans side by side would share their fences, so they become one.
  const before = pieces.at(-1)?.code ? pieces.pop().code : "";
  pieces.push(codeSpan(before + inner));
  if (text.endsWith(" ")) pieces.push({ kind: "text", text: " " });
}

function codeSpan(code) {
  const fence = "`".repeat(longestRun(code, "`") + 1);
  const pad = code.startsWith("`") || code.endsWith("`") ? " " : "";
  return { kind: "atom", text: `${fence}${pad}${code}${pad}${fence}`, code };
}

/** Without the marks that would not be read as such, and with the spaces inside of marks put outside. */
function* decided(pieces) {
  if (!pieces.some(isMark)) return pieces;
  const dropped = new Set();
  const drop = (piece) => dropped.add(piece).add(piece.other);
  let moved = spacesOutside(pieces);
  yield;
  moved.forEach((piece, at) => {
    if (piece.kind !== "open" || dropped.has(piece)) return;
    const before = moved[at - 1];
    if (moved[at + 1] === piece.other) drop(piece);
    else if (before?.kind === "close" && !dropped.has(before)) {
      // Two stretches of one kind side by side are one; of two kinds the second goes, for "*a***b**" says neither.
      if (before.text !== piece.text) drop(piece);
      else {
        dropped.add(before).add(piece);
        before.other.other = piece.other;
        piece.other.other = before.other;
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

function spacesOutside(pieces) {
  const found = [];
  for (const piece of pieces) {
    if (piece.kind === "close") {
      const spaces = [];
      while (found.at(-1)?.kind === "text" && /^ *$/.test(found.at(-1).text)) spaces.push(found.pop());
      const last = found.at(-1);
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

const isMark = (piece) => piece.kind === "open" || piece.kind === "close";

function characterBefore(pieces, at) {
  for (at--; at >= 0 && (isMark(pieces[at]) || !pieces[at].text); at--);
  return at < 0 ? " " : [...pieces[at].text.slice(-2)].at(-1);
}

function characterAfter(pieces, at) {
  for (at++; at < pieces.length && (isMark(pieces[at]) || !pieces[at].text); at++);
  return at >= pieces.length ? " " : String.fromCodePoint(pieces[at].text.codePointAt(0));
}

const isSpace = (character) => /\s/.test(character);
const isPunctuation = (character) => /[\p{P}\p{S}]/u.test(character);

/** The pieces as one text, in which no two spaces stand side by side, and none before or after a line break. */
function join(pieces) {
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

/** What Markdown would read as markup anywhere in a line. */
function escaped(text) {
  if (!/[\\`*[\]~_<&]/.test(text)) return text;
  return text
    .replace(/[\\`*[\]~]/g, "\\$&")
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_")
    .replace(/<(?=[a-zA-Z/!?])/g, "\\<")
    .replace(/&(?=#?[a-zA-Z0-9]+;)/g, "\\&");
}

/** And what it would read so at the start of a line. */
function atLineStart(line) {
  if (!/^[#>=+\-\d]/.test(line)) return line;
  return line
    .replace(/^(#{1,6})(?= |$)/, "\\$1")
    .replace(/^([-+])(?= |$)/, "\\$1")
    .replace(/^>/, "\\>")
    .replace(/^([-=])(?=[-= ]*$)/, "\\$1")
    .replace(/^(\d{1,9})([.)])(?= |$)/, "$1\\$2");
}

/** An address as the target of a link. */
export function address(url) {
  const clean = url.replace(/[\s<>\\]/g, (character) => encodeURIComponent(character));
  return /[()]/.test(clean) ? `<${clean}>` : clean;
}

/** All text of a node. */
export function plain(node) {
  let text = "";
  const todo = [node];
  while (todo.length) {
    const next = todo.pop();
    if (typeof next === "string") text += next;
    else if (next.name === "br") text += "\n";
    else for (let place = next.children.length - 1; place >= 0; place--) todo.push(next.children[place]);
  }
  return text;
}

/** The length of the longest run of a character. */
export function longestRun(text, character) {
  let [longest, run] = [0, 0];
  for (const each of text) {
    run = each === character ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}
