import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { readConfig, scoreRows } from "../../../../extension/src/core/extractors/boilernet/network.js";
import { analyse, CoreError } from "../../../../extension/src/core/index.js";
import { modelFile } from "../../../../extension/tools/models.js";

const NAME = "boilernet-small";
const real = (path) => readFile(modelFile(path));
const config = JSON.parse(await real(`${NAME}/config.json`));
const changed = (change) => ({ bytes: async () => new TextEncoder().encode(JSON.stringify({ ...config, ...change })) });
const isModelError = (words) => (error) =>
  error instanceof CoreError && error.code === "model" && words.test(error.message);
const none = { bounds: Int32Array.of(0), columns: new Int32Array(), counts: new Float32Array() };

test("the config of the weights is read, once", async () => {
  let asked = 0;
  const models = { bytes: (path) => (asked++, real(path)) };
  const [first, second] = await Promise.all([readConfig(NAME, models), readConfig(NAME, models)]);
  assert.equal(first, second);
  assert.equal(asked, 1);
  assert.deepEqual(first, { vocabulary: config.vocabulary, threshold: config.threshold });
});

test("what failed is asked for again", async () => {
  let asked = 0;
  const models = {
    bytes: (path) => (asked++ ? real(path) : Promise.reject(new Error("not there"))),
  };
  await assert.rejects(readConfig(NAME, models), isModelError(/config.json cannot be read: not there/));
  assert.equal((await readConfig(NAME, models)).threshold, config.threshold);
});

test("damaged configs and other input are errors", async () => {
  await assert.rejects(readConfig(NAME, changed({ vocabulary: { tags: [1], words: [] } })), isModelError(/damaged/));
  await assert.rejects(readConfig(NAME, changed({ threshold: 1 })), isModelError(/damaged/));
  await assert.rejects(readConfig(NAME, changed({ input: 99 })), isModelError(/read input 99/));
  await assert.rejects(readConfig(NAME, { bytes: async () => new TextEncoder().encode("{") }), isModelError(/damaged/));
});

test("rows of another vocabulary, and a missing runtime, are errors", async () => {
  const dims = config.vocabulary.tags.length + config.vocabulary.words.length + 2;
  await assert.rejects(scoreRows(NAME, { ...none, dims: 7 }, { bytes: real }), isModelError(/columns and not 7/));
  await assert.rejects(scoreRows(NAME, { ...none, dims }, { bytes: real }), isModelError(/needs a runtime/));
  const ort = { InferenceSession: { create: () => Promise.reject(new Error("no such format")) } };
  await assert.rejects(scoreRows(NAME, { ...none, dims }, { bytes: real, ort }), isModelError(/no such format/));
});

test("unknown names and forgotten models are errors", async () => {
  await assert.rejects(analyse({}, "nobody"), (error) => error.code === "unknown-extractor");
  await assert.rejects(analyse({}, NAME), isModelError(/needs models/));
});
