"""A batch whose inputs and output are in a store: an S3 server on this machine, and fsspec's memory."""

from __future__ import annotations

import json
import random
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar
from unittest.mock import Mock

import pytest

from tamis.batch import stores
from tamis.batch.inputs import Shard, fingerprint, read, shards
from tamis.batch.outputs import Output
from tamis.batch.packages import fsspec
from tamis.batch.records import Item, Record
from tamis.batch.rows import BatchOptions
from tamis.batch.run import run, settings
from tamis.cli.main import main
from tamis.errors import InputError, MissingExtra, OptionError
from tests.batch.archives import CHEAP, PACKERS, page, response, write_input
from tests.batch.s3 import BUCKET, SECRET, ids, objects, point_to, proxied, put, server
from tests.servers import LocalHandler, LocalServer

pytestmark = pytest.mark.xdist_group("batch-workers")

OPTIONS = BatchOptions(extractor="keep-all", columns=CHEAP)
COMMON = ["-e", "keep-all", "--workers", "1", "--columns", CHEAP]


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    with server(monkeypatch) as endpoint:
        yield endpoint


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stores, "_PAUSES", (0.01, 0.01, 0.01))


NAMES = ("a.warc", "a.warc.gz", "a.warc.zst", "whole.warc.gz", "a.jsonl", "a.jsonl.gz", "a.parquet", "pages")


def inputs(folder: Path, words: str = "") -> dict[str, bytes]:
    """Forty pages in each kind of input, by the names of their files."""
    made = folder / "inputs"
    made.mkdir(exist_ok=True)
    for name in NAMES:
        write_input(made / name, [page(number, words) for number in range(40)])
    return {path.relative_to(made).as_posix(): path.read_bytes() for path in made.rglob("*") if path.is_file()}


def items(*patterns: str, shard_bytes: int = 6_000) -> list[Item]:
    return [item for shard in shards(patterns, shard_bytes=shard_bytes) for item in read(shard)]


def plain(found: list[Item]) -> list[tuple[str, bytes, int]]:
    return [(item.id, getattr(item, "body", b""), item.offset) for item in found]


def test_every_format_is_read_as_from_a_disk(s3: str, tmp_path: Path) -> None:
    for name, data in inputs(tmp_path).items():
        put(f"in/{name}", data)
    for name in NAMES:
        assert plain(items(f"s3://{BUCKET}/in/{name}")) == plain(items(f"{tmp_path}/inputs/{name}")), name
    folder = f"s3://{BUCKET}/in/pages"
    assert len(items(f"{folder}/")) == 40
    found = [item.source for item in items(f"{folder}/01/*[89]*.html")]
    assert found == [f"{folder}/01/{number:03} ü.html" for number in (8, 9)]
    archives = shards([f"s3://{BUCKET}/in/a.*"], shard_bytes=1 << 20)
    assert [shard.path.rpartition("/")[2] for shard in archives] == sorted(name for name in NAMES if name[0] == "a")


def test_a_slice_is_read_and_not_the_archive(s3: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stores, "_FIRST_BLOCK", 1 << 12)
    monkeypatch.setattr("tamis.batch.inputs.warc._RUN_UP", 1 << 12)
    address = put("large.warc", b"".join(response(n, b"<p>x" + b"." * 10_000) for n in range(200)))
    spy = Mock(wraps=stores.read_range)
    monkeypatch.setattr(stores, "read_range", spy)
    first = shards([address], shard_bytes=100_000)[0]
    assert len(list(read(first))) == 10
    assert sum(end - start for _, start, end in (call.args for call in spy.call_args_list)) < 400_000 < 2_000_000


@pytest.mark.parametrize("format", ["parquet", "jsonl"])
def test_rows_letters_and_markers_are_those_of_a_disk(s3: str, tmp_path: Path, format: str) -> None:
    records = [PACKERS[".warc.gz"](response(n)) for n in range(30)]
    records[3] = records[3][:-30]
    records[4] = PACKERS[".warc.gz"](response(4, status=404))
    (tmp_path / "a.warc.gz").write_bytes(b"".join(records))
    address, out = put("a.warc.gz", b"".join(records)), f"s3://{BUCKET}/out"
    here = run([str(tmp_path / "a.warc.gz")], Output(tmp_path / "out", format), OPTIONS, workers=1, shard_bytes=1_500)
    there = run([address], Output(out, format), OPTIONS, workers=1, shard_bytes=1_500)
    assert there.total.as_dict() | {"seconds": 0} == here.total.as_dict() | {"seconds": 0}
    assert list(Output(out, format).letters()) == [
        letter | {"source": address} for letter in Output(tmp_path / "out", format).letters()
    ]
    found = objects("out")
    assert json.loads(found["out/_summary.json"]) == there.as_dict()
    assert sorted(name.partition("/")[0] for name in found) == ["out"] * len(found)
    assert not [name for name in found if SECRET.encode() in found[name]]
    assert sum(name.endswith(f".{format}") and "_" not in name for name in found) == here.shards
    lost = next(name for name in found if "_done/" in name)
    fsspec().filesystem("s3").rm_file(f"{BUCKET}/{lost}")  # as after a kill between rows and marker
    put(lost.replace("_done", "_dead") + "l", b'{"kind": "timeout"}\n')
    again = run([address], Output(out, format), OPTIONS, workers=2)
    assert again.shards_done_before == there.shards - 1
    assert (again.total.pages, again.total.letters) == (there.total.pages, there.total.letters)
    assert objects("out").keys() == found.keys()
    with pytest.raises(OptionError, match="favor_recall was False, now it is True"):
        run([address], Output(out, format), BatchOptions("keep-all", favor_recall=True, columns=CHEAP))


def test_a_folder_that_appears_while_it_is_listed_is_no_file(s3: str, monkeypatch: pytest.MonkeyPatch) -> None:
    put("out/_done/a.json", b"{}")
    fs = fsspec().filesystem("s3")
    folder = fs.info(f"{BUCKET}/out/_done")
    assert folder["type"] == "directory"
    monkeypatch.setattr(fs, "find", lambda path, **_: {folder["name"]: folder})  # as s3fs answers then
    assert stores.files_below(f"s3://{BUCKET}/out/_done") == []


def test_pages_may_be_added_to_a_store_but_not_changed(s3: str) -> None:
    put("in/a.html", page(1))
    glob, out = f"s3://{BUCKET}/in/*.warc", f"s3://{BUCKET}/out"
    put("in/a.warc", response(1))
    assert run([glob], Output(out), OPTIONS, workers=1).total.rows == 1
    put("in/b.warc", response(2))
    assert run([glob], Output(out), OPTIONS, workers=1).total.rows == 2
    put("in/b.warc", response(3))
    with pytest.raises(OptionError, match=r"b\.warc: it has changed"):
        run([glob], Output(out), OPTIONS, workers=1)


def test_of_two_runs_the_later_one_goes_on(s3: str) -> None:
    address, out = put("a.warc", b"".join(map(response, range(9)))), f"s3://{BUCKET}/out"
    earlier, later = Output(out), Output(out)
    (shard,) = shards([address])
    with (
        earlier.opened(settings(OPTIONS), {"shard_bytes": 1}),
        earlier.writer(shard, OPTIONS.columns) as late,
        later.opened(settings(OPTIONS), {"shard_bytes": 1}),
        later.writer(shard, OPTIONS.columns) as writer,
    ):
        with pytest.raises(OptionError, match="another run has started to write here, so this one ends"):
            late.commit()
        assert not later.done()
        writer.commit()
        assert len(later.done()) == 1


def test_a_prefix_that_no_run_has_made_is_refused(s3: str) -> None:
    address = put("a.warc", response(1))
    put("out/_done/x.json", b"mine")
    with pytest.raises(OptionError, match=r"/_done: this name is reserved for runs, but no run wrote it"):
        run([address], Output(f"s3://{BUCKET}/out"), OPTIONS)
    put("other/_lock", b"mine")
    with pytest.raises(OptionError, match=r"/_lock: this name is reserved"):
        run([address], Output(f"s3://{BUCKET}/other"), OPTIONS)


@pytest.mark.nightly
def test_faults_of_the_network_lose_nothing(s3: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stores, "_FIRST_BLOCK", 1 << 14)
    for name, data in inputs(tmp_path).items():
        put(f"in/{name}", data)
    patterns = [f"s3://{BUCKET}/in/a*", f"s3://{BUCKET}/in/pages/00"]
    expected = plain(items(*patterns, shard_bytes=1 << 20))
    faults: list[int | slice | None] = [None, 500, None, None, 503, None, None, slice(0), None, None, slice(400)]
    with proxied(s3, lambda number, method, path: faults[number % len(faults)]) as proxy:
        point_to(monkeypatch, proxy.endpoint)
        assert plain(items(*patterns, shard_bytes=1 << 20)) == expected
        summary = run(patterns, Output(f"s3://{BUCKET}/out"), OPTIONS, workers=2, shard_bytes=1 << 20)
    assert proxy.faults > 30
    assert summary.total.rows == summary.total.pages == len(expected)
    point_to(monkeypatch, s3)
    assert sorted(ids("out")) == sorted(identity for identity, _, _ in expected)


OTHERS = ("a.warc.zst", "a.warc", "a.jsonl", "a.jsonl.gz", "a.parquet")


@pytest.mark.parametrize(
    "name", ["a.warc.gz", "pages", *(pytest.param(name, marks=pytest.mark.nightly) for name in OTHERS)]
)
def test_a_store_that_stays_away_is_no_damage_of_the_input(
    s3: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(stores, "_FIRST_BLOCK", 1 << 12)
    monkeypatch.setattr(stores, "_LARGEST_BLOCK", 1 << 12)
    monkeypatch.setattr("s3fs.core.S3FileSystem.retries", 1)
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    padding = random.Random(1).randbytes(20_000).hex()
    for each, data in inputs(tmp_path, padding).items():
        if each.startswith(name):
            put(f"in/{each}", data)
    away = False
    with proxied(s3, lambda number, method, path: slice(0) if away else None) as proxy:
        point_to(monkeypatch, proxy.endpoint)
        (shard,) = shards([f"s3://{BUCKET}/in/{name}"], shard_bytes=1 << 30)
        found = read(shard)
        assert isinstance(next(found), Record)
        away = True
        with pytest.raises(InputError, match=rf"^s3://{BUCKET}/in/{name}"):
            list(found)


def test_what_is_wrong_is_one_line_without_secrets(
    s3: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    address = put("a.warc", response(1))
    local = tmp_path / "a.warc"
    local.write_bytes(response(1))

    def told(inputs: str, output: str, code: int, *words: str) -> None:
        assert main(["batch", inputs, "-o", output, *COMMON]) == code
        message = capsys.readouterr().err
        assert message.count("\n") == 1
        assert not [secret for secret in (SECRET, "tamis-test-key") if secret in message]
        assert all(each in message for each in words), message

    out = str(tmp_path / "out")
    told(f"s3://{BUCKET}/none.warc", out, 3, "no such file or folder")
    for pattern in ("s3://nobody/a.warc", "s3://nobody/*.warc"):
        told(pattern, out, 3, "bucket does not exist")
    told(str(local), "s3://nobody/out", 2, "s3://nobody/out: can't be read: ", "bucket does not exist")
    for secret in (
        f"s3://tamis-test-key:{SECRET}@{BUCKET}/a.warc",
        f"https://host/a.warc?X-Amz-Signature={SECRET}",
        *(f"https://host/a.warc?{name}={SECRET}" for name in ("auth", "pwd", "pass", "jwt")),
        f"https://{SECRET}@host/a.warc",
        f"zip://a.warc::https://user:{SECRET}@host/a.zip",
        f"zip://a.warc::https://host/a.zip?token={SECRET}",
    ):
        told(secret, out, 2, "address holds credentials")
        told(str(local), secret, 2, "address holds credentials")
    told("nonsense://a/b.warc", out, 2, "nonsense")
    with proxied(s3, lambda number, method, path: 403) as proxy:
        point_to(monkeypatch, proxy.endpoint)
        told(address, out, 3, "the store refuses access")
        told(str(local), f"s3://{BUCKET}/out", 2, "can't be read: the store refuses access")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    point_to(monkeypatch, s3)
    told(address, out, 3, "no credentials")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("scheme", "module", "extra"), [("gs", "gcsfs", "gs"), ("abfs", "adlfs", "azure"), ("s3", "s3fs", "s3")]
)
def test_the_package_of_a_store_is_named(
    scheme: str, module: str, extra: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.delitem(sys.modules["fsspec.registry"]._registry, scheme, raising=False)  # it may be loaded already
    with pytest.raises(MissingExtra, match=rf"^{scheme}:// needs an extra: pip install 'tamis\[{extra}\]'$"):
        shards([f"{scheme}://bucket/a.warc"])
    with pytest.raises(MissingExtra, match=rf"tamis\[{extra}\]"):
        Output(f"{scheme}://bucket/out").done()


def test_words_of_a_store_are_shown_without_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    refuse = Mock(side_effect=OSError(f"no answer\nto {SECRET} at http://user:word@host/"))
    miss = Mock(side_effect=FileNotFoundError("b/nobody/o"))
    monkeypatch.setenv("SOME_SECRET", SECRET)
    monkeypatch.setenv("PWD", "no answer")  # a folder
    memory = type(fsspec().filesystem("memory"))
    monkeypatch.setattr(memory, "info", refuse)
    with pytest.raises(stores.StoreFailed, match=r"^memory://a/b: no answer to \*\*\* at http://host/$"):
        shards(["memory://a/b"])
    monkeypatch.setattr(memory, "info", miss)
    monkeypatch.setattr(memory, "glob", miss)
    with pytest.raises(InputError, match="no glob that matches any"):
        shards(["memory://a/b*"])


def test_a_server_that_sends_whole_files_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = fsspec().filesystem("memory")
    memory.pipe_file("/a.warc", b"".join(map(response, range(99))))
    monkeypatch.setattr(stores, "_FIRST_BLOCK", 1 << 10)
    whole = memory.cat_file("/a.warc")
    monkeypatch.setattr(type(memory), "cat_file", lambda *arguments, **options: whole)
    try:
        with pytest.raises(InputError, match="sends no ranges"):
            items("memory://a.warc")
    finally:
        memory.store.clear()


class Pages(LocalHandler):
    """A web server with a folder of pages; the size of one is not told."""

    BODIES: ClassVar = {
        "/in/": b'<a href="1.html">one</a> <a href="2.html">two</a> <a href="more/">more</a>',
        "/in/1.html": page(1),
        "/in/2.html": page(2),
        "/unknown.warc": response(1),
        "/dead/": b'<a href="gone.html">gone</a>',
    }

    def answer(self) -> None:
        body = self.BODIES.get(self.path, b"")
        self.send_response(200 if body else int(self.path[1:4]) if self.path[1:4].isdecimal() else 404)
        self.send_header("Content-Type", "text/html")
        if self.path != "/unknown.warc":
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def web() -> Iterator[LocalServer]:
    with LocalServer(Pages).running() as server:
        yield server


def test_pages_of_a_web_server_have_the_sizes_that_it_tells(web: LocalServer) -> None:
    pattern = web.address("/in/*.html")
    assert sum(shard.size for shard in shards([pattern])) == len(page(1)) + len(page(2))
    assert [item.body for item in items(pattern) if isinstance(item, Record)] == [page(1), page(2)]
    with pytest.raises(InputError, match=r"unknown\.warc: the server does not tell its size; copy the file to a disk"):
        shards([web.address("/unknown.warc")])
    with pytest.raises(InputError, match=r"/dead/gone\.html: no such file"):
        shards([web.address("/dead/*.html")])


def test_a_web_server_that_fails_is_no_missing_file(web: LocalServer) -> None:
    with pytest.raises(InputError, match="no such file or folder"):
        shards([web.address("/none.warc")])
    with pytest.raises(stores.StoreFailed, match=r"403\.warc: the store refuses access: 403, message='Forbidden'"):
        shards([web.address("/403.warc")])
    assert web.asked.count("/403.warc") == 1
    with pytest.raises(stores.StoreFailed, match=r"503\.warc: 503, message='Service Unavailable'"):
        shards([web.address("/503.warc")])
    assert web.asked.count("/503.warc") == 4
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(stores.StoreFailed, match=rf"^http://127\.0\.0\.1:{port}/a\.warc: Cannot connect"):
        shards([f"http://127.0.0.1:{port}/a.warc"])


def test_keys_may_have_empty_parts(s3: str) -> None:
    addresses = [put(name, page(number)) for number, name in enumerate(("in//1.html", "in/a//2.html"))]
    assert [item.source for item in items(f"s3://{BUCKET}/in")] == addresses


@pytest.mark.parametrize("letter", "[*?")
def test_an_output_that_would_be_read_as_a_glob_is_refused(letter: str) -> None:
    with pytest.raises(OptionError, match=r"the address of an output can't have \*, \? or \["):
        Output(f"memory://out/{letter}x")


def test_any_file_system_of_fsspec_is_read(tmp_path: Path) -> None:
    memory = fsspec().filesystem("memory")
    for name, data in inputs(tmp_path).items():
        memory.pipe_file(f"/in/{name}", data)
    try:
        (tmp_path / "a.warc.gz").write_bytes(memory.cat_file("/in/a.warc.gz"))
        expected = plain(items(str(tmp_path / "a.warc.gz")))
        assert plain(items("memory://in/a.warc.gz")) == plain(items(f"file://{tmp_path}/a.warc.gz")) == expected
        assert len(items("memory://in/*.gz", "memory://in/pages")) == 4 * 40
        (before,) = shards(["memory://in/a.jsonl"])
        was = fingerprint(before)
        assert fingerprint(before) == was
        memory.pipe_file("/in/a.jsonl", memory.cat_file("/in/a.jsonl").replace(b"harbour", b"harbor!"))
        assert fingerprint(before) != was, "without a tag it is sampled"
        out = Output("memory://out", "jsonl")
        with out.opened(settings(OPTIONS), {}), out.writer(before, OPTIONS.columns) as writer:
            writer.commit()
        assert list(out.done()) == [before.name]
        with pytest.raises(InputError, match="no such file or folder"):
            shards(["memory://in/none*"])
    finally:
        memory.store.clear()
    local = Output(f"file://{tmp_path}/out")
    assert str(local.place) == f"{tmp_path}/out"


@pytest.mark.parametrize("pattern", ["memory://in/*", "memory://in/pages", "memory://in/pages/*.html"])
def test_each_run_of_a_process_lists_its_inputs_anew(pattern: str) -> None:
    memory = fsspec().filesystem("memory")
    try:
        memory.pipe_file("/in/pages/1.html", page(1))
        assert len(items(pattern)) == 1
        memory.pipe_file("/in/pages/2.html", page(2))
        assert len(items(pattern)) == 2
        memory.pipe_file("/in/pages/2.html", page(2) * 2)
        assert sum(shard.size for shard in shards([pattern])) == len(page(1)) + 2 * len(page(2))
    finally:
        memory.store.clear()


def test_a_store_that_fails_at_the_end_of_a_shard_costs_that_shard_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.jsonl").write_text(json.dumps({"html": "<p>Bread at dawn."}) + "\n")

    def told(shard: Shard) -> str:
        if Path(shard.path).name == "a.jsonl":
            raise stores.StoreFailed(f"{shard.path}: no answer")
        return fingerprint(shard)

    monkeypatch.setattr("tamis.batch.outputs.shard.fingerprint", told)
    summary = run([f"{tmp_path}/*.jsonl"], Output(tmp_path / "out", "jsonl"), OPTIONS, workers=1)
    assert summary.failed == {f"{tmp_path}/a.jsonl": "no answer"}
    assert summary.total.rows == 1
    assert [path.name[0] for path in (tmp_path / "out").glob("*.jsonl")] == ["b"]


def test_a_name_does_not_depend_on_where_a_run_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = Shard("warc", "s3://bucket/a.warc.gz").name
    monkeypatch.chdir(tmp_path)
    assert Shard("warc", "s3://bucket/a.warc.gz").name == before
