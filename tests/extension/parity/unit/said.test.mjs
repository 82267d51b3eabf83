import assert from "node:assert/strict";
import { test } from "node:test";
import { first } from "../../../../extension/src/core/characters.js";
import { TYPES, typeNumber } from "../../../../extension/src/core/extractors/tamis/conventions.js";
import { plain } from "../../../../extension/src/core/extractors/tamis/declared.js";
import { decoded } from "../../../../extension/src/core/extractors/tamis/json.js";
import { LinkedData } from "../../../../extension/src/core/extractors/tamis/linked_data.js";
import { STEPS } from "../../../../extension/src/core/pace.js";

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

test("parts of a thing come before those of things in it", () => {
  const data = new LinkedData();
  const inner = '{"@type": "HowToTip", "text": "inner"}';
  data.read(read(`{"@type": "HowToStep", "image": ${inner}, "TEXT": ["outer", 1, ["no"]]}`));
  assert.deepEqual(data.parts, ["outer", "inner"]);
});

test("comments are parts of a thread alone", () => {
  for (const [kind, parts] of [["Article", []], ["QAPage", ["said"]], ["discussionForumPosting", ["said"]]]) {
    const data = new LinkedData();
    data.read(read(`{"comment": {"@type": "Comment", "text": "said"}, "author": {"@type": "${kind}"}}`));
    assert.deepEqual(data.parts, parts);
  }
});

test("types are known with and without their address", () => {
  assert.equal(TYPES[typeNumber("http://schema.org/Article//") ?? -1], "article");
  assert.equal(TYPES[typeNumber(" recipe ") ?? -1], "instruction");
  assert.deepEqual(["/", "", "x", "constructor"].map(typeNumber), [undefined, undefined, undefined, undefined]);
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
