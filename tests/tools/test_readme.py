"""`make readme` follows the documentation: what it runs, what it leaves out, and what it calls a failure."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.docs import pages
from tests.docs.pages import CodeBlock, commands
from tools import readme
from tools.readme_table import TABLE, DocRule, How, RunPlan, plan, python_here, stale

SERVER = "http://127.0.0.1:8000/"
ROWS = (
    DocRule(r"^make all$", How.DRY, "takes long"),
    DocRule(r"^tamis bench ", How.CORPUS, "takes hours", "--limit 3"),
    DocRule(r"^tamis train ", How.CORPUS, "takes days"),
    DocRule(r"^ray start", How.LEFT_OUT, "needs a cluster"),
)

PAGE = """\
```console
echo one        # a comment
echo "two and" \\
    three
exit 3
python -c 'raise ValueError(4)' || true
```

```python
first = "from the first block"
```

```python
print(first, html, tamis.__name__)
assert not first, html
```
"""


def test_lines_are_joined_and_lose_their_comments() -> None:
    block = CodeBlock("page.md", 7, "console", "tamis a \\\n    --b   # why\n\n# only a comment\ntamis '#c'\n")
    assert [(each.id, each.text) for each in commands(block)] == [
        ("page.md:8", "tamis a --b"),
        ("page.md:12", "tamis '#c'"),
    ]


def test_every_row_of_the_table_is_for_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert readme.main(["--list"]) == 0, capsys.readouterr().out
    listed = capsys.readouterr().out
    assert listed.startswith("README.md:")
    assert all(row.why in listed for row in TABLE)


def test_a_row_for_no_command_is_found() -> None:
    assert stale(["make all", "tamis bench x", "ray start"], ROWS) == [ROWS[2]]


@pytest.mark.parametrize(
    ("written", "corpora", "planned"),
    [
        ("tamis extract page.html", False, RunPlan("tamis extract page.html", "")),
        ("make all", False, RunPlan("make -n all", "not run, takes long")),
        ("ray start --head", True, RunPlan(None, "needs a cluster")),
        ("tamis bench x", True, RunPlan("tamis bench x --limit 3", "takes hours")),
        ("tamis train x", True, RunPlan(None, "takes days")),
        ("pip install 'tamis[batch]'", False, RunPlan("pip install './packages/tamis[batch]'", "")),
        (
            "pip install tamis 'tamis-papers[neural]' && tamis extract tamis-lab",
            False,
            RunPlan("pip install ./packages/tamis './packages/tamis-papers[neural]' && tamis extract tamis-lab", ""),
        ),
        ("pip install './packages/tamis[batch]'", False, RunPlan("pip install './packages/tamis[batch]'", "")),
        (".venv/bin/python -m tools.x", False, RunPlan("python -m tools.x", "")),
        (
            "curl -s https://example.org/a | tamis extract -",
            False,
            RunPlan(f"curl -s {SERVER}a | tamis extract -", ""),
        ),
        (
            "tamis extract https://www.example.com/a https://b.example/c",
            False,
            RunPlan(f"tamis extract {SERVER}a {SERVER}c --allow-private", ""),
        ),
    ],
)
def test_how_a_command_is_run(written: str, corpora: bool, planned: RunPlan) -> None:
    assert plan(written, corpora=corpora, server=SERVER, table=ROWS) == planned


@pytest.mark.parametrize("written", ["tamis bench x", "tamis train x"])
def test_without_corpora_a_command_runs_as_written_and_must_refuse(written: str) -> None:
    planned = plan(written, corpora=False, server=SERVER, table=ROWS)
    assert planned.run == written
    assert planned.refused


def test_python_fetches_from_this_machine() -> None:
    code = 'page = tamis.fetch("https://example.org/post", timeout=5)'
    assert python_here(code, SERVER) == f'page = tamis.fetch("{SERVER}post", allow_private=True, timeout=5)'


@pytest.fixture
def place(tmp_path: Path) -> readme.Sandbox:
    """A place with this interpreter in place of a new environment."""
    found = readme.Sandbox(tmp_path, {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"})
    found.copy.mkdir()
    (found.copy / "page.html").write_text("<p>the example page", encoding="utf-8")
    return found


def test_a_page_is_followed(
    place: readme.Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "page.md").write_text(PAGE, encoding="utf-8")
    monkeypatch.setattr(pages, "PROJECT", tmp_path)
    assert readme.follow(readme.steps("page.md"), place, SERVER) == 3
    lines = capsys.readouterr().out.splitlines()
    verdicts = [line.split(" s  ")[1] for line in lines if " s  " in line]
    assert verdicts == [
        "ok",
        "ok",
        "FAILED: exit code 3",
        "FAILED: Traceback (most recent call last)",
        "ok",
        "FAILED: Traceback (most recent call last)",
    ]
    assert [line.split()[0] for line in lines if line.startswith("page.md")] == [
        *("page.md:2", "page.md:3", "page.md:5", "page.md:6"),
        *("page.md:9", "page.md:13"),
    ]
    assert "    | from the first block <p>the example page tamis" in lines
    assert "    | AssertionError: <p>the example page" in lines


@pytest.mark.parametrize(
    ("command", "wrong"),
    [
        ("echo 'tamis: no corpus'; exit 3", None),
        ("echo 'tamis: no corpus'", "exit code 0"),
        ("echo 'one line'; echo another; exit 3", "2 lines"),
        ("exit 3", "0 lines"),
        ("echo Killed; exit 137", "exit code 137"),
    ],
)
def test_a_refusal_is_one_line(command: str, wrong: str | None, place: readme.Sandbox) -> None:
    complaint = readme.complaint(RunPlan(command, "", refused=True), readme.run(command, place))
    assert complaint is None if wrong is None else wrong in str(complaint)


def test_a_command_that_does_not_end_is_ended(place: readme.Sandbox) -> None:
    end = readme.run("sleep 60 | cat", place, patience=0.2)
    assert end.code is None
    assert "not finished" in str(readme.complaint(RunPlan("", ""), end))


def test_what_a_left_out_block_defines_is_not_there_for_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "page.md").write_text('```python\nrun(device="cuda")\n```\n\n```python\nb = 1\n```\n', encoding="utf-8")
    monkeypatch.setattr(pages, "PROJECT", tmp_path)
    _, second = readme.steps("page.md")
    assert second.program.endswith("b = 1\n")
    assert "cuda" not in second.program


def test_the_environment_has_nothing_of_this_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PYTHONPATH", "VIRTUAL_ENV", "MAKEFLAGS", "TAMIS_CONFIG"):
        monkeypatch.setenv(name, "ours")
    monkeypatch.delenv("TAMIS_DATA", raising=False)
    variables = readme._variables(tmp_path)
    assert "ours" not in variables.values()
    assert "TAMIS_DATA" not in variables
    assert variables["HOME"] == str(tmp_path / "home")
    assert variables["PATH"].startswith(str(tmp_path / "environment" / "bin"))
