// The weights of the default extractor, in the memory of the kernel, which prepares and runs the networks
// (tamis/extractor/network.py).

/** @import {Kernel} from "../../kernel.js" */
/** @import {Models} from "../boilernet/network.js" */
/** @import {Tensor} from "./safetensors.js" */

import { CoreError, messageOf } from "../../errors.js";
import { kernelOf } from "../../kernel.js";
import { once } from "../once.js";
import { readTensors } from "./safetensors.js";

const NAME = "tamis";

// The version of the columns that the kernel makes (tamis/extractor/runs.py).
export const VERSION = 6;

// Places in the structure tamis_model, in 32-bit numbers.
const MODEL_SIZE = 23;
const WIDTH = 3;
const TYPES = 5;

// The tensors of each network have its name before their own (tamis/extractor/network.py).
const EXPERTS = ["modern", "old"];
const GATE = "gate";

const MOST_SIDES = 3; // of a tensor

const LONGEST_NAME = 64; // of a tensor
const MISSING_TENSOR = -3;

/** @typedef {{model: number, width: number, types: number}} Network `model` is its address */
/** @typedef {{kernel: Kernel, experts: Network[], gate: number}} Networks `gate` is the address of its weights */

/**
 * Both networks and the gate, loaded once for each of these models.
 *
 * @param {Models} models
 * @returns {Promise<Networks>} rejects with a CoreError if they are missing, damaged, or made for other columns
 */
export function networksOf(models) {
  return once(models, NAME, () => load(models));
}

/** @param {Models} models @returns {Promise<Networks>} */
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
    const gate = tensors.get(GATE);
    if (gate?.data.length !== kernel.call.tamis_gate_size()) throw new RangeError(`${GATE} is missing or does not fit`);
    const experts = EXPERTS.map((name) => prepared(kernel, tensorsOf(tensors, name)));
    return { kernel, experts, gate: kernel.put(gate.data) };
  });
}

/** The tensors of one network, by their own names. @param {Map<string, Tensor>} tensors @param {string} expert */
function tensorsOf(tensors, expert) {
  const start = `${expert}.`;
  const own = [...tensors].filter(([name]) => name.startsWith(start));
  return new Map(own.map(([name, tensor]) => [name.slice(start.length), tensor]));
}

/** @param {Kernel} kernel @param {Map<string, Tensor>} tensors @returns {Network} */
function prepared(kernel, tensors) {
  const model = kernel.room(4 * MODEL_SIZE);
  const size = prepare(kernel, tensors, 0, model); // without memory the floats are only counted
  prepare(kernel, tensors, kernel.room(4 * size), model);
  const numbers = kernel.numbers(model, MODEL_SIZE);
  return { model, width: numbers[WIDTH], types: numbers[TYPES] };
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
