import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutEnd } from "../../../../extension/src/core/characters.js";
import { largest } from "../../../../extension/src/core/render/media.js";

test("the largest image of a srcset", () => {
  assert.equal(largest("a.png 1x, b.png 2x"), "b.png");
  assert.equal(largest("a.png 100w,b.png 50w"), "a.png");
  assert.equal(largest("a,b.png"), "a,b.png");
  assert.equal(largest("a.png, b.png 1.5x"), "b.png");
  assert.equal(largest(",, a.png"), "a.png");
  assert.equal(largest("a.png 1y"), null);
  assert.equal(largest(""), null);
});

test("a srcset takes time in proportion to its length", () => {
  const started = performance.now();
  for (const srcset of [",".repeat(1e6), "a".repeat(1e6) + " b", "a,".repeat(5e5), "a ".repeat(5e5), " ".repeat(1e6)]) {
    largest(srcset);
  }
  assert.ok(performance.now() - started < 5000);
});

test("characters at the end are dropped in one pass", () => {
  assert.equal(withoutEnd("a,,", ","), "a");
  assert.equal(withoutEnd(",,", ","), "");
  assert.equal(withoutEnd(`${",".repeat(1e6)}x`, ",").length, 1e6 + 1);
});
