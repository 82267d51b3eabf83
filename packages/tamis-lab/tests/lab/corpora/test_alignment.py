"""How much of the gold text is found on its pages, page by page and for a corpus."""

from __future__ import annotations

from pathlib import Path

import pytest

from tamis.cli.main import main
from tamis_lab.corpora.catalogue import open_corpus
from tamis_lab.corpora.reader import CorpusPage
from tamis_lab.gold import AlignmentReport, Placing, alignment_report
from tests.lab.corpora.samples import PAGE, write_folder, write_zip


def page(number: int, gold: str | None) -> CorpusPage:
    return CorpusPage(corpus="made", id=str(number), html=PAGE, split="all", gold_text=gold)


def test_words_are_counted_over_pages_with_gold() -> None:
    # The page says: Title, Words of the content, Menu.
    seen: list[int] = []
    pages = [page(1, "Title. Words of the content."), page(2, "Words that nobody wrote"), page(3, None), page(4, "")]
    found = alignment_report("made", pages, done=seen.append)
    assert found == AlignmentReport("made", [Placing("1", 5, 5), Placing("2", 4, 1), Placing("4", 0, 0)])
    assert found.gold_words == 9
    assert found.share == pytest.approx(6 / 9)
    assert [placing.share for placing in found.pages] == [1.0, 0.25, 1.0]
    assert [placing.id for placing in found.bad] == ["2"]
    assert seen == [1, 2, 3, 4]


def test_the_worst_pages_come_first_and_equal_ones_by_id() -> None:
    found = AlignmentReport("made", [Placing("c", 10, 9), Placing("b", 10, 5), Placing("a", 10, 9), Placing("d", 0, 0)])
    assert [placing.id for placing in found.worst(3)] == ["b", "a", "c"]
    assert found.worst(0) == []
    assert [placing.id for placing in found.bad] == ["b"]  # nine of ten is not yet bad


def test_a_report_of_a_sample_corpus(tmp_path: Path) -> None:
    write_zip(tmp_path, "cleaneval")
    with open_corpus("cleaneval", tmp_path) as corpus:
        found = alignment_report("cleaneval", corpus.pages())
    # The golds are "Title Café <br> words" and "Café item"; the third page has none.
    assert found.pages == [Placing("1", 4, 2), Placing("2", 2, 0)]


def test_the_verb_reports_every_split_that_is_here(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_zip(tmp_path, "wcxb")
    write_folder(tmp_path, "cleaneval")
    write_folder(tmp_path, "trafilatura")
    assert main(["corpora", "--alignment", "--worst", "1", "--data", str(tmp_path)]) == 0
    said = capsys.readouterr()
    rows = [line.split() for line in said.out.splitlines()]
    assert ["wcxb:dev", "1", "4", "100.00", "%", "0"] in rows
    assert ["cleaneval:dev", "1", "4", "50.00", "%", "1"] in rows
    assert ["cleaneval:test", "1", "2", "0.00", "%", "1"] in rows
    assert "  1: 2 of 4 words, 50.0 %" in said.out.splitlines()
    assert "trafilatura:all: no page of it has a gold text" in said.out
    assert said.err == ""


def test_the_verb_reports_one_split(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_zip(tmp_path, "cleaneval")
    assert main(["corpora", "--alignment", "--corpus", "cleaneval:test", "--data", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "cleaneval:test" in said
    assert "cleaneval:dev" not in said
    assert main(["corpora", "--alignment", "--corpus", "cleaneval:train", "--data", str(tmp_path)]) == 2
    assert "it has: dev, test" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--corpus", "wcxb"], "go with --alignment"),
        (["--worst", "3"], "go with --alignment"),
        (["--alignment"], "no corpus is in"),
    ],
)
def test_wrong_use_of_the_verb(
    arguments: list[str], complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["corpora", *arguments, "--data", str(tmp_path)]) == 2
    assert complaint in capsys.readouterr().err


def test_a_corpus_that_is_not_here_can_not_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["corpora", "--alignment", "--corpus", "wcxb", "--data", str(tmp_path)]) == 3
    assert "wcxb is not in" in capsys.readouterr().err
