"""The command line as a whole: help, version, listing, and how fast it starts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import tamis
from tamis import registry
from tamis.cli.main import main


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tamis", *arguments]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)


def redirected(how: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The same with its standard streams redirected by a shell."""
    command = ["sh", "-c", f'exec "$0" -m tamis "$@" {how}', sys.executable, *arguments]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)


def test_help_shows_the_verbs_and_the_exit_codes() -> None:
    shown = run("--help")
    assert shown.returncode == 0
    assert "extract " in shown.stdout
    assert "extractors" in shown.stdout
    assert "exit codes: 0 fine, 1 nothing extracted, 2 wrong use, 3 input could not be read" in shown.stdout
    assert shown.stderr == ""


@pytest.mark.parametrize(
    "verb", ["extract", "explain", "batch", "extractors", "corpora", "bench", "reproduce", "train", "render"]
)
def test_each_verb_has_help(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main([verb, "--help"])
    assert end.value.code == 0
    assert f"usage: tamis {verb}" in capsys.readouterr().out


def test_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["--version"])
    assert end.value.code == 0
    assert capsys.readouterr().out == f"tamis {tamis.__version__}\n"


@pytest.mark.parametrize(
    "arguments",
    [[], ["digest"], ["extract"], ["extract", "page.html", "--no-such-option"], ["extract", "-", "--format", "pdf"]],
    ids=["no verb", "unknown verb", "no source", "unknown option", "unknown format"],
)
def test_wrong_use_is_one_line_that_points_to_the_help(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main(arguments)
    captured = capsys.readouterr()
    assert end.value.code == 2
    assert captured.out == ""
    assert captured.err.startswith("tamis")
    assert "--help)" in captured.err
    assert captured.err.count("\n") == 1


def test_extractors_lists_every_name_with_its_summary_and_paper(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["extractors"]) == 0
    lines = capsys.readouterr().out.splitlines()
    for name, entry in tamis.extractors().items():
        own = [number for number, line in enumerate(lines) if line.split()[:1] == [name]]
        assert len(own) == 1
        assert entry.summary in lines[own[0]]
        assert entry.paper in lines[: own[0]]


def test_extractors_marks_one_default(capsys: pytest.CaptureFixture[str]) -> None:
    main(["extractors"])
    (line,) = [line for line in capsys.readouterr().out.splitlines() if "(default)" in line]
    assert line.split()[0] == registry.DEFAULT == "tamis"


@pytest.mark.parametrize("argument", ["--help", "--version", "extractors"])
def test_the_command_line_starts_without_heavy_libraries(argument: str) -> None:
    code = f"""
import sys
from tamis.cli.main import main
try:
    main([{argument!r}])
except SystemExit:
    pass
heavy = {{"numpy", "turbohtml", "httpx", "rich"}} & set(sys.modules)
sys.exit(f"imported {{heavy}}" if heavy else 0)
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
def test_output_that_can_not_be_written_is_one_line() -> None:
    ended = redirected("> /dev/full", "extractors")
    assert ended.returncode == 2
    assert ended.stderr == "tamis: the output can't be written: No space left on device\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
def test_pages_that_can_not_be_written_are_one_line(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<p>a word</p>" * 10_000, encoding="utf-8")
    ended = redirected("> /dev/full", "extract", str(page), "-e", "keep-all")
    assert ended.returncode == 2
    assert ended.stderr == "tamis: the output can't be written: No space left on device\n"


def test_closed_input_can_not_be_read() -> None:
    ended = redirected("<&-", "extract", "-")
    assert (ended.returncode, ended.stdout, ended.stderr) == (3, "", "tamis: standard input is closed\n")


@pytest.mark.parametrize("verb", ["extract", "extractors"])
def test_closed_output_leaves_no_traceback(verb: str, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<p>a word</p>", encoding="utf-8")
    arguments = [str(page), "-e", "keep-all"] if verb == "extract" else []
    ended = redirected(">&-", verb, *arguments)
    assert ended.returncode in (0, 2)
    assert "Traceback" not in ended.stderr
