"""`extract`, the function that most users need, and `read_metadata`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamis import registry
from tamis.deadline import check, limited
from tamis.document import Document
from tamis.errors import OptionError
from tamis.inputs import PageInput, check_encoding, check_timeout, content_of
from tamis.labels import Labels
from tamis.page import Page
from tamis.protocol import Extractor, extractor_name, read_by
from tamis.render.content import HtmlOptions

if TYPE_CHECKING:
    from tamis.metadata import Metadata

# The threshold with `favor_precision`, and the factor on the extractor's own threshold with `favor_recall`. They were
# chosen on boilerpipe's decision trees: precision drops what a tree gets right less than 72 % of the time, recall adds
# all text except link lists.
PRECISION_THRESHOLD = 0.72
RECALL_SHARE = 0.6


def extract(
    html: PageInput | Document,
    *,
    url: str | None = None,
    encoding: str | None = None,
    extractor: str | Extractor = registry.DEFAULT,
    favor_precision: bool = False,
    favor_recall: bool = False,
    include_title: bool = False,
    include_comments: bool = False,
    visible_only: bool = False,
    include_links: bool = True,
    include_images: bool = True,
    include_tables: bool = True,
    timeout: float | None = None,
) -> Page:
    """Find the main content of a web page.

    Args:
        html: The page: a str or bytes, the path of a file (`pathlib.Path`), what `tamis.fetch` returns, a Scrapy
            response, a tree of lxml, Beautiful Soup, selectolax, turbohtml, xml.etree or parsel, or a `Document`, which
            several extractors can share. A str is never opened or fetched.
        url: The address of the page; it makes links absolute. Default: that of a fetched page, response or tree.
        encoding: The charset of the page; for bytes only, and bytes that are valid UTF-8 are UTF-8 all the same.
            Default: that of a fetched page or response.
        extractor: A name from `tamis.extractors()`, the path of a folder of weights ("./mine"), both ("tamis=mine"), or
            an object with a `label` method.
        favor_precision: Keep only what is surely content.
        favor_recall: Keep also what may be content.
        include_title: Write the title above the content; else the headline is left out, if the extractor recognises it.
        include_comments: Keep also readers' comments, if the extractor recognises them.
        visible_only: Keep nothing that the page folds away: closed tabs and details, collapsed sections.
        include_links: Write links in Markdown and HTML; the text stays the same.
        include_images: Write images in Markdown and HTML.
        include_tables: Write tables as tables in Markdown and HTML.
        timeout: The most seconds that the extraction may take, and later each output of the page, in any thread.
            The parser is not interrupted; on the largest pages it takes two seconds.

    Raises:
        InputError: The file can't be read, or is no web page: a PDF, an image.
        PageTooLarge: The page exceeds the limits.
        PageTooSlow: The time is over.
        UnknownExtractor: No extractor has this name.
        OptionError: Options are wrong or contradict each other, or the page is none: a str that is a URL or a name.
        WeightsError: The weights of the extractor are missing or damaged.
        MissingExtra: The extractor needs a package that is not installed.
    """
    if favor_precision and favor_recall:
        raise OptionError("favor_precision and favor_recall exclude each other")
    chosen = registry.get(extractor) if isinstance(extractor, str) else extractor
    if isinstance(chosen, type) or not callable(getattr(chosen, "label", None)):
        raise OptionError(f"an extractor is a name or an object with a label method, not {extractor!r}")
    if timeout is not None:
        check_timeout(timeout)
    for name, value in (("url", url), ("encoding", encoding)):
        if not isinstance(value, str | None):
            raise OptionError(f"{name} is a str or None, not {type(value).__name__}")
    if encoding is not None:
        check_encoding(encoding)
    with limited(timeout):
        original = document_of(html, url, encoding)
        check()
        document = read_by(chosen, original.without_folds if visible_only else original)
        check()
        labels = chosen.label(document)
        check()
        if not isinstance(labels, Labels):
            raise OptionError(f"{extractor!r} returns {type(labels).__name__}, not Labels")
        if len(labels.keep) != len(document.leaves):
            leaves = len(document.leaves)
            raise OptionError(f"{extractor!r} labels {len(labels.keep)} leaves of a page that has {leaves}")
        if favor_precision:
            labels = labels.at(PRECISION_THRESHOLD, document)
        elif favor_recall:
            labels = labels.at(RECALL_SHARE * labels.threshold, document)
        if include_comments:
            labels = labels.with_comments(document)
    return Page(
        document=document,
        labels=labels,
        extractor=extractor if isinstance(extractor, str) else extractor_name(extractor),
        original=original,
        options=HtmlOptions(links=include_links, images=include_images, tables=include_tables),
        timeout=timeout,
        include_title=include_title,
    )


def read_metadata(
    html: PageInput | Document, *, url: str | None = None, encoding: str | None = None, timeout: float | None = None
) -> Metadata:
    """What is known about a web page: title, authors, date and so on.

    It is `extract(...).metadata`. The main content is found, because it helps: the byline stands near the title, and a
    date in a comment is no date of the page. No text is rendered.

    Args:
        html: The page, in every way that `extract` accepts.
        url: The address of the page; it makes addresses absolute, and may hold a date.
        encoding: The charset of the page, as in `extract`.
        timeout: The most seconds for the extraction, and again for the metadata.

    Raises:
        InputError: The file can't be read, or is no web page: a PDF, an image.
        PageTooLarge: The page exceeds the limits.
        PageTooSlow: The time is over.
        OptionError: An option is wrong, or the page is none.
    """
    return extract(html, url=url, encoding=encoding, timeout=timeout).metadata


def document_of(page: PageInput | Document, url: str | None, encoding: str | None) -> Document:
    """The tables of what is given as a page, in every way that `extract` accepts; raises as it does."""
    if not isinstance(page, Document):
        given = content_of(page)
        url, encoding = given.url if url is None else url, given.charset if encoding is None else encoding
        return Document.from_html(given.html, url=url, charset_hint=encoding)
    if url is not None or encoding is not None:
        raise OptionError("a Document has its own url and encoding: give them to Document.from_html")
    return page
