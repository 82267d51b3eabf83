"""Chunks: which words are in which, what is never cut, and what each knows of its place."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
import turbohtml
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.errors import OptionError
from tamis.render.chunks import Chunk
from tamis.render.markdown import markdown_blocks
from tamis.render.pen import Pen
from tamis.render.tokens import counts, estimated_tokens, words
from tests.golden import GoldenPage, golden_pages, structure_pages
from tests.markdown_judge import harm
from tests.markdown_pages import page as hostile_page

# A chunk is written from the tree: a callout without a title has that of its kind, a cell is at each of its places, and
# notes in the text come last.
SHOWN_OTHERWISE = frozenset(
    """
    docusaurus bootstrap-bold gitbook hugo-book vitepress mdn php ghost starlight minimal-mistakes spans-in-text
    instagram wordpress-modern-footnotes sidenote latexml script-with-link spans
    """.split()
)


def page(source: str) -> tamis.Page:
    return tamis.extract(source, extractor="keep-all", url="https://site.example/page")


def cut(source: str, *, chunk_tokens: int = 40, chunk_overlap: int = 0) -> tuple[Chunk, ...]:
    whole = page("<!---->" + source)
    found = whole.chunks(chunk_tokens=chunk_tokens, chunk_overlap=chunk_overlap)
    check(found, whole.markdown, chunk_tokens, chunk_overlap)
    return found


def check(found: tuple[Chunk, ...], markdown: str, chunk_tokens: int, chunk_overlap: int) -> None:
    """What holds for all chunks: limits, order, ranges, and each word in exactly one of them."""
    placed = [chunk for chunk in found if chunk.start is not None]
    for chunk in found:
        assert chunk.tokens == estimated_tokens(chunk.markdown) <= chunk_tokens
        assert (chunk.start is None) == (chunk.end is None)
        assert chunk.start is not None or not chunk.before
        for start, end in chunk.notes:
            assert markdown[start:end] in chunk.after
    for chunk in placed:
        assert chunk.markdown == chunk.before + markdown[chunk.start : chunk.end] + chunk.after
    own = sorted(
        [(chunk.start or 0, chunk.end or 0) for chunk in placed] + [note for chunk in found for note in chunk.notes]
    )
    assert all(one[1] <= other[0] for one, other in pairwise(own))
    if len(placed) == len(found):
        ends = pairwise([(0, 0), *own, (len(markdown), len(markdown))])
        between = "".join(markdown[end:start] for (_, end), (start, _) in ends)
        assert not re.sub(r"<br>|\[\^\w+\]: |[>|\s]", "", between)


@pytest.mark.parametrize("golden", golden_pages(), ids=lambda page: page.name)
@pytest.mark.parametrize(("chunk_tokens", "chunk_overlap"), [(512, 0), (120, 30), (32, 8)])
def test_golden_pages(golden: GoldenPage, chunk_tokens: int, chunk_overlap: int) -> None:
    perfect = golden.perfect()
    found = perfect.chunks(chunk_tokens=chunk_tokens, chunk_overlap=chunk_overlap)
    check(found, perfect.markdown, chunk_tokens, chunk_overlap)


@pytest.mark.parametrize("chunk_tokens", [512, 24])
def test_structure_pages(chunk_tokens: int) -> None:
    for structure in structure_pages():
        extracted = structure.extracted()
        check(extracted.chunks(chunk_tokens=chunk_tokens), extracted.markdown, chunk_tokens, 0)


@given(st.integers(0, 1_000_000), st.integers(16, 80), st.integers(0, 8))
def test_any_page(seed: int, chunk_tokens: int, chunk_overlap: int) -> None:
    found = cut(hostile_page(seed), chunk_tokens=chunk_tokens, chunk_overlap=chunk_overlap)
    for chunk in found:
        assert harm(chunk.markdown) == [], chunk.markdown


def test_plain_text_is_cut_where_markdown_is() -> None:
    for seed in range(60):
        whole = page(hostile_page(seed))
        for block in markdown_blocks(whole.document, whole.labels):
            for step in (None, 0, 2):
                pens = [Pen(records=True, step=step, is_plain=is_plain) for is_plain in (False, True)]
                markdown, plain = (pen.without_marks(block.rewritten(pen)) for pen in pens)
                assert len(markdown.cuts) == len(plain.cuts), (seed, markdown, plain)
                assert markdown.text == block.text or block.text == "***"


def test_the_text_of_a_cell_has_no_escapes() -> None:
    code = "<td><code>a|b</code><td>x|y<td>\\\\|z</tr>"
    page = tamis.extract(f"<table><tr><th>1<th>2<th>3</tr><tr>{code}<tr>{code}</table>", extractor="keep-all")
    (chunk,) = page.chunks(chunk_tokens=400)
    assert chunk.text.splitlines()[1].split("\t") == page.text.splitlines()[1].split("\t")
    assert "a|b\tx|y" in chunk.text


def test_a_chunk_of_the_whole_page_has_its_text() -> None:
    for structure in structure_pages():
        if structure.name in SHOWN_OTHERWISE:
            continue
        extracted = structure.extracted()
        (chunk,) = extracted.chunks(chunk_tokens=100_000) or (None,)
        shown = chunk.text if chunk else ""
        assert shown.split() == extracted.text.split(), structure.name


def test_sections_stay_whole_and_know_their_headings() -> None:
    long = "<p>" + "word " * 25
    found = cut(f"<h1>A</h1>{long}<h2>B</h2>{long}<h3>C</h3>{long}<h2>D</h2><p>short</p><h2>E</h2><p>short")
    assert [chunk.headings for chunk in found] == [("A",), ("A", "B"), ("A", "B", "C"), ("A",)]
    assert found[3].markdown == "## D\n\nshort\n\n## E\n\nshort"


def test_a_heading_stays_with_what_follows() -> None:
    found = cut(f"<h1>A</h1><p>{'word ' * 20}<p>{'word ' * 20}<h2>B</h2><p>{'word ' * 60}")
    assert not any(chunk.markdown.rstrip().split("\n")[-1].startswith("#") for chunk in found)


def test_tables_code_and_formulas_are_whole_if_they_fit() -> None:
    long = "<p>" + "word " * 30
    table = "<table><tr><th>a<th>b<tr><td>c<td>d</table>"
    code = "<pre><code class=language-python>x = 1\n\ny = 2</code></pre>"
    found = cut(f"{long}{table}{long}{code}{long}<math display=block><mi>a</mi><mo>+</mo><mi>b</mi></math>")
    for block in ("| a | b |\n| --- | --- |\n| c | d |", "```python\nx = 1\n\ny = 2\n```", "$$\na+b\n$$"):
        assert any(block in chunk.markdown for chunk in found), block


LINES = "\n".join(f"line_{number} = f({number})" for number in range(30))
CODE = f"<pre><code class=language-python>{LINES}\n```</code></pre>"
FORMULA = "<math><mi>a</mi><mo>.</mo><mi>c</mi></math>"
SECRET = "&lt;img src=x onerror=alert(1)&gt; ` "


@pytest.mark.parametrize(
    ("html", "part", "text"),
    [
        ("<table><tr><th>name<th>value" + "".join(f"<tr><td>row {n}<td>{'x ' * 5}" for n in range(20)) + "</table>",
         r"\| name \| value \|\n\| --- \| --- \|\n\| row.*\|", "name\tvalue\nrow"),
        (CODE, r"````python\n(line_\d+ = f\(\d+\)\n|```\n)+````", "line_"),
        (f"<ul><li>{CODE}</ul>", r"- ````python\n  line_.*````\s*", "line_"),
        (f"<blockquote>{CODE}</blockquote>", r"> ````python\n> line_.*````\s*", ""),
        (f"<dl><dt>a<dd>{CODE}</dl>", r"- ````python\n  line_.*````\s*", "line_"),
        (f"<p>see <code>{SECRET * 20}</code>", "`` .* ``", ""),
        (f"<table>{'<tr><td><ul><li>a word</ul><td>x<tr>' * 9}</table>", "<table>.*</table>", "a word"),
        ("<ul>" + "".join(f"<li>item {n}<ul><li>{'word ' * 6}</ul>" for n in range(9)) + "</ul>", "- item.*", "item"),
        ("<p>" + " ".join(f"Sentence {n} says {FORMULA} twice." for n in range(12)), r"Sentence.*twice\.", "Sentence"),
        (f"<p>a <b>{'bold words here. ' * 20}</b>", r".*here\.\*\*", ""),
        (f"<ul><li><a href=/l>{'linked ' * 90}</a></ul>", r"- \[linked.*linked\]\(https://site.example/l\)", "linked"),
    ],
    ids=lambda value: value[:20],
)  # fmt: skip
def test_a_large_block_is_cut_between_its_parts_which_keep_its_markup(html: str, part: str, text: str) -> None:
    found = cut(html, chunk_tokens=80)[1:]  # the first one also holds what is before it
    assert found
    for chunk in found:
        assert re.fullmatch(part, chunk.markdown, re.DOTALL), chunk.markdown
    assert found[0].text.startswith(text)


def test_what_does_not_fit_with_its_markup_is_written_without_it() -> None:
    found = cut(f"<ul><li>a <a href=/{'l/' * 300}>link</a> and *more*</ul>", chunk_tokens=16)
    assert [chunk.markdown for chunk in found] == [r"a link and \*more\*"]
    assert [(chunk.start, chunk.end, chunk.text) for chunk in found] == [(None, None, "a link and *more*")]


def test_no_text_becomes_markup_where_it_is_cut() -> None:
    for sign in ("[x]: javascript:x", "a|b --|--", *"# - + * > 1. 1) === --- ~~~ | |--|".split()):
        for chunk in cut(f"<p>{'word ' * 9}{(sign + ' ' + 'word ' * 3) * 20}", chunk_tokens=16):
            assert harm(chunk.markdown) == []
            assert not re.match(r"(#|[-+*>] |[0-9]+[.)] |[-=]+$|~~~|\[x\]:)", chunk.markdown), chunk.markdown


def test_overlap_is_whole_blocks_or_sentences_of_the_same_section() -> None:
    sentences = [f"This is sentence {number} of it." for number in range(20)]
    first, second, *_ = cut("<p>" + " ".join(sentences), chunk_overlap=12)
    assert second.before
    assert second.before.strip() in sentences
    assert first.markdown.endswith(second.before.strip())
    assert second.text == second.markdown
    found = cut(f"<p>one two three<p>{'word ' * 20}<p>four five six<p>{'word ' * 20}", chunk_overlap=10)
    assert found[-1].before == "four five six\n\n"
    assert not any(
        chunk.before for chunk in cut(f"<h1>A</h1><p>{'word ' * 30}<h1>B</h1><p>{'word ' * 30}", chunk_overlap=10)
    )


def test_footnotes_go_with_the_chunk_that_refers_to_them() -> None:
    marks = [f"<a href=#fn{number} id=r{number}>{number}</a>" for number in (1, 2, 3)]
    notes = f"<li id=fn1>one <li id=fn2>two <li id=fn3>{'three ' * 60}"
    found = cut(f"<p>a{marks[0]} {'word ' * 20}<p>b{marks[1]} {'word ' * 20}{marks[2]}<ol class=footnotes>{notes}</ol>")
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
    assert [chunk.tokens for chunk in whole.chunks(chunk_tokens=50, tokenizer=Encoder())] == [45, 45, 45]
    assert len(whole.chunks(chunk_tokens=100, tokenizer=len)) == 9
    with pytest.raises(OptionError, match="tokenizer"):
        whole.chunks(tokenizer=3)  # type: ignore[arg-type]
    for chunk_tokens, chunk_overlap in ((3, 0), (100, -1), (100, 51)):
        with pytest.raises(OptionError):
            whole.chunks(chunk_tokens=chunk_tokens, chunk_overlap=chunk_overlap)


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
@pytest.mark.parametrize("chunk_tokens", [16, 512, 10**9])
def test_huge_pages(name: str, chunk_tokens: int) -> None:
    found = tamis.extract(HUGE[name], extractor="keep-all", timeout=60).chunks(chunk_tokens=chunk_tokens)
    assert max(chunk.tokens for chunk in found) <= chunk_tokens


def test_words_and_tokens() -> None:
    assert words("Two words, three.") == 3
    assert words("今日はいい天気です") == 4
    assert estimated_tokens("") == 0
    assert 8 <= estimated_tokens("A plain sentence of seven words, and more.") <= 11
    texts = ["", "a", "Two words", "x" * 100, "今日", "1,234\n\n"]
    assert [round(each) for each in counts(texts, estimated_tokens)] == [estimated_tokens(text) for text in texts]
