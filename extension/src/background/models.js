// Models run in the background and not in the page: the page's content security policy does not apply here (in Chrome
// it can forbid WebAssembly in content scripts, too), the page's thread stays free, and no file of the extension has to
// be visible to web pages. An offscreen document would need one more permission, and exists in Chrome only.

import * as ort from "onnxruntime-web/wasm";
import { api } from "../shared/api.js";

ort.env.wasm.numThreads = 1; // threads need a cross-origin isolated page
ort.env.wasm.wasmPaths = { wasm: api.runtime.getURL("ort-wasm-simd-threaded.wasm") };
ort.env.logLevel = "error";

const SAFE_PATH = /^[a-z0-9-]+\/[a-z0-9-]+\.[a-z]+$/;

/** The packed models, and the runtime for their networks. */
export const models = {
  ort,
  /** A packed file. @param {string} path below models/ */
  bytes: async (path) => {
    if (!SAFE_PATH.test(path)) throw new Error(`no model file is called ${path}`);
    const response = await fetch(api.runtime.getURL(`models/${path}`));
    return new Uint8Array(await response.arrayBuffer());
  },
};
