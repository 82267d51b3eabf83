import assert from "node:assert/strict";
import { test } from "node:test";
import { first } from "../../../../extension/src/core/characters.js";
import * as conventions from "../../../../extension/src/core/extractors/tamis/conventions.js";
import { withoutCopies } from "../../../../extension/src/core/extractors/tamis/copies.js";
import { foundIn, plain } from "../../../../extension/src/core/extractors/tamis/declared.js";
import { decoded } from "../../../../extension/src/core/extractors/tamis/json.js";
import { LinkedData } from "../../../../extension/src/core/extractors/tamis/linked_data.js";
import { Pace, STEPS } from "../../../../extension/src/core/pace.js";

const { CALLED, NameColumns, propertyColumns, roleColumns, TYPES, typeNumber } = conventions;

/** @import {Declared} from "../../../../extension/src/core/extractors/tamis/declared.js" */

/** Decoded values, and how often decoding could have been interrupted. @param {string} text */
function finished(text) {
  const steps = decoded(text);
  for (let pauses = 0; ; pauses++) {
    const { done, value } = steps.next();
    if (done) return { values: /** @type {any[]} */ (value), pauses };
  }
}
/** @param {string} text */
const values = (text) => finished(text).values;
/** @param {string} text */
const read = (text) => values(text)[0];
/** @param {number[]} columns */
const names = (columns) => columns.map((column) => CALLED[column]);
/** @param {Partial<Declared>} parts @returns {Declared} */
const declaring = (parts) => ({
  texts: new Map(),
  names: new Set(),
  openings: [],
  page: new Float32Array(),
  title: "",
  ...parts,
});

test("objects keep the order of the text, and what is forgiven is read", () => {
  const found = read('{"b": "1\n2", "10": [NaN, -Infinity, {}], "2": "\\u00e9\\n\t", "b": "3"}');
  assert.deepEqual([...found], [["b", "3"], ["10", [null, null, new Map()]], ["2", "é\n\t"]]);
  assert.equal(read(' "a" '), "a");
});

test("what Python refuses is refused", () => {
  const refused = ["", "{", "[1 2]", "[,1]", "[1,,]", '{"a":}', "{'a': 1}", '"\\\n"', '"a', "nul", "--1", "+1", "<!--"];
  for (const text of refused) assert.deepEqual(values(text), [], text);
});

test("what Python forgives is forgiven", () => {
  const forgiven = ['["a",]', '<!-- ["a"] -->', '/*<![CDATA[*/["a" // x\n, ]//]]>', '\ufeff["a"];;', '["a"],'];
  for (const text of forgiven) assert.deepEqual(values(text), [["a"]], text);
  assert.deepEqual(values('["a"]["b"],"c";{broken} "d"'), [["a"], ["b"], "c"]);
});

test("too much depth is refused", () => {
  assert.equal(values(`${"[".repeat(200)}${"]".repeat(200)}`).length, 1);
  assert.equal(values(`${"[".repeat(200)}1${"]".repeat(200)}`).length, 0);
  assert.deepEqual(values("[".repeat(1_000_000)), []);
});

test("long data is read in steps", () => {
  for (const text of [`[${"[],".repeat(10 * STEPS)}1]`, "[]".repeat(10 * STEPS)]) {
    const { values: found, pauses } = finished(text);
    assert.equal(found.flat().length, text[1] === "[" ? 10 * STEPS + 1 : 0);
    assert.ok(pauses >= 10);
  }
});

test("of data beyond the limits nothing is read", () => {
  const data = new LinkedData();
  data.read([...new Array(30_000).fill(null), read('{"name": "after"}')]);
  assert.equal(data.texts.get("name"), undefined);
  const fresh = new LinkedData();
  fresh.read(read(`${"[".repeat(12)}{"name": "deep", "a": {"name": "deeper"}}${"]".repeat(12)}`));
  assert.deepEqual(fresh.texts, new Map([["name", ["deep"]]]));
});

test("comments belong to readers, whatever their types are in", () => {
  const data = new LinkedData();
  const comment = '{"@type": ["Comment", 1, ["Product"]], "text": "theirs", "name": "its name"}';
  data.read(read(`{"@graph": [${comment}, {"text": "ours"}]}`));
  assert.deepEqual([...data.texts], [["review", ["theirs"]], ["name", ["its name"]], ["body", ["ours"]]]);
  assert.deepEqual([...data.types].map((number) => TYPES[number ?? -1]), ["discussion"]);
});

test("names fall apart into words, up to 100 characters", () => {
  const columns = new NameColumns();
  assert.deepEqual(names(columns.of("mainNAVBar_footer x")), ["named main", "named menu", "named foot"]);
  assert.deepEqual(names(columns.of(`${"😀".repeat(97)}nav`)), ["named menu"]);
  assert.deepEqual(names(columns.of(`${"😀".repeat(98)}nav`)), []);
  assert.equal(columns.of("nav"), columns.of("nav")); // remembered
  assert.deepEqual([columns.of(null), columns.of("constructor __proto__")], [[], []]);
  assert.deepEqual(names(roleColumns(" MAIN\n")), ["role main"]);
  assert.deepEqual([roleColumns("main menu"), roleColumns(null), roleColumns("toString")], [[], [], []]);
  assert.deepEqual(names(propertyColumns(" Offers\tname x")), ["property offer", "property name"]);
  assert.equal(TYPES[typeNumber("http://schema.org/Article//") ?? -1], "article");
  assert.equal(TYPES[typeNumber(" recipe ") ?? -1], "instruction");
  assert.deepEqual(["/", "", "x"].map(typeNumber), [undefined, undefined, undefined]);
});

test("a word of two known words belongs to both groups", () => {
  const columns = new NameColumns();
  assert.deepEqual(names(columns.of("articletext sidebarMENULIST")).sort(), [
    "named article", "named list", "named menu", "named prose", "named side",
  ]);
  assert.deepEqual(names(columns.of("commentmenu commentxyz")), ["named comments", "named menu", "named comments"]);
  assert.deepEqual(columns.of("commentary xsidebar navxyz unrelated"), []);
});

test("a cut never parts a pair", () => {
  assert.equal(first("a😀b", 2), "a😀");
  assert.equal(first("😀😀", 2), "😀😀");
  assert.equal(first("abc", 2), "ab");
  assert.equal(first("\ud83dab", 2), "\ud83da");
});

test("texts without tags and entities", () => {
  assert.equal(plain(" a<b>b</b>\n&amp;amp;&nbsp;&rsquo;&unknown; < c"), "a b &amp; ’&unknown; < c");
});

test("texts are found by how they begin", async () => {
  const said = "once upon a time there was a drum that turned";
  const texts = new Map([["body", said], ["review", `so ${said}`]]);
  const declared = declaring({ texts, names: new Set(["drum", said]), openings: [said.slice(0, 40)] });
  const cuts = [said.slice(0, 25), said.slice(0, 24), `- ${said}`, `${said.slice(0, 40)}!`];
  const begins = ["drum", "a drum", said, ...cuts, said];
  const found = await foundIn(declared, begins, new Pace(), 0);
  assert.deepEqual([...found], [0b10000, 0, 0b111001, 0b1001, 0, 0b100000, 0b101001, 0b111001]);
  assert.deepEqual([...(await foundIn(declaring({}), [said], new Pace(), 0))], [0]);
});

test("looking for texts can be interrupted at each", async () => {
  let looks = 0;
  const pace = new (class extends Pace {
    /** @override */
    get due() {
      looks++;
      return false;
    }
  })();
  const declared = declaring({ texts: new Map([["body", "once upon a time"]]) });
  await foundIn(declared, Array.from({ length: 1000 }, (_, row) => `text ${row % 500}`), pace, 0);
  assert.equal(looks, 500);
});

test("of runs with the same text the one with the highest logit is kept, the first of equals, and its flow", () => {
  const logits = Float32Array.of(1, 3, 2, 3, -40, 5, 5);
  const copies = Int32Array.of(0, 1, 0, 1, 4, 5, 5);
  const apart = Int32Array.of(0, 1, 2, 3, 4, 5, 6);
  assert.deepEqual([...withoutCopies(logits, copies, apart)], [-30, 3, 2, -30, -40, 5, -30]);
  assert.deepEqual([...withoutCopies(logits, copies, Int32Array.of(7, 1, 2, 1, 4, 5, 6))], [-30, 3, 2, 3, -40, 5, -30]);
});
