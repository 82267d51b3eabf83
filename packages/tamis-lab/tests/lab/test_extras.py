"""What happens without the optional dependencies."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tamis.errors import MissingExtra
from tamis_lab.extras import needs

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
