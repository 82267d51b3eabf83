import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { addProduct, layerNorm, pooled } from "../../../../extension/src/core/extractors/tamis/algebra.js";
import { readTensors } from "../../../../extension/src/core/extractors/tamis/safetensors.js";
import * as tamis from "../../../../extension/src/core/extractors/tamis/tamis.js";
import { weightsOf } from "../../../../extension/src/core/extractors/tamis/weights.js";
import { analyse, CoreError } from "../../../../extension/src/core/index.js";
import { modelFile } from "../../../../extension/tools/models.js";

/** @import {Models} from "../../../../extension/src/core/extractors/boilernet/network.js" */
/** @import {Entry} from "../../../../extension/src/core/extractors/tamis/safetensors.js" */
/** @import {PageTable} from "../../../../extension/src/core/page/table.js" */
/** @typedef {Record<string, Entry>} Header */

/** @param {string} path */
const real = (path) => readFile(modelFile(path));
const config = JSON.parse((await real("tamis/config.json")).toString());
const model = await real("tamis/model.safetensors");
/** @param {unknown} value */
const encoded = (value) => new TextEncoder().encode(JSON.stringify(value));
/** @param {RegExp} words @returns {(error: unknown) => boolean} */
const isModelError = (words) => (error) =>
  error instanceof CoreError && error.code === "model" && words.test(error.message);

/** Models with another config, or with another file of tensors. @returns {Models} */
const models = ({ settings = {}, tensors = model }) => ({
  bytes: async (path) => (path === "tamis/config.json" ? encoded({ ...config, ...settings }) : tensors),
});

/** The file with another header. @param {(header: Header) => unknown} change */
function withHeader(change) {
  const length = Number(model.readBigUInt64LE(0));
  const header = JSON.parse(model.subarray(8, 8 + length).toString());
  change(header);
  const text = Buffer.from(JSON.stringify(header));
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([size, text, model.subarray(8 + length)]);
}

test("the weights are loaded once, from an ArrayBuffer too, and again after a failure", async () => {
  let asked = 0;
  /** @type {Models} */
  const given = {
    bytes: async (path) => {
      if (asked++ === 0) throw new Error("not there");
      return Uint8Array.from(await real(path)).buffer;
    },
  };
  await assert.rejects(weightsOf(given), isModelError(/config of tamis cannot be loaded: not there/));
  const [first, second] = await Promise.all([weightsOf(given), weightsOf(given)]);
  assert.equal(first, second);
  assert.equal(asked, 3);
  assert.deepEqual([first.columns, first.tagColumns, first.outputs], [253, 7, 3]);
});

test("weights for other input, and damaged ones, are errors", async () => {
  /** @param {{settings?: object, tensors?: typeof model}} given @param {RegExp} words */
  const refused = (given, words) => assert.rejects(weightsOf(models(given)), isModelError(words));
  await refused({ settings: { input: 1 } }, /read input 1/);
  await refused({ tensors: model.subarray(0, 5) }, /network of tamis cannot be loaded/);
  await refused({ tensors: model.subarray(0, 100) }, /header is longer/);
  await refused({ tensors: model.subarray(0, model.length - 4) }, /cannot be loaded/);
  await refused({ tensors: withHeader((header) => delete header["second.bias"]) }, /second.bias is missing/);
  await refused({ tensors: withHeader((header) => (header["norm.bias"].dtype = "I8")) }, /the type I8/);
  await refused({ tensors: withHeader((header) => (header["norm.bias"].shape = [31])) }, /other bytes/);
  await refused({ tensors: withHeader((header) => delete header["layers.3.out.bias"]) }, /out.bias is missing/);
  await refused({ tensors: withHeader((header) => (header["tags.weight"].shape = [6, 256])) }, /shape/);
});

/** The file with fewer rows in some tensors. @param {string[]} names @param {number} number of rows */
const withFewer = (names, number) =>
  withHeader((header) => {
    for (const name of names) {
      const [, ...sides] = header[name].shape;
      const [begin] = header[name].data_offsets;
      header[name].shape = [number, ...sides];
      header[name].data_offsets = [begin, begin + 4 * sides.reduce((product, side) => product * side, number)];
    }
  });

test("weights with another number of outputs are errors", async () => {
  /** @param {typeof model} tensors @param {RegExp} words */
  const refused = (tensors, words) => assert.rejects(weightsOf(models({ tensors })), isModelError(words));
  await refused(withFewer(["top.bias", "top.weight"], 2), /has 2 outputs and not 3/);
  await refused(withFewer(["types.bias", "types.weight"], 6), /has 6 page types and not 7/);
  await refused(withFewer(["types.bias"], 6), /types.weight has the shape/);
});

test("a layer with a missing tensor is an error", async () => {
  const renamed = withHeader((header) => {
    for (const name of Object.keys(header).filter((key) => key.startsWith("layers.3."))) {
      header[name.replace("layers.3.", "layers.5.")] = header[name];
      delete header[name];
    }
  });
  await assert.rejects(weightsOf(models({ tensors: renamed })), isModelError(/layers.3.norm.weight is missing/));
});

test("tensors of both types are read at any place", () => {
  const header = Buffer.from(
    JSON.stringify({
      __metadata__: { made: "here" },
      b: { dtype: "F64", shape: [2], data_offsets: [4, 20] },
      a: { dtype: "F32", shape: [1, 1], data_offsets: [0, 4] },
    }),
  );
  const bytes = Buffer.alloc(8 + header.length + 20);
  bytes.writeBigUInt64LE(BigInt(header.length));
  header.copy(bytes, 8);
  bytes.writeFloatLE(0.5, 8 + header.length);
  bytes.writeDoubleLE(-2, 12 + header.length);
  bytes.writeDoubleLE(1 / 3, 20 + header.length);
  const found = readTensors(bytes);
  assert.deepEqual([...found.keys()], ["b", "a"]);
  assert.deepEqual(found.get("b"), { shape: [2], data: Float64Array.of(-2, 1 / 3) });
  assert.deepEqual(found.get("a"), { shape: [1, 1], data: Float32Array.of(0.5) });
});

test("products are the plain ones for any number of rows and outputs", () => {
  for (const [rows, inputs, outputs] of [[1, 1, 1], [2, 4, 4], [3, 5, 3], [4, 2, 6], [5, 3, 9]]) {
    const values = Float64Array.from({ length: 2 + rows * inputs }, (_, at) => at - 3);
    const weights = Float64Array.from({ length: outputs * inputs }, (_, at) => 2 * at - 5);
    const into = new Float64Array(rows * outputs).fill(1);
    addProduct(into, values, 2, rows, weights, outputs);
    into.forEach((found, at) => {
      const [row, output] = [Math.floor(at / outputs), at % outputs];
      const from = values.subarray(2 + row * inputs, 2 + (row + 1) * inputs);
      assert.equal(found, from.reduce((sum, value, input) => sum + value * weights[output * inputs + input], 1));
    });
  }
});

test("layer normalisation and pooling", () => {
  const into = new Float64Array(3);
  layerNorm(Float32Array.of(9, 1, 3), 1, Float64Array.of(1, 2), Float64Array.of(0, 1), into, 1);
  assert.deepEqual([...into].map((value) => Math.round(value * 1e4) / 1e4), [0, -1, 3]);
  assert.deepEqual([...pooled(Float32Array.of(1, -4, 3, -2), 2)], [2, -3, 3, -2]);
});

test("comments have a high logit, and a thread has none", () => {
  const logits = Float32Array.of(tamis.COMMENT_THRESHOLD, -9, 9);
  assert.deepEqual([...tamis.commentsOf(logits, "article")], [1, 0, 1]);
  assert.deepEqual([...tamis.commentsOf(logits, "forum")], [0, 0, 0]);
});

test("roles: comments first, captions of what is kept, teasers of what is not", () => {
  const { RELATED_THRESHOLD, rolesOf } = tamis;
  const runs = { inCaption: (/** @type {number} */ run) => run === 1 };
  const no = [-2, -2, -2];
  assert.deepEqual(rolesOf(runs, Uint8Array.of(1, 1, 0), new Uint8Array(3), no), ["text", "caption", "boilerplate"]);
  const related = [RELATED_THRESHOLD, RELATED_THRESHOLD - 0.1, 0];
  assert.deepEqual(rolesOf(runs, Uint8Array.of(0, 0, 0), Uint8Array.of(0, 0, 1), related), [
    "related", "boilerplate", "comment",
  ]);
});

test("forgotten models are an error", async () => {
  await assert.rejects(analyse(/** @type {PageTable} */ ({}), "tamis"), isModelError(/tamis needs models/));
});
