// The weights of the default extractor, in the memory of the kernel, which prepares and runs the network
// (src/tamis/extractor/network.py).

/** @import {Kernel} from "../../kernel.js" */
/** @import {Models} from "../boilernet/network.js" */
/** @import {Tensor} from "./safetensors.js" */

import { CoreError, messageOf } from "../../errors.js";
import { kernelOf } from "../../kernel.js";
import { once } from "../once.js";
import { readTensors } from "./safetensors.js";

const NAME = "tamis";

// The version of the columns that the kernel makes (src/tamis/extractor/runs.py).
export const VERSION = 4;

// Places in the structure tamis_model, in 32-bit numbers.
const MODEL_SIZE = 23;
const WIDTH = 3;
const TYPES = 5;

const MOST_SIDES = 3; // of a tensor

const LONGEST_NAME = 64; // of a tensor
const MISSING_TENSOR = -3;

/** @typedef {{kernel: Kernel, model: number, width: number, types: number}} Network `model` is its address */

/**
 * The network, loaded once for each of these models.
 *
 * @param {Models} models
 * @returns {Promise<Network>} rejects with a CoreError if it is missing, damaged, or made for other columns
 */
export function networkOf(models) {
  return once(models, NAME, () => load(models));
}

/** @param {Models} models @returns {Promise<Network>} */
async function load(models) {
  const config = await attempt("config", async () => {
    return JSON.parse(new TextDecoder().decode(await models.bytes(`${NAME}/config.json`)));
  });
  if (config?.input !== VERSION) {
    throw new CoreError("model", `the weights of ${NAME} read input ${config?.input}; this makes input ${VERSION}`);
  }
  const kernel = await kernelOf(models);
  return attempt("network", async () => {
    const tensors = readTensors(new Uint8Array(await models.bytes(`${NAME}/model.safetensors`)));
    const model = kernel.room(4 * MODEL_SIZE);
    const size = prepare(kernel, tensors, 0, model); // without memory the floats are only counted
    prepare(kernel, tensors, kernel.room(4 * size), model);
    const numbers = kernel.numbers(model, MODEL_SIZE);
    return { kernel, model, width: numbers[WIDTH], types: numbers[TYPES] };
  });
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

/**
 * Prepare the tensors of training; returns how many floats that takes.
 *
 * @param {Kernel} kernel
 * @param {Map<string, Tensor>} tensors
 * @param {number} memory for the floats
 * @param {number} model
 */
function prepare(kernel, tensors, memory, model) {
  return kernel.lend(() => {
    const rows = [...tensors].map(([name, { shape, data }]) => {
      const sides = Array.from({ length: MOST_SIDES }, (_, side) => shape[side] ?? 0);
      return [kernel.putTexts([name])[0], kernel.put(data), shape.length, ...sides];
    });
    const which = kernel.room(LONGEST_NAME);
    const given = kernel.putRow(...rows.flat());
    const size = kernel.call.tamis_prepare(given, rows.length, memory, model, which);
    if (size >= 0) return size;
    const name = new TextDecoder().decode(kernel.bytes(which, LONGEST_NAME)).split("\0")[0];
    throw new RangeError(size === MISSING_TENSOR ? `${name} is missing` : `${name} has a shape that does not fit`);
  });
}
