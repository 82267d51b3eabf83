"""How long the browser extension blocks a huge page: the time and the longest task of each command, in Chromium.

    python -m benchmarks.extension [--nodes N] [--extractor NAME]... [--page NAME]...

The extension has to be built (`make extension`). For each command it prints the milliseconds until it is done and the
longest task of the page in that time: in wall-clock time, for which the page could not respond, and in CPU time, which
other work on the machine does not increase. The limit is 200 ms of CPU time.
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

from tamis.web.browser import program
from tests.extension import pages
from tests.extension.browser import ExtensionBrowser, Panel, eventually
from tests.extension.seen import ours
from tests.extension.web import Web

BUILT = Path(__file__).parents[1] / "build" / "extension" / "chrome"
EXTRACTORS = ("tamis", "r4", "boilernet-small")
FROZEN = 200  # milliseconds
LIMIT = 90.0  # seconds for one command
CHANGE = "document.querySelector('main').append('A sentence that came later, as they do.')"


@dataclass
class Took:
    """The times of one command, in milliseconds."""

    whole: float = 0.0
    clock: float = 0.0  # the longest task of the page, in wall-clock time
    work: float = 0.0  # the longest task, in CPU time


@contextmanager
def measured(browser: ExtensionBrowser, page: Page) -> Iterator[Took]:
    """The times of what is done inside `with`, drawing included; they are filled in at its end."""
    pipe, took = browser.pipe, Took()
    pipe.send("Tracing.start", traceConfig={"includedCategories": ["toplevel"]}, transferMode="ReportEvents")
    start = time.perf_counter()
    yield took
    took.whole = (time.perf_counter() - start) * 1000
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))")
    pipe.send("Tracing.end")

    def complete() -> bool:
        pipe.send("Target.getTargets")  # its answer comes after all earlier events
        return any(event.get("method") == "Tracing.tracingComplete" for event in pipe.events)

    eventually(complete, "the trace", LIMIT)
    tasks = list(_tasks(pipe.events))
    took.clock = max(task["dur"] for task in tasks) / 1000
    took.work = max(task.get("tdur", 0) for task in tasks) / 1000
    pipe.events.clear()


def _tasks(messages: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The tasks of the main threads of all pages, the panel included."""
    traced = [
        event for each in messages if each["method"] == "Tracing.dataCollected" for event in each["params"]["value"]
    ]
    names = {(event["pid"], event["tid"]): event["args"]["name"] for event in traced if event["name"] == "thread_name"}
    for event in traced:
        is_task = event["name"].endswith("RunTask") and "dur" in event
        if is_task and names.get((event["pid"], event["tid"])) == "CrRendererMain":
            yield event


def commands(browser: ExtensionBrowser, page: Page, extractor: str) -> Iterator[tuple[str, Took]]:
    """Run every command of the panel."""
    with measured(browser, page) as took:
        panel = browser.click_button(page)
        panel.choose(extractor)
    yield "read and labelled", took
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
    """Copy the content, and save it in each format."""
    for form, begin in (("copy", "Copied"), ("markdown", "Saved"), ("html", "Saved"), ("text", "Saved")):
        panel.evaluate("document.getElementById('status').textContent = ''")
        with measured(browser, page) as took:
            panel.evaluate(f"document.querySelector('[data-form={form}]').click()")
            panel.wait(f"document.getElementById('status').textContent.startsWith('{begin}')", LIMIT)
        yield form if form == "copy" else f"save {form}", took


def followed(browser: ExtensionBrowser, page: Page, panel: Panel) -> Iterator[tuple[str, Took]]:
    """Change the page while both views are on."""
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
    """Open the reader, scroll to its end, change the page, close it."""
    panel = browser.click_button(page)
    panel.settle()
    with measured(browser, page) as took:
        panel.press("reader")
        eventually(lambda: not panel.is_open, "the reader", LIMIT)  # the panel closes when the reader is complete
    yield "reader opens", took
    with measured(browser, page) as took:
        page.keyboard.press("End")
        page.wait_for_timeout(500)
    yield "reader's end", took
    with measured(browser, page) as took:
        page.evaluate(CHANGE)
        panel = browser.click_button(page)  # the page is read again when the panel opens
        panel.settle()
    yield "reader follows", took
    browser.close_panel()
    with measured(browser, page) as took:
        page.keyboard.press("Escape")
        eventually(lambda: not ours(page), "the reader to close", LIMIT)
    yield "reader closes", took


def why(browser: ExtensionBrowser, page: Page) -> Iterator[tuple[str, Took]]:
    """Open the card, point at blocks and step through them, close it."""
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
    """Print a line for each command, and how many freeze the page."""
    parser = argparse.ArgumentParser(description="How long the browser extension blocks a huge page.")
    parser.add_argument("--nodes", type=int, default=50_000, metavar="N")
    parser.add_argument("--extractor", action="append", choices=EXTRACTORS)
    parser.add_argument("--page", action="append", choices=pages.HUGE)
    options = parser.parse_args()
    if not BUILT.is_dir():
        sys.exit("the extension is not built: make extension")
    with Web() as web, tempfile.TemporaryDirectory() as profile, sync_playwright() as playwright:
        threading.Thread(target=web.serve_forever, daemon=True).start()
        flags = [] if program.should_sandbox() else ["--no-sandbox"]
        browser = ExtensionBrowser(playwright, program.chromium_path(), BUILT, Path(profile), web, *flags)
        downloads = Path(profile) / "downloads"
        browser.pipe.send("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(downloads))
        print(f"{'page':10s} {'extractor':16s} {'':16s} {'whole':>8s} {'longest':>8s} {'CPU':>8s}   ms")
        frozen = 0
        for shape in options.page or ["sections"]:
            url = web.put(f"http://huge.example/{shape}", pages.HUGE[shape](options.nodes))
            for extractor in options.extractor or EXTRACTORS:
                page = browser.open(url)
                page.wait_for_timeout(500)
                for command, took in commands(browser, page, extractor):
                    frozen += took.work > FROZEN
                    mark = "   frozen" if took.work > FROZEN else ""
                    line = f"{took.whole:8.0f} {took.clock:8.0f} {took.work:8.0f}{mark}"
                    print(f"{shape:10s} {extractor:16s} {command:16s} {line}", flush=True)
                browser.close_panel()
                page.close()
        browser.close()
        web.shutdown()
    print(f"{frozen} of these commands freeze the page for more than {FROZEN} ms")


if __name__ == "__main__":
    main()
