from __future__ import annotations

import json
import os
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tamis.batch.filters import Filters
from tamis.batch.inputs import Shard, shards
from tamis.batch.outputs import Output
from tamis.batch.packages import arrow
from tamis.batch.progress import Progress, report, shown
from tamis.batch.records import Kind, Letter, Record, Refused, Tally
from tamis.batch.rows import BatchOptions, answer
from tamis.batch.run import Plan, Step, Summary, Watcher, do_shard, make_plan, run, settings
from tamis.batch.workers import page_pool
from tamis.errors import InputError, MissingExtra, OptionError
from tests.batch.archives import CHEAP, page, response, zipped
from tests.batch.extractors import NeedsMore, Obedient

pytestmark = pytest.mark.xdist_group("batch-workers")

OPTIONS = BatchOptions(extractor="keep-all", columns=CHEAP)


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "pages.warc.gz"
    records = [zipped(response(number)) for number in range(30)]
    records[3] = records[3][:-30]
    records[4] = zipped(response(4, status=404))
    records[5] = zipped(response(5, b"<p></p>"))
    path.write_bytes(b"".join(records))
    return path


def rows(out: Path) -> list[dict[str, object]]:
    if any(out.glob("*.jsonl")):
        return [json.loads(line) for path in sorted(out.glob("*.jsonl")) for line in path.read_bytes().splitlines()]
    found: list[dict[str, object]] = arrow().parquet.read_table(out).to_pylist()
    return found


@pytest.mark.parametrize("format", ["parquet", "jsonl"])
def test_every_page_is_a_row_a_letter_or_refused(archive: Path, tmp_path: Path, format: str) -> None:
    out = tmp_path / "out"
    summary = run([str(archive)], Output(out, format), OPTIONS, workers=1, shard_bytes=1_500)
    found = rows(out)
    assert len(found) == len({row["id"] for row in found}) == 28
    assert all(tuple(row) == OPTIONS.columns for row in found)
    assert [row["id"] for row in found if row["error"] == "empty"] == ["<urn:uuid:00000005>"]
    (letter,) = Output(out, format).letters()
    assert (letter["kind"], letter["source"]) == ("unreadable", str(archive))
    assert letter["offset"] == sum(len(zipped(response(number))) for number in range(3))
    assert summary.total.as_dict() == summary.run.as_dict()
    assert summary.total.pages == 30
    assert summary.total.refused == {"status": 1}
    assert summary.shards == len(shards([str(archive)], shard_bytes=1_500)) > 3
    assert json.loads((out / "_summary.json").read_text()) == summary.as_dict()


def test_a_second_run_does_nothing_again(archive: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    first = run([str(archive)], Output(out), OPTIONS, workers=1, shard_bytes=1_500)
    before = {path: path.stat().st_mtime_ns for path in out.glob("*.parquet")}
    again = run([str(archive)], Output(out), OPTIONS, workers=2)
    assert again.run.pages == 0
    assert again.shards_done_before == first.shards
    assert again.total.letters == first.total.letters
    assert (again.total.pages, again.total.bytes) == (first.total.pages, first.total.bytes)
    assert {path: path.stat().st_mtime_ns for path in out.glob("*.parquet")} == before


@pytest.mark.parametrize("lost", ["_done", "rows"])
def test_a_shard_without_its_marker_is_done_again(archive: Path, tmp_path: Path, lost: str) -> None:
    out = tmp_path / "out"
    run([str(archive)], Output(out), OPTIONS, workers=1, shard_bytes=1_500)
    expected = sorted(str(row["id"]) for row in rows(out))
    name = sorted(out.glob("_done/*.json"))[0].stem
    (out / "_done" / f"{name}.json").unlink()
    if lost == "rows":
        (out / f"{name}.parquet").unlink()
    else:  # as after a kill between the rows and the marker, with letters of the attempt
        (out / "_dead" / f"{name}.jsonl").write_text('{"kind": "timeout"}\n')
    (out / "_tmp" / "tamis-leftover").write_text("of a run that was killed")
    summary = run([str(archive)], Output(out), OPTIONS, workers=1)
    assert sorted(str(row["id"]) for row in rows(out)) == expected
    assert summary.total.pages == 30
    assert Counter(letter["kind"] for letter in Output(out).letters()) == {"unreadable": 1}
    assert not any((out / "_tmp").iterdir())


def test_options_of_an_earlier_run_must_be_the_same(archive: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run([str(archive)], Output(out), OPTIONS, workers=1)

    def refuses(words: str, format: str = "parquet", shard_bytes: int | None = None, **options: Any) -> None:
        with pytest.raises(OptionError, match=words):
            run([str(archive)], Output(out, format), replace(OPTIONS, **options), workers=1, shard_bytes=shard_bytes)

    refuses("include_comments was False, now it is True.*choose another folder", include_comments=True)
    refuses(r"languages was None, now it is \['de', 'en'\]", filters=Filters(languages={"en", "de"}))
    refuses("format was 'parquet', now it is 'jsonl'", format="jsonl")
    refuses("shard_bytes was", shard_bytes=1_000)
    (out / "_run.json").write_text("{")
    refuses("can't be read")


def test_inputs_may_be_added_but_not_changed_or_taken_away(archive: Path, tmp_path: Path) -> None:
    out, more = tmp_path / "out", tmp_path / "more.warc"
    run([str(archive)], Output(out), OPTIONS, workers=1)
    more.write_bytes(response(99))
    both = run([str(archive), str(more)], Output(out), OPTIONS, workers=1)
    assert (both.run.rows, both.total.rows) == (1, 29)
    with pytest.raises(OptionError, match=r"it holds rows of .*more.warc, which is not an input"):
        run([str(archive)], Output(out), OPTIONS, workers=1)
    more.write_bytes(response(99) * 2)
    with pytest.raises(OptionError, match=r"more.warc: it has changed"):
        run([str(archive), str(more)], Output(out), OPTIONS, workers=1)


def test_a_path_may_be_spelled_in_another_way(archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "a.html").write_bytes(page(1))
    monkeypatch.chdir(tmp_path)
    out = Output(tmp_path / "out")
    assert run(["pages", archive.name], out, OPTIONS, workers=1).run.pages == 31
    assert run(["pages/", f"./{archive.name}"], out, OPTIONS, workers=1).run.pages == 0
    monkeypatch.chdir("pages")
    assert run([".", str(archive)], out, OPTIONS, workers=1).run.pages == 0
    monkeypatch.chdir("/")
    assert run([str(tmp_path / "pages"), str(archive)], out, OPTIONS, workers=1).run.pages == 0


def test_an_error_that_no_page_is_to_blame_for_ends_a_run(tmp_path: Path) -> None:
    path, out = tmp_path / "a.warc", Output(tmp_path / "out")
    path.write_bytes(response(1) + response(2, page(2, "ORDER:lack ")))
    with pytest.raises(MissingExtra, match="this page needs an extra"):
        run([str(path)], out, BatchOptions(extractor=Obedient(), columns=CHEAP), workers=1)
    assert not out.done()


def test_two_runs_do_not_write_to_one_folder(archive: Path, tmp_path: Path) -> None:
    out = Output(tmp_path / "out")
    with (
        out.opened(settings(OPTIONS), {"shard_bytes": 4 << 20}),
        pytest.raises(OptionError, match="another run is writing here"),
    ):
        run([str(archive)], Output(tmp_path / "out"), OPTIONS)


def test_nothing_is_made_where_nothing_can_be_done(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    for name in ("missing.warc", "pages"):
        with pytest.raises(InputError):
            run([str(tmp_path / name)], Output(tmp_path / "out"), OPTIONS)
    assert not (tmp_path / "out").exists()
    with pytest.raises(OptionError, match="'csv'; there are: parquet, jsonl"):
        Output(tmp_path, "csv")
    (tmp_path / "file").write_text("")
    (tmp_path / "a.html").write_bytes(page(1))
    with pytest.raises(OptionError, match="can't be written"):
        run([str(tmp_path / "a.html")], Output(tmp_path / "file" / "out"), OPTIONS)


def test_a_run_without_its_packages_leaves_nothing(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    with pytest.raises(MissingExtra, match="this extractor needs an extra"):
        run([str(archive)], Output(out), BatchOptions(extractor=NeedsMore()), workers=2)
    for module, format in (("pyarrow", "parquet"), ("fastwarc", "jsonl")):
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, module, None)
            with pytest.raises(MissingExtra, match=r"pip install 'tamis\[batch\]'"):
                run([str(archive)], Output(out, format), OPTIONS)
    assert not out.exists()


def test_the_reason_of_a_failure_has_no_second_name(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    arrow().parquet.write_table(arrow().table({"text": ["a"]}), path)
    summary = run([str(path)], Output(tmp_path / "out"), OPTIONS, workers=1)
    assert summary.failed == {str(path): "no column is called 'html'; there are: text"}
    with page_pool(OPTIONS, workers=1) as pool, pytest.raises(InputError, match=rf"^{path}: no column"):
        do_shard(shards([str(path)])[0], Output(tmp_path / "out"), pool, OPTIONS.columns)


def test_input_that_vanishes_is_named_and_the_rest_is_done(archive: Path, tmp_path: Path) -> None:
    gone = tmp_path / "gone.warc"
    gone.write_bytes(response(1))

    def begin(plan: Plan) -> Watcher:
        gone.unlink()
        return lambda step: None

    out = Output(tmp_path / "out")
    summary = run([str(gone), str(archive)], out, OPTIONS, workers=1, begin=begin)
    assert list(summary.failed) == [str(gone)]
    assert summary.total.pages == 30
    assert "not finished  " in report(summary, out)
    assert len(out.done()) == 1
    gone.write_bytes(response(1))
    assert run([str(gone), str(archive)], out, OPTIONS, workers=1).total.pages == 31


def test_an_error_in_the_middle_leaves_no_half_shard(archive: Path, tmp_path: Path) -> None:
    def fail(step: Step) -> None:
        raise RuntimeError("as when a disk is full")

    out = tmp_path / "out"
    with pytest.raises(RuntimeError):
        run([str(archive)], Output(out), OPTIONS, workers=1, shard_bytes=1_500, begin=lambda plan: fail)
    assert not any((out / "_tmp").iterdir())
    assert len(list(out.glob("*.parquet"))) == len(list(out.glob("_done/*.json"))) <= 1


def test_shards_can_be_handed_out_one_by_one(archive: Path, tmp_path: Path) -> None:
    out = Output(tmp_path / "out", "jsonl")
    with out.opened({}, {}), page_pool(OPTIONS, workers=1) as pool:
        plan = make_plan(shards([str(archive)], shard_bytes=1_500), out)
        total = Tally()
        for shard in plan.todo:
            total.merge(do_shard(shard, out, pool, OPTIONS.columns))
        assert make_plan(shards([str(archive)], shard_bytes=1_500), out).todo == []
        assert total.pages == 30
        gone = replace(plan.todo[0], path=str(tmp_path / "gone.warc"))
        with pytest.raises(InputError, match=r"gone.warc"):
            do_shard(gone, out, pool, OPTIONS.columns)
        assert not any((tmp_path / "out" / "_tmp").iterdir())


def test_counts_add_up_and_can_be_read_again() -> None:
    row = answer(Record(page(1), "a"), OPTIONS)
    empty = answer(Record(b"", "a"), OPTIONS)
    tally = Tally()
    tally.add([row, empty, Letter(Kind.CRASH, "", "", 0), Letter(Kind.CRASH, "", "", 0), Refused("size")])
    assert (tally.pages, tally.rows, tally.empty) == (5, 2, 1)
    assert tally.letters == {"crash": 2}
    again = Tally.from_dict(json.loads(json.dumps(tally.as_dict())))
    again.merge(tally)
    assert again.as_dict()["letters"] == {"crash": 4}
    assert again.bytes == 2 * len(page(1))


def test_progress_counts_bytes_also_within_a_shard() -> None:
    first, second = Shard("warc", "a", 100, 200, 100), Shard("folder", "b", 0, 5, 50)
    progress = Progress(Plan([first, second], {}))
    assert progress.total == 150
    progress.step(Step(first, [Letter(Kind.TIMEOUT, "", "a", 130)], None, read=30))
    assert progress.done == 30
    progress.step(Step(second, [Refused("status")], None, read=10))
    assert progress.done == 40
    progress.step(Step(first, [Refused("size")], None, read=20))
    assert progress.done == 40, "it does not go back"
    progress.step(Step(first, [Letter(Kind.TIMEOUT, "", "a", 190)], Tally()))
    assert progress.done == 110
    progress.step(Step(second, [], None, failed="it is gone"))
    assert progress.done == 150
    assert progress.words() == "4 pages (2 timeout)"


def _read_all(reader: int) -> str:
    """What was drawn on a terminal that is closed now; it may come in pieces."""
    pieces = []
    with suppress(OSError):  # raised when all writers have closed the terminal
        while piece := os.read(reader, 1 << 16):
            pieces.append(piece)
    return b"".join(pieces).decode()


def test_a_bar_needs_rich_and_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    shard = Shard("warc", "a", 0, None, 100)
    plan = Plan([shard], {})
    reader, writer = os.openpty()
    monkeypatch.setitem(sys.modules, "rich", None)
    with os.fdopen(writer, "w") as terminal, shown(plan, terminal) as watch:
        watch(Step(shard, [], Tally()))
    assert _read_all(reader) == "tamis: for a progress bar: pip install 'tamis[cli]'\r\n"
    os.close(reader)
    with Path(os.devnull).open("w") as file, shown(plan, file) as watch:
        watch(Step(shard, [], Tally()))


def test_the_report_says_what_became_of_pages_and_where_they_are() -> None:
    tally = Tally(rows=2, empty=1, letters=Counter(timeout=1, crash=2), refused=Counter(content_type=4))
    summary = Summary(tally, tally, shards=5, shards_done_before=2, seconds=2.0)
    assert report(summary, Output("made/out")).splitlines() == [
        "9 pages in 2.0 s (4.5 pages/s); 2 of 5 shards were done before",
        "rows          2, of them 1 empty; see made/out",
        "dead letters  2 crash, 1 timeout; see made/out/_dead",
        "refused       4 by content type",
    ]
    assert report(Summary(run=Tally(rows=1), seconds=0.5), Output("out")).startswith("1 page in 0.5 s")
