"""An extractor for datatrove: put it where a pipeline has Trafilatura.

datatrove runs the pages of each task in a process with a deadline, and drops and counts a page that hangs or crashes.
Memory is not limited: if a page takes too much, the system kills the process, which counts as a crash.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

from tamis.api import extract
from tamis.batch.rows import known
from tamis.errors import MissingExtra
from tamis.option_table import TIMEOUT
from tamis.options import ExtractOptions, SiteKeywords, resolve, takes
from tamis.protocol import Extractor
from tamis.registry import DEFAULT

try:
    from datatrove.pipeline.extractors.base import BaseExtractor
except ImportError:
    raise MissingExtra("datatrove", "datatrove") from None

if TYPE_CHECKING:
    from datatrove.data import DocumentsPipeline

_WARM_UP = "<p>A first page, for all that is lazy.</p>"


class _TextWithMetadata(str):
    """The text of a page that carries its metadata: datatrove takes only a text from its process."""

    metadata: dict[str, Any]


class TamisExtractor(BaseExtractor):  # type: ignore[misc]  # datatrove is untyped
    """Turns the HTML in a document's text into its main content.

    Documents without content are dropped, and so are those that fail; the stats count `timeout`,
    `broken_process` (a crash), `clean_error` (an error of the extractor) and `dropped` apart.
    """

    name = "tamis"

    @takes(ExtractOptions, timeout=TIMEOUT)
    def __init__(
        self,
        extractor: str | Extractor = DEFAULT,
        *,
        metadata: bool = False,
        markdown: bool = False,
        **options: Unpack[SiteKeywords],
    ) -> None:
        """The options of `tamis.extract`; the timeout is datatrove's, by default 30 seconds a page.

        With `markdown` the text is Markdown. With `metadata` those of the page are added to the document's, by the
        names of the columns of `tamis batch`.
        """
        wanted = resolve(ExtractOptions, {"extractor": extractor, **options}, timeout=TIMEOUT)
        super().__init__(wanted.timeout)
        self.metadata, self.markdown = metadata, markdown
        self.options = wanted.part(ExtractOptions) | {"timeout": None}  # the process has the deadline

    def run(self, data: DocumentsPipeline, rank: int = 0, world_size: int = 1) -> DocumentsPipeline:
        """Documents in, documents with content out. Raises OptionError, MissingExtra and WeightsError."""
        # Here an error of every page ends the task; in the process for pages it would be counted for each page.
        # That process is a fork of this one, so the model is loaded once a task, however many pages crash.
        self._text(_WARM_UP)
        for document in super().run(data, rank, world_size):
            if isinstance(document.text, _TextWithMetadata):
                document.metadata |= document.text.metadata
                document.text = str(document.text)
            yield document

    def extract(self, text: str) -> Any:
        """The main content of a page; an error is returned, not raised.

        datatrove raises it where it counts errors. Raised here it would end the process, and count as a crash.
        """
        try:
            return self._text(text)
        except Exception as error:
            return error

    def _text(self, html: str) -> str:
        page = extract(html, **self.options)
        text = page.markdown if self.markdown else page.text
        if not self.metadata or not text:
            return text
        found = _TextWithMetadata(text)
        found.metadata = {name: value for name, value in known(page.metadata).items() if value not in (None, [])}
        return found
