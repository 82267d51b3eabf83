"""For LangChain: a loader of web pages, and a transformer of documents that hold HTML.

Pages are extracted in the caller's process, each under a timeout. The metadata of a document are flat, because many
vector stores take neither lists nor null.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
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
from tamis.options import ChunkKeywords, ChunkOptions, ExtractOptions, resolve, takes
from tamis.page import Page
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


@dataclass(frozen=True)
class _DocumentMaker:
    """Makes the documents of each page: one, or one a chunk. Raises OptionError for wrong options."""

    wanted: ChunkOptions
    output_format: OutputFormat
    tokenizer: Tokenizer | None
    on_error: OnError

    def __post_init__(self) -> None:
        if self.output_format not in ("markdown", "text"):
            raise OptionError(f"output_format is markdown or text, not {self.output_format!r}")
        if self.on_error not in ("raise", "skip", "document"):
            raise OptionError(f"on_error is raise, skip or document, not {self.on_error!r}")

    def each(self, sources: Iterable[tuple[Mapping[str, Any], Callable[[], Page]]]) -> Iterator[list[Document]]:
        """The documents of each page, none if it is skipped. A source is known metadata and a function for the page."""
        pages = [*sources]
        works = ((known.get(_SOURCE), partial(self._made, read_page, known)) for known, read_page in pages)
        made = outcomes(works, _are_empty, on_error=self.on_error, log=_log)
        for (known, _), found in zip(pages, made, strict=True):
            if isinstance(found, Failure):
                yield [Document("", metadata={**known, **found._asdict()})]
            else:
                yield found or []

    def _made(self, read_page: Callable[[], Page], known: Mapping[str, Any]) -> list[Document]:
        page = read_page()
        metadata = {**address(page), **described(page), **known}
        size, overlap = self.wanted.chunk_tokens, self.wanted.chunk_overlap
        if size is None:
            return [Document(getattr(page, self.output_format), metadata=metadata)]
        chunks = page.chunks(chunk_tokens=size, chunk_overlap=overlap, tokenizer=self.tokenizer)
        return [
            Document(getattr(chunk, self.output_format), metadata={**metadata, **place(number, chunk)})
            for number, chunk in enumerate(chunks)
        ]


def _are_empty(found: list[Document]) -> bool:
    return not any(document.page_content for document in found)


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
            pages: Anything that `tamis.extract` takes, or pairs of that and the URL of the page.
            output_format: What the content of a document is.
            tokenizer: What counts tokens, see `Page.chunks`; `get_num_tokens` of a LangChain model is one.
            on_error: What to do when a page fails. "raise" ends the loading; "skip" logs a warning; "document" yields
                an empty document with `error` and `reason` in its metadata. Wrong options, missing packages and
                missing weights are always raised.
            fetch_timeout: The most seconds to fetch a page.
            allow_private: Fetch also addresses that are not public.
            options: Those of `tamis.extract`, with a timeout of 30 seconds, and `chunk_tokens` and `chunk_overlap` to
                divide the pages as `Page.chunks` does.

        Raises:
            OptionError: Options are wrong or contradict each other, or there is nothing to load.
        """
        wanted = resolve(ChunkOptions, options, timeout=TIMEOUT)
        check_timeout(fetch_timeout)
        self._make = _DocumentMaker(wanted, output_format, tokenizer, on_error)
        get = partial(fetch, timeout=fetch_timeout, allow_private=allow_private)
        extracted = partial(extract, **wanted.part(ExtractOptions))
        self._sources = sources_of(paths, urls, pages, extract=extracted, fetch=get)

    def lazy_load(self) -> Iterator[Document]:
        """The documents, page by page: those of paths, then of URLs, then of pages.

        Raises OptionError, MissingExtra and WeightsError; with `on_error="raise"` also the error of a page: InputError
        and its kinds, such as FetchError and PageTooSlow.
        """
        sources = (({_SOURCE: source} if source else {}, read) for source, read in self._sources)
        for of_page in self._make.each(sources):
            yield from of_page


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
        wanted = resolve(ChunkOptions, options, timeout=TIMEOUT)
        self._make = _DocumentMaker(wanted, output_format, tokenizer, on_error)
        self._extract = partial(extract, **wanted.part(ExtractOptions))

    def transform_documents(self, documents: Sequence[Document], **kwargs: Any) -> list[Document]:
        """New documents, in order; the given ones are not changed.

        The metadata of a given document take precedence over those of the page. Its `url` or `source`, if that is a
        URL, makes links absolute. A document that is not divided keeps its id.

        Raises what `TamisLoader.lazy_load` raises, and OptionError for any keyword.
        """
        if kwargs:
            raise OptionError(f"transform_documents takes no options; give {next(iter(kwargs))} to TamisTransformer")
        all_given = [*documents]  # LangChain's chains may hand over an iterator
        sources = (
            (given.metadata, partial(self._extract, given.page_content, url=url_in(given.metadata)))
            for given in all_given
        )
        return [
            new if self._make.wanted.chunk_tokens else new.model_copy(update={"id": given.id})
            for given, found in zip(all_given, self._make.each(sources), strict=True)
            for new in found
        ]
