"""Install the core on every Python that tamis promises to run on: those of the classifiers of its pyproject.toml.

python -m tools.pythons                            each pythonX.Y of the PATH
python -m tools.pythons /opt/python3.14/bin/python these too; `make pythons PYTHONS=...`
python -m tools.pythons --tests                    run the tests of the core as well, minutes for each

Each interpreter gets a new environment, in which its own pip installs tamis, with a C compiler; the demo and a program
that uses every core extractor then run there, with warnings as errors. For a version that is not on this machine pip is
asked if the packages of the core have wheels for it. Exit code 1 means that one version failed.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable

from tools.lock import PACKAGES, ROOT, facts
from tools.try_wheel import try_install

PROJECT = facts(PACKAGES[0])["project"]


def promised() -> list[str]:
    """The versions of Python in the classifiers, as 3.11."""
    found = (re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", each) for each in PROJECT["classifiers"])
    return [match[1] for match in found if match]


def version_of(interpreter: str) -> str | None:
    """The version of an interpreter, as 3.11; None if it can't be run, such as a shim of a version not installed."""
    program = "import sys; print('%d.%d' % sys.version_info[:2])"
    try:
        run = subprocess.run([interpreter, "-c", program], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return run.stdout.strip()


def interpreters(named: Iterable[str]) -> dict[str, str]:
    """The interpreter of each version: a named one, or that of the PATH. Raises SystemExit if a named one fails."""
    found = {}
    for version in promised():
        path = shutil.which(f"python{version}")
        if path and version_of(path) == version:
            found[version] = path
    for name in named:
        version = version_of(name) or sys.exit(f"{name} does not run as Python on this machine")
        found[version] = name
    return found


def try_tests(interpreter: str) -> None:
    """Run the tests of the core in a new environment. Raises CalledProcessError where one fails."""
    with tempfile.TemporaryDirectory() as place:
        subprocess.run([interpreter, "-m", "venv", place], check=True)
        python = f"{place}/bin/python"
        subprocess.run([python, "-m", "pip", "install", "--quiet", "pip>=25.1"], check=True)  # knows dependency groups
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES, "--group", "test"], cwd=ROOT, check=True)
        tests = [python, "-m", "pytest", "-q", "-n", "auto", "--dist", "loadgroup", "-m", "not slow and not nightly"]
        subprocess.run(tests, cwd=ROOT, check=True)


def look_for_wheels(version: str) -> None:
    """Download the wheels of the core for a version that is not here. Raises CalledProcessError if one is missing."""
    with tempfile.TemporaryDirectory() as place:
        download = [sys.executable, "-m", "pip", "download", "--quiet", "--dest", place, "--only-binary=:all:"]
        subprocess.run([*download, "--python-version", version, *PROJECT["dependencies"]], check=True)


def main() -> int:
    """Try every version, and print the result for each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "interpreter", nargs="*", help="also these; one replaces that of the PATH with the same version"
    )
    parser.add_argument("--tests", action="store_true", help="also run the tests of the core on each")
    options = parser.parse_args()
    found = interpreters(options.interpreter)
    seen = {}
    for version in sorted({*promised(), *found}, key=lambda each: tuple(map(int, each.split(".")))):
        try:
            if version in found:
                try_install(found[version], PACKAGES[:2])
                if options.tests:
                    try_tests(found[version])
                seen[version] = f"works: {found[version]}"
            else:
                look_for_wheels(version)
                seen[version] = "not on this machine; every package of the core has a wheel for it"
        except subprocess.CalledProcessError as error:
            seen[version] = f"FAILED: {error}"
    for version, what in seen.items():
        print(f"Python {version}: {what}", flush=True)
    return 1 if any(what.startswith("FAILED") for what in seen.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
