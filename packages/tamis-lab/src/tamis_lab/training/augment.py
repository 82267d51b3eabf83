"""Augmentation: new pages made of labelled ones, each by some of several kinds of change.

A network learns little from seeing a page twice, but much from seeing its content in the frame of another site, in the
markup of another time, in another language, cut short, or with readers' comments below it. Nothing that decides what
is content is changed.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tamis.arrays import Bools
from tamis.document import Document, parse
from tamis.document.words import tokenize
from tamis.extractor.declared import Declared
from tamis.page_type import PageType
from tamis_lab.training.aging import aged
from tamis_lab.training.draft import COMMENT, RELATED, PageDraft, texts_in, words_inside
from tamis_lab.training.languages import FillerText, read_templates, rename, some_script
from tamis_lab.training.pages import LabelledPage

# Articles cut to their first paragraphs, while all that is around them stays.

_FEW, _MOST = 4, 12  # paragraphs
_SHORT = 0.6  # how often only a few stay
_PARAGRAPH_WORDS = 15  # fewer are a heading or a line


def shorten(draft: PageDraft, random: np.random.Generator) -> None:
    """Keep one to four paragraphs of the content, or up to twelve, if it has more."""
    nodes: list[parse.Node] = []
    document = Document.from_tree(draft.tree, nodes).unfolded
    leaves, elements = document.leaves, document.elements
    content, roles = np.zeros((2, len(leaves)), dtype=np.bool_)
    truths = [draft.truth[node] for node in nodes]
    content[~leaves.is_media] = [truth.content for truth in truths]
    roles[~leaves.is_media] = [truth.comment or truth.related for truth in truths]
    content &= leaves.visible
    count = int(random.integers(1, (_FEW if random.random() < _SHORT else _MOST) + 1))
    nodes_of = parse.elements(draft.tree)
    core = nodes_of.index(draft.core) if draft.core is not None else -1
    cut = _paragraph(document, content, count)
    # Where the core is behind the cut, what would stay is a stray line.
    if cut is None or (row := int(leaves.opened[cut - 1]) + 1) <= core:
        return
    # Behind the cut, elements that hold nothing but content go, and texts of content. Inside the core others without
    # links go, too: they belong to what was cut.
    good, held, spare = (words_inside(document, among) for among in (content, None, leaves.in_link | roles))
    while row < len(elements):
        inside = core >= 0 and core < row < elements.end[core]
        if (good[row] and good[row] == held[row]) or (inside and 10 * spare[row] < held[row]):
            nodes_of[row].extract()
            row = int(elements.end[row])
        else:
            row += 1
    for leaf, node in zip(np.flatnonzero(~leaves.is_media).tolist(), nodes, strict=True):
        if leaf >= cut and content[leaf] and node.parent is not None:
            node.extract()


def _paragraph(document: Document, content: Bools, number: int) -> int | None:
    """The first leaf of a paragraph of the content, counted from 0; None if there are fewer."""
    leaves = document.leaves
    of_content = np.flatnonzero(content)
    tokens = tokenize([leaves.text[leaf] for leaf in of_content.tolist()])
    words = np.bincount(leaves.block[of_content], tokens.sum_per_text(tokens.weight))
    blocks, first = np.unique(leaves.block[of_content], return_index=True)
    starts = np.sort(of_content[first[words[blocks] >= _PARAGRAPH_WORDS]])
    return int(starts[number]) if len(starts) > number else None


# Boxes of links to other pages, as newspapers and blogs put them around and into an article.

_MOST_BOXES, _MOST_ITEMS = 4, 25

_BOXES = read_templates("teasers.txt")
_LISTS = [box for box in _BOXES if "{text}" not in box.item]
_BARE = 0.5  # how often a box has headlines only


def add_teasers(draft: PageDraft, words: FillerText, random: np.random.Generator) -> None:
    """Put some boxes before, behind or into the content, and into the frame."""
    for _ in range(1 + words.below(_MOST_BOXES)):
        box = _teaser_box(words)
        place = random.random()
        frame = [part for part in draft.frame if part.parent is not None and part.tag in ("div", "ul", "p", "table")]
        if place < 0.3 and frame:
            draft.learn([box], RELATED)
            frame[words.below(len(frame))].insert_before(box)
        elif place > 0.9 and draft.core is not None:
            draft.learn([box], RELATED)
            _insert_between(draft.core, box, words)
        else:
            draft.put(box, words.one_of("before", "after", "after", "inside", "inside"), RELATED)


def _insert_between(core: parse.Element, box: parse.Element, words: FillerText) -> None:
    """Put a box between two of the core's children."""
    children = [child for child in core.children if isinstance(child, parse.Element)]
    if children and core.tag not in ("table", "tbody", "tr", "ul", "ol", "dl", "p", "pre"):
        children[words.below(len(children))].insert_after(box)


def _teaser_box(words: FillerText) -> parse.Element:
    labels = {"label": words.label(words.one_of("related", "popular", "latest")), "more": words.label("more")}
    labels["date"] = words.date()
    items = []
    for number in range(1, 4 + words.below(_MOST_ITEMS)):
        own = {"title": words.some(3, 12).rstrip(".,;:"), "text": words.sentences(8, 30), "date": words.date()}
        items.append(labels | own | {"n": str(number)})
    boxes = _LISTS if words.share() < _BARE else _BOXES
    return boxes[words.below(len(boxes))].built(labels, items)


# Comment threads as blogs, newspapers and boards have written them, made of the words of other pages.

_MOST_COMMENTS, _MOST_WORDS = 80, 4_000
_NAMED = '[class*="comment" i], [id*="comment" i], #disqus_thread'
_THREAD_OF_OTHER = 0.5  # how often the thread of another page is taken, if it has one
_FEWEST_TEXTS = 6  # of a thread on another page


_THREADS = read_templates("threads.txt")


def add_thread(draft: PageDraft, other: PageDraft, words: FillerText, random: np.random.Generator) -> None:
    """Put comments below the content: those of another page, or the posts of a forum, or made-up ones."""
    place = str(random.choice(["inside", "after", "around"], p=[0.3, 0.5, 0.2]))
    thread = _thread_of(other) if random.random() < _THREAD_OF_OTHER else None
    draft.put(thread or _comment_thread(words), place, COMMENT)


def _thread_of(other: PageDraft) -> parse.Element | None:
    """The posts of a forum, or the comments of a page."""
    if other.is_forum:
        return other.core.extract() if other.core is not None else None
    for node in other.tree.select(_NAMED):
        if node.tag not in ("body", "html", "article", "main"):
            truths = [other.truth[text] for text in texts_in([node]) if text in other.truth]
            if len(truths) >= _FEWEST_TEXTS and not any(truth.content for truth in truths):
                return node.extract()
    return None


def _comment_thread(words: FillerText) -> parse.Element:
    count = round(_MOST_COMMENTS ** words.share())
    longest = 20 + words.below(180)
    labels = {name: words.label(name) for name in ("comments", "reply", "says", "write")} | {"count": str(count)}
    comments: list[dict[str, str]] = []
    left = _MOST_WORDS
    while len(comments) < count and left > 0:
        text = words.sentences(3, longest)
        left -= text.count(" ")
        own = {"name": words.name(), "date": words.date(), "text": text, "title": words.some(1, 6)}
        comments.append(labels | own | {"n": str(len(comments) + 1)})
    return _THREADS[words.below(len(_THREADS))].built(labels, comments)


# Variants

# The kinds of change in the order in which they are made, and how often each is.
KINDS = {"short": 0.45, "frame": 0.7, "teasers": 0.35, "thread": 0.35, "aged": 0.5, "names": 0.3, "script": 0.25}

# How often the whole frame is swapped, and not parts of it.
_SWAP = 0.5
_MOST_PARTS = 3  # of the frame that are removed, and that are inserted
_FORUM = 0.3  # how often comments are looked for on a forum

# Old pages that people extract are mostly articles and threads. If others are aged, too, a short article among teasers
# is taken for a listing.
_AGED_TYPES = (PageType.ARTICLE, PageType.FORUM, None)

# Corpora of articles that do not give a page type.
_ARTICLES = ("news-2023/", "googletrends-2017/")


@dataclass(frozen=True, eq=False)
class Variant:
    """A synthetic page with everything unfolded, and the truth about its leaves."""

    document: Document
    content: Bools
    known: Bools
    comment: Bools  # as the names on the pages say that its parts come from, or because it was put there as one
    related: Bools
    declared: Declared  # what the page declares about itself
    is_aged: bool  # its markup was made older


def some_kinds(random: np.random.Generator, among: Collection[str] = tuple(KINDS)) -> frozenset[str]:
    """The kinds of change for one variant."""
    drawn = random.random(len(KINDS))
    return frozenset(
        kind for (kind, share), at in zip(KINDS.items(), drawn, strict=True) if kind in among and at < share
    )


def variant(
    page: LabelledPage, others: Sequence[LabelledPage], random: np.random.Generator, kinds: Collection[str]
) -> Variant:
    """A new page with the content of `page`, made by all of these kinds of change that suit it.

    What comes from elsewhere comes from pages drawn from `others`.
    """
    draft = PageDraft.of(page)
    is_article = page.page_type == PageType.ARTICLE or page.name.startswith(_ARTICLES)
    if "short" in kinds and is_article:
        shorten(draft, random)
    if "frame" in kinds:
        draft = _framed(draft, PageDraft.of(_random_page(others, random)), random)
    if "teasers" in kinds or "thread" in kinds:
        source = _random_page(others, random)
        if "thread" in kinds and random.random() < _FORUM:
            source = _random_page([each for each in others if each.page_type == PageType.FORUM] or others, random)
        other = PageDraft.of(source)
        words = FillerText([node.data for node, truth in other.truth.items() if truth.content], random)  # type: ignore[attr-defined]
        if "teasers" in kinds:
            add_teasers(draft, words, random)
        if "thread" in kinds and (is_article or page.page_type is None):
            add_thread(draft, other, words, random)
    is_aged = "aged" in kinds and page.page_type in _AGED_TYPES
    if is_aged:
        draft = aged(draft, random)
    if "names" in kinds:
        rename(draft.tree, random)
    if "script" in kinds:
        draft = draft.rewritten(some_script(random))
    return Variant(*draft.columns(), draft.declared, is_aged)


def _random_page(pages: Sequence[LabelledPage], random: np.random.Generator) -> LabelledPage:
    return pages[int(random.integers(len(pages)))]


def _framed(draft: PageDraft, other: PageDraft, random: np.random.Generator) -> PageDraft:
    """The content in the frame of another page, or in its own frame with parts of the other."""
    if draft.core is not None and other.core is not None and random.random() < _SWAP:
        return draft.in_frame_of(other)
    for place, part in zip(_random_elements(draft.frame, random), _random_elements(other.frame, random), strict=False):
        place.insert_before(part.extract())
    for element in _random_elements(draft.frame, random):
        element.extract()
    return replace(draft, truth=draft.truth | other.truth)


def _random_elements(frame: Sequence[parse.Element], random: np.random.Generator) -> list[parse.Element]:
    """Some elements of a frame, at most _MOST_PARTS, in document order."""
    frame = [part for part in frame if part.parent is not None]  # others were removed
    count = int(random.integers(0, _MOST_PARTS + 1)) if frame else 0
    return [frame[row] for row in sorted(set(random.integers(0, len(frame), count).tolist()))] if count else []
