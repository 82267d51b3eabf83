// The models that the extension ships. The folder of a paper may be deleted; its model is then left out.

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import path from "node:path";

/** @typedef {{folder: string, files: string[]}} Model its folder, and the files that are needed to run it */

const sources = fileURLToPath(new URL("../../src/tamis/", import.meta.url));

/** @type {Record<string, Model>} */
const ALL = {
  tamis: { folder: path.join(sources, "extractor/weights"), files: ["config.json", "model.safetensors"] },
  "boilernet-small": {
    folder: path.join(sources, "papers/boilernet/weights/small"),
    files: ["config.json", "model.onnx"],
  },
};

/** The models that are there, by name. */
export const MODELS = Object.fromEntries(Object.entries(ALL).filter(([, { folder }]) => existsSync(folder)));

/** The path of a file of a model. @param {string} name as the extension asks for it, such as "tamis/config.json" */
export function modelFile(name) {
  const [model, file] = name.split("/");
  return path.join(MODELS[model].folder, file);
}
