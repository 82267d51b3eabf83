"""Fuzz one target with generated inputs, or several one after the other.

    python -m tests.fuzz parser --seed 1 --count 1000000         seeds 1 to 1,000,000
    python -m tests.fuzz extract batch --seconds 60 --jobs 2     as many as fit into a minute each
    python -m tests.fuzz extract --only 4711                     one input: print it, and what is wrong with it

Each new kind of failure is shrunk and written to build/fuzz/TARGET/, with its seed in its name. The exit status is 1
if there were any.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any, cast

from tests.fuzz.children import Find, attempt, run
from tests.fuzz.minimise import minimise
from tests.fuzz.targets import TARGETS, Target


def main(arguments: list[str] | None = None) -> int:
    """Fuzz, print progress and the finds, and return the exit status."""
    options = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Fuzz tamis with generated inputs.")
    options.add_argument("targets", choices=TARGETS, nargs="+")
    options.add_argument("--seed", type=int, default=1, help="the first seed")
    options.add_argument("--count", type=int, help="how many inputs")
    options.add_argument("--seconds", type=float, help="for how long, if no count is given (default: 60)")
    options.add_argument("--jobs", type=int, default=1, help="processes")
    options.add_argument("--only", type=int, metavar="SEED", help="one input, shrunk")
    options.add_argument("--output", type=Path, default=Path("build/fuzz"), help="where finds go")
    options.add_argument("--no-shrink", action="store_true", help="write finds as they are")
    chosen = options.parse_args(arguments)
    os.environ.setdefault("RUST_BACKTRACE", "0")
    found = [
        _fuzz(name, chosen) if chosen.only is None else _one(TARGETS[name](), chosen.only) for name in chosen.targets
    ]
    return 1 if any(found) else 0


def _fuzz(name: str, chosen: argparse.Namespace) -> int:
    """The number of finds of one target."""
    target = TARGETS[name]()
    seconds = chosen.seconds if chosen.seconds or chosen.count else 60.0
    kinds: Counter[str] = Counter()
    first: dict[str, Find] = {}
    begun = shown = time.monotonic()
    done = 0
    check = lambda seed: target.check(target.make(seed), seed)  # noqa: E731
    for progress in run(check, chosen.seed, chosen.count, jobs=chosen.jobs, seconds=seconds, memory=target.memory):
        done = progress.done
        if progress.find is not None:
            kinds[progress.find.signature] += 1
            if kinds[progress.find.signature] == 1:
                first[progress.find.signature] = progress.find
                print(f"seed {progress.find.seed}: {progress.find.signature}", flush=True)
        elif time.monotonic() - shown > 30:
            shown = time.monotonic()
            print(f"{done:,} inputs, {kinds.total()} finds, {done / (shown - begun):,.0f} inputs/s", flush=True)
    rate = done / (time.monotonic() - begun)
    print(f"{name}: {done:,} inputs from seed {chosen.seed}, {kinds.total()} finds, {rate:,.0f} inputs/s", flush=True)
    for signature, count in kinds.most_common():
        print(f"{count:8,}  {signature}", flush=True)
        _report(first[signature], target, chosen.output / name, shrink=not chosen.no_shrink)
    return kinds.total()


def _one(target: Target, seed: int) -> int:
    given = target.make(seed)
    find = attempt(lambda _: target.check(given, seed), memory=target.memory)
    if find is None:
        print(f"{given!a}\nnothing is wrong with it")
        return 0
    print(f"{_shrunk(target, seed)!a}\n{find.kind}: {find.detail}")
    return 1


def _report(find: Find, target: Target, folder: Path, *, shrink: bool) -> None:
    given = _shrunk(target, find.seed) if shrink else target.make(find.seed)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{find.kind}-{find.seed}"
    path.write_bytes(given.encode("utf-8", "surrogatepass") if isinstance(given, str) else given)
    print(f"          seed {find.seed}, {len(given)} characters in {path}: {given[:300]!a}", flush=True)


def _shrunk(target: Target, seed: int) -> str | bytes:
    given: Any = target.make(seed)
    return cast("str | bytes", minimise(given, lambda shorter: target.check(shorter, seed), memory=target.memory))


if __name__ == "__main__":
    sys.exit(main())
