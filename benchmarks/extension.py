"""How long the browser extension keeps a huge page waiting: each wish in a real Chromium, and its longest task.

    python -m benchmarks.extension [--nodes N] [--extractor NAME]... [--page NAME]...

The extension has to be built (`make extension`). For each wish there are the milliseconds until it is carried out, and
the longest task of the page meanwhile: by the clock, which is how long the page could not answer, and of work, to which
nothing is added by what others do on the machine. A page may be frozen for 200 ms at a time.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from tamis.lab.browser import program
from tests.extension import pages
from tests.extension.browser import ExtensionBrowser, Panel, eventually
from tests.extension.seen import ours
from tests.extension.web import Web

BUILT = Path(__file__).parents[1] / "build" / "extension" / "chrome"
EXTRACTORS = ("tamis", "r4", "boilernet-small")
FROZEN = 200  # milliseconds
LIMIT = 90.0  # seconds for one wish
CHANGE = "document.querySelector('main').append('A sentence that came later, as they do.')"


@dataclass
class Took:
    """What one wish took, in milliseconds."""

    whole: float = 0.0
    clock: float = 0.0  # the longest task of the page, by the clock
    work: float = 0.0  # the longest task, of work


@contextmanager
def measured(browser: ExtensionBrowser, page: Page) -> Iterator[Took]:
    """Filled in afterwards: what was done meanwhile, and drawn."""
    pipe, took = browser.pipe, Took()
    pipe.send("Tracing.start", traceConfig={"includedCategories": ["toplevel"]}, transferMode="ReportEvents")
    start = time.perf_counter()
    yield took
    took.whole = (time.perf_counter() - start) * 1000
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))")
    pipe.send("Tracing.end")

    def complete() -> bool:
        pipe.send("Target.getTargets")  # so that what was said until now is read
        return any(event.get("method") == "Tracing.tracingComplete" for event in pipe.events)

    eventually(complete, "the trace", LIMIT)
    tasks = list(_tasks(pipe.events))
    took.clock = max(task["dur"] for task in tasks) / 1000
    took.work = max(task.get("tdur", 0) for task in tasks) / 1000
    pipe.events.clear()


def _tasks(messages: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The tasks of the main threads of pages; the panel is one of them."""
    traced = [
        event for each in messages if each["method"] == "Tracing.dataCollected" for event in each["params"]["value"]
    ]
    names = {(event["pid"], event["tid"]): event["args"]["name"] for event in traced if event["name"] == "thread_name"}
    for event in traced:
        is_task = event["name"].endswith("RunTask") and "dur" in event
        if is_task and names.get((event["pid"], event["tid"])) == "CrRendererMain":
            yield event


def wishes(browser: ExtensionBrowser, page: Page, extractor: str) -> Iterator[tuple[str, Took]]:
    """Carry out everything that the panel offers."""
    with measured(browser, page) as took:
        panel = browser.click_button(page)
        panel.choose(extractor)
    yield "read and judged", took
    for action in ("highlight", "isolate"):
        for on in (True, False):
            with measured(browser, page) as took:
                panel.switch(action, on=on)
            yield f"{action} {'on' if on else 'off'}", took
    yield from takeaways(browser, page, panel)
    yield from followed(browser, page, panel)
    yield from reader(browser, page)
    yield from why(browser, page)


def takeaways(browser: ExtensionBrowser, page: Page, panel: Panel) -> Iterator[tuple[str, Took]]:
    """Copy and save."""
    for form, begin in (("copy", "Copied"), ("markdown", "Saved"), ("html", "Saved"), ("text", "Saved")):
        panel.evaluate("document.getElementById('status').textContent = ''")
        with measured(browser, page) as took:
            panel.evaluate(f"document.querySelector('[data-form={form}]').click()")
            panel.wait(f"document.getElementById('status').textContent.startsWith('{begin}')", LIMIT)
        yield form if form == "copy" else f"save {form}", took


def followed(browser: ExtensionBrowser, page: Page, panel: Panel) -> Iterator[tuple[str, Took]]:
    """The page changes while both views are on; and all is off at once."""
    for action in ("highlight", "isolate"):
        panel.switch(action, on=True)
    with measured(browser, page) as took:
        page.evaluate(CHANGE)
        panel.wait("!document.getElementById('stale').hidden")
        panel.wait("document.getElementById('stale').hidden && document.getElementById('working').hidden", LIMIT)
    yield "page changes", took
    for action in ("highlight", "isolate"):
        panel.switch(action, on=False)


def reader(browser: ExtensionBrowser, page: Page) -> Iterator[tuple[str, Took]]:
    """Open, to the end, close."""
    panel = browser.click_button(page)
    panel.settle()
    with measured(browser, page) as took:
        panel.press("reader")
        eventually(lambda: not panel.is_open, "the reader", LIMIT)  # the panel makes room when all is there
    yield "reader opens", took
    with measured(browser, page) as took:
        page.keyboard.press("End")
        page.wait_for_timeout(500)
    yield "reader's end", took
    with measured(browser, page) as took:
        page.evaluate(CHANGE)
        panel = browser.click_button(page)  # which is when it catches up at once
        panel.settle()
    yield "reader follows", took
    browser.close_panel()
    with measured(browser, page) as took:
        page.keyboard.press("Escape")
        eventually(lambda: not ours(page), "the reader to close", LIMIT)
    yield "reader closes", took


def why(browser: ExtensionBrowser, page: Page) -> Iterator[tuple[str, Took]]:
    """Open, point, step, close."""
    panel = browser.click_button(page)
    panel.settle()
    with measured(browser, page) as took:
        panel.press("why")
        eventually(lambda: not panel.is_open, "the card", LIMIT)
    yield "why opens", took
    with measured(browser, page) as took:
        for step in range(20):
            page.mouse.move(200 + step, 100 + 20 * step)
            page.keyboard.press("ArrowDown")
    yield "why, 20 blocks", took
    with measured(browser, page) as took:
        page.keyboard.press("Escape")
        eventually(lambda: not ours(page), "the card to go", LIMIT)
    yield "why closes", took


def main() -> None:
    """Print a line for each wish, and those that freeze the page."""
    parser = argparse.ArgumentParser(description="How long the browser extension keeps a huge page waiting.")
    parser.add_argument("--nodes", type=int, default=50_000, metavar="N")
    parser.add_argument("--extractor", action="append", choices=EXTRACTORS)
    parser.add_argument("--page", action="append", choices=pages.HUGE)
    options = parser.parse_args()
    if not BUILT.is_dir():
        sys.exit("the extension is not built: make extension")
    with Web() as web, tempfile.TemporaryDirectory() as profile, sync_playwright() as playwright:
        threading.Thread(target=web.serve_forever, daemon=True).start()
        flags = [] if program.sandboxed() else ["--no-sandbox"]
        browser = ExtensionBrowser(playwright, program.chromium(), BUILT, Path(profile), web, *flags)
        downloads = Path(profile) / "downloads"
        browser.pipe.send("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(downloads))
        print(f"{'page':10s} {'extractor':16s} {'':16s} {'whole':>8s} {'longest':>8s} {'of work':>8s}   ms")
        frozen = 0
        for shape in options.page or ["sections"]:
            url = web.put(f"http://huge.example/{shape}", pages.HUGE[shape](options.nodes))
            for extractor in options.extractor or EXTRACTORS:
                page = browser.open(url)
                page.wait_for_timeout(500)
                for wish, took in wishes(browser, page, extractor):
                    frozen += took.work > FROZEN
                    mark = "   frozen" if took.work > FROZEN else ""
                    line = f"{took.whole:8.0f} {took.clock:8.0f} {took.work:8.0f}{mark}"
                    print(f"{shape:10s} {extractor:16s} {wish:16s} {line}", flush=True)
                browser.close_panel()
                page.close()
        browser.close()
        web.shutdown()
    print(f"{frozen} of these freeze the page for more than {FROZEN} ms")


if __name__ == "__main__":
    main()
