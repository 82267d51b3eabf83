"""How many entries of listings `page.items` finds, on pages that a reader labelled.

    python -m tamis_lab.bench.items [--half seen|unseen] [--extractor tamis=FOLDER] [--typed] [--pages]

The labels (`corpora/item_labels.json`) say by a CSS selector which elements of a page are the titles of its entries,
and how many there are; `link` selects the addresses where the titles are not links. The drawn pages without entries
(empty without scripts) and the front pages with several lists side by side are left out. Half of the pages were looked
at while `page.items` was written, the other half was labelled before and only measured.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import tamis
from tamis.document import Document, parse
from tamis.document.paths import Paths
from tamis.page_type import PageType, PageTypes
from tamis.records.items import Item, items
from tamis.render.content.source import base_url
from tamis.render.safe import safe_url
from tamis_lab import corpora
from tamis_lab.bench import contestants
from tamis_lab.corpora.catalogue import CorpusSource, open_corpus

LABELS = Path(corpora.__file__).with_name("item_labels.json")
HALVES = ("seen", "unseen")


class Entry(NamedTuple):
    """An entry of a page as a reader sees it."""

    row: int  # of the element that is its title
    title: str
    url: str | None


class Found(NamedTuple):
    """How well the entries of one page are found."""

    page: str
    half: str
    entries: int
    items: int
    found: int
    titles: int  # of those found
    urls: int

    @property
    def recall(self) -> float:
        """The share of the entries that is found."""
        return self.found / self.entries


def entries_of(document: Document, label: dict[str, Any]) -> list[Entry]:
    """The entries of a labelled page. Raises ValueError if their number is not the one of the label."""
    elements, base = document.elements, base_url(document)
    row_of = {node: row for row, node in enumerate(elements.all_nodes)}
    rows = [row_of[node] for node in parse.select(document.tree, label["title"])]
    links = [row_of[node] for node in parse.select(document.tree, label.get("link", "a[href]"))]
    if len(rows) != label["entries"]:
        raise ValueError(f"{label['id']} has {len(rows)} entries, not {label['entries']}")
    found = []
    for row in rows:
        link = _link_of(document, row, links, beside="link" in label)
        url = None if link is None else safe_url(elements.attribute(link, "href"), base)
        found.append(Entry(row, " ".join(elements.all_nodes[row].text.split()), url))
    return found


def _link_of(document: Document, row: int, links: Sequence[int], *, beside: bool) -> int | None:
    """The link around or in a title; with `beside` the first after it in the smallest element around both."""
    elements = document.elements
    around = [link for link in elements.ancestors(row) if link in links]
    inner = [link for link in links if row <= link < elements.end[row]]
    if around or inner or not beside:
        return next(iter(around + inner), None)
    for above in elements.ancestors(row):
        inside = [link for link in links if above <= link < elements.end[above]]
        if inside:
            return next((link for link in inside if link > row), inside[0])
    return None


def compare(document: Document, found: Sequence[Item], entries: Sequence[Entry]) -> tuple[int, int, int]:
    """How many of the entries are found, and of those the titles and addresses that are right.

    An item is that of an entry with its address, else of one whose title is in its element.
    """
    paths = Paths(document)
    row_of = {paths.element_xpath(row): row for row in range(len(document.elements))}
    by_url = {item.url: item for item in found if item.url}
    spans = [(row_of[item.xpath], item) for item in found]
    pairs = []
    for entry in entries:
        around = (item for row, item in spans if row <= entry.row < document.elements.end[row])
        if item := (by_url.get(entry.url) if entry.url else None) or next(around, None):
            pairs.append((item, entry))
    titles = sum(_words(item.title) == _words(entry.title) for item, entry in pairs)
    return len(pairs), titles, sum(item.url == entry.url for item, entry in pairs)


def _words(text: str) -> str:
    return "".join(text.split()).casefold()


def measured(label: dict[str, Any], extractor: str, types: PageTypes | None = None) -> Found:
    """One labelled page, read by the extractor; with `types` as if they were those of the page."""
    name, split = CorpusSource.parse(label["corpus"])
    with open_corpus(name) as corpus:
        page = corpus.read(next(entry for entry in corpus.entries(split) if entry.id == label["id"]))
    chosen = contestants.extractor_of(extractor)(page.html, page.url) if "=" in extractor else extractor
    extracted = tamis.extract(page.html, url=page.url, extractor=chosen)
    entries, own = entries_of(page.document(), label), extracted.own_labels
    answer = items(extracted.original, own, types) if own else ()
    return Found(label["id"], label["half"], len(entries), len(answer), *compare(extracted.original, answer, entries))


def table(found: Sequence[Found], *, pages: bool) -> Iterator[str]:
    """Lines: all entries of each half, each page the same share, and both."""
    yield f"{'':<18}{'pages':>6}{'entries':>9}{'found':>8}{'by page':>9}{'titles':>8}{'urls':>8}{'others':>8}"
    for half in (*HALVES, "all"):
        some = [each for each in found if half in ("all", each.half)]
        if not some:
            continue
        hits = sum(each.found for each in some)
        shares = [hits / sum(each.entries for each in some), sum(each.recall for each in some) / len(some)]
        shares += [sum(each.titles for each in some) / max(hits, 1), sum(each.urls for each in some) / max(hits, 1)]
        others = sum(each.items - each.found for each in some) / max(sum(each.items for each in some), 1)
        line = f"{half:<18}{len(some):>6}{sum(each.entries for each in some):>9}{shares[0]:>8.3f}{shares[1]:>9.3f}"
        yield line + f"{shares[2]:>8.3f}{shares[3]:>8.3f}{others:>8.3f}"
    for each in found if pages else ():
        yield f"{each.page:<18}{each.half:>8}  " + " ".join(f"{name}={value}" for name, value in each._asdict().items())


def main() -> None:
    """Print the table."""
    parser = ArgumentParser(description="How many entries of labelled listings are found.")
    parser.add_argument("--half", choices=HALVES)
    parser.add_argument("--extractor", default="tamis", help="tamis=FOLDER for weights of yours")
    parser.add_argument("--typed", action="store_true", help="as if the type of each page were known")
    parser.add_argument("--pages", action="store_true", help="a line for each page too")
    given = parser.parse_args()
    labels = json.loads(LABELS.read_text(encoding="utf-8"))
    chosen = [label for label in labels if given.half in (None, label["half"])]
    types = PageTypes({PageType.LISTING: 1.0}) if given.typed else None
    print("\n".join(table([measured(label, given.extractor, types) for label in chosen], pages=given.pages)))


if __name__ == "__main__":
    main()
