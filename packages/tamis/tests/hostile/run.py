"""Runs the hostile pages through every output, in a process of its own with limits on memory.

    python -m tests.hostile.run 20000            all pages, each of about 20,000 characters
    python -m tests.hostile.run 2000000 spans    the pages of these names

Prints a line of JSON before and after each page, so that a reader knows which page ended the process.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import Any

import tamis
from tests.hostile.pages import HOSTILE
from tests.project import PACKAGE

OUTPUTS = "text markdown html json highlighted metadata structured_data media title comments".split()
ADDRESS_SPACE = 6_000_000_000  # more than the memory that a page may take: libraries reserve some


def attempt(name: str, size: int, outputs: Iterable[str] = OUTPUTS) -> dict[str, Any]:
    """The seconds of the extraction and of each output, and the errors that are ours."""
    seconds: dict[str, float] = {}
    errors: dict[str, str] = {}
    html = HOSTILE[name](size)
    start = time.process_time()
    page = None
    for stage in ("extract", *outputs):
        try:
            if stage == "extract":
                page = tamis.extract(html, url="https://example.org/a/b")
            else:
                getattr(page, stage)
        except tamis.TamisError as error:
            errors[stage] = str(error)
        seconds[stage] = round(time.process_time() - start, 3)
        start = time.process_time()
        if page is None:
            break
    return {"page": name, "size": len(html), "seconds": seconds, "errors": errors, "megabytes": peak() // 1000}


def peak() -> int:
    """The most memory that this program had, in kilobytes."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # ru_maxrss would start with that of the parent process.
    return int(status.read_text().partition("VmHWM:")[2].split()[0])


def watched(size: int, names: Iterable[str] = (), patience: float = 60.0) -> Iterator[dict[str, Any]]:
    """The lines of the program below, and {"lost": ...} for a page that ended it or took longer than `patience`."""
    command = [sys.executable, "-m", "tests.hostile.run", str(size), *names]
    child = subprocess.Popen(command, cwd=PACKAGE, stdout=subprocess.PIPE, encoding="utf-8")
    lines: Queue[str] = Queue()
    reader = Thread(target=lambda: deque(map(lines.put, chain(child.stdout or (), [""])), maxlen=0), daemon=True)
    reader.start()
    page = "the start"
    try:
        while line := lines.get(timeout=patience):
            told = json.loads(line)
            if "begins" in told:
                page = told["begins"]
            else:
                yield told
        if child.wait():
            yield {"lost": page, "how": f"the process ended with {child.returncode}"}
    except Empty:
        yield {"lost": page, "how": f"it takes more than {patience:g} s"}
    finally:
        child.kill()
        child.wait()
        reader.join()
        if child.stdout is not None:
            child.stdout.close()


def main(size: int, names: list[str]) -> None:
    """Try the pages one after the other."""
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    attempt("rows of two cells", 1_000)  # so that the first page does not pay for loading
    for name in HOSTILE:
        if not names or name in names:
            print(json.dumps({"begins": name}), flush=True)
            print(json.dumps(attempt(name, size)), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
