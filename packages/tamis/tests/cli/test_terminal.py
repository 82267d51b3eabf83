"""What reaches a terminal, and inputs that are no ordinary files: pipes, devices, names that are not UTF-8."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from tamis.cli.main import main
from tests.cli.test_extract import FIRST

TAMIS = (sys.executable, "-m", "tamis")
PAGE = f"<title>Bread\x1b]0;title\x07</title><p>\x1b[2J{FIRST} \x9b31m\x7f</p>"


@pytest.fixture
def page(tmp_path: Path) -> str:
    path = tmp_path / "page.html"
    path.write_text(PAGE, encoding="utf-8")
    return str(path)


def on_a_terminal(*arguments: str) -> str:
    """What the command line prints to a terminal."""
    ours, theirs = pty.openpty()
    with subprocess.Popen([*TAMIS, *arguments], stdout=theirs, stderr=theirs, stdin=subprocess.DEVNULL) as process:
        os.close(theirs)
        printed = b""
        try:
            while piece := os.read(ours, 65_536):
                printed += piece
        except OSError:
            pass  # Linux's way to say that the other end is closed
        process.wait(60)
    os.close(ours)
    return printed.decode("utf-8").replace("\r\n", "\n")


@pytest.mark.slow
@pytest.mark.parametrize("form", ["text", "markdown", "html", "json", "xml", "chunks"])
def test_a_terminal_gets_no_control_characters(form: str, page: str) -> None:
    printed = on_a_terminal("extract", page, "-e", "keep-all", "-f", form, "--with-metadata")
    assert FIRST in printed
    assert not [character for character in printed if not character.isprintable() and character != "\n"]
    assert "\ufffd" in printed


def test_a_pipe_gets_the_page_as_it_is(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["extract", page, "-e", "keep-all"]) == 0
    assert capsys.readouterr().out == f"\x1b[2J{FIRST} \x9b31m\x7f\n"


@pytest.mark.parametrize("arguments", [["extract", "no\x1b[2J\nfile"], ["extract", "a", "--no\x1b[2J\n"]])
def test_messages_are_one_line_without_them(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with suppress(SystemExit):
        main(arguments)
    message = capsys.readouterr().err
    assert message.startswith(("tamis: ", "tamis extract: "))
    assert "\ufffd[2J\ufffd" in message
    assert message.removesuffix("\n").isprintable()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "darwin", reason="names of files are UTF-8 there")
def test_names_that_are_not_utf_8(tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/caf\xe9.html"
    Path(os.fsdecode(name)).write_text(f"<p>{FIRST}</p>")
    for options in (["-o", "out/"], ["--highlight", b"caf\xe9-seen.html"], ["--url", b"https://caf\xe9.example/"]):
        subprocess.run([*TAMIS, "extract", name, "-e", "keep-all", *options], cwd=tmp_path, check=True)
    assert [os.fsencode(path.name) for path in (tmp_path / "out").iterdir()] == [b"caf\xe9.txt"]
    both = subprocess.run([*TAMIS, "extract", name, name, "-e", "keep-all"], capture_output=True, check=True)
    assert both.stdout.decode().count(FIRST) == 2
    explained = subprocess.run([*TAMIS, "explain", name], capture_output=True, cwd=tmp_path, check=True)
    assert b"Traceback" not in explained.stderr


@pytest.mark.parametrize("form", ["text", "markdown", "html", "json"])
def test_an_address_with_half_a_character(form: str, page: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["extract", page, "-e", "keep-all", "-f", form, "--url", "https://caf\udce9.example/"]) == 0
    printed = capsys.readouterr().out
    assert form != "json" or json.loads(printed)["url"] == "https://caf\ufffd.example/"


def test_a_named_pipe_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fifo = tmp_path / "page.html"
    os.mkfifo(fifo)
    writer = threading.Thread(target=fifo.write_text, args=(f"<p>{FIRST}</p>",))
    writer.start()
    assert main(["extract", str(fifo), "-e", "keep-all"]) == 0
    writer.join()
    assert capsys.readouterr().out == f"{FIRST}\n"


def test_a_pipe_or_device_in_a_folder_is_no_page(tmp_path: Path, page: str) -> None:
    os.mkfifo(tmp_path / "pipe.html")
    (tmp_path / "zero.html").symlink_to("/dev/zero")
    command = [*TAMIS, "extract", str(tmp_path), "-e", "keep-all"]
    ended = subprocess.run(command, capture_output=True, timeout=60, check=True)
    assert ended.stdout.decode().count(FIRST) == 1
