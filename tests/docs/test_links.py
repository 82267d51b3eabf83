"""Links lead somewhere, and files that are named exist."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import tamis
from tests.docs.pages import PROJECT, anchors, inline_code, links, names, text

# Inline code that looks like the path of a file of ours. Names of files that users have are not in a folder.
_PATH = re.compile(r"(?:[\w-]+/)+[\w-]+\.(?:py|js|css|md|toml|json|html|sh)")
# What paths in the documentation are relative to.
ROOTS = [
    PROJECT, PROJECT / "packages", PROJECT / "extension", PROJECT / "tests",
    *PROJECT.glob("packages/*"), *PROJECT.glob("packages/*/src"), *PROJECT.glob("packages/*/src/*"),
    *PROJECT.glob("packages/*/tests"),
]  # fmt: skip
# Files that are written by commands, not committed.
_WRITTEN = ("build/", "bench/", "out/")


def test_relative_links_lead_to_files() -> None:
    for page, link in ((name, link) for name in names() for link in links(name)):
        target, _, anchor = link.partition("#")
        path = (PROJECT / page).parent / target if target else PROJECT / page
        assert path.exists(), f"{page} links to {link}"
        if anchor and path.suffix == ".md":
            assert anchor in anchors(path.resolve().relative_to(PROJECT).as_posix()), f"{page} links to {link}"


def test_files_that_are_named_exist() -> None:
    for page in sorted({*names()} - {"CHANGELOG.md"}):
        roots = (*ROOTS, (PROJECT / page).parent)
        for code in inline_code(page):
            if _PATH.fullmatch(code) and not code.startswith(_WRITTEN):
                assert any((root / code).exists() for root in roots), f"{page} names {code}"


def test_pages_name_no_numbers_of_issues() -> None:
    for page in names():
        assert not re.search(r"\bissue \d|\.\./shared", text(page)), page


def test_the_reference_has_every_public_name() -> None:
    reference = set(re.findall(r"^::: tamis\.(\w+)$", text("docs/reference/api.md"), re.MULTILINE))
    assert reference == set(tamis.__all__) - {"__version__"}


def test_the_changelog_has_this_version() -> None:
    assert re.search(rf"^## {re.escape(tamis.__version__)}\b", text("CHANGELOG.md"), re.MULTILINE)


def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs", reason="the extra docs is not installed")
    pytest.importorskip("material", reason="the extra docs is not installed")
    run = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    front = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert not re.findall(r'<(?:script|link|img)[^>]+(?:src|href)="?https?://(?!tamis-extract)[^>]*', front)
    moved = (tmp_path / "server" / "index.html").read_text(encoding="utf-8")  # problems of the server link here
    assert '"../how-to/server/" + location.hash' in moved
    for page in names():
        if page.startswith("packages/tamis-papers/") and Path(page).parent.name != "tamis-papers":
            name = Path(page).parent.name if Path(page).stem == "README" else Path(page).stem
            assert (tmp_path / "papers" / name / "index.html").exists(), page
