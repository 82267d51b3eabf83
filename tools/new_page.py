"""Make a golden page, or write the expected output of existing ones again.

    python -m tools.new_page NAME source.html --keep article --drop .share --url https://site.example/a
    python -m tools.new_page --refresh NAME ...      (no name: all)

A golden page is a folder in tests/pages with source.html, page.toml (the main content as CSS selectors, and the
expected metadata), expected.txt and expected.md. This script renders the last two from the selectors. Read them before
you commit them, because tests compare with them. Write pages for this project; never copy them from the web.
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path

from tests.golden import PAGES, GoldenPage


def main() -> None:
    """Read the arguments and write the files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--refresh", nargs="*", metavar="NAME", help="render the expected files of these pages again")
    parser.add_argument("name", nargs="?", help="folder to make in tests/pages")
    parser.add_argument("source", nargs="?", type=Path, help="the page")
    parser.add_argument("--about", default="", help="what this page is and what makes it hard")
    parser.add_argument("--url", default="https://site.example/page.html")
    parser.add_argument("--keep", nargs="+", default=[], metavar="CSS")
    parser.add_argument("--drop", nargs="+", default=[], metavar="CSS")
    options = parser.parse_args()
    if options.refresh is not None:
        names = options.refresh or [path.name for path in sorted(PAGES.iterdir())]
        for name in names:
            render(PAGES / name)
        return
    if not options.name or not options.source:
        parser.error("a new page needs a name and a source file")
    folder = PAGES / options.name
    folder.mkdir(parents=True)
    shutil.copyfile(options.source, folder / "source.html")
    facts = {"about": options.about, "url": options.url, "keep": options.keep, "drop": options.drop}
    lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in facts.items()]
    (folder / "page.toml").write_text("\n".join([*lines, "", "[metadata]", ""]), encoding="utf-8")
    render(folder)


def render(folder: Path) -> None:
    """Write the content that the selectors of a page choose, as text and as Markdown."""
    page = GoldenPage.read(folder).perfect()
    (folder / "expected.txt").write_text(page.text + "\n", encoding="utf-8")
    (folder / "expected.md").write_text(page.markdown + "\n", encoding="utf-8")
    print(f"{folder.name}: {len(page.text.split())} words")


if __name__ == "__main__":
    main()
