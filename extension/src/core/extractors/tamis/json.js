// JSON as tamis/document/linked_data.py reads it, with all that it forgives. JSON.parse forgives nothing, sorts
// keys that look like numbers to the front, and can't be interrupted.

import { STEPS } from "../../pace.js";

const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;
const WORD = /null|true|false|NaN|-?Infinity/y;
// White space and comments to the end of a line, one piece at a time.
const SPACE = /[ \t\n\r]+|\/\/(?![ \t]*(?:<!|-->|\]\]>))[^\n]*/y;
// What else may come before, between and after values.
const MARK = /[\xa0\ufeff;,]+|\/\/|\/\*|\*\/|<!--|-->|<!\[CDATA\[|\]\]>/y;
const CONTROL = /[\0-\x1f]/;
const ESCAPE_OR_CONTROL = /\\[^]|[\0-\x1f]/g;

// Python refuses to make a number of more digits.
const MOST_DIGITS = 4300;

// A value may be in fewer containers than this.
const DEEPEST = 200;

/**
 * Read the values of a text, in steps between which it may be interrupted.
 *
 * @param {string} text
 * @returns {Generator<void, unknown[], void>} the values up to the first that is broken or nested too deeply. An object
 *   is a Map, in the order of the text. Numbers, true, false and null are all null: nobody asks for them.
 */
export function* decoded(text) {
  const reader = new Reader(text);
  const values = [];
  try {
    while (!reader.isAtEnd()) {
      if (values.length % STEPS === 0) yield;
      values.push(yield* decodedValue(reader));
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return values;
}

/** @param {Reader} reader @returns {Generator<void, unknown, void>} */
function* decodedValue(reader) {
  /** @type {{value: Container, key: string}[]} */
  const open = []; // the containers around, the innermost last
  for (let step = 1; ; step++) {
    if (step % STEPS === 0) yield;
    if (open.length >= DEEPEST) throw new SyntaxError("nested too deeply");
    let value = reader.begin();
    if (value !== null && typeof value === "object" && !reader.closes(value)) {
      open.push({ value, key: value instanceof Map ? reader.key() : "" });
      continue;
    }
    for (;;) {
      const holder = open.at(-1);
      if (!holder) return value;
      if (holder.value instanceof Map) holder.value.set(holder.key, value);
      else holder.value.push(value);
      if (!reader.closes(holder.value)) {
        if (holder.value instanceof Map) holder.key = reader.key();
        break;
      }
      value = holder.value;
      open.pop();
    }
  }
}

/** @typedef {unknown[] | Map<string, unknown>} Container */

class Reader {
  #text;
  #at = 0;

  /** @param {string} text */
  constructor(text) {
    this.#text = text;
  }

  /** Go on past white space and, if it is there, past one character. @param {string} character */
  takes(character) {
    while (this.#match(SPACE));
    const is = this.#text[this.#at] === character;
    if (is) this.#at++;
    return is;
  }

  // A value without anything in it: a string, null for anything else that is single, or a new container.
  /** @returns {string | null | Container} */
  begin() {
    if (this.takes('"')) return this.#string();
    if (this.takes("{")) return new Map();
    if (this.takes("[")) return [];
    if (this.#match(WORD)) return null;
    const number = this.#match(NUMBER);
    if (!number) throw new SyntaxError("no value");
    const [digits, fraction, power] = number;
    if (!fraction && !power && digits.length - (digits[0] === "-" ? 1 : 0) > MOST_DIGITS) {
      throw new SyntaxError("a number of too many digits");
    }
    return null;
  }

  /** A key and its colon. @returns {string} */
  key() {
    if (!this.takes('"')) throw new SyntaxError("no key");
    const key = this.#string();
    if (!this.takes(":")) throw new SyntaxError("no colon");
    return key;
  }

  // Go on past the end of a container, or past the comma before its next value. A comma before the end is forgiven.
  /** @param {Container} container */
  closes(container) {
    const isMap = container instanceof Map;
    const isEmpty = (container instanceof Map ? container.size : container.length) === 0;
    const comma = this.takes(",");
    if (this.takes(isMap ? "}" : "]")) return true;
    if (comma === isEmpty) throw new SyntaxError(isEmpty ? "a comma before all values" : "neither a comma nor an end");
    return false;
  }

  /** Go on past all that may come between values. */
  isAtEnd() {
    while (this.#match(SPACE) || this.#match(MARK));
    return this.#at >= this.#text.length;
  }

  /** @param {RegExp} pattern */
  #match(pattern) {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found) this.#at = pattern.lastIndex;
    return found;
  }

  /** The rest of a string, and past its end. @returns {string} */
  #string() {
    const text = this.#text;
    let end = text.indexOf('"', this.#at);
    while (end >= 0 && isEscaped(text, end, this.#at)) end = text.indexOf('"', end + 1);
    if (end < 0) throw new SyntaxError("a string without an end");
    const raw = text.slice(this.#at, end);
    this.#at = end + 1;
    if (!raw.includes("\\")) return raw;
    return JSON.parse(`"${CONTROL.test(raw) ? raw.replace(ESCAPE_OR_CONTROL, escaped) : raw}"`);
  }
}

/**
 * True if there is an odd number of backslashes before a place.
 *
 * @param {string} text
 * @param {number} place
 * @param {number} from
 */
function isEscaped(text, place, from) {
  let begin = place;
  while (begin > from && text[begin - 1] === "\\") begin--;
  return (place - begin) % 2 === 1;
}

/** @param {string} found */
function escaped(found) {
  if (found.length === 1) return `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`;
  if (CONTROL.test(found)) throw new SyntaxError("an escape of a control character");
  return found;
}
