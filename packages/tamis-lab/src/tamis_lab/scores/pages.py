"""One page: extracted with default options and scored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import tamis
from tamis import Page, registry
from tamis.errors import MissingExtra, WeightsError
from tamis.protocol import Extractor
from tamis_lab import metrics
from tamis_lab.bench import contestants
from tamis_lab.bench.peers import Contestant
from tamis_lab.bench.runner import describe
from tamis_lab.bench.structure.scores import Counts, compare, read_output
from tamis_lab.corpora.page import CorpusPage
from tamis_lab.scores import sets
from tamis_lab.scores.comments import Words, measured
from tamis_lab.scores.gold import Gold, kept, without_json_ld
from tamis_lab.scores.structures import Headings, Structure, headings, judged


@dataclass
class PageScores:
    """The scores of one page; what it has no gold for, or what the extractor does not tell, is None or empty."""

    set: str
    id: str
    type: str | None = None
    error: str = ""  # of an extractor that failed, which scores nothing
    predicted: str | None = None  # type
    reachable: float | None = None  # the share of the gold's words that `keep-all` has
    precision: float | None = None
    recall: float | None = None
    f1: float | None = None
    f1_with_comments: float | None = None
    lines: tuple[int, int] | None = None  # of a recipe: kept, and all
    bare_lines: tuple[int, int] | None = None  # of the page without JSON-LD
    comments: Words | None = None
    headings: Headings | None = None
    structures: list[tuple[Structure, int]] = field(default_factory=list)
    elements: dict[str, Counts] = field(default_factory=dict)  # by kind


class System(NamedTuple):
    """What is measured: an extractor for each page, or another library, which gives text alone."""

    extractor: Callable[[bytes, str | None], Extractor] | None
    peer: Contestant | None = None


def load(name: str, *, folds: bool = False) -> System:
    """An extractor by its name, NAME=FOLDER or the path of its weights, or a peer.

    With `folds` each page is for the network in the folder that has not seen its site. Raises OptionError, WeightsError
    and MissingExtra.
    """
    if folds:
        return System(contestants.extractor_of(name))
    if contestants.is_trained(name) or name in registry.extractors():
        found = registry.get(name)
        return System(lambda html, url: found)
    return System(None, contestants.load(name))


def measure(name: str, page: CorpusPage, gold: Gold, system: System) -> PageScores:
    """The scores of one page of a set. A system that fails scores nothing, and is not asked again."""
    kind = page.page_type or sets.TYPE_OF_ALL.get(name)
    scores = PageScores(name, page.id, kind and str(kind), reachable=gold.reachable)
    try:
        _fill(scores, page, gold, system)
    except (MissingExtra, WeightsError):
        raise  # of the system, not of the page
    except Exception as error:  # a library may raise anything
        scores.error = describe(error)
        if page.lines:
            scores.lines, scores.bare_lines = (0, len(gold.lines)), (0, len(gold.bare_lines))
        elif page.gold_text is not None:
            scores.precision = scores.recall = scores.f1 = 0.0
    return scores


def _fill(scores: PageScores, page: CorpusPage, gold: Gold, system: System) -> None:
    text, found = _extracted(page, page.html, system)
    if page.lines:
        bare, _ = _extracted(page, without_json_ld(page.html), system)
        scores.lines = kept(gold.lines, text), len(gold.lines)
        scores.bare_lines = kept(gold.bare_lines, bare), len(gold.bare_lines)
    elif page.gold_text is not None:
        scores.precision, scores.recall, scores.f1 = metrics.token_bag(text, page.gold_text)
    if found:
        _fill_more(scores, page, gold, found)


def _extracted(page: CorpusPage, html: bytes, system: System) -> tuple[str, Page | None]:
    """The text of a page, whose markup may be changed, and what tamis made of it."""
    if system.peer:
        return system.peer(html, page.url), None
    assert system.extractor  # noqa: S101 a system is one of both
    found = tamis.extract(html, url=page.url, extractor=system.extractor(page.html, page.url))
    return found.text, found


def _fill_more(scores: PageScores, page: CorpusPage, gold: Gold, found: Page) -> None:
    """What only a page of tamis tells."""
    scores.predicted = found.page_type and str(found.page_type)
    scores.headings = headings(found.document, found.labels.keep)
    if gold.is_comment is not None:
        scores.comments = measured(gold.is_comment, found)
    if scores.set in sets.COMMENTS_IN_GOLD:
        labels = found.labels.with_comments(found.document)
        text = Page(found.document, labels, found.extractor, found.original).text
        scores.f1_with_comments = metrics.token_bag(text, page.gold_text or "").f1
    # Where lengths differ, the text was found in the page's data.
    if gold.content is not None and len(gold.content) == len(found.document.leaves) and not page.lines:
        judgements = judged(found.document, gold.content, found.labels.keep)
        scores.structures = list(Counter(judgements).items())
    if gold.reading and gold.wanted:
        output = read_output(found.markdown, page.url, gold.reading, is_html=False)
        scores.elements = compare(gold.wanted, output, gold.reading, found.markdown).counts
