import assert from "node:assert/strict";
import { test } from "node:test";
import { ascending } from "../../../../extension/src/core/render/lines.js";
import { Node } from "../../../../extension/src/core/render/node.js";
import { gridOf, linesOf } from "../../../../extension/src/core/render/tables.js";

/** @param {string} text @param {Record<string, string>} [attributes] */
const cell = (text, attributes = {}, name = "td") => new Node(name, attributes, text ? [text] : []);
/** @param {...(string | Node)} cells */
const row = (...cells) => new Node("tr", {}, cells.map((each) => (typeof each === "string" ? cell(each) : each)));
/** @param {Node} table */
const shown = (table) => gridOf(table).rows.map((cells) => cells.map((each) => each?.text() ?? ""));

test("spans fill their places", () => {
  const table = new Node("table", {}, [
    row(cell("h", { rowspan: "0" }), cell("w", { colspan: "2" })), row("a", "b"), row("c"),
  ]);
  assert.deepEqual(shown(table), [["h", "w", "w"], ["h", "a", "b"], ["h", "c", ""]]);
});

test("hostile spans and rows are bounded", () => {
  const span = { colspan: "99999", rowspan: "99999" };
  const rows = Array.from({ length: 200 }, () => row(...Array.from({ length: 20 }, () => cell("x", span))));
  const places = gridOf(new Node("table", {}, rows)).rows.reduce((sum, cells) => sum + cells.length, 0);
  assert.ok(places <= 100 + 17 * 4000);
  const huge = [row(...new Array(5000).fill("x")), ...Array.from({ length: 5000 }, () => row("y"))];
  assert.equal(gridOf(new Node("table", {}, huge)).rows.flat().length, 10_000);
});

test("headers are found without th", () => {
  const bold = (/** @type {string} */ text) => new Node("td", {}, [new Node("b", {}, [text])]);
  const headers = (/** @type {Node[]} */ ...rows) => gridOf(new Node("table", {}, rows)).headers;
  assert.equal(headers(row(bold("A"), bold("B")), row("c", "d")), 1);
  assert.equal(headers(row("City", "People"), row("Ulm", "1,234"), row("Jena", "99 %")), 1);
  assert.equal(headers(row("a", "b"), row("c", "d"), row("e", "f")), 0);
  assert.equal(headers(row(cell("Name", {}, "th"), "Ann"), row(cell("Age", {}, "th"), "7")), 0);
});

test("a cell has lines or blocks", () => {
  const lines = (/** @type {import("../../../../extension/src/core/render/node.js").Child[]} */ ...children) =>
    linesOf(new Node("td", {}, children))?.length;
  assert.equal(lines("a", new Node("br"), "b"), 2);
  assert.equal(lines(" ", new Node("p", {}, ["a"]), " "), 1);
  assert.equal(lines(new Node("p", {}, ["a"]), new Node("p", {}, ["b"])), undefined);
  assert.equal(lines(new Node("ul", {}, [])), undefined);
});

test("numbers of lines ascend", () => {
  assert.ok(ascending("7 8\n9"));
  for (const text of ["", "7 9", "a", "1".repeat(5000)]) assert.ok(!ascending(text));
});
