"""All benchmarks, one after the other, with pages enough for an hour in all.

    python -m benchmarks

Each runs in a process of its own. One that can't run, or that exceeds a limit, does not stop the others; the last lines
name them, and the exit code is 1.
"""

from __future__ import annotations

import subprocess
import sys

COMMANDS = (
    "speed",
    "speed --linear",
    "speed --startup",
    "tamis",
    "tamis --parts",
    "tamis --memory",
    "tamis --startup",
    "outputs",
    "metadata --peers",
    "hostile",
    "hostile --formats",
    "batch --pages 1000 --curve 0",  # 20,000 pages, and 100,000 for the memory curve, take hours
    "server --seconds 20",
    "long_life threads --count 2000",
    "long_life memory --count 40000",  # a million take hours
    "site",
    "web2text",
    "boilernet",
    "r4",
    "render",
    "extension",
    "explain",
    "parsers growth",
    "parsers speed",
)

# What is not run, and why.
LEFT_OUT = {
    "hostile --all 1000000": "hours",
    "hostile --doubling": "half an hour",
    "parsers fuzz": "hours; it is for the choice of a parser",
    "parsers conformance FOLDER": "needs the tests of html5lib",
}


def main(commands: tuple[str, ...] = COMMANDS) -> int:
    """Run the commands. The exit code is 1 if one of them failed."""
    failed = []
    for command in commands:
        print(f"\n== python -m benchmarks.{command}", flush=True)
        if subprocess.run([sys.executable, "-m", f"benchmarks.{command.split()[0]}", *command.split()[1:]]).returncode:
            failed.append(command)
    print(f"\n{len(commands) - len(failed)} of {len(commands)} benchmarks ran and held their limits")
    for command in failed:
        print(f"not: python -m benchmarks.{command}")
    for command, reason in LEFT_OUT.items():
        print(f"left out: python -m benchmarks.{command} ({reason})")
    return min(len(failed), 1)


if __name__ == "__main__":
    sys.exit(main())
