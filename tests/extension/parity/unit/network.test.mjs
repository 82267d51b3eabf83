import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { readConfig, scoreRows } from "../../../../extension/src/core/extractors/boilernet/network.js";
import { analyse, CoreError } from "../../../../extension/src/core/index.js";
import { modelFile, MODELS } from "../../../../extension/tools/models.js";

/** @import {Models, Runtime} from "../../../../extension/src/core/extractors/boilernet/network.js" */
/** @import {PageTable} from "../../../../extension/src/core/page/table.js" */

const NAME = "boilernet-small";
// The paper's folder may be deleted.
const options = { skip: NAME in MODELS ? false : `the model ${NAME} is not here` };
/** @param {string} path */
const real = (path) => readFile(modelFile(path));
const config = options.skip ? {} : JSON.parse((await real(`${NAME}/config.json`)).toString());
/** @param {object} change @returns {Models} */
const changed = (change) => ({ bytes: async () => new TextEncoder().encode(JSON.stringify({ ...config, ...change })) });
/** @param {RegExp} words @returns {(error: unknown) => boolean} */
const isModelError = (words) => (error) =>
  error instanceof CoreError && error.code === "model" && words.test(error.message);
const noPage = /** @type {PageTable} */ ({});
const none = { bounds: Int32Array.of(0), columns: new Int32Array(), counts: new Float32Array() };

test("the config of the weights is read, once", options, async () => {
  let asked = 0;
  /** @type {Models} */
  const models = { bytes: (path) => (asked++, real(path)) };
  const [first, second] = await Promise.all([readConfig(NAME, models), readConfig(NAME, models)]);
  assert.equal(first, second);
  assert.equal(asked, 1);
  assert.deepEqual(first, { vocabulary: config.vocabulary, threshold: config.threshold });
});

test("after a failure the file is loaded again", options, async () => {
  let asked = 0;
  /** @type {Models} */
  const models = {
    bytes: (path) => (asked++ ? real(path) : Promise.reject(new Error("not there"))),
  };
  await assert.rejects(readConfig(NAME, models), isModelError(/config.json cannot be read: not there/));
  assert.equal((await readConfig(NAME, models)).threshold, config.threshold);
});

test("damaged configs and other input are errors", options, async () => {
  await assert.rejects(readConfig(NAME, changed({ vocabulary: { tags: [1], words: [] } })), isModelError(/damaged/));
  await assert.rejects(readConfig(NAME, changed({ threshold: 1 })), isModelError(/damaged/));
  await assert.rejects(readConfig(NAME, changed({ input: 99 })), isModelError(/read input 99/));
  await assert.rejects(readConfig(NAME, { bytes: async () => new TextEncoder().encode("{") }), isModelError(/damaged/));
});

test("rows of another vocabulary, and a missing runtime, are errors", options, async () => {
  const dims = config.vocabulary.tags.length + config.vocabulary.words.length + 2;
  await assert.rejects(scoreRows(NAME, { ...none, dims: 7 }, { bytes: real }), isModelError(/columns and not 7/));
  await assert.rejects(scoreRows(NAME, { ...none, dims }, { bytes: real }), isModelError(/needs a runtime/));
  const broken = { InferenceSession: { create: () => Promise.reject(new Error("no such format")) } };
  const ort = /** @type {Runtime} */ (/** @type {unknown} */ (broken));
  await assert.rejects(scoreRows(NAME, { ...none, dims }, { bytes: real, ort }), isModelError(/no such format/));
});

test("unknown names and forgotten models are errors", async () => {
  await assert.rejects(analyse(noPage, "nobody"), { code: "unknown-extractor" });
  await assert.rejects(analyse(noPage, NAME), isModelError(/needs models/));
});
