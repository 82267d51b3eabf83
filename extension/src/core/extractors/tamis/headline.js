// The headline of a page, in all places that show it: src/tamis/extractor/headline.py.

/** @import {PageRuns} from "./runs.js" */

import { first, length, stripped } from "../../characters.js";
import { codeOf, HEADINGS, lookup } from "../../tags.js";
import { LEVELS } from "./columns.js";

const IS_HEADING = lookup(...HEADINGS);
const H1 = codeOf("h1");
const BREAK = codeOf("br");

const MOST_CANDIDATES = 100;
const LONGEST = 1_000;
const MOST_PARTS = 6;
const LEAST_LETTERS = 8;
const LEAST_SHARED = 0.5;
const MOST_WORDS_BEFORE = 50;

// White space in titles is folded. Chinese and Japanese ones have none.
const UNSPACED = "[\\u3040-\\u30ff\\u3400-\\u9fff\\uff01-\\uff5e]";
const SEPARATOR = new RegExp(
  `(?<! ) +(?:[-–—|:·•/«»‹›]+ +|[|»«›｜] *)|[|»«›｜] *|: +|(?<=${UNSPACED})[-_]|_(?=${UNSPACED})`,
);
const WORD = /[\p{L}\p{N}_]+/gu;

/**
 * @typedef {object} Line a heading or line that may be the headline
 * @property {number} shared letters in common with a part of the title
 * @property {boolean} isHeading
 * @property {string} text folded
 * @property {boolean} isExact equal to parts of the title
 * @property {number} run
 * @property {number[]} leaves
 */

/**
 * The leaves of the headline: the longest heading or line that equals parts of the TITLE or of og:title; else the
 * longest heading above the text that has most of a part; else the first kept H1 above the text.
 *
 * @param {PageRuns} runs
 * @param {Uint8Array} isKept
 */
export function headline(runs, isKept) {
  const parts = new Set([runs.table.title, runs.declaredTitle].flatMap((title) => joinedParts(first(title, LONGEST))));
  const isAbove = new Uint8Array(runs.length);
  let before = 0;
  isKept.forEach((is, run) => {
    isAbove[run] = before < MOST_WORDS_BEFORE ? 1 : 0;
    if (is) before += runs.texts.words[run];
  });
  const isH1 = (/** @type {number} */ run) => codeAt(runs, run) === H1;
  const lines = linesOf(runs, parts, isAbove);
  const chosen = [lines, lines.filter((line) => isKept[line.run])].map((some) => likeliest(some)?.text);
  const found = lines.filter((line) => chosen.includes(line.text) || (line.isExact && isH1(line.run)));
  /** @type {Array<{run: number, leaves: number[]}>} */
  let places = found;
  if (!found.length) {
    const run = isKept.findIndex((is, at) => Boolean(is && isAbove[at] && isH1(at)));
    places = run < 0 ? [] : [{ run, leaves: runs.leavesOf(run) }];
  }
  return places.flatMap(({ run, leaves }) => [...leaves, ...copies(runs, leaves, run)]);
}

/** @param {PageRuns} runs @param {number} run */
const codeAt = (runs, run) => runs.tags[run * (1 + LEVELS)];

/** The parts of a title, folded, alone and joined with their neighbours. @param {string} title */
function joinedParts(title) {
  const parts = title.split(SEPARATOR).filter(Boolean).slice(0, MOST_PARTS).map(folded).filter(Boolean);
  return parts.flatMap((_, begin) => parts.slice(begin).map((_part, at, some) => some.slice(0, at + 1).join(" ")));
}

/** The words of a text in lower case. @param {string} text */
function folded(text) {
  // By way of upper case, as str.casefold() does: ß is ss, and each sigma the same.
  return (text.toUpperCase().toLowerCase().replaceAll("ς", "σ").match(WORD) ?? []).join(" ");
}

/**
 * @param {PageRuns} runs
 * @param {Set<string>} parts
 * @param {Uint8Array} isAbove
 */
function linesOf(runs, parts, isAbove) {
  const { texts, table, declaredTitle } = runs;
  /** @type {Line[]} */
  const found = [];
  let candidates = 0;
  for (let run = 0; run < runs.length && candidates < MOST_CANDIDATES; run++) {
    const isHeading = Boolean(IS_HEADING[codeAt(runs, run)]);
    const isHigh = isHeading && (isAbove[run] || codeAt(runs, run) === H1);
    if (!isHigh && !texts.inTitle[run] && (!declaredTitle || texts.begin[run] !== declaredTitle)) continue;
    candidates++;
    const leaves = runs.leavesOf(run);
    for (const some of [leaves, leaves.slice(0, 1)]) {
      const isWhole = some.length === leaves.length;
      const strings = some.map((leaf) => table.leaves[leaf].text);
      const isShort = strings.reduce((sum, text) => sum + length(text), 0) <= LONGEST;
      const text = isShort ? folded(strings.join(" ")) : "";
      const isExact = parts.has(text);
      let shared = isExact ? length(text) : 0;
      if (isHeading && !isExact && isAbove[run] && isWhole) shared = sharedWith(text, parts, codeAt(runs, run) === H1);
      if (!isHeading && (isSentence(strings[strings.length - 1]) || shared < LEAST_LETTERS)) shared = 0;
      if (!shared || !(isWhole || isHeading || endsLine(runs, leaves))) continue;
      found.push({ shared, isHeading, text, isExact, run, leaves: some });
      break;
    }
  }
  return found;
}

/** @param {Line[]} lines */
function likeliest(lines) {
  /** @type {Line | undefined} */
  let best;
  for (const line of lines) {
    const isTie = best?.shared === line.shared;
    if (!best || line.shared > best.shared || (isTie && line.isHeading && !best.isHeading)) best = line;
  }
  return best;
}

/**
 * The leaves that are the whole of another run and have the same text as these, which are of `run`.
 *
 * @param {PageRuns} runs
 * @param {number[]} leaves
 * @param {number} run
 */
function copies(runs, leaves, run) {
  const { begin, repeated } = runs.texts;
  const text = stripped(runs.table.leaves[leaves[0]].text);
  if (leaves.length > 1 || length(text) < LEAST_LETTERS || !repeated[run]) return [];
  const alike = [...begin.keys()].filter((other) => begin[other] === text).map((other) => runs.leavesOf(other));
  return alike.filter((some) => some.length === 1).map(([leaf]) => leaf);
}

/**
 * How many letters a text shares with the part that has it, or that it has; 0 if they are too few.
 *
 * @param {string} text
 * @param {Set<string>} parts
 * @param {boolean} mayBeLonger
 */
function sharedWith(text, parts, mayBeLonger) {
  let found = 0;
  for (const part of parts) {
    const isLonger = length(text) > length(part);
    const [short, long] = isLonger ? [part, text] : [text, part];
    if (length(short) < LEAST_SHARED * length(long) || (isLonger && !mayBeLonger)) continue;
    if (` ${long} `.includes(` ${short} `)) found = Math.max(found, length(short));
  }
  return found;
}

/** True if it ends in one stop: a sentence may give a page its title and still be text. @param {string} text */
function isSentence(text) {
  const end = stripped(text);
  return (end.endsWith(".") || end.endsWith("。")) && !end.endsWith("..");
}

/** True if there is a line break behind the first of these leaves. @param {PageRuns} runs @param {number[]} leaves */
function endsLine({ table }, [begin, next]) {
  const { code } = table.elements;
  return code.slice(table.leaves[begin].opened + 1, table.leaves[next].opened + 1).includes(BREAK);
}
