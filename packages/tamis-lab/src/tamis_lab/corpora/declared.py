"""Distant labels: what a page itself declares to be its content, and what it shares with other pages of its site."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from tamis.document import Document
from tamis.document.linked_data import Thing, type_name
from tamis.extractor.declared import plain
from tamis.extractor.runs import PageRuns
from tamis_lab.metrics import tokens

DECLARED, TEMPLATE, UNKNOWN = "declared", "template", "unknown"

# Shorter texts are in a declared one, or on another page, by chance.
_LEAST_DECLARED, _LEAST_SHARED = 4, 3

# Of two pages that share more of their texts one is a copy of the other, and what they share is no template.
_COPY = 0.8

_ALWAYS = frozenset({"articleBody", "recipeIngredient", "ingredients", "recipeInstructions"})
# The text of these is content; that of a comment is only in a thread.
_WITH_TEXT = frozenset({"HowToStep", "HowToTip", "Question", "Answer", "DiscussionForumPosting", "SocialMediaPosting"})
_THREADS = frozenset({"DiscussionForumPosting", "QAPage"})


def leaf_marks(document: Document, siblings: Sequence[frozenset[str]]) -> tuple[str, ...]:
    """The mark of each leaf; empty for media. `siblings` are the `texts` of other pages of the site."""
    own = list(texts(document))
    distinct = frozenset(own) - {""}
    shared = frozenset[str]().union(
        *(other & distinct for other in siblings if len(other & distinct) <= _COPY * min(len(other), len(distinct)))
    )
    declared = _declared_leaves(document)
    return tuple(
        "" if is_media else DECLARED if leaf in declared else TEMPLATE if text in shared else UNKNOWN
        for leaf, (text, is_media) in enumerate(zip(own, document.leaves.is_media.tolist(), strict=True))
    )


def texts(document: Document) -> Iterator[str]:
    """The text of each leaf, white space folded; empty where it is short."""
    for text in document.leaves.text:
        yield " ".join(text.split()) if len(tokens(text)) >= _LEAST_SHARED else ""


def _declared_leaves(document: Document) -> set[int]:
    """The leaves of the runs that are in a declared text, word for word."""
    data = _plain_words(" \n ".join(_linked_texts(document.linked_data.things)))
    marked = _marked_leaves(document)
    if not data.strip() and not marked:
        return set()
    runs = PageRuns(document.unfolded)
    found: set[int] = set()
    for run in (runs.words >= _LEAST_DECLARED).nonzero()[0].tolist():
        leaves = runs.leaves_of(run)
        # Links in a marked element are often to other pages.
        in_marked = marked.issuperset(leaves) and not document.leaves.in_link[leaves].all()
        if in_marked or _plain_words(runs.text(run)) in data:
            found.update(leaves)
    return found


def _plain_words(text: str) -> str:
    return f" {' '.join(tokens(text))} "


def _linked_texts(things: Sequence[Thing]) -> Iterator[str]:
    """The declared texts of JSON-LD."""
    is_thread = any(_THREADS.intersection(thing.types) for thing in things)
    for thing in things:
        kinds = _WITH_TEXT.intersection(thing.types)
        for key, value in thing.fields.items():
            wanted = (
                key in _ALWAYS
                or (key == "text" and (kinds or (is_thread and "Comment" in thing.types)))
                or (key == "name" and "Question" in kinds)
            )
            for text in (value if isinstance(value, list) else [value]) if wanted else []:
                if isinstance(text, str):
                    yield plain(text)


def _marked_leaves(document: Document) -> set[int]:
    """The leaves in elements that the attributes of schema.org declare to be content."""
    elements = document.elements
    mask = np.zeros(len(elements), dtype=np.bool_)
    for row, node in zip(elements.notable.tolist(), elements.notable_nodes, strict=True):
        names = _ALWAYS.intersection((node.attr("itemprop") or "").split())
        is_text = "text" in (node.attr("itemprop") or "").split()
        mask[row] = bool(names) or (is_text and _type_around(document, row) in _WITH_TEXT)
    return set(elements.inside(mask)[document.leaves.element].nonzero()[0].tolist())


def _type_around(document: Document, row: int) -> str:
    """The schema.org type of the thing that an element is a property of."""
    _, *above = document.elements.ancestors(row)
    given = (document.elements.attribute(each, "itemtype") for each in above)
    return type_name(next(filter(None, given), ""))
