// Tensors from a file of the format safetensors: eight bytes that say how long the header is, the header, which is JSON
// and names each tensor's type, shape and place, and the numbers of all of them, least significant byte first.

const TYPES = { F32: [4, "getFloat32", Float32Array], F64: [8, "getFloat64", Float64Array] };
const LENGTH = 8;

/**
 * @typedef {object} Tensor
 * @property {number[]} shape
 * @property {Float32Array | Float64Array} data row by row
 */

/**
 * @param {Uint8Array} bytes
 * @returns {Map<string, Tensor>} throws RangeError, SyntaxError or TypeError where it is no such file
 */
export function readTensors(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = LENGTH + Number(view.getBigUint64(0, true));
  if (start > bytes.length) throw new RangeError("its header is longer than the file");
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(LENGTH, start)));
  const found = new Map();
  for (const [name, entry] of Object.entries(header)) {
    if (name !== "__metadata__") found.set(name, readTensor(view, start, name, entry));
  }
  return found;
}

function readTensor(view, start, name, { dtype, shape, data_offsets: [begin, end] }) {
  if (!Object.hasOwn(TYPES, dtype)) throw new TypeError(`${name} has the type ${dtype}`);
  const [size, read, Type] = TYPES[dtype];
  const length = shape.reduce((product, side) => product * side, 1);
  if (!(begin >= 0 && end - begin === length * size)) throw new RangeError(`${name} has other bytes than numbers`);
  const data = new Type(length);
  for (let at = 0; at < length; at++) data[at] = view[read](start + begin + at * size, true);
  return { shape, data };
}
