import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { networksOf } from "../../../../extension/src/core/extractors/tamis/network.js";
import { readTensors } from "../../../../extension/src/core/extractors/tamis/safetensors.js";
import { analyse, CoreError } from "../../../../extension/src/core/index.js";
import { modelFile } from "../../../../extension/tools/models.js";
import { tableOf } from "../tree.mjs";

/** @import {Models} from "../../../../extension/src/core/extractors/boilernet/network.js" */
/** @import {Entry} from "../../../../extension/src/core/extractors/tamis/safetensors.js" */
/** @typedef {Record<string, Entry>} Header */

const noPage = { tree: [], url: null, visible: [], folded: [] };
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
  bytes: async (path) => {
    if (path === "tamis/config.json") return encoded({ ...config, ...settings });
    return path === "tamis/model.safetensors" ? Uint8Array.from(tensors) : real(path);
  },
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
  await assert.rejects(networksOf(given), isModelError(/config of tamis cannot be loaded: not there/));
  const [first, second] = await Promise.all([networksOf(given), networksOf(given)]);
  assert.equal(first, second);
  assert.equal(asked, 4);
  assert.equal(Math.max(...first.experts.map(({ width }) => width)), config.width);
  assert.deepEqual(
    first.experts.map(({ types }) => types),
    [7, 7],
  );
});

test("weights for other input, and damaged ones, are errors", async () => {
  /** @param {{settings?: object, tensors?: typeof model}} given @param {RegExp} words */
  const refused = (given, words) => assert.rejects(networksOf(models(given)), isModelError(words));
  await refused({ settings: { input: 1 } }, /read input 1/);
  await refused({ tensors: model.subarray(0, 5) }, /network of tamis cannot be loaded/);
  await refused({ tensors: model.subarray(0, 100) }, /header is longer/);
  await refused({ tensors: model.subarray(0, model.length - 4) }, /cannot be loaded/);
  await refused({ tensors: withHeader((header) => delete header["modern.second.bias"]) }, /second.bias is missing/);
  await refused({ tensors: withHeader((header) => (header["modern.norm.bias"].dtype = "I8")) }, /the type I8/);
  await refused({ tensors: withHeader((header) => (header["modern.norm.bias"].shape = [31])) }, /other bytes/);
  await refused({ tensors: withHeader((header) => delete header["modern.layers.3.out.bias"]) }, /out.bias is missing/);
  await refused({ tensors: withHeader((header) => (header["modern.tags.weight"].shape = [6, 256])) }, /shape/);
  await refused({ tensors: withHeader((header) => delete header.gate) }, /gate is missing/);
});

/** The file with fewer rows in some tensors of both networks. @param {string[]} names @param {number} number of rows */
const withFewer = (names, number) =>
  withHeader((header) => {
    for (const name of names.flatMap((each) => [`modern.${each}`, `old.${each}`])) {
      const [, ...sides] = header[name].shape;
      const [begin] = header[name].data_offsets;
      header[name].shape = [number, ...sides];
      header[name].data_offsets = [begin, begin + 4 * sides.reduce((product, side) => product * side, number)];
    }
  });

test("weights with another number of outputs are errors", async () => {
  /** @param {typeof model} tensors @param {RegExp} words */
  const refused = (tensors, words) =>
    assert.rejects(analyse(tableOf(noPage), "tamis", { models: models({ tensors }) }), isModelError(words));
  await refused(withFewer(["top.bias", "top.weight"], 2), /other inputs or outputs/);
  await refused(withFewer(["types.bias", "types.weight"], 6), /other inputs or outputs/);
  await refused(withFewer(["types.bias"], 6), /types.weight has a shape/);
});

test("a layer with a missing tensor is an error", async () => {
  const renamed = withHeader((header) => {
    for (const name of Object.keys(header).filter((key) => key.startsWith("modern.layers.3."))) {
      header[name.replace("modern.layers.3.", "modern.layers.5.")] = header[name];
      delete header[name];
    }
  });
  await assert.rejects(networksOf(models({ tensors: renamed })), isModelError(/layers.3.norm.weight is missing/));
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
  assert.deepEqual(found.get("b"), { shape: [2], data: Float32Array.of(-2, 1 / 3) });
  assert.deepEqual(found.get("a"), { shape: [1, 1], data: Float32Array.of(0.5) });
});

test("forgotten models are an error", async () => {
  await assert.rejects(analyse(tableOf(noPage), "tamis"), isModelError(/tamis needs models/));
});
