// The names that authors give to the parts of a page: in classes and ids, ARIA roles and schema.org attributes
// (src/tamis/extractor/conventions.py). The table is Python's own file; the build puts it into the bundle.

import table from "../../../../../src/tamis/extractor/conventions.json" with { type: "json" };
import { first, split, stripped } from "../../characters.js";

// Characters of a class attribute that are read; the rest is layout.
const LONGEST = 100;

// Letters of a word that is a part of a longer one.
const SHORTEST_PART = 3;

// The words of camelCase, snake_case and kebab-case.
const PART = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;

/** @typedef {"roles" | "properties" | "names" | "types"} Kind */

/** @param {Kind} kind */
const groups = (kind) => Object.keys(table[kind]);

/** The groups of schema.org types. */
export const TYPES = groups("types");

/** From the commonest entities to what they stand for. */
export const ENTITIES = new Map(Object.entries(table.entities));

/** The columns of what an element can be called, in this order: roles, properties, names. */
export const CALLED = [
  ...groups("roles").map((name) => `role ${name}`),
  ...groups("properties").map((name) => `property ${name}`),
  ...groups("names").map((name) => `named ${name}`),
];

const ROLE = columnsOf("roles", 0);
const PROPERTY = columnsOf("properties", groups("roles").length);
const NAME = columnsOf("names", groups("roles").length + groups("properties").length);
const TYPE = columnsOf("types", 0);

/** @type {number[]} */
const NONE = [];

/** From each word of a kind to the column of its group. @param {Kind} kind @param {number} from the first column */
function columnsOf(kind, from) {
  /** @type {Map<string, number>} */
  const columns = new Map();
  Object.values(table[kind]).forEach((words, group) => {
    for (const word of words) columns.set(word, from + group);
  });
  return columns;
}

/** The columns among CALLED of an ARIA role: one or none. @param {string | null} role */
export function roleColumns(role) {
  const column = role ? ROLE.get(stripped(role).toLowerCase()) : undefined;
  return column === undefined ? NONE : [column];
}

/**
 * The columns among CALLED of schema.org properties, of which an element may have several.
 *
 * @param {string | null} properties
 */
export const propertyColumns = (properties) => (properties ? known(split(properties.toLowerCase()), PROPERTY) : NONE);

/** A schema.org type without its address. @param {string} name */
export function typeName(name) {
  const address = stripped(name);
  let end = address.length;
  while (address[end - 1] === "/") end--;
  return address.slice(address.lastIndexOf("/", end - 1) + 1, end);
}

/**
 * The number among TYPES of a schema.org type, with or without its address; undefined for others.
 *
 * @param {string} name
 */
export const typeNumber = (name) => TYPE.get(typeName(name).toLowerCase());

/** The columns among CALLED of class attributes and ids; a page uses the same ones often, so they are remembered. */
export class NameColumns {
  /** @type {Map<string, number[]>} */
  #remembered = new Map();

  /** @param {string | null} given */
  of(given) {
    if (!given) return NONE;
    const name = first(given, LONGEST);
    let columns = this.#remembered.get(name);
    if (!columns) {
      columns = (name.match(PART) ?? []).flatMap((part) => wordColumns(part.toLowerCase()));
      this.#remembered.set(name, columns);
    }
    return columns;
  }
}

/**
 * The columns of a known word, or of the two that a word is made of ("articletext"), or of what comments it is.
 *
 * @param {string} word
 */
function wordColumns(word) {
  const whole = NAME.get(word);
  if (whole !== undefined) return [whole];
  for (let cut = SHORTEST_PART; cut <= word.length - SHORTEST_PART; cut++) {
    const parts = known([word.slice(0, cut), word.slice(cut)], NAME);
    if (parts.length === 2) return parts;
  }
  return word.startsWith("comment") && word !== "commentary" ? known(["comment"], NAME) : NONE;
}

/** @param {string[]} words @param {Map<string, number>} columns */
const known = (words, columns) => words.map((word) => columns.get(word)).filter((column) => column !== undefined);
