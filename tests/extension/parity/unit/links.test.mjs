import assert from "node:assert/strict";
import { test } from "node:test";
import { Grid } from "../../../../extension/src/core/render/grid.js";
import { safeUrl } from "../../../../extension/src/core/render/links.js";

test("links that could run code are none", () => {
  const runs = ["javascript:x", " java\nscript:x", "\u0001javascript:x", "DATA:text/html,x", "vbscript:x"];
  for (const url of [...runs, "", "  ", null]) {
    assert.equal(safeUrl(url, "https://x.example/"), null, url ?? "null");
  }
});

test("links are absolute where the base is known", () => {
  assert.equal(safeUrl("../b", "https://x.example/a/c/d"), "https://x.example/a/b");
  assert.equal(safeUrl("#part", "https://x.example/a"), "https://x.example/a#part");
  assert.equal(safeUrl("mailto:a@x.example", "https://x.example/"), "mailto:a@x.example");
  assert.equal(safeUrl("b c", null), "b c");
  assert.equal(safeUrl("b", "/relative/base"), "b");
  assert.equal(safeUrl("http://[", "https://x.example/"), null);
  assert.equal(safeUrl("x", "https://user:secret@x.example/"), "https://x.example/x");
});

test("addresses are judged as a browser resolves them", () => {
  for (const base of [null, "page.html", "https://x.example/a/b"]) {
    for (const url of ["./javascript:x", "a/../javascript:x", "x/.././javascript:x", ".\\javascript:x"]) {
      const written = String(safeUrl(url, base));
      assert.equal(new URL(written, "https://x.example/").protocol, "https:", `${url} ${base}`);
      assert.doesNotMatch(written, /^[^/?#]*:(?!\/\/)/, `${url} ${base}`);
    }
  }
  assert.equal(safeUrl("x", "javascript:alert(1)//"), "x");
  assert.equal(safeUrl("a?b:c", null), "a?b:c");
});

test("addresses have a longest one", () => {
  assert.equal(safeUrl("a".repeat(8001), null), null);
  assert.equal(safeUrl("a", `https://x.example/${"b".repeat(2000)}/`), "a");
  assert.equal(safeUrl("<a>`", null), "%3Ca%3E%60");
});

test("spans that would fill the memory are an error", () => {
  const grid = new Grid();
  grid.startTable(100);
  assert.throws(
    () => {
      for (let row = 0; row < 1e6; row++) {
        grid.startRow();
        for (let cell = 0; cell < 20; cell++) grid.startCell("100", "100");
        grid.endRow();
      }
    },
    { code: "too-large" },
  );
});

test("a grid stands empty cells in for spans, up to a limit", () => {
  const grid = new Grid();
  grid.startTable(3);
  grid.startRow();
  assert.equal(grid.startCell("2", "2"), 0);
  assert.equal(grid.endCell(), 1);
  assert.equal(grid.startCell(null, null), 0);
  assert.equal(grid.endRow(), 0);
  grid.startRow();
  assert.equal(grid.startCell("9999999", "x"), 2);
  assert.equal(grid.endCell(), 0);
  assert.equal(grid.endRow(), 0);
});
