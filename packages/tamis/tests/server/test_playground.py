"""The page at /, as a user sees it: in a real browser, by mouse and by keyboard."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.attacks import AWAY, FRAGMENTS, RUN, page
from tests.environment import own_chromium
from tests.project import PROJECT
from tests.server.conftest import serving
from tests.servers import LocalHandler, LocalServer

pytestmark = pytest.mark.xdist_group("browser")

AXE = Path(os.environ.get("TAMIS_TESTS_AXE", PROJECT / "extension/node_modules/axe-core/axe.min.js"))
TABS = ("text", "markdown", "html", "json", "metadata", "chunks", "why", "compare")
BLOCKED = ("csp", "net::ERR_BLOCKED_BY_CSP")  # by the policy of the page, before anything was sent
PHONE = {"width": 360, "height": 740}

KEPT = "The mill at the weir has ground flour for the three villages of the valley since the year 1780. "
STORY = "".join(f"<p>{KEPT}It is the part number {n} of the story.</p>" for n in range(6))
PAGE = f"""<!doctype html><html lang=en><head><title>The mill at the weir</title>
<meta name=author content="Berit Holm"></head><body><nav><a href=/a>Home</a> <a href=/b>Shop</a></nav>
<article><h1>The mill at the weir</h1>{STORY}
<h2>How it works</h2><p>{KEPT * 2}</p></article><footer>Imprint. All rights reserved.</footer></body></html>"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with own_chromium():
        from playwright.sync_api import sync_playwright

        from tamis.web.browser import chromium

        with sync_playwright() as playwright:
            running = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
            yield running
            running.close()


Open = Callable[..., Any]


@pytest.fixture
def opened(browser: Any, server: str) -> Iterator[Open]:
    """Opens the playground. Afterwards: no script failed, and nothing but the server was asked."""
    contexts: list[Any] = []
    asked: list[str] = []
    errors: list[str] = []
    origins = [server]

    def forget_blocked(request: Any) -> None:
        if request.failure in BLOCKED:
            asked.remove(request.url)

    def opening(address: str = server, **settings: Any) -> Any:
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **settings})
        contexts.append(context)
        origins.append(f"{urlsplit(address).scheme}://{urlsplit(address).netloc}")
        context.on("request", lambda request: asked.append(request.url))
        context.on("requestfailed", forget_blocked)
        tab = context.new_page()
        tab.set_default_timeout(15_000)
        tab.on("pageerror", lambda error: errors.append(str(error)))
        tab.goto(address)
        tab.wait_for_selector("#extractor option, .problem", state="attached")
        return tab

    yield opening
    for context in contexts:
        context.close()
    assert errors == []
    elsewhere = [url for url in asked if not url.startswith((*origins, "data:", "about:", "blob:"))]
    assert elsewhere == []


def paste(tab: Any, html: str = PAGE) -> Any:
    tab.fill("#page", html)
    tab.click("text=Extract >> visible=true")
    return settle(tab)


def with_example(tab: Any) -> Any:
    tab.click("#example")
    return settle(tab)


def settle(tab: Any) -> Any:
    """Wait for the answer."""
    tab.wait_for_selector("#results:not([aria-busy]):visible, .problem")
    return tab


def until(tab: Any, expression: str) -> None:
    """Wait until an expression is true. Playwright's own way needs eval, which the policy of the page forbids."""
    for _ in range(500):
        if tab.evaluate(expression):
            return
        tab.wait_for_timeout(20)
    raise AssertionError(f"never: {expression}")


def status(tab: Any) -> str:
    return str(tab.text_content("#status"))


def number(tab: Any, name: str) -> str:
    return str(tab.locator(f"#numbers div:has(dt:text-is('{name}')) dd").inner_text())


# ---- a page in


def test_the_example_shows_all_there_is(opened: Open) -> None:
    tab = opened()
    assert tab.locator("#results").is_hidden()
    tab.click("#example")
    settle(tab)
    assert "Hanne Brodersen climbs the ninety-one steps" in tab.inner_text("#panel-text")
    assert "Enamel mug" not in tab.inner_text("#panel-text")
    assert tab.inner_text("#results-title") == "The lighthouse that counts moths"
    assert re.fullmatch(r"\d+", number(tab, "words"))
    assert re.fullmatch(r"about \d+", number(tab, "tokens"))
    assert re.fullmatch(r"\d+ ms", number(tab, "round trip"))
    assert re.fullmatch(r"article, \d+ % sure", number(tab, "page type"))
    assert re.fullmatch(r"\d+ words of main content: \d+ of \d+ texts kept\.", status(tab))


def test_a_file_is_chosen_and_read_in_its_own_encoding(opened: Open) -> None:
    tab = opened()
    content = PAGE.replace("<head>", "<head><meta charset=iso-8859-1>").replace("mill", "Mühle").encode("iso-8859-1")
    tab.set_input_files("#file", {"name": "mill.html", "mimeType": "text/html", "buffer": content})
    settle(tab)
    assert "The Mühle at the weir has ground" in tab.inner_text("#panel-text")
    assert "mill.html" in tab.inner_text("#file-name")
    tab.click("#file-remove")
    assert tab.locator("#page").is_visible()


def test_a_file_is_dropped(opened: Open) -> None:
    tab = opened()
    transfer = tab.evaluate_handle(
        """(html) => { const transfer = new DataTransfer();
        transfer.items.add(new File([html], "dropped.html", { type: "text/html" })); return transfer; }""",
        PAGE,
    )
    tab.dispatch_event("body", "dragenter", {"dataTransfer": transfer})
    assert tab.locator("body.dropping").count() == 1
    tab.dispatch_event("body", "drop", {"dataTransfer": transfer})
    settle(tab)
    assert KEPT.strip() in tab.inner_text("#panel-text")
    assert tab.locator("body.dropping").count() == 0


class Site(LocalHandler):
    """One page."""

    pages: ClassVar = {"/mill": (200, {}, PAGE.encode())}


@pytest.fixture
def site() -> Iterator[LocalServer]:
    with LocalServer(Site).running() as running:
        yield running


def test_an_address_is_fetched_and_can_be_shared(opened: Open, open_server: str, site: LocalServer) -> None:
    tab = opened(open_server, permissions=["clipboard-read", "clipboard-write"])
    address = site.address("/mill?a=1&b=2")
    tab.check("input[name=include_title]")
    paste(tab, address)
    assert KEPT.strip() in tab.inner_text("#panel-text")
    assert "All rights reserved" not in tab.inner_text("#panel-text")
    tab.click("#share")
    link = tab.evaluate("navigator.clipboard.readText()")
    given = parse_qs(urlsplit(link).fragment)
    assert given == {"url": [address], "extractor": ["tamis"], "include_title": ["true"]}
    assert tab.url == link
    again = opened(link)
    settle(again)
    assert again.inner_text("#panel-text pre").startswith("The mill at the weir\n")
    assert again.is_checked("input[name=include_title]")


def test_what_was_pasted_is_in_no_link(opened: Open, open_server: str, site: LocalServer) -> None:
    tab = opened(open_server)
    paste(tab, site.address("/mill"))
    assert "#url=" in tab.url
    paste(tab)
    assert tab.url == f"{open_server}/"
    assert tab.locator("#share").is_hidden()


# ---- the page, marked, and why


def marks(tab: Any) -> Any:
    return tab.frame_locator("iframe.page").locator("[data-block]")


def test_every_visible_text_is_marked_by_role_verdict_and_certainty(opened: Open) -> None:
    tab = paste(opened())
    frame = tab.frame_locator("iframe.page")
    frame.locator("mark").first.wait_for()
    everything = "".join(frame.locator("body").inner_text().split())
    assert "".join("".join(marks(tab).all_inner_texts()).split()) == everything
    title, story, imprint = (marks(tab).filter(has_text=text).first for text in ("The mill", "number 3", "Imprint"))
    assert re.search(r"tamis-title .*tamis-dropped", title.get_attribute("class"))
    assert re.search(r"tamis-text tamis-kept tamis-[1-4]", story.get_attribute("class"))
    assert re.search(r"tamis-boilerplate tamis-dropped tamis-[1-4]", imprint.get_attribute("class"))
    look = "each => { const style = getComputedStyle(each); return [style.boxShadow, style.textDecorationStyle] }"
    assert story.evaluate(look)[0] != "none", "kept text has a line, too"
    assert imprint.evaluate(look) == ["none", "dashed"]


def test_a_click_on_a_text_says_why(opened: Open) -> None:
    tab = paste(opened())
    marks(tab).filter(has_text="Imprint").click()
    tab.wait_for_selector(".reasons table")
    assert tab.get_attribute("#tab-why", "aria-selected") == "true"
    opened_block = tab.locator(".blocks [aria-expanded=true]")
    assert "Imprint" in opened_block.inner_text()
    reasons = tab.inner_text(".reasons")
    assert re.search(r"Dropped, .*its score is 0\.\d\d \(kept from 0\.\d\d on\)\. Its role is boilerplate\.", reasons)
    assert re.search(r"A typical .* would get 0\.\d\d here", reasons)
    assert re.search(r"[−+]\d+\.\d\s+\w+", tab.inner_text(".reasons tbody"))
    assert marks(tab).filter(has_text="Imprint").get_attribute("data-chosen") == ""


def test_an_explanation_that_comes_late_is_not_that_of_the_next_page(opened: Open) -> None:
    tab = opened()
    held: list[Any] = []
    tab.route("**/v1/explain*", lambda route: held.append(route))
    tab.check("input[value=precision]")
    paste(tab)
    marks(tab).filter(has_text="Imprint").click()
    while not held:
        tab.wait_for_timeout(20)
    paste(tab, PAGE.replace("weir", "ford"))
    late = {"threshold": 0.12, "remark": "", "blocks": []}
    with tab.expect_response("**/v1/explain*"):
        held[0].fulfill(json=late)
    tab.wait_for_timeout(200)
    assert tab.inner_text("#threshold-own") == "The extractor has a threshold of its own."


def test_the_list_needs_no_frame_and_moves_it(opened: Open) -> None:
    tab = opened(viewport={"width": 1280, "height": 500})
    tab.click("#example")
    settle(tab)
    tab.click("#tab-why")
    blocks = tab.locator(".blocks > li > button")
    assert blocks.count() == marks(tab).evaluate_all("all => new Set(all.map(each => each.dataset.block)).size")
    blocks.filter(has_text="We use cookies").focus()
    tab.keyboard.press("Enter")
    tab.wait_for_selector(".reasons table")
    assert tab.query_selector("iframe.page").content_frame().evaluate("scrollY") > 200, "the frame went to the text"
    tab.keyboard.press("Enter")
    assert tab.locator(".reasons").count() == 0
    tab.check("input[name=filter][value=kept]")
    assert set(tab.locator(".blocks > li").evaluate_all("all => all.map(each => each.className)")) == {"kept"}


def test_an_extractor_without_reasons_says_so(opened: Open) -> None:
    tab = opened()
    tab.select_option("#extractor", "bte")
    paste(tab)
    marks(tab).filter(has_text="number 3").click()
    tab.wait_for_selector(".reasons >> text=bte gives no reasons")


# ---- what comes out


def test_every_form_is_there(opened: Open) -> None:
    tab = with_example(opened())
    tab.click("#tab-markdown")
    rendered = tab.frame_locator("#panel-markdown iframe")
    assert rendered.locator("h2").inner_text() == "What the notebooks say"
    tab.check("#panel-markdown input[value=source]")
    assert "## What the notebooks say" in tab.inner_text("#panel-markdown pre")
    tab.click("#tab-html")
    assert tab.frame_locator("#panel-html iframe").locator("td").count() == 9
    tab.check("#panel-html input[value=source]")
    assert "<h2>What the notebooks say</h2>" in tab.inner_text("#panel-html pre")
    tab.click("#tab-json")
    assert json.loads(tab.inner_text("#panel-json pre:not(.command)"))["title"] == "The lighthouse that counts moths"
    assert "/v1/extract?formats=markdown" in tab.inner_text("#panel-json .command")
    tab.click("#tab-metadata")
    author = tab.locator("#panel-metadata tr:has(th:text-is('authors'))").inner_text()
    assert re.search(r"Ines Varga\s+\w+\s+\d+ %", author)
    assert "license" in tab.inner_text("#panel-metadata > p")
    tab.click("#tab-chunks")
    assert tab.locator(".chunks li").count() == 1
    tab.fill("#chunk-size", "100")
    tab.press("#chunk-size", "Enter")
    until(tab, "document.querySelectorAll('.chunks li').length > 3")
    assert re.match(r"\d+ · \d+ tokens", tab.locator(".chunks li").last.inner_text())


def test_outputs_are_copied_and_downloaded(opened: Open) -> None:
    tab = opened(permissions=["clipboard-read", "clipboard-write"])
    paste(tab)
    tab.click("#panel-text >> text=Copy")
    tab.wait_for_selector("#panel-text >> text=Copied")
    assert tab.evaluate("navigator.clipboard.readText()") == tab.inner_text("#panel-text pre")
    assert status(tab) == "Copied"
    tab.click("#tab-markdown")
    with tab.expect_download() as event:
        tab.click("#panel-markdown >> text=Download")
    assert event.value.suggested_filename == "tamis.md"
    assert "## How it works" in Path(event.value.path()).read_text(encoding="utf-8")


def test_two_extractors_are_compared(opened: Open) -> None:
    tab = with_example(opened())
    tab.click("#tab-compare")
    tab.select_option("#second", "keep-all")
    tab.wait_for_selector(".heads >> text=keep-all")
    only = tab.locator(".row.right").filter(has_text="Enamel mug")
    assert only.locator(".label").inner_text() == "only keep-all", "a word, not only a colour"
    assert "not in tamis" in only.inner_text()
    assert tab.locator(".row.same").filter(has_text="Hanne Brodersen climbs").count() == 1
    assert re.search(r"\d+ paragraphs in common, \d+ different", tab.inner_text(".sentence"))
    tab.select_option("#second", "tamis")
    tab.wait_for_selector(".sentence >> text=Both keep the same text.")


def test_words_that_differ_are_marked(opened: Open) -> None:
    """The texts are given to the comparison itself: no extractor can be asked to drop one word."""
    tab = opened()
    texts = [
        "One.\nThe mill at the weir grinds flour.\nGone.\nEnd.",
        "One.\nThe mill at the dam grinds flour.\nEnd.\nNew.",
    ]
    rows = tab.evaluate("async (texts) => (await import('./playground/diff.js')).compare(...texts)", texts)
    assert [row["kind"] for row in rows] == ["same", "changed", "left", "same", "right"]
    assert [run["text"].strip() for run in rows[1]["left"] if run["differs"]] == ["weir"]
    assert [run["text"].strip() for run in rows[1]["right"] if run["differs"]] == ["dam"]
    assert [run["text"] for run in rows[4]["right"]] == ["New."]


# ---- options


def test_the_threshold_is_the_extractors_own_until_it_is_moved(opened: Open) -> None:
    tab = with_example(opened())
    own = re.search(r"tamis's own for this page: (0\.\d\d)", tab.inner_text("#threshold-own"))
    assert own
    assert tab.inner_text("#threshold-value") == own.group(1)
    words = int(number(tab, "words"))
    tab.focus("#threshold")
    tab.keyboard.press("Home")
    until(tab, "document.querySelector('#panel-text').innerText.includes('Enamel mug')")
    assert tab.inner_text("#threshold-value") == "0.00"
    assert tab.is_checked("input[value=threshold]")
    assert own.group(1) in tab.inner_text("#threshold-own"), "the own one is still shown"
    assert int(number(tab, "words")) > words
    tab.check("input[name=favor][value='']")
    until(tab, "!document.querySelector('#panel-text').innerText.includes('Enamel mug')")
    assert tab.inner_text("#threshold-value") == own.group(1)
    tab.check("input[value=precision]")
    until(tab, "document.querySelector('#threshold-value').innerText === '0.72'")


def test_a_chosen_text_stays_chosen_when_the_threshold_moves(opened: Open) -> None:
    tab = with_example(opened())
    marks(tab).filter(has_text="Sign me up").first.click()
    tab.wait_for_selector(".reasons table")
    tab.focus("#threshold")
    tab.keyboard.press("Home")
    until(tab, "document.querySelector('.reasons')?.innerText.match(/^Kept[^]*own threshold is/)")
    tab.frame_locator("iframe.page").locator(".tamis-kept[data-chosen]", has_text="Sign me up").wait_for()


def test_what_is_included_is_chosen(opened: Open) -> None:
    tab = with_example(opened())
    assert "marram_grass" not in tab.inner_text("#panel-text")
    tab.check("input[name=include_comments]")
    until(tab, "document.querySelector('#panel-text').innerText.includes('marram_grass')")
    tab.check("input[name=include_title]")
    until(tab, "document.querySelector('#panel-text pre').innerText.startsWith('The lighthouse')")
    tab.click("#tab-markdown")
    tab.check("#panel-markdown input[value=source]")
    assert "/journal" in tab.inner_text("#panel-markdown")
    tab.uncheck("input[name=include_links]")
    until(tab, "!document.querySelector('#panel-markdown').innerText.includes('/journal')")


# ---- what goes wrong


def test_problems_are_readable(opened: Open) -> None:
    tab = opened()
    assert tab.get_attribute("#error", "role") == "alert"
    tab.click("text=Extract >> visible=true")
    assert "There is no page yet" in tab.inner_text("#error")
    paste(tab, "http://127.0.0.1:9/private")
    problem = tab.inner_text("#error")
    assert "This address may not be fetched" in problem
    assert "127.0.0.1" in problem
    assert "fetch-refused, status 403" in problem
    paste(tab)
    assert tab.inner_text("#error") == ""
    tab.set_input_files("#file", {"name": "a.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7\n" + b"\0" * 99})
    tab.wait_for_selector(".problem")
    assert "This is not a web page" in tab.inner_text("#error")
    assert tab.locator("#results").is_hidden(), "no result of another page beside an error"
    tab.click("#file-remove")
    paste(tab, "<html><body><nav><a href=/>Home</a></nav></body></html>")
    assert "No main content was found" in tab.inner_text("#panel-text")
    assert tab.inner_text("#error") == ""
    tab.route("**/v1/extract*", lambda route: route.abort())
    paste(tab)
    assert "The server does not answer" in tab.inner_text("#error")


def test_a_key_is_asked_for_only_where_one_is_needed(opened: Open) -> None:
    assert opened().locator("#key-form").is_hidden()
    with serving(key="open sesame") as address:
        tab = opened(address)
        assert "An API key is needed" in tab.inner_text("#error")
        tab.fill("#key", "wrong")
        tab.press("#key", "Enter")
        tab.wait_for_selector("#key-form:visible")
        tab.fill("#key", "open sesame")
        tab.press("#key", "Enter")
        tab.wait_for_selector("#extractor option", state="attached")
        assert tab.inner_text("#error") == ""
        assert tab.locator("#key-form").is_hidden()
        paste(tab)
        assert KEPT.strip() in tab.inner_text("#panel-text")


# ---- hostile pages


@pytest.fixture
def away() -> Iterator[LocalServer]:
    """What no page may reach."""
    with LocalServer(LocalHandler).running() as running:
        yield running


OUT = f"""<a class=out href="{AWAY}out" target=_top>top</a><a class=out href="{AWAY}out">same</a>
<a class=out href="javascript:parent.{RUN}">script</a>
<form action="{AWAY}form" target=_top><button class=out>send</button><input name=a value=b></form>
<iframe src="{AWAY}frame"></iframe><base href="{AWAY}" target=_top>"""


def in_order(tab: Any, away: LocalServer) -> None:
    """The playground is still there, nothing of the page ran, and nobody called."""
    assert tab.evaluate("window.ran") is None
    assert urlsplit(tab.url).path == "/"
    assert len(tab.context.pages) == 1
    assert {frame.url for frame in tab.main_frame.child_frames} == {"about:srcdoc"}
    assert {frame.url for frame in tab.frames} <= {
        tab.url,
        "about:srcdoc",
        "about:blank",
        "chrome-error://chromewebdata/",
    }
    assert away.asked == []


def click_all(tab: Any, holder: str) -> None:
    """Click on whatever could lead away, and wait for what a browser would do then."""
    for each in tab.frame_locator(holder).locator("a, button, [data-block], .out").all()[:6]:
        if each.is_visible():
            each.click(force=True, no_wait_after=True)
    tab.wait_for_timeout(50)


def test_frames_hold_even_what_the_server_would_never_send(opened: Open, away: LocalServer) -> None:
    """The frames are safe by themselves: the raw page stands in the place of the copy."""
    tab = opened()
    # A browser may connect before its policy forbids the request, so only requests count here.
    fragments = [each for each in FRAGMENTS if "preconnect" not in each]
    groups = ["".join(fragments[:25]), *fragments[25:60:5], f"<meta http-equiv=refresh content='0;url={AWAY}r'>", OUT]
    raw = ""

    def answer(route: Any) -> None:
        found = json.loads(route.fetch().text())
        route.fulfill(json={**found, "annotated": raw, "html": raw})

    tab.route("**/v1/extract*", answer)
    for fragment in groups:
        raw = page(f"<p data-block=0>Choose me</p>{fragment}").replace(AWAY, away.address("/away/"))
        paste(tab)
        tab.frame_locator("iframe.page").locator("p").first.wait_for()
        tab.click("#tab-html")
        tab.frame_locator("#panel-html iframe").locator("p").first.wait_for()
        click_all(tab, "#panel-html iframe")
        click_all(tab, "iframe.page")
        in_order(tab, away)


def test_a_long_page_is_listed_in_parts(opened: Open) -> None:
    tab = paste(opened(), f"<article>{''.join(f'<p>{KEPT} Part {n}.</p>' for n in range(2_000))}</article>")
    tab.click("#tab-why")
    assert tab.locator(".blocks > li").count() == 300
    tab.click("text=Show more of 2,000 texts")
    assert tab.locator(".blocks > li").count() == 600
    marks(tab).last.click()
    until(tab, "document.querySelector('.blocks [aria-expanded=true]')")
    assert "Part 1999." in tab.inner_text(".blocks [aria-expanded=true]")


# ---- for everybody


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed")
@pytest.mark.parametrize(
    "settings",
    [{"color_scheme": "light"}, {"color_scheme": "dark"}, {"viewport": PHONE}],
    ids=["light", "dark", "phone"],
)
def test_axe_finds_nothing(opened: Open, settings: dict[str, Any]) -> None:
    tab = opened(**settings, reduced_motion="reduce")
    tab.evaluate(AXE.read_text(encoding="utf-8"))
    found = violations(tab)
    tab.click("text=Extract >> visible=true")
    found += violations(tab)
    tab.click("#example")
    settle(tab)
    for name in TABS:
        tab.click(f"#tab-{name}")
        if name == "why":
            tab.click(".blocks button >> nth=5")
            tab.wait_for_selector(".reasons table")
        if name == "compare":
            tab.wait_for_selector(".rows")
        found += violations(tab)
    assert found == []


def violations(tab: Any) -> list[str]:
    """What axe finds. No script runs in the frames, so it looks at the page around them."""
    found = tab.evaluate("axe.run(document, { iframes: false })")
    return [f"{each['id']}: {node['html'][:200]}" for each in found["violations"] for node in each["nodes"]]


def test_a_phone_shows_it_without_scrolling_sideways(opened: Open) -> None:
    tab = opened(viewport=PHONE)
    paste(tab, PAGE.replace("weir", "w" * 300))
    for name in TABS:
        tab.click(f"#tab-{name}")
        if name == "why":
            tab.click(".blocks button >> nth=3")
            tab.wait_for_selector(".reasons table")
        if name == "compare":
            tab.wait_for_selector(".rows")
        assert tab.evaluate("document.documentElement.scrollWidth") == PHONE["width"], name


def test_it_can_be_used_by_keyboard_alone(opened: Open) -> None:
    tab = opened()
    press = tab.keyboard.press

    def focused() -> str:
        return str(tab.evaluate("document.activeElement.id || document.activeElement.innerText"))

    def tab_to(name: str) -> None:
        for _ in range(40):
            if focused() == name:
                return
            press("Tab")
            outline = tab.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            hidden = tab.evaluate("document.activeElement.matches('.segments input, iframe, body')")
            assert hidden or outline != "none", f"no one sees that {focused()} has the focus"
        raise AssertionError(f"{name} is not reached")

    tab_to("page")
    tab.keyboard.insert_text(PAGE)
    press("Control+Enter")
    settle(tab)
    tab_to("tab-text")
    press("ArrowRight")
    assert (focused(), tab.locator("#panel-markdown").is_visible()) == ("tab-markdown", True)
    press("End")
    assert focused() == "tab-compare"
    press("ArrowRight")
    assert focused() == "tab-text"
    press("ArrowLeft")
    press("ArrowLeft")
    assert tab.locator("#panel-why").is_visible()
    assert tab.locator("[role=tab][tabindex='0']").count() == 1
    press("Tab")  # the filter
    press("Tab")
    press("Enter")
    tab.wait_for_selector(".reasons table")


def test_it_is_small(browser: Any, server: str) -> None:
    context = browser.new_context()
    sizes: dict[str, int] = {}
    context.on("response", lambda response: sizes.update({response.url: len(response.body())}))
    tab = context.new_page()
    tab.goto(server)
    tab.wait_for_selector("#extractor option", state="attached")
    tab.click("#example")
    settle(tab)
    context.close()
    assert {urlsplit(url).path for url in sizes} >= {"/", "/playground/app.js", "/playground/app.css", "/v1/extract"}
    assert sum(sizes.values()) < 300_000
