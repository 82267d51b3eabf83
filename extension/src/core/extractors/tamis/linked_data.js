// Types and texts in the JSON-LD of a page: tamis/document/linked_data.py, and what
// tamis/extractor/declared.py takes from it.

/** @import {Steps} from "../../pace.js" */
/** @import {Elements} from "../../page/elements.js" */

import { length, stripped } from "../../characters.js";
import { textContent } from "../../page/dom.js";
import { typeName, typeNumber } from "./conventions.js";
import { decoded } from "./json.js";

// Characters that are read of one page.
const MOST_CHARACTERS = 4_000_000;

// Values that are looked at, and how deep.
const MOST_VALUES = 20_000;
const DEEPEST_VALUE = 12;

const KIND_OF = new Map([
  ["articlebody", "body"], ["text", "body"], ["reviewbody", "review"], ["description", "description"],
  ["abstract", "description"], ["name", "name"], ["headline", "name"],
]);
const BY_READERS = new Set(["review", "comment", "userreview"]);

// Parts of the content: fields of a recipe, and these fields of things of these types.
const RECIPE = new Set(["recipeingredient", "ingredients", "recipeinstructions"]);
const PART_TEXTS = new Set(["text", "articlebody", "name"]);
const PART_TYPES = new Set([
  "howtostep", "howtodirection", "howtotip", "question", "answer", "discussionforumposting", "socialmediaposting",
]);
const THREADS = new Set(["discussionforumposting", "qapage"]);

/**
 * Read the scripts of a page; broken ones are left out.
 *
 * @param {Elements} elements
 * @param {number[]} rows the SCRIPT elements of the page
 * @returns {Steps<LinkedData>}
 */
export function* readLinkedData(elements, rows) {
  const data = new LinkedData();
  let left = MOST_CHARACTERS;
  for (const row of rows) {
    if (!elements.attribute(row, "type")?.toLowerCase().includes("ld+json")) continue;
    const text = stripped(textContent(elements.node[row]) ?? "");
    left -= length(text);
    if (left < 0) break;
    for (const value of yield* decoded(text)) data.read(value);
    yield;
  }
  return data;
}

export class LinkedData {
  /** @type {Set<number | undefined>} the numbers of the types that occur, among TYPES; undefined for others */
  types = new Set();
  /** @type {Map<string, string[]>} the texts of each kind */
  texts = new Map();
  /** @type {{isComment: boolean, text: string}[]} of the content; comments are parts of a thread alone */
  #parts = [];
  #isThread = false;
  #left = MOST_VALUES;

  /** The parts of the content, each as it is written. */
  get parts() {
    return this.#parts.filter(({ isComment }) => this.#isThread || !isComment).map(({ text }) => text);
  }

  /** One value of `decoded` and those inside it. @param {unknown} value */
  read(value, depth = 0) {
    if (--this.#left < 0 || depth > DEEPEST_VALUE) return;
    if (Array.isArray(value)) {
      for (const each of value) {
        this.read(each, depth + 1);
        if (this.#left < 0) return;
      }
    } else if (value instanceof Map) {
      this.#object(value, depth);
    }
  }

  /** @param {Map<string, unknown>} value @param {number} depth */
  #object(value, depth) {
    const names = [value.get("@type")].flat().filter((name) => typeof name === "string");
    for (const name of names) this.types.add(typeNumber(name));
    const types = names.map((name) => typeName(name).toLowerCase());
    const byReader = types.some((type) => BY_READERS.has(type));
    this.#isThread ||= types.some((type) => THREADS.has(type));
    this.#addParts(value, types); // before those of the things in it
    for (const [key, inner] of value) {
      if (typeof inner !== "string") {
        this.read(inner, depth + 1);
        continue;
      }
      const kind = KIND_OF.get(key.toLowerCase());
      if (kind) this.#add(byReader && kind !== "name" ? "review" : kind, inner);
    }
  }

  /** @param {Map<string, unknown>} value @param {string[]} types */
  #addParts(value, types) {
    const isRecipe = types.includes("recipe");
    const isComment = !isRecipe && !types.some((type) => PART_TYPES.has(type));
    if (isComment && !types.includes("comment")) return;
    const keys = isRecipe ? RECIPE : PART_TEXTS;
    for (const [key, inner] of value) {
      if (!keys.has(key.toLowerCase())) continue;
      const texts = [inner].flat().filter((text) => typeof text === "string");
      this.#parts.push(...texts.map((text) => ({ isComment, text })));
    }
  }

  /** @param {string} kind @param {string} text */
  #add(kind, text) {
    const texts = this.texts.get(kind) ?? [];
    texts.push(text);
    this.texts.set(kind, texts);
  }
}
