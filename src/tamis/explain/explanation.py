"""Why each block of a page was kept or dropped."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from tamis import registry
from tamis.api import extract
from tamis.arrays import Floats
from tamis.document import Document
from tamis.document.paths import Paths
from tamis.document.table import PAGE
from tamis.explain.effects import Effects, effects
from tamis.explain.facts import Facts
from tamis.explain.groups import Group
from tamis.extractor.runs import COLUMNS, PageRuns
from tamis.extractor.tamis import Tamis, probability
from tamis.labels import THRESHOLD, Role
from tamis.page import Page
from tamis.page_type import PageType
from tamis.protocol import Extractor
from tamis.render.json import Block, blocks

# A score nearer to the threshold than this is a close call.
CLOSE = 0.25

# Of a longer page there are no reasons: they would take longer than people wait (10,000 runs take some 3 s).
_MOST_RUNS = 30_000

# A score further than this from the network's own was changed by what comes after the network.
_CHANGED = 0.02

# Of equal texts the likeliest alone may stay; what is said of the others.
_STAYS = "the same text stays elsewhere on the page"
_LIKELIER = "the same text stands elsewhere on the page, where it is likelier to be content"


@dataclass(frozen=True)
class Reason:
    """What one group of columns did to the score of a block."""

    group: Group
    effect: float  # in log-odds: above 0 it speaks for keeping; +0.7 doubles the odds
    without: float  # the score if this group were as on an ordinary run of the page
    words: str  # what the group says of the block


@dataclass(frozen=True)
class ExplainedBlock:
    """A run of text, what became of it, and why."""

    text: str
    score: float
    kept: bool
    role: Role
    xpath: str
    reasons: tuple[Reason, ...] = ()  # strongest first; empty where the extractor can't tell
    start: float | None = None  # log-odds of an ordinary run; with all effects added, those of the block
    note: str = ""  # where something after the network had the last word
    threshold: float = THRESHOLD  # the score from which on blocks are kept

    @property
    def close(self) -> bool:
        """Was it a close call?"""
        return abs(self.score - self.threshold) < CLOSE

    @property
    def turning(self) -> tuple[Reason, ...]:
        """The reasons without any one of which the verdict would be the other."""
        # Where the last word was not the network's, the network's reasons turn nothing.
        if self.note:
            return ()
        return tuple(reason for reason in self.reasons if (reason.without >= self.threshold) != self.kept)


@dataclass(frozen=True)
class Explanation:
    """A page, block by block in document order."""

    blocks: tuple[ExplainedBlock, ...] = field(repr=False)
    extractor: str
    remark: str  # one line on why there are no reasons; empty where there are
    page_type: PageType | None  # it sets the score that a block needs
    page_type_confidence: float | None
    title: str | None
    url: str | None
    threshold: float = THRESHOLD
    _document: Document | None = field(default=None, repr=False, compare=False)

    @cached_property
    def html(self) -> str:
        """A page of its own that shows all of it; nothing is loaded from elsewhere."""
        from tamis.explain.html import to_html

        return to_html(self)

    def find(self, words: str) -> list[ExplainedBlock]:
        """The blocks that hold these words, in any case and with any white space between them."""
        wanted = _folded(words)
        return [block for block in self.blocks if wanted in _folded(block.text)] if wanted else []

    def hidden(self, words: str) -> list[str]:
        """The XPaths of texts that hold these words and that a browser does not show."""
        wanted, document = _folded(words), self._document
        if not wanted or document is None:
            return []
        unseen = np.flatnonzero(~document.leaves.visible & ~document.leaves.is_media).tolist()
        found = [leaf for leaf in unseen if wanted in _folded(document.leaves.text[leaf])]
        paths = Paths(document) if found else None
        return [paths.xpath(leaf) for leaf in found] if paths else []


def explain(
    html: str | bytes,
    *,
    url: str | None = None,
    encoding: str | None = None,
    extractor: str | Extractor = registry.DEFAULT,
) -> Explanation:
    """Extract a page and say of each block why it was kept or dropped.

    Takes what `tamis.extract` takes. Reasons are given for `tamis`, whose network looks at named columns; of every
    other extractor there are scores, verdicts and roles. Raises what `tamis.extract` raises.
    """
    page = extract(html, url=url, encoding=encoding, extractor=extractor)
    chosen = registry.get(extractor) if isinstance(extractor, str) else extractor
    remark, found = "", []
    if not isinstance(chosen, Tamis):
        remark = f"{page.extractor} does not say why; the extractor tamis does"
    elif page.source != PAGE:
        remark = f"the page shows next to nothing; this was found in its data ({page.source}) and kept as it is"
    elif len(runs := PageRuns(page.document)) > _MOST_RUNS:
        remark = f"the page has more than {_MOST_RUNS:,} runs of text, too many for reasons"
    else:
        found = _explained(page, chosen, runs)
    return Explanation(
        blocks=tuple(_bare(page) if remark else found),
        extractor=page.extractor,
        remark=remark,
        page_type=page.page_type,
        page_type_confidence=page.page_type_confidence,
        title=page.title,
        url=page.url,
        threshold=page.labels.threshold,
        _document=page.document,
    )


def _bare(page: Page) -> list[ExplainedBlock]:
    """The blocks without reasons."""
    cut = page.labels.threshold
    return [
        ExplainedBlock(block.text, block.score, block.keep, block.role, block.xpath, threshold=cut)
        for block in page.blocks
    ]


def _explained(page: Page, extractor: Tamis, runs: PageRuns) -> list[ExplainedBlock]:
    """The blocks with the reasons of the runs that they are."""
    if not len(runs):
        return []
    why = effects(extractor.network.run, runs.values, runs.tags, COLUMNS)
    facts = Facts(runs)
    run_of = np.repeat(np.arange(len(runs)), np.diff(runs.first, append=len(runs.texts)))
    run_of_leaf = dict(zip(runs.texts.tolist(), run_of.tolist(), strict=True))
    reasons = [_reasons(why, facts, run) for run in range(len(runs))]
    likely = probability(why.log_odds)
    copies = _copy_notes(page, runs, likely)
    found: list[ExplainedBlock] = []
    for parts in _by_run(blocks(runs.document, page.labels), run_of_leaf):
        run, first = run_of_leaf[parts[0].leaves[0]], parts[0]
        score = float(np.mean(page.labels.scores[[leaf for block in parts for leaf in block.leaves]]))
        found.append(
            ExplainedBlock(
                text="\n".join(block.text for block in parts),
                score=score,
                kept=first.keep,
                role=first.role,
                xpath=first.xpath,
                reasons=reasons[run],
                start=float(why.start[run]),
                note=copies.get(run) or _note(score, float(likely[run]), page.labels.threshold, kept=first.keep),
                threshold=page.labels.threshold,
            )
        )
    return found


def _by_run(found: list[Block], run_of_leaf: dict[int, int]) -> list[list[Block]]:
    """Neighbouring blocks of one run, such as lines of a poem: the network sees them as one."""
    groups: list[list[Block]] = []
    for block in found:
        key = (run_of_leaf[block.leaves[0]], block.keep, block.role)
        last = groups[-1][-1] if groups else None
        if last and (run_of_leaf[last.leaves[0]], last.keep, last.role) == key:
            groups[-1].append(block)
        else:
            groups.append([block])
    return groups


def _reasons(why: Effects, facts: Facts, run: int) -> tuple[Reason, ...]:
    effect, without = why.effects[run], probability(why.without[run])
    return tuple(
        Reason(why.groups[number], float(effect[number]), float(without[number]), facts.words(why.groups[number], run))
        for number in np.argsort(-np.abs(effect), kind="stable").tolist()
    )


def _copy_notes(page: Page, runs: PageRuns, likely: Floats) -> dict[int, str]:
    """What to add to runs that went because the same text stands elsewhere on the page, where it is likelier."""
    first_of = runs.copies
    begin = runs.texts[runs.first]
    scores, keep = page.labels.scores[begin], page.labels.keep[begin]
    best = np.zeros(len(runs))  # of each first run, the score of the likeliest with its text
    np.maximum.at(best, first_of, scores)
    stays = np.zeros(len(runs), dtype=np.bool_)
    np.logical_or.at(stays, first_of, keep)
    lost = np.flatnonzero((scores < best[first_of]) & (scores < likely / 2))
    return {run: _STAYS if stays[first_of[run]] else _LIKELIER for run in lost.tolist()}


def _note(score: float, likely: float, threshold: float, *, kept: bool) -> str:
    """What to add where labels are not what the network said."""
    if abs(score - likely) > _CHANGED:
        return f"the network alone gives {likely:.2f}; what comes after it changed that"
    if kept != (score >= threshold):
        return f"a rule after the network {'kept' if kept else 'dropped'} it whatever its score"
    return ""


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
