"""Fuzz one target with generated pages.

    python -m tests.fuzz parser --seed 1 --count 1000000     seeds 1 to 1,000,000
    python -m tests.fuzz extract --seconds 180 --jobs 2      as many as fit
    python -m tests.fuzz extract --page 4711                 one page: print it, and what is wrong with it

Each new kind of failure is shrunk and written to build/fuzz/TARGET/, with its seed in its name. The exit status is 1
if there were any.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

from tests.fuzz.children import Find, attempt, run
from tests.fuzz.minimise import minimise
from tests.fuzz.pages import page
from tests.fuzz.targets import TARGETS, Target


def main(arguments: list[str] | None = None) -> int:
    """Fuzz, print progress and the finds, and return the exit status."""
    options = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Fuzz tamis with generated pages.")
    options.add_argument("target", choices=TARGETS)
    options.add_argument("--seed", type=int, default=1, help="the first seed")
    options.add_argument("--count", type=int, help="how many pages")
    options.add_argument("--seconds", type=float, help="for how long, if no count is given (default: 60)")
    options.add_argument("--jobs", type=int, default=1, help="processes")
    options.add_argument("--page", type=int, metavar="SEED", help="only this page, shrunk")
    options.add_argument("--output", type=Path, default=Path("build/fuzz"), help="where finds go")
    options.add_argument("--no-shrink", action="store_true", help="write finds as they are")
    chosen = options.parse_args(arguments)
    target = TARGETS[chosen.target]()
    if chosen.page is not None:
        return _one_page(target, chosen.page)
    seconds = chosen.seconds if chosen.seconds or chosen.count else 60.0
    kinds: Counter[str] = Counter()
    begun = shown = time.monotonic()
    done = 0
    for progress in run(
        lambda seed: target(page(seed), seed), chosen.seed, chosen.count, jobs=chosen.jobs, seconds=seconds
    ):
        done = progress.done
        if progress.find is not None:
            kinds[progress.find.signature] += 1
            if kinds[progress.find.signature] == 1:
                _report(progress.find, target, chosen.output / chosen.target, shrink=not chosen.no_shrink)
        elif time.monotonic() - shown > 30:
            shown = time.monotonic()
            print(f"{done:,} pages, {sum(kinds.values())} finds, {done / (shown - begun):,.0f} pages/s", flush=True)
    rate = done / (time.monotonic() - begun)
    print(f"{chosen.target}: {done:,} pages from seed {chosen.seed}, {sum(kinds.values())} finds, {rate:,.0f} pages/s")
    for signature, count in kinds.most_common():
        print(f"{count:8,}  {signature}")
    return 1 if kinds else 0


def _one_page(target: Target, seed: int) -> int:
    html = page(seed)
    find = attempt(lambda _: target(html, seed))
    if find is None:
        print(f"{html!a}\nnothing is wrong with this page")
        return 0
    print(f"{minimise(html, lambda shorter: target(shorter, seed))!a}\n{find.kind}: {find.detail}")
    return 1


def _report(find: Find, target: Target, folder: Path, *, shrink: bool) -> None:
    html = page(find.seed)
    if shrink:
        html = minimise(html, lambda shorter: target(shorter, find.seed))
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{find.kind}-{find.seed}.html"
    path.write_text(html, encoding="utf-8", errors="surrogatepass")
    print(f"seed {find.seed}: {find.signature}, {len(html)} characters in {path}\n    {html[:300]!a}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
