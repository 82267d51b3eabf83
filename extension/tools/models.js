// The version of the project, which Python declares, and the models that the extension ships. A model that is missing is
// left out.

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import path from "node:path";

const project = fileURLToPath(new URL("../../", import.meta.url));
const weights = path.join(project, "packages/tamis/src/tamis/extractor/weights");
const boilernet = path.join(project, "packages/tamis-papers/src/tamis_papers/boilernet/weights/small");

// The files that are needed to run each.
/** @type {Record<string, string[]>} */
const ALL = {
  tamis: [
    path.join(weights, "config.json"),
    path.join(weights, "model.safetensors"),
    path.join(project, "build/kernel.wasm"), // made by `make wasm`
  ],
  "boilernet-small": [path.join(boilernet, "config.json"), path.join(boilernet, "model.onnx")],
};

/** The files of the models that are there, by the name of the model. */
export const MODELS = Object.fromEntries(Object.entries(ALL).filter(([, [first]]) => existsSync(first)));

/** The path of a file of a model. @param {string} name as the extension asks for it, such as "tamis/config.json" */
export function modelFile(name) {
  const [model, file] = name.split("/");
  const found = MODELS[model].find((each) => path.basename(each) === file);
  if (!found) throw new Error(`no model has a file ${name}`);
  return found;
}

export async function versionOf() {
  const text = await readFile(new URL("../../packages/tamis/src/tamis/__init__.py", import.meta.url), "utf8");
  const found = /^__version__ = "([\d.]+)"$/m.exec(text);
  if (!found) throw new Error("packages/tamis/src/tamis/__init__.py names no version of numbers and dots");
  return found[1];
}
