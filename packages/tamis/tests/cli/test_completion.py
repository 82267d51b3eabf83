"""`tamis completion`: commands are completed by the real shells."""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import tamis
from tamis.cli.main import main
from tamis.cli.verbs import verbs
from tamis.plugins import RECIPES, TABLES, named

SHELLS = ("bash", "zsh", "fish")
# Commands that print a sign before the line is typed; `tamis` repeats its arguments.
READY = "echo is-ready\n"
START = {
    "bash": ("bash --norc --noprofile -i", 'source tamis.bash; tamis() { echo "ran: $*."; }\n'),
    "zsh": ("zsh -f -i", 'autoload -Uz compinit; compinit -D -u; source tamis.zsh; tamis() { echo "ran: $*." }\n'),
}


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "harbour.html").touch()
    for shell in SHELLS:
        assert main(["completion", shell]) == 0
        (tmp_path / f"tamis.{shell}").write_text(capsys.readouterr().out, encoding="utf-8")


def needed(shell: str) -> None:
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")


@pytest.fixture
def terminal(request: pytest.FixtureRequest) -> Iterator[int]:
    """The terminal of a shell that waits for a line."""
    needed(request.param)
    command, prepare = START[request.param]
    child, screen = pty.fork()
    if child == 0:
        os.execvpe("sh", ["sh", "-c", f"exec {command}"], {**os.environ, "TERM": "dumb", "INPUTRC": "/dev/null"})
    os.write(screen, f"{prepare}{READY}".encode())
    seen(screen, r"\nis-ready")
    yield screen
    os.close(screen)
    os.kill(child, 9)
    os.waitpid(child, 0)


def seen(screen: int, pattern: str) -> re.Match[str]:
    """Wait until the terminal shows something."""
    shown, end = "", time.monotonic() + 60
    while not (found := re.search(pattern, shown)):
        assert time.monotonic() < end, shown
        if select.select([screen], [], [], 1)[0]:
            shown += os.read(screen, 10_000).decode(errors="replace").replace("\r", "\n")
    return found


@pytest.mark.slow
@pytest.mark.parametrize("terminal", ["bash", "zsh"], indirect=True)
@pytest.mark.parametrize(
    ("typed", "ran"),
    [
        ("expl\tharb\t", "explain harbour.html"),
        ("expl\t--extr\tkee\tharb\t", "explain --extractor[ =]keep-all harbour.html"),
        ("explain -e kee\t", "explain -e keep-all"),
        ("batch --form\tjs\t", "batch --format[ =]jsonl"),
        ("explain -o harb\t", "explain -o harbour.html"),
        ("completion zs\t", "completion zsh"),
        ("batch --address=head:6379 --form\tjs\t", "batch --address=head:6379 --format[ =]jsonl"),
    ],
)
def test_a_terminal_completes(terminal: int, typed: str, ran: str) -> None:
    os.write(terminal, f"tamis {typed}\n".encode())
    assert seen(terminal, rf"\nran: {ran} ?\.")


def offered(shell: str, line: str) -> list[str]:
    """What a shell offers for the last word of a line."""
    needed(shell)
    if shell == "fish":
        script = 'source tamis.fish; complete -C "$argv[1]"'
        command = ["fish", "--no-config", "-c", script, line]
    else:
        script = (
            'source tamis.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tamis; printf "%s\\n" "${COMPREPLY[@]}"'
        )
        words = re.findall(r"=|[^ =]+", line) + [""] * line.endswith(" ")
        command = ["bash", "-c", script, "bash", *words]
    environment = {**os.environ, "HOME": os.getcwd()}  # noqa: PTH109
    ended = subprocess.run(command, capture_output=True, encoding="utf-8", check=True, env=environment)
    return [entry.partition("\t")[0].rpartition("=")[2] for entry in ended.stdout.splitlines() if entry]


@pytest.mark.parametrize("shell", ["bash", "fish"])
def test_words(shell: str) -> None:
    assert set(verbs()) <= set(offered(shell, "tamis "))
    negative = {"--no-links", "--no-images", "--no-tables", "--no-config", "--no-comments", "--no-title"}
    assert negative < set(offered(shell, "tamis extract --no-"))
    assert sorted(offered(shell, "tamis extract --lin")) == ["--links", "--links-as-references"]
    formats = {"text", "markdown", "html", "json", "xml", "tei", "chunks", "csv"}
    for option in ("-f ", "--format ", "--format=", "--output-format "):
        assert set(offered(shell, f"tamis extract {option}")) == formats
    assert set(offered(shell, "tamis batch --format ")) == {"parquet", "jsonl"}
    assert set(offered(shell, "tamis explain --extractor ")) == set(tamis.extractors())
    assert set(offered(shell, "tamis completion ")) >= set(SHELLS)
    assert set(offered(shell, "tamis config ba")) == {"batch"}
    assert set(offered(shell, "tamis batch --columns mark")) == {"markdown"}
    assert set(offered(shell, "tamis reproduce ")) == set(named(TABLES))
    assert set(named(RECIPES)) <= set(offered(shell, "tamis train "))


def test_bash_completes_a_column_behind_a_comma() -> None:
    assert offered("bash", "tamis batch --columns default,minh") == ["default,minhash"]


@pytest.mark.parametrize("shell", ["bash", "fish"])
def test_options_are_those_of_the_verb_in_front(shell: str) -> None:
    assert "--format" not in offered(shell, "tamis config extract --f")


def test_fish_offers_files_where_they_belong() -> None:
    for line in ("tamis extract harb", "tamis extract -o harb", "tamis extract x --highlight harb"):
        assert offered("fish", line) == ["harbour.html"]
    assert offered("fish", "tamis extract --chunk-tokens harb") == []
    assert offered("fish", "tamis extractors harb") == []


def test_an_unknown_shell_is_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["completion", "tcsh"])
    assert end.value.code == 2
    assert "invalid choice: 'tcsh'" in capsys.readouterr().err
