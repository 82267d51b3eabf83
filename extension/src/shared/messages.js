// Messages between extension pages and content scripts are JSON in Chrome, so arrays of numbers are sent as base64.

/** @type {Record<string, any>} */
const TYPES = { Uint8Array, Int32Array, Float32Array, Float64Array };
const CHUNK = 0x8000; // arguments of one call

/**
 * The message for a value.
 *
 * @template T
 * @typedef {{of?: T}} Packed
 */

/** Pack an array of numbers, or an object with such arrays. @template T @param {T} value @returns {Packed<T>} */
export const pack = (value) => packed(value);

/** @template T @param {Packed<T>} value @returns {T} */
export const unpack = (value) => unpacked(value);

/** @param {any} value @returns {any} */
function packed(value) {
  if (ArrayBuffer.isView(value)) return { type: value.constructor.name, base64: encoded(value) };
  return isObject(value) ? mapped(value, packed) : value;
}

/** @param {any} value @returns {any} */
function unpacked(value) {
  if (!isObject(value)) return value;
  return "base64" in value ? new TYPES[value.type](decoded(value.base64)) : mapped(value, unpacked);
}

/** @param {unknown} value */
const isObject = (value) => typeof value === "object" && !Array.isArray(value);

/** @param {object} object @param {(value: unknown) => unknown} change */
const mapped = (object, change) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));

/** @param {ArrayBufferView} array */
function encoded(array) {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  const parts = [];
  for (let at = 0; at < bytes.length; at += CHUNK) {
    // Not `...`: that goes through an iterator and takes four times as long.
    parts.push(String.fromCharCode.apply(null, /** @type {any} */ (bytes.subarray(at, at + CHUNK))));
  }
  return btoa(parts.join(""));
}

/** @param {string} base64 */
function decoded(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes.buffer;
}
