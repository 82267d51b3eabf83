"""Compiles the kernel: a shared library for Python, and WebAssembly for the browser.

    python kernel/build.py library src/tamis/kernel/kernel.so
    python kernel/build.py sanitized build/kernel-sanitized.so     # for `make sanitized`
    python kernel/build.py wasm build/kernel.wasm
    python kernel/build.py fuzz build/fuzz-kernel                  # for `make fuzz-kernel`

It runs wherever tamis is installed from source, so it needs nothing but the standard library and a C compiler: the one
that CC names, else cc, gcc or clang.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

KERNEL = Path(__file__).resolve().parent

_FLAGS = (
    "-std=c11",
    "-O3",
    "-Wall",
    "-Wextra",
    "-fvisibility=hidden",  # only what TAMIS_API marks is seen from outside
    "-ffp-contract=off",  # no fused multiplication and addition: results must not depend on the processor
    "-fno-math-errno",  # a square root is one instruction
    "-fno-trapping-math",  # nobody reads the processor's floating-point flags, so that loops may become vectors
)
_LIBRARY = ("-shared", "-fPIC")
_SANITIZED = (
    "-O1",  # -O3 would optimise away some of the errors
    "-g",  # a report names lines
    "-fno-omit-frame-pointer",  # for the stack in a report
    "-fsanitize=address,undefined",
    "-fsanitize=float-cast-overflow",  # not in `undefined`; a number that does not fit traps in some WebAssembly
    "-fno-sanitize-recover=all",  # a finding ends the process: a line in the output could be overlooked
)
_WASM = (
    "--target=wasm32",
    "-msimd128",  # vectors of 16 bytes; every browser that the extension runs in has them
    "-mbulk-memory",  # memcpy, memmove and memset are one instruction
    "-nostdlib",  # without a C library: freestanding.c has the few functions that are needed
    f"-isystem{KERNEL / 'freestanding'}",  # and this folder its headers
    "-Wl,--no-entry",  # functions, no program
    "-Wl,--export-dynamic",  # those that TAMIS_API marks
    "-Wl,--export=__heap_base",  # the host may write from here on: stack and tables lie before it
    "-Wl,--stack-first",  # a stack that overflows traps; behind the tables it would overwrite them
    "-Wl,--strip-all",  # only exported names
)
_FUZZ = (
    "-fsanitize=fuzzer",  # libFuzzer, which only clang has; it brings `main`
    "-fno-sanitize-coverage=trace-cmp",  # words to compare with are in a dictionary; without, it is three times as fast
    "-Wl,--wrap=take",  # see fuzz/judge.c
    f"-I{KERNEL / 'fuzz'}",
)
_ONLY_LIBRARY = {"walk.c", "guard.c"}  # of the host for Python
_ONLY_WASM = {"freestanding.c"}


class NoCompiler(Exception):
    """The C compiler is missing, or it fails."""


def compile_library(target: Path, *more: str) -> None:
    """Compile the shared library. Raises NoCompiler."""
    compiler = shlex.split(os.environ.get("CC", "")) or [next(filter(shutil.which, ("cc", "gcc", "clang")), "cc")]
    mend = "install gcc or clang (Debian: apt install gcc), or set CC"
    _compile([*compiler, *_FLAGS, *_LIBRARY, *more], _sources(_ONLY_WASM), target, mend)


def compile_sanitized(target: Path) -> None:
    """Compile the shared library so that a bad access or undefined behaviour ends the process. Raises NoCompiler."""
    compile_library(target, *_SANITIZED)


def compile_wasm(target: Path) -> None:
    """Compile for WebAssembly, with clang and lld. Raises NoCompiler."""
    compiler = shlex.split(os.environ.get("WASM_CC", "")) or ["clang"]
    mend = "install clang and lld (Debian: apt install clang lld), or set WASM_CC"
    _compile([*compiler, *_FLAGS, *_WASM], _sources(_ONLY_LIBRARY), target, mend)


def compile_fuzz(target: Path) -> None:
    """Compile the fuzzer of the kernel, with clang and its libFuzzer. Raises NoCompiler."""
    compiler = shlex.split(os.environ.get("FUZZ_CC", "")) or ["clang"]
    mend = "install clang with its sanitizers (Debian: apt install clang libclang-rt-dev), or set FUZZ_CC"
    if shutil.which(compiler[0]):
        command = [*compiler, "-fsanitize=fuzzer,address", "-xc", "-", "-o", os.devnull]
        program = "int LLVMFuzzerTestOneInput(const unsigned char *data, unsigned long size) { return data && !size; }"
        if subprocess.run(command, input=program, text=True, capture_output=True).returncode:
            raise NoCompiler(f"{compiler[0]} has no libFuzzer here: {mend}")
    sources = [*_sources(_ONLY_WASM), *sorted((KERNEL / "fuzz").glob("*.c"))]
    _compile([*compiler, *_FLAGS, *_SANITIZED, *_FUZZ], sources, target, mend)
    target.chmod(0o755)


def _sources(left_out: set[str]) -> list[Path]:
    return [source for source in sorted(KERNEL.glob("*.c")) if source.name not in left_out]


def _compile(command: list[str], sources: list[Path], target: Path, mend: str) -> None:
    if shutil.which(command[0]) is None:
        raise NoCompiler(f"the kernel of tamis is compiled from C, and there is no {command[0]!r} here: {mend}")
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        sys.path.insert(0, str(KERNEL))
        from tables import write_tables

        write_tables(Path(place) / "tables.h")
        made = Path(place) / target.name
        if subprocess.run([*command, f"-I{place}", f"-I{KERNEL}", "-o", made, *sources]).returncode:
            raise NoCompiler(f"{command[0]} could not compile the kernel of tamis; see its messages above")
        new = target.with_name(f"{target.name}.{os.getpid()}")
        shutil.copyfile(made, new)
        new.replace(target)  # at once: another process may be loading the old one


_KINDS = {"library": compile_library, "sanitized": compile_sanitized, "wasm": compile_wasm, "fuzz": compile_fuzz}

if __name__ == "__main__":
    kind, where = sys.argv[1:]
    try:
        _KINDS[kind](Path(where))
    except NoCompiler as error:
        sys.exit(f"{error}")
