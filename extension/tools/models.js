// The models that the extension ships: the folder of each below src/tamis, and the files that are needed to run it.
// A paper's folder may be deleted; its model is then left out.

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import path from "node:path";

const package_ = fileURLToPath(new URL("../../src/tamis/", import.meta.url));

const ALL = {
  tamis: { folder: "extractor/weights", files: ["config.json", "model.safetensors"] },
  "boilernet-small": { folder: "papers/boilernet/weights/small", files: ["config.json", "model.onnx"] },
};

export const MODELS = Object.fromEntries(
  Object.entries(ALL)
    .map(([name, { folder, files }]) => [name, { folder: path.join(package_, folder), files }])
    .filter(([, { folder }]) => existsSync(folder)),
);

/** Where a file of a model lies: "tamis/config.json", as the extension asks for it. */
export function modelFile(name) {
  const [model, file] = name.split("/");
  return path.join(MODELS[model].folder, file);
}
