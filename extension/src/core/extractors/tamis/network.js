// The network of the default extractor: dilated convolutions over the runs of a page with FiLM conditioning on a
// summary of the page (src/tamis/extractor/network.py). Each run becomes a vector. The mean and maximum of all vectors
// set how each residual block scales and shifts the runs. The dilation doubles from block to block: 1, 2, 4, 8 runs.

/** @import {Pace} from "../../pace.js" */
/** @import {PageRuns} from "./runs.js" */

import { addProduct, layerNorm, pooled, relu, repeat } from "./algebra.js";

// The summary of the page is computed again before these blocks: by then runs know their surroundings.
const SUMMARISED = new Set([2]);

// So many runs are computed between two checks of the clock: about a millisecond.
const BATCH = 32;

/**
 * @typedef {object} Layer a residual block; matrices are (out, in), row by row, as in PyTorch
 * @property {Float64Array} scale of the layer normalisation
 * @property {Float64Array} shift
 * @property {Float64Array} film (2 × width, 2 × width): from the summary to a scale and a shift
 * @property {Float64Array} filmBias
 * @property {Float64Array[]} kernel the matrices for the run before, the run itself and the run after
 * @property {Float64Array} kernelBias
 * @property {Float64Array} out
 * @property {Float64Array} outBias
 * @property {number} dilation how many runs away the run before and the run after are
 *
 * @typedef {object} Weights ready to run (weights.js)
 * @property {number} columns number of columns of a run
 * @property {number} tagColumns number of tags of a run
 * @property {number} width
 * @property {number} outputs
 * @property {number} pageTypes number of page types
 * @property {Float64Array[]} tags (tag codes, width) for each tag column: what a tag adds to the first layer
 * @property {Float64Array} first (width, columns), for columns without scaling
 * @property {Float64Array} firstBias
 * @property {Float64Array} second
 * @property {Float64Array} secondBias
 * @property {Layer[]} layers
 * @property {Float64Array} topScale
 * @property {Float64Array} topShift
 * @property {Float64Array} top (outputs, width)
 * @property {Float64Array} topBias
 * @property {Float64Array} pageType (page types, 2 × width)
 * @property {Float64Array} pageTypeBias
 * @property {number} threshold the lowest logit of the first output for content; its logits are calibrated
 *
 * @typedef {AsyncGenerator<[first: number, count: number], void, void>} Batches
 */

/**
 * @param {Weights} weights
 * @param {PageRuns} runs at least one
 * @param {Pace} pace is told of progress from a half on
 * @returns {Promise<{logits: Float32Array, pageTypes: Float64Array}>} the logits of each run (runs, outputs), and one
 *   logit for each page type
 */
export async function runNetwork(weights, runs, pace) {
  const { width, layers } = weights;
  const share = (/** @type {number} */ step) => 0.5 + (0.5 * step) / (layers.length + 2);
  const vectors = await embedded(weights, runs, batchesOf(runs.length, pace, share(0), share(1)));
  let summary = pooled(vectors, width);
  for (const [number, layer] of layers.entries()) {
    if (SUMMARISED.has(number)) summary = pooled(vectors, width);
    const [from, middle, to] = [share(number + 1), share(number + 1.2), share(number + 2)];
    const normed = await conditioned(vectors, layer, summary, batchesOf(runs.length, pace, from, middle));
    await addConvolution(vectors, layer, normed, batchesOf(runs.length, pace, middle, to));
  }
  const logits = await outputsOf(weights, vectors, batchesOf(runs.length, pace, share(layers.length + 1), 1));
  const pageTypes = Float64Array.from(weights.pageTypeBias);
  addProduct(pageTypes, pooled(vectors, width), 0, 1, weights.pageType, weights.pageTypes);
  return { logits, pageTypes };
}

/**
 * The runs of a page in batches, with a rest before a batch if one is due.
 *
 * @param {number} runs
 * @param {Pace} pace
 * @param {number} from the progress to report at the first run
 * @param {number} to and after the last
 * @returns {Batches}
 */
async function* batchesOf(runs, pace, from, to) {
  for (let first = 0; first < runs; first += BATCH) {
    if (pace.due) await pace.rest(from + ((to - from) * first) / runs);
    yield [first, Math.min(BATCH, runs - first)];
  }
}

/**
 * The first two layers, which see each run alone.
 *
 * @param {Weights} weights
 * @param {PageRuns} runs
 * @param {Batches} batches
 * @returns {Promise<Float32Array>} (runs, width)
 */
async function embedded({ columns, tagColumns, width, ...weights }, runs, batches) {
  const vectors = new Float32Array(runs.length * width);
  const values = new Float64Array(BATCH * columns);
  const filled = new Float32Array(columns); // columns are single floats
  const sums = new Float64Array(BATCH * width);
  const hidden = new Float64Array(BATCH * width);
  for await (const [first, count] of batches) {
    for (let run = 0; run < count; run++) {
      runs.fill(first + run, filled);
      values.set(filled, run * columns);
      sums.set(weights.firstBias, run * width);
      for (let column = 0; column < tagColumns; column++) {
        const from = runs.tags[(first + run) * tagColumns + column] * width;
        for (let at = 0; at < width; at++) sums[run * width + at] += weights.tags[column][from + at];
      }
    }
    addProduct(sums, values, 0, count, weights.first, width);
    relu(sums, hidden);
    repeat(weights.secondBias, count, sums);
    addProduct(sums, hidden, 0, count, weights.second, width);
    vectors.set(sums.subarray(0, count * width), first * width);
  }
  return vectors;
}

/**
 * Layer normalisation and FiLM conditioning.
 *
 * @param {Float32Array} vectors (runs, width)
 * @param {Layer} layer
 * @param {Float64Array} summary of the page (2 × width)
 * @param {Batches} batches
 * @returns {Promise<Float64Array>} (dilation + runs + dilation, width), padded with 0 at both ends
 */
async function conditioned(vectors, { dilation, ...layer }, summary, batches) {
  const width = layer.scale.length;
  const film = Float64Array.from(layer.filmBias);
  addProduct(film, summary, 0, 1, layer.film, 2 * width);
  // The scale and shift of the normalisation and those of FiLM are combined.
  const scale = Float64Array.from(layer.scale, (own, at) => own * (1 + film[at]));
  const shift = Float64Array.from(layer.shift, (own, at) => own * (1 + film[at]) + film[width + at]);
  const normed = new Float64Array(vectors.length + 2 * dilation * width);
  for await (const [first, count] of batches) {
    for (let run = first; run < first + count; run++) {
      layerNorm(vectors, run * width, scale, shift, normed, (dilation + run) * width);
    }
  }
  return normed;
}

/**
 * Add the output of the convolution to `vectors`, in place.
 *
 * @param {Float32Array} vectors (runs, width)
 * @param {Layer} layer
 * @param {Float64Array} normed its input (dilation + runs + dilation, width)
 * @param {Batches} batches
 */
async function addConvolution(vectors, { dilation, ...layer }, normed, batches) {
  const width = layer.scale.length;
  const sums = new Float64Array(BATCH * width);
  const hidden = new Float64Array(BATCH * width);
  for await (const [first, count] of batches) {
    repeat(layer.kernelBias, count, sums);
    layer.kernel.forEach((matrix, place) => {
      addProduct(sums, normed, (first + place * dilation) * width, count, matrix, width);
    });
    relu(sums, hidden);
    repeat(layer.outBias, count, sums);
    addProduct(sums, hidden, 0, count, layer.out, width);
    for (let at = 0; at < count * width; at++) vectors[first * width + at] += sums[at];
  }
}

/**
 * The last layer.
 *
 * @param {Weights} weights
 * @param {Float32Array} vectors (runs, width)
 * @param {Batches} batches
 * @returns {Promise<Float32Array>} logits (runs, outputs)
 */
async function outputsOf({ width, outputs, ...weights }, vectors, batches) {
  const logits = new Float32Array((vectors.length / width) * outputs);
  const normed = new Float64Array(BATCH * width);
  const sums = new Float64Array(BATCH * outputs);
  for await (const [first, count] of batches) {
    for (let run = 0; run < count; run++) {
      layerNorm(vectors, (first + run) * width, weights.topScale, weights.topShift, normed, run * width);
    }
    repeat(weights.topBias, count, sums);
    addProduct(sums, normed, 0, count, weights.top, outputs);
    logits.set(sums.subarray(0, count * outputs), first * outputs);
  }
  return logits;
}
