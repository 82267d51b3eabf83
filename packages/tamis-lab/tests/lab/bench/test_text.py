from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from rich.console import Console

from tamis.cli.exits import Exit
from tamis.errors import InputError, MissingExtra, OptionError
from tamis_lab.bench import runner, text
from tamis_lab.bench.runner import Selection
from tamis_lab.bench.text import TextResult
from tamis_lab.cli import bench as verb
from tamis_lab.corpora.reader import CorpusPage
from tests.lab.bench import fakes
from tests.lab.bench.fakes import GOLD, FakeCorpus, Info
from tests.lab.bench.test_contestants import register

HERE = fakes.__name__


def corpus_of(size: int = 6, gold: str | None = GOLD, hash: str = "d1", name: str = "fake") -> FakeCorpus:
    pages = [
        CorpusPage(
            corpus=name,
            id=f"p{number}",
            html=f"<html><body><nav>Home</nav><p>{GOLD.capitalize()}, p{number}.</p></body></html>".encode(),
            split="all",
            gold_text=gold,
            page_type="article" if number % 2 else "forum",
            language="en",
            year=2020 + number % 3 if number else None,
            wanted=("nine sailors",),
            unwanted=("<b>",),
        )
        for number in range(size)
    ]
    return FakeCorpus(pages, Info(name), hash)


def run(corpus: FakeCorpus, output: Path, *names: str, limit: int | None = None) -> list[TextResult]:
    contestants = [name if name == "nobody" else f"{HERE}:{name}" for name in names]
    selection = Selection(corpus.as_corpus(), limit=limit)
    return runner.run(text.TextScorer(), [selection], contestants, output, workers=1, deadline=1, grace=2)["fake"]


def test_what_goes_wrong_is_counted_apart(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    results = run(corpus_of(), tmp_path / "out" / "results.jsonl", "good", "bad", "worse")
    ended = {(result.contestant.partition(":")[2], result.id): result for result in results}
    assert len(ended) == len(results) == 18
    statuses = {name: [ended[name, f"p{number}"].status for number in range(6)] for name in ("good", "bad", "worse")}
    assert statuses == {
        "good": ["ok"] * 6,
        "bad": ["crash", "timeout", "empty", "crash", "crash", "ok"],
        "worse": ["timeout", "crash", "crash", "ok", "ok", "ok"],
    }
    assert [ended["bad", f"p{number}"].f1 for number in range(6)] == [0, 0, 0, 0, 0, 1]
    assert "no such thing" in ended["bad", "p0"].error
    assert 1 <= ended["bad", "p1"].seconds < 5
    assert "SystemExit" in ended["bad", "p3"].error
    assert "NoneType" in ended["bad", "p4"].error
    assert "killed" in ended["worse", "p0"].error
    assert "signal SIGSEGV" in ended["worse", "p1"].error
    assert "network" in ended["worse", "p2"].error
    assert (ended["good", "p0"].wanted_found, ended["good", "p0"].wanted) == (1, 1)
    assert (ended["bad", "p0"].wanted_found, ended["bad", "p0"].wanted) == (0, 1)
    assert (ended["good", "p0"].unwanted_found, ended["good", "p0"].unwanted) == (0, 1)
    assert "prints" not in capfd.readouterr().out


def test_resume(tmp_path: Path) -> None:
    output = tmp_path / "results.jsonl"
    first = run(corpus_of(), output, "good", limit=2)
    assert len(first) == 2
    lines = output.read_text().splitlines()
    assert len(lines) == 2
    # As if it had been killed in the middle of a line, and with a line of some other program.
    output.write_text(f'{lines[0]}\n{{"corpus": 1}}\n{lines[1][:40]}')
    again = run(corpus_of(), output, "good", limit=3)
    assert [result.id for result in again] == ["p0", "p1", "p2"]
    old = json.loads(lines[0])
    assert {result.id: result.seconds for result in again}[old["id"]] == old["seconds"], "that page was not run again"
    assert len(output.read_text().splitlines()) == 5
    run(corpus_of(), output, "good", limit=3)
    assert len(output.read_text().splitlines()) == 5
    run(corpus_of(hash="d2"), output, "good", limit=3)
    assert len(output.read_text().splitlines()) == 8, "another corpus is another result"


def test_a_page_without_gold_has_no_score(tmp_path: Path) -> None:
    (result,) = run(corpus_of(gold=None), tmp_path / "results.jsonl", "good", limit=1)
    assert result.f1 is None
    assert result.wanted_found == 1
    with pytest.raises(InputError, match="fake: no page with gold text"):
        text.summarise("fake", "Fake", [result])


def test_wrong_names_and_outputs_are_found_before_anything_runs(tmp_path: Path) -> None:
    corpus = corpus_of()
    with pytest.raises(OptionError, match="nobody"):
        run(corpus, tmp_path / "results.jsonl", "nobody")
    tmp_path.joinpath("file").write_text("")
    with pytest.raises(OptionError, match="can't be written"):
        run(corpus, tmp_path / "file" / "results.jsonl", "good")
    assert not corpus.read


@pytest.mark.parametrize("name", ["not_there", "not_in_a_worker"])
def test_a_contestant_that_cannot_be_loaded_is_no_crash(name: str, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="can't be loaded"):
        run(corpus_of(), tmp_path / "results.jsonl", name, limit=1)
    assert not any(file.read_text() for file in tmp_path.iterdir()), "nothing is kept as a result"


def test_summary(tmp_path: Path) -> None:
    results = run(corpus_of(size=8), tmp_path / "results.jsonl", "half", "good", "bad")
    summary = text.summarise("fake", "A fake corpus", results)
    assert (summary.pages, summary.digest) == (8, "d1")
    best, second, last = summary.rows
    assert [row.contestant.partition(":")[2] for row in summary.rows] == ["good", "half", "bad"]
    assert best.f1 == (1, 1, 1, 8)
    assert best.p is None
    assert second.p is not None
    assert second.differs
    assert second.f1.low <= second.f1.mean <= second.f1.high < 1
    assert second.median == pytest.approx(26 / 29)
    assert (second.wanted, second.unwanted) == (7 / 8, 0)
    assert last.losses == {"crash": 3, "timeout": 1, "empty": 1}
    assert last.f1.mean == 3 / 8
    assert summary.groups("page type") == {"article": 4, "forum": 4}
    assert summary.groups("year") == {"2020": 2, "2021": 3, "2022": 2, "unknown": 1}
    assert not summary.groups("language"), "there is but one"


def test_who_was_trained_on_these_pages_is_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results = run(corpus_of(), tmp_path / "results.jsonl", "good", "half")
    better = [replace(result, contestant="tamis", corpus="wcxb", split="dev") for result in results]
    others = [replace(result, corpus="wcxb", split="dev") for result in results]
    ours = [result for result in better if result.f1 == 1]
    summary = text.summarise("wcxb:dev", "WCXB", [*others, *ours])
    assert [row.contestant for row in summary.seen] == ["tamis"]
    assert "tamis" not in [row.contestant for row in summary.rows]
    console = Console(width=200)
    for table in text.tables(summary):
        console.print(table)
    out = capsys.readouterr().out
    competing, _, apart = out.partition("trained on pages of this corpus: a fit, not a measurement")
    assert "tamis" not in competing
    assert "tamis" in apart
    assert "†" not in out
    assert "p against best" not in apart.partition("mean F1 by")[0]
    assert "(wcxb:dev): 1 page," in str(text.tables(text.summarise("wcxb:dev", "WCXB", ours[:1]))[0].title)
    alone = text.summarise("wcxb:dev", "WCXB", ours)
    assert (len(alone.rows), len(alone.seen)) == (0, 1)
    assert text.tables(alone)


def cli(*words: str) -> Exit:
    parser = argparse.ArgumentParser()
    verb.add_parser(parser.add_subparsers())
    options = parser.parse_args(["bench", *words])
    return cast("Exit", options.run(options))


@pytest.fixture
def corpora(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "tamis_lab.corpora.catalogue.open_corpora", lambda names, data=None: [corpus_of(name=name) for name in names]
    )


@pytest.mark.usefixtures("corpora")
def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gate = tmp_path / "floors.toml"
    words = ["--corpus", "a", "--corpus", "b:test", "--no-peers", "--workers", "1", "--limit", "4", "-o", str(tmp_path)]
    few = [*words, "--extractor", f"{HERE}:half", "--extractor", "keep-all", "--gate", str(gate)]
    assert cli(*few, "--update-gate", "--report") is Exit.FINE
    out, err = capsys.readouterr()
    assert "A fake corpus (b:test): 4 pages" in out
    assert "mean F1 by page type" in out
    assert "report.html" in err
    assert tmp_path.joinpath("report.html").stat().st_size > 10_000

    assert cli(*few) is Exit.FINE
    gate.write_text(gate.read_text().replace("overall = 0.8", "overall = 0.9"))
    assert cli(*few) is Exit.NOTHING
    err = capsys.readouterr().err
    assert "is below its floor 0.9" in err
    assert cli(*few, "--update-gate") is Exit.NOTHING, "an update does not lower floors"
    assert cli(*few, "--update-gate", "--lower-floors") is Exit.FINE


def test_the_default_is_everybody(monkeypatch: pytest.MonkeyPatch) -> None:
    gone = {"goose3": "it has flown", "boilernet": "it has sunk"}
    monkeypatch.setattr(
        "tamis_lab.bench.contestants.unavailable",
        lambda names, version: {name: gone[name] for name in names if name in gone},
    )

    def chosen(**options: object) -> tuple[list[str], dict[str, str]]:
        given = argparse.Namespace(**{"peer": None, "no_peers": False, "extractor": None} | options)
        return verb._contestants(given, ["tamis", "boilernet"], ["trafilatura", "goose3"], str)

    assert chosen() == (["tamis", "trafilatura"], gone)
    assert chosen(no_peers=True) == (["tamis"], {"boilernet": "it has sunk"})
    asked = chosen(peer=["goose3"], extractor=["boilernet"])
    assert asked == (["boilernet", "goose3"], {}), "who asks by name gets the error"


@pytest.mark.usefixtures("corpora")
def test_an_extractor_that_lacks_its_extra_is_never_a_crash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    register(monkeypatch)
    words = ["--corpus", "a", "--no-peers", "--limit", "2", "-o", str(tmp_path)]
    assert cli(*words, "--report") is Exit.FINE
    out, err = capsys.readouterr()
    assert "needy" not in out
    assert "tamis: without needy: needy needs an extra: pip install 'tamis[neural]'" in err
    assert "<dt>needy</dt><dd>needy needs an extra" in tmp_path.joinpath("report.html").read_text()
    with pytest.raises(MissingExtra, match=r"tamis\[neural\]"):
        cli(*words, "--extractor", "needy")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--update-gate"], "--gate"),
        (["--gate", "x.toml", "--lower-floors"], "--update-gate"),
        (["--gate", "not-there.toml"], "not-there.toml"),
        (["--gate", "not-there.toml", "--limit", "4", "--seed", "2"], "the same pages only: leave --seed out"),
    ],
)
@pytest.mark.usefixtures("corpora")
def test_wrong_use(words: list[str], complaint: str, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=complaint):
        cli("--corpus", "a", "-o", str(tmp_path), *words)
