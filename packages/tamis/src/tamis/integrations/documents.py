"""Shared by the adapters for document frameworks: the sources of pages, flat metadata, and failures."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from tamis.batch.rows import ENDING
from tamis.document.addresses import without_credentials
from tamis.document.decode import clean_text
from tamis.errors import OptionError
from tamis.inputs import NotContent, PageInput, RawPage
from tamis.page import Page
from tamis.render.chunks import Chunk
from tamis.web import is_url

Result = TypeVar("Result")

Paths = str | os.PathLike[str] | Iterable[str | os.PathLike[str]] | None
Urls = str | Iterable[str] | None
Pages = str | bytes | RawPage | Iterable[PageInput | tuple[PageInput, str | None]] | None
# The path or URL of a page, if it has one, and a function that gives the page.
PageSource = tuple[str | None, Callable[[], Page]]

_LONGEST_LINE = 300  # characters of an error in the log and in metadata


def sources_of(
    paths: Paths,
    urls: Urls,
    pages: Pages,
    *,
    extract: Callable[..., Page],
    fetch: Callable[[str], PageInput],
    open_path: Callable[[str | os.PathLike[str]], PageInput] = Path,
) -> tuple[PageSource, ...]:
    """All pages, in this order; nothing is read yet. Raises OptionError for values of a wrong type, or none at all."""
    if paths is None and urls is None and pages is None:
        raise OptionError("give paths, urls or pages")
    return (
        *(
            (clean_text(os.fspath(path)), partial(_extracted_page, extract, open_path, path))
            for path in _checked_paths(paths)
        ),
        *((without_credentials(url), partial(_extracted_page, extract, fetch, url)) for url in _checked_urls(urls)),
        *(
            (without_credentials(url) if url else None, partial(extract, page, url=url))
            for page, url in _pages_with_urls(pages)
        ),
    )


def page_metadata(page: Page) -> dict[str, str | bool | float]:
    """The metadata of a page, with lists joined by commas, because many stores do not take lists."""
    found = {
        "author" if name == "authors" else name: ", ".join(value) if isinstance(value, list) else value
        for name, value in page.metadata.values().items()
    }
    kind = {"page_type": str(page.page_type)} if page.page_type else {}
    sure = {} if page.confidence is None else {"confidence": round(page.confidence, 4)}
    return {**found, **kind, "state": str(page.state), **sure}


def address_metadata(page: Page) -> dict[str, str]:
    """The address of a page as metadata; empty if it has none."""
    url = without_credentials(page.url or "")
    return {"source": url, "url": url} if url else {}


def chunk_place(number: int, chunk: Chunk) -> dict[str, str | int]:
    """The place of a chunk in its page."""
    first = next(iter(chunk.xpaths), "")
    return {"headings": " > ".join(chunk.headings), "chunk": number, "tokens": chunk.tokens, "xpath": first}


def url_in(metadata: Mapping[str, Any]) -> str | None:
    """The address of a page in the metadata of its document."""
    values = (metadata.get(name) for name in ("url", "source"))
    return next((value for value in values if isinstance(value, str) and is_url(value)), None)


def in_one_line(words: object) -> str:
    """The name of a page, or an error, for the log and for metadata."""
    return clean_text(" ".join(str(words).split())[:_LONGEST_LINE]) or type(words).__name__


def reason_of(error: Exception, name: str, *, is_raised: bool) -> str:
    """The error of a page in one line.

    Raises the error itself, with a note that names the page, if `is_raised` or if no page is to blame: a wrong option,
    a missing package. A page that is only a URL is a bad page.
    """
    if is_raised or (isinstance(error, ENDING) and not isinstance(error, NotContent)):
        error.add_note(f"The page is {name}.")
        raise error
    return in_one_line(error)


class PageFailure(NamedTuple):
    """Why a page failed, for the metadata of an empty document."""

    error: str
    reason: str


def page_outcomes(
    sources: Iterable[tuple[str | None, Callable[[], Result]]],
    is_empty: Callable[[Result], bool],
    *,
    on_error: str,
    log: logging.Logger,
) -> Iterator[Result | PageFailure | None]:
    """The result for each page: a Failure for `on_error="document"`, None if it is skipped.

    A source is the name of a page and the function that makes its result. Skipped and empty pages are logged. Raises
    the error of a page for `on_error="raise"`, and always those that no page is to blame for.
    """
    count = skipped = 0
    for source, make in sources:
        count += 1
        name = in_one_line(source or f"page {count}")
        try:
            found = make()
        except Exception as error:
            reason = reason_of(error, name, is_raised=on_error == "raise")
            if on_error == "document":
                yield PageFailure(type(error).__name__, reason)
                continue
            skipped += 1
            log.warning("%s failed and is skipped: %s", name, reason)
            yield None
            continue
        if is_empty(found):
            log.warning("%s has no main content", name)
        yield found
    if skipped:
        log.warning("%d of %d pages failed and were skipped", skipped, count)


def _extracted_page(
    extract: Callable[..., Page], open_: Callable[[Any], PageInput], name: str | os.PathLike[str]
) -> Page:
    return extract(open_(name))


def _checked_paths(given: Paths) -> Iterator[str | os.PathLike[str]]:
    for path in (given,) if isinstance(given, str | os.PathLike) else given or ():
        if not isinstance(path, str | os.PathLike):
            raise OptionError(f"a path is a str or a pathlib.Path, not {type(path).__name__}")
        if isinstance(path, str) and is_url(path):
            raise OptionError(f"{without_credentials(path)} is a URL, not a path: give urls=...")
        if isinstance(path, str) and path.lstrip().startswith("<"):
            raise OptionError("this is HTML, not a path: give pages=...")
        yield path


def _checked_urls(given: Urls) -> Iterator[str]:
    """The URLs; `fetch` refuses a text that is not a URL."""
    for url in (given,) if isinstance(given, str) else given or ():
        if not isinstance(url, str):
            raise OptionError(f"a URL is a str, not {type(url).__name__}")
        yield url


def _pages_with_urls(given: Pages) -> Iterator[tuple[PageInput, str | None]]:
    """Each page and its URL."""
    pages: Iterable[Any] = (given,) if isinstance(given, str | bytes | RawPage) else given or ()
    for each in pages:
        page, url = each if isinstance(each, tuple) and len(each) == 2 else (each, None)
        if not isinstance(url, str | None):
            raise OptionError(f"the second of a pair is a URL or None, not {type(url).__name__}")
        yield page, url
