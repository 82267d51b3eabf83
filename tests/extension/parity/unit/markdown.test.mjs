import assert from "node:assert/strict";
import { test } from "node:test";
import { writtenTree } from "../../../../extension/src/core/render/markdown.js";

/** @import {Node} from "../../../../extension/src/core/render/tree.js" */

/** @param {string} name @param {(Node | string)[]} children @returns {Node} */
const e = (name, ...children) => ({ name, attributes: {}, children });
/** @param {string} href @param {(Node | string)[]} children @returns {Node} */
const link = (href, ...children) => ({ name: "a", attributes: { href }, children });

/** A tree as Markdown, without a rest. @param {(Node | string)[]} nodes */
function write(...nodes) {
  const steps = writtenTree(nodes);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

test("paragraphs, headings and rules", () => {
  assert.equal(
    write(e("h2", "A ", e("em", "title")), e("p", "One."), "loose", e("hr")),
    "## A *title*\n\nOne.\n\nloose\n\n---",
  );
  assert.equal(write(e("h1"), e("p", " "), e("h3", "C#")), "### C\\#");
});

test("nested lists, numbered from where they say", () => {
  const inner = e("ul", e("li", "x"), e("li", "y"));
  assert.equal(write(e("ol", e("li", "a", inner), e("li", "b"))), "1. a\n   - x\n   - y\n2. b");
  const seventh = { ...e("li", "g"), attributes: { value: "7" } };
  const list = { ...e("ol", e("li", "d"), seventh), attributes: { start: "4" } };
  assert.equal(write(list), "4. d\n7. g");
});

test("items of several blocks stand apart", () => {
  assert.equal(write(e("ul", e("li", e("p", "a"), e("p", "b")), e("li", "c"))), "- a\n\n  b\n\n- c");
});

test("two lists side by side stay two", () => {
  assert.equal(write(e("ul", e("li", "a")), e("ul", e("li", "b"))), "- a\n\n* b");
});

test("quotes keep what they hold", () => {
  assert.equal(write(e("blockquote", e("p", "a"), e("ul", e("li", "b")))), "> a\n>\n> - b");
});

test("code is not touched, and its fence is longer than what is in it", () => {
  const code = { ...e("code", "a *b*\n\n```\n  c"), attributes: { class: "language-js" } };
  assert.equal(write(e("pre", code, "\n")), "````js\na *b*\n\n```\n  c\n````");
  assert.equal(
    write(e("p", "use ", e("code", "a`b"), ", ", e("code", "`"), " or ", e("code", "*"))),
    "use ``a`b``, `` ` `` or `*`",
  );
});

test("two spans of code side by side are one", () => {
  assert.equal(write(e("p", e("code", "a"), e("code", "b"), " ", e("code", "c"), e("code", " d"))), "`ab` `c` `d`");
});

test("tables have a head, equal rows and no bars of the text", () => {
  const second = e("tr", e("td", "1"), e("td", e("code", "x|y")));
  const table = e("table", e("div", "caption"), e("tr", e("th", "a|b")), second);
  assert.equal(write(table), "caption\n\n| a\\|b |  |\n| --- | --- |\n| 1 | `x\\|y` |");
});

test("emphasis that Markdown would not read is left out", () => {
  assert.equal(write(e("p", "a ", e("b", " bold "), "c")), "a **bold** c");
  assert.equal(write(e("p", e("b", "Note:"), "text ", e("b", "「鯵」"), "の")), "Note:text 「鯵」の");
  assert.equal(write(e("p", e("b", "a"), e("strong", "b"), e("b"), e("b", " "))), "**ab**");
  assert.equal(write(e("p", e("i", "a"), e("b", "b"))), "*a*b");
  assert.equal(write(e("p", e("b", "a ", e("i", "b")))), "**a *b***");
});

test("text that looks like markup stays text", () => {
  assert.equal(write(e("p", "1. a", e("br"), "- b", e("br"), "# c")), "1\\. a  \n\\- b  \n\\# c");
  assert.equal(
    write(e("p", "*a* `b` [c](d) <e> &amp; _f_ g_h \\")),
    "\\*a\\* \\`b\\` \\[c\\](d) \\<e> \\&amp; \\_f\\_ g_h \\\\",
  );
  assert.equal(write(e("p", "title", e("br"), "---")), "title  \n\\---");
});

test("links and images", () => {
  assert.equal(
    write(e("p", "a", link("https://x.example/a(b)c d", " go "), "b")),
    "a [go](<https://x.example/a(b)c%20d>) b",
  );
  assert.equal(write(e("p", link("https://x.example/", "https://x.example/"))), "<https://x.example/>");
  assert.equal(write(e("p", link("x"), "none")), "none");
  const image = { name: "img", attributes: { src: "a.png", alt: "an [image]" }, children: [] };
  assert.equal(write(link("x", image)), "[![an \\[image\\]](a.png)](x)");
});

test("blocks in inline elements are blocks", () => {
  assert.equal(write(e("b", e("p", "a"), e("p", "b"))), "a\n\nb");
});

test("long paragraphs and many blocks take no more than their size", () => {
  const begin = performance.now();
  const breaks = Array.from({ length: 20_000 }, () => ["word ", e("br")]).flat();
  const blocks = Array.from({ length: 200_000 }, () => e("p", "p"));
  const paragraph = { ...e("p"), children: breaks };
  const long = write(paragraph, e("p", " ".repeat(200_000) + "x"), { ...e("div"), children: blocks });
  assert.equal(long.split("\n").length, 20_000 + 2 + 2 * 200_000);
  assert.ok(performance.now() - begin < 10_000);
});
