"""For LangChain: a loader of web pages, and a transformer of documents that hold HTML.

Pages are extracted in the caller's process, each under a timeout. The metadata of a document are flat, because many
vector stores take neither lists nor null.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Literal, Unpack

from tamis.api import extract
from tamis.errors import MissingExtra, OptionError
from tamis.inputs import check_timeout
from tamis.integrations.documents import (
    Failure,
    Pages,
    Paths,
    Urls,
    address,
    described,
    outcomes,
    place,
    sources_of,
    url_in,
)
from tamis.option_table import TIMEOUT
from tamis.options import ChunkKeywords, ChunkOptions, ExtractOptions, read, takes
from tamis.page import Page
from tamis.render.chunks import Chunk
from tamis.render.tokens import Tokenizer
from tamis.web import TIMEOUT as FETCH_TIMEOUT
from tamis.web import fetch

try:
    from langchain_core.document_loaders import BaseLoader
    from langchain_core.documents import BaseDocumentTransformer, Document
except ImportError:
    raise MissingExtra("LangChain", "langchain") from None

OutputFormat = Literal["markdown", "text"]
OnError = Literal["raise", "skip", "document"]

_SOURCE = "source"  # LangChain's key for where a document comes from

_log = logging.getLogger(__name__)

_Divide = Callable[[Page, Mapping[str, Any]], list[Document]]


class TamisLoader(BaseLoader):
    """Loads the main content of web pages: one document a page, or one a chunk."""

    @takes(ChunkOptions, timeout=TIMEOUT)
    def __init__(
        self,
        paths: Paths = None,
        *,
        urls: Urls = None,
        pages: Pages = None,
        output_format: OutputFormat = "markdown",
        tokenizer: Tokenizer | None = None,
        on_error: OnError = "raise",
        fetch_timeout: float = FETCH_TIMEOUT,
        allow_private: bool = False,
        **options: Unpack[ChunkKeywords],
    ) -> None:
        """Nothing is read or fetched before `load`, `lazy_load`, `aload` or `alazy_load`.

        Args:
            paths: Files, by a str or a path.
            urls: Addresses, which are fetched by `tamis.fetch`.
            pages: Pages that are at hand: HTML as str or bytes, what `tamis.extract` accepts else, or pairs of that
                and the URL of the page.
            output_format: What the content of a document is.
            tokenizer: What counts tokens, see `Page.chunks`; `get_num_tokens` of a LangChain model is one.
            on_error: What a page that fails does. "raise" ends the loading; "skip" logs a warning and goes on;
                "document" gives an empty document with `error` and `reason` in its metadata. Wrong options, missing
                packages and missing weights are always raised.
            fetch_timeout: The most seconds to fetch a page.
            allow_private: Fetch also addresses that are not public.
            options: Those of `tamis.extract`, with a timeout of 30 seconds, and `chunk_tokens` and `chunk_overlap` to
                divide the pages as `Page.chunks` does.

        Raises:
            OptionError: Options are wrong or contradict each other, or there is nothing to load.
        """
        wanted = read(ChunkOptions, options, timeout=TIMEOUT)
        check_timeout(fetch_timeout)
        self._on_error: OnError = _one_of("on_error", on_error, ("raise", "skip", "document"))
        self._divide = _divider(output_format, wanted, tokenizer)
        get = partial(fetch, timeout=fetch_timeout, allow_private=allow_private)
        self._sources = sources_of(
            paths, urls, pages, extract=partial(extract, **wanted.part(ExtractOptions)), fetch=get
        )

    def lazy_load(self) -> Iterator[Document]:
        """The documents, page by page: those of paths, then of URLs, then of pages.

        Raises OptionError, MissingExtra and WeightsError; with `on_error="raise"` also the error of a page: InputError
        and its kinds, such as FetchError and PageTooSlow.
        """
        sources = (({_SOURCE: source} if source else {}, read) for source, read in self._sources)
        for documents in _results(sources, self._divide, self._on_error):
            yield from documents


class TamisTransformer(BaseDocumentTransformer):
    """Turns documents whose content is HTML into documents with the main content, or with its chunks."""

    @takes(ChunkOptions, timeout=TIMEOUT)
    def __init__(
        self,
        *,
        output_format: OutputFormat = "markdown",
        tokenizer: Tokenizer | None = None,
        on_error: OnError = "raise",
        **options: Unpack[ChunkKeywords],
    ) -> None:
        """The options are those of `TamisLoader`. Raises OptionError."""
        wanted = read(ChunkOptions, options, timeout=TIMEOUT)
        self._on_error: OnError = _one_of("on_error", on_error, ("raise", "skip", "document"))
        self._divide = _divider(output_format, wanted, tokenizer)
        self._is_divided = wanted.chunk_tokens is not None
        self._extract = partial(extract, **wanted.part(ExtractOptions))

    def transform_documents(self, documents: Sequence[Document], **kwargs: Any) -> list[Document]:
        """New documents, in order; the given ones are not changed.

        The metadata of a given document are kept; where the page says something else, the given value counts. Its
        `url`, or else `source`, makes links absolute, if it is a URL. A document that is not divided keeps its id.

        Raises what `TamisLoader.lazy_load` raises, and OptionError for keywords: there are none.
        """
        if kwargs:
            raise OptionError(f"transform_documents has no option {next(iter(kwargs))!r}; give it to TamisTransformer")
        documents = [*documents]  # LangChain's chains may hand over an iterator
        sources = (
            (given.metadata, partial(self._extract, given.page_content, url=url_in(given.metadata)))
            for given in documents
        )
        return [
            new if self._is_divided else new.model_copy(update={"id": given.id})
            for given, found in zip(documents, _results(sources, self._divide, self._on_error), strict=True)
            for new in found
        ]


def _results(
    sources: Iterable[tuple[Mapping[str, Any], Callable[[], Page]]], divide: _Divide, on_error: OnError
) -> Iterator[list[Document]]:
    """The documents of each page, none if it is skipped. Sources are what is known of a page, and what reads it."""
    pages = [*sources]
    works = ((known.get(_SOURCE), partial(_divided, divide, read_page, known)) for known, read_page in pages)
    documents = outcomes(works, _is_empty, on_error=on_error, log=_log)
    for (known, _), found in zip(pages, documents, strict=True):
        if isinstance(found, Failure):
            yield [Document("", metadata={**known, **found._asdict()})]
        else:
            yield found or []


def _divided(divide: _Divide, read_page: Callable[[], Page], known: Mapping[str, Any]) -> list[Document]:
    return divide(read_page(), known)


def _is_empty(documents: list[Document]) -> bool:
    return not any(document.page_content for document in documents)


def _divider(output_format: OutputFormat, wanted: ChunkOptions, tokenizer: Tokenizer | None) -> _Divide:
    """What makes documents of a page and of what was known before. Raises OptionError."""
    _one_of("output_format", output_format, ("markdown", "text"))
    divide = None
    if wanted.chunk_tokens is not None:
        divide = partial(
            Page.chunks,
            chunk_tokens=wanted.chunk_tokens,
            chunk_overlap=wanted.chunk_overlap,
            tokenizer=tokenizer,
        )
    return partial(_documents, output_format=output_format, divide=divide)


def _documents(
    page: Page,
    known: Mapping[str, Any],
    *,
    output_format: OutputFormat,
    divide: Callable[[Page], Iterable[Chunk]] | None,
) -> list[Document]:
    metadata = {**address(page), **described(page), **known}
    if divide is None:
        return [Document(getattr(page, output_format), metadata=metadata)]
    return [
        Document(getattr(chunk, output_format), metadata={**metadata, **place(number, chunk)})
        for number, chunk in enumerate(divide(page))
    ]


def _one_of(name: str, value: Any, known: tuple[str, ...]) -> Any:
    """The value. Raises OptionError if it is none of those that are known."""
    if value not in known:
        raise OptionError(f"{name} is {', '.join(known[:-1])} or {known[-1]}, not {value!r}")
    return value
