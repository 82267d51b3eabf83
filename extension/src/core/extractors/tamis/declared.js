// What a page declares about itself for machines: its type, the beginning of its text, its address
// (tamis/extractor/declared.py).

/** @import {Steps} from "../../pace.js" */
/** @import {Elements} from "../../page/elements.js" */
/** @import {PageTable} from "../../page/table.js" */
/** @import {LinkedData} from "./linked_data.js" */

import { first, folded, length, stripped } from "../../characters.js";
import { STEPS } from "../../pace.js";
import { ENTITIES, TYPES, typeNumber } from "./conventions.js";
import { readLinkedData } from "./linked_data.js";

const OG_TYPES = ["article", "product", "website", "profile", "other"];

// A description is found by its beginning. Shorter ones are found by chance.
const KEY = 40;
const SHORTEST = 25;

// Characters of JSON-LD of each kind.
const MOST_TEXT = 200_000;

// A page has up to three descriptions, of a few sentences each.
const MOST_DESCRIPTIONS = 6;
const LONGEST_DESCRIPTION = 2_000;
const DESCRIPTIONS = new Set(["description", "og:description", "twitter:description"]);

const TAG = /<[^<>]*>/g;
const ENTITY = new RegExp([...ENTITIES.keys()].map((entity) => entity.replace(/\W/g, "\\$&")).join("|"), "g");
const ORIGIN = /^(?:[a-zA-Z][a-zA-Z+.-]*:)?\/\/[^/?#]*/;
const SUFFIX = /\.[a-zA-Z0-9]{2,5}\n?$/; // Python's $ is also before a line break at the end
const WORD = /[a-z]+|[^\0-\x7f]+/g;

/**
 * @typedef {object} Declared
 * @property {Map<string, string>} texts for each kind except names: all texts, joined
 * @property {Set<string>} names
 * @property {string[]} openings the beginnings of the descriptions
 * @property {Float32Array} page the columns that are the same for all runs (PAGE in Python)
 * @property {string} title of Open Graph
 */

/**
 * Read META and LINK elements, JSON-LD and schema.org attributes, but not those of pages in frames. Broken data is left
 * out.
 *
 * @param {PageTable} table
 * @returns {Steps<Declared>}
 */
export function* readDeclared({ elements }) {
  /** @type {Set<number | undefined>} */
  const marked = new Set();
  /** @type {Record<string, number[]>} */
  const rows = { meta: [], link: [], script: [] };
  const isElsewhere = elements.inside(elements.mask(elements.frames));
  for (let row = 0; row < elements.length; row++) {
    if (row % STEPS === 0) yield 0;
    if (isElsewhere[row]) continue;
    if (Object.hasOwn(rows, elements.tag[row])) rows[elements.tag[row]].push(row);
    const type = elements.attribute(row, "itemtype");
    if (type) marked.add(typeNumber(type));
  }
  const meta = readMeta(elements, rows);
  const data = yield* readLinkedData(elements, rows.script);
  return declaredBy(meta, data, marked);
}

/**
 * Join what META and LINK elements, JSON-LD and schema.org attributes declare.
 *
 * @param {ReturnType<typeof readMeta>} meta
 * @param {LinkedData} data
 * @param {Set<number | undefined>} marked
 */
function declaredBy(meta, data, marked) {
  /** @type {Map<string, string>} */
  const texts = new Map();
  for (const [kind, found] of data.texts) {
    if (kind !== "name") texts.set(kind, plain(first(found.join(" \n "), MOST_TEXT)));
  }
  texts.set("meta", meta.descriptions.join(" | "));
  texts.set("part", linesOf(data.parts));
  const openings = [...meta.descriptions, texts.get("description") ?? ""].map((text) => first(text, KEY));
  const typed = (/** @type {Set<number | undefined>} */ types) => TYPES.map((_, number) => (types.has(number) ? 1 : 0));
  return {
    texts: new Map([...texts].filter(([, text]) => text)),
    names: new Set(data.texts.get("name")?.map(plain)),
    openings: [...new Set(openings)].filter((opening) => length(opening) >= SHORTEST),
    page: Float32Array.from([
      ...openGraph(meta.type),
      ...typed(data.types),
      ...typed(marked),
      meta.descriptions.length ? 1 : 0,
      ...addressShape(meta.address),
    ]),
    title: meta.title,
  };
}

/** Lines, with a line feed before and after each. @param {string[]} parts */
function linesOf(parts) {
  const lines = [];
  let left = MOST_TEXT;
  for (const part of parts) {
    if (left <= 0) break;
    lines.push(...first(part, left).split("\n").map(plain).filter(Boolean));
    left -= length(part);
  }
  return lines.length ? ["", ...lines, ""].join("\n") : "";
}

/** @param {Elements} elements @param {Record<string, number[]>} rows */
function readMeta(elements, rows) {
  /** @type {Set<string>} */
  const descriptions = new Set();
  let type = "";
  let title = "";
  let address = "";
  let canonical = "";
  for (const row of rows.meta) {
    const content = elements.attribute(row, "content");
    if (content === null) continue;
    const name = (elements.attribute(row, "property") || elements.attribute(row, "name") || "").toLowerCase();
    if (DESCRIPTIONS.has(name) && descriptions.size < MOST_DESCRIPTIONS)
      descriptions.add(plain(first(content, LONGEST_DESCRIPTION)));
    else if (name === "og:type") type = stripped(content).toLowerCase();
    else if (name === "og:url") address ||= content;
    else if (name === "og:title") title ||= plain(first(content, LONGEST_DESCRIPTION));
  }
  for (const row of rows.link) {
    if (elements.attribute(row, "rel")?.toLowerCase() !== "canonical") continue;
    canonical = elements.attribute(row, "href") || canonical;
  }
  descriptions.delete("");
  return { descriptions: [...descriptions], type, title, address: stripped(canonical || address) };
}

/** Remove tags, replace the commonest entities, fold white space. @param {string} text */
export function plain(text) {
  return folded(text.replace(TAG, " ").replace(ENTITY, (entity) => ENTITIES.get(entity) ?? entity));
}

/** One value for each of OG_TYPES. @param {string} type */
function openGraph(type) {
  let kind = type;
  if (type.endsWith("article")) kind = "article";
  else if (type.includes("product")) kind = "product";
  else if (type && !OG_TYPES.includes(type)) kind = "other";
  return OG_TYPES.map((name) => (kind === name ? 1 : 0));
}

/**
 * The shape of an address: the depth of its path, the words of its longest part, and so on.
 *
 * @param {string} address
 * @returns {number[]}
 */
export function addressShape(address) {
  if (!address) return new Array(8).fill(0);
  const [path, ...query] = address.replace(ORIGIN, "").split("?");
  const parts = path.split("#")[0].split("/").filter(Boolean);
  const last = parts.at(-1) ?? "";
  const longest = parts.reduce((best, part) => (length(part) > length(best) ? part : best), "");
  const count = (/** @type {string} */ text, /** @type {RegExp} */ pattern) => text.match(pattern)?.length ?? 0;
  return [
    1,
    Math.min(parts.length, 8),
    Math.min(count(last, /[-_]/g), 12),
    count(first(last, 60), /[0-9]/g) / 8,
    query.join("?") ? 1 : 0,
    parts.length ? 0 : 1,
    SUFFIX.test(last) ? 1 : 0,
    Math.min(count(longest.toLowerCase(), WORD), 15),
  ];
}
