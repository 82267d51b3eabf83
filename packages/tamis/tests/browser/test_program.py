"""Which Chromium is used, and the errors if something is missing. Nothing is started here."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

import tamis
from tamis.web.browser import Browser, BrowserMissing, chromium_path, is_browser_available, program

pytestmark = pytest.mark.xdist_group("browser")


def program_at(path: Path) -> str:
    path.write_text("#!/bin/sh\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def test_the_word_none_stands_for_no_chromium(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAMIS_CHROMIUM", "none")
    with pytest.raises(BrowserMissing, match="apt install chromium") as error:
        chromium_path()
    assert "\n" not in str(error.value)
    assert not is_browser_available()


def test_a_path_without_a_program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TAMIS_CHROMIUM", str(tmp_path / "gone"))
    with pytest.raises(BrowserMissing, match="gone, which is not a program"):
        chromium_path()


def test_a_path_to_a_program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = program_at(tmp_path / "mine")
    monkeypatch.setenv("TAMIS_CHROMIUM", path)
    assert chromium_path() == path


def test_the_first_that_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("TAMIS_CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BrowserMissing):
        chromium_path()
    for name in ("google-chrome", "chromium"):
        path = program_at(tmp_path / name)
        assert chromium_path() == path


def test_without_playwright_the_error_names_the_pip_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "playwright", None)
    assert not is_browser_available()
    with pytest.raises(tamis.MissingExtra, match=r"pip install 'tamis\[render\]'"):
        Browser().screenshot("x")


def test_without_chromium_nothing_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("playwright")
    monkeypatch.setenv("TAMIS_CHROMIUM", "none")
    with Browser() as browser, pytest.raises(BrowserMissing):
        browser.screenshot("x")


@pytest.mark.parametrize(("user", "sandboxed"), [(0, False), (1000, True)])
def test_only_root_goes_without_a_sandbox(user: int, sandboxed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: user)
    assert program.should_sandbox() is sandboxed
