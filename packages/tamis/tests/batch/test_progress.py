"""How far a run is, by bytes of its input: within a shard, whatever its format."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tamis.batch.filters import Filters
from tamis.batch.inputs import read, shards
from tamis.batch.outputs import Output
from tamis.batch.progress import Progress
from tamis.batch.rows import BatchOptions
from tamis.batch.run import Plan, Step, Watcher, run
from tests.batch.archives import CHEAP, page, write_input
from tests.cli.test_terminal import on_a_terminal

pytestmark = pytest.mark.xdist_group("batch-workers")

PAGES = 300
WORDS = [random.Random(number).randbytes(2_000).hex() for number in range(PAGES)]
HTML = [page(number, words) for number, words in enumerate(WORDS)]

NAMES = ["a.warc", "a.warc.gz", "a.warc.zst", "whole.warc.gz", "a.jsonl", "a.jsonl.gz", "a.parquet", "pages"]


@pytest.mark.parametrize("name", NAMES)
def test_every_item_says_how_much_is_read(name: str, tmp_path: Path) -> None:
    (shard,) = shards([str(write_input(tmp_path / name, HTML))], shard_bytes=1 << 30)
    read_so_far = [item.read for item in read(shard)]
    assert len(read_so_far) == PAGES
    for number in (50, 150, 250):
        # Compressed files are read ahead, by a tenth of these.
        assert number / PAGES - 0.01 <= read_so_far[number] / shard.size <= number / PAGES + 0.2
    assert read_so_far[-1] >= 0.99 * shard.size


@pytest.mark.parametrize("refused", [False, True])
def test_one_shard_does_not_jump_from_nothing_to_all(tmp_path: Path, refused: bool) -> None:
    filters = Filters(min_bytes=1 << 20) if refused else Filters()
    options = BatchOptions(extractor="keep-all", columns=CHEAP, filters=filters)
    seen: list[float] = []

    def begin(plan: Plan) -> Watcher:
        progress = Progress(plan)

        def watch(step: Step) -> None:
            progress.step(step)
            seen.append(progress.done / progress.total)

        return watch

    path = write_input(tmp_path / "a.jsonl.gz", HTML)
    summary = run([str(path)], Output(tmp_path / "out"), options, workers=1, begin=begin)
    assert (summary.shards, summary.total.refused.total()) == (1, PAGES if refused else 0)
    assert len(seen) > 3
    assert seen == sorted(seen)
    assert 0 < seen[0] < seen[2] < 1 == seen[-1]


def test_a_terminal_shows_bytes_pages_and_time(tmp_path: Path) -> None:
    archive = write_input(tmp_path / "a.warc.gz", HTML)
    size = archive.stat().st_size
    printed = on_a_terminal(
        "batch", str(archive), "-o", str(tmp_path / "out"), "-e", "keep-all", "--workers", "1", "--status", "any"
    )
    bar = printed.replace("\x1b[2K", "").replace("\r", "\n")
    assert f"{size / 1e3:.1f}/{size / 1e3:.1f} kB" in bar
    assert "100%" in bar
    assert f"pages/s, {PAGES} pages" in bar
    assert f"{PAGES} pages in " in bar, "the report follows the bar"


def test_a_small_archive_keeps_two_workers_busy(tmp_path: Path) -> None:
    for name in ("a.warc", "a.warc.gz", "a.warc.zst", "a.jsonl"):
        path = write_input(tmp_path / name, HTML)
        data = path.read_bytes()
        path.write_bytes(data * (7_000_000 // len(data) + 1))
        found = shards([str(path)])
        assert len(found) >= 6
        counts = [sum(1 for _ in read(shard)) for shard in found]
        assert sum(counts) == PAGES * (path.stat().st_size // len(data))
        assert max(counts) < 0.35 * sum(counts)
    for name in ("whole.warc.gz", "a.jsonl.gz"):
        assert len(shards([str(write_input(tmp_path / name, HTML))])) == 1
