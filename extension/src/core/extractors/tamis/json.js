// JSON as Python reads it where it is told to be lenient (json.JSONDecoder(strict=False)): raw line breaks and other
// control characters in strings, NaN and Infinity are forgiven. JSON.parse forgives none of that, sorts keys that look
// like numbers to the front, and can't be interrupted.

import { STEPS } from "../../pace.js";

const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;
const WORD = /null|true|false|NaN|-?Infinity/y;
const SPACE = /[ \t\n\r]*/y;
const CONTROL = /[\0-\x1f]/;
const ESCAPE_OR_CONTROL = /\\[^]|[\0-\x1f]/g;

// Python refuses to make a number of more digits.
const MOST_DIGITS = 4300;

/** So many containers may stand in each other. */
export const DEEPEST = 200;

/**
 * Read a text, in steps between which it may be interrupted.
 *
 * @param {string} text
 * @returns {Generator<void, {value: unknown, depth: number}, void>} an object is a Map, in the order of the text; of
 *   numbers and of true, false and null there is only that they are there: they are null. `depth` is that of the deepest
 *   value, 0 for one that stands alone. Throws SyntaxError for what Python does not take either, and beyond DEEPEST.
 */
export function* decoded(text) {
  const reader = new Reader(text);
  /** @type {{value: Container, key: string}[]} */
  const open = []; // the containers around, the innermost last
  let depth = 0;
  for (let step = 1; ; step++) {
    if (step % STEPS === 0) yield;
    let value = reader.begin();
    depth = Math.max(depth, open.length);
    if (value !== null && typeof value === "object" && !reader.takes(closing(value))) {
      if (open.length >= DEEPEST) throw new SyntaxError("nested too deeply");
      open.push({ value, key: value instanceof Map ? reader.key() : "" });
      continue;
    }
    for (;;) {
      const holder = open.at(-1);
      if (!holder) {
        reader.end();
        return { value, depth };
      }
      if (holder.value instanceof Map) holder.value.set(holder.key, value);
      else holder.value.push(value);
      if (reader.takes(",")) {
        if (holder.value instanceof Map) holder.key = reader.key();
        break;
      }
      if (!reader.takes(closing(holder.value))) throw new SyntaxError("neither a comma nor an end");
      value = holder.value;
      open.pop();
    }
  }
}

/** @param {Container} container */
const closing = (container) => (container instanceof Map ? "}" : "]");

/** @typedef {unknown[] | Map<string, unknown>} Container */

class Reader {
  #text;
  #at = 0;

  /** @param {string} text */
  constructor(text) {
    this.#text = text;
  }

  /** Go on past white space and, if it stands there, past one character. @param {string} character */
  takes(character) {
    this.#match(SPACE);
    const is = this.#text[this.#at] === character;
    if (is) this.#at++;
    return is;
  }

  /**
   * A value without anything in it: a string, null for anything else that is single, or a new container.
   *
   * @returns {string | null | Container}
   */
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

  /** Nothing may come any more. */
  end() {
    this.#match(SPACE);
    if (this.#at < this.#text.length) throw new SyntaxError("more than one value");
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
