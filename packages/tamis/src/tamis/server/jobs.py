"""Inside a worker process: from a job to the bytes of its answer."""

from __future__ import annotations

import html
import json
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Literal, NamedTuple

import numpy as np

from tamis.api import extract, with_selectors
from tamis.errors import TamisError
from tamis.explain import explain
from tamis.inputs import RawPage
from tamis.options import ContentOptions
from tamis.page import Page
from tamis.render.layout import Layout
from tamis.render.markdown import MarkdownBlock
from tamis.render.text import changes_of, pieces
from tamis.server.answers import ALWAYS, ANSWER, EXPLANATION
from tamis.server.models import PageOptions
from tamis.server.problems import TOO_LARGE, Problem, problem_of, problem_of_failure
from tamis.server.settings import Settings
from tamis.worker.limits import Guard, Limits
from tamis.worker.process import Failure, Task
from tamis.worker.service import Service

Form = Literal["extract", "line", "explain", "reading", "text/markdown", "text/html", "application/json", "text/plain"]

JSON = "application/json"
# A page that is shown alone may neither load nor run anything.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; sandbox"


class Job(NamedTuple):
    """A page and what to make of it."""

    page: RawPage | str
    url: str | None
    options: PageOptions
    form: Form = "extract"
    number: int = 0  # of the line that asks for it

    @property
    def size(self) -> int:
        """The bytes that the page takes."""
        return sys.getsizeof(self.page if isinstance(self.page, str) else self.page.data)


class Reply(NamedTuple):
    """The answer to a job."""

    body: bytes
    media_type: str
    words: int | None = None
    tokens: int | None = None
    seconds: float = 0.0


# The first page loads all lazy modules and weights, so that they do not count against the deadline of a page.
WARM_UP = Job(
    "<html lang=en><h1>Warm up</h1><p>A first page, for all that is lazy.</p></html>",
    None,
    PageOptions(formats=["text", "markdown", "html"]),
)


@dataclass(frozen=True)
class JobTask(Task[tuple[Job], Job, Reply | Problem]):
    """A unit of work is one job; the answer is a reply of at most `most` bytes, or a problem."""

    most: int

    def start(self) -> None:
        """Answer a first page, also in a process that replaces another."""
        _extract_reply(WARM_UP)

    def read(self, work: tuple[Job], lost: Mapping[int, Failure]) -> Iterator[Job]:
        """The job."""
        return iter(work)

    def answer(self, item: Job, guard: Guard) -> Reply | Problem:
        """The answer to a job. Errors of the page become problems; those that end a worker are raised."""
        with guard:
            start = time.perf_counter()
            try:
                reply = _FORMS[item.form](item)
            except MemoryError:
                raise
            except TamisError as error:
                return problem_of(error)
            if len(reply.body) > self.most:
                return Problem(TOO_LARGE, f"the answer has more than {self.most:,} bytes: ask for fewer formats")
            return reply._replace(seconds=time.perf_counter() - start)

    def failed(self, item: Job, failure: Failure) -> Problem:
        """The problem that ended the work on the job."""
        return problem_of_failure(failure)


def page_service(settings: Settings) -> Service[Job, Reply | Problem]:
    """The worker processes of a server, which are not started yet."""
    return Service(
        JobTask(settings.most_answered),
        Limits(settings.timeout, settings.memory),
        workers=settings.workers,
        queue=settings.queue,
        patience=settings.patience,
    )


def extracted_page(job: Job) -> Page:
    """The page of a job, extracted as its options say. Raises TamisError."""
    wanted = job.options
    page = extract(job.page, url=job.url, extractor=wanted.extractor, **wanted.part(ContentOptions))
    if wanted.threshold is None:
        return page
    labels = page.labels.at(wanted.threshold, page.document)
    labels = labels.with_comments(page.document) if wanted.include_comments else labels
    return replace(page, labels=with_selectors(labels, page.document, wanted))


def as_dict(page: Page, options: PageOptions) -> dict[str, object]:
    """A page as the answer of /v1/extract."""
    chosen = {"metadata": options.metadata, "blocks": options.blocks}
    names = [*ALWAYS, *dict.fromkeys(options.formats), *(name for name, wanted in chosen.items() if wanted)]
    chunks = ANSWER.fields["chunks"]._replace(
        read=lambda page: page.chunks(chunk_tokens=options.chunk_tokens, chunk_overlap=options.overlap)
    )
    return replace(ANSWER, fields={**ANSWER.fields, "chunks": chunks}).read(page, names)


def _extract_reply(job: Job) -> Reply:
    page = extracted_page(job)
    return Reply(_json_bytes(as_dict(page, job.options)), JSON, page.words, page.tokens)


def _batch_line_reply(job: Job) -> Reply:
    """The page as a line of a batch, complete, so that the server does not copy it."""
    reply = _extract_reply(job)
    return reply._replace(body=b'{"index": %d, "status": 200, %s\n' % (job.number, reply.body[1:]))


def _explain_reply(job: Job) -> Reply:
    found = explain(job.page, url=job.url, extractor=job.options.extractor)
    return Reply(_json_bytes(EXPLANATION.read(found)), JSON)


_BREAKS = re.compile("[\x0b\x0c\x85\u2028\u2029]")
# Controls, marks of direction, and invisible characters, such as the tags from U+E0000, which can spell sentences.
_SHAPELESS = re.compile(
    "[\x00-\x08\x0e-\x1f\r\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
# Persian, Hindi and emoji need one or two of these between letters; longer runs can spell something.
_JOINERS = re.compile(r"\A[\u200c\u200d\ufe00-\ufe0f]+|[\u200c\u200d\ufe00-\ufe0f]{3,}")


def without_invisible_characters(text: str) -> str:
    """A text without invisible characters, which a language model would read and people do not see."""
    return _JOINERS.sub("", _SHAPELESS.sub("", _BREAKS.sub("\n", text)))


def _reading_reply(job: Job) -> Reply:
    """The content in the first of the formats, which is Markdown, text or HTML, and the places of headings and blocks.

    It is written from clean texts: cleaned later, Markdown could turn into other markup.
    """
    found, form = extracted_page(job), job.options.formats[0]
    page = replace(found, options=replace(found.options, cleaned=without_invisible_characters))
    text: str = getattr(page, form)
    blocks = [] if form == "html" else page._markdown_blocks
    reading = ANSWER.read(page, ("url", "title", "source", "page_type", "state", "confidence")) | {
        "text": text,
        "headings": _html_headings(text) if form == "html" else _placed_headings(page, blocks, in_text=form == "text"),
        "blocks": list(accumulate((len(block.text) + 2 for block in blocks[:-1]), initial=0)),
    }
    return Reply(_json_bytes(reading), JSON, page.words, page.tokens)


_HTML_HEADING = re.compile(r"<h([1-6])(?: [^<>]*)?>(.*?)</h\1>", re.DOTALL)
_TAG = re.compile(r"<[^<>]*>")


def _placed_headings(page: Page, blocks: list[MarkdownBlock], *, in_text: bool) -> list[tuple[int, str, int]]:
    """Level, words and place of each heading, in the Markdown or in the text of a page without a title above it."""
    starts = _text_starts(page) if in_text else None
    found: list[tuple[int, str, int]] = []
    place = 0
    for block in blocks:
        if block.level:
            start = place if starts is None else starts(block.row)
            if start is not None:
                found.append((block.level, block.plain, start))
        place += len(block.text) + 2
    return found


def _text_starts(page: Page) -> Callable[[int], int | None]:
    """A function from the row of an element to the place of its first words in the text; None if it has none."""
    document, keep = page.document, page.labels.keep
    changes = changes_of(document, keep)
    texts = keep & ~document.leaves.is_media  # as in to_text
    texts[list(changes.verbatim)] = True
    texts[list(changes.dropped)] = False
    layout = Layout(document, np.flatnonzero(texts))
    written = pieces(document, layout, changes)
    rows = document.leaves.element.take(layout.leaves)
    before = [0, *accumulate(map(len, written))]
    cut = len(written[0]) - len(written[0].lstrip("\n ")) if written else 0  # the text begins without white space

    def start_in_text(row: int) -> int | None:
        first = int(rows.searchsorted(row))
        if row < 0 or first == len(written) or rows[first] >= document.elements.end[row]:
            return None
        return before[first] - cut + len(written[first]) - len(written[first].lstrip())

    return start_in_text


def _html_headings(text: str) -> list[tuple[int, str, int]]:
    return [
        (int(found[1]), " ".join(html.unescape(_TAG.sub("", found[2])).split()), found.start())
        for found in _HTML_HEADING.finditer(text)
    ]


_STYLE = """
:root { color-scheme: light dark; } body { font: 1.1rem/1.6 serif; max-width: 42rem; margin: 2rem auto; padding: 1rem }
img { max-width: 100% } pre { overflow-x: auto } table { border-collapse: collapse } td, th { padding: .2rem .6rem }
"""


def _content_reply(job: Job) -> Reply:
    """The content alone: Markdown, text, or a whole HTML page for a browser."""
    page = extracted_page(job)
    if job.form == "text/html":
        output = _whole_html(page)
    else:
        output = page.markdown if job.form == "text/markdown" else page.text
    media_type = f"{job.form}; charset=utf-8"
    return Reply(output.encode("utf-8", "replace"), media_type, page.words, page.tokens)


def _whole_html(page: Page) -> str:
    title = html.escape(page.title or page.url or "")
    language = html.escape(page.metadata.language or "")
    source = html.escape(page.url or "", quote=True)
    return (
        f'<!doctype html>\n<html lang="{language}"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width"><title>{title}</title><style>{_STYLE}</style></head>'
        f'<body><main>{page.html}</main><footer><p><a href="{source}">{source}</a></p></footer></body></html>\n'
    )


def _json_bytes(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")


_FORMS: dict[Form, Callable[[Job], Reply]] = {
    "extract": _extract_reply,
    "line": _batch_line_reply,
    "explain": _explain_reply,
    "reading": _reading_reply,
    "text/markdown": _content_reply,
    "text/html": _content_reply,
    "application/json": _extract_reply,
    "text/plain": _content_reply,
}
