"""The rules of the gate, and the pinned floors on the two smallest corpora, where they are here.

`make gate` runs all extractors on all corpora. Here the default runs, and on the smallest corpus those without weights.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from tamis.cli.main import main
from tamis.errors import OptionError
from tamis.registry import DEFAULT, extractors
from tamis_lab.bench import gate
from tamis_lab.bench.gate import Floor, Floors
from tamis_lab.bench.text import Score, TextRow, TextSummary
from tamis_lab.corpora.catalogue import DATA_VARIABLE, find_corpus
from tests.project import PROJECT

FLOOR = Floor("wcxb:dev", "abc", 1497, "r4", 0.7, {"article": 0.8, "forum": 0.5})


def summary(mean: float, **types: float) -> TextSummary:
    row = TextRow(
        contestant="r4",
        kind="extractor",
        version="1",
        f1=Score(mean, mean, mean, 1497),
        median=mean,
        precision=mean,
        recall=mean,
        wanted=None,
        unwanted=None,
        seconds=0.1,
        losses={},
        p=None,
        cuts={"page type": {name: Score(value, value, value, 9) for name, value in types.items()}},
        by_page={},
    )
    return TextSummary("wcxb:dev", "WCXB", "abc", 1497, [row])


def test_what_was_reached_is_cut_off_and_so_passes() -> None:
    (reached,) = gate.measured([summary(0.70009, article=0.8, forum=0.57 - 1e-15)])
    assert (reached.overall, reached.page_types) == (0.7, {"article": 0.8, "forum": 0.57})
    assert gate.violations(Floors([reached]), [reached]) == []


def test_one_line_for_each_violation() -> None:
    now = replace(FLOOR, overall=0.69, page_types={"article": 0.81, "forum": 0.4})
    assert gate.violations(Floors([FLOOR]), [now]) == [
        "wcxb:dev: r4: overall F1 0.6900 is below its floor 0.7000 by more than 0.0005",
        "wcxb:dev: r4: page type forum F1 0.4000 is below its floor 0.5000 by more than 0.0005",
    ]
    assert len(gate.violations(Floors([FLOOR]), [replace(FLOOR, page_types={"article": 0.9})])) == 1, (
        "a page type is gone"
    )


def test_another_processor_may_be_a_little_below() -> None:
    """A floor that one machine set failed on another by 0.0001."""
    little = replace(FLOOR, overall=0.6995, page_types={"article": 0.7999, "forum": 0.5})
    assert gate.violations(Floors([FLOOR]), [little]) == []
    assert len(gate.violations(Floors([FLOOR]), [replace(little, overall=0.6994)])) == 1
    assert len(gate.violations(Floors([FLOOR], tolerance=0), [little])) == 2
    ceiling = Floor("wcxb:dev", "abc", 1497, "tamis", accuracy={"date": 0.9}, false_answers={"date": 0.1})
    assert gate.violations(Floors([ceiling]), [replace(ceiling, false_answers={"date": 0.1005})]) == []
    assert len(gate.violations(Floors([ceiling]), [replace(ceiling, false_answers={"date": 0.1006})])) == 1


@pytest.mark.parametrize(
    ("now", "complaint"),
    [
        ([replace(FLOOR, digest="xyz", overall=0.1)], "the corpus is not the one the floors were set on"),
        ([replace(FLOOR, pages=10)], "for 1,497 pages, this run has 10"),
        ([replace(FLOOR, contestant="other")], "was not run"),
        ([], "was not run"),
    ],
)
def test_floors_that_cannot_be_judged(now: list[Floor], complaint: str) -> None:
    (line,) = gate.violations(Floors([FLOOR]), now)
    assert complaint in line


def test_an_update_raises_and_never_lowers() -> None:
    now = replace(FLOOR, overall=0.75, page_types={"article": 0.6, "recipe": 0.9})
    (floor,) = gate.updated(Floors([FLOOR]), [now], lower=False).floors
    assert (floor.overall, floor.page_types) == (0.75, {"article": 0.8, "forum": 0.5, "recipe": 0.9})
    assert gate.updated(Floors([FLOOR]), [now], lower=True).floors == [now]


def test_over_other_pages_floors_are_replaced_only_by_higher_ones() -> None:
    higher = replace(FLOOR, digest="xyz", overall=0.71)
    assert gate.updated(Floors([FLOOR]), [higher], lower=False).floors == [higher]
    lower = replace(FLOOR, digest="xyz", overall=0.69)
    assert gate.updated(Floors([FLOOR]), [lower], lower=False).floors == [FLOOR]
    assert gate.updated(Floors([FLOOR]), [lower], lower=True).floors == [lower]


def test_written_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "floors.toml"
    floors = Floors([FLOOR, replace(FLOOR, contestant='odd "name" \\ ä', page_types={})], 0.001)
    gate.write(path, floors)
    assert gate.read(path) == floors


@pytest.mark.parametrize(
    "content",
    ["", "floor = 3", "[[floor]]\ncorpus = 'a'", "not toml", "[[floor]]\ncorpus='a'\ndigest='b'\npages='many'"],
)
def test_files_that_are_no_floors(content: str, tmp_path: Path) -> None:
    path = tmp_path / "floors.toml"
    path.write_text(content)
    with pytest.raises(OptionError, match=r"floors\.toml: not a floors file"):
        gate.read(path)


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="No such file"):
        gate.read(tmp_path / "none.toml")
    with pytest.raises(OptionError, match="can't be written"):
        gate.write(tmp_path / "no" / "folder.toml", Floors([FLOOR]))


_DATA = os.environ.get(DATA_VARIABLE) or PROJECT.parent / "shared" / "data"
_SMALLEST, _SECOND = "googletrends-2017:test", "chaos"
_WITHOUT_WEIGHTS = {name for name, entry in extractors().items() if not entry.weights}
_PINNED = gate.read(PROJECT / "benchmarks" / "floors.toml")
_FLOORS = [
    floor
    for floor in _PINNED.floors
    if (floor.contestant == DEFAULT and floor.corpus in (_SMALLEST, _SECOND))
    or (floor.contestant in _WITHOUT_WEIGHTS and floor.corpus == _SMALLEST)
]


@pytest.mark.nightly
@pytest.mark.parametrize("label", sorted({floor.corpus for floor in _FLOORS}))
def test_no_extractor_is_below_its_floors(
    label: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if find_corpus(label.partition(":")[0], _DATA) is None:
        pytest.skip(f"not run: {label} is not in {_DATA}")
    # Counting lines in thousands of pages would triple the time and find nothing that other tests don't.
    for variable in [name for name in os.environ if name.startswith("COV")]:
        monkeypatch.delenv(variable)
    floors = [floor for floor in _FLOORS if floor.corpus == label]
    gate.write(tmp_path / "floors.toml", _PINNED._replace(floors=floors))
    extractors = [word for floor in floors for word in ("--extractor", floor.contestant)]
    where = ["--data", str(_DATA), "--output", str(tmp_path / "bench"), "--gate", str(tmp_path / "floors.toml")]
    code = main(["bench", "--corpus", label, *extractors, "--no-peers", "--workers", "1", *where])
    assert code == 0, capfd.readouterr().err
