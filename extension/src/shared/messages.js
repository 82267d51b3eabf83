// Messages between extension pages and content scripts are JSON in Chrome, so arrays of numbers are sent as base64.

/** @import {Rows} from "../core/extractors/boilernet/network.js" */

const TYPES = { Uint8Array, Int32Array, Float32Array };
const CHUNK = 0x8000; // arguments of one call

/**
 * @typedef {{Uint8Array: Uint8Array<ArrayBuffer>, Int32Array: Int32Array, Float32Array: Float32Array}} Arrays
 */

/**
 * An array as it is sent.
 *
 * @template {keyof Arrays} [Name=keyof Arrays]
 * @typedef {{type: Name, base64: string}} Packed
 */

/**
 * @template {keyof Arrays} Name
 * @param {Arrays[Name]} array
 * @returns {Packed<Name>}
 */
export function packArray(array) {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  const parts = [];
  for (let at = 0; at < bytes.length; at += CHUNK) {
    parts.push(String.fromCharCode(...bytes.subarray(at, at + CHUNK)));
  }
  return { type: /** @type {Name} */ (array.constructor.name), base64: btoa(parts.join("")) };
}

/**
 * @template {keyof Arrays} Name
 * @param {Packed<Name>} packed
 * @returns {Arrays[Name]}
 */
export function unpackArray({ type, base64 }) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return /** @type {Arrays[Name]} */ (new TYPES[type](bytes.buffer));
}

/** @typedef {ReturnType<typeof packRows>} PackedRows */

/** Rows of counts, the input of BoilerNet. @param {Rows} rows */
export function packRows({ bounds, columns, counts, dims }) {
  /** @type {{bounds: Packed<"Int32Array">, columns: Packed<"Int32Array">, counts: Packed<"Float32Array">}} */
  const packed = { bounds: packArray(bounds), columns: packArray(columns), counts: packArray(counts) };
  return { ...packed, dims };
}

/** @param {PackedRows} packed @returns {Rows} */
export function unpackRows({ bounds, columns, counts, dims }) {
  return { bounds: unpackArray(bounds), columns: unpackArray(columns), counts: unpackArray(counts), dims };
}
