import assert from "node:assert/strict";
import { test } from "node:test";
import { written } from "../../../../extension/src/core/render/markdown.js";
import { Node } from "../../../../extension/src/core/render/node.js";

/** @param {string} name @param {(Node | string)[]} children */
const e = (name, ...children) => new Node(name, {}, children);
/** @param {string} href @param {(Node | string)[]} children */
const link = (href, ...children) => new Node("a", { href }, children);

/** A tree as Markdown, without a rest. @param {(Node | string)[]} nodes */
function write(...nodes) {
  const steps = written(nodes);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

// What is written for each construct is in tests/structures, for Python and JavaScript alike.

test("a link around blocks links the first heading, or else the first paragraph", () => {
  assert.equal(write(link("x", e("p", "a"), e("h3", "b"), e("p", "c"))), "a\n\n### [b](x)\n\nc");
  assert.equal(write(link("x", e("p", "a"), e("p", "b"))), "[a](x)\n\nb");
});

test("long paragraphs and many blocks take no more than their size", () => {
  const begin = performance.now();
  const breaks = Array.from({ length: 20_000 }, () => ["word ", e("br")]).flat();
  const blocks = Array.from({ length: 200_000 }, () => e("p", "p"));
  const marks = Array.from({ length: 20_000 }, () => [e("b", " a "), e("i", "b")]).flat();
  const long = write(new Node("p", {}, breaks), e("p", " ".repeat(200_000) + "x"), new Node("div", {}, blocks));
  assert.equal(long.split("\n").length, 20_000 + 2 + 2 * 200_000);
  assert.ok(write(new Node("p", {}, marks)).length > 100_000);
  assert.ok(performance.now() - begin < 10_000);
});
