"""Folders and zips alike."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import pytest

from tamis_lab.corpora import files as files_module
from tamis_lab.corpora.files import CorpusError, open_files

CONTENT = {"top/html/b.html": b"b", "top/html/a.html": b"a", "top/html/deep/c.html": b"c", "top/list.json": b"{}"}


@pytest.fixture(params=["folder", "zip"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    if request.param == "zip":
        with zipfile.ZipFile(tmp_path / "corpus.zip", "w") as packed:
            packed.mkdir("top")
            for name, content in CONTENT.items():
                packed.writestr(name, content)
            packed.writestr("__MACOSX/top/html/a.html", b"junk")
        return tmp_path / "corpus.zip"
    for name, content in CONTENT.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    (tmp_path / "top" / ".DS_Store").write_bytes(b"junk")
    return tmp_path


def test_names_are_relative_to_the_landmark(where: Path) -> None:
    files = open_files(where, ["html/"])
    assert files.names == ["html/a.html", "html/b.html", "html/deep/c.html", "list.json"]
    assert files.below("html", ".html") == ["html/a.html", "html/b.html"]
    assert files.below("", ".json") == ["list.json"]
    assert files.read("html/a.html") == b"a"
    assert open_files(where, ["list.json"]).names == files.names
    assert open_files(where, ["ist.json", "tml/"]).names == [f"top/{name}" for name in files.names]
    files.close()


@pytest.mark.parametrize("name", ["nothing", "../list.json", "/etc/passwd", "html"])
def test_only_listed_names_can_be_read(where: Path, name: str) -> None:
    with pytest.raises(CorpusError, match="missing"):
        open_files(where, ["html/"]).read(name)


def test_the_digest_does_not_depend_on_the_store(where: Path) -> None:
    expected = "9812b8be"
    digest = open_files(where, ["html/"]).digest()
    assert len(digest) == 64
    assert digest == open_files(where, ["list.json"]).digest()
    assert digest.startswith(expected)


def test_too_large_files_are_refused(where: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files_module, "MAX_BYTES", 0)
    with pytest.raises(CorpusError, match="larger than"):
        open_files(where).read("top/html/a.html")


def test_a_gzip_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"0" * 100_000))
    monkeypatch.setattr(files_module, "MAX_BYTES", 10_000)
    with pytest.raises(CorpusError, match="unpacks to more"):
        open_files(tmp_path).unzip("a.gz")


@pytest.mark.parametrize("name", ["../evil", "/evil", "a/../../evil", "c:/evil", "a\\evil"])
def test_a_zip_that_leads_outside_is_refused(name: str, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as packed:
        packed.writestr(name, b"")
    with pytest.raises(CorpusError, match="leads outside"):
        open_files(tmp_path / "a.zip")


def test_links_that_lead_outside_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"secret")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "page").write_bytes(b"page")
    (folder / "inside").symlink_to("page")
    (folder / "outside").symlink_to(tmp_path / "secret")
    assert open_files(folder).names == ["inside", "page"]


def test_a_broken_member_is_named(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_LZMA) as packed:
        packed.writestr("page.html", b"words " * 1000)
    data = bytearray((tmp_path / "a.zip").read_bytes())
    data[60:70] = b"\xff" * 10
    (tmp_path / "a.zip").write_bytes(data)
    with pytest.raises(CorpusError, match=r"page\.html is damaged"):
        open_files(tmp_path / "a.zip").read("page.html")


def test_a_file_that_vanished_is_named(tmp_path: Path) -> None:
    (tmp_path / "page").write_bytes(b"")
    files = open_files(tmp_path)
    (tmp_path / "page").unlink()
    with pytest.raises(CorpusError, match="page is damaged"):
        files.read("page")
    with pytest.raises(CorpusError, match="page is damaged"):
        files.digest()


def test_no_zip(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"no zip")
    with pytest.raises(CorpusError, match=r"a\.zip is damaged"):
        open_files(tmp_path / "a.zip")
