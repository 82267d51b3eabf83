"""An extractor for datatrove: put it where a pipeline has Trafilatura.

datatrove has a process for the pages of each task, with a deadline. A page that hangs or crashes is dropped and
counted. There is no memory limit: if a page takes too much, the system kills the process, which counts as a crash.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tamis import registry
from tamis.api import extract
from tamis.batch.rows import DEADLINE, known
from tamis.errors import MissingExtra
from tamis.protocol import Extractor

try:
    from datatrove.pipeline.extractors.base import BaseExtractor
except ImportError:
    raise MissingExtra("datatrove", "datatrove") from None

if TYPE_CHECKING:
    from datatrove.data import DocumentsPipeline

_WARM_UP = "<p>A first page, for all that is lazy.</p>"


class _Described(str):
    """The text of a page that has its metadata with it: datatrove takes nothing but a text from its process."""

    metadata: dict[str, Any]


class TamisExtractor(BaseExtractor):  # type: ignore[misc]  # datatrove has no types
    """Turns the HTML in a document's text into its main content.

    Documents without content are dropped, and so are those that fail; the stats count `timeout`,
    `broken_process` (a crash), `clean_error` (an error of the extractor) and `dropped` apart.
    """

    name = "tamis"

    def __init__(
        self,
        extractor: str | Extractor = registry.DEFAULT,
        *,
        favor_precision: bool = False,
        favor_recall: bool = False,
        include_title: bool = False,
        include_comments: bool = False,
        visible_only: bool = False,
        metadata: bool = False,
        markdown: bool = False,
        timeout: float = DEADLINE,
    ) -> None:
        """The options of `tamis.extract`.

        With `markdown` the text is Markdown. With `metadata` those of the page are added to the document's, by the
        names of the columns of `tamis batch`. `timeout` is in seconds a page.
        """
        super().__init__(timeout)
        self.extractor, self.metadata, self.markdown = extractor, metadata, markdown
        self.favor_precision, self.favor_recall, self.visible_only = favor_precision, favor_recall, visible_only
        self.include_title, self.include_comments = include_title, include_comments

    def run(self, data: DocumentsPipeline, rank: int = 0, world_size: int = 1) -> DocumentsPipeline:
        """Documents in, documents with content out. Raises OptionError, MissingExtra and WeightsError."""
        # Here an error of every page ends the task; in the process for pages it would be counted for each page.
        # That process is a fork of this one, so the model is loaded once a task, however many pages crash.
        self._text(_WARM_UP)
        for document in super().run(data, rank, world_size):
            if isinstance(document.text, _Described):
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
        page = extract(
            html,
            extractor=self.extractor,
            favor_precision=self.favor_precision,
            favor_recall=self.favor_recall,
            include_title=self.include_title,
            include_comments=self.include_comments,
            visible_only=self.visible_only,
        )
        text = page.markdown if self.markdown else page.text
        if not self.metadata or not text:
            return text
        columns = known(page.metadata)
        described = _Described(text)
        described.metadata = {name: value for name, value in columns.items() if value not in (None, [])}
        return described
