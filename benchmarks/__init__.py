"""Time, memory and structure, as ratios in one run; `make bench` runs all of them (`__main__.py` has the list)."""

from __future__ import annotations

import sys
from subprocess import CalledProcessError
from types import TracebackType

# The extra that brings a package, by what is imported; all others are of `bench`.
_EXTRAS = {
    "fastwarc": "batch",
    "hypothesis": "test",
    "onnx": "train",
    "onnxruntime": "neural",
    "playwright": "render",
    "pyarrow": "batch",
    "pytest": "test",
}


def _say(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """One line where a package, a corpus or a browser is missing; a traceback for all else."""
    from tamis.errors import TamisError

    if isinstance(error, (TamisError, CalledProcessError)):  # MissingExtra among them, which is an ImportError
        print(f"this benchmark can't run: {error}", file=sys.stderr)
    elif isinstance(error, ModuleNotFoundError) and error.name:
        package = error.name.partition(".")[0]
        command = f"{sys.executable} -m pip install '.[{_EXTRAS.get(package, 'bench')}]'"
        print(f"this benchmark can't run: it needs {package}: {command}", file=sys.stderr)
    else:
        sys.__excepthook__(kind, error, trace)


if sys.argv[0] == "-m":  # python -m benchmarks.NAME: before any import of that module
    sys.excepthook = _say
