"""What happens without the optional dependencies."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tamis.errors import MissingExtra
from tamis.lab.extras import needs

# Every module of the laboratory is imported on a machine that has numpy, safetensors and turbohtml alone.
CODE = """
import importlib, pkgutil, sys
for name in {absent!r}:
    sys.modules[name] = None
import tamis.lab
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
ROOMS = ("align", "gold", "corpora", "metrics", "training", "cli", "report")
PACKAGES = [f"tamis.lab.{room}" for room in ROOMS]


def test_modules_import_or_name_their_extra() -> None:
    code = CODE.format(absent=ABSENT, packages=PACKAGES)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    lines = dict(line.split(" ", 1) for line in done.stdout.splitlines())
    assert set(lines) == {
        *(f"tamis.lab.training.{name}" for name in ("loop", "models", "results", "tamis", "tamis_module")),
        "tamis.lab.report.charts",
    }
    assert lines["tamis.lab.training.tamis"] == "training (torch) needs an extra: pip install 'tamis[train]'"
    assert lines["tamis.lab.report.charts"] == "charts (matplotlib) needs an extra: pip install 'tamis[bench]'"


def test_a_missing_module_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)
    message = r"^a test \(scipy\) needs an extra: pip install 'tamis\[bench\]'$"
    with pytest.raises(MissingExtra, match=message), needs("bench", "a test"):
        import scipy  # noqa: F401
