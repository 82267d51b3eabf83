"""Comment threads as blogs, newspapers and boards have written them, made of the words of other pages."""

from __future__ import annotations

import numpy as np

from tamis.document import parse
from tamis_lab.training.edit import COMMENT, Draft, texts_in
from tamis_lab.training.made_up import Words, read_templates

_MOST_COMMENTS, _MOST_WORDS = 80, 4_000
_NAMED = '[class*="comment" i], [id*="comment" i], #disqus_thread'
_MOVED = 0.5  # how often the thread of another page is taken, if it has one
_FEWEST_TEXTS = 6  # of a thread on another page


_TEMPLATES = read_templates("threads.txt")


def add_thread(draft: Draft, other: Draft, words: Words, random: np.random.Generator) -> None:
    """Put comments below the content: those of another page, or the posts of a forum, or made-up ones."""
    place = str(random.choice(["inside", "after", "around"], p=[0.3, 0.5, 0.2]))
    thread = _moved(other) if random.random() < _MOVED else None
    draft.put(thread or _made_up(words), place, COMMENT)


def _moved(other: Draft) -> parse.Element | None:
    """The posts of a forum, or the comments of a page."""
    if other.is_forum:
        return other.core.extract() if other.core is not None else None
    for node in other.tree.select(_NAMED):
        if node.tag not in ("body", "html", "article", "main"):
            truths = [other.truth[text] for text in texts_in([node]) if text in other.truth]
            if len(truths) >= _FEWEST_TEXTS and not any(truth.content for truth in truths):
                return node.extract()
    return None


def _made_up(words: Words) -> parse.Element:
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
    return _TEMPLATES[words.below(len(_TEMPLATES))].built(labels, comments)
