// Callouts: boxes with a remark, a tip or a warning beside the text (src/tamis/render/content/callouts.py).

/** @import {Marks} from "./marks.js" */
/** @import {Source} from "./source.js" */

import names from "../../../../src/tamis/render/content/names.json" with { type: "json" };
import { folded, length } from "../characters.js";
import { BLOCK, MEDIA } from "../tags.js";
import { marksOf } from "./marks.js";
import { Node } from "./node.js";

const table = names.callouts;

/** @param {Record<string, string[]>} words by kind @returns {Map<string, string>} kinds by word */
const byWord = (words) =>
  new Map(Object.entries(words).flatMap(([kind, each]) => each.map((word) => /** @type {const} */ ([word, kind]))));
// What the words of the systems mean. The others have no kind of their own, so that their title says more than it.
const KINDS = byWord(table.kinds);
const ALL_KINDS = new Map([...KINDS, ...byWord(table.other_kinds)]);
const BOXES = new Set(table.boxes);
const NEED_KIND = new Set(table.need_kind);
const TITLES = new Set(table.titles);
const ICONS = new Set(table.icons);
const BOX_TAGS = new Set(table.tags);
const CUES = new Set([...table.boxes, ...table.generic, ...table.generic.map((name) => name.toUpperCase())]);
const LETTER = /\p{L}/u;

const LONGEST_TITLE = 150; // characters; more is the text
const MOST_LEAVES = 200; // more is a part of the page
const FIRST_ROWS = 12; // elements that are looked at for a title

/** The callouts of a page. @param {Source} source @returns {Generator<void, Marks | null, void>} */
export function* callouts(source) {
  const cues = [...source.classes.keys()].filter((name) => CUES.has(name));
  if (!cues.length) return null;
  const found = marksOf();
  let begin = -1; // the first leaf of the callout before: an element around the same texts is part of it
  const rows = new Set(cues.flatMap((name) => source.classes.get(name) ?? []));
  for (const row of [...rows].sort((one, other) => one - other)) {
    yield;
    const leaves = source.leavesIn(row);
    const isSmall = leaves.length > 0 && leaves.length <= MOST_LEAVES;
    if (!isSmall || leaves[0] === begin || !BOX_TAGS.has(source.tag(row)) || !source.holds[row]) continue;
    const word = wordOf(source, row);
    const { row: titleRow, title } = titleOf(source, row, word);
    if (!isBox(source, row, word, title)) continue;
    begin = leaves[0];
    const kind = ALL_KINDS.get(word) ?? "note";
    const isRepeated = bare(title) === kind || (KINDS.has(word) && bare(title) === word);
    found.named.set(row, new Node("callout", title && !isRepeated ? { kind, title } : { kind }));
    if (titleRow >= 0) {
      found.replaced.set(titleRow, new Node(""));
      found.text.set(titleRow, title);
    }
    for (const inner of icons(source, row)) found.skipped.add(inner);
    for (const inner of cells(source, row)) found.named.set(inner, new Node(""));
  }
  return found.named.size ? found : null;
}

/** @param {Source} source @param {number} row @param {string} word @param {string} title */
function isBox(source, row, word, title) {
  const classes = source.classNames(row);
  const boxes = new Set(classes.filter((name) => BOXES.has(name)));
  if (boxes.size === 1 && boxes.has("panel")) {
    // Of Bootstrap and Confluence; others are boxes for anything.
    return KINDS.has(word) && classes.includes(`panel-${word}`) && word !== "default" && word !== "primary";
  }
  if (boxes.size) return word !== "" || ![...boxes].every((name) => NEED_KIND.has(name));
  if (source.tag(row) === "details") return ALL_KINDS.has(word);
  return KINDS.has(word) && KINDS.get(bare(title)) === KINDS.get(word);
}

/**
 * The word for the kind of a box, as its system has it; empty if there is none.
 *
 * @param {Source} source
 * @param {number} row
 */
function wordOf(source, row) {
  for (const name of table.kind_attributes) {
    const value = (source.attribute(row, name) ?? "").toLowerCase();
    if (value) return value;
  }
  const words = source.classNames(row).map((name) => name.toLowerCase());
  const plain = words.find((word) => ALL_KINDS.has(word) && !BOXES.has(word));
  if (plain) return plain;
  for (const word of words) {
    const prefix = table.prefixes.find((each) => word.startsWith(each) && ALL_KINDS.has(word.slice(each.length)));
    if (prefix) return word.slice(prefix.length);
  }
  const boxes = new Set(words.filter((word) => BOXES.has(word)));
  return words.find((word) => ALL_KINDS.has(word) && [...boxes].some((box) => box !== word)) ?? "";
}

/**
 * The element with the title of a box and its text; -1 and nothing if there is none.
 *
 * @param {Source} source
 * @param {number} row
 * @param {string} word
 */
function titleOf(source, row, word) {
  const end = Math.min(source.elements.end[row], row + 1 + FIRST_ROWS);
  for (let inner = row + 1; inner < end; inner++) {
    if (!source.holds[inner] || MEDIA.has(source.tag(inner))) continue;
    const isTitle =
      (source.tag(inner) === "summary" && source.tag(row) === "details") ||
      source.classNames(inner).some((name) => TITLES.has(name) || isHeading(name));
    const title = isTitle ? shown(source, inner) : "";
    if (title) return { row: inner, title };
  }
  // The first words, if they say the kind: "Note:" in bold, or in a line of their own.
  for (let inner = row + 1; inner < end; inner++) {
    if (!source.holds[inner] || MEDIA.has(source.tag(inner))) continue;
    const title = shown(source, inner);
    const kind = KINDS.get(bare(title));
    if (title && kind && (kind === KINDS.get(word) || !word)) return { row: inner, title };
    if (!BLOCK.has(source.tag(inner)) && title) break;
  }
  return { row: -1, title: "" };
}

/** @param {string} name */
const isHeading = (name) => table.title_prefixes.some((prefix) => name.startsWith(prefix));

/**
 * The kept text of a title, without icons; empty if it is too long for one.
 *
 * @param {Source} source
 * @param {number} row
 */
function shown(source, row) {
  let text = "";
  let parts = 0;
  for (const leaf of source.leavesIn(row)) {
    const { element, gap, text: own, isMedia } = source.leaves[leaf];
    if (!source.keep[leaf] || isMedia || (element !== row && isIcon(source, element))) continue;
    text += gap + own;
    if (++parts > FIRST_ROWS) return "";
  }
  const title = folded(text);
  return length(title) <= LONGEST_TITLE ? title : "";
}

/** @param {Source} source @param {number} row */
const isIcon = (source, row) => source.classNames(row).some((name) => ICONS.has(name));

/** A title in lower case, without punctuation and icons around it. @param {string} title */
function bare(title) {
  const characters = [...title];
  const first = characters.findIndex((character) => LETTER.test(character));
  const last = characters.findLastIndex((character) => LETTER.test(character));
  return first < 0 ? "" : characters.slice(first, last + 1).join("").toLowerCase();
}

/** The icons of a box, by their classes, and drawings that are one. @param {Source} source @param {number} row */
function icons(source, row) {
  return firstRows(source, row).filter(
    (inner) => source.holds[inner] && (isIcon(source, inner) || ["svg", "canvas"].includes(source.tag(inner))),
  );
}

/** The elements of a table that only puts an icon beside the text. @param {Source} source @param {number} row */
function cells(source, row) {
  if (!source.classNames(row).includes("admonitionblock")) return [];
  const parts = new Set(["table", "tbody", "tr", "td"]);
  return firstRows(source, row).filter((inner) => parts.has(source.tag(inner))).slice(0, 6);
}

/** @param {Source} source @param {number} row */
function firstRows(source, row) {
  const count = Math.min(source.elements.end[row] - row - 1, FIRST_ROWS);
  return Array.from({ length: count }, (_, place) => row + 1 + place);
}
