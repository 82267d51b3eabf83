"""What the tests of many methods look at: the texts that are kept, and the elements that are chosen."""

from __future__ import annotations

from collections.abc import Callable

from tamis import Document
from tamis.labels import Labels
from tamis.protocol import Extractor, SiteExtractor


def texts_kept(document: Document, labels: Labels) -> list[str]:
    leaves = zip(document.leaves.text, labels.keep, strict=True)
    return [text.strip() for text, stays in leaves if stays and text]


def kept_by(default: Extractor) -> Callable[..., list[str]]:
    """A function from a page to the texts that this extractor, or another that is given, keeps."""

    def kept(html: str, extractor: Extractor = default) -> list[str]:
        document = Document.from_html(html)
        return texts_kept(document, extractor.label(document))

    return kept


def chosen_by(default: Extractor) -> Callable[..., list[str]]:
    """The same for the ids, or else the tags, of the chosen elements."""

    def chosen(html: str, extractor: Extractor = default) -> list[str]:
        document = Document.from_html(html)
        nodes = extractor.label(document).nodes
        assert nodes is not None
        return [document.elements.id[row] or document.elements.tag[row] for row in nodes.tolist()]

    return chosen


def kept_on_site(extractor: SiteExtractor, page: str | Document, *others: str | Document) -> list[str]:
    """The texts that are kept of a page by an extractor that has learned other pages of its site."""
    document, *site = (each if isinstance(each, Document) else Document.from_html(each) for each in (page, *others))
    return texts_kept(document, extractor.learned(site).label(document))
