"""Chunks: which words are in which, what is never cut, and what each knows of its place."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

import pytest
import turbohtml
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.errors import OptionError
from tamis.render.chunks import Chunk, chunks
from tamis.render.markdown import Block
from tamis.render.plain import plain
from tamis.render.tokens import counts, estimated_tokens, words
from tests.golden import GoldenPage, golden_pages
from tests.structure_pages import structure_pages


def page(source: str) -> tamis.Page:
    return tamis.extract(source, extractor="keep-all", url="https://site.example/page")


def cut(*blocks: str, max_tokens: int = 40, overlap: int = 0) -> tuple[Chunk, ...]:
    found = chunks([Block(text) for text in blocks], str, {}, max_tokens=max_tokens, overlap=overlap)
    check(found, "\n\n".join(blocks), max_tokens, overlap)
    return found


def check(found: tuple[Chunk, ...], markdown: str, max_tokens: int, overlap: int) -> None:
    """What holds for all chunks: limits, order, ranges, and each word in exactly one of them."""
    for chunk in found:
        assert chunk.tokens == estimated_tokens(chunk.markdown) <= max_tokens
        assert chunk.markdown == chunk.before + markdown[chunk.start : chunk.end] + chunk.after
        for start, end in chunk.notes:
            assert markdown[start:end] in chunk.after
    assert all(one.end <= other.start for one, other in pairwise(found))
    own = sorted([(chunk.start, chunk.end) for chunk in found] + [note for chunk in found for note in chunk.notes])
    between = [markdown[end:start] for (_, end), (start, _) in pairwise([(0, 0), *own, (len(markdown), len(markdown))])]
    assert not "".join(between).strip("> \t\n\xa0")
    taken = "\n".join(markdown[start:end] for start, end in own)
    if max(map(estimated_tokens, markdown.split()), default=0) < (max_tokens - overlap) // 4:
        assert Counter(taken.replace(">", " ").split()) == Counter(markdown.replace(">", " ").split())


@pytest.mark.parametrize("golden", golden_pages(), ids=lambda page: page.name)
@pytest.mark.parametrize(("max_tokens", "overlap"), [(512, 0), (120, 30), (32, 8)])
def test_golden_pages(golden: GoldenPage, max_tokens: int, overlap: int) -> None:
    perfect = golden.perfect()
    check(perfect.chunks(max_tokens=max_tokens, overlap=overlap), perfect.markdown, max_tokens, overlap)


@pytest.mark.parametrize("max_tokens", [512, 24])
def test_structure_pages(max_tokens: int) -> None:
    for structure in structure_pages():
        extracted = structure.extracted()
        check(extracted.chunks(max_tokens=max_tokens), extracted.markdown, max_tokens, 0)


_WORD = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=12)
_LINE = st.lists(_WORD, max_size=12).map(lambda each: " ".join(" ".join(each).split()))
_BLOCKS = st.one_of(
    _LINE,
    _LINE.map(lambda text: f"## {text}"),
    st.lists(_LINE, max_size=9).map(lambda lines: "\n".join(["```python", *lines, "```"])),
    st.lists(_LINE, max_size=9).map(lambda lines: "\n".join(["| a |", "| --- |", *(f"| {line} |" for line in lines)])),
    st.lists(_LINE, max_size=9).map(lambda lines: "\n".join(f"- {line}" for line in lines)),
    st.lists(_LINE, max_size=9).map(lambda lines: "\n>\n".join(f"> {line}" for line in lines)),
    _LINE.map(lambda text: f"text[^1] {text}"),
)


@given(st.lists(_BLOCKS.filter(str.strip), max_size=12), st.integers(16, 80), st.integers(0, 8))
def test_any_markdown(blocks: list[str], max_tokens: int, overlap: int) -> None:
    cut(*blocks, "[^1]: a note", max_tokens=max_tokens, overlap=overlap)


def test_the_text_of_a_cell_has_no_escapes() -> None:
    code = "<td><code>a|b</code><td>x|y<td>\\\\|z</tr>"
    page = tamis.extract(f"<table><tr><th>1<th>2<th>3</tr><tr>{code}<tr>{code}</table>", extractor="keep-all")
    (chunk,) = page.chunks(max_tokens=400)
    assert chunk.text.splitlines()[1].split("\t") == page.text.splitlines()[1].split("\t")
    assert "a|b\tx|y" in chunk.text


def test_sections_stay_whole_and_know_their_headings() -> None:
    long = "word " * 25
    found = cut("# A", long, "## B", long, "### C", long, "## D", "short", "## E", "short")
    assert [chunk.headings for chunk in found] == [("A",), ("A", "B"), ("A", "B", "C"), ("A",)]
    assert found[3].markdown == "## D\n\nshort\n\n## E\n\nshort"


def test_a_heading_stays_with_what_follows() -> None:
    found = cut("# A", "word " * 20, "word " * 20, "## B", "word " * 60)
    assert not any(chunk.markdown.rstrip().split("\n")[-1].startswith("#") for chunk in found)


def test_tables_code_and_formulas_are_whole_if_they_fit() -> None:
    table = "| a | b |\n| --- | --- |\n| c | d |"
    code = "```python\nx = 1\n\ny = 2\n```"
    formula = "$$\na + b\n$$"
    found = cut("word " * 30, table, "word " * 30, code, "word " * 30, formula)
    assert all(any(block in chunk.markdown for chunk in found) for block in (table, code, formula))


def test_a_large_table_is_cut_by_rows_with_its_header() -> None:
    rows = [f"| row {number} | {'x ' * 5}|" for number in range(20)]
    found = cut("| name | value |\n| --- | --- |\n" + "\n".join(rows))
    assert len(found) > 3
    assert all(chunk.markdown.startswith("| name | value |\n| --- | --- |\n| row") for chunk in found)
    assert all(chunk.markdown.endswith("|") for chunk in found)


def test_large_code_is_cut_by_lines_and_fenced() -> None:
    found = cut("````python\n" + "\n".join(f"line_{number} = f({number})" for number in range(30)) + "\n````")
    assert len(found) > 3
    for chunk in found:
        assert re.fullmatch(r"````python\n(line_\d+ = f\(\d+\)\n)+````", chunk.markdown)
    assert found[1].text.startswith("line_")


def test_large_html_tables_and_lists_are_cut_between_rows_and_items() -> None:
    rows = [f"<tr><td><ul><li>{'word ' * 4}</li></ul></td></tr>" for _ in range(9)]
    found = cut("\n".join(["<table>", "<tbody>", *rows, "</tbody>", "</table>"]), max_tokens=80)
    assert len(found) > 2
    assert all(chunk.markdown.startswith("<table>") and chunk.markdown.endswith("</table>") for chunk in found)
    found = cut("\n".join(f"- item {number}\n  - {'word ' * 6}" for number in range(9)))
    assert len(found) > 2
    assert all(chunk.markdown.startswith("- item") for chunk in found)


def test_a_large_paragraph_is_cut_by_sentences_and_formulas_stay() -> None:
    found = cut(" ".join(f"Sentence {number} says $a {number} + b. c$ twice." for number in range(12)))
    assert len(found) > 2
    assert all(chunk.markdown.startswith("Sentence") and chunk.markdown.endswith("twice.") for chunk in found)


def test_overlap_is_whole_blocks_or_sentences_of_the_same_section() -> None:
    sentences = [f"This is sentence {number} of it." for number in range(20)]
    first, second, *_ = cut(" ".join(sentences), overlap=12)
    assert second.before
    assert second.before.strip() in sentences
    assert first.markdown.endswith(second.before.strip())
    found = cut("one two three", "word " * 20, "four five six", "word " * 20, overlap=10)
    assert found[-1].before == "four five six\n\n"
    assert not any(chunk.before for chunk in cut("# A", "word " * 30, "# B", "word " * 30, overlap=10))


def test_footnotes_go_with_the_chunk_that_refers_to_them() -> None:
    found = cut("a[^1] " + "word " * 20, "b[^2] " + "word " * 20, "[^1]: one", "[^2]: two", "[^3]: " + "three " * 40)
    assert [re.findall(r"^\[\^(\d)\]:", chunk.markdown, re.MULTILINE) for chunk in found[:3]] == [["1"], ["2"], ["3"]]
    assert found[0].text.endswith("[1] one")


def test_a_chunk_names_its_elements_and_its_page() -> None:
    source = "<title>T</title><meta name=author content='Ann Lee'><h1>T</h1><div>loose <p>a</p><ul><li>b</ul></div>"
    whole = page(source)
    (chunk,) = whole.chunks()
    assert chunk.markdown == whole.markdown
    assert chunk.headings == ("T",)
    assert chunk.metadata == {"url": "https://site.example/page", **whole.metadata.values()}
    assert (chunk.metadata["title"], chunk.metadata["authors"]) == ("T", ["Ann Lee"])
    found = [turbohtml.parse(source).xpath(path) for path in chunk.xpaths]
    assert [node.tag for nodes in found if isinstance(nodes, list) for node in nodes] == ["h1", "div", "p", "ul"]  # type: ignore[union-attr]
    assert chunk.as_dict()["headings"] == ["T"]


def test_tokenizers() -> None:
    class Encoder:
        def encode(self, text: str) -> list[str]:
            return text.split()

    whole = page("".join(f"<p>{'word ' * 15}</p>" for _ in range(9)))
    assert [chunk.tokens for chunk in whole.chunks(max_tokens=50, tokenizer=Encoder())] == [45, 45, 45]
    assert len(whole.chunks(max_tokens=100, tokenizer=len)) == 9
    with pytest.raises(OptionError, match="tokenizer"):
        whole.chunks(tokenizer=3)  # type: ignore[arg-type]
    for max_tokens, overlap in ((3, 0), (100, -1), (100, 51)):
        with pytest.raises(OptionError):
            whole.chunks(max_tokens=max_tokens, overlap=overlap)


def test_a_page_without_content_has_no_chunks() -> None:
    assert page("").chunks() == ()


HUGE = {
    "words": "<p>" + "word " * 50_000,
    "one word": "<p>" + "x" * 100_000,
    "paragraphs": "<p>a</p>" * 10_000,
    "headings": "<h2>a</h2>" * 3_000,
    "code": "<pre>" + "x\n" * 20_000,
    "links": "<p>" + "<a href=b>a</a> <code>c</code> $" * 5_000,
}


@pytest.mark.nightly
@pytest.mark.parametrize("name", HUGE)
@pytest.mark.parametrize("max_tokens", [16, 512, 10**9])
def test_huge_pages(name: str, max_tokens: int) -> None:
    found = tamis.extract(HUGE[name], extractor="keep-all", timeout=60).chunks(max_tokens=max_tokens)
    assert max(chunk.tokens for chunk in found) <= max_tokens


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("## A **b** [c *d*](http://x.example/)", "A b c d"),
        ("***both*** **a *b*** ***c* d** 2 * 3 \\*e\\*", "both a b c d 2 * 3 *e*"),
        ("**a  \nb** ~~c~~", "a\nb c"),
        ("`a*b*` ``c ` d``", "a*b* c ` d"),
        ("- [x] a\n- b\n  1. c", "a\nb\nc"),
        ("> [!NOTE]\n> **T**\n>\n> x", "T\n\nx"),
        ("| a | b\\|c |\n| --- | --- |\n| **d** | ![x](y) |", "a\tb|c\nd\t"),
        ("```py\na*b*c\n  d\n```\ntext[^1]", "a*b*c\n  d\ntext[1]"),
        ("[^1]: note [x](<a(b)>)", "[1] note x"),
        ("<table>\n<tr><td>a<br>b</td><td><b>c</b> &amp; d</td></tr>\n</table>", "a b\tc & d"),
        ("<details>\n<summary>a</summary>\n\nb\n\n</details>", "a\n\nb"),
        ("see <https://x.example/> &lt;b&gt;", "see https://x.example/ <b>"),
        ("a\n\n---\n\n$$\nx\n$$", "a\n\n\nx"),
    ],
)
def test_plain(markdown: str, expected: str) -> None:
    assert re.sub(r" +\n", "\n", plain(markdown)) == expected


def test_words_and_tokens() -> None:
    assert words("Two words, three.") == 3
    assert words("今日はいい天気です") == 4
    assert estimated_tokens("") == 0
    assert 8 <= estimated_tokens("A plain sentence of seven words, and more.") <= 11
    texts = ["", "a", "Two words", "x" * 100, "今日", "1,234\n\n"]
    assert [round(each) for each in counts(texts, estimated_tokens)] == [estimated_tokens(text) for text in texts]
