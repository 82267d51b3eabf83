// Models run here, in the extension's own background, and not in the page: a page's content security policy does not
// reach here, the page's thread stays free, and no file of the extension has to be opened to web pages. An offscreen
// document would do as well, and would need one more permission, in Chrome only.

import * as ort from "onnxruntime-web/wasm";
import { api } from "../shared/api.js";

ort.env.wasm.numThreads = 1; // threads need a page that is isolated from all others
ort.env.wasm.wasmPaths = { wasm: api.runtime.getURL("ort-wasm-simd-threaded.wasm") };
ort.env.logLevel = "error";

const SAFE_PATH = /^[a-z0-9-]+\/[a-z0-9-]+\.[a-z]+$/;

/** What the core runs networks with. */
export const models = {
  ort,
  /** A packed file, by its path below models/. */
  bytes: async (path) => {
    if (!SAFE_PATH.test(path)) throw new Error(`no model file is called ${path}`);
    const response = await fetch(api.runtime.getURL(`models/${path}`));
    return new Uint8Array(await response.arrayBuffer());
  },
};
