// Builds the npm package from the folder npm and the core of the extension: build/npm.
//
//     node tools/npm.js

import { build } from "esbuild";
import { cp, mkdir, rm, stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import path from "node:path";

const project = fileURLToPath(new URL("../../", import.meta.url));
const source = path.join(project, "npm");
const out = path.join(project, "build", "npm");
const MOST_BYTES = 1_100_000;

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
await build({
  entryPoints: [path.join(source, "index.js")],
  outdir: out,
  bundle: true,
  format: "esm",
  target: ["chrome131", "firefox140", "node18"],
  charset: "utf8",
  minify: true,
  loader: { ".wasm": "binary", ".safetensors": "binary" },
  legalComments: "none",
  logLevel: "warning",
});
for (const file of ["README.md", "index.d.ts", "package.json"]) await cp(path.join(source, file), path.join(out, file));
await cp(path.join(project, "LICENSE"), path.join(out, "LICENSE"));
const { size } = await stat(path.join(out, "index.js"));
if (size > MOST_BYTES) throw new Error(`index.js has ${size} bytes; ${MOST_BYTES} are the limit`);
console.log(`build/npm: ${(size / 1e6).toFixed(2)} MB`);
