"""`-o`: the same rule in every verb."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tamis.cli.main import main
from tests.cli.test_extract import FIRST, SECOND, TEXT, Capture, written

MARKDOWN = f"# Bread at dawn\n\n{FIRST}\n\n{SECOND}\n"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.html", "b.html", "site/c.html"):
        written(Path(name))


def extract(*arguments: str) -> int:
    return main(["extract", "-e", "unlinked", *arguments])


@pytest.mark.parametrize(
    ("name", "begin"),
    [
        ("out.md", "# Bread"),
        ("out.html", "<h1>Bread"),
        ("out.json", '{\n  "page": "a.html",\n  "url"'),
        ("out.txt", "Bread"),
        ("out.xml", '<?xml version="1.0" encoding="UTF-8"?>\n<doc '),
        ("out.jsonl", '{"page": "a.html", "text": "Bread'),
        ("new/out.MD", "# Bread"),
        ("out.markdown", "# Bread"),
        ("out.htm", "<h1>Bread"),
        ("out.tei", '<?xml version="1.0" encoding="UTF-8"?>\n<TEI '),
        ("out.notes", "Bread"),
        ("out", "Bread"),
    ],
)
def test_the_suffix_of_a_file_chooses_the_format(name: str, begin: str, capsys: Capture) -> None:
    assert extract("a.html", "-o", name) == 0
    assert Path(name).read_text("utf-8").startswith(begin)
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "")


@pytest.mark.parametrize("option", ["-o", "--output", "--output-dir"])
def test_an_empty_name_is_no_place(option: str, capsys: Capture) -> None:
    for verb in ("extract", *(["batch"] if option != "--output-dir" else [])):
        with pytest.raises(SystemExit) as end:
            main([verb, "a.html", option, ""])
        assert end.value.code == 2
        assert "the name of the output is empty" in capsys.readouterr().err


def test_several_pages_go_to_no_file(capsys: Capture) -> None:
    assert extract("a.html", "b.html", "-o", "out.md") == 2
    assert "out.md: several pages need a folder: write out/, or out.md/ for one of this name" in capsys.readouterr().err
    assert extract("site", "-o", "out.json") == 2
    assert not Path("out.md").exists()
    assert extract("a.html", "b.html", "-o", "out.md/", "-f", "markdown") == 0
    assert Path("out.md/a.md").read_text("utf-8") == MARKDOWN


def test_format_overrules_the_suffix() -> None:
    assert extract("a.html", "-o", "out.txt", "-f", "markdown") == 0
    assert Path("out.txt").read_text("utf-8") == MARKDOWN
    assert extract("a.html", "-o", "out.md", "--only", "metadata") == 0
    assert json.loads(Path("out.md").read_text("utf-8"))["page"] == "a.html"


@pytest.mark.parametrize(
    ("arguments", "files"),
    [
        (["a.html", "b.html", "-o", "out"], ["out/a.txt", "out/b.txt"]),
        (["a.html", "-o", "out/"], ["out/a.txt"]),
        (["a.html", "--output-dir", "out"], ["out/a.txt"]),
        (["a.html", "-o", "site"], ["site/a.txt"]),
        (["site", "-o", "out"], ["out/c.txt"]),
        (["a.html", "-o", "out/", "-f", "markdown"], ["out/a.md"]),
    ],
    ids=["several pages", "slash", "output-dir", "folder", "folder of one page", "format"],
)
def test_what_makes_a_folder(arguments: list[str], files: list[str]) -> None:
    assert extract(*arguments) == 0
    assert [name for name in files if Path(name).is_file()] == files


def test_a_dash_is_standard_output(capsys: Capture) -> None:
    assert extract("a.html", "-o", "-") == 0
    assert capsys.readouterr().out == f"{TEXT}\n"
    assert not Path("-").exists()


@pytest.mark.parametrize(
    "command",
    [
        ["extract", "a.html", "b.html", "-o", "old"],
        ["extract", "a.html", "-o", "old/"],
        ["extract", "a.html", "--output-dir", "old"],
        ["explain", "a.html", "-o", "old/"],
        ["render", "a.html", "b.html", "-o", "old"],
    ],
    ids=" ".join,
)
def test_a_file_is_no_folder(command: list[str], capsys: Capture) -> None:
    written(Path("old"), "words")
    assert main(command) == 2
    captured = capsys.readouterr()
    said = "old: this is a file; several pages, or a slash at the end of the name, need a folder"
    assert (captured.out, captured.err) == ("", f"tamis: {said}\n")
    assert Path("old").read_text() == "words"


@pytest.mark.parametrize(
    ("arguments", "file"),
    [
        (["a.html", "-o", "site"], "site/a-explained.html"),
        (["a.html", "-o", "new/"], "new/a-explained.html"),
        (["a.html", "--output-dir", "new"], "new/a-explained.html"),
        (["site", "-o", "new"], "new/c-explained.html"),
    ],
)
def test_explain_writes_into_a_folder(arguments: list[str], file: str) -> None:
    assert main(["explain", *arguments]) == 0
    assert Path(file).is_file()


def test_only_one_of_the_two_options(capsys: Capture) -> None:
    with pytest.raises(SystemExit):
        extract("a.html", "-o", "x", "--output-dir", "y")
    assert "not allowed with" in capsys.readouterr().err
