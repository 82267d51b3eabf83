// Reads the file format safetensors: eight bytes with the length of the header; the header, which is JSON with the
// type, shape and place of each tensor; and the numbers of all tensors, least significant byte first.

const TYPES = new Map([
  ["F32", { size: 4, read: DataView.prototype.getFloat32 }],
  ["F64", { size: 8, read: DataView.prototype.getFloat64 }],
]);
const LENGTH = 8;

/**
 * @typedef {object} Tensor
 * @property {number[]} shape
 * @property {Float32Array} data row by row
 *
 * @typedef {{dtype: string, shape: number[], data_offsets: [number, number]}} Entry of the header
 */

/**
 * @param {Uint8Array} bytes
 * @returns {Map<string, Tensor>} throws RangeError, SyntaxError or TypeError if the file has another format
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

/** @param {DataView} view @param {number} start of the numbers @param {string} name @param {Entry} entry */
function readTensor(view, start, name, { dtype, shape, data_offsets: [begin, end] }) {
  const type = TYPES.get(dtype);
  if (!type) throw new TypeError(`${name} has the type ${dtype}`);
  const { size, read } = type;
  const length = shape.reduce((product, side) => product * side, 1);
  if (!(begin >= 0 && end - begin === length * size)) throw new RangeError(`${name} has other bytes than its shape`);
  const data = Float32Array.from({ length }, (_, at) => read.call(view, start + begin + at * size, true));
  return { shape, data };
}
