"""The same in Firefox, where there is one (`apt install firefox-esr`), and by its keys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.extension import pages
from tests.extension.browser import eventually
from tests.extension.firefox import Firefox, program
from tests.extension.seen import HIGHLIGHTED, STATE
from tests.extension.web import Web

pytestmark = pytest.mark.xdist_group("extension")


@pytest.fixture(scope="module")
def firefox(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    path = program()
    if path is None:
        pytest.skip("no Firefox here")
    started = Firefox(path, built / "firefox", tmp_path_factory.mktemp("firefox"))
    yield started
    started.close()
    complaints = [line for line in started.log.read_text(errors="replace").splitlines() if "moz-extension" in line]
    assert complaints == []


def kept(firefox: Firefox) -> str:
    found: dict[str, list[str]] = firefox.page(f"return ({HIGHLIGHTED})()")
    return "|".join(text for name, texts in found.items() if name not in ("tamis-maybe", "tamis-off") for text in texts)


@pytest.mark.parametrize(
    ("extractor", "path"), [("tamis", "/strict"), ("r4", "/strict"), ("boilernet-small", "/shadow")]
)
def test_keys(firefox: Firefox, web: Web, extractor: str, path: str) -> None:
    web.put("/strict", pages.STRICT_ARTICLE, Content_Security_Policy=pages.STRICT)
    web.put("/shadow", pages.SHADOW_AND_FRAME)
    web.put("/inside", pages.INSIDE)
    firefox.choose(extractor)
    firefox.go(f"http://127.0.0.1:{web.server_port}{path}")
    before = firefox.page(f"return ({STATE})()")
    menu = "return getComputedStyle(document.querySelector('nav a')).visibility"
    ours = "return document.querySelectorAll('tamis-ui').length"
    firefox.key("H")
    eventually(lambda: pages.THIRD in kept(firefox), "the highlight")
    assert pages.FIRST in kept(firefox)
    assert "Weather" not in kept(firefox)
    firefox.key("O")
    eventually(lambda: firefox.page(menu) == "hidden", "isolation")
    firefox.key("O")
    firefox.key("H")
    eventually(lambda: not kept(firefox), "no highlight")
    eventually(lambda: firefox.page(f"return ({STATE})()") == before, "the page as it was")
    firefox.key("E")
    eventually(lambda: firefox.page(ours), "the reader")
    firefox.key("E")
    eventually(lambda: not firefox.page(ours), "the reader to close")
    assert firefox.page(f"return ({STATE})()") == before
