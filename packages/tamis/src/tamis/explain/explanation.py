"""Why each block of a page was kept or dropped."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby

import numpy as np

from tamis import registry
from tamis.api import extract
from tamis.arrays import Floats
from tamis.cached import cached_property
from tamis.document import Document
from tamis.document.paths import Paths
from tamis.document.table import PAGE
from tamis.explain.effects import Effects, Group, RunRows, group_effects, typical_page
from tamis.explain.facts import Facts
from tamis.extractor.runs import COLUMNS, PageRuns
from tamis.extractor.tamis import Tamis
from tamis.inputs import PageInput
from tamis.labels import THRESHOLD, Role
from tamis.page import Page
from tamis.page_type import PageState, PageType
from tamis.protocol import Extractor
from tamis.worth.confidence import doubts

# A score nearer to the threshold than this is a close call.
CLOSE = 0.25

# A score nearer to that of the typical block than this is usual, if the verdict is the same.
USUAL = 0.15
# A block is not usual if a single reason of this size, in log-odds, decides the verdict: others only make up for it.
STRONG = 1.5

# Longer pages get no reasons: computing them would take too long (10,000 runs take about 5 s).
_MOST_RUNS = 30_000

# If the score differs by more from the network's own, a rule after the network has changed it.
CHANGED = 0.02
# The score of text that a rule drops is below this.
_NEVER = 1e-9

# Notes on copies: of blocks with the same text only the most likely one can be kept.
_KEPT_ELSEWHERE = "the same text is kept elsewhere on the page"
_LIKELIER_ELSEWHERE = "the same text is elsewhere on the page, where it is more likely to be content"
# Why most scores change after the network.
_WHOLE = ": lists, tables and the like stay or go whole"
# A note on lines that are dropped whatever the network says.
_NOISE = "short lines such as counters, share buttons and credits are not content"
# A note on a footnote.
_NOTE_STAYS = "a note stays with the text that refers to it"
# A note on a small page without content.
_EMPTY_PAGE = "the page has no content: apart from links, fields, footers and folded texts it shows next to nothing"
# Notes on roles that are never content.
_NO_CONTENT = {
    Role.COMMENT: "readers' comments are not content",
    Role.TITLE: "the headline is part of the metadata, not of the content",
}


@dataclass(frozen=True)
class Reason:
    """The effect of one group of columns on the score of a block."""

    group: Group
    effect: float  # in log-odds: above 0 it is a reason to keep the block; +0.7 doubles the odds
    without: float  # the score if only this group were typical
    words: str  # the facts that the group shows about the block


@dataclass(frozen=True)
class ExplainedBlock:
    """A block of text with its verdict and the reasons for it."""

    text: str
    score: float
    kept: bool
    role: Role
    xpath: str
    reasons: tuple[Reason, ...] = ()  # strongest first; empty if the extractor gives none
    kind: str = ""  # such as "paragraph in an <article>"
    start: float | None = None  # log-odds of a typical block of this kind; with all effects added, those of the block
    note: str = ""  # set if a rule after the network changed the score or the verdict
    settled: bool = False  # does the note alone decide, whatever the network says?
    parts: int = 1  # the network scores each part (run) by itself; the score is the mean over their texts
    part: str = ""  # if there are several, the text of the part with most words, which reasons, kind and note are about
    threshold: float = THRESHOLD  # the score from which blocks are kept

    @property
    def verdict(self) -> str:
        """Kept or dropped."""
        return "kept" if self.kept else "dropped"

    @property
    def close(self) -> bool:
        """Is the score near the threshold?"""
        return abs(self.score - self.threshold) < CLOSE

    @cached_property
    def usual(self) -> float | None:
        """The score of a typical block of this kind, in its place; None without reasons."""
        return None if self.start is None else float(_probability_of_log_odds(np.array(self.start)))

    @cached_property
    def network(self) -> float | None:
        """The network's own score, of `part` if set: the typical one with all effects added; None without reasons."""
        if self.start is None:
            return None
        return float(_probability_of_log_odds(np.array(self.start + sum(each.effect for each in self.reasons))))

    @cached_property
    def as_usual(self) -> bool:
        """Does the network score and judge it like a typical block of its kind, without a strong deciding reason?"""
        if self.usual is None or self.network is None:
            return False
        same = (self.usual >= self.threshold) == (self.network >= self.threshold)
        strong = [reason for reason in self.turning if (reason.effect if self.kept else -reason.effect) >= STRONG]
        return same and abs(self.usual - self.network) < USUAL and not strong

    @property
    def turning(self) -> tuple[Reason, ...]:
        """The reasons that alone would change the verdict if their group were typical."""
        if self.note:  # the verdict is not the network's
            return ()
        return tuple(reason for reason in self.reasons if (reason.without >= self.threshold) != self.kept)


@dataclass(frozen=True)
class Explanation:
    """A page, block by block in document order."""

    blocks: tuple[ExplainedBlock, ...] = field(repr=False)
    extractor: str
    remark: str  # one line: why reasons are missing; empty if they are given
    page_type: PageType | None  # the threshold depends on it
    page_type_confidence: float | None
    title: str | None
    url: str | None
    threshold: float = THRESHOLD
    state: PageState = PageState.CONTENT
    state_probability: float = 1.0
    state_evidence: tuple[str, ...] = ()  # what speaks for the state, in words
    confidence: float | None = None
    doubts: tuple[tuple[str, float], ...] = ()  # columns that lower the confidence most, with effects in log odds
    _document: Document | None = field(default=None, repr=False, compare=False)

    @cached_property
    def html(self) -> str:
        """The explanation as one HTML page that loads nothing from elsewhere."""
        from tamis.explain.words import to_html

        return to_html(self)

    def find(self, words: str) -> list[ExplainedBlock]:
        """The blocks with these words; case and the white space between words do not matter."""
        wanted = _folded_words(words)
        return [block for block in self.blocks if wanted in _folded_words(block.text)] if wanted else []

    def hidden(self, words: str) -> list[str]:
        """The XPaths of texts with these words that a browser does not show."""
        wanted, document = _folded_words(words), self._document
        if not wanted or document is None:
            return []
        leaves = document.leaves
        unseen = np.flatnonzero(~leaves.visible & ~leaves.is_media).tolist()
        found = [leaf for leaf in unseen if wanted in _folded_words(leaves.text[leaf])]
        paths = Paths(document)
        return [paths.xpath(leaf) for leaf in found]


def explain(
    html: PageInput | Document,
    *,
    url: str | None = None,
    encoding: str | None = None,
    extractor: str | Extractor = registry.DEFAULT,
) -> Explanation:
    """Extract a page and explain for each block why it was kept or dropped.

    Arguments and errors are those of `tamis.extract`. Only the extractor `tamis` gives reasons, since its network
    has named columns; all others give scores, verdicts and roles.
    """
    page = extract(html, url=url, encoding=encoding, extractor=extractor)
    chosen = registry.get(extractor) if isinstance(extractor, str) else extractor
    remark, blocks = "", []
    if not isinstance(chosen, Tamis):
        remark = f"{page.extractor} gives no reasons; the extractor tamis does"
    elif page.source != PAGE:
        remark = f"the page shows almost no text; its content was found in its data ({page.source}) and kept whole"
    elif len(runs := PageRuns(page.document)) > _MOST_RUNS:
        remark = f"the page has more than {_MOST_RUNS:,} runs of text, too many for reasons"
    else:
        blocks = _with_reasons(page, chosen, runs)
    threshold = page.labels.threshold
    if remark:
        blocks = [
            ExplainedBlock(block.text, block.score, block.keep, block.role, block.xpath, threshold=threshold)
            for block in page.blocks
        ]
    return Explanation(
        blocks=tuple(blocks),
        extractor=page.extractor,
        remark=remark,
        page_type=page.page_type,
        page_type_confidence=page.page_type_confidence,
        title=page.title,
        url=page.url,
        threshold=threshold,
        state=page.state,
        state_probability=page.state_probability,
        state_evidence=page.state_evidence,
        confidence=page.confidence,
        doubts=doubts(page.document, page.labels),
        _document=page.document,
    )


def _with_reasons(page: Page, extractor: Tamis, runs: PageRuns) -> list[ExplainedBlock]:
    """The blocks of the page, each with the reasons of its run, or of its run with most words."""
    if not len(runs):
        return []
    real = RunRows(runs.values, runs.tags)
    kinds, typical = typical_page(real)
    why = group_effects(extractor.networks.of(runs), real, typical, COLUMNS)
    facts = Facts(runs, typical)
    run_of = np.repeat(np.arange(len(runs)), np.diff(runs.first, append=len(runs.texts)))
    run_of_leaf = dict(zip(runs.texts.tolist(), run_of.tolist(), strict=True))
    reasons = [_reasons_for(why, facts, run) for run in range(len(runs))]
    probabilities = _probability_of_log_odds(why.log_odds)
    copies = _notes_on_copies(page, runs, probabilities)
    is_empty = not page.labels.scores.any()
    explained: list[ExplainedBlock] = []
    # Neighbouring blocks of one run, such as the lines of a poem, belong together: the network sees them as one.
    for _, group in groupby(page.blocks, key=lambda block: (run_of_leaf[block.leaves[0]], block.keep, block.role)):
        parts = list(group)
        first, leaves = parts[0], [leaf for block in parts for leaf in block.leaves]
        held = sorted({run_of_leaf[leaf] for leaf in leaves})
        run = max(held, key=runs.words.__getitem__)
        score = float(np.mean(page.labels.scores[[leaf for leaf in leaves if run_of_leaf[leaf] == run]]))
        changed = _note_on_change(score, float(probabilities[run]), page.labels.threshold, kept=first.keep)
        dropped = (_EMPTY_PAGE if is_empty else _NOISE) if changed and score < _NEVER else ""
        settled = _NO_CONTENT.get(first.role) or copies.get(run) or dropped
        explained.append(
            ExplainedBlock(
                text="\n".join(block.text for block in parts),
                score=float(np.mean(page.labels.scores[leaves])),
                kept=first.keep,
                role=first.role,
                xpath=first.xpath,
                reasons=reasons[run],
                kind=" ".join(kinds[run]).strip(),
                start=float(why.start[run]),
                note=settled or (_NOTE_STAYS if changed and first.role is Role.NOTE else changed),
                settled=bool(settled),
                parts=len(held),
                part=runs.text(run) if len(held) > 1 else "",
                threshold=page.labels.threshold,
            )
        )
    return explained


def _reasons_for(why: Effects, facts: Facts, run: int) -> tuple[Reason, ...]:
    effect, without = why.effects[run], _probability_of_log_odds(why.without[run])
    return tuple(
        Reason(why.groups[number], float(effect[number]), float(without[number]), facts.words(why.groups[number], run))
        for number in np.argsort(-np.abs(effect), kind="stable").tolist()
    )


def _notes_on_copies(page: Page, runs: PageRuns, probabilities: Floats) -> dict[int, str]:
    """Notes on the runs that were dropped because another run with the same text is more likely content."""
    first_of = runs.copies
    begin = runs.texts[runs.first]
    scores, keep = page.labels.scores[begin], page.labels.keep[begin]
    best = np.zeros(len(runs))  # for the first run of each text: the best score of a run with this text
    np.maximum.at(best, first_of, scores)
    any_kept = np.zeros(len(runs), dtype=np.bool_)
    np.logical_or.at(any_kept, first_of, keep)
    lost = np.flatnonzero((scores < best[first_of]) & (scores < probabilities / 2))
    return {run: _KEPT_ELSEWHERE if any_kept[first_of[run]] else _LIKELIER_ELSEWHERE for run in lost.tolist()}


def _note_on_change(score: float, probability: float, threshold: float, *, kept: bool) -> str:
    """A note if score or verdict are not the network's."""
    if abs(score - probability) > CHANGED:
        return f"the network's score is {probability:.2f}; a later rule changed it{_WHOLE}"
    if kept != (score >= threshold):
        return f"a rule after the network {'kept' if kept else 'dropped'} it regardless of its score"
    return ""


def _probability_of_log_odds(log_odds: Floats) -> Floats:
    found: Floats = 1 / (1 + np.exp(-log_odds.clip(-30, 30)))
    return found


def _folded_words(text: str) -> str:
    return " ".join(text.casefold().split())
