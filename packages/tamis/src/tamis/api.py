"""`extract`, the function that most users need, and `read_metadata`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from tamis import registry
from tamis.deadline import check, limited
from tamis.document import Document
from tamis.document.selectors import checked_selectors, css_rows
from tamis.errors import OptionError
from tamis.inputs import Content, PageInput, check_encoding, content_of
from tamis.labels import Labels
from tamis.options import ContentOptions, ExtractKeywords, ExtractOptions, resolve, takes
from tamis.page import Page
from tamis.protocol import Extractor, extractor_name, prepared_by
from tamis.render.content import HtmlOptions

if TYPE_CHECKING:
    from tamis.metadata import Metadata

# The threshold with `favor_precision`, and the factor on the extractor's own threshold with `favor_recall`. They were
# chosen on boilerpipe's decision trees: precision drops what a tree gets right less than 72 % of the time, recall adds
# all text except link lists.
PRECISION_THRESHOLD = 0.72
RECALL_SHARE = 0.6


@takes(ExtractOptions)
def extract(
    html: PageInput | Document,
    *,
    url: str | None = None,
    encoding: str | None = None,
    **options: Unpack[ExtractKeywords],
) -> Page:
    """Find the main content of a web page.

    Args:
        html: The page: a str or bytes, the path of a file (`pathlib.Path`), what `tamis.fetch` returns, a Scrapy
            response, a tree of lxml, Beautiful Soup, selectolax, turbohtml, xml.etree or parsel, or a `Document`, which
            several extractors can share. A str is never opened or fetched.
        url: The address of the page; it makes links absolute. Default: that of a fetched page, response or tree.
        encoding: The charset of the page; for bytes only, and bytes that are valid UTF-8 are UTF-8 all the same.
            Default: that of a fetched page or response.
        options: `ExtractOptions`: the extractor, what it keeps, how the result is written, and a timeout. A timeout
            does not interrupt the parser, which takes two seconds on the largest pages.

    Raises:
        InputError: The file can't be read, or is not a web page: a PDF, an image.
        PageTooLarge: The page exceeds the limits.
        PageTooSlow: The timeout expired.
        UnknownExtractor: No extractor has this name.
        OptionError: Options are wrong or contradict each other, or the page is a str that is a URL or a file name.
        WeightsError: The weights of the extractor are missing or damaged.
        MissingExtra: The extractor needs a package that is not installed.
    """
    wanted = resolve(ExtractOptions, options)
    extractor, timeout = wanted.extractor, wanted.timeout
    chosen = registry.get(extractor) if isinstance(extractor, str) else extractor
    for name, value in (("url", url), ("encoding", encoding)):
        if not isinstance(value, str | None):
            raise OptionError(f"{name} is a str or None, not {type(value).__name__}")
    if encoding is not None:
        check_encoding(encoding)
    with limited(timeout):
        given = Content("") if isinstance(html, Document) else content_of(html)
        original = document_of(html if isinstance(html, Document) else given, url, encoding)
        check()
        document = prepared_by(chosen, original.without_folds if wanted.visible_only else original)
        check()
        labels = _labels(chosen, document, wanted)
    return Page(
        document=document,
        labels=labels,
        extractor=extractor if isinstance(extractor, str) else extractor_name(extractor),
        original=original,
        options=HtmlOptions(
            wanted.include_links,
            wanted.include_images,
            wanted.include_tables,
            as_references=wanted.links_as_references,
        ),
        timeout=timeout,
        include_title=wanted.include_title,
        status=given.status,
        headers=given.headers,
    )


def _labels(extractor: Extractor, document: Document, wanted: ExtractOptions) -> Labels:
    """The labels of an extractor, adjusted to the options. Raises OptionError for labels that do not fit the page."""
    labels = extractor.label(document)
    check()
    if not isinstance(labels, Labels):
        raise OptionError(f"{wanted.extractor!r} returns {type(labels).__name__}, not Labels")
    if len(labels.keep) != len(document.leaves):
        leaves = len(document.leaves)
        raise OptionError(f"{wanted.extractor!r} labels {len(labels.keep)} leaves of a page that has {leaves}")
    if wanted.favor_precision:
        labels = labels.at(PRECISION_THRESHOLD, document)
    elif wanted.favor_recall:
        labels = labels.at(RECALL_SHARE * labels.threshold, document)
    labels = labels.with_comments(document) if wanted.include_comments else labels
    return with_selectors(labels, document, wanted)


def with_selectors(labels: Labels, document: Document, wanted: ContentOptions) -> Labels:
    """The labels after `prune` and `keep`. Raises OptionError for wrong selectors."""
    if not wanted.prune and not wanted.keep:
        return labels
    pruned = css_rows(document, checked_selectors("prune", wanted.prune))
    kept = css_rows(document, checked_selectors("keep", wanted.keep))
    check()
    return labels.with_elements(document, pruned=pruned, kept=kept)


def read_metadata(
    html: PageInput | Document, *, url: str | None = None, encoding: str | None = None, timeout: float | None = None
) -> Metadata:
    """The metadata of a web page: title, authors, date and so on.

    Same as `extract(...).metadata`. Finding the main content helps: a byline is near the title, and a date in a
    comment is not the date of the page. No text is rendered.

    Args:
        html: The page, in any form that `extract` accepts.
        url: The address of the page; it makes addresses absolute, and may hold a date.
        encoding: The charset of the page, as in `extract`.
        timeout: The most seconds for the extraction, and again for the metadata.

    Raises:
        InputError: The file can't be read, or is not a web page: a PDF, an image.
        PageTooLarge: The page exceeds the limits.
        PageTooSlow: The timeout expired.
        OptionError: An option is wrong, or this is not a page.
    """
    return extract(html, url=url, encoding=encoding, timeout=timeout).metadata


def document_of(page: PageInput | Document, url: str | None, encoding: str | None) -> Document:
    """The tables of a page in any form that `extract` accepts; raises the same errors."""
    if not isinstance(page, Document):
        given = content_of(page)
        url, encoding = given.url if url is None else url, given.charset if encoding is None else encoding
        return Document.from_html(given.html, url=url, encoding=encoding)
    if url is not None or encoding is not None:
        raise OptionError("a Document has its own url and encoding: give them to Document.from_html")
    return page
