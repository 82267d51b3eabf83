"""The content in the data of a page.

The sources in the order of trust: JSON-LD, the state in scripts, JSON in attributes. Data is decoded and never run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from tamis.deadline import check, checked
from tamis.document import parse
from tamis.document.shells import linked_data, state
from tamis.document.shells.find import from_attributes, from_scripts
from tamis.document.shells.page import page
from tamis.document.shells.prose import FEWEST_WORDS, is_continuation, is_cut_off, plain, title_overlap, words
from tamis.document.table import Document
from tamis.document.titles import fold, title_parts

# Less embedded text is no content.
_FEWEST_WORDS = 40
# State also holds the texts of forms, players and shops. If no record bears the page's title, the content must have
# this weight (see state.py) and this share of the words of the title. Of the pages of WCXB dev that carry such state
# beside their visible text, it then has the gold's words with a precision of 0.66 (0.32 below), and records that bear
# the title with 0.75.
_NAMELESS, _SHARE_OF_TITLE = 300, 0.7
# A later source with this many times the words is preferred: the earlier one has only a summary.
_TIMES_A_SUMMARY = 3

# The rest is left out: one page has no more content. Even if each line were one letter, the paragraphs made of them
# would not exceed table.MAX_TAGS.
_MOST_CHARACTERS = 500_000
# Characters of a title that are looked for in the data.
_LONGEST_TITLE = 1_000
# A folded text of this length that begins another one is an excerpt of it. Shorter ones may be headings.
_EXCERPT = 40


def content(document: Document) -> tuple[str, str] | None:
    """The kind of source with the most content, and a small page of it; None if no data has content."""
    tree, things = document.tree, document.linked_data.things
    og_title = parse.opengraph(tree).get("title", "")
    given = (each[:_LONGEST_TITLE] for each in (document.title, og_title))
    titles = frozenset(fold(part) for each in given for part in (each, *title_parts(each))) - {""}
    sources = {
        "json-ld": linked_data.content(things),
        "state": _richest(from_scripts(tree), titles),
        "preloaded": _richest(from_attributes(tree), titles),
    }
    chosen, texts, most = "", [""], 0.0
    for source, found in sources.items():
        check()
        distinct = list(_distinct(found))
        count = sum(count for text in distinct if (count := words(plain(text))) >= FEWEST_WORDS)
        if count >= max(_FEWEST_WORDS, _TIMES_A_SUMMARY * most):
            chosen, texts, most = source, distinct, count
    if not chosen:
        return None
    name = linked_data.name(things) if chosen == "json-ld" else None
    # The longest part of the TITLE is rarely the name of the site.
    title = name or og_title or max(title_parts(document.title), key=words, default="")
    return chosen, page(title, texts)


def _richest(values: Iterable[object], titles: frozenset[str]) -> list[str]:
    """The content of the value that has the most; values that bear the page's title come first."""
    found = [state.content(value, titles) for value in checked(values) if isinstance(value, dict | list)]
    best = max(found, key=lambda each: (each.named, each.weight), default=None)
    if best is None or best.named:
        return best.texts if best else []
    if best.weight < _NAMELESS:
        return []
    text = fold(plain(" ".join(best.texts)[:_MOST_CHARACTERS]))
    return best.texts if any(title_overlap(title, text) >= _SHARE_OF_TITLE for title in titles) else []


def _distinct(texts: Iterable[str]) -> Iterator[str]:
    """The texts up to a limit, without repetitions and without texts that are a prefix of another one."""
    known = [(text, fold(plain(text))) for text in texts if len(text) <= _MOST_CHARACTERS]
    ordered = sorted({folded for _, folded in known})
    seen = {one for one, other in pairwise(ordered) if len(one) >= _EXCERPT and other.startswith(one)}
    room, last = _MOST_CHARACTERS, ""
    for text, folded in known:
        # A piece of a sentence may be repeated.
        if not (is_continuation(text) or is_cut_off(last)):
            if not folded or folded in seen:
                continue
            seen.add(folded)
        room -= len(text)
        if room < 0:
            return
        yield text
        last = text
