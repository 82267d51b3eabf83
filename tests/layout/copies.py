"""A copy of the project without some of its papers, and its test suite run there.

python -m tests.layout.copies        each paper removed in turn, the whole suite each time (an hour or so)
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tamis.registry import PAPERS

PROJECT = Path(__file__).parents[2]
_COPIED = """
src kernel tests benchmarks examples extension tools docs README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md LICENSE
Makefile hatch_build.py mkdocs.yml pyproject.toml requirements-dev.lock .pre-commit-config.yaml
""".split()


def copy_without(papers: Collection[str], where: Path) -> Path:
    """Copy the project, delete the folders of `papers` and their tests, and take their names out of the registry."""
    for name in _COPIED:
        source = PROJECT / name
        if source.is_dir():
            shutil.copytree(source, where / name, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
        elif source.exists():
            shutil.copy(source, where / name)
    for paper in papers:
        shutil.rmtree(where / "src/tamis/papers" / paper)
        shutil.rmtree(where / "tests/papers" / paper, ignore_errors=True)
    registry = where / "src/tamis/registry.py"
    rest = tuple(paper for paper in PAPERS if paper not in papers)
    text, found = re.subn(
        r"^PAPERS = \([^)]*\)$", f"PAPERS: tuple[str, ...] = {rest!r}", registry.read_text(), flags=re.M
    )
    assert found == 1
    registry.write_text(text)
    return where


def run_suite(project: Path, *arguments: str, timeout: float | None = None) -> subprocess.CompletedProcess[str]:
    """pytest in a copy, which does not copy itself again."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("COV", "PYTEST"))}
    environment |= {"PYTHONPATH": str(project / "src")}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--ignore=tests/layout/test_removable.py",
    ]
    return subprocess.run(
        [*command, *arguments],
        cwd=project,
        env=environment,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


def main(papers: Sequence[str]) -> int:
    """Run the whole suite without each of the papers, and say how it ended."""
    failed = 0
    for paper in papers or PAPERS:
        with TemporaryDirectory() as folder:
            ended = run_suite(copy_without([paper], Path(folder)), "-n", "auto", "--dist", "loadgroup", "tests")
            print(f"without {paper}: {ended.stdout.strip().splitlines()[-1]}", flush=True)
            if ended.returncode:
                failed += 1
                print(ended.stdout[-5_000:])
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
