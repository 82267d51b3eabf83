"""The tables of boilerpipe: models, readings, and all of them on a made-up corpus."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch")

import numpy as np

from tamis.cli.main import main
from tamis.document import Document
from tamis_lab.papers.boilerpipe.blocks import (
    BENCH,
    PAPER,
    Overlap,
    PaperReading,
    Scorer,
    blocks_of_tokens,
    long_blocks,
    long_runs,
    mean_f1,
    with_hidden_text,
    with_options,
    with_title,
)
from tamis_lab.papers.boilerpipe.figures import (
    _RIVALS,
    least_squares,
    mixed_writer,
    simple_writer,
    two_betas_and_normal,
    weight_by,
)
from tamis_lab.reproduce import reproduce


def test_the_writer_models_are_distributions() -> None:
    x = np.arange(1, 2000, dtype=np.float64)
    assert simple_writer(x, 0.3).sum() == pytest.approx(1)
    assert mixed_writer(x, 0.75, 0.4, 0.05).sum() == pytest.approx(1)


def test_a_fit_of_the_density_finds_what_words_were_drawn_from() -> None:
    random = np.random.default_rng(7)
    drawn = np.concatenate(
        [
            25 * random.beta(2.5, 20, 300_000),  # mean 2.8
            random.normal(7, 1.5, 200_000),
            25 * random.beta(40, 35, 500_000),  # mean 13.3
        ]
    )
    share = weight_by(np.maximum(drawn, 0), np.full(len(drawn), 1 / len(drawn)), 25)
    start = [0.2, 0.3, 2, 15, 8, 2, 30, 26]
    bounds = ([0, 0, 0.1, 0.1, 1, 0.1, 0.1, 0.1], [1, 1, 1000, 1000, 25, 10, 1000, 1000])
    fit = least_squares(two_betas_and_normal, np.arange(1.0, 26.0), share[1:], start, bounds)
    template, fuzzy, a1, b1, mean, spread, a2, b2 = fit.parameters
    assert (template, fuzzy) == pytest.approx((0.3, 0.2), abs=0.01)
    assert (mean, spread) == pytest.approx((7, 1.5), abs=0.1)
    assert (a1 / (a1 + b1), a2 / (a2 + b2)) == pytest.approx((2.5 / 22.5, 40 / 75), abs=0.005)
    assert (a1, b1, a2, b2) == pytest.approx((2.5, 20, 40, 35), rel=0.1)
    assert fit.explained > 0.999


def test_halves_are_rounded_up() -> None:
    values = np.array([0.4, 0.5, 1.5, 2.5, 9.0])
    assert weight_by(values, np.array([1.0, 2.0, 4.0, 8.0, 16.0]), 4).tolist() == [1, 2, 4, 8, 16]


PAGE = """<title>The title</title>
<p>Ten words are what this first paragraph has in all.</p>
<ul><li>One two<li><a href=a>Three four</a><li>Five six<li>Seven eight<li>Nine ten</ul>
<p>Three words only</p><p style="display:none">hidden</p><select><option>choice</select>"""


def kept_words(document: Document, keep: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> list[str]:
    return [word for leaf in np.flatnonzero(keep).tolist() for word in document.leaves.text[leaf].split()]


def test_which_text_of_a_page_counts() -> None:
    document = Document.from_html(PAGE)

    def read(shown: Document) -> set[str]:
        return {"title", "hidden", "choice"} & set(kept_words(document, shown.leaves.visible))

    assert read(document) == set()
    assert read(with_hidden_text(document)) == {"hidden"}
    assert read(with_options(document)) == {"hidden", "choice"}
    assert read(with_title(document)) == {"hidden", "title"}


def test_what_min_words_may_have_counted() -> None:
    document = Document.from_html(PAGE)
    first = ["Ten", "words", "are", "what", "this", "first", "paragraph", "has", "in", "all."]
    assert kept_words(document, long_blocks(document)) == first
    # The five items have two words each, so the same density, and ten words together.
    assert kept_words(document, long_runs(document))[10:] == "One two Three four Five six Seven eight Nine ten".split()
    linked = Document.from_html(
        "<p>six words and <a href=a>one</a> <a href=b>other link</a></p><p>six words and no link here</p>"
    )
    # Six words, and two marks for each of two links.
    assert kept_words(linked, blocks_of_tokens(linked)) == "six words and one other link".split()
    empty = Document.from_html("")
    assert not long_runs(empty).any()


def test_a_page_is_scored_under_each_reading() -> None:
    document = Document.from_html("<p>Some text, some more</p><p><a href=x>some menu</a></p>")
    scorer = Scorer(document, ["fulltext", ""])
    assert scorer.overlap(PAPER, "keep-all") == Overlap(4, 6, 4)
    assert scorer.overlap(PAPER, "keep-all").f1 == pytest.approx(0.8)
    # In lower case "some" is there three times, and twice in the gold.
    assert scorer.overlap(BENCH, "keep-all") == Overlap(4, 6, 4)
    assert scorer.overlap(PaperReading("sets", distinct=True), "keep-all") == Overlap(4, 5, 4)
    assert scorer.overlap(PaperReading("marks", marks_links=True), "keep-all") == Overlap(4, 8, 4)
    assert Scorer(document, "Some more").overlap(PAPER, "keep-all") == Overlap(2, 6, 2)


def test_means_over_pages_and_over_all_tokens() -> None:
    overlaps = [Overlap(1, 1, 1), Overlap(2, 6, 4)]
    assert mean_f1(PAPER, overlaps) == pytest.approx(100 * (1 + 0.4) / 2)
    assert mean_f1(PaperReading("pooled", pooled=True), overlaps) == pytest.approx(100 * 6 / 12)


def news_page(number: int) -> str:
    """A page as the annotators of L3S-GN1 left it."""
    sentence = (
        f"Sentence number {number} of the story goes on for long enough to be called a piece of full text by anyone."
    )
    spans = {
        1: f"<h1><span class=x-nc-sel1>Headline {number} of the day</span></h1>",
        2: f"<p><span class=x-nc-sel2>{sentence} {sentence}</span></p>",
        3: f"<div><span class=x-nc-sel3>Photo by somebody, {number}</span></div>",
        4: f"<li><span class=x-nc-sel4><a href=x>Another story {number}</a></span></li>",
        5: f"<div><span class=x-nc-sel5>I liked this story a lot and say so, {number}.</span></div>",
    }
    menu = "<ul><li><a href=a>Home</a><li><a href=b>Sport and more</a></ul>"
    return f"<title>Headline {number} of the day</title><body>{menu}{''.join(spans.values())}"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    annotated = tmp_path / "l3s-gn1" / "annotated"
    annotated.mkdir(parents=True)
    for number in range(12):
        (annotated / f"page-{number}.html").write_text(news_page(number))
    mapping = "".join(f"<urn:uuid:page-{number}>\thttp://site.example/{number}\n" for number in range(12))
    (annotated.parent / "url-mapping.txt").write_text(mapping)
    for split in ("dev", "final"):
        folder = tmp_path / "cleaneval" / f"cleaneval-{split}"
        (folder / "input").mkdir(parents=True)
        (folder / "GoldStandard").mkdir()
        (folder / "input" / "1.html").write_text("<p>Some words of a page that are the content of it.</p><p>Menu</p>")
        gold = "URL: http://x.example/\n<p>Some words of a page that are the content of it."
        (folder / "GoldStandard" / "1.txt").write_text(gold)
    return tmp_path


def test_boilerpipe_end_to_end(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "out" / "page.html"
    page = reproduce("boilerpipe", data)
    monkeypatch.setattr("tamis_lab.reproduce.reproduce", lambda paper, data=None, **options: page)
    assert main(["reproduce", "boilerpipe", "--data", str(data), "--output", str(output)]) == 0
    parts = "Table 1|Table 2|Figure 1|Figure 2a|Figure 2b|Figure 3|Figure 4|Figure 5|which text counts|two beta|mixed"
    assert all(part in output.read_text() for part in parts.split("|"))
    assert "MISSED all blocks: paper 72,662, here 84" in capsys.readouterr().out
    ours = {figure.name: figure.ours for figure in page.figures}
    assert set(_RIVALS) <= set(ours)
    assert ours["headline, % of blocks"] == pytest.approx(100 * 12 / 84)
    assert (ours["class 4: words a block"], ours["class 4: % of words in links"]) == (3, 100)
    assert (ours["class 5: words a block"], ours["class 5: % of words in links"]) == (10, 0)
    # Of the 68 words of a page 4 are in the menu; 42 are full text and 10 a comment.
    zero = [figure.ours for figure in page.figures if figure.name == "ZeroR: recall"]
    assert zero == pytest.approx([100 * 64 / 68, 100 * 52 / 68])
    assert ours["tokens without marks for links"] + 2 * 3 * 12 == ours["all tokens"]
