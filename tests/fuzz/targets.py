"""What is fuzzed. Each target makes an input of a seed and has a check that raises if something is wrong with it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.etree import ElementTree

from tests.attacks import assert_harmless, is_safe_address
from tests.fuzz.children import MEMORY
from tests.fuzz.pages import evasive, page

if TYPE_CHECKING:
    from tamis.page import Page
    from tamis.render.content.media import Medium


class Target(NamedTuple):
    """The input with a number, and what must hold for it."""

    make: Callable[[int], Any]  # str or bytes
    check: Callable[[Any, int], None]
    memory: int | None = MEMORY  # of a child; a browser can't start with a limit


def parser() -> Target:
    """The HTML parser by itself, without what tamis puts in front of it."""
    import turbohtml

    def check(html: str, _: int) -> None:
        turbohtml.parse(html, positions=False, allow_declarative_shadow_roots=False)

    return Target(page, check)


WALKED = 32


def parse() -> Target:
    """The parser as tamis calls it, and a walk over one tree in `WALKED`."""
    from tamis.document.parse import parse, walk

    def check(html: str, seed: int) -> None:
        tree = parse(html)
        if seed % WALKED == 0:
            walk(tree)

    return Target(page, check)


# The stack of the parser has room for 512 elements. Tables with cells that deep are what its guard prevents.
_DEEPEST_TABLE = 508


def guard() -> Target:
    """The parser as tamis calls it, with pages that try to be deeper than they look to its guard."""
    from tamis.document.parse import parse, walk
    from tamis.document.tags import CODES
    from tamis.errors import TamisError

    def check(html: str, _: int) -> None:
        try:
            raw = walk(parse(html))
        except TamisError:
            return
        depths: list[int] = []
        for code, parent in zip(raw.code, raw.parent, strict=True):
            depths.append(depths[parent] + 1 if parent >= 0 else 1)
            is_safe = code != CODES["table"] or depths[-1] < _DEEPEST_TABLE
            assert is_safe, "a table is at the limit of open elements"

    return Target(evasive, check)


# One page in so many gets each output, besides its text.
SHARE = 16
# One page in so many goes through one of the other extractors, and gets all outputs.
OTHERS = 256
_URLS = (None, "https://a.example/news/1.html", "page.html", "https://u:p@a.example/x?y#z")


def extract(share: int = SHARE) -> Target:
    """`tamis.extract`: the text of each page, and each other output of one in `share`."""
    import tamis
    from tamis.errors import TamisError
    from tamis.metadata import details

    names = [name for name, entry in tamis.extractors().items() if name != "tamis" and not entry.draws]
    outputs: dict[str, Callable[[Page], object]] = {
        "markdown": lambda page: page.markdown.encode(),
        "html": lambda page: assert_harmless(page.html),
        "json": lambda page: page.json.encode(),
        "xml": lambda page: ElementTree.fromstring(page.xml),
        "tei": lambda page: ElementTree.fromstring(page.tei),
        "chunks": lambda page: page.chunks(chunk_tokens=64, chunk_overlap=8),
        "highlighted": lambda page: page.highlighted.encode(),
        "metadata": lambda page: json.dumps(details(page.metadata), ensure_ascii=False).encode(),
        "structured_data": lambda page: json.dumps(page.structured_data, ensure_ascii=False).encode(),
        "media": lambda page: _require_harmless_media(page.media),
    }

    def check(html: str, seed: int) -> None:
        # The parts of a seed decide apart, so that no output always meets the same extractor or address.
        url = _URLS[seed // 7 % len(_URLS)]
        other = names[seed // OTHERS % len(names)] if seed % OTHERS == 5 else "tamis"
        try:
            page = tamis.extract(html, url=url, extractor=other)
            page.text.encode()
            for position, look in enumerate(outputs.values()):
                if (seed // 3 + position * 5) % share == 0 or other != "tamis":
                    look(page)
        except TamisError:
            return

    return Target(page, check)


def _require_harmless_media(media: Iterable[Medium]) -> None:
    for medium in media:
        assert is_safe_address(medium.url), medium.url


def batch() -> Target:
    """Damaged archives through the readers of `tamis.batch`, and what they hold through its rows."""
    from tamis.batch.inputs import read, shards
    from tamis.batch.rows import BatchOptions, answer
    from tamis.errors import TamisError
    from tests.fuzz.archives import archive, suffix

    options = BatchOptions()

    def check(data: bytes, seed: int) -> None:
        with NamedTemporaryFile(suffix=suffix(seed)) as file:
            Path(file.name).write_bytes(data)
            try:
                for shard in shards([file.name], shard_bytes=2000 if seed % 5 == 0 else None):
                    for number, item in enumerate(read(shard)):
                        assert number < 1000 + len(data), "an archive gives more items than bytes"
                        if number < 3:
                            answer(item, options)
            except TamisError:
                return

    return Target(archive, check)


def extension() -> Target:
    """The core of the browser extension in Chromium: labels, and each output with all that is visible."""
    from markdown_it import MarkdownIt

    from tests.extension.parity.harness import Core, core_in_chromium

    renderer = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    browser = ExitStack()  # open as long as the child lives
    started: list[Core] = []

    def check(html: str, _: int) -> None:
        if not started:
            started.append(browser.enter_context(core_in_chromium()))
        begun = time.monotonic()
        safe = html.encode("utf-8", "replace").decode()
        (written,) = started[0].ask("rendered", [safe], "https://a.example/")
        started[0].ask("labels", safe, ["tamis", "r4"])
        assert time.monotonic() - begun < 20, "a page takes more than 20 s"  # with its tables on their way here
        assert_harmless(written["html"])
        assert_harmless(renderer.render(written["markdown"]))

    return Target(page, check, memory=None)


def markdown() -> Target:
    """Texts that are markup in Markdown, cut by inline elements: what others' parsers make of Markdown and chunks."""
    import tamis
    from tests.markdown_judge import harm
    from tests.markdown_pages import page as cut_page

    def check(html: str, seed: int) -> None:
        page = tamis.extract(html, extractor="keep-all", url=_URLS[seed % len(_URLS)])
        chunks = page.chunks(chunk_tokens=16 + seed % 48, chunk_overlap=seed % 9)
        for written in (page.front_matter + page.markdown, *(chunk.markdown for chunk in chunks)):
            assert harm(written) == [], written

    return Target(cut_page, check)


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


def browser() -> Target:
    """The outputs of a page in Chromium: no script of the page runs, and its highlighted copy asks for nothing.

    Markdown is turned into HTML by an independent renderer that lets raw HTML pass. Content may ask for images, media
    and frames. No request leaves the browser.
    """
    from markdown_it import MarkdownIt
    from playwright.sync_api import BrowserContext, sync_playwright

    import tamis
    from tamis.web.browser import chromium

    renderer = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    renderer.validateLink = lambda url: True  # type: ignore[method-assign]
    opened = ExitStack()  # as long as the child lives
    started: list[tuple[BrowserContext, Path]] = []

    def check(html: str, seed: int) -> None:
        if not started:
            folder = opened.enter_context(TemporaryDirectory())
            playwright = opened.enter_context(sync_playwright())
            context = playwright.chromium.launch(executable_path=chromium(), args=_OFFLINE).new_context()
            context.add_init_script(_WATCH)
            started.append((context, Path(folder) / "page.html"))
        try:
            found = tamis.extract(html, extractor="keep-all", url=_URLS[seed % len(_URLS)])
            head = "<!doctype html><meta charset=utf-8>"
            outputs = {"highlighted": found.highlighted, "html": head + found.html}
            outputs["markdown"] = head + renderer.render(found.markdown)
        except tamis.TamisError:
            return
        for output, written in outputs.items():
            _require_quiet(*started[0], written, output)

    return Target(page, check, memory=None)


def _require_quiet(context: Any, file: Path, html: str, output: str) -> None:
    """Open a page, and raise if a script of it ran, an address is dangerous, or it asks for what it must not."""
    file.write_text(html, encoding="utf-8", errors="replace")
    asked: list[tuple[str, str]] = []

    def answer(route: Any) -> None:
        if route.request.url.partition("#")[0] == file.as_uri():
            route.continue_()
        else:
            asked.append((route.request.resource_type, route.request.url))
            route.abort()

    tab = context.new_page()
    try:
        tab.route("**/*", answer)
        tab.goto(file.as_uri(), wait_until="load", timeout=30_000)
        assert not tab.evaluate(_RAN), f"{output}: a script ran"
        assert set(tab.evaluate(_SCHEMES)) <= _SAFE, f"{output}: it has a dangerous address"
        for kind, url in asked:
            is_content = output != "highlighted" and kind in _CONTENT
            assert is_content or url.startswith(("data:", "about:")), f"{output}: it asks for {url[:80]!a} ({kind})"
    finally:
        tab.close()


TARGETS: dict[str, Callable[[], Target]] = {
    "parser": parser,
    "parse": parse,
    "guard": guard,
    "extract": extract,
    "markdown": markdown,
    "batch": batch,
    "extension": extension,
    "browser": browser,
}
