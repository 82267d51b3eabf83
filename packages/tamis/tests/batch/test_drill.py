"""Everything that can go wrong at once; nothing may be lost, and nothing may be there twice."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from tamis.batch.outputs import Output
from tamis.batch.packages import arrow
from tests.batch import s3
from tests.batch.drill import PAGES, Planted, drill, write_archive
from tests.project import PACKAGE

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.xdist_group("batch-workers"),
    pytest.mark.skipif(sys.platform != "linux", reason="memory can be limited on Linux only"),
]


def killed_after(shards: int, archive: str, out: str) -> None:
    """A run that is killed as soon as so many shards are done, at whatever it is doing then."""
    process = subprocess.Popen([sys.executable, "-m", "tests.batch.drill", archive, out], cwd=PACKAGE)
    workers: list[str] = []
    try:
        while len(Output(out).done()) < shards:
            assert process.poll() is None, "the run ended before it could be killed"
            workers = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
            time.sleep(0.01)
    finally:
        process.kill()
        ended = process.wait()
    assert ended == -signal.SIGKILL
    patience = time.monotonic() + 30
    while any(_is_alive(worker) for worker in workers):
        assert time.monotonic() < patience, "a worker outlives a run that was killed"
        time.sleep(0.05)


def _is_alive(process: str) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def drilled(planted: Planted, archive: str, out: str) -> None:
    """Kill a run twice, let the third one end, and look at its counts and dead letters."""
    killed_after(2, archive, out)
    killed_after(6, archive, out)
    summary = drill(archive, out)
    assert not summary.failed
    assert summary.shards_done_before >= 6
    assert summary.run.pages < summary.total.pages == PAGES
    assert summary.total.letters == Counter(planted.poison.values())
    assert not summary.total.refused
    letters = [(letter["offset"], letter["kind"]) for letter in Output(out).letters()]
    assert sorted(letters) == sorted(planted.poison.items())


def test_all_good_pages_once_and_all_poison_by_its_kind(tmp_path: Path) -> None:
    archive, out = tmp_path / "pages.warc.gz", tmp_path / "out"
    planted = write_archive(archive)
    drilled(planted, str(archive), str(out))
    ids = arrow().parquet.read_table(out, columns=["id"]).column("id").to_pylist()
    assert Counter(ids) == Counter(planted.good)
    assert not any((out / "_tmp").iterdir())


def test_the_same_in_a_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planted = write_archive(tmp_path / "pages.warc.gz")
    with s3.server(monkeypatch):
        archive = s3.put("pages.warc.gz", (tmp_path / "pages.warc.gz").read_bytes())
        drilled(planted, archive, f"s3://{s3.BUCKET}/out")
        assert Counter(s3.ids("out")) == Counter(planted.good)
