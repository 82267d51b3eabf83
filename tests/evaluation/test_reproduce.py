"""Reproduction pages: figures beside the paper's, and the models behind them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tamis.cli.main import main
from tamis.errors import OptionError
from tamis.evaluation.reproduce import reproduce
from tamis.evaluation.reproduce.boilerpipe.fits import _fit, mixed_writer, simple_writer
from tamis.evaluation.reproduce.charts import bars, lines
from tamis.evaluation.reproduce.page import Figure, Page, Section


def test_a_figure_knows_whether_it_was_met() -> None:
    assert Figure("a", 90.0, 91.0, 2.0).met is True
    assert Figure("a", 90.0, 93.0, 2.0).met is False
    assert Figure("a", 90.0, 93.0).met is None
    assert Figure("a", None, 93.0, 2.0).met is None


def test_the_page_shows_both_numbers_and_escapes_words() -> None:
    page = Page(
        "T", "a < b", [Section("S", "x & y", [Figure("f", 90.0, 93.5, 2.0, "why")], lines({"c": np.ones(3)}, "x", "y"))]
    )
    html = page.html()
    assert "a &lt; b" in html
    assert "90" in html
    assert "93.5" in html
    assert "+3.5" in html
    assert "missed" in html
    assert "<svg" in html
    assert [figure.name for figure in page.figures] == ["f"]


def test_charts_are_the_same_every_time() -> None:
    assert bars({"a": 1.0, "b": 2.0}, "x") == bars({"a": 1.0, "b": 2.0}, "x")


def test_the_writer_models_are_distributions() -> None:
    x = np.arange(1, 2000, dtype=np.float64)
    assert simple_writer(x, 0.3).sum() == pytest.approx(1)
    assert mixed_writer(x, 0.75, 0.4, 0.05).sum() == pytest.approx(1)


def test_a_fit_finds_the_parameters_that_made_the_data() -> None:
    x = np.arange(1, 500, dtype=np.float64)
    parameters, (explained, error) = _fit(mixed_writer, x, mixed_writer(x, 0.7, 0.4, 0.05), [0.5, 0.5, 0.1])
    assert parameters == pytest.approx([0.7, 0.4, 0.05], abs=1e-3)
    assert explained == pytest.approx(1)
    assert error < 1e-4


def test_an_unknown_paper_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(OptionError, match="boilerpipe"):
        reproduce("nothing")
    assert main(["reproduce", "nothing"]) == 2
    assert "boilerpipe" in capsys.readouterr().err


def news_page(number: int) -> str:
    """A page as the annotators of L3S-GN1 left it."""
    sentence = (
        f"Sentence number {number} of the story goes on for long enough to be called a piece of full text by anyone."
    )
    spans = {
        1: f"<h1><span class=x-nc-sel1>Headline {number} of the day</span></h1>",
        2: f"<p><span class=x-nc-sel2>{sentence} {sentence}</span></p>",
        3: f"<div><span class=x-nc-sel3>Photo by somebody, {number}</span></div>",
        4: f"<div><span class=x-nc-sel4>I liked this story a lot and say so, {number}.</span></div>",
        5: f"<li><span class=x-nc-sel5><a href=x>Another story {number}</a></span></li>",
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


def test_boilerpipe_end_to_end(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "out" / "page.html"
    assert main(["reproduce", "boilerpipe", "--data", str(data), "--output", str(output)]) == 0
    written = output.read_text()
    for part in (
        "Table 1",
        "Table 2",
        "Figure 1",
        "Figure 2a",
        "Figure 2b",
        "Figure 3",
        "Figure 4",
        "Figure 5",
        "mixed",
    ):
        assert part in written
    printed = capsys.readouterr().out
    assert "MISSED all blocks: paper 72,662, here 84" in printed
    assert "wrote" in printed
    page = reproduce("boilerpipe", data)
    ours = {figure.name: figure.ours for figure in page.figures}
    assert ours["headline, % of blocks"] == pytest.approx(100 * 12 / 84)
    assert ours["tokens without marks for links"] + 2 * 3 * 12 == ours["all tokens"]
