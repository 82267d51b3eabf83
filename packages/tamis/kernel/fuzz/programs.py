"""Compiles the fuzzer of the kernel and the program that times its worst pages.

python kernel/fuzz/programs.py fuzz build/fuzz-kernel    # with sanitizers; see fuzz.c
python kernel/fuzz/programs.py slow build/slow-kernel    # as it is shipped; see slow.c
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path

FUZZ = Path(__file__).resolve().parent
sys.path.insert(0, str(FUZZ.parent))

import build  # noqa: E402

_LEFT_OUT = {"freestanding.c"}  # it has what the C library has
_SHARED = ("random.c", "memory.c", "pages.c", "weights.c")
_ONLY_FUZZ = ("fuzz.c", "judge.c", "damage.c", "corpus.c", "markup.c", "folds.c")


def compile_fuzz(target: Path) -> None:
    """Compile the fuzzer. Raises build.NoCompiler."""
    _compile(target, [*_ONLY_FUZZ, *_SHARED], [*build._SANITIZED, "-Wl,--wrap=take"])


def compile_slow(target: Path) -> None:
    """Compile the program that times pages. Raises build.NoCompiler."""
    _compile(target, ["slow.c", *_SHARED], [])


def _compile(target: Path, own: list[str], flags: list[str]) -> None:
    compiler = shlex.split(os.environ.get("CC", "")) or [next(filter(shutil.which, ("cc", "gcc", "clang")), "cc")]
    kernel = [source for source in sorted(build.KERNEL.glob("*.c")) if source.name not in _LEFT_OUT]
    command = [*compiler, *build._FLAGS, *flags, f"-I{FUZZ}"]
    build._compile(command, [*kernel, *(FUZZ / name for name in own)], target, "install gcc or clang, or set CC")
    target.chmod(0o755)


_KINDS = {"fuzz": compile_fuzz, "slow": compile_slow}

if __name__ == "__main__":
    kind, where = sys.argv[1:]
    try:
        _KINDS[kind](Path(where))
    except build.NoCompiler as error:
        sys.exit(f"{error}")
