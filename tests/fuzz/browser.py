"""Open the outputs of generated pages in a real browser: no script of theirs runs, and copies ask for nothing.

    python -m tests.fuzz.browser --seed 1 --count 500

Each page is written as its highlighted copy, as HTML, and as Markdown that an independent renderer turned into HTML
(raw HTML passes). Images, media and frames of the content may be asked for, by the last two only. No request leaves
the browser.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from playwright.sync_api import Route, sync_playwright

import tamis
from tamis.web.browser import chromium
from tests.fuzz.pages import page

# What scripts of the generated pages call, and what a program can see of them.
_WATCH = "for (const name of ['alert', 'confirm', 'prompt', 'open']) window[name] = () => { document.ran = 1 }"
_RAN = "document.ran ?? [...document.querySelectorAll('iframe')].map((each) => each.contentDocument?.ran).find(Boolean)"
# The scheme of every address, as the browser itself reads it.
_SCHEMES = """[...document.querySelectorAll('[href], [src], [action], [formaction], [data]')].flatMap((each) =>
  ['href', 'src', 'action', 'formAction', 'data'].map((name) => each[name]?.baseVal ?? each[name])
    .filter((url) => typeof url === 'string' && url).map((url) => URL.parse(url, document.baseURI)?.protocol ?? ''))"""
_SAFE = {"", "http:", "https:", "file:", "mailto:", "tel:", "ftp:", "data:", "about:"}
# Neither names nor numbers are reached, not even by a preconnect.
_OFFLINE = ["--host-resolver-rules=MAP * ~NOTFOUND", "--proxy-server=127.0.0.1:9", "--no-sandbox"]
_CONTENT = {"image", "media", "document"}
_URLS = (None, "page.html", "https://a.example/1.html")


def main() -> int:
    """Open the pages, print what is wrong with them, and return 1 if anything is."""
    options = argparse.ArgumentParser(prog="python -m tests.fuzz.browser")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--count", type=int, default=500)
    chosen = options.parse_args()
    finds = opened = 0
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=chromium(), args=_OFFLINE)
        context = browser.new_context()
        context.add_init_script(_WATCH)
        for seed in range(chosen.seed, chosen.seed + chosen.count):
            for output, html in _outputs(seed):
                opened += 1
                for complaint in _opened(context, Path(folder) / f"{output}.html", html, output):
                    finds += 1
                    print(f"seed {seed}, {output}: {complaint}", flush=True)
        browser.close()
    print(f"{chosen.count} pages from seed {chosen.seed}, {opened} outputs opened, {finds} finds")
    return 1 if finds else 0


def _outputs(seed: int) -> Iterator[tuple[str, str]]:
    try:
        # This extractor keeps everything, so everything is written.
        found = tamis.extract(page(seed), extractor="keep-all", url=_URLS[seed % len(_URLS)])
        yield "highlighted", found.highlighted
        yield "html", f"<!doctype html><meta charset=utf-8>{found.html}"
        renderer = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
        renderer.validateLink = lambda url: True  # type: ignore[method-assign]
        yield "markdown", f"<!doctype html><meta charset=utf-8>{renderer.render(found.markdown)}"
    except tamis.TamisError:
        return


def _opened(context: Any, file: Path, html: str, output: str) -> Iterator[str]:
    """What is wrong with a page when it is opened."""
    file.write_text(html, encoding="utf-8", errors="replace")
    asked: list[tuple[str, str]] = []

    def answer(route: Route) -> None:
        if route.request.url.partition("#")[0] == file.as_uri():
            route.continue_()
            return
        asked.append((route.request.resource_type, route.request.url))
        route.abort()

    tab = context.new_page()
    try:
        tab.route("**/*", answer)
        tab.goto(file.as_uri(), wait_until="load", timeout=30_000)
        if tab.evaluate(_RAN):
            yield "a script ran"
        for scheme in set(tab.evaluate(_SCHEMES)) - _SAFE:
            yield f"it has an address of {scheme!a}"
        for kind, url in asked:
            if not url.startswith(("data:", "about:")) and (output == "highlighted" or kind not in _CONTENT):
                yield f"it asks for {url[:80]!a} ({kind})"
    finally:
        tab.close()


if __name__ == "__main__":
    sys.exit(main())
