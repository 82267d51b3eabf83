"""What is packed: sizes, permissions, strings, and what the checker of Firefox's shop says."""

from __future__ import annotations

import json
import re
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.extension.conftest import PROJECT

pytestmark = pytest.mark.xdist_group("extension")

SOURCES = PROJECT / "extension" / "src"
BROWSERS = ("chrome", "firefox")


def manifest(built: Path, browser: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((built / browser / "manifest.json").read_text(encoding="utf-8"))
    return found


def strings() -> dict[str, dict[str, str]]:
    path = PROJECT / "extension" / "static" / "_locales" / "en" / "messages.json"
    found: dict[str, dict[str, str]] = json.loads(path.read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("browser", BROWSERS)
def test_the_packed_extension(built: Path, browser: str) -> None:
    file = built / f"tamis-{browser}.zip"
    assert file.stat().st_size <= 12_000_000
    with zipfile.ZipFile(file) as packed:
        assert packed.testzip() is None
        names = packed.namelist()
        assert json.loads(packed.read("manifest.json")) == manifest(built, browser)
    assert len(names) == len(set(names))
    wanted = {
        "background.js",
        "page.js",
        "panel.html",
        "models/boilernet-small/model.onnx",
        "models/tamis/kernel.wasm",
        "models/tamis/model.safetensors",
        "_locales/en/messages.json",
    }
    assert wanted <= set(names)


@pytest.mark.parametrize("browser", BROWSERS)
def test_it_asks_for_no_more_than_it_needs(built: Path, browser: str) -> None:
    found = manifest(built, browser)
    assert found["manifest_version"] == 3
    assert found["permissions"] == ["activeTab", "scripting", "storage"]
    for more in ("host_permissions", "optional_permissions", "optional_host_permissions", "content_scripts"):
        assert more not in found
    assert "web_accessible_resources" not in found  # no page can see that it is installed
    policy = found["content_security_policy"]["extension_pages"]
    assert "default-src 'none'" in policy
    assert "http" not in policy
    assert "unsafe-eval" not in policy.replace("wasm-unsafe-eval", "")


def test_a_package_has_no_times_in_it(built: Path) -> None:
    """The same files give the same bytes."""
    with zipfile.ZipFile(built / "tamis-chrome.zip") as packed:
        assert {each.date_time for each in packed.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        names = packed.namelist()
    assert names == sorted(names)


def test_the_checker_finds_no_error(built: Path) -> None:
    run = subprocess.run(
        ["node_modules/.bin/web-ext", "lint", "--source-dir", str(built / "firefox"), "--output", "json"],
        cwd=PROJECT / "extension",
        capture_output=True,
        text=True,
        check=False,
    )
    report = json.loads(run.stdout)
    assert report["errors"] == []
    # One is onnxruntime-web's own, a loader that it may import and here never does; the other is DOMPurify's, which
    # parses strings in a document of its own, and here is given nodes.
    assert {(each["code"], each["file"]) for each in report["warnings"]} == {
        ("UNSAFE_VAR_ASSIGNMENT", "background.js"),
        ("UNSAFE_VAR_ASSIGNMENT", "page.js"),
    }
    assert run.returncode == 0


def test_every_string_is_there_and_used() -> None:
    used = set()
    for path in SOURCES.rglob("*"):
        if path.suffix in (".js", ".html"):
            text = path.read_text(encoding="utf-8")
            used |= {name for name in strings() if re.search(rf'["\']{name}["\']', text)}
            asked = re.findall(r'\bsay\("(\w+)"', text) + re.findall(r'data-say(?:-\w+)?="(\w+)"', text)
            assert set(asked) <= set(strings()), path
    tools = (PROJECT / "extension" / "tools" / "manifests.json").read_text(encoding="utf-8")
    used |= set(re.findall(r"__MSG_(\w+)__", tools))
    assert {name for name in strings() if name not in used and not name.startswith("extractor_")} == set()


def test_every_string_says_what_it_is_for() -> None:
    for name, entry in strings().items():
        assert entry["message"], name
        assert entry["description"], name
        places = set(re.findall(r"\$(\d)", entry["message"]))
        assert places <= set(re.findall(r"\$(\d)", entry["description"])), name
    assert len(strings()["extensionDescription"]["message"]) <= 132


def test_no_word_for_people_outside_of_the_strings() -> None:
    """Text in the panel's page comes from the strings, but for the names of formats and of the program itself."""
    html = (SOURCES / "panel" / "panel.html").read_text(encoding="utf-8")
    body = html[html.index("<body>") :]
    words = set(re.findall(r">\s*([^<>\s][^<>]*?)\s*<", body))
    assert words == {"tamis", "Markdown", "HTML"}
