// Builds two extensions from one source: build/extension/chrome and build/extension/firefox, and a zip of each.
//
//     node tools/build.js
//
// Everything that the extension needs is copied into it: scripts, styles, strings, the models and the runtime for them.
// Nothing is downloaded later.

/** @typedef {"chrome" | "firefox"} Browser */

import { build } from "esbuild";
import { zipSync } from "fflate";
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import path from "node:path";
import manifests from "./manifests.json" with { type: "json" };
import { MODELS, versionOf } from "./models.js";

const here = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const project = path.dirname(here);
const out = path.join(project, "build", "extension");
const source = path.join(here, "src");

/** @type {Browser[]} */
const BROWSERS = ["chrome", "firefox"];
const RUNTIME = "ort-wasm-simd-threaded.wasm"; // runs models in ONNX files
const MOST_BYTES = 12_000_000; // a packed extension

const ENTRIES = {
  background: "background/main.js",
  page: "page/main.js",
  panel: "panel/panel.js",
};
const COPIED = ["page/page.css", "panel/panel.css", "panel/panel.html"];

/** @param {Browser} browser @param {string} version */
async function assemble(browser, version) {
  const folder = path.join(out, browser);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await build({
    entryPoints: Object.fromEntries(Object.entries(ENTRIES).map(([name, file]) => [name, path.join(source, file)])),
    outdir: folder,
    bundle: true,
    format: "iife",
    target: ["chrome131", "firefox140"],
    charset: "ascii", // Chrome runs no script with a noncharacter in it
    minify: false, // stores and users want to read the code
    legalComments: "none",
    logLevel: "warning",
    define: {
      // onnxruntime-web looks for its .wasm file by this address, although another path is set.
      "import.meta.url": "location.href",
      // Extractors whose model is missing are not offered.
      SHIPPED_MODELS: JSON.stringify(Object.keys(MODELS)),
    },
  });
  await cp(path.join(here, "static"), folder, { recursive: true });
  for (const file of COPIED) await cp(path.join(source, file), path.join(folder, path.basename(file)));
  await writeFile(path.join(folder, "highlights.css"), await highlightStyles(browser));
  for (const [model, files] of Object.entries(MODELS)) {
    for (const file of files) await cp(file, path.join(folder, "models", model, path.basename(file)));
  }
  if (Object.values(MODELS).flat().some((file) => file.endsWith(".onnx"))) {
    await cp(path.join(here, "node_modules", "onnxruntime-web", "dist", RUNTIME), path.join(folder, RUNTIME));
  }
  await cp(path.join(project, "LICENSE"), path.join(folder, "LICENSE"));
  await writeFile(path.join(folder, "manifest.json"), JSON.stringify({ ...manifests.both, version, ...manifests[browser] }, null, 2) + "\n");
  return folder;
}

// The styles of highlights. In Chrome elements inherit highlights, in shadow trees too, so one rule for the root is
// enough and fastest. In Firefox shadow trees do not inherit them, so the rule is for every element.
/** @param {Browser} browser */
async function highlightStyles(browser) {
  const styles = await readFile(path.join(source, "page", "highlights.css"), "utf8");
  return browser === "firefox" ? styles.replaceAll(":root::highlight", "::highlight") : styles;
}

/** Write a folder as a zip file, with the same bytes for the same files; returns its size. @param {string} folder @param {string} file */
async function pack(folder, file) {
  const names = (await readdir(folder, { recursive: true })).sort();
  /** @type {Record<string, Uint8Array>} */
  const files = {};
  for (const name of names) {
    const at = path.join(folder, name);
    if ((await stat(at)).isFile()) files[name.split(path.sep).join("/")] = await readFile(at);
  }
  const packed = zipSync(files, { level: 9, mtime: new Date(1980, 0, 1) });
  if (packed.length > MOST_BYTES) throw new Error(`${file} has ${packed.length} bytes; ${MOST_BYTES} are the limit`);
  await writeFile(file, packed);
  return packed.length;
}

const version = await versionOf();
for (const browser of BROWSERS) {
  const folder = await assemble(browser, version);
  const file = path.join(out, `tamis-${browser}.zip`);
  const size = await pack(folder, file);
  console.log(`${path.relative(project, file)}: ${(size / 1e6).toFixed(1)} MB`);
}
