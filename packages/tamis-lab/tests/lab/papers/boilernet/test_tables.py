"""BoilerNet's tables on made-up corpora, with networks too small to be good."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tamis.errors import InputError
from tamis_lab.bench.peers import NODE_MODULES
from tamis_lab.metrics import PRF
from tests.lab.corpora.samples import write_folder

torch = pytest.importorskip("torch", reason="the extra train is not installed")

from tamis.cli.main import main
from tamis_lab.papers.boilernet import tables
from tamis_lab.papers.boilernet.tables import (
    ClassScores,
    DividedCorpus,
    FinishedTrainings,
    PageSplit,
    TrainedSystem,
    digest,
)
from tamis_lab.papers.boilernet.training import NetworkSize

SENTENCE = "The harbour was closed for two days after the storm, and the boats stayed out at sea"
DEVELOPMENT, TEST = 11, 3  # pages of CleanEval
OFFICIAL = {"train": 6, "dev": 2, "test": 3}


def page(word: str, mark: str = "") -> str:
    """A menu, two paragraphs and a footer; `word` stands on this page alone."""
    menu = "".join(f"<li><a href=x>Section {item}</a></li>" for item in range(4))
    story = "".join(f"<p>{SENTENCE}, said {word} in part {part}.</p>" for part in range(2))
    return f"<body><ul>{menu}</ul><div{mark}>{story}</div><footer>Imprint</footer></body>"


def cleaneval() -> dict[str, bytes]:
    files = {}
    for split, numbers in (("dev", range(DEVELOPMENT)), ("final", range(100, 100 + TEST))):
        for number in numbers:
            word = f"ce{number}"
            gold = "\n".join(f"<p>{SENTENCE}, said {word} in part {part}." for part in range(2))
            files[f"cleaneval-{split}/input/{number}.html"] = page(word).encode()
            files[f"cleaneval-{split}/GoldStandard/{number}.txt"] = f"URL: http://x.example/\n{gold}".encode()
    return files


def trends() -> dict[str, bytes]:
    files, first = {}, 1
    for split, many in OFFICIAL.items():
        numbers = range(first, first + many)
        first += many
        files.update(
            {f"raw_html/{number:03}.html": page(f"gt{number}", " __label=main").encode() for number in numbers}
        )
        files[f"50-30-100-split/{split}_set.txt"] = "".join(f"gt_{number}.html\n" for number in numbers).encode()
    return files


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    write_folder(folder, "cleaneval", cleaneval())
    write_folder(folder, "googletrends-2017", trends())
    return folder


@pytest.fixture(scope="module", autouse=True)
def small() -> Iterator[None]:
    """Networks of a few cells, two seeds, hardly trained, and Readability as every machine has it."""
    threads, strict = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    with pytest.MonkeyPatch.context() as patch:
        torch.set_num_threads(1)
        patch.setattr(tables, "SIZE", NetworkSize(projection=6, hidden=4, layers=1))
        patch.setattr(
            tables, "SCHEDULES", {name: replace(schedule, epochs=2) for name, schedule in tables.SCHEDULES.items()}
        )
        patch.setattr(tables, "SEEDS", (1, 2))
        patch.delenv(NODE_MODULES, raising=False)
        yield
    torch.set_num_threads(threads)
    torch.use_deterministic_algorithms(strict)


@pytest.fixture(scope="module")
def corpora(data: Path) -> tuple[DividedCorpus, DividedCorpus]:
    return tables.read_cleaneval(data), tables.read_googletrends(data)


def names(split: PageSplit) -> list[set[str]]:
    return [{page.name for page in part} for part in split]


def scores_of(value: float) -> ClassScores:
    return ClassScores(PRF(value, value, value), PRF(value, value, value))


class Counted:
    """A learner that learns nothing and counts how often it is asked to."""

    def __init__(self, **settings: Any) -> None:
        self.learner = TrainedSystem("Counted", settings, self.run, "as it is")
        self.calls = 0

    def run(self, split: PageSplit, seed: int, device: str) -> dict[str, ClassScores]:
        self.calls += 1
        return {"Counted": scores_of(1 / (len(split.training) + seed))}


class TestSplits:
    @pytest.mark.parametrize("count", [None, 2])
    @pytest.mark.parametrize("seed", [1, 2])
    def test_no_page_is_in_two_parts(
        self, corpora: tuple[DividedCorpus, DividedCorpus], seed: int, count: int | None
    ) -> None:
        for corpus in corpora:
            training, validation, test = names(corpus.split(seed, count))
            assert len(training) == (count or corpus.most)
            assert test == {page.name for page in corpus.test}
            assert not training & validation
            assert not (training | validation) & test

    def test_cleaneval_draws_its_validation_pages_by_seed(self, corpora: tuple[DividedCorpus, DividedCorpus]) -> None:
        splits = [names(corpora[0].split(seed)) for seed in (1, 1, 2)]
        assert splits[0] == splits[1]
        assert splits[0][1] != splits[2][1]
        for training, validation, test in splits:
            assert [len(part) for part in (training, validation, test)] == [DEVELOPMENT - 5, 5, TEST]


class TestTraining:
    def test_scores_are_over_all_leaves_together(self, corpora: tuple[DividedCorpus, DividedCorpus]) -> None:
        pages = corpora[0].test
        # Each page has four items of a menu, two paragraphs of content and a footer.
        everything = ClassScores.of([np.ones(7, np.bool_)] * TEST, pages)
        assert everything.positive == pytest.approx((2 / 7, 1, 4 / 9))
        assert everything.negative == (0, 0, 0)


class TestRuns:
    def test_what_is_finished_is_not_trained_again(
        self, corpora: tuple[DividedCorpus, DividedCorpus], tmp_path: Path
    ) -> None:
        path, counted = tmp_path / "new" / "runs.json", Counted(epochs=2)

        def trained(seeds: tuple[int, ...]) -> list[Any]:
            runs = FinishedTrainings(path)
            return [runs.get(counted.learner, corpora[1], seed) for seed in seeds]

        first = trained((1, 2))
        assert counted.calls == 2
        assert trained((1, 2)) == first
        assert counted.calls == 2
        trained((1, 2, 3))
        assert counted.calls == 3, "only the seed that is new"
        FinishedTrainings(path).get(counted.learner, corpora[1], 1, OFFICIAL["train"])
        assert counted.calls == 3, "all pages are all pages"

    def test_the_digest_sees_schedule_size_pages_and_labels(
        self, corpora: tuple[DividedCorpus, DividedCorpus], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        split = corpora[1].split(1)
        first = split.test[0]
        gold = replace(first.gold, content=~first.gold.content)
        found = [digest(tables.boilernet(), split)]
        for page in (replace(first, name="other"), replace(first, html=b"other"), replace(first, gold=gold)):
            found.append(digest(tables.boilernet(), split._replace(test=[page, *split.test[1:]])))
        found.append(
            digest(
                tables.boilernet(),
                PageSplit(split.training[:-1], [*split.training[-1:], *split.validation], split.test),
            )
        )
        monkeypatch.setattr(tables, "SIZE", NetworkSize(projection=7))
        found.append(digest(tables.boilernet(), split))
        schedules = {**tables.SCHEDULES, "BoilerNet": replace(tables.SCHEDULES["BoilerNet"], epochs=9)}
        monkeypatch.setattr(tables, "SCHEDULES", schedules)
        found.append(digest(tables.boilernet(), split))
        found.append(digest(replace(tables.boilernet(), code="other"), split))
        assert len(set(found)) == len(found)
        on_gpu = {name: replace(schedule, device="cuda", seed=5) for name, schedule in schedules.items()}
        monkeypatch.setattr(tables, "SCHEDULES", on_gpu)
        assert digest(tables.boilernet(), split) == found[-2], "the seed stands in the key, the device in the run"

    @pytest.mark.parametrize(
        "text", ["{", "[1]", '{"a": 1}', '{"a": {"scores": {"b": [1]}, "seconds": 1, "device": ""}}']
    )
    def test_a_damaged_file_is_told(self, tmp_path: Path, text: str) -> None:
        (tmp_path / "runs.json").write_text(text)
        with pytest.raises(InputError, match="delete it"):
            FinishedTrainings(tmp_path / "runs.json")


def test_end_to_end(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tables, "COUNTS", (3,))
    page = tables.reproduce(data)
    # Per corpus and seed: Web2Text, and BoilerNet with all pages and with three; all pages are asked for twice.
    told = capsys.readouterr().err
    assert (told.count(" s)\n"), told.count("known from before")) == (2 * 2 * 3, 2 * 2)
    assert len(json.loads((tmp_path / tables.FINISHED).read_text())) == 2 * 2 * 3
    first, second, third = page.sections
    for section, corpus in ((first, "CleanEval"), (second, "GoogleTrends")):
        rows = [figure.name.rpartition(":")[0] for figure in section.figures]
        found = [row.removeprefix(f"{corpus}, ").partition(" (")[0] for row in dict.fromkeys(rows)]
        assert found == ["Web2Text", "Web2Text unary", *tables.BOILERPIPES, "Readability", "BoilerNet"]
        assert len(rows) == len(found) * len(tables.MEASURES)
        assert all(figure.paper is not None for figure in section.figures)
        ranged = [figure for figure in section.figures if figure.note.startswith("from ")]
        assert len(ranged) == 3 * len(tables.MEASURES), "three are trained"
    assert f"{DEVELOPMENT} development and {TEST} test pages" in first.words
    assert "6 training, 2 validation and 3 test pages" in second.words
    assert {figure.name for figure in third.figures} == {
        f"{corpus}, {count} pages: {name} F1"
        for corpus in ("CleanEval", "GoogleTrends")
        for count in (3, 6)
        for name in tables.CLASSES
    }
    assert main(["reproduce", "boilernet", "--data", str(data)]) == 0
    said = capsys.readouterr()
    assert said.err.count("known from before") == 2 * 2 * 4
    assert said.out.count("BoilerNet: ") == 4, "what is asked for"
