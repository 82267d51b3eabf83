// The network of the default extractor: convolutions over the rows of a page, steered by the page (RowNetwork of
// src/tamis/extractor/network.py). Each row becomes a vector; a summary of all of them (mean and maximum) sets, layer by
// layer, how rows are read. Layers look further and further: 1, 2, 4, 8 rows to either side.

import { addProduct, normal, positive, repeat, summedUp } from "./algebra.js";

// The page is summed up again before these layers: by then rows know their surroundings.
const SUMMED_UP = new Set([0, 2]);

// So many rows are worked on between two looks at the clock: about a millisecond.
const BLOCK = 32;

/**
 * @typedef {object} Layer one step further; matrices are (out, in), row by row, as PyTorch has them
 * @property {Float64Array} scale what normal rows are scaled and shifted by
 * @property {Float64Array} shift
 * @property {Float64Array} steer (2 × width, 2 × width): from the summary to a scale and a shift
 * @property {Float64Array} steerBias
 * @property {Float64Array[]} kernel what the row before, the row itself and the row after say
 * @property {Float64Array} kernelBias
 * @property {Float64Array} out
 * @property {Float64Array} outBias
 * @property {number} reach how many rows away the one before and the one after are
 *
 * @typedef {object} Weights ready to run (weights.js)
 * @property {number} columns how many it wants
 * @property {number} tagColumns how many tags of each row it wants
 * @property {number} width
 * @property {number} outputs
 * @property {number} pageTypes how many kinds of pages it tells apart
 * @property {Float64Array[]} tags (tag codes, width) for each tag column: what a tag adds to the first layer
 * @property {Float64Array} first (width, columns), for columns as they are
 * @property {Float64Array} firstBias
 * @property {Float64Array} second
 * @property {Float64Array} secondBias
 * @property {Layer[]} layers
 * @property {Float64Array} topScale
 * @property {Float64Array} topShift
 * @property {Float64Array} top (outputs, width)
 * @property {Float64Array} topBias
 * @property {Float64Array} kinds (page types, 2 × width)
 * @property {Float64Array} kindsBias
 * @property {number} threshold the logit of the first output from which on it says yes; its logits are calibrated
 */

/**
 * @param {Weights} weights
 * @param {import("./rows.js").PageRows} rows at least one
 * @param {import("../../pace.js").Pace} pace is told of progress from a half on
 * @returns {Promise<{logits: Float32Array, kinds: Float64Array}>} the logits of each row (rows, outputs), and those of
 *   the page's types
 */
export async function runNetwork(weights, rows, pace) {
  const { width, layers } = weights;
  const share = (step) => 0.5 + (0.5 * step) / (layers.length + 2);
  const vectors = await enter(weights, rows, blocksOf(rows.length, pace, share(0), share(1)));
  let summary;
  for (const [number, layer] of layers.entries()) {
    if (SUMMED_UP.has(number)) summary = summedUp(vectors, width);
    const [from, middle, to] = [share(number + 1), share(number + 1.2), share(number + 2)];
    const seen = await look(vectors, layer, summary, blocksOf(rows.length, pace, from, middle));
    await change(vectors, layer, seen, blocksOf(rows.length, pace, middle, to));
  }
  const logits = await leave(weights, vectors, blocksOf(rows.length, pace, share(layers.length + 1), 1));
  const kinds = Float64Array.from(weights.kindsBias);
  addProduct(kinds, summedUp(vectors, width), 0, 1, weights.kinds, weights.pageTypes);
  return { logits, kinds };
}

/** The rows of a page block by block, [first, number], with a rest between where one is due. */
async function* blocksOf(rows, pace, from, to) {
  for (let first = 0; first < rows; first += BLOCK) {
    if (pace.due) await pace.rest(from + ((to - from) * first) / rows);
    yield [first, Math.min(BLOCK, rows - first)];
  }
}

/** (rows, width): the first two layers, which see each row by itself. */
async function enter({ columns, tagColumns, width, ...weights }, rows, blocks) {
  const vectors = new Float32Array(rows.length * width);
  const values = new Float64Array(BLOCK * columns);
  const filled = new Float32Array(columns); // columns are single floats
  const given = new Float64Array(BLOCK * width);
  const heard = new Float64Array(BLOCK * width);
  for await (const [first, number] of blocks) {
    for (let row = 0; row < number; row++) {
      rows.fill(first + row, filled);
      values.set(filled, row * columns);
      given.set(weights.firstBias, row * width);
      for (let column = 0; column < tagColumns; column++) {
        const from = rows.tags[(first + row) * tagColumns + column] * width;
        for (let at = 0; at < width; at++) given[row * width + at] += weights.tags[column][from + at];
      }
    }
    addProduct(given, values, 0, number, weights.first, width);
    positive(given, heard);
    repeat(weights.secondBias, number, given);
    addProduct(given, heard, 0, number, weights.second, width);
    vectors.set(given.subarray(0, number * width), first * width);
  }
  return vectors;
}

/** (reach + rows + reach, width): rows as the page wants them seen; those before the first and after the last are 0. */
async function look(vectors, { reach, ...layer }, summary, blocks) {
  const width = layer.scale.length;
  const steered = Float64Array.from(layer.steerBias);
  addProduct(steered, summary, 0, 1, layer.steer, 2 * width);
  // The layer's own scaling of a row and the page's are one.
  const scale = Float64Array.from(layer.scale, (own, at) => own * (1 + steered[at]));
  const shift = Float64Array.from(layer.shift, (own, at) => own * (1 + steered[at]) + steered[width + at]);
  const seen = new Float64Array(vectors.length + 2 * reach * width);
  for await (const [first, number] of blocks) {
    for (let row = first; row < first + number; row++) {
      normal(vectors, row * width, scale, shift, seen, (reach + row) * width);
    }
  }
  return seen;
}

/** Rows listen to those around them, and change a little: `vectors` are others afterwards. */
async function change(vectors, { reach, ...layer }, seen, blocks) {
  const width = layer.scale.length;
  const sums = new Float64Array(BLOCK * width);
  const heard = new Float64Array(BLOCK * width);
  for await (const [first, number] of blocks) {
    repeat(layer.kernelBias, number, sums);
    layer.kernel.forEach((matrix, place) => {
      addProduct(sums, seen, (first + place * reach) * width, number, matrix, width);
    });
    positive(sums, heard);
    repeat(layer.outBias, number, sums);
    addProduct(sums, heard, 0, number, layer.out, width);
    for (let at = 0; at < number * width; at++) vectors[first * width + at] += sums[at];
  }
}

/** (rows, outputs): what the network says of each row. */
async function leave({ width, outputs, ...weights }, vectors, blocks) {
  const logits = new Float32Array((vectors.length / width) * outputs);
  const last = new Float64Array(BLOCK * width);
  const said = new Float64Array(BLOCK * outputs);
  for await (const [first, number] of blocks) {
    for (let row = 0; row < number; row++) {
      normal(vectors, (first + row) * width, weights.topScale, weights.topShift, last, row * width);
    }
    repeat(weights.topBias, number, said);
    addProduct(said, last, 0, number, weights.top, outputs);
    logits.set(said.subarray(0, number * outputs), first * outputs);
  }
  return logits;
}
