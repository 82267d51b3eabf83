"""`tamis extract`: what a user sees on stdout and stderr, in files, and as exit code."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import tamis
from tamis.cli.arguments import content_options
from tamis.cli.main import main
from tamis.cli.parser import build_parser
from tamis.document import table
from tamis.metadata import FIELDS
from tamis.options import ContentOptions, options_of

FIRST = (
    "The baker rises long before the town does, and by four in the morning "
    "the ovens have already been hot for an hour or more."
)
SECOND = (
    "By six the first customers knock at the side door, since they know that "
    "the loaves on the rack have not yet lost their warmth."
)
PAGE = f"""<!doctype html>
<html lang="en"><head><title>Bread at dawn - The Oven</title>
<meta name="author" content="Ann Miller"><meta name="date" content="2024-03-05"></head>
<body><nav><a href="/">Home</a> <a href="/shop">Shop</a></nav>
<h1>Bread at dawn</h1><p>{FIRST}</p><p>{SECOND}</p>
<footer><a href="/legal">All rights reserved</a></footer></body></html>"""
TEXT = f"Bread at dawn\n\n{FIRST}\n\n{SECOND}"
WITH_LINKS = f"Home Shop\n\n{TEXT}\n\nAll rights reserved"

RICH_PAGE = """<p>See <a href="notes.html">the notes</a>.</p><p>Before <img src="loaf.jpg" alt="A loaf"> after.</p>
<table><tr><th>Flour</th><th>Weight</th></tr><tr><td>Rye</td><td>500 g</td></tr></table>"""

Capture = pytest.CaptureFixture[str]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def page_about(worker: str) -> str:
    return PAGE.replace("baker", worker)


def written(path: Path, content: str | bytes = PAGE) -> str:
    """The path as text, after a page was written there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)


def give_stdin(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(content)))


def extract(*arguments: str) -> int:
    """`tamis extract` with an extractor that stays the same when the default gets better."""
    return main(["extract", "--extractor", "unlinked", *arguments])


def complaint(capsys: Capture) -> str:
    """The one line on stderr, after nothing on stdout."""
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("tamis: ")
    assert captured.err.count("\n") == 1
    return captured.err


# What comes out


def test_text_is_the_default(tmp_path: Path, capsys: Capture) -> None:
    assert extract(written(tmp_path / "page.html")) == 0
    captured = capsys.readouterr()
    assert captured.out == f"{TEXT}\n"
    assert captured.err == ""


def test_json(tmp_path: Path, capsys: Capture) -> None:
    page = written(tmp_path / "page.html")
    assert extract(page, "--format", "json") == 0
    data = json.loads(capsys.readouterr().out)
    assert [*data][:2] == ["page", "url"]
    assert data["page"] == page
    assert data["text"] == TEXT
    assert data["metadata"]["author"] == "Ann Miller"
    assert "blocks" not in data
    assert extract(page, "--format", "json", "--blocks") == 0
    data = json.loads(capsys.readouterr().out)
    assert [block["keep"] for block in data["blocks"]] == [False, True, True, True, False]


# Where pages come from


def test_stdin(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    give_stdin(monkeypatch, PAGE.encode())
    assert extract("-") == 0
    assert capsys.readouterr().out == f"{TEXT}\n"


def test_empty_stdin_is_no_page(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Capture) -> None:
    give_stdin(monkeypatch, b"")
    assert extract("-", "--highlight", str(tmp_path / "seen.html"), "-o", str(tmp_path / "page.txt")) == 3
    assert complaint(capsys) == "tamis: standard input is empty\n"
    assert [*tmp_path.iterdir()] == []


def test_several_files_are_told_apart(tmp_path: Path, capsys: Capture) -> None:
    first, second = written(tmp_path / "a.html"), written(tmp_path / "b.html", page_about("brewer"))
    assert extract(first, second) == 0
    shown = capsys.readouterr().out
    assert shown == f"==> {first} <==\n{TEXT}\n\n==> {second} <==\n{TEXT.replace('baker', 'brewer')}\n\n"


def test_pages_may_stand_between_options(tmp_path: Path, capsys: Capture) -> None:
    one, two, three = (written(tmp_path / name, page_about(name)) for name in ("one", "two", "three"))
    assert extract(one, "-f", "json", two, "--title", three) == 0
    assert [json.loads(line)["page"] for line in capsys.readouterr().out.splitlines()] == [one, two, three]


def test_a_folder_means_every_page_below_it_in_order(tmp_path: Path, capsys: Capture) -> None:
    written(tmp_path / "b.HTM")
    written(tmp_path / "a.html")
    written(tmp_path / "deep" / "er" / "c.xhtml")
    written(tmp_path / "notes.txt", "not a page")
    assert extract(str(tmp_path)) == 0
    names = [line.split()[1] for line in capsys.readouterr().out.splitlines() if line.startswith("==>")]
    assert names == [str(tmp_path / "a.html"), str(tmp_path / "b.HTM"), str(tmp_path / "deep" / "er" / "c.xhtml")]


def test_encoding_is_that_of_files_and_stdin(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    give_stdin(monkeypatch, page_about("пекарь").encode("windows-1251"))
    assert extract("-", "--encoding", "windows-1251") == 0
    assert "пекарь" in capsys.readouterr().out


def test_url_makes_links_absolute(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    give_stdin(monkeypatch, RICH_PAGE.encode())
    extract("-", "-e", "keep-all", "-f", "markdown", "--url", "https://oven.example/a/b.html")
    shown = capsys.readouterr().out
    assert "[the notes](https://oven.example/a/notes.html)" in shown
    assert "![A loaf](https://oven.example/a/loaf.jpg)" in shown


# Files that are written


@pytest.mark.parametrize(
    ("form", "suffix"),
    [
        ("text", ".txt"), ("markdown", ".md"), ("html", ".html"), ("json", ".json"), ("xml", ".xml"), ("tei", ".xml"),
        ("chunks", ".jsonl"),
    ],
)  # fmt: skip
def test_output_files_are_named_for_their_format(form: str, suffix: str, tmp_path: Path) -> None:
    page, out = written(tmp_path / "page.html"), tmp_path / "out"
    assert extract(page, "-o", f"{out}/", "-f", form) == 0
    assert [path.name for path in out.iterdir()] == [f"page{suffix}"]


def test_links_out_of_a_folder_are_not_followed(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "secret.html").write_text("<article><p>Words that only the reader may see, and nobody else.</p>")
    (tmp_path / "pages/a.html").write_text("<article><p>The ferry leaves at half past six in the morning.</p>")
    (tmp_path / "pages/b.html").symlink_to(tmp_path / "secret.html")
    assert extract(str(tmp_path / "pages")) == 0
    assert "ferry" in (out := capsys.readouterr().out)
    assert "only the reader" not in out


def test_output_dir_mirrors_nested_folders(tmp_path: Path) -> None:
    for name in ("index.html", "news/index.html", "news/old/index.html"):
        written(tmp_path / "site" / name, page_about(name))
    assert extract(str(tmp_path / "site"), "-o", str(tmp_path / "out")) == 0
    found = {str(path.relative_to(tmp_path / "out")): path.read_text("utf-8") for path in tmp_path.rglob("*.txt")}
    assert sorted(found) == ["index.txt", "news/index.txt", "news/old/index.txt"]
    assert "The news/old/index.html rises" in found["news/old/index.txt"]


def test_pages_of_one_name_get_files_of_their_own(tmp_path: Path) -> None:
    pages = [written(tmp_path / worker / "index.html", page_about(worker)) for worker in ("baker", "brewer")]
    assert extract(*pages, "-o", str(tmp_path / "out")) == 0
    found = {path.name: path.read_text("utf-8") for path in (tmp_path / "out").iterdir()}
    assert found == {"index.txt": f"{TEXT}\n", "index-2.txt": f"{TEXT.replace('baker', 'brewer')}\n"}


@pytest.mark.parametrize(
    "arguments",
    [
        ["page.html", "-f", "html", "-o", "."],
        [".", "-f", "html", "-o", "."],
        ["page.html", "--highlight", "page.html"],
        ["./page.html", "--highlight", "{folder}/page.html"],
    ],
)
def test_no_output_takes_the_place_of_a_page(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    page = written(tmp_path / "page.html")
    monkeypatch.chdir(tmp_path)
    assert extract(*(argument.format(folder=tmp_path) for argument in arguments)) == 2
    assert "page.html: this would overwrite" in complaint(capsys)
    assert Path(page).read_text("utf-8") == PAGE


def test_a_file_below_a_file_can_not_be_written(tmp_path: Path, capsys: Capture) -> None:
    page, out = written(tmp_path / "page.html"), written(tmp_path / "out", "a file")
    assert extract(page, "-o", f"{out}/page.txt") == 2
    assert "can't be written" in complaint(capsys)


def test_highlight_writes_the_page_with_its_content_marked(tmp_path: Path, capsys: Capture) -> None:
    page, seen = written(tmp_path / "page.html"), tmp_path / "new" / "seen.html"
    assert extract(page, "--highlight", str(seen)) == 0
    copy = seen.read_text(encoding="utf-8")
    assert f'<mark class="tamis">{FIRST}</mark>' in copy
    assert '<a href="/shop">Shop</a>' in copy
    assert capsys.readouterr().out == f"{TEXT}\n"


def test_highlight_takes_one_page(tmp_path: Path, capsys: Capture) -> None:
    pages = [written(tmp_path / "a.html"), written(tmp_path / "b.html")]
    assert extract(*pages, "--highlight", str(tmp_path / "seen.html")) == 2
    assert "one page" in complaint(capsys)
    assert not (tmp_path / "seen.html").exists()


# How it is written


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_metadata_stands_above_the_content(form: str, tmp_path: Path, capsys: Capture) -> None:
    assert extract(written(tmp_path / "page.html"), "--with-metadata", "-f", form) == 0
    before, front, content = capsys.readouterr().out.split("---\n")
    assert before == ""
    assert {'title: "Bread at dawn"', 'author: "Ann Miller"', "date: 2024-03-05"} <= set(front.splitlines())
    assert "image:" not in front
    assert SECOND in content


@pytest.mark.parametrize(("form", "root"), [("xml", "doc"), ("tei", "TEI")])
def test_xml(form: str, root: str, tmp_path: Path, capsys: Capture) -> None:
    assert extract(written(tmp_path / "page.html"), "-f", form) == 0
    shown = capsys.readouterr().out
    assert f"<{root} " in shown
    assert f"<p>{SECOND}</p>" in shown
    assert "Ann Miller" in shown


def test_chunks_are_json_lines(tmp_path: Path, capsys: Capture) -> None:
    pages = [written(tmp_path / f"{number}.html") for number in range(2)]
    assert extract(*pages, "-f", "chunks", "--chunk-tokens", "48", "--chunk-overlap", "4") == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [chunk["page"] for chunk in found] == [pages[0], pages[0], pages[1], pages[1]]
    assert [next(iter(chunk)) for chunk in found] == ["page"] * 4
    assert [chunk["text"] for chunk in found] == [f"Bread at dawn\n\n{FIRST}", SECOND] * 2
    assert [chunk["headings"] for chunk in found] == [["Bread at dawn"]] * 4
    assert found[1]["metadata"]["title"] == "Bread at dawn"
    assert all(chunk["tokens"] <= 48 for chunk in found)
    assert extract(*pages, "-f", "chunks", "--chunk-tokens", "32", "--chunk-overlap", "20") == 2


def test_metadata_in_html_is_escaped(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    description = '<meta name="description" content="Ann &quot;&gt;&lt;b&gt; Miller">'
    give_stdin(monkeypatch, PAGE.replace("</head>", f"{description}</head>").encode())
    assert extract("-", "--with-metadata", "-f", "html") == 0
    shown = capsys.readouterr().out
    assert description in shown
    assert '<meta name="title" content="Bread at dawn">' in shown
    assert '<meta name="author" content="Ann Miller">' in shown


# Metadata alone


def test_only_metadata_says_of_each_field_what_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    def never(*_: object) -> str:
        raise AssertionError

    monkeypatch.setattr("tamis.page.to_text", never)
    page = written(tmp_path / "page.html")
    assert main(["extract", page, "--only", "metadata", "--url", "https://oven.example/bread"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    assert captured.out.startswith('{\n  "page": '), "one page is written for people"
    found = json.loads(captured.out)
    assert (found["page"], found["url"]) == (page, "https://oven.example/bread")
    assert [*found] == ["page", "url", *FIELDS]
    values = {name: field["value"] for name, field in found.items() if isinstance(field, dict)}
    known = {"title": "Bread at dawn", "authors": ["Ann Miller"], "date": "2024-03-05", "language": "en"}
    assert {name: values.get(name) for name in known} == known
    assert found["license"] is None
    assert "datetime" in found["date"]
    for name in known:
        assert found[name]["source"]
        assert 0 <= found[name]["confidence"] <= 1
        assert isinstance(found[name]["place"], str)
        assert all([*other] == ["value", "source", "confidence"] for other in found[name]["others"])


def test_structured_data_comes_with_only_metadata_if_it_is_asked_for(tmp_path: Path, capsys: Capture) -> None:
    data = '<script type="application/ld+json">{"@type": "Product", "name": "Rye \\ud800 loaf"}</script>'
    page = written(tmp_path / "page.html", data + PAGE)
    assert main(["extract", page, "--only", "metadata", "--structured-data", "-o", str(tmp_path)]) == 0
    (product,) = json.loads((tmp_path / "page.json").read_text("utf-8"))["structured_data"]
    assert (product["@type"], product["name"]) == (["Product"], "Rye \ufffd loaf")
    assert main(["extract", page, "--only", "metadata"]) == 0
    assert "structured_data" not in json.loads(capsys.readouterr().out)


def test_only_metadata_in_files(tmp_path: Path, capsys: Capture) -> None:
    odd = os.fsencode(tmp_path) + b"/\xff.html"  # a name that is no text
    Path(os.fsdecode(odd)).write_bytes(PAGE.encode())
    assert main(["extract", os.fsdecode(odd), "--only", "metadata", "-o", f"{tmp_path}/out/"]) == 0
    (file,) = (tmp_path / "out").iterdir()
    assert file.suffix == ".json"
    assert json.loads(file.read_bytes())["title"]["value"] == "Bread at dawn"
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("content", "ended", "said"),
    [
        ("<title>Bread at dawn</title><meta property=og:title content='Bread at dawn'>", 0, ""),
        ("", 1, "no metadata found"),
    ],
)
def test_only_metadata_needs_no_main_content(
    content: str, ended: int, said: str, tmp_path: Path, capsys: Capture
) -> None:
    assert main(["extract", written(tmp_path / "page.html", content), "--only", "metadata"]) == ended
    captured = capsys.readouterr()
    assert said in captured.err
    assert bool(said) == bool(captured.err)
    assert json.loads(captured.out)["license"] is None


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--only", "metadata", "-f", "markdown"], "--only metadata writes JSON"),
        (["--structured-data"], "--structured-data is for --only metadata"),
        (["--blocks"], "--blocks is for --format json"),
        (["--blocks", "--only", "metadata"], "--blocks is for --format json, without --only"),
        (["--chunk-tokens", "100"], "--chunk-tokens is for --format chunks"),
        (["--chunk-overlap", "10", "-f", "json"], "--chunk-overlap is for --format chunks"),
        (["--encoding", "no-such-charset"], "'no-such-charset'"),
    ],
)
def test_options_that_are_wrong_or_would_do_nothing(
    options: list[str], said: str, tmp_path: Path, capsys: Capture
) -> None:
    assert main(["extract", written(tmp_path / "page.html"), *options]) == 2
    assert said in complaint(capsys)


def test_options_that_the_suffix_of_the_output_needs_are_fine(tmp_path: Path) -> None:
    page, target = written(tmp_path / "page.html"), tmp_path / "out"
    assert extract(page, "--blocks", "-o", f"{target}.json") == 0
    assert "blocks" in json.loads(Path(f"{target}.json").read_text("utf-8"))
    assert extract(page, "--chunk-tokens", "16", "-o", f"{target}.jsonl") == 0
    assert len(Path(f"{target}.jsonl").read_text("utf-8").splitlines()) > 1


# What is kept


@pytest.mark.parametrize(
    ("flags", "changed"),
    [
        ([], {}),
        (["--precision"], {"favor_precision": True}),
        (["--recall"], {"favor_recall": True}),
        (["--visible-only", "--title"], {"visible_only": True, "include_title": True}),
        (["--comments", "--no-links"], {"include_comments": True, "include_links": False}),
        (["--no-images", "--no-tables", "--links"], {"include_images": False, "include_tables": False}),
    ],
)
@pytest.mark.parametrize("verb", ["extract", "batch"])
def test_flags_are_options_of_extract(verb: str, flags: list[str], changed: dict[str, bool]) -> None:
    options = build_parser(verb)[0].parse_args([verb, "page.html", "-o", "out", *flags])
    usual = {name: option.default for name, option in options_of(ContentOptions).items()}
    assert content_options(options) == usual | changed


@pytest.mark.parametrize("option", ["--no-links", "--no-images", "--no-tables"])
def test_what_is_left_out_of_markdown_stays_in_the_text(option: str, tmp_path: Path, capsys: Capture) -> None:
    page = written(tmp_path / "page.html", RICH_PAGE)
    found: list[str] = []
    for form in ("markdown", "text"):
        for more in ([], [option]):
            assert extract(page, "-e", "keep-all", "-f", form, *more) == 0
            found.append(capsys.readouterr().out)
    assert found[0] != found[1]
    assert found[2] == found[3]


def test_precision_and_recall_exclude_each_other(capsys: Capture) -> None:
    with pytest.raises(SystemExit) as end:
        extract("-", "--precision", "--recall")
    captured = capsys.readouterr()
    assert end.value.code == 2
    assert "not allowed with" in captured.err
    assert captured.err.count("\n") == 1


# What goes wrong


def test_unknown_extractor_names_the_known_ones(tmp_path: Path, capsys: Capture) -> None:
    assert extract(written(tmp_path / "page.html"), "-e", "sieve") == 2
    error = complaint(capsys)
    assert "'sieve'" in error
    assert all(name in error for name in tamis.extractors())


@pytest.mark.parametrize(
    "name", ["missing.html", "missing/", "page\0.html", pytest.param("x" * 300, id="300 characters")]
)
def test_a_file_that_can_not_be_read(name: str, tmp_path: Path, capsys: Capture) -> None:
    assert extract(f"{tmp_path}/{name}") == 3
    assert name.partition("\0")[0].rstrip("/") in complaint(capsys)


@pytest.mark.parametrize(
    ("start", "kind"),
    [
        (b"%PDF-1.7\n", "a PDF file"),
        (b"\x89PNG\r\n\x1a\n", "a PNG image"),
        (b"PK\x03\x04", "a zip archive"),
    ],
)
def test_what_is_no_page_is_called_by_its_name(start: bytes, kind: str, tmp_path: Path, capsys: Capture) -> None:
    page = written(tmp_path / "page.html", start + bytes(100))
    assert extract(page) == 3
    assert complaint(capsys) == f"tamis: {page}: this is {kind}, not a web page\n"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "this page is blank"),
        ("<html><body></body></html>", "this page is blank"),
        ("<div id=root></div><script src=/app.js></script>", "this page shows nothing without scripts"),
    ],
)
def test_a_page_without_content_is_no_success(content: str, reason: str, tmp_path: Path, capsys: Capture) -> None:
    page = written(tmp_path / "page.html", content)
    assert extract(page) == 1
    assert complaint(capsys) == f"tamis: {page}: no main content found: {reason}\n"


def test_one_empty_page_among_others_is_named_and_no_failure(tmp_path: Path, capsys: Capture) -> None:
    full, empty = written(tmp_path / "a.html"), written(tmp_path / "b.html", "")
    assert extract(full, empty) == 0
    captured = capsys.readouterr()
    assert TEXT in captured.out
    assert captured.err == f"tamis: {empty}: no main content found: this page is blank\n"


def test_a_page_that_is_too_large_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setattr(table, "MAX_TAGS", 3)
    large, small = written(tmp_path / "large.html"), written(tmp_path / "small.html", f"<p>{FIRST}")
    assert extract(large, small, "-e", "keep-all") == 3
    captured = capsys.readouterr()
    assert captured.out == f"==> {small} <==\n{FIRST}\n\n"
    assert captured.err.startswith(f"tamis: {large}: ")
    assert captured.err.endswith("the limit is 3\n")


def test_a_folder_without_pages_does_not_stop_the_others(tmp_path: Path, capsys: Capture) -> None:
    written(tmp_path / "empty/notes.txt", "not a page")
    page = written(tmp_path / "page.html")
    assert extract(str(tmp_path / "empty"), str(page), "-f", "json") == 3
    captured = capsys.readouterr()
    assert json.loads(captured.out)["page"] == str(page)
    assert f"{tmp_path}/empty: no page in this folder (looked for .html" in captured.err


@pytest.mark.parametrize("name", ["-h", "-x.html", "--format"])
def test_names_that_begin_with_a_dash(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    written(Path(name))
    written(Path("page.html"))
    for arguments in (["--", name], ["-f", "json", "--blocks", "--", name], ["page.html", "-f", "text", "--", name]):
        assert extract(*arguments) == 0
        assert FIRST[:20] in capsys.readouterr().out


@pytest.mark.parametrize("name", ["crawl.jsonl", "crawl.warc.gz", "CRAWL.PARQUET"])
def test_files_of_many_pages_are_for_the_batch(name: str, tmp_path: Path, capsys: Capture) -> None:
    path = written(tmp_path / name, '{"html": "<p>words"}')
    assert extract(path) == 3
    assert complaint(capsys) == f"tamis: {path}: this holds many pages: tamis batch {path} -o out\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--url", "example.org/docs/"], "'example.org/docs/' does not begin with https:// or http://"),
        (["--timeout", "0"], "0 is not above 0 seconds and at most a day"),
        (["--timeout", "soon"], "'soon' is not a number of seconds"),
    ],
)
def test_values_that_are_none(arguments: list[str], said: str, capsys: Capture) -> None:
    with pytest.raises(SystemExit):
        extract("page.html", *arguments)
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("url", "said"), [("ftp://oven.example/page.html", "only http and https"), ("http://[", "tamis: http://[: ")]
)
def test_an_address_that_can_not_be_fetched_is_one_line(url: str, said: str, capsys: Capture) -> None:
    pytest.importorskip("httpx")
    assert extract(url) == 3
    assert said in complaint(capsys)


def test_a_url_without_httpx_names_the_pip_command(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setitem(sys.modules, "httpx", None)
    assert extract("https://oven.example/") == 2
    assert "pip install 'tamis[cli]'" in complaint(capsys)


def test_a_terminal_without_rich_is_told_of_the_progress_bar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = [written(tmp_path / "a.html"), written(tmp_path / "b.html")]
    monkeypatch.setitem(sys.modules, "rich.console", None)
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert extract(*pages, "-o", str(tmp_path)) == 0
    assert terminal.getvalue() == "tamis: for a progress bar: pip install 'tamis[cli]'\n"


def test_a_progress_bar_does_not_swallow_the_pages(tmp_path: Path) -> None:
    pytest.importorskip("rich")
    first, second = written(tmp_path / "a.html"), written(tmp_path / "b.html", page_about("brewer"))
    screen, terminal = pty.openpty()
    command = [sys.executable, "-m", "tamis", "extract", first, second, "-e", "keep-all"]
    environment = {**os.environ, "TERM": "xterm"}
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=terminal, env=environment, timeout=60, check=False)
    os.close(terminal)
    shown = os.read(screen, 10_000)
    os.close(screen)
    assert ended.returncode == 0
    other = WITH_LINKS.replace("baker", "brewer")
    assert ended.stdout.decode() == f"==> {first} <==\n{WITH_LINKS}\n\n==> {second} <==\n{other}\n\n"
    assert b"extracting" in shown
    assert b"rises" not in shown


def test_an_interrupt_leaves_no_traceback(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    def read(size: int = -1) -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=SimpleNamespace(read=read)))
    assert extract("-") == 130
    assert capsys.readouterr().err == ""


def test_a_reader_that_stops_reading_is_no_error(tmp_path: Path) -> None:
    page = written(tmp_path / "page.html", PAGE * 2000)
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "tamis", "extract", page, "-e", "keep-all"]
    ended = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (0, b"")


def test_csv_has_a_row_for_each_page(tmp_path: Path, capsys: Capture) -> None:
    pages = [written(tmp_path / f"{worker}.html", page_about(worker)) for worker in ("baker", "miller")]
    assert extract(*pages, "-f", "csv") == 0
    head, *rows = csv.reader(io.StringIO(capsys.readouterr().out))
    found = [dict(zip(head, row, strict=True)) for row in rows]
    assert [row["page"] for row in found] == pages
    assert found[0] | {"author": "Ann Miller", "date": "2024-03-05", "url": "", "words": "53"} == found[0]
    assert "The miller rises" in found[1]["text"]
    assert extract(pages[0], "-o", str(tmp_path / "out.csv")) == 0
    saved = csv.reader(io.StringIO((tmp_path / "out.csv").read_text(encoding="utf-8")))
    assert next(saved) == head
    assert len(list(saved)) == 1


def test_selectors_and_rules(tmp_path: Path, capsys: Capture) -> None:
    page = written(tmp_path / "page.html")
    rules = written(tmp_path / "rules.toml", '["oven.example"]\nprune = "h1"\n')
    options = ("--prune", "p", "--keep", "footer", "--keep", "nav")
    assert extract(page, *options, "--rules", rules, "--url", "https://www.oven.example/") == 0
    assert capsys.readouterr().out == "Home Shop\n\nAll rights reserved\n"
    assert extract(page, "--prune", "p[") == 2
    assert "prune: 'p[' is not a CSS selector" in complaint(capsys)
    assert extract(page, "--rules", page) == 2
    assert "the rules are not TOML" in complaint(capsys)
