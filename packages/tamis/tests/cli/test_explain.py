"""`tamis explain`: a page in a file, reasons on the terminal, exit codes."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import tamis
from tamis.cli import explain as verb
from tamis.cli.main import main
from tamis.document import table

FIRST = "The baker rises long before the town does, and by four in the morning the ovens have been hot for an hour."
PAGE = f"""<!doctype html><html><head><title>Bread at dawn - The Oven</title></head><body>
<nav><ul><li><a href="/">Home</a></li><li><a href="/shop">Shop with us</a></li></ul></nav>
<main><h1>Bread at dawn</h1><p>{FIRST}</p><p>{FIRST}</p><p>{FIRST}</p></main>
<template>Coupons of the week</template>
<footer><a href="/legal">All rights reserved</a></footer></body></html>"""

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A page in the current folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bread.html").write_text(PAGE, encoding="utf-8")
    return "bread.html"


def run(*words: str) -> int:
    return main(["explain", "--extractor", "tamis", *words])


def test_it_writes_a_page_beside_the_current_folder(page: str, capsys: Capture) -> None:
    assert run(page) == 0
    written = Path("bread-explained.html").read_text(encoding="utf-8")
    assert FIRST in written
    assert "as usual for a list item in a &lt;nav&gt;" in written
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("tamis: wrote bread-explained.html\ntamis: state: content (")
    assert "\ntamis: confidence: 0." in shown.err


def test_the_page_goes_where_it_is_told(page: str, capsys: Capture) -> None:
    assert run(page, "-o", "new/why.html") == 0
    assert FIRST in Path("new/why.html").read_text(encoding="utf-8")
    assert not Path("bread-explained.html").exists()
    capsys.readouterr()
    assert run(page, "-o", "-") == 0
    shown = capsys.readouterr()
    assert shown.out == Path("new/why.html").read_text(encoding="utf-8")
    assert shown.err == ""


@pytest.mark.skipif(sys.platform != "linux", reason="finds threads in /proc")
def test_one_page_takes_one_thread(page: str, tmp_path: Path) -> None:
    """Those of the library of linear algebra take nine times the processor time, and no less time."""
    program = (
        "import os, sys; from tamis.cli.main import main; "
        f"code = main(['explain', '--no-config', {page!r}, '-o', {str(tmp_path / 'why.html')!r}]); "
        "print(code, len(os.listdir('/proc/self/task')))"
    )
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    free = {name: value for name, value in os.environ.items() if name not in names}
    said = subprocess.run([sys.executable, "-c", program], env=free, capture_output=True, text=True, check=True)
    assert said.stdout.split()[-2:] == ["0", "1"], said.stderr


def test_a_page_comes_from_standard_input(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(PAGE.encode())))
    assert run("-") == 0
    assert FIRST in Path("stdin-explained.html").read_text(encoding="utf-8")


def test_one_paragraph_is_explained_on_the_terminal(page: str, capsys: Capture) -> None:
    assert run(page, "--text", "shop  WITH us") == 0
    lines = capsys.readouterr().out.splitlines()
    threshold = tamis.extract(PAGE).labels.threshold
    assert lines[0].endswith(f" dropped (boilerplate; kept from {threshold:.2f} on): Shop with us")
    assert lines[1] == "  /html[1]/body[1]/nav[1]/ul[1]/li[2]/a[1]/text()[1]"
    assert lines[2].startswith("  As usual for a list item in a <nav>: a typical one would get 0.0")
    assert not Path("bread-explained.html").exists(), "only what was asked for"
    assert run(page, "--text", "shop", "-o", "why.html") == 0
    assert Path("why.html").exists()


def test_many_blocks_with_the_words_are_counted(page: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verb, "_MOST_BLOCKS", 2)
    assert run(page, "--text", "ovens") == 0
    shown = capsys.readouterr().out
    assert shown.count("The baker rises") == 2
    assert shown.endswith("and 1 more block with these words\n")


def test_words_that_are_nowhere_end_in_one(page: str, capsys: Capture) -> None:
    assert run(page, "--text", "seagull") == 1
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("", "tamis: bread.html: no block has the words 'seagull'\n")


def test_words_that_are_not_shown_are_named_by_their_place(page: str, capsys: Capture) -> None:
    assert run(page, "--text", "coupons of") == 1
    shown = capsys.readouterr().err
    assert "no block has the words 'coupons of'" in shown
    assert "the text with them at /html[1]/body[1]/template[1]" in shown


def test_of_other_extractors_there_is_a_line_in_place_of_reasons(page: str, capsys: Capture) -> None:
    assert main(["explain", page, "-e", "keep-all", "--text", "Shop"]) == 0
    shown = capsys.readouterr()
    assert shown.out.splitlines()[0].endswith("Shop with us")
    assert shown.err == "tamis: keep-all gives no reasons; the extractor tamis does\n"


def test_a_terminal_gets_no_orders_from_a_page(page: str, capsys: Capture) -> None:
    Path(page).write_bytes(PAGE.replace("Shop with us", "Shop \x1b[2J\x1b]0;us\x07").encode())
    assert run(page, "--text", "Shop") == 0
    assert "\x1b" not in capsys.readouterr().out


def test_a_page_without_text_ends_in_one(page: str, capsys: Capture) -> None:
    Path(page).write_text("<script>let it = 1</script>", encoding="utf-8")
    assert run(page) == 1
    assert "bread.html: the page shows no text" in capsys.readouterr().err
    assert "The page shows no text." in Path("bread-explained.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["bread.html", "-e", "nothing"], "no extractor is called 'nothing'"),
        (["bread.html", "-o", "./bread.html"], "this would overwrite a page or another output"),
        (["bread.html", "--text", " "], "--text needs some words"),
        (["bread.html", "--text", "a", "-o", "-"], "can't both go to standard output"),
        (["bread.html", "--encoding", "klingon"], "no encoding is called 'klingon'"),
        (["two"], "explain takes one page, and two holds 2"),
        (["bread.html", "-o", "bread.html/why.html"], "can't be written"),
        ([], "the following arguments are required: SOURCE"),
    ],
)
def test_wrong_use_is_one_line_and_exit_code_two(words: list[str], complaint: str, page: str, capsys: Capture) -> None:
    Path("two").mkdir()
    for name in ("a.html", "b.html"):
        (Path("two") / name).write_text(PAGE, encoding="utf-8")
    try:
        code = main(["explain", *words])
    except SystemExit as exit_:  # argparse's own
        code = int(exit_.code or 0)
    shown = capsys.readouterr().err
    assert (code, shown.count("\n")) == (2, 1)
    assert complaint in shown


def test_pages_that_cannot_be_read_end_in_three(page: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("missing.html") == 3
    assert capsys.readouterr().err == "tamis: missing.html: No such file or directory\n"
    monkeypatch.setattr(table, "MAX_CHARACTERS", 10)
    assert run(page) == 3
    assert capsys.readouterr().err.startswith("tamis: bread.html: the page has ")
