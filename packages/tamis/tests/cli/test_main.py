"""The command line as a whole: help, version, listing, and how fast it starts."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import tamis
from tamis.cli.main import main
from tamis.cli.verbs import verbs


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


@pytest.mark.parametrize("verb", verbs())
def test_each_verb_has_help_with_a_description_and_examples(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main([verb, "--help"])
    assert end.value.code == 0
    shown = capsys.readouterr().out
    assert f"usage: tamis {verb}" in shown
    assert re.match(r"[A-Z].*[.:]", shown.split("\n\n")[1], re.DOTALL), "a sentence, not the list of options"
    assert "examples:\n" in shown


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


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["extract", "a.html", "--blokcs"], "tamis extract: unrecognized arguments: --blokcs; did you mean --blocks?"),
        (["extract", "a.html", "--precison=1"], "--precison=1; did you mean --precision?"),
        (["extract", "a.html", "-f", "json", "b.html", "--zzz"], "unrecognized arguments: --zzz (see tamis extract"),
        (["explain", "a.html", "b.html"], "tamis explain: unrecognized arguments: b.html (see tamis explain --help)"),
        (["--blokcs", "extract", "a.html"], "tamis: unrecognized arguments: --blokcs (see tamis --help)"),
        (["batch", "a.warc", "--columns", "-text"], "expected one argument; write --columns=-x for one that begins"),
        (["extract", "a.html", "-o", "-x"], "expected one argument; write --output=-x for one that begins"),
    ],
)
def test_wrong_use_says_what_is_meant(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert end.value.code == 2
    assert said in capsys.readouterr().err


def test_extractors_lists_every_name_with_its_summary_and_paper(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["extractors"]) == 0
    lines = capsys.readouterr().out.splitlines()
    for name, entry in tamis.extractors().items():
        own = [number for number, line in enumerate(lines) if line.split()[:1] == [name]]
        assert len(own) == 1
        assert entry.summary in lines[own[0]]
        assert entry.paper in [line.strip() for line in lines[: own[0]]]
        assert ("(default)" in lines[own[0]]) == (name == "tamis")


def test_extractors_stand_by_family_and_year(capsys: pytest.CaptureFixture[str]) -> None:
    main(["extractors"])
    families = re.findall(r"^by .+(?:\n.+)+", capsys.readouterr().out, flags=re.MULTILINE)
    years = {entry.paper: entry.year for entry in tamis.extractors().values() if entry.year}
    listed = [[years[title] for title in re.findall(r"^  (\S.*)$", family, flags=re.MULTILINE)] for family in families]
    assert sorted(year for family in listed for year in family) == sorted(years.values())
    assert all(family == sorted(family) for family in listed)


@pytest.mark.parametrize("argument", ["--help", "--version", "extractors"])
def test_the_command_line_starts_without_heavy_libraries(argument: str) -> None:
    code = f"""
import sys
before = set(sys.modules)  # what measures coverage is here already
from tamis.cli.main import main
try:
    main([{argument!r}])
except SystemExit:
    pass
heavy = {{"numpy", "turbohtml", "httpx", "rich", "urllib.request", "ssl", "tomllib", "tamis.web"}}
sys.exit(", ".join(heavy & set(sys.modules) - before) or 0)
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_the_help_lists_the_verbs_without_importing_one() -> None:
    code = """
import sys
from tamis.cli.main import main
from tamis.cli.verbs import verbs
try:
    main(["--help"])
except SystemExit:
    pass
sys.exit(", ".join({module for module, _ in verbs().values()} & set(sys.modules)) or 0)
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    for name, (_, summary) in verbs().items():
        assert name in ended.stdout
        assert " ".join(summary.split()) in " ".join(ended.stdout.split())


def test_a_file_is_extracted_without_the_libraries_for_urls_and_formulas(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<p>a word</p>" * 1_000, encoding="utf-8")
    code = f"""
import sys
before = set(sys.modules)
from tamis.cli.main import main
main(["extract", {str(page)!r}])
unneeded = {{"urllib.request", "ssl", "tomllib", "tamis.render.content.tex", "tamis.document.shells.content"}}
sys.exit(", ".join(unneeded & set(sys.modules) - before) or 0)
"""
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, encoding="utf-8", check=False
    )
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
def test_output_that_can_not_be_written_is_one_line(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<p>a word</p>" * 10_000, encoding="utf-8")
    for arguments in (["extractors"], ["extract", str(page), "-e", "keep-all"]):
        ended = redirected("> /dev/full", *arguments)
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
    assert (ended.returncode, ended.stderr) == (2, "tamis: the output can't be written: Bad file descriptor\n")


def test_without_standard_error_messages_are_lost_and_nothing_else(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<p>a word</p>", encoding="utf-8")
    for how in ("2>&-", *(["2> /dev/full"] if Path("/dev/full").exists() else [])):
        ended = redirected(how, "extract", "missing.html", str(page), "-e", "keep-all", "-f", "json")
        assert (ended.returncode, ended.stderr) == (3, "")
        assert [json.loads(line)["text"] for line in ended.stdout.splitlines()] == ["a word"]


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [(["extrakt", "page.html"], "extract"), (["extract", "page.html", "-f", "markdwn"], "markdown")],
)
def test_a_wrong_choice_is_told_the_close_one(arguments: list[str], meant: str) -> None:
    ended = run(*arguments)
    assert ended.returncode == 2
    assert f"did you mean {meant}?" in ended.stderr


def test_output_is_utf_8_in_any_locale() -> None:
    variables = os.environ | {"PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "tamis", "extractors"]
    ended = subprocess.run(command, capture_output=True, encoding="utf-8", env=variables, check=True)
    assert all(entry.paper in ended.stdout for entry in tamis.extractors().values() if entry.year)
