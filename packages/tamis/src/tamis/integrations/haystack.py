"""For Haystack: a converter from web pages to documents.

Pages are extracted in the caller's process, each under a timeout. The metadata of a document are flat, because many
document stores filter by plain values only.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, Unpack

from tamis.api import extract
from tamis.document.addresses import without_credentials
from tamis.document.decode import clean_text
from tamis.errors import InputError, MissingExtra, OptionError
from tamis.inputs import check_encoding
from tamis.integrations.documents import in_one_line, page_metadata, reason_of
from tamis.option_table import TIMEOUT
from tamis.options import ExtractKeywords, ExtractOptions, resolve, takes
from tamis.page import Page
from tamis.web import is_url

try:
    from haystack import Document, component, logging
    from haystack.components.converters.utils import normalize_metadata
    from haystack.dataclasses import ByteStream
except ImportError:
    raise MissingExtra("Haystack", "haystack") from None

_log = logging.getLogger(__name__)


@component
class TamisConverter:
    """Converts web pages to documents with their main content: put it where a pipeline has HTMLToDocument."""

    @takes(ExtractOptions, timeout=TIMEOUT)
    def __init__(
        self,
        *,
        output_format: Literal["markdown", "text"] = "markdown",
        store_full_path: bool = False,
        raise_on_failure: bool = False,
        **options: Unpack[ExtractKeywords],
    ) -> None:
        """Create a converter. All options are plain values, so that a pipeline can be written to YAML.

        Args:
            output_format: What the content of a document is.
            store_full_path: Write the whole path of a file into the metadata, not only its name.
            raise_on_failure: Raise the error of a page that fails instead of skipping it with a warning. Wrong
                options, missing packages and missing weights are always raised.
            options: Those of `tamis.extract`, with a timeout of 30 seconds; the extractor is a name or a folder.

        Raises OptionError for options that are wrong or contradict each other.
        """
        if output_format not in ("markdown", "text"):
            raise OptionError(f"output_format is markdown or text, not {output_format!r}")
        wanted = resolve(ExtractOptions, options, timeout=TIMEOUT)
        if not isinstance(wanted.extractor, str):
            raise OptionError("the extractor of a Haystack pipeline is a name or a folder, so that it can be written")
        # Haystack serialises a component by attributes that have the names of the parameters in its signature.
        self.output_format, self.store_full_path = output_format, store_full_path
        self.raise_on_failure, self._wanted = raise_on_failure, wanted
        vars(self).update(wanted.part(ExtractOptions))
        self.prune, self.keep = [*wanted.prune], [*wanted.keep]  # lists: YAML writes a tuple with its Python type

    @component.output_types(documents=list[Document])
    def run(
        self, sources: list[str | Path | ByteStream], meta: dict[str, Any] | list[dict[str, Any]] | None = None
    ) -> dict[str, list[Document]]:
        """Convert pages: `documents` are those of pages with content, in order.

        Args:
            sources: Paths of files, and pages as ByteStream. `encoding` in the metadata of a stream is its charset,
                which is guessed otherwise.
            meta: Metadata for all documents, or a list with those of each source. They override those of a stream,
                which override those of the page. A `url` in them makes links absolute.

        Raises ValueError for a `meta` of another length than `sources`, MissingExtra and WeightsError; if
        `raise_on_failure` is set, also the InputError of a page.
        """
        documents = []
        for number, (source, given) in enumerate(zip(sources, normalize_metadata(meta, len(sources)), strict=True)):
            known = {**self._source_metadata(source), **given}
            name = in_one_line(known.get("url") or known.get("file_path") or f"source {number + 1}")
            try:
                page = self._extracted_page(source, known)
                content = page.markdown if self.output_format == "markdown" else page.text
                metadata = page_metadata(page)
            except Exception as error:
                reason = reason_of(error, name, is_raised=self.raise_on_failure)
                _log.warning("Failed to convert {source}. Skipping it. Error: {error}", source=name, error=reason)
                continue
            if content:
                documents.append(Document(content=content, meta={**metadata, **known}))
            else:
                _log.warning("{source} has no main content. Skipping it.", source=name)
        if skipped := len(sources) - len(documents):
            _log.warning("{skipped} of {count} pages were skipped.", skipped=skipped, count=len(sources))
        return {"documents": documents}

    def _source_metadata(self, source: str | Path | ByteStream) -> dict[str, Any]:
        """The metadata of a source."""
        if isinstance(source, str) and is_url(source):
            return {"url": without_credentials(source)}
        known = {"file_path": str(source)} if isinstance(source, str | Path) else dict(getattr(source, "meta", {}))
        if path := known.get("file_path"):
            known["file_path"] = clean_text(str(path) if self.store_full_path else Path(str(path)).name)
        return known

    def _extracted_page(self, source: str | Path | ByteStream, known: dict[str, Any]) -> Page:
        if isinstance(source, str) and is_url(source):
            raise InputError("this is a URL, not a file: fetch it first, with LinkContentFetcher or tamis.fetch")
        if not isinstance(source, str | Path | ByteStream):
            raise InputError(f"a source is a path or a ByteStream, not {type(source).__name__}")
        if isinstance(source, ByteStream) and not source.data:
            raise InputError("the stream is empty; the page was probably not fetched")
        url = known.get("url")
        encoding = source.meta.get("encoding") if isinstance(source, ByteStream) else None
        if encoding is not None:
            try:
                check_encoding(str(encoding))
            except OptionError as error:  # of this page, not of the converter
                raise InputError(str(error)) from None
        return extract(
            source.data if isinstance(source, ByteStream) else Path(source),
            url=url if isinstance(url, str) else None,
            encoding=None if encoding is None else str(encoding),
            **self._wanted.part(ExtractOptions),
        )
