import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { label } from "../../../../extension/src/core/extractors/tamis/label.js";
import { networksOf } from "../../../../extension/src/core/extractors/tamis/network.js";
import { tablesOf } from "../../../../extension/src/core/extractors/tamis/tables.js";
import { CoreError } from "../../../../extension/src/core/errors.js";
import { kernelOf } from "../../../../extension/src/core/kernel.js";
import { finished } from "../../../../extension/src/core/pace.js";
import { pack, unpack } from "../../../../extension/src/shared/messages.js";
import { modelFile } from "../../../../extension/tools/models.js";
import { tableOf } from "../tree.mjs";

/** @import {Entry} from "../tree.mjs" */

const models = { bytes: (/** @type {string} */ path) => readFile(modelFile(path)) };
const networks = await networksOf(models);
const { kernel } = networks;

const SENTENCE = "The miller opens the sluice at four in the morning, while the valley is dark and the road is empty.";

/** The tables of a page with so many paragraphs, or with these. @param {number | string[]} given */
function paragraphs(given) {
  const texts = typeof given === "number" ? Array.from({ length: given }, (_, at) => `${at}. ${SENTENCE}`) : given;
  /** @type {Entry[]} */
  const tree = [["html", {}, 1], ["body", { class: "page" }, texts.length]];
  for (const text of texts) tree.push(["p", {}, 1], text);
  const no = texts.map(() => false);
  return finished(tablesOf(tableOf({ tree, url: null, visible: no.map(() => true), folded: no })));
}

/** @param {string} code @param {RegExp} words @returns {(error: unknown) => boolean} */
const isError = (code, words) => (error) =>
  error instanceof CoreError && error.code === code && words.test(error.message);

test("a page is labelled", () => {
  const { keep, score, threshold, hasRoles, keepsText, types } = label(paragraphs(20), networks);
  assert.deepEqual([...keep], new Array(20).fill(1));
  assert.ok(score.every((each) => each >= threshold));
  assert.deepEqual([hasRoles, keepsText], [true, true]);
  assert.ok(Math.abs(types.reduce((sum, likely) => sum + likely) - 1) < 1e-12);
});

test("a page without texts has no content", () => {
  const { keep, hasRoles, keepsText } = label(paragraphs([]), networks);
  assert.deepEqual([keep.length, hasRoles, keepsText], [0, false, false]);
});

test("memory is used again for 200 pages, those that are refused too", () => {
  const large = label(paragraphs(3000), networks);
  const size = kernel.size;
  for (let page = 0; page < 200; page++) {
    const tables = paragraphs(10 * page);
    const broken = { ...tables, element: tables.opened.map(() => -1) };
    if (page % 10 === 9) assert.throws(() => label(broken, networks), /refused/);
    else label(tables, networks);
  }
  assert.deepEqual(label(paragraphs(3000), networks), large);
  assert.equal(kernel.size, size);
});

test("a page of 300,000 elements is labelled, and a larger one is refused", () => {
  const { keep } = label(paragraphs(299_998), networks);
  assert.equal(keep.length, 299_998);
  assert.throws(() => paragraphs(299_999), isError("too-large", /more than 300000 elements/));
});

test("texts with a NUL or half a pair are texts", () => {
  const plain = label(paragraphs([`a\ufffd${SENTENCE}`, SENTENCE]), networks);
  assert.deepEqual(label(paragraphs([`a\0${SENTENCE}`, SENTENCE]), networks), plain);
  assert.deepEqual(label(paragraphs([`a\ud83d${SENTENCE}`, SENTENCE]), networks), plain);
});

test("too much memory is an error", () => {
  assert.throws(() => kernel.lend(() => kernel.room(2 ** 33)), isError("too-large", /too much memory/));
});

test("a kernel that is missing or damaged is an error", async () => {
  const missing = { bytes: () => Promise.reject(new Error("not there")) };
  await assert.rejects(kernelOf(missing), isError("model", /not there/));
  const damaged = { bytes: async () => Uint8Array.of(1, 2) };
  await assert.rejects(kernelOf(damaged), isError("model", /kernel cannot be loaded/));
});

test("tables and labels are sent and received as they are", () => {
  const tables = paragraphs(300);
  const sent = JSON.parse(JSON.stringify(pack(tables)));
  assert.deepEqual(unpack(sent), tables);
  const labels = label(tables, networks);
  assert.deepEqual(unpack(JSON.parse(JSON.stringify(pack(labels)))), labels);
  assert.deepEqual(unpack(pack(Float32Array.of(0.1, -2))), Float32Array.of(0.1, -2));
});
