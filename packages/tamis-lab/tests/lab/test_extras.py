"""Without optional dependencies or corpora, one line says what is missing and where to get it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tamis.cli.main import main
from tamis.errors import MissingExtra
from tamis_lab import needs

# Every module of the laboratory is imported on a machine that has numpy, safetensors and turbohtml alone.
CODE = """
import importlib, pkgutil, sys
for name in {absent!r}:
    sys.modules[name] = None
import tamis_lab
from tamis.errors import MissingExtra
for package in {packages!r}:
    module = importlib.import_module(package)
    for found in pkgutil.iter_modules(getattr(module, "__path__", []), package + "."):
        try:
            importlib.import_module(found.name)
        except MissingExtra as error:
            print(found.name, error)
"""
ABSENT = ("torch", "onnx", "rapidfuzz", "scipy", "sklearn", "matplotlib", "jinja2", "markupsafe", "rich", "httpx")
ROOMS = ("gold", "corpora", "metrics", "training", "cli", "report")
PACKAGES = [f"tamis_lab.{room}" for room in ROOMS]


def test_modules_import_or_name_their_extra() -> None:
    code = CODE.format(absent=ABSENT, packages=PACKAGES)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    lines = dict(line.split(" ", 1) for line in done.stdout.splitlines())
    assert set(lines) == {
        *(f"tamis_lab.training.{name}" for name in ("loop", "models", "tamis", "tamis_losses", "tamis_module")),
        "tamis_lab.report.charts",
    }
    assert lines["tamis_lab.training.tamis"] == "training (torch) needs an extra: pip install 'tamis-lab[train]'"
    assert lines["tamis_lab.report.charts"] == "charts (matplotlib) needs an extra: pip install 'tamis-lab[bench]'"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("train nope --corpus x", "no model that can be trained is called 'nope'"),
        ("train tamis --corpus my-site", "no corpus is called 'my-site' and no folder is"),
        ("train tamis --corpus chaos", "chaos is not in "),
        ("bench --corpus nope", "no corpus is called 'nope'"),
        ("bench --corpus nope --structure", "no corpus is called 'nope'"),
        ("bench --metadata --corpus nope", "no corpus is called 'nope'"),
        ("bench --corpus . -e nope", "no contestant is called 'nope'"),
        ("bench --corpus .:nope -e tamis", "has no split 'nope'"),
        ("bench --structure --corpus . -e nope", "no writer of structure is called 'nope'"),
        ("bench --metadata --corpus . --peer nope", "no reader of metadata is called 'nope'"),
        ("reproduce nope", "no paper is called 'nope'"),
        ("bench --corpus . -e tamis --no-peers", "the benchmark (rich) needs an extra"),
    ],
)
def test_names_are_checked_before_extras(words: str, said: str, tmp_path: Path) -> None:
    """Nobody has to install PyTorch to learn that a name is wrong."""
    code = f"import sys\nfor name in {ABSENT!r}: sys.modules[name] = None\nfrom tamis.cli.main import main\nmain()"
    (tmp_path / "page.html").write_text("<p>words", encoding="utf-8")
    (tmp_path / "page.txt").write_text("words", encoding="utf-8")
    environment = os.environ | {"TAMIS_DATA": str(tmp_path)}
    command = [sys.executable, "-c", code, *words.split()]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, env=environment)
    (line,) = done.stderr.splitlines()
    assert said in line


def test_a_missing_module_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)
    message = r"^a test \(scipy\) needs an extra: pip install 'tamis-lab\[bench\]'$"
    with pytest.raises(MissingExtra, match=message), needs("bench", "a test"):
        import scipy  # noqa: F401


@pytest.mark.parametrize(
    ("words", "corpus"),
    [
        (["bench", "--corpus", "chaos"], "chaos"),
        (["bench", "--structure"], "wcxb"),
        (["corpora", "--alignment", "--corpus", "dragnet"], "dragnet"),
        (["reproduce", "tamis"], "wcxb"),
    ],
)
def test_one_corpus(words: list[str], corpus: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*words, "--data", str(tmp_path)]) == 3
    out, err = capsys.readouterr()
    (line,) = err.splitlines()
    assert line.startswith(f"tamis: {corpus} is not in {tmp_path}: looked for ")
    assert "; get it: " in line
    assert line.endswith("; then set TAMIS_DATA to the folder that holds it")
    assert not out


def test_several_corpora(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpora = [word for name in ("wcxb:dev", "wcxb", "chaos") for word in ("--corpus", name)]
    assert main(["bench", "--metadata", *corpora, "--data", str(tmp_path)]) == 3
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"tamis: wcxb, chaos are not in {tmp_path}: `tamis corpora` says where to get each")


@pytest.mark.parametrize(
    ("paper", "first", "second"), [("boilerpipe", "l3s-gn1", "cleaneval"), ("r4", "cleaneval", "googletrends-2017")]
)
def test_a_paper_of_two_corpora(
    paper: str, first: str, second: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also if the second alone is missing: it is needed after minutes."""
    assert main(["reproduce", paper, "--data", str(tmp_path)]) == 3
    assert f"{first}, {second} are not in" in capsys.readouterr().err
    (tmp_path / first).mkdir()
    assert main(["reproduce", paper, "--data", str(tmp_path)]) == 3
    assert f"{second} is not in" in capsys.readouterr().err
