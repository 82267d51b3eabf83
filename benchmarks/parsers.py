"""HTML parsers beside each other: what kills them, how far a page can grow in them, how well they follow the standard.

    python -m benchmarks.parsers fuzz --count 1000000        generated pages of tests/fuzz, in child processes
    python -m benchmarks.parsers growth                      elements of the worst pages that are known, and seconds
    python -m benchmarks.parsers conformance FOLDER          html5lib's tree-construction tests (*.dat)
    python -m benchmarks.parsers speed                       300 pages of WCXB dev, as a ratio to turbohtml

A parser that is not installed is left out. The source archive of html5lib 1.1 has the tests, in
html5lib/tests/testdata/tree-construction.
"""

from __future__ import annotations

import argparse
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.pages import best, wcxb_pages
from tests.fuzz.children import attempt, run
from tests.fuzz.pages import page

_SURROGATES = re.compile("[\ud800-\udfff]")


class Parser(NamedTuple):
    """One HTML parser."""

    parse: Callable[[str], Any]
    html: Callable[[Any], str]  # the tree as HTML again
    count: Callable[[Any], int]  # elements of the tree


def _turbohtml() -> Parser:
    import turbohtml

    return Parser(
        lambda html: turbohtml.parse(html, positions=False),
        lambda tree: tree.html,
        lambda tree: sum(1 for _ in tree.iter_elements()),
    )


def _lexbor() -> Parser:
    parser = import_module("selectolax.lexbor").LexborHTMLParser
    return Parser(parser, lambda tree: str(tree.html), lambda tree: len(tree.css("*")))


def _resiliparse() -> Parser:
    tree_type = import_module("resiliparse.parse.html").HTMLTree
    return Parser(tree_type.parse, str, lambda tree: len(tree.document.query_selector_all("*")))


def _html5ever() -> Parser:
    markupever = import_module("markupever")
    return Parser(
        lambda html: markupever.parse(html, markupever.HtmlOptions()),
        lambda tree: str(tree.serialize()),
        lambda tree: sum(1 for _ in tree.select("*")),
    )


def _lxml() -> Parser:
    html = import_module("lxml.html")
    parser = html.HTMLParser(huge_tree=True, encoding="utf-8")

    def parse(text: str) -> object:
        try:
            return html.document_fromstring(text.encode() or b"<html>", parser=parser)
        except html.etree.ParserError:  # it has no tree for a page without elements
            return html.Element("html")

    return Parser(
        parse,
        lambda tree: html.tostring(tree, encoding="unicode"),
        lambda tree: sum(1 for _ in tree.iter()),
    )


def _html5lib() -> Parser:
    html5lib = import_module("html5lib")
    return Parser(
        html5lib.parse,
        lambda tree: html5lib.serialize(tree, omit_optional_tags=False, quote_attr_values="always"),
        lambda tree: sum(1 for _ in tree.iter()),
    )


def _justhtml() -> Parser:
    justhtml = import_module("justhtml")
    return Parser(
        lambda html: justhtml.JustHTML(html, sanitize=False),
        lambda tree: str(tree.to_html(pretty=False)),
        lambda tree: len(tree.query("*")),
    )


PARSERS = {
    "turbohtml": _turbohtml,
    "lexbor (selectolax)": _lexbor,
    "lexbor (resiliparse)": _resiliparse,
    "html5ever (markupever)": _html5ever,
    "libxml2 (lxml)": _lxml,
    "html5lib": _html5lib,
    "justhtml": _justhtml,
}


def fuzz(name: str, parser: Parser, start: int, count: int) -> str:
    """How many of the generated pages kill or stall a parser, and the most elements a character."""

    def check(seed: int) -> None:
        html = _SURROGATES.sub("\ufffd", page(seed))
        tree = parser.parse(html)
        if seed % 16 == 0 and parser.count(tree) > 100 + 5 * len(html):
            raise AssertionError("more than five elements a character")

    kinds: Counter[str] = Counter()
    first: dict[str, int] = {}
    begun, done = time.monotonic(), 0
    for progress in run(check, start, count):
        done = progress.done
        if progress.find is not None:
            kinds[progress.find.signature] += 1
            first.setdefault(progress.find.signature, progress.find.seed)
    finds = (
        ", ".join(f"{count} {kind} (first: seed {first[kind]})" for kind, count in kinds.most_common()) or "no finds"
    )
    return f"{name}: {done:,} pages from seed {start}, {done / (time.monotonic() - begun):,.0f} pages/s, {finds}"


def growth(name: str, parser: Parser) -> str:
    """Elements of pages of unclosed formatting elements, all different, which each paragraph opens again."""
    found = []
    for size in (100, 400, 1600):
        html = "".join(f"<b a={number}><p>" for number in range(size))
        found.append(f"{parser.count(parser.parse(html)):,} of {len(html):,} characters")
    for what, html in _WORST.items():
        begun = time.monotonic()
        find = attempt(lambda _, html=html: parser.parse(html))  # type: ignore[misc]
        found.append(f"{what} {find.signature if find else f'in {time.monotonic() - begun:.2f} s'}")
    return f"{name}: {', '.join(found)}"


_WORST = {
    "200,000 nested divs": "<div>" * 200_000,
    "4,000 unclosed formatting elements": "".join(f"<b a={number}><p>" for number in range(4000)),
}
_RAW = ("script", "style", "xmp", "iframe", "noembed", "noframes", "plaintext")


class _Events(HTMLParser):
    """What serialised HTML holds, as a list that does not depend on quotes and entities."""

    CDATA_CONTENT_ELEMENTS = _RAW  # type: ignore[misc]  # the standard library knows two of them

    def __init__(self) -> None:
        super().__init__()
        self.events: list[tuple[object, ...]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.events.append(("start", tag, *sorted((name, value or "") for name, value in attrs)))

    def handle_endtag(self, tag: str) -> None:
        if tag not in _VOID:
            self.events.append(("end", tag))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_data(self, data: str) -> None:
        if self.events and self.events[-1][0] == "text":
            data = str(self.events.pop()[1]) + data
        self.events.append(("text", data))

    def handle_comment(self, data: str) -> None:
        self.events.append(("comment", data))


_VOID = frozenset(
    "area base br col embed hr img input link meta param source track wbr basefont bgsound frame keygen".split()
)


def _events(html: str) -> list[tuple[object, ...]]:
    reader = _Events()
    reader.feed(html)
    reader.close()
    return reader.events


def _tests(folder: Path) -> Iterator[tuple[str, str]]:
    """The input and the expected tree of each test for whole documents without scripting."""
    for path in sorted(folder.glob("*.dat")):
        for block in re.split(r"(?:^|\n\n)#data\n", path.read_bytes().decode()):
            names = re.split(r"^#([\w-]+)\n", f"#data\n{block}\n", flags=re.M)[1:]
            sections = dict(zip(names[::2], names[1::2], strict=True))
            if "document" in sections and not {"document-fragment", "script-on"} & sections.keys():
                yield sections["data"][:-1], sections["document"].rstrip("\n")


def _serialised(dump: str) -> str:
    """The expected tree of a test as HTML."""
    pieces: list[str] = []
    opened: list[tuple[int, str]] = []  # depth and name
    attributes: list[str] = []
    start = ""

    def flush() -> None:
        nonlocal start
        if start:
            pieces.append(f"<{start}{''.join(attributes)}>")
            attributes.clear()
            start = ""

    def close(depth: int) -> None:
        while opened and opened[-1][0] >= depth:
            name = opened.pop()[1]
            if name not in _VOID:
                pieces.append(f"</{name}>")

    for line in re.split(r"\n(?=\| )", dump):
        depth = (len(line) - 2 - len(line[2:].lstrip(" "))) // 2
        item = line[2 + 2 * depth :]
        if attribute := re.fullmatch(r'([^<"][^=]*)="(.*)"', item, re.S):
            value = attribute[2].replace("&", "&amp;").replace('"', "&quot;")
            attributes.append(f' {attribute[1].replace(" ", ":")}="{value}"')
            continue
        flush()
        close(depth)
        if item == "content":
            continue
        if item.startswith("<!DOCTYPE"):
            continue
        if item.startswith("<!--"):
            pieces.append(f"<!--{item[5:-4]}-->")
        elif item.startswith("<"):
            start = item[1:-1].split(" ")[-1]
            opened.append((depth, start))
        else:
            text = item[1:-1]
            raw = opened and opened[-1][1] in _RAW
            pieces.append(text if raw else text.replace("&", "&amp;").replace("<", "&lt;"))
    flush()
    close(0)
    return "".join(pieces)


def conformance(name: str, parser: Parser, folder: Path) -> str:
    """How many of the tests a parser passes, judged by the HTML that it writes."""
    passed = total = 0
    for data, expected in _tests(folder):
        total += 1
        try:
            passed += _events(parser.html(parser.parse(data))) == _events(_serialised(expected))
        except (ValueError, TypeError, AttributeError, AssertionError):
            continue  # it can't write this tree
    return f"{name}: {passed} of {total} ({passed / total:.1%})"


def _parse_all(parser: Parser, pages: list[str]) -> None:
    for html in pages:
        parser.parse(html)


def speed(parsers: dict[str, Parser]) -> Iterator[str]:
    """The time for 300 pages, the best of five rounds in turn, and its ratio to the first parser."""
    pages = [data.decode("utf-8", "replace") for data in wcxb_pages(300)]
    times = {name: best(partial(_parse_all, parser, pages), 1) for name, parser in parsers.items()}
    for _ in range(4):
        for name, parser in parsers.items():
            if times[name] < 20_000:  # the slow ones need no second round
                times[name] = min(times[name], best(partial(_parse_all, parser, pages), 1))
    fastest = next(iter(times.values()))
    for name, milliseconds in times.items():
        yield f"{name}: {milliseconds / len(pages):.2f} ms a page, {milliseconds / fastest:.2f} times turbohtml"


def main() -> None:
    """Compare the parsers that are installed."""
    options = argparse.ArgumentParser(prog="python -m benchmarks.parsers")
    options.add_argument("measure", choices=("fuzz", "growth", "conformance", "speed"))
    options.add_argument("folder", type=Path, nargs="?", help="the folder of the .dat files")
    options.add_argument("--only", choices=PARSERS, action="append")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--count", type=int, default=100_000)
    chosen = options.parse_args()
    if chosen.measure == "conformance" and not chosen.folder:
        options.error("conformance needs the folder of html5lib's tests (*.dat)")
    parsers = {}
    for name in chosen.only or PARSERS:
        try:
            parsers[name] = PARSERS[name]()
        except ImportError:
            print(f"{name}: not installed")
    if chosen.measure == "speed":
        for line in speed(parsers):
            print(line)
        return
    for name, parser in parsers.items():
        if chosen.measure == "fuzz":
            print(fuzz(name, parser, chosen.seed, chosen.count), flush=True)
        elif chosen.measure == "growth":
            print(growth(name, parser), flush=True)
        else:
            print(conformance(name, parser, chosen.folder), flush=True)


if __name__ == "__main__":
    main()
