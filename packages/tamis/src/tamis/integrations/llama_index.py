"""For LlamaIndex: a reader of web pages, and a node parser that divides them along their headings.

Pages are extracted in the caller's process, each under a timeout. Ids depend on the source alone, so that a page that
is read again replaces itself in a document store. Metadata are flat, as LlamaIndex wants them.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import operator
import os
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from tamis.api import extract
from tamis.document.addresses import without_credentials
from tamis.errors import InputError, MissingExtra
from tamis.inputs import MOST_BYTES, PageInput, RawPage
from tamis.integrations.documents import (
    PageFailure,
    Pages,
    PageSource,
    Paths,
    Urls,
    address_metadata,
    chunk_place,
    page_metadata,
    page_outcomes,
    sources_of,
    url_in,
)
from tamis.option_table import CHUNK_TOKENS, TIMEOUT
from tamis.options import ChunkOptions, ContentOptions, ExtractOptions, add_help
from tamis.page import Page
from tamis.registry import DEFAULT
from tamis.web import TIMEOUT as FETCH_TIMEOUT
from tamis.web import fetch

try:
    from llama_index.core.bridge.pydantic import ConfigDict, Field, PlainSerializer, model_validator
    from llama_index.core.node_parser import NodeParser
    from llama_index.core.node_parser.interface import IdFuncCallable
    from llama_index.core.readers.base import BasePydanticReader
    from llama_index.core.schema import (
        BaseComponent,
        BaseNode,
        Document,
        MetadataMode,
        NodeRelationship,
        TextNode,
    )
    from llama_index.core.utils import get_tqdm_iterable
except ImportError:
    raise MissingExtra("LlamaIndex", "llama-index") from None

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem

# Metadata for filters and programs; language models and embeddings do not get them.
_FOR_FILTERS = (
    "url canonical_url datetime datetime_modified image is_paywalled language license page_type state confidence chunk "
    "tokens xpath error reason"
).split()
# A language model may quote these too; they say nothing about the meaning of a text.
_NOT_EMBEDDED = [*_FOR_FILTERS, "source", "date", "date_modified"]

_log = logging.getLogger(__name__)


class _Options(BaseComponent, ContentOptions):  # type: ignore[misc]  # fields of a frozen class in a model that is not
    """The options of `tamis.extract`, as fields."""

    # LlamaIndex ignores options that do not exist; a misspelt one would do nothing.
    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid", json_schema_extra=add_help)

    extractor: str = DEFAULT
    timeout: float | None = TIMEOUT

    @classmethod
    def class_name(cls) -> str:
        """The name in LlamaIndex's serialised form."""
        return cls.__name__

    @model_validator(mode="after")
    def _check_options(self) -> Self:
        """Report wrong options now, not at the first page."""
        wanted = self._extract_options()
        vars(self).update(prune=wanted.prune, keep=wanted.keep)  # tuples, also where they were lists of JSON
        return self

    def _extract_options(self) -> ExtractOptions:
        return ExtractOptions(extractor=self.extractor, timeout=self.timeout, **self.part(ContentOptions))

    def _extract_page(self, page: PageInput, url: str | None = None) -> Page:
        return extract(page, url=url, **self._extract_options().part(ExtractOptions))


class TamisReader(_Options, BasePydanticReader):  # type: ignore[misc]
    """Reads the main content of web pages, one document a page.

    It is also a reader for files of `SimpleDirectoryReader`: `file_extractor={".html": TamisReader()}`.
    """

    is_remote: bool = Field(default=True, description="Whether pages are read from the web.")
    output_format: Literal["markdown", "text", "raw"] = Field(
        default="markdown", description="The text of a document; raw is the page as it came, for TamisNodeParser."
    )
    on_error: Literal["raise", "skip", "document"] = Field(
        default="raise",
        description="What to do when a page fails: end the reading, skip it with a warning, or give an empty document.",
    )
    fetch_timeout: float = Field(default=FETCH_TIMEOUT, gt=0, description="The most seconds to fetch a page.")
    allow_private: bool = Field(default=False, description="Fetch also addresses that are not public.")

    def lazy_load_data(
        self,
        paths: Paths = None,
        *,
        urls: Urls = None,
        pages: Pages = None,
        extra_info: Mapping[str, Any] | None = None,
        fs: AbstractFileSystem | None = None,
    ) -> Iterator[Document]:
        """The documents, page by page: those of paths, then of URLs, then of pages; `load_data` gives a list.

        Args:
            paths: Files, by a str or a path.
            urls: Addresses, which are fetched by `tamis.fetch`.
            pages: Anything that `tamis.extract` takes, or pairs of that and the URL of the page.
            extra_info: Metadata for all documents; they take precedence over those of a page.
            fs: The file system of the paths, if not the local one; `SimpleDirectoryReader` passes it.

        Raises OptionError, MissingExtra and WeightsError; with `on_error="raise"` also the InputError of a page.
        """
        open_path = Path if fs is None else partial(_read_from, fs)
        get = partial(fetch, timeout=self.fetch_timeout, allow_private=self.allow_private)
        sources = sources_of(paths, urls, pages, extract=self._extract_page, fetch=get, open_path=open_path)
        return self._documents_of_sources(sources, dict(extra_info or {}))

    def _documents_of_sources(self, sources: Sequence[PageSource], given: dict[str, Any]) -> Iterator[Document]:
        works = ((source, partial(self._document_of_page, read_page, source, given)) for source, read_page in sources)
        found = page_outcomes(works, lambda document: not document.text, on_error=self.on_error, log=_log)
        for (source, _), document in zip(sources, found, strict=True):
            if isinstance(document, PageFailure):
                known = {**({"source": source} if source else {}), **given, **document._asdict()}
                yield _new_document("", known, source or str(uuid.uuid4()))
            elif document is not None:
                yield document

    def _document_of_page(self, read_page: Callable[[], Page], source: str | None, given: dict[str, Any]) -> Document:
        page = read_page()
        text = page.original.html if self.output_format == "raw" else getattr(page, self.output_format)
        known = {**address_metadata(page), **page_metadata(page), **({"source": source} if source else {}), **given}
        id_ = source or page.url or hashlib.sha256(page.original.html.encode()).hexdigest()
        return _new_document(text, known, without_credentials(id_))


def _read_from(fs: AbstractFileSystem, path: str | os.PathLike[str]) -> RawPage:
    """The page in a file of a file system. Raises InputError if it can't be read."""
    try:
        with fs.open(os.fspath(path), "rb") as file:
            return RawPage(file.read(MOST_BYTES))
    except OSError as error:
        raise InputError(f"{os.fspath(path)}: {error.strerror or type(error).__name__}") from error


def _stable_id(number: int, document: BaseNode) -> str:
    """The id of a node: the same for the same place of the same document. Some vector stores take only UUIDs."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"{document.node_id}#{number}"))


def _name_of(tokenizer: Callable[[str], Any] | None) -> str | None:
    """The serialised form of a tokenizer, by which an ingestion cache tells one from another."""
    if tokenizer is None:
        return None
    named = tokenizer if hasattr(tokenizer, "__qualname__") else type(tokenizer)
    return f"{named.__module__}.{named.__qualname__}"


class TamisNodeParser(_Options, NodeParser):  # type: ignore[misc]
    """Divides documents whose text is HTML into nodes with the main content, along its headings.

    The nodes of a page are its `Page.chunks`.
    """

    chunk_tokens: int = Field(default=CHUNK_TOKENS, ge=16)
    chunk_overlap: int = Field(default=0, ge=0)
    output_format: Literal["markdown", "text"] = Field(default="markdown", description="What the text of a node is.")
    on_error: Literal["raise", "skip"] = Field(
        default="raise", description="What to do when a page fails: end the parsing, or skip it with a warning."
    )
    tokenizer: Annotated[Callable[[str], Any] | None, PlainSerializer(_name_of)] = Field(
        default=None, description="A function from a text to its tokens, or to their number. Default: an estimate."
    )
    id_func: IdFuncCallable = Field(default=_stable_id, description="Function to generate node IDs.")

    @model_validator(mode="after")
    def _check_chunks(self) -> Self:
        ChunkOptions(chunk_tokens=self.chunk_tokens, chunk_overlap=self.chunk_overlap)
        return self

    def _parse_nodes(self, nodes: Sequence[BaseNode], show_progress: bool = False, **kwargs: Any) -> list[BaseNode]:
        """The nodes of each page, in order. Raises what `TamisReader.lazy_load_data` raises."""
        works = (
            (document.metadata.get("source") or document.node_id, partial(self._nodes_of, document))
            for document in get_tqdm_iterable(nodes, show_progress, "Parsing pages")
        )
        found = page_outcomes(works, operator.not_, on_error=self.on_error, log=_log)
        return [node for of_page in found if isinstance(of_page, list) for node in of_page]

    async def _aparse_nodes(
        self, nodes: Sequence[BaseNode], show_progress: bool = False, **kwargs: Any
    ) -> list[BaseNode]:
        """In a thread: LlamaIndex's own would keep the event loop waiting."""
        return await asyncio.to_thread(self._parse_nodes, nodes, show_progress, **kwargs)

    def _nodes_of(self, document: BaseNode) -> list[TextNode]:
        page = self._extract_page(document.get_content(metadata_mode=MetadataMode.NONE), url_in(document.metadata))
        chunks = page.chunks(
            chunk_tokens=self.chunk_tokens,
            chunk_overlap=self.chunk_overlap,
            tokenizer=None if self.tokenizer is None else partial(_token_count, self.tokenizer),
        )
        known = {**address_metadata(page), **page_metadata(page), **document.metadata}
        source = document.as_related_node_info()  # hashes the page, so once
        return [
            TextNode(
                id_=self.id_func(number, document),
                text=getattr(chunk, self.output_format),
                metadata={**known, **chunk_place(number, chunk)} if self.include_metadata else {},
                excluded_llm_metadata_keys=_unique_names(document.excluded_llm_metadata_keys, _FOR_FILTERS),
                excluded_embed_metadata_keys=_unique_names(document.excluded_embed_metadata_keys, _NOT_EMBEDDED),
                relationships={NodeRelationship.SOURCE: source},
            )
            for number, chunk in enumerate(chunks)
        ]


def _new_document(text: str, metadata: dict[str, Any], id_: str) -> Document:
    return Document(
        text=text,
        id_=id_,
        metadata=metadata,
        excluded_llm_metadata_keys=[*_FOR_FILTERS],
        excluded_embed_metadata_keys=[*_NOT_EMBEDDED],
    )


def _token_count(tokenizer: Callable[[str], Any], text: str) -> int:
    """The number of tokens; LlamaIndex's tokenizers give the tokens themselves."""
    found = tokenizer(text)
    return found if isinstance(found, int) else len(found)


def _unique_names(given: Sequence[str], more: Sequence[str]) -> list[str]:
    return [*dict.fromkeys((*given, *more))]
