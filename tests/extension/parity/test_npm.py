"""The npm package: in a real browser, in Node, and what is packed."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tamis.extractor.tamis import tamis as default
from tests.extension import pages
from tests.extension.parity.harness import ROOT, Core, kernel
from tests.extension.parity.in_node import packaged
from tests.golden import URL, golden_pages

pytestmark = pytest.mark.xdist_group("extension core")

GOLDEN = {page.name: page for page in golden_pages()}


@pytest.fixture(scope="module")
def built() -> Path:
    """The package, from the present sources."""
    node = shutil.which("node")
    if node is None or not (ROOT / "extension/node_modules").is_dir():
        pytest.skip("no Node or none of its packages here: make npm")
    kernel()
    run = subprocess.run([node, "tools/npm.js"], cwd=ROOT / "extension", capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return ROOT / "build/npm"


def test_golden_pages_in_jsdom(built: Path, core: Core) -> None:
    """The labels are Python's, and what is written in Node is what is written in a browser."""
    some = list(GOLDEN.values())[::8]  # jsdom takes its time
    for golden, page in zip(some, packaged((page.document().html for page in some), URL), strict=True):
        document = golden.document()
        labels = default.label(document.unfolded)
        assert page["pageType"] == (labels.page_types and labels.page_types.best), golden.name
        assert page["keep"] == labels.keep.tolist(), golden.name
        assert page == core.ask("packaged", document.html, URL), golden.name


def test_the_page_that_is_shown_is_read_and_not_changed(built: Path, core: Core) -> None:
    core.show(f"<style>.gone {{ display: none }}</style>{pages.ARTICLE}<p class=gone>{pages.COMMENT}</p>")
    found = core.ask("packaged_here")
    assert found["title"] == "The mill at Oakham Weir turns again"
    assert found["pageType"] == "article"
    assert pages.FIRST in found["text"]
    assert "[the plan of the weir](https://core.example/plan?a=1&b=2)" in found["markdown"]
    assert found["kept"] > 5
    assert found["isSame"] is True


def test_what_is_packed(built: Path, tmp_path: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("no npm here")
    command = [npm, "pack", "--json", "--pack-destination", str(tmp_path)]
    run = subprocess.run(command, cwd=built, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    (packed,) = json.loads(run.stdout)
    assert {each["path"] for each in packed["files"]} == {
        "LICENSE",
        "README.md",
        "index.d.ts",
        "index.js",
        "package.json",
    }
    assert packed["version"] == "0.3.0"
    assert packed["size"] < 550_000
    assert packed["unpackedSize"] < 1_100_000
