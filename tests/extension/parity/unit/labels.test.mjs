import assert from "node:assert/strict";
import { test } from "node:test";
import { centred, windows } from "../../../../extension/src/core/extractors/boilernet/boilernet.js";

test("the threshold of a network becomes the middle of the scores", () => {
  assert.equal(centred(0, 0.62), 0);
  assert.equal(centred(0.62, 0.62), 0.5);
  assert.equal(centred(1, 0.62), 1);
  assert.ok(centred(0.6199999999999999, 0.62) < 0.5);
  assert.ok(Math.abs(centred(0.31, 0.62) - 0.25) < 1e-12);
});

test("windows label every text once and read around it", () => {
  assert.deepEqual(windows(0), []);
  assert.deepEqual(windows(8192), [[0, 0, 8192, 8192]]);
  const found = windows(20_000);
  assert.deepEqual(found[0], [0, 0, 7168, 7680]);
  assert.deepEqual(found.at(-1), [13_824, 14_336, 20_000, 20_000]);
  found.slice(1).forEach(([, first], at) => assert.equal(first, found[at][2]));
});
