// The models for the tests in a browser.

/** @import {Models} from "/core/extractors/boilernet/network.js" */

import { label } from "/core/extractors/tamis/label.js";
import { networksOf } from "/core/extractors/tamis/network.js";
import { scoreRows } from "/core/index.js";

/** A file of a model. @param {string} path */
export const load = async (path) => {
  const response = await fetch(`/models/${path}`);
  if (!response.ok) throw new Error(`no ${path}`);
  return response.arrayBuffer();
};

/** @type {Models | null} */
let models = null;

/** Models with a runtime in this thread, made on first use. */
export async function withRuntime() {
  if (!models) {
    const address = "/ort/ort.wasm.min.mjs"; // the file that the harness serves
    /** @type {typeof import("onnxruntime-web")} */
    const ort = await import(address);
    ort.env.wasm.numThreads = 1;
    ort.env.wasm.wasmPaths = "/ort/";
    models = { bytes: load, ort };
  }
  return models;
}

/** Models that run in another place, as in the extension: messages are copied. @returns {Promise<Models>} */
export async function elsewhere() {
  const models = await withRuntime();
  return {
    bytes: load,
    score: async (name, rows) => structuredClone(await scoreRows(name, structuredClone(rows), models)),
    label: async (tables) => structuredClone(label(structuredClone(tables), await networksOf(models))),
  };
}
