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

from tamis.api import extract
from tamis.errors import TamisError
from tamis.explain import ExplainedBlock, explain
from tamis.inputs import RawPage
from tamis.options import ContentOptions
from tamis.page import Page
from tamis.render.changes import changes_of
from tamis.render.highlight import annotate
from tamis.render.layout import Layout
from tamis.render.markdown import Block, markdown_blocks
from tamis.render.text import pieces
from tamis.server.models import PageOptions
from tamis.server.problems import TOO_LARGE, Problem, problem_of, problem_of_failure
from tamis.server.shapeless import clean
from tamis.worker.limits import Guard
from tamis.worker.process import Failure

Form = Literal["extract", "line", "explain", "reading", "text/markdown", "text/html", "application/json", "text/plain"]

JSON = "application/json"
# Nothing of a page that is shown alone may load or run anything.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; sandbox"


class Job(NamedTuple):
    """A page and what is wanted of it."""

    page: RawPage | str
    url: str | None
    options: PageOptions
    form: Form = "extract"
    number: int = 0  # of the line that asks for it

    @property
    def size(self) -> int:
        """As many bytes as the page takes."""
        return sys.getsizeof(self.page if isinstance(self.page, str) else self.page.data)


class Reply(NamedTuple):
    """The answer to a job."""

    body: bytes
    media_type: str
    words: int | None = None
    tokens: int | None = None
    seconds: float = 0.0


# The first page loads all that is lazy, so no page's deadline pays for it.
WARM_UP = Job(
    "<html lang=en><h1>Warm up</h1><p>A first page, for all that is lazy.</p></html>",
    None,
    PageOptions(formats=["text", "markdown", "html"]),
)


@dataclass(frozen=True)
class PageTask:
    """A unit of work is one job; the answer is a reply of at most `most` bytes, or a problem."""

    most: int

    def start(self) -> None:
        """Answer a first page. A process that replaces another does so, too."""
        _extract(WARM_UP)

    def read(self, work: tuple[Job], lost: Mapping[int, Failure]) -> Iterator[Job]:
        """The job."""
        return iter(work)

    def size(self, item: Job) -> int:
        """Of no use: nothing is read ahead."""
        return 0

    def place(self, item: Job) -> int:
        """Of no use: there is no progress to show."""
        return 0

    def answer(self, item: Job, guard: Guard) -> Reply | Problem:
        """The answer to a job. No error of a page leaves it, but those that end a worker do."""
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
        """What ended the work on the job."""
        return problem_of_failure(failure)


def extracted(job: Job) -> Page:
    """The page of a job, extracted as its options say. Raises TamisError."""
    wanted = job.options
    page = extract(job.page, url=job.url, extractor=wanted.extractor, **wanted.part(ContentOptions))
    if wanted.threshold is None:
        return page
    labels = page.labels.at(wanted.threshold, page.document)
    return replace(page, labels=labels.with_comments(page.document) if wanted.include_comments else labels)


def as_dict(page: Page, options: PageOptions) -> dict[str, object]:
    """A page as the answer of /v1/extract."""
    sure = page.page_type_confidence
    return {
        "url": page.url,
        "extractor": page.extractor,
        "source": page.source,
        "title": page.title,
        "page_type": None if page.page_type is None else str(page.page_type),
        "page_type_confidence": None if sure is None else round(sure, 4),
        "threshold": round(float(page.labels.threshold), 4),
        "words": page.words,
        "tokens": page.tokens,
        **{name: _WRITERS[name](page, options) for name in dict.fromkeys(options.formats)},
        **({"metadata": page.metadata.as_dict()} if options.metadata else {}),
        **({"blocks": [block.as_dict() for block in page.blocks]} if options.blocks else {}),
    }


_WRITERS: dict[str, Callable[[Page, PageOptions], object]] = {
    "text": lambda page, options: page.text,
    "markdown": lambda page, options: page.markdown,
    "html": lambda page, options: page.html,
    "xml": lambda page, options: page.xml,
    "tei": lambda page, options: page.tei,
    "highlighted": lambda page, options: page.highlighted,
    "annotated": lambda page, options: annotate(page.document, page.labels, page.blocks),
    "comments": lambda page, options: [comment.as_dict() for comment in page.comments],
    "media": lambda page, options: [medium.as_dict() for medium in page.media],
    "structured_data": lambda page, options: page.structured_data,
    "chunks": lambda page, options: [
        chunk.as_dict() for chunk in page.chunks(chunk_tokens=options.chunk_tokens, chunk_overlap=options.overlap)
    ],
}


def _extract(job: Job) -> Reply:
    page = extracted(job)
    return Reply(_encoded(as_dict(page, job.options)), JSON, page.words, page.tokens)


def _line(job: Job) -> Reply:
    """The page as a line of a batch. It is written here, so that the server needs no copy."""
    reply = _extract(job)
    return reply._replace(body=b'{"index": %d, "status": 200, %s\n' % (job.number, reply.body[1:]))


def _explain(job: Job) -> Reply:
    found = explain(job.page, url=job.url, extractor=job.options.extractor)
    sure = found.page_type_confidence
    return Reply(
        _encoded(
            {
                "url": found.url,
                "extractor": found.extractor,
                "title": found.title,
                "page_type": None if found.page_type is None else str(found.page_type),
                "page_type_confidence": None if sure is None else round(sure, 4),
                "threshold": round(float(found.threshold), 4),
                "remark": found.remark,
                "blocks": [_explained(block) for block in found.blocks],
            }
        ),
        JSON,
    )


def _explained(block: ExplainedBlock) -> dict[str, object]:
    return {
        "text": block.text,
        "score": round(block.score, 4),
        "keep": block.kept,
        "role": block.role.value,
        "xpath": block.xpath,
        "kind": block.kind,
        "note": block.note,
        "usual": None if block.usual is None else round(block.usual, 4),
        "reasons": [
            {
                "group": reason.group.value,
                "words": reason.words,
                "effect": round(reason.effect, 4),
                "without": round(reason.without, 4),
            }
            for reason in block.reasons
        ],
    }


def _reading(job: Job) -> Reply:
    """The content in the first of the formats, which is Markdown, text or HTML, and the places of headings and blocks.

    They are written from clean texts: without what has no shape, Markdown might be other markup.
    """
    found, form = extracted(job), job.options.formats[0]
    page = replace(found, options=replace(found.options, cleaned=clean))
    text = str(_WRITERS[form](page, job.options))
    blocks = [] if form == "html" else markdown_blocks(page.document, page.labels, page.options)
    reading = {
        "url": page.url,
        "title": page.title,
        "source": page.source,
        "page_type": None if page.page_type is None else str(page.page_type),
        "text": text,
        "headings": _html_headings(text) if form == "html" else _headings(page, blocks, in_text=form == "text"),
        "blocks": list(accumulate((len(block.text) + 2 for block in blocks[:-1]), initial=0)),
    }
    return Reply(_encoded(reading), JSON, page.words, page.tokens)


_HTML_HEADING = re.compile(r"<h([1-6])(?: [^<>]*)?>(.*?)</h\1>", re.DOTALL)
_TAG = re.compile(r"<[^<>]*>")


def _headings(page: Page, blocks: list[Block], *, in_text: bool) -> list[tuple[int, str, int]]:
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

    def start(row: int) -> int | None:
        first = int(rows.searchsorted(row))
        if row < 0 or first == len(written) or rows[first] >= document.elements.end[row]:
            return None
        return before[first] - cut + len(written[first]) - len(written[first].lstrip())

    return start


def _html_headings(text: str) -> list[tuple[int, str, int]]:
    return [
        (int(found[1]), " ".join(html.unescape(_TAG.sub("", found[2])).split()), found.start())
        for found in _HTML_HEADING.finditer(text)
    ]


def _markdown(job: Job) -> Reply:
    page = extracted(job)
    return _written(page, page.markdown, "text/markdown")


def _text(job: Job) -> Reply:
    page = extracted(job)
    return _written(page, page.text, "text/plain")


_STYLE = """
:root { color-scheme: light dark; } body { font: 1.1rem/1.6 serif; max-width: 42rem; margin: 2rem auto; padding: 1rem }
img { max-width: 100% } pre { overflow-x: auto } table { border-collapse: collapse } td, th { padding: .2rem .6rem }
"""


def _page(job: Job) -> Reply:
    """A whole HTML page, to be read in a browser."""
    page = extracted(job)
    title = html.escape(page.title or page.url or "")
    language = html.escape(page.metadata.language or "")
    source = html.escape(page.url or "", quote=True)
    whole = (
        f'<!doctype html>\n<html lang="{language}"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width"><title>{title}</title><style>{_STYLE}</style></head>'
        f'<body><main>{page.html}</main><footer><p><a href="{source}">{source}</a></p></footer></body></html>\n'
    )
    return _written(page, whole, "text/html")


def _written(page: Page, output: str, media_type: str) -> Reply:
    return Reply(output.encode("utf-8", "replace"), f"{media_type}; charset=utf-8", page.words, page.tokens)


def _encoded(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")


_FORMS: dict[Form, Callable[[Job], Reply]] = {
    "extract": _extract,
    "line": _line,
    "explain": _explain,
    "reading": _reading,
    "text/markdown": _markdown,
    "text/html": _page,
    "application/json": _extract,
    "text/plain": _text,
}
