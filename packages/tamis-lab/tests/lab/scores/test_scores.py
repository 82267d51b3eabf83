"""`python -m tamis_lab.scores` on pages of one's own, and the measure of comments."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

import tamis
from tamis import Document, Labels, Page, Role
from tamis.extractor.tamis import Tamis
from tamis_lab.corpora.reader import CorpusPage
from tamis_lab.scores import run
from tamis_lab.scores.__main__ import main
from tamis_lab.scores.figures import figures_of, figures_table
from tamis_lab.scores.gold import CommentWords, bar_of, comment_words, commented, gold_of

STORY = "The baker rises early every morning, and by six the first bread of the day is on the shelf."
ADVICE = "Whoever wants the dark one with caraway should come before nine, because there is only one tray."
PAGE = f"<ul><li>Home<li>Shop<li>News</ul><article><p>{STORY}</p><p>{ADVICE}</p></article>"
ALL = "keep-all"


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two pages of one's own: all of the first is content, half of the second."""
    folder = tmp_path / "own"
    folder.mkdir()
    for name, gold in (("1", f"Home Shop News {STORY} {ADVICE}"), ("2", STORY)):
        folder.joinpath(f"{name}.html").write_text(PAGE)
        folder.joinpath(f"{name}.txt").write_text(gold)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "benchmarks").mkdir()
    return folder


def rows(output: str) -> dict[str, list[str]]:
    """The cells of each row, by its name."""
    lines = [line for line in output.splitlines() if line.startswith("  ")]
    return {line[:34].strip(): line[34:].split() for line in lines}


def scores(corpus: Path, *more: str) -> int:
    return main(["--set", str(corpus), "--workers", "1", *more])


def test_what_everything_kept_scores(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert scores(corpus, "--extractor", ALL) == 0
    first = rows(capsys.readouterr().out)
    assert first["pages"] == ["2"]
    assert first["recall"] == ["1.000"]
    assert first["pages lost"] == ["0"]
    assert first["pages flooded"] == ["1"]
    assert first["flooded"] == ["50.0%"]
    assert scores(corpus, "--extractor", ALL) == 0
    assert rows(capsys.readouterr().out) == first, "the second run has the gold from the cache"


def test_gold_that_changed_is_read_again(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scores(corpus, "--extractor", ALL)
    capsys.readouterr()
    corpus.joinpath("2.txt").write_text("Nothing of this is on the page.")
    scores(corpus, "--extractor", ALL)
    assert rows(capsys.readouterr().out)["flooded"] == ["0.0%"], "a page without its gold is not flooded"
    assert len(list(Path("build/scores-cache").iterdir())) == 1, "what is out of date is deleted"


def test_stored_figures_are_columns(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    peer = f"{__name__}:first_word"
    scores(corpus, "--extractor", peer, "--store", "words")
    scores(corpus, "--extractor", peer, "--store", "the same")
    capsys.readouterr()
    scores(corpus, "--extractor", ALL)
    found = rows(capsys.readouterr().out)
    assert found["recall"] == ["1.000", "0.039", "0.039"]
    assert found["foreign structures kept"] == ["100.0%", "-", "-"], "a peer gives text alone"


def first_word(html: bytes, url: str | None) -> str:
    del html, url
    return "baker"


def failing(html: bytes, url: str | None) -> str:
    del html, url
    raise RuntimeError("no")


def test_a_failure_is_not_an_empty_result(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus.joinpath("2.txt").write_text("")
    assert scores(corpus, "--extractor", f"{__name__}:failing") == 0
    found = rows(capsys.readouterr().out)
    assert found["pages failed"] == ["2"]
    assert found["token F1"] == ["0.000"]


def test_test_sets_are_not_for_choices(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--set", "chaos"]) == 2
    assert "add --test" in capsys.readouterr().err


def test_wrong_use_is_one_line(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for wrong in (["--extractor", "nobody"], ["no-weights"], ["--store", "x", "--limit", "1"]):
        assert scores(corpus, *wrong) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1


def test_lines_of_recipes_are_found_word_by_word() -> None:
    html = b"<script type='application/ld+json'>{}</script><ul><li>2 cups flour<li>1 Egg</ul><p>Stir and bake."
    page = CorpusPage("recipes", "1", html, "all", lines=("2 cups, flour", "1 egg", "Sugar", "stir"))
    gold = gold_of("recipes", page)
    assert len(gold.lines) == 3, "sugar is not on the page"
    assert run.measure_page("recipes", page, gold, run.System(None, lambda html, url: "2 cups flour. Stir")).lines == (
        2,
        3,
    )
    declared = run.System(None, lambda html, url: "1 egg" if b"ld+json" in html else "")
    found = run.measure_page("recipes", page, gold, declared)
    assert (found.lines, found.bare_lines) == ((1, 3), (0, 3))
    shown = figures_of("recipes", [found])
    assert shown["lines kept"] == pytest.approx(1 / 3)
    assert shown["pages under half"] == 1.0


def test_pages_are_for_the_network_that_has_not_seen_their_site(tmp_path: Path) -> None:
    folds = Path(shutil.copytree(Tamis().weights, tmp_path / "fold-0")).parent
    name = f"tamis={folds}"
    assert run.in_folds(name, "wcxb:dev")
    assert run.in_folds(name, "dragnet"), "there are no other weights"
    for file in Tamis().weights.iterdir():
        shutil.copy(file, folds)
    assert run.in_folds(name, "wcxb:dev")
    assert not run.in_folds(name, "dragnet")
    assert not run.is_fit(name, "wcxb:dev")
    assert run.is_fit("tamis", "wcxb:dev")
    assert not run.is_fit("tamis", "dragnet")


def test_bars() -> None:
    missed = {"threads": {"pages": 57.0, "token F1": 0.8494, "pages lost": 2.0}}
    found = figures_table("Validation", "tamis", missed, {}, {})
    assert rows(found)["token F1"] == ["0.849", ">=", "0.850", "!"]
    assert rows(found)["pages lost"] == ["2", "<=", "2"]
    assert found.endswith("1 of 2 bars missed (!)")
    lost = bar_of("daniel", "pages lost", 831)
    assert lost == (16, True), "two in a hundred"


HTML = """<p>The baker rises early and the bread is good.</p>
<ul><li><b class=author>Ann</b><p>The bread is good indeed.</p>
<li><b class=author>Bob</b><p>I like cake much more than that.</p></ul>"""
GOLD = CorpusPage("own", "1", HTML.encode(), "all", "The baker rises early and the bread is good.",
    comments="Ann The bread is good indeed. Bob I like cake much more than that.")  # fmt: skip


class Fixed:
    """Keeps what is in some elements and finds comments in others."""

    def __init__(self, kept: str, comments: str) -> None:
        self._kept, self._comments = kept, comments

    def label(self, document: Document) -> Labels:
        keep, said = document.inside(self._kept), document.inside(self._comments)
        roles = tuple(Role.COMMENT if each else Role.TEXT for each in said)
        return Labels(keep.astype(np.float64), keep, roles)


def words_of(gold: CorpusPage, page: Page) -> CommentWords | None:
    return comment_words(commented(gold, gold.document()), page)


def test_words_count_where_they_stand() -> None:
    all_right = tamis.extract(HTML, extractor=Fixed("body > p", "ul"))
    assert words_of(GOLD, all_right) == CommentWords(14, 0, 14)
    one_kept = tamis.extract(HTML, extractor=Fixed("body > p, li:last-child", "li:first-child"))
    assert words_of(GOLD, one_kept) == CommentWords(14, 8, 6)
    nothing = tamis.extract(HTML, extractor=Fixed("h1", "h1"))
    assert words_of(GOLD, nothing) == CommentWords(14, 0, 0)
