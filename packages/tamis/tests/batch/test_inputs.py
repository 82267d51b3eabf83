from __future__ import annotations

import gzip
import json
import pickle
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tamis.batch.inputs import Shard, fitting_shard_bytes, read, shards
from tamis.batch.packages import arrow
from tamis.batch.records import Damage, Item, Kind, Record
from tamis.errors import InputError, OptionError
from tests.batch.archives import page, response


def everything(*patterns: str, shard_bytes: int | None = None) -> list[Item]:
    return [item for shard in shards(patterns, shard_bytes=shard_bytes) for item in read(shard)]


def ids(found: list[Item]) -> list[str]:
    return [item.id for item in found]


def test_a_folder_is_read_in_the_order_of_its_paths(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    for name in ("z.html", "a.htm", "b/c.XHTML", "notes.txt"):
        (tmp_path / name).write_bytes(page(1))
    found = everything(str(tmp_path))
    assert ids(found) == ["a.htm", "b/c.XHTML", "z.html"]
    assert found[0] == Record(page(1), str(tmp_path / "a.htm"), id="a.htm")
    assert everything(str(tmp_path), shard_bytes=1) == found
    assert len(shards([str(tmp_path)], shard_bytes=1)) == 3
    assert [type(item) for item in everything(str(tmp_path / "z.html"))] == [Record]


def test_the_pages_of_a_glob_are_one_input(tmp_path: Path) -> None:
    for name in ("a.html", "b.html", "c.warc"):
        (tmp_path / name).write_bytes(response(3) if name == "c.warc" else page(1))
    found = shards([f"{tmp_path}/*"])
    assert [shard.format for shard in found] == ["warc", "folder"]
    assert len(everything(f"{tmp_path}/*.html")) == 2


def test_links_are_followed_inside_their_folder_only(tmp_path: Path) -> None:
    """Whoever wrote the pages could have written links to what only the reader may see."""
    folder, other = tmp_path / "pages", tmp_path / "other"
    for each in (folder / "deep", other):
        each.mkdir(parents=True)
    (other / "secret.html").write_bytes(page(1))
    (folder / "deep/a.html").write_bytes(page(2))
    (folder / "inside.html").symlink_to(folder / "deep/a.html")
    (folder / "link.html").symlink_to(other / "secret.html")
    (folder / "linked").symlink_to(other)
    linked = tmp_path / "named.html"
    linked.symlink_to(other / "secret.html")
    (tmp_path / "same").symlink_to(folder)
    for pattern in (str(folder), str(tmp_path / "same"), f"{folder}/**/*.html", f"{folder}/*/*.html"):
        found = {Path(item.id).name: type(item) for item in everything(pattern)}
        assert found.pop("link.html", Damage) is found.pop("secret.html", Damage) is Damage
        assert set(found.values()) == {Record}
        assert not [item for item in everything(pattern) if isinstance(item, Record) and item.body == page(1)]
    assert [type(item) for item in everything(str(linked))] == [Record]  # whoever names it means it


def test_a_page_that_can_not_be_opened_is_damage(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(page(1))
    (tmp_path / "b.html").write_bytes(page(2))
    (shard,) = shards([str(tmp_path)])
    items = read(shard)
    assert next(items).id == "a.html"
    (tmp_path / "b.html").unlink()
    assert [(type(item), item.id) for item in items] == [(Damage, "b.html")]


def test_a_page_beyond_the_limit_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tamis.batch.inputs.folder.MOST_BYTES", 10)
    monkeypatch.setattr("tamis.batch.inputs.tables.MOST_BYTES", 10)
    (tmp_path / "a.html").write_bytes(page(1))
    (tmp_path / "b.jsonl").write_bytes(json.dumps({"html": "x" * 11}).encode())
    kinds = [item.kind for item in everything(str(tmp_path), f"{tmp_path}/b.jsonl") if isinstance(item, Damage)]
    assert kinds == [Kind.TOO_LARGE, Kind.TOO_LARGE]


LINES = [
    {"html": "<p>ö", "url": "https://example.org/", "id": 7, "status": "200", "date": "2026-01-02"},
    {"html": "<p>two", "content_type": "text/html; charset=latin1"},
    {"html": None, "id": "x"},
    {"text": "no html"},
    ["html"],
]


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz", ".ndjson"])
def test_lines_become_records_or_say_what_is_wrong(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    data = b"\n".join(json.dumps(line).encode() for line in LINES) + b"\n\n{not json\n\xff\xfe\n"
    path.write_bytes(gzip.compress(data) if suffix.endswith("gz") else data)
    found = everything(str(path))
    assert found[0] == Record(
        body="<p>ö".encode(),
        source=str(path),
        id="7",
        url="https://example.org/",
        date="2026-01-02",
        status=200,
        content_type="text/html; charset=utf-8",
    )
    assert isinstance(found[1], Record)
    assert found[1].content_type == "text/html; charset=utf-8", "text is in no other charset any more"
    assert found[1].id == f"a{suffix}:{found[1].offset}"
    assert data[found[1].offset :].startswith(json.dumps(LINES[1]).encode())
    assert [type(item) for item in found[2:]] == [Damage] * 5
    assert found[2].id == "x"
    reasons = [item.reason for item in found[2:4] if isinstance(item, Damage)]
    assert reasons == ["the field 'html' holds null, not text or bytes", "the field 'html' is missing"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    texts=st.lists(st.text(max_size=60), min_size=1, max_size=20), shard_bytes=st.integers(1, 300), last=st.booleans()
)
def test_slices_hold_each_line_once(tmp_path: Path, texts: list[str], shard_bytes: int, last: bool) -> None:
    lines = "\n".join(json.dumps({"html": text, "id": number + 1}) for number, text in enumerate(texts))
    path = tmp_path / "a.jsonl"
    path.write_text(lines + "\n" * last)
    assert ids(everything(str(path), shard_bytes=shard_bytes)) == [str(number + 1) for number in range(len(texts))]


def test_gzipped_lines_that_are_cut_off_give_what_can_be_read(tmp_path: Path) -> None:
    lines = "".join(json.dumps({"html": f"<p>{number}" * 50, "id": number + 1}) + "\n" for number in range(500))
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(lines.encode())[:-200])
    found = everything(str(path))
    assert isinstance(found[-1], Damage)
    assert ids(found[:-1]) == [str(number + 1) for number in range(len(found) - 1)]


def test_an_endless_line_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tamis.batch.inputs.jsonl._LONGEST_LINE", 100)
    path = tmp_path / "a.jsonl"
    path.write_text(f'{{"html": "{"x" * 990}"}}\n{{"html": "<p>short", "id": "b"}}\n')
    assert [(type(item), item.id) for item in everything(str(path))] == [(Damage, ""), (Record, "b")]


def write_table(path: Path, rows: int, group: int, **columns: object) -> None:
    table = arrow().table({"html": [page(number) for number in range(rows)], **columns})
    arrow().parquet.write_table(table, path, row_group_size=group)


@pytest.mark.parametrize("shard_bytes", [None, 1, 2_000])
def test_rows_become_records(tmp_path: Path, shard_bytes: int | None) -> None:
    path = tmp_path / "a.parquet"
    when = [datetime(2026, 1, 2, tzinfo=UTC)] * 100
    write_table(path, 100, 30, url=[f"https://example.org/{number}" for number in range(100)], date=when, noise=when)
    found = everything(str(path), shard_bytes=shard_bytes)
    assert [item.offset for item in found] == list(range(100))
    assert [item.body for item in found if isinstance(item, Record)] == [page(number) for number in range(100)]
    assert found[42].url == "https://example.org/42"
    assert found[42].date == "2026-01-02T00:00:00+00:00"  # type: ignore[union-attr]
    assert found[42].id == "a.parquet:42"


def test_text_columns_are_read_as_text(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    arrow().parquet.write_table(arrow().table({"html": ["<p>ä", None], "status": [200, None]}), path)
    first, second = everything(str(path))
    assert isinstance(first, Record)
    assert (first.body, first.status) == ("<p>ä".encode(), 200)
    assert isinstance(second, Damage)


def test_a_broken_row_group_costs_itself_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    write_table(path, 90, 30)
    data = bytearray(path.read_bytes())
    group = arrow().parquet.ParquetFile(path).metadata.row_group(1).column(0)
    begin = group.dictionary_page_offset or group.data_page_offset
    data[begin : begin + 40] = b"\xff" * 40
    path.write_bytes(data)
    found = everything(str(path))
    assert [item.offset for item in found if isinstance(item, Record)] == [*range(30), *range(60, 90)]
    assert [item.offset for item in found if isinstance(item, Damage)] == [30]


def test_other_files_are_damage_and_tables_without_html_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    path.write_bytes(b"PAR1 and nothing else")
    assert [type(item) for item in everything(str(path))] == [Damage]
    arrow().parquet.write_table(arrow().table({"body": ["x"]}), path)
    with pytest.raises(InputError, match="no column is called 'html'; there are: body"):
        everything(str(path))


@pytest.mark.parametrize(
    ("name", "error", "words"),
    [
        ("missing.warc", InputError, "no such file or folder"),
        ("*.warc", InputError, "no glob that matches"),
        ("a.pdf", OptionError, "its name does not tell"),
        ("empty", InputError, "no page in this folder"),
        ("a\0b", InputError, "is not a file"),
        ("a" * 5_000, InputError, "no such file"),
    ],
)
def test_other_inputs_are_refused(name: str, error: type[Exception], words: str, tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"%PDF")
    (tmp_path / "empty").mkdir()
    with pytest.raises(error, match=words):
        shards([f"{tmp_path}/{name}"])
    with pytest.raises(OptionError, match="at least one byte"):
        shards([f"{tmp_path}/a.pdf"], shard_bytes=0)


def test_shards_are_the_same_each_time_and_have_names_of_their_own(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"{number}.warc").write_bytes(b"".join(response(each) for each in range(20)))
    patterns = [f"{tmp_path}/2.warc", f"{tmp_path}/*.warc"]
    found = shards(patterns, shard_bytes=1_000)
    assert found == shards(patterns, shard_bytes=1_000) == pickle.loads(pickle.dumps(found))
    assert len({shard.name for shard in found}) == len(found) == 33
    assert found[0].path.endswith("2.warc"), "an input that is named twice is read once, where it is named first"
    assert Shard("warc", "a/ä b.warc").name.startswith("b.warc-")


def test_shards_grow_with_the_input(tmp_path: Path) -> None:
    path = tmp_path / "a.warc"
    for size, fitting in ((1, 1 << 20), (10 << 30, 40 << 20)):
        with path.open("wb") as file:
            file.truncate(size)
        assert fitting_shard_bytes([str(path)]) == fitting
