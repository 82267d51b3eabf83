// Where the tests' core has its models from.

import { scoreRows } from "/core/index.js";

/** A file of a model. */
export const load = async (path) => {
  const response = await fetch(`/models/${path}`);
  if (!response.ok) throw new Error(`no ${path}`);
  return response.arrayBuffer();
};

let models = null;

/** Everything that runs a network, made on first use. */
export async function withRuntime() {
  if (!models) {
    const ort = await import("/ort/ort.wasm.min.mjs");
    ort.env.wasm.numThreads = 1;
    ort.env.wasm.wasmPaths = "/ort/";
    models = { bytes: load, ort };
  }
  return models;
}

/** Models of which the network runs elsewhere, as the extension has them: what crosses over is copied. */
export async function elsewhere() {
  const models = await withRuntime();
  const score = async (name, rows) => structuredClone(await scoreRows(name, structuredClone(rows), models));
  return { bytes: load, score };
}
