// From the tensors of training to weights that are ready to run (src/tamis/extractor/network.py and `load` of
// src/tamis/extractor/tamis.py).

/** @import {Models} from "../boilernet/network.js" */
/** @import {Layer, Weights} from "./network.js" */
/** @import {Tensor} from "./safetensors.js" */

import { CoreError, messageOf } from "../../errors.js";
import { once } from "../once.js";
import { COLUMNS, LEVELS, OUTPUTS, PAGE_TYPES, VERSION } from "./columns.js";
import { readTensors } from "./safetensors.js";

const NAME = "tamis";
const TAG_CODES = 256;

/**
 * The weights, loaded once for each of these models.
 *
 * @param {Models} models
 * @returns {Promise<Weights>} rejects with a CoreError if they are missing, damaged, or made for other columns
 */
export function weightsOf(models) {
  return once(models, NAME, () => load(models));
}

/** @param {Models} models */
async function load(models) {
  const config = await attempt("config", async () => {
    return JSON.parse(new TextDecoder().decode(await models.bytes(`${NAME}/config.json`)));
  });
  if (config?.input !== VERSION) {
    throw new CoreError("model", `the weights of ${NAME} read input ${config?.input}; this makes input ${VERSION}`);
  }
  const weights = await attempt("network", async () => {
    return fromTensors(readTensors(asBytes(await models.bytes(`${NAME}/model.safetensors`))));
  });
  checkSizes(weights);
  return weights;
}

/** Throw a CoreError if the network has other inputs or outputs than this extractor. @param {Weights} weights */
function checkSizes(weights) {
  /** @type {[name: string, found: number, wanted: number][]} */
  const sizes = [
    ["columns", weights.columns, COLUMNS.length],
    ["tags", weights.tagColumns, 1 + LEVELS],
    ["outputs", weights.outputs, OUTPUTS.length],
    ["page types", weights.pageTypes, PAGE_TYPES.length],
  ];
  for (const [name, found, wanted] of sizes) {
    if (found !== wanted) throw new CoreError("model", `the network of ${NAME} has ${found} ${name} and not ${wanted}`);
  }
}

/**
 * @template T
 * @param {string} what
 * @param {() => Promise<T>} work
 */
async function attempt(what, work) {
  try {
    return await work();
  } catch (error) {
    throw new CoreError("model", `the ${what} of ${NAME} cannot be loaded: ${messageOf(error)}`, { cause: error });
  }
}

/** @param {ArrayBuffer | ArrayBufferView} given */
const asBytes = (given) =>
  ArrayBuffer.isView(given) ? new Uint8Array(given.buffer, given.byteOffset, given.byteLength) : new Uint8Array(given);

/** @param {Map<string, Tensor>} tensors @param {string} name */
const dataOf = (tensors, name) => Float64Array.from(/** @type {Tensor} */ (tensors.get(name)).data);

/**
 * @param {Map<string, Tensor>} tensors
 * @returns {Weights} throws RangeError if a tensor is missing or has the wrong shape
 */
export function fromTensors(tensors) {
  const sizes = checked(tensors);
  const { columns, tagColumns, width, outputs, pageTypes } = sizes;
  const data = (/** @type {string} */ name) => dataOf(tensors, name);
  // Platt scaling calibrates the first output; it is folded into the last layer.
  const [slope, offset] = data("calibration");
  const top = data("top.weight").map((weight, at) => (at < width ? weight * slope : weight));
  const topBias = data("top.bias").map((bias, output) => (output === 0 ? bias * slope + offset : bias));
  return {
    columns,
    tagColumns,
    width,
    outputs,
    pageTypes,
    tags: tagTables(data("tags.weight"), data("first.weight"), sizes),
    ...scaledFirst(data("first.weight"), data("first.bias"), data("scaling.mean"), data("scaling.deviation")),
    second: data("second.weight"),
    secondBias: data("second.bias"),
    layers: Array.from({ length: sizes.layers }, (_, number) => layerOf(tensors, number)),
    topScale: data("norm.weight"),
    topShift: data("norm.bias"),
    top,
    topBias,
    pageType: data("types.weight"),
    pageTypeBias: data("types.bias"),
    threshold: offset,
  };
}

/**
 * The first layer expects standardised columns. The scaling is folded into its weights.
 *
 * @param {Float64Array} weights (width, columns + tag columns × embedding)
 * @param {Float64Array} bias (width)
 * @param {Float64Array} mean (columns)
 * @param {Float64Array} deviation (columns)
 */
function scaledFirst(weights, bias, mean, deviation) {
  const [width, columns, inputs] = [bias.length, mean.length, weights.length / bias.length];
  const first = new Float64Array(width * columns);
  const firstBias = new Float64Array(width);
  for (let output = 0; output < width; output++) {
    let shifted = bias[output];
    for (let column = 0; column < columns; column++) {
      const weight = weights[output * inputs + column] / deviation[column];
      first[output * columns + column] = weight;
      shifted -= mean[column] * weight;
    }
    firstBias[output] = shifted;
  }
  return { first, firstBias };
}

/**
 * What each tag adds to the first layer: one table (tag codes, width) for each tag column.
 *
 * @param {Float64Array} embeddings (tag codes, embedding)
 * @param {Float64Array} weights (width, columns + tag columns × embedding)
 * @param {ReturnType<typeof checked>} sizes
 */
function tagTables(embeddings, weights, { columns, tagColumns, embedding, width }) {
  const inputs = weights.length / width;
  return Array.from({ length: tagColumns }, (_, column) => {
    const table = new Float64Array(TAG_CODES * width);
    for (let code = 0; code < TAG_CODES; code++) {
      for (let output = 0; output < width; output++) {
        let from = output * inputs + columns + column * embedding;
        let sum = 0;
        for (let part = 0; part < embedding; part++) sum += embeddings[code * embedding + part] * weights[from++];
        table[code * width + output] = sum;
      }
    }
    return table;
  });
}

/** @param {Map<string, Tensor>} tensors @param {number} number @returns {Layer} */
function layerOf(tensors, number) {
  const data = (/** @type {string} */ name) => dataOf(tensors, `layers.${number}.${name}`);
  return {
    scale: data("norm.weight"),
    shift: data("norm.bias"),
    film: data("film.weight"),
    filmBias: data("film.bias"),
    kernel: [0, 1, 2].map((place) => data("kernel.weight").filter((_, at) => at % 3 === place)), // from (out, in, 3)
    kernelBias: data("kernel.bias"),
    out: data("out.weight"),
    outBias: data("out.bias"),
    dilation: 2 ** number,
  };
}

/**
 * The sizes of a network. Throws RangeError if a tensor is missing or does not fit the others.
 *
 * @param {Map<string, Tensor>} tensors
 */
function checked(tensors) {
  const shape = (/** @type {string} */ name) => {
    const tensor = tensors.get(name);
    if (!tensor) throw new RangeError(`${name} is missing`);
    return tensor.shape;
  };
  const [columns] = shape("scaling.mean");
  const [width] = shape("first.bias");
  const [outputs] = shape("top.bias");
  const [pageTypes] = shape("types.bias");
  const [, embedding] = shape("tags.weight");
  const tagColumns = Math.floor((shape("first.weight")[1] - columns) / embedding);
  // A layer exists if any of its tensors does; a partial one is an error.
  const ofLayers = [...tensors.keys()].filter((name) => name.startsWith("layers."));
  const layers = new Set(ofLayers.map((name) => name.split(".")[1]));
  /** @type {Record<string, number[]>} */
  const wanted = {
    "scaling.deviation": [columns],
    "tags.weight": [TAG_CODES, embedding],
    "first.weight": [width, columns + tagColumns * embedding],
    "second.weight": [width, width],
    "second.bias": [width],
    "norm.weight": [width],
    "norm.bias": [width],
    "top.weight": [outputs, width],
    "types.weight": [pageTypes, 2 * width],
    calibration: [2],
  };
  for (let number = 0; number < layers.size; number++) {
    Object.assign(wanted, {
      [`layers.${number}.norm.weight`]: [width],
      [`layers.${number}.norm.bias`]: [width],
      [`layers.${number}.film.weight`]: [2 * width, 2 * width],
      [`layers.${number}.film.bias`]: [2 * width],
      [`layers.${number}.kernel.weight`]: [width, width, 3],
      [`layers.${number}.kernel.bias`]: [width],
      [`layers.${number}.out.weight`]: [width, width],
      [`layers.${number}.out.bias`]: [width],
    });
  }
  for (const [name, sides] of Object.entries(wanted)) {
    const [found, right] = [shape(name).join(), sides.join()];
    if (found !== right) throw new RangeError(`${name} has the shape ${found} and not ${right}`);
  }
  return { columns, width, outputs, pageTypes, embedding, tagColumns, layers: layers.size };
}
