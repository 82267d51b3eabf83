// Messages between extension pages and content scripts are JSON in Chrome, so arrays of numbers travel as base64.

const TYPES = { Uint8Array, Int32Array, Float32Array };
const CHUNK = 0x8000; // arguments of one call

/** @param {Uint8Array | Int32Array | Float32Array} array */
export function packArray(array) {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  const parts = [];
  for (let at = 0; at < bytes.length; at += CHUNK) {
    parts.push(String.fromCharCode.apply(null, bytes.subarray(at, at + CHUNK)));
  }
  return { type: array.constructor.name, base64: btoa(parts.join("")) };
}

export function unpackArray({ type, base64 }) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return new TYPES[type](bytes.buffer);
}

/** Rows of counts, as the core's networks read them. */
export function packRows({ bounds, columns, counts, dims }) {
  return { bounds: packArray(bounds), columns: packArray(columns), counts: packArray(counts), dims };
}

export function unpackRows({ bounds, columns, counts, dims }) {
  return { bounds: unpackArray(bounds), columns: unpackArray(columns), counts: unpackArray(counts), dims };
}
