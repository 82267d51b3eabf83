"""The pinned floors on the two smallest corpora, where they are here; otherwise these tests say that they did not run.

`make gate` runs all extractors on all corpora. Here the default runs, and on the smallest corpus those without weights.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tamis.cli.main import main
from tamis.registry import DEFAULT, extractors
from tamis_lab.bench import gate
from tamis_lab.corpora.catalogue import DATA_VARIABLE, find_corpus
from tests.project import PROJECT

_DATA = os.environ.get(DATA_VARIABLE) or PROJECT.parent / "shared" / "data"
_SMALLEST, _SECOND = "googletrends-2017:test", "chaos"
_WITHOUT_WEIGHTS = {name for name, entry in extractors().items() if not entry.weights}
_PINNED = gate.read(PROJECT / "benchmarks" / "floors.toml")
FLOORS = [
    floor
    for floor in _PINNED.floors
    if (floor.contestant == DEFAULT and floor.corpus in (_SMALLEST, _SECOND))
    or (floor.contestant in _WITHOUT_WEIGHTS and floor.corpus == _SMALLEST)
]


@pytest.mark.nightly
@pytest.mark.parametrize("label", sorted({floor.corpus for floor in FLOORS}))
def test_no_extractor_is_below_its_floors(
    label: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if find_corpus(label.partition(":")[0], _DATA) is None:
        pytest.skip(f"not run: {label} is not in {_DATA}")
    # Counting lines in thousands of pages would triple the time and find nothing that other tests don't.
    for variable in [name for name in os.environ if name.startswith("COV")]:
        monkeypatch.delenv(variable)
    floors = [floor for floor in FLOORS if floor.corpus == label]
    gate.write(tmp_path / "floors.toml", _PINNED._replace(floors=floors))
    extractors = [word for floor in floors for word in ("--extractor", floor.contestant)]
    where = ["--data", str(_DATA), "--output", str(tmp_path / "bench"), "--gate", str(tmp_path / "floors.toml")]
    code = main(["bench", "--corpus", label, *extractors, "--no-peers", "--workers", "1", *where])
    assert code == 0, capfd.readouterr().err
