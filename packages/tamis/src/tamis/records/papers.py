"""What META elements say about a scholarly article, and the abstract that a page shows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice

from tamis.document import Document, tags
from tamis.document.dates import read
from tamis.metadata.schema import plain_text
from tamis.metadata.view import View
from tamis.render.safe import safe_url

DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"'<>&?#]{1,200}")

# The names of META elements by field of Paper, the most telling first.
_NAMES = {
    "title": ("citation_title", "dc.title", "dcterms.title", "prism.title"),
    "doi": ("citation_doi", "prism.doi", "bepress_citation_doi", "dc.identifier", "dcterms.identifier"),
    "journal": (
        "citation_journal_title",
        "citation_conference_title",
        "citation_inbook_title",
        "citation_book_title",
        "prism.publicationname",
        "citation_publisher",
    ),
    "date": (
        "citation_publication_date",
        "citation_online_date",
        "citation_date",
        "prism.publicationdate",
        "citation_year",
    ),
    "volume": ("citation_volume", "prism.volume"),
    "issue": ("citation_issue", "prism.number"),
    "abstract": ("citation_abstract", "dcterms.abstract", "dc.description.abstract"),
    "pdf_url": ("citation_pdf_url",),
}
_CUES = frozenset({"citation_title", *_NAMES["doi"]})
_HEADINGS = frozenset(
    """
    abstract summary zusammenfassung kurzfassung résumé resumen resumo riassunto samenvatting streszczenie аннотация
    摘要 要旨 초록
    """.split()
)
_LONGEST_HEADING = 20
_MOST_AUTHORS = 1_000
_LONGEST_ABSTRACT = 10_000
_SHORTEST_ABSTRACT = 100
_MOST_LEAVES = 200  # of an abstract
_IS_HEADING = tags.lookup(*tags.HEADINGS)


def meta_paper(meta: Mapping[str, list[str]], view: View) -> dict[str, object]:
    """The fields of a paper in META elements; empty if they describe none."""
    if _CUES.isdisjoint(meta):
        return {}
    found: dict[str, object] = {
        name: text
        for name, given in _NAMES.items()
        if (text := next((plain_text(meta[key][0]) for key in given if meta.get(key)), ""))
    }
    doi = DOI.search(str(found.pop("doi", "")))
    if "citation_title" not in meta and doi is None:
        return {}
    if doi is not None:
        found["doi"] = doi[0].rstrip(".,;)")
    authors = (plain_text(name) for key in ("citation_author", "citation_authors") for name in meta.get(key, []))
    found["authors"] = tuple(dict.fromkeys(islice(map(_in_order, filter(None, authors)), _MOST_AUTHORS)))
    if (moment := read(str(found.pop("date", ""))[:100], view.language)) is not None:
        found["date"] = moment.iso
    pages = [meta[key][0] for key in ("citation_firstpage", "citation_lastpage") if meta.get(key)]
    found["pages"] = "-".join(dict.fromkeys(pages))
    found["pdf_url"] = safe_url(str(found.get("pdf_url", "")), view.base)
    return {name: value for name, value in found.items() if value}


def _in_order(name: str) -> str:
    """A name with the given names first: "Doe, Jane" is "Jane Doe"."""
    family, comma, given = name.partition(",")
    return f"{given.strip()} {family.strip()}" if comma and "," not in given else name


def shown_abstract(document: Document, view: View) -> str | None:
    """The text between a heading "Abstract" and the next heading."""
    leaves = document.leaves
    shown = leaves.is_visible_text
    for leaf, text in enumerate(leaves.text):
        if len(text) <= _LONGEST_HEADING and shown[leaf] and text.strip(" :.\n\t").casefold() in _HEADINGS:
            found = " ".join(_below(document, view, leaf))[:_LONGEST_ABSTRACT]
            if len(found) >= _SHORTEST_ABSTRACT:
                return found
    return None


def _below(document: Document, view: View, heading: int) -> Iterator[str]:
    """The paragraphs behind a leaf, up to the next heading."""
    leaves, elements = document.leaves, document.elements
    paragraph: list[int] = []
    for leaf in range(heading + 1, min(heading + _MOST_LEAVES, len(leaves))):
        if any(_IS_HEADING[elements.code[row]] for row in islice(elements.ancestors(int(leaves.element[leaf])), 3)):
            break
        if not leaves.is_visible_text[leaf]:
            continue
        if paragraph and leaves.block[leaf] != leaves.block[paragraph[-1]]:
            yield _joined(document, paragraph)
            paragraph = []
        paragraph.append(leaf)
    if paragraph:
        yield _joined(document, paragraph)


def _joined(document: Document, paragraph: list[int]) -> str:
    texts, gaps = document.leaves.text, document.leaves.gap
    return " ".join("".join(f"{gaps[leaf]}{texts[leaf]}" for leaf in paragraph).split())
