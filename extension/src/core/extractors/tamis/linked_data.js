// Types and texts in the JSON-LD of a page: src/tamis/document/linked_data.py, and what
// src/tamis/extractor/declared.py takes from it.

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
  #left = MOST_VALUES;

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
    let byReader = false;
    for (const name of [value.get("@type")].flat()) {
      if (typeof name !== "string") continue;
      this.types.add(typeNumber(name));
      byReader ||= BY_READERS.has(typeName(name).toLowerCase());
    }
    for (const [key, inner] of value) {
      if (typeof inner !== "string") {
        this.read(inner, depth + 1);
        continue;
      }
      const kind = KIND_OF.get(key.toLowerCase());
      if (kind) this.#add(byReader && kind !== "name" ? "review" : kind, inner);
    }
  }

  /** @param {string} kind @param {string} text */
  #add(kind, text) {
    const texts = this.texts.get(kind) ?? [];
    texts.push(text);
    this.texts.set(kind, texts);
  }
}
