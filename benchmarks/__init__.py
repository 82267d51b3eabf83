"""Time, memory and structure, as ratios in one run; `make bench` runs all of them (`__main__.py` has the list)."""

from __future__ import annotations

import sys
from pathlib import Path
from subprocess import CalledProcessError
from types import TracebackType

# The tests of all packages are one namespace, `tests`.
sys.path += map(str, (Path(__file__).parents[1] / "packages").iterdir())

# What brings a package, by what is imported; all others are of tamis-lab[bench].
_SOURCES = {
    "fastwarc": "-e 'packages/tamis[batch]'",
    "hypothesis": "--group test",
    "onnx": "-e 'packages/tamis-lab[train]'",
    "onnxruntime": "-e 'packages/tamis-papers[neural]'",
    "playwright": "-e 'packages/tamis[render]'",
    "pyarrow": "-e 'packages/tamis[batch]'",
    "pytest": "--group test",
}


def _say(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """One line where a package, a corpus or a browser is missing; a traceback for all else."""
    from tamis.errors import TamisError

    if isinstance(error, (TamisError, CalledProcessError)):  # MissingExtra among them, which is an ImportError
        print(f"this benchmark can't run: {error}", file=sys.stderr)
    elif isinstance(error, ModuleNotFoundError) and error.name:
        package = error.name.partition(".")[0]
        source = _SOURCES.get(package, "-e 'packages/tamis-lab[bench]'")
        print(
            f"this benchmark can't run: it needs {package}: {sys.executable} -m pip install {source}", file=sys.stderr
        )
    else:
        sys.__excepthook__(kind, error, trace)


if sys.argv[0] == "-m":  # python -m benchmarks.NAME: before any import of that module
    sys.excepthook = _say
