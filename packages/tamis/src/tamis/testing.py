"""The contract of every extractor as a public test suite.

`check_extractor(mine)` runs all checks on your extractor. With pytest, write one test for each check:

    @pytest.mark.parametrize("check", tamis.testing.CHECKS, ids=lambda check: check.__name__)
    def test_contract(check):
        check(mine, tamis.testing.PAGES)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from tamis.api import extract
from tamis.document import Document
from tamis.errors import OptionError, TamisError
from tamis.labels import Labels, Role
from tamis.protocol import Extractor, prepared_by

Html = str | bytes
Check = Callable[[Extractor, Sequence[Html]], None]


class ContractError(TamisError, AssertionError):
    """An extractor breaks the contract; the message says which rule, and on which page."""


_WORDS = "The old bridge was closed for two years, and now carries traffic again. " * 6

# Small pages of several kinds.
PAGES: tuple[Html, ...] = (
    f"""<title>A bridge reopens</title><nav><a href=/>Home</a></nav><article><h1>A bridge reopens</h1><p>{_WORDS}</p>
    <figure><img src=a.png><figcaption>The bridge</figcaption></figure></article><footer>Imprint</footer>""",
    f"<ul>{''.join(f'<li><a href=/{number}>Story {number}</a> in a few words' for number in range(30))}</ul>",
    f"<table><tr><th>Year<th>Boats</tr>{'<tr><td>2025<td>1,200</tr>' * 9}</table><p>{_WORDS}",
    f"<h1>How to</h1><p>{_WORDS}<pre>import tamis</pre><div class=comment><p>Thanks, that helped me a lot.</div>",
    "<p>一座旧桥重新开放，车辆可以通行。</p><p>Мост снова открыт для движения.</p>",
    "Just a line of text without any markup at all, long enough to be a sentence.",
    b"<p>caf\xe9 latte, \xff and more</p>",
)

# Pages without any text.
EMPTY_PAGES: tuple[Html, ...] = ("", " \n\t ", "<html></html>", "<!-- nothing -->", b"", "<script>var a;</script>")

# Pages that try to crash or stall a program; their length grows with the size.
HOSTILE_PAGES: dict[str, Callable[[int], Html]] = {
    "nested divs": lambda size: "<div>" * size + "text",
    "nested divs with text": lambda size: "<div>some words here " * size,
    "nested inline tags": lambda size: "<b><i><span>x " * (size // 3),
    "nested tables": lambda size: "<table><tr><td>x" * (size // 4),
    "tables at the parser's limit": lambda size: "<div>" * 507 + "<table><td></table><tt><p></tt>" + "x" * size,
    "cells at the parser's limit": lambda size: (
        "<div>" * 3 + "<table><td>" * 127 + "</table><a><blockquote></a>" * size
    ),
    "drawings at the parser's limit": lambda size: "<svg><foreignObject>" * 253 + "<div><table><td></table><b><li></b>",
    "nested lists": lambda size: "<ul><li>x" * (size // 2),
    "nested links": lambda size: "<a href=x><div>y" * (size // 2),
    "many attributes": lambda size: "<p " + " ".join(f"a{number}=1" for number in range(size)) + ">text</p>",
    "huge attribute": lambda size: '<p title="' + "a" * (size * 95) + '">text</p>',
    "NULs": lambda size: "\0" * size + "<p>te\0xt</p>",
    "lone surrogates": lambda size: "<p>" + "\ud800 a \udfff" * size,
    "only openings": lambda size: "<" * size,
    "only ampersands": lambda size: "&" * size,
    "entities": lambda size: "&amp;&lt;&#x1F600;&bogus;&#xD800;" * size,
    "unclosed comment": lambda size: "<p>text</p><!--" + "-" * size,
    "unclosed script": lambda size: "<p>text</p><script>" + "<p>no" * size,
    "one long word": lambda size: "<p>" + "x" * (size * 20),
    "many siblings": lambda size: "<p>word</p>" * size,
    "formatting that is opened again": lambda size: "".join(f"<b a={number}><p>" for number in range(size // 10)),
    "mis-nested formatting": lambda size: "<b><p><i></b>text" * (size // 4),
    "entity bomb": lambda size: f'<!DOCTYPE x [<!ENTITY a "{"b" * size}"><!ENTITY c "&a;&a;&a;">]><p>&c;&c; text</p>',
    "many cells": lambda size: "<table><tr>" + "<td rowspan=9999999 colspan=9999999>x" * (size // 2),
    "random bytes": lambda size: bytes(range(256)).decode("latin-1") * (size // 50),
    "no page at all": lambda size: "\n%PDF-1.7\n\0\xff\xfe" + "\x89PNG\r\n\x1a\n" * (size // 60) + "\xff" * size,
}
_HOSTILE_SIZE = 3_000

_FOLDED = """<title>t</title><p>shown words</p><div hidden class=tab><p>folded words</p><img src=x></div>
    <p style="display:none">never</p><template>never</template><video>fallback</video><p>end</p>"""
_BALANCES: tuple[dict[str, Any], ...] = ({"favor_precision": True}, {}, {"favor_recall": True})


def check_extractor(extractor: Extractor, pages: Iterable[Html] = ()) -> None:
    """Run every check on PAGES and your own `pages`. Raises ContractError, or OptionError without a label method."""
    if isinstance(extractor, type) or not callable(getattr(extractor, "label", None)):
        raise OptionError(f"an extractor is an object with a label method, not {extractor!r}")
    for check in CHECKS:
        check(extractor, (*PAGES, *pages))


def labels_fit_the_document(extractor: Extractor, pages: Sequence[Html]) -> None:
    """Each leaf has a score from 0 to 1 and a flag; no invisible leaf has a score or is kept."""
    for page in pages:
        document = Document.from_html(page)
        _check_labels(page, document, extractor)
        _check_labels(page, prepared_by(extractor, document), extractor)


def labels_are_deterministic(extractor: Extractor, pages: Sequence[Html]) -> None:
    """The same page gets the same labels."""
    for page in pages:
        first, second = (extractor.label(Document.from_html(page)) for _ in range(2))
        _require(_same(first, second), page, "the same page gets different labels")


def str_bytes_and_document_agree(extractor: Extractor, pages: Sequence[Html]) -> None:
    """The content is the same for text, UTF-8 bytes and a Document."""
    for page in pages:
        document = Document.from_html(page)
        inputs: tuple[Html | Document, ...] = (document, document.html, document.html.encode())
        texts = {extract(each, extractor=extractor).text for each in inputs}
        _require(len(texts) == 1, page, "str, bytes and Document give different texts")


def documents_are_not_changed(extractor: Extractor, pages: Sequence[Html]) -> None:
    """Reading and labelling do not change the document."""
    for page in (*pages, _FOLDED):
        document, untouched = Document.from_html(page), Document.from_html(page)
        extractor.label(prepared_by(extractor, document))
        for name in ("text", "element", "is_media", "visible", "folded"):
            same = np.array_equal(getattr(document.leaves, name), getattr(untouched.leaves, name))
            _require(same, page, f"the column leaves.{name} was changed")
        same = np.array_equal(document.elements.code, untouched.elements.code) and document.html == untouched.html
        _require(same, page, "the elements or the source were changed")


def invisible_text_is_never_kept(extractor: Extractor, _: Sequence[Html]) -> None:
    """Hidden words, templates, fallbacks and the title element are never kept, with any options."""
    for options in (*_BALANCES, {"include_comments": True}):
        page = extract(_FOLDED, extractor=extractor, **options)
        invisible = ~page.document.leaves.visible
        _require(not page.labels.keep[invisible].any(), _FOLDED, f"{options} keeps invisible leaves")
        _require(not {"never", "fallback", "t"} & set(page.text.split()), _FOLDED, f"{options} renders invisible text")


def favor_options_are_ordered(extractor: Extractor, pages: Sequence[Html]) -> None:
    """`favor_precision` keeps no more than the default, `favor_recall` no less."""
    for page in pages:
        precise, usual, complete = (extract(page, extractor=extractor, **options) for options in _BALANCES)
        texts = usual.document.leaves.visible_text
        least, kept, most = (each.labels.keep[texts] for each in (precise, usual, complete))
        _require(bool(least.sum() <= kept.sum() <= most.sum()), page, "the favor_ options keep too much or too little")
        if np.array_equal(kept, usual.labels.scores[texts] >= usual.labels.threshold):  # scores alone decide
            nested = not (least & ~kept).any() and not (kept & ~most).any()
            _require(nested, page, "a text is kept with favor_precision and dropped with favor_recall")


def empty_pages_have_no_content(extractor: Extractor, _: Sequence[Html]) -> None:
    """A page without text gives an empty text and no error."""
    for page in EMPTY_PAGES:
        _check_labels(page, Document.from_html(page), extractor)
        _require(extract(page, extractor=extractor).text == "", page, "an empty page has content")


def hostile_pages_end_in_a_result(extractor: Extractor, _: Sequence[Html]) -> None:
    """Broken and malicious markup gives a result in every format."""
    for kind, make in HOSTILE_PAGES.items():
        html = make(_HOSTILE_SIZE)
        _check_labels(kind, Document.from_html(html), extractor)
        page = extract(html, extractor=extractor)
        _require(isinstance(page.text + page.markdown + page.html + page.json, str), kind, "an output is not text")


def threads_do_not_interfere(extractor: Extractor, pages: Sequence[Html]) -> None:
    """Many threads give the same results as one, also on one shared document."""
    expected = [extract(page, extractor=extractor).text for page in pages]
    shared = Document.from_html(pages[0])
    labels = extractor.label(Document.from_html(pages[0]))
    with ThreadPoolExecutor(8) as pool:
        jobs = [pool.submit(extract, page, extractor=extractor) for _ in range(4) for page in pages]
        _require([job.result().text for job in jobs] == expected * 4, pages[0], "threads give different texts")
        for other in pool.map(lambda _: extractor.label(shared), range(16)):
            _require(_same(other, labels), pages[0], "threads that share a document give different labels")


CHECKS: tuple[Check, ...] = (
    labels_fit_the_document,
    labels_are_deterministic,
    str_bytes_and_document_agree,
    documents_are_not_changed,
    invisible_text_is_never_kept,
    favor_options_are_ordered,
    empty_pages_have_no_content,
    hostile_pages_end_in_a_result,
    threads_do_not_interfere,
)


def _check_labels(page: Html, document: Document, extractor: Extractor) -> None:
    labels, leaves = extractor.label(document), document.leaves
    _require(isinstance(labels, Labels), page, f"label returns {type(labels).__name__}, not Labels")
    scores, keep, count = labels.scores, labels.keep, len(leaves)
    are_arrays = isinstance(scores, np.ndarray) and isinstance(keep, np.ndarray)
    _require(are_arrays and scores.dtype.kind == "f", page, "scores and keep flags must be arrays of floats and bools")
    shapes = f"{count} leaves have {scores.shape} scores and {keep.shape} flags"
    _require(scores.shape == keep.shape == (count,), page, shapes)
    _require(keep.dtype == np.bool_, page, f"keep flags are {keep.dtype}, not bool")
    _require(bool(((scores >= 0) & (scores <= 1)).all()), page, "a score is not from 0 to 1")
    invisible_kept = keep[~leaves.visible].any() or scores[~leaves.visible].any()
    _require(not invisible_kept, page, "an invisible leaf has a score or is kept")
    _require(0 < labels.threshold < 1, page, f"the threshold is {labels.threshold}")
    _require(labels.roles is None or len(labels.roles) == count, page, "there must be one role for each leaf")
    _require(all(isinstance(labels.role(leaf), Role) for leaf in range(min(count, 100))), page, "a role is not a Role")
    media = leaves.is_media
    fits = labels.nodes is not None or np.array_equal(scores[media], keep[media])  # with nodes, media have own scores
    _require(fits, page, "the score of a medium is not 1 if kept and 0 if not")


def _same(first: Labels, second: Labels) -> bool:
    arrays = np.array_equal(first.scores, second.scores) and np.array_equal(first.keep, second.keep)
    return arrays and first.roles == second.roles


def _require(condition: bool, page: Html, message: str) -> None:
    if not condition:
        raise ContractError(f"{message} (page: {page[:80]!r})")
