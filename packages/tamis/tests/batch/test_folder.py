"""The output folder: what no run has written stays, a full disk loses nothing, and inputs are the same or refused."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tamis.batch.inputs import fingerprint, shards
from tamis.batch.outputs import Output, folder
from tamis.batch.rows import BatchOptions
from tamis.batch.run import run
from tamis.errors import OptionError
from tests.batch.archives import CHEAP, page, response, zipped

pytestmark = pytest.mark.xdist_group("batch-workers")

OPTIONS = BatchOptions(extractor="keep-all", columns=CHEAP)


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(b"".join(zipped(response(number)) for number in range(5)))
    return path


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", ["_tmp/precious", "_done/a.json", "_dead/x", "_lock", "_run.json", "_summary.json"])
def test_a_folder_of_somebody_else_is_refused_and_stays(archive: Path, tmp_path: Path, name: str) -> None:
    out = tmp_path / "out"
    (out / name).parent.mkdir(parents=True)
    (out / name).write_text('{"mine": 1}')
    before = contents(out)
    with pytest.raises(OptionError):
        run([str(archive)], Output(out), OPTIONS, workers=1)
    assert contents(out) == before


@pytest.mark.parametrize("name", ["_tmp", "_done", "_dead", "_lock", "_run.json"])
@pytest.mark.parametrize("used", [False, True])
def test_links_are_not_followed(archive: Path, tmp_path: Path, name: str, used: bool) -> None:
    out, other = tmp_path / "out", tmp_path / "other"
    out.mkdir()
    if used:
        run([str(archive)], Output(out), OPTIONS, workers=1)
        shutil.rmtree(out / name) if (out / name).is_dir() else (out / name).unlink()
    if name in ("_lock", "_run.json"):
        other.write_text("precious")
    else:
        other.mkdir()
        (other / "tamis-precious").write_text("precious")
    (out / name).symlink_to(other)
    with pytest.raises(OptionError, match="reserved for runs, but no run wrote it"):
        run([str(archive)], Output(out), OPTIONS, workers=1)
    assert (other if other.is_file() else other / "tamis-precious").read_text() == "precious"


def test_nothing_is_deleted_where_options_differ_or_a_name_is_foreign(archive: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run([str(archive)], Output(out), OPTIONS, workers=1)
    (out / "_tmp" / "tamis-leftover").write_text("ours")
    (out / "_tmp" / "notes").write_text("not ours")
    with pytest.raises(OptionError, match="other options"):
        run([str(archive)], Output(out), replace(OPTIONS, visible_only=True), workers=1)
    assert sorted(path.name for path in (out / "_tmp").iterdir()) == ["notes", "tamis-leftover"]
    run([str(archive)], Output(out), OPTIONS, workers=1)
    assert [path.name for path in (out / "_tmp").iterdir()] == ["notes"]


def test_a_run_that_was_killed_at_its_start_can_be_repeated(archive: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "_lock").touch()
    (out / "_tamis-_run.json").write_text("{")
    assert run([str(archive)], Output(out), OPTIONS, workers=1).total.rows == 5


def test_options_are_on_disk_before_they_have_their_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[tuple[Path, bool]] = []
    monkeypatch.setattr(folder, "_sync", lambda path: synced.append((path, (tmp_path / "_run.json").exists())))
    folder.Folder(tmp_path).write("_run.json", b"{}")
    assert synced == [(tmp_path / "_tamis-_run.json", False), (tmp_path, True)]


def _limit_files() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))


@pytest.mark.skipif(sys.platform != "linux", reason="limits on files differ elsewhere")
@pytest.mark.parametrize("format", ["parquet", "jsonl"])
def test_a_disk_that_is_full_is_said_in_a_line(tmp_path: Path, format: str) -> None:
    path, out = tmp_path / "a.warc", tmp_path / "out"
    bodies = [page(number, os.urandom(5_000).hex()) for number in range(20)]
    path.write_bytes(b"".join(response(number, body) for number, body in enumerate(bodies)))
    command = [sys.executable, "-m", "tamis", "batch", str(path), "-o", str(out), "--format", format, "--workers", "1"]
    command += ["--extractor", "keep-all", "--columns", CHEAP]
    # What measures coverage would fill the disk as well.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COV")}
    full = subprocess.run(
        command, capture_output=True, text=True, check=False, preexec_fn=_limit_files, env=environment
    )
    assert (full.returncode, full.stdout) == (2, "")
    assert full.stderr == f"tamis: {out}: can't be written: File too large\n"
    assert not any((out / "_tmp").iterdir())
    again = subprocess.run(command, capture_output=True, text=True, check=False)
    assert again.returncode == 0, again.stderr
    assert "20 pages" in again.stdout


def test_an_input_that_was_replaced_is_noticed(archive: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run([str(archive)], Output(out), OPTIONS, workers=1, shard_bytes=700)
    modified = archive.stat().st_mtime_ns
    original = archive.read_bytes()
    archive.write_bytes(b"".join(zipped(response(number)) for number in (0, 1, 3, 2, 4)))
    os.utime(archive, ns=(modified, modified))
    assert archive.stat().st_size == len(original)
    with pytest.raises(OptionError, match=r"a.warc.gz: it has changed since its rows were written"):
        run([str(archive)], Output(out), OPTIONS, workers=1, shard_bytes=700)
    archive.write_bytes(original)
    assert run([str(archive)], Output(out), OPTIONS, workers=1, shard_bytes=700).run.pages == 0, "a copy is the same"


def test_a_page_of_a_folder_that_was_replaced_is_noticed(tmp_path: Path) -> None:
    pages, out = tmp_path / "pages", tmp_path / "out"
    pages.mkdir()
    for number in range(4):
        (pages / f"{number}.html").write_bytes(page(number))
    run([str(pages)], Output(out), OPTIONS, workers=1)
    (pages / "2.html").write_bytes(page(7))
    with pytest.raises(OptionError, match="it has changed"):
        run([str(pages)], Output(out), OPTIONS, workers=1)
    (pages / "2.html").write_bytes(page(2))
    assert run([str(pages)], Output(out), OPTIONS, workers=1).run.pages == 0


def test_shards_of_one_file_have_fingerprints_of_their_own(archive: Path) -> None:
    found = shards([str(archive)], shard_bytes=400)
    assert len({fingerprint(shard) for shard in found}) == len(found) > 2


def test_markers_that_are_damaged_or_of_an_earlier_version_are_refused(archive: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run([str(archive)], Output(out), OPTIONS, workers=1)
    (marker,) = out.glob("_done/*.json")
    plain = json.loads(marker.read_text())
    del plain["input"]
    for content, words in ((json.dumps(plain), "an earlier version of tamis"), ("[]", "this marker can't be read")):
        marker.write_text(content)
        with pytest.raises(OptionError, match=words):
            run([str(archive)], Output(out), OPTIONS, workers=1)


@pytest.mark.parametrize("format", ["parquet", "jsonl"])
def test_paths_that_are_no_utf_8(archive: Path, tmp_path: Path, format: str) -> None:
    folder, out = Path(os.fsdecode(bytes(tmp_path) + b"/p\xff")), Path(os.fsdecode(bytes(tmp_path) + b"/o\xff"))
    folder.mkdir()
    (folder / os.fsdecode(b"\xfe.html")).write_bytes(page(0))
    (folder / os.fsdecode(b"\xfd.parquet")).write_bytes(b"PAR1")
    command = [sys.executable, "-m", "tamis", "batch", str(folder), str(folder / "*.parquet"), "-o", str(out)]
    command += ["--extractor", "keep-all", "--columns", CHEAP, "--workers", "1", "--format", format, "--json"]
    for _ in range(2):
        done = subprocess.run(command, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["total"]["pages"] == 2
