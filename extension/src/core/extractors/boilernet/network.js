// The trained network: an ONNX file that onnxruntime-web runs (tamis_papers/boilernet/extractor.py).

import { CoreError, messageOf } from "../../errors.js";
import { once } from "../once.js";
import { dimsOf } from "./counts.js";
import { VERSION } from "./tokens.js";

/** @import {Found} from "../tamis/label.js" */
/** @import {Tables} from "../tamis/tables.js" */

/**
 * @typedef {Omit<import("./counts.js").Rows, "leaves">} Rows
 *
 * @typedef {Pick<typeof import("onnxruntime-web"), "InferenceSession" | "Tensor">} Runtime
 *
 * @typedef {object} Models how models are loaded and run
 * @property {(path: string) => Promise<ArrayBuffer | Uint8Array<ArrayBuffer>>} bytes a file of a model, such as
 *   boilernet-small/model.onnx
 * @property {Runtime} [ort] the runtime, if networks run in this thread
 * @property {(name: string, rows: Rows) => Promise<Float32Array>} [score] otherwise: `scoreRows` in the other thread
 * @property {(tables: Tables) => Promise<Found>} [label] and `label` of tamis, if the kernel runs there too
 *
 * @typedef {{vocabulary: import("./counts.js").Vocabulary, threshold: number}} Config
 */

/**
 * The config of a model.
 *
 * @param {string} name
 * @param {Models} models
 * @returns {Promise<Config>} rejects with a CoreError if it is missing, damaged, or made for other input
 */
export function readConfig(name, models) {
  return once(models, `${name}/config.json`, async () => {
    const text = new TextDecoder().decode(await bytesOf(`${name}/config.json`, models));
    const { vocabulary, threshold, input } = parsed(text) ?? {};
    const isList = (/** @type {unknown} */ list) =>
      Array.isArray(list) && list.every((entry) => typeof entry === "string");
    if (!isList(vocabulary?.tags) || !isList(vocabulary?.words) || !(threshold > 0 && threshold < 1)) {
      throw new CoreError("model", `the config of ${name} is damaged`);
    }
    if (input !== VERSION) {
      throw new CoreError("model", `the weights of ${name} read input ${input}; this makes input ${VERSION}`);
    }
    return { vocabulary, threshold };
  });
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** @param {string} path @param {Models} models */
async function bytesOf(path, models) {
  try {
    return await models.bytes(path);
  } catch (error) {
    throw new CoreError("model", `${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

/** @param {string} name @param {Models} models @param {Runtime} ort */
async function sessionOf(name, models, ort) {
  const model = await bytesOf(`${name}/model.onnx`, models);
  try {
    return await ort.InferenceSession.create(new Uint8Array(model), { executionProviders: ["wasm"] });
  } catch (error) {
    throw new CoreError("model", `the network of ${name} cannot be loaded: ${messageOf(error)}`, { cause: error });
  }
}

/**
 * For each row the probability of being content. It runs in this thread, without a rest.
 *
 * @param {string} name
 * @param {Rows} rows one window of a page
 * @param {Models} models
 * @returns {Promise<Float32Array>} rejects with a CoreError if the model can't be loaded or takes other rows
 */
export async function scoreRows(name, rows, models) {
  const { vocabulary } = await readConfig(name, models);
  const size = rows.bounds.length - 1;
  if (rows.dims !== dimsOf(vocabulary)) {
    throw new CoreError("model", `${name} takes ${dimsOf(vocabulary)} columns and not ${rows.dims}`);
  }
  const { ort } = models;
  if (!ort) throw new CoreError("model", `${name} needs a runtime: neither ort nor score was given`);
  const session = await once(models, `${name}/model.onnx`, () => sessionOf(name, models, ort));
  const counts = new ort.Tensor("float32", dense(rows), [1, size, rows.dims]);
  const { scores } = await session.run({ counts }); // (1, texts, dims) -> (1, texts)
  return /** @type {Float32Array} */ (scores.data);
}

/** The rows as a matrix. @param {Rows} rows */
function dense({ bounds, columns, counts, dims }) {
  const matrix = new Float32Array((bounds.length - 1) * dims);
  for (let row = 0; row < bounds.length - 1; row++) {
    for (let entry = bounds[row]; entry < bounds[row + 1]; entry++) matrix[row * dims + columns[entry]] = counts[entry];
  }
  return matrix;
}
