"""Content that is not in the visible page: what a shell of a page carries as data for its program.

Asked only when the visible page has next to nothing. The sources, in the order they are believed in:
JSON-LD, the state in scripts, JSON in attributes. Data is decoded and never run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, pairwise

from tamis.document import parse
from tamis.document.shells import linked_data, state
from tamis.document.shells.find import from_attributes, from_scripts
from tamis.document.shells.page import page
from tamis.document.shells.prose import FEWEST_WORDS, continues, goes_on_behind, plain, speaks_of, words
from tamis.document.table import Document
from tamis.document.titles import fold, title_parts

# A page has its content in sight if it shows more characters than this outside links, or more in links of the length
# of a headline. On WCXB dev pages whose content is in their data alone show up to 560 and 110; the first that would
# lose by it show 820, and lists of news have 1,370 or more in links.
_PLENTY = 700
_PLENTY_IN_LINKS = 800
_HEADLINE = 40

# What is embedded has to be this many words.
_FEWEST_WORDS = 40
# State also holds the texts of forms, players and shops. Where no record bears the page's title, what is found must
# have this weight (see state.py) and this share of the words of the title. Of the pages of WCXB dev that carry
# such state beside their visible text, it then has the gold's words with a precision of 0.66 (0.32 below), and
# records that bear the title with 0.75.
_NAMELESS = 300
_SHARE_OF_TITLE = 0.7
# A source is passed over for a later one that has this many times its words: it has a summary only.
_TIMES_A_SUMMARY = 3

# More than this is no content of one page; what is behind it is left out. Were each line one letter, the paragraphs
# made of them would still be a page (see table.MAX_TAGS).
_MOST_CHARACTERS = 500_000
# A folded text of this length that begins another one is an excerpt of it, and not a heading with the same words.
_EXCERPT = 40


@dataclass(frozen=True)
class Embedded:
    """The content that was found in a page's data."""

    source: str  # where: json-ld, state or preloaded
    html: str  # a small page of nothing but the content


def embedded(document: Document) -> Embedded | None:
    """The content that a page carries as data, if it shows next to nothing and has substantial content there."""
    if not _shows_little(document):
        return None
    tree = document.tree
    called = (document.title, parse.opengraph(tree).get("title", ""))
    titles = frozenset(fold(part) for each in called for part in (each, *title_parts(each))) - {""}
    sources: tuple[tuple[str, list[str]], ...] = (
        ("json-ld", linked_data.content(things := document.linked_data.things)),
        ("state", _richest(from_scripts(tree), titles)),
        ("preloaded", _richest(from_attributes(tree), titles)),
    )
    chosen, texts, most = "", [""], 0.0
    for source, found in sources:
        distinct = list(_distinct(found))
        count = _prose_words(distinct)
        if count >= max(_FEWEST_WORDS, _TIMES_A_SUMMARY * most):
            chosen, texts, most = source, distinct, count
    if not chosen:
        return None
    name = linked_data.name(things) if chosen == "json-ld" else None
    return Embedded(chosen, page(name or _title(document), texts))


def _shows_little(document: Document) -> bool:
    """Does the page show next to nothing?"""
    leaves = document.leaves
    shown = leaves.visible_text
    in_link = leaves.in_link.take(shown)
    outside = shown.compress(~in_link)
    middle = len(outside) // 3
    room = _PLENTY
    # Behind the menus of the first third most pages show plenty in their next few texts.
    for row in chain(outside[middle:], outside[:middle]):
        room -= len(leaves.text[row].strip())
        if room < 0:
            return False
    lengths = [len(leaves.text[row].strip()) for row in shown[in_link].tolist()]
    return sum(length for length in lengths if length >= _HEADLINE) <= _PLENTY_IN_LINKS


def _richest(values: Iterable[object], titles: frozenset[str]) -> list[str]:
    """The content of the value that has the most, those that bear the page's title before all others."""
    found = [state.content(value, titles) for value in values if isinstance(value, dict | list)]
    best = max(found, key=lambda each: (each.named, each.weight), default=None)
    if best is None or best.named:
        return best.texts if best else []
    if best.weight < _NAMELESS:
        return []
    text = fold(plain(" ".join(best.texts)[:_MOST_CHARACTERS]))
    return best.texts if any(speaks_of(title, text) >= _SHARE_OF_TITLE for title in titles) else []


def _prose_words(texts: list[str]) -> float:
    """The words of the texts that are long enough to stand by themselves."""
    return sum(count for text in texts if (count := words(plain(text))) >= FEWEST_WORDS)


def _distinct(texts: Iterable[str]) -> Iterator[str]:
    """The texts without those that were there before, or that are the beginning of another, up to a limit."""
    known = [(text, fold(plain(text))) for text in texts if len(text) <= _MOST_CHARACTERS]
    ordered = sorted({folded for _, folded in known})
    seen = {one for one, other in pairwise(ordered) if len(one) >= _EXCERPT and other.startswith(one)}
    room = _MOST_CHARACTERS
    last = ""
    for text, folded in known:
        # A piece of a sentence may well come twice.
        if not (continues(text) or goes_on_behind(last)):
            if not folded or folded in seen:
                continue
            seen.add(folded)
        room -= len(text)
        if room < 0:
            return
        yield text
        last = text


def _title(document: Document) -> str:
    """What the page is called, without the name of the site."""
    return parse.opengraph(document.tree).get("title") or max(title_parts(document.title), key=words, default="")
