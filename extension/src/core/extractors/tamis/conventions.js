// The schema.org types and the entities that Python and JavaScript read alike (tamis/extractor/declared.py). The
// table is Python's own file; the build puts it into the bundle.

import table from "../../../../../packages/tamis/src/tamis/extractor/conventions.json" with { type: "json" };
import { stripped } from "../../characters.js";

/** The groups of schema.org types. */
export const TYPES = Object.keys(table.types);

/** From the commonest entities to the characters that they mean. */
export const ENTITIES = new Map(Object.entries(table.entities));

/** From each type to the number of its group. */
const NUMBERS = new Map(Object.values(table.types).flatMap((types, group) => types.map((type) => [type, group])));

/** A schema.org type without its address. @param {string} name */
export function typeName(name) {
  const address = stripped(name);
  let end = address.length;
  while (address[end - 1] === "/") end--;
  return address.slice(address.lastIndexOf("/", end - 1) + 1, end);
}

// The number among TYPES of a schema.org type, with or without its address; undefined for others.
/** @param {string} name */
export const typeNumber = (name) => NUMBERS.get(typeName(name).toLowerCase());
