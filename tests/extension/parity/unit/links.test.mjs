import assert from "node:assert/strict";
import { test } from "node:test";
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
  assert.equal(safeUrl("b c", null), "b%20c");
  assert.equal(safeUrl("b", "/relative/base"), "/relative/b");
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
