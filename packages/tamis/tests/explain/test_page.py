"""The page: complete, harmless, readable and not too large."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from tamis.explain import Explanation, explain
from tamis.explain import words as html_module
from tests import hostile
from tests.explain.pages import PAGE, PROSE


def test_the_page_loads_nothing_and_escapes_everything() -> None:
    page = f"""<title>&lt;script>alert(1)&lt;/script></title>{PAGE}
    <p>&lt;img src=x onerror=alert(1)> said the page, and &lt;/p>&lt;/li> as well.</p><img src="https://a.example/i.png">
    <p>&lt;script src="https://a.example/x.js">&lt;/script></p>"""
    found = explain(page, extractor="tamis", url='https://a.example/"><script>alert(1)</script>').html
    assert found.count("<script>") == found.count("</script>") == 1
    assert "<img" not in found
    assert "i.png" not in found
    assert "&lt;img src=x onerror=alert(1)&gt; said the page" in found
    assert not re.search(r"\s(?:src|href|style|on\w+)=", re.sub(r">[^<]*<", "><", found))


@pytest.mark.parametrize("name", ["keep-all", "tamis"])
@pytest.mark.parametrize(
    "page", ["\x00\x1b[31m<p>red\x1b]0;title\x07</p>", "<p>\u202eflipped</p>", "<p>\ud800 lone</p>"]
)
def test_hostile_characters_stay_out(page: str, name: str) -> None:
    found = explain(page + PAGE, extractor=name).html
    found.encode("utf-8")
    assert not set("\x00\x1b\x07\u202e") & set(found)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(hostile.HOSTILE))
def test_hostile_pages_are_explained(name: str) -> None:
    found = explain(hostile.HOSTILE[name](3_000), extractor="tamis")
    assert found.html.count('<li class="k') + found.html.count('<li class="d') == len(found.blocks)


def test_every_block_shows_score_verdict_role_and_reasons(harbour: Explanation) -> None:
    found = harbour.html
    items = re.findall(r'<li class="([kd]) s(\d+)( c)?"><div><b>([\d.]+)</b> (kept|dropped)<small>(\w+)', found)
    assert len(items) == len(harbour.blocks)
    for (letter, step, close, score, verdict, role), block in zip(items, harbour.blocks, strict=True):
        assert (letter == "k", verdict == "kept", role) == (block.kept, block.kept, block.role)
        assert int(step) == round(10 * block.score)
        assert float(score) == pytest.approx(block.score, abs=0.0051)
        assert bool(close) == block.close
    kept = sum(block.kept for block in harbour.blocks)
    assert f"{kept} of {len(harbour.blocks)} blocks" in found
    assert found.count("why: as usual for a") == sum(block.as_usual and not block.note for block in harbour.blocks)
    typical = [block for block in harbour.blocks if not (block.as_usual or block.note or block.part)]
    assert found.count("<small>typical ") == len(typical)
    legend = re.findall(r'<li class="(s\d+(?: d)?)">', found.partition("<main>")[0])
    assert legend == [*(f"s{step}" for step in range(11)), "s5 d"], "colours are scores; a hatched band means dropped"
    difference = r"A typical paragraph in &lt;main&gt; would get 0\.\d\d here\. What tipped it:"
    assert re.search(difference, found)


@pytest.mark.nightly
def test_a_long_page_is_written_soon_and_stays_small() -> None:
    paragraphs = "".join(f"<p>{number} {PROSE}</p>" for number in range(4_000))
    started = time.process_time()
    found = explain(f"<nav>{'<li><a href=/>Go</a></li>' * 6_000}</nav><main>{paragraphs}</main>", extractor="tamis")
    page = found.html
    assert len(found.blocks) == 10_000
    assert len(page) < 12_000_000
    assert time.process_time() - started < 60  # some 3 s; a square of the length would take minutes


def test_blocks_beyond_the_limit_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html_module, "_MOST_BLOCKS", 2)
    monkeypatch.setattr(html_module, "_MANY_BLOCKS", 3)
    found = explain(PAGE, extractor="tamis").html
    assert "7 more blocks are left out here." in found
    assert found.count('<li class="k') + found.count('<li class="d') == 2


def test_long_texts_are_cut() -> None:
    found = explain(f"<p>{'word ' * 2_000}</p>", extractor="keep-all").html
    assert "… (9,999 characters)" in found


@pytest.mark.xdist_group("browser")
@pytest.mark.usefixtures("chromium")
def test_a_browser_shows_it_filters_and_finds(tmp_path: Path, harbour: Explanation) -> None:
    from playwright.sync_api import sync_playwright

    from tamis.web.browser import chromium

    file = tmp_path / "page.html"
    file.write_text(harbour.html, encoding="utf-8")
    messages: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        page = browser.new_page()
        page.on("console", lambda message: messages.append(message.text))
        page.on("pageerror", lambda error: messages.append(str(error)))
        page.on("request", lambda request: messages.append(request.url) if "page.html" not in request.url else None)
        page.goto(file.as_uri())
        items = page.locator(".blocks > li:visible")
        assert items.count() == len(harbour.blocks)
        for choice, wanted in (
            ("#kept", sum(block.kept for block in harbour.blocks)),
            ("#dropped", sum(not block.kept for block in harbour.blocks)),
            ("#close", sum(block.close for block in harbour.blocks)),
        ):
            page.check(choice)
            assert items.count() == wanted
        page.check("#all")
        page.fill("#words", " MORNING  tide ")
        assert (items.count(), page.inner_text("#found")) == (1, "1 found")
        # By keyboard: the handle of the one block left opens its reasons.
        items.locator("summary").focus()
        page.keyboard.press("Enter")
        assert page.locator(".blocks table:visible").count() == 1
        colours = page.eval_on_selector_all(
            ".blocks > li", "items => items.map(item => getComputedStyle(item, '::before').backgroundColor)"
        )
        browser.close()
    assert len(set(colours)) > 3
    assert messages == [], "the page's own policy let something pass or stopped something"
