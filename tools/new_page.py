"""Make a golden page, or write the expected output of existing ones again.

    python -m tools.new_page whole/NAME page.html --keep article --drop .share --url https://site.example/a
    python -m tools.new_page structure/GROUP/NAME page.html --about "how Sphinx writes notes"
    python -m tools.new_page metadata/FAMILY/NAME page.html      then write what is expected into its head
    python -m tools.new_page --refresh whole/NAME ...            no name: all

tests/golden.py describes the file. This script renders its expected sections. Read them before you commit them, because
tests compare with them. Write pages for this project; never copy them from the web.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from tests.golden import PAGES, GoldenFile, GoldenPage

# What is expected of a page beside its metadata, by the folder.
_OUTPUTS = {"whole": ("markdown", "text"), "structure": ("markdown", "text", "html"), "metadata": (), "state": ()}


def main() -> None:
    """Read the arguments and write the files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--refresh", nargs="*", metavar="NAME", help="render what is expected of these pages again")
    parser.add_argument("name", nargs="?", help="file to make in tests/pages")
    parser.add_argument("source", nargs="?", type=Path, help="the page")
    parser.add_argument("--about", default="", help="what this page is and what makes it hard")
    parser.add_argument("--url", default="https://site.example/page.html")
    parser.add_argument("--encoding", default="utf-8", help="of the bytes of the page")
    parser.add_argument("--keep", nargs="+", default=[], metavar="CSS")
    parser.add_argument("--drop", nargs="+", default=[], metavar="CSS")
    options = parser.parse_args()
    if options.refresh is not None:
        for file in [PAGES / f"{name}.html" for name in options.refresh] or sorted(PAGES.rglob("*.html")):
            render(file)
    elif options.source and _kind(options.name) in _OUTPUTS:
        make(options)
    else:
        parser.error(f"a new page needs a source file, and a name in one of {', '.join(_OUTPUTS)}")


def make(options: argparse.Namespace) -> None:
    """Write a new page."""
    kind = _kind(options.name)
    facts = {"about": options.about, "url": options.url}
    if options.encoding != "utf-8":
        facts["encoding"] = options.encoding
    if kind == "whole":
        facts |= {"keep": options.keep, "drop": options.drop}
    head = "\n".join(f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in facts.items())
    html = options.source.read_bytes().decode(options.encoding)
    file = PAGES / f"{options.name}.html"
    file.parent.mkdir(parents=True, exist_ok=True)
    GoldenFile(head, html, dict.fromkeys(_OUTPUTS[kind], "")).write(file)
    render(file)


def _kind(name: str) -> str:
    return name.partition("/")[0]


def render(file: Path) -> None:
    """Write the content of a page in each format that the file has."""
    written, page = GoldenFile.read(file), GoldenPage.read(file).extracted()
    written._replace(expected={name: getattr(page, name) for name in written.expected}).write(file)
    print(f"{file.stem}: {len(page.text.split())} words")


if __name__ == "__main__":
    main()
