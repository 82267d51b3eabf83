"""The state of a page: does it show its content, or something in its place?

Signs are collected as clues, each with a strength between 0 and 1: what the title and the main heading say, the share
of the text that such pages say, marks of vendors in the markup, forms, empty roots, the HTTP status. Weights of
`state.json` turn them into log odds of each state, and how much running text the page keeps speaks for content. So an
article about errors is content, and an error page with teasers is not. A page with much running text is searched in
three places only, its title, its heading, and where its text ends.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import compress
from math import exp, log2
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tamis.arrays import Ints, places
from tamis.cached import cached_property
from tamis.deadline import checked
from tamis.document import Document, parse, tags
from tamis.document.titles import fold, title_parts
from tamis.labels import Labels
from tamis.page_type import PageState as PageState


@dataclass(frozen=True)
class StateGuess:
    """The most likely state of a page."""

    state: PageState
    probability: float
    evidence: tuple[str, ...] = ()  # in words, the strongest first


# Bytes of UTF-8, so that a page in Chinese has about as many as the same one in English.
_PROSE = 60  # of a text that is a sentence
_MUCH = 3_000  # of running text: signs are only looked for in few places
_FULL = 4_000  # of running text: more does not make content surer
_UNIT = 250  # of running text: a short paragraph
_OTHER = 600  # of text that is kept and no sign: lists, tables, prices
_LITTLE = 1_500  # of all text
_LEAST_SMALL = 0.25  # what a mark counts on a page with more text than that
_LONG = 6_000  # of all text: menus are not searched
_NO_TEXT = 80  # of all text
_MUCH_MARKUP = 5_000  # characters of a page without text, which a script must fill
_MOST_REPEATED = 10  # times that one phrase is counted
_AROUND = 4  # a phrase makes a sign of a sentence up to four times its length

_MOST_TEXTS, _LONGEST_TEXT, _MOST_CHARACTERS = 1_500, 2_000, 40_000  # that are searched for signs
_MOST_MARKUP = 60_000  # characters that are searched for marks; walls are small pages
_LONGEST_TITLE, _MOST_HEADING = 300, 20  # characters; texts of a heading
_LEAST_COVERED, _ALL_COVERED = 0.35, 0.75  # of a title, by the phrases of a state
_BEFORE_END, _BEHIND_END = 2, 12  # texts around the end of the running text, where a paywall is
_LONGEST_SHOWN = 100  # characters of a text in the evidence
_MOST_EVIDENCE = 5
_LEAST_PROBABILITY = 0.6  # of a state that is not content: to lose a page costs more than to keep a wall
_ROOTS = "#root, #app, #__next, #__nuxt, #___gatsby, #react-root, app-root, main, body > [id]"
_FIELDS = "input:not([type]), input[type=text i], input[type=email i]"  # of a name or an address
_PASSWORDS = "input[type=password i]:not([style*='display:none' i] *, [style*='display: none' i] *, [hidden] *)"
_MOST_ROOTS = 20  # that are looked into
_SUSPECT = 1.0  # log odds of a state from which on its marks are looked for
_NOT_FREE = "meta[property$=content_tier]:is([content=locked], [content=metered])"
_POINTS = '.,:;!?…()[]"“”„«»-–—#\0'
_UNSPACED = "\u2e80"  # the first letter of the scripts of East Asia
_IS_HEADING = tags.lookup(*tags.HEADINGS)
_IS_PICTURE = tags.lookup("img", "picture", "video", "audio", "svg", "canvas", "object", "embed", "iframe")
_CHALLENGE_HEADERS = {
    "cf-mitigated": "challenge",
    "x-amzn-waf-action": "",
    "x-sucuri-block": "",
    "x-datadome": "protected",
}


class Clue(NamedTuple):
    """A sign; without a state, its weights are for several states."""

    kind: str
    strength: float
    words: str
    state: PageState | None = None


# Phrases and their states by the longest word of each; by "" those in scripts of East Asia.
_Phrases = dict[str, list[tuple[PageState, str]]]


class _Signs(NamedTuple):
    """What `state.json` says."""

    titles: _Phrases
    texts: _Phrases
    marks: dict[PageState, dict[str, tuple[str, ...]]]
    captchas: dict[str, tuple[str, ...]]
    paywalls: str  # a selector
    accept: frozenset[str]
    filler: frozenset[str]
    weights: dict[str, dict[PageState, float]]


@cache
def _signs() -> _Signs:
    read: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
    titles = _by_word(read["titles"], fold)
    texts = _by_word(read["texts"], str)
    marks = {PageState(state): {k: tuple(v) for k, v in names.items()} for state, names in read["marks"].items()}
    weights = {kind: {PageState(k): float(v) for k, v in row.items()} for kind, row in read["weights"].items()}
    paywalls = ", ".join(f"[class*={name!r} i], [id*={name!r} i]" for name in read["paywalls"])
    accept, filler = frozenset(read["accept"]), frozenset(read["filler"])
    return _Signs(titles, texts, marks, read["captchas"], paywalls, accept, filler, weights)


def _by_word(phrases: dict[str, list[str]], spelling: Callable[[str], str]) -> _Phrases:
    found: _Phrases = {"": []}
    for state, own in phrases.items():
        for phrase in map(spelling, own):
            word = "" if max(phrase) >= _UNSPACED else max(_words(phrase), key=len)
            found.setdefault(word, []).append((PageState(state), phrase))
    return found


def _said(text: str, phrases: _Phrases) -> Iterator[tuple[PageState, str]]:
    """The phrases in a text in lower case."""
    words = set(_words(text)) & phrases.keys()
    for word in words if text.isascii() else (*words, ""):
        yield from (each for each in phrases[word] if each[1] in text)


def _words(text: str) -> list[str]:
    """The words of a text without points."""
    for point in _POINTS:
        text = text.replace(point, " ")
    return text.split()


class _View:
    """What the clues ask of a page, computed once."""

    def __init__(self, document: Document, labels: Labels) -> None:
        self.document, self.leaves = document, document.leaves
        ends = places(np.frombuffer(self.leaves.utf8, np.uint8) == 0)
        sizes: Ints = np.diff(ends, prepend=-1) - 1  # each text is followed by a NUL
        self.sizes = sizes
        self.shown = self.leaves.is_visible_text
        self.kept = labels.keep & self.shown
        self.size = int(sizes[self.shown].sum())
        self.is_prose = self.kept & (sizes >= _PROSE) & ~self.leaves.in_link
        self.prose = int(sizes[self.is_prose].sum())
        self.smallness = max(_LEAST_SMALL, 1 - self.size / _LITTLE)

    @cached_property
    def markup(self) -> str:
        """The source in lower case."""
        return self.document.html[:_MOST_MARKUP].lower()

    @cached_property
    def heading(self) -> str:
        """The main heading: the first H1, else the first heading that is kept, else the first of all."""
        elements = self.document.elements
        rows = places(_IS_HEADING.take(elements.code))
        if not len(rows):
            return ""
        first = places(elements.code == tags.CODES["h1"])
        if not len(first):
            first = np.intersect1d(rows, self.leaves.element[self.kept])
        row = int(first[0] if len(first) else rows[0])
        start, end = self.leaves.element.searchsorted((row, elements.end[row])).tolist()
        shown = [leaf for leaf in range(start, min(end, start + _MOST_HEADING)) if self.shown[leaf]]
        texts = [self.leaves.text[leaf][:_LONGEST_TITLE] for leaf in shown]
        return " ".join(" ".join(texts)[:_LONGEST_TITLE].split())

    @cached_property
    def searched(self) -> list[int]:
        """The texts that are searched for signs."""
        shown: list[int] = self.leaves.visible_text.tolist()
        if self.prose < _MUCH:
            return (shown if self.size < _LONG else places(self.kept).tolist())[:_MOST_TEXTS]
        last = int(self.leaves.visible_text.searchsorted(places(self.is_prose)[-1]))
        return shown[max(0, last - _BEFORE_END) : last + _BEHIND_END]

    @cached_property
    def said(self) -> dict[PageState, dict[int, int]]:
        """By state, the first leaves of paragraphs with phrases of `state.json`, and the bytes that count as a sign."""
        rows = np.array(self.searched, np.int64)
        if not len(rows):
            return {}
        blocks = self.leaves.block[rows]
        starts = places(np.append(True, blocks[1:] != blocks[:-1]))  # of paragraphs, in `rows`
        firsts, sizes = rows[starts].tolist(), np.add.reduceat(self.sizes[rows], starts).tolist()
        breaks = np.append(blocks[1:] != blocks[:-1], True).tolist()
        texts = "".join(
            [
                self.leaves.text[row][:_LONGEST_TEXT] + (" \0 " if ends else " ")
                for row, ends in zip(self.searched, breaks, strict=True)
            ]
        )
        text = " ".join(texts.lower().replace("\u2019", "'").split())[:_MOST_CHARACTERS]
        found: dict[PageState, dict[int, int]] = {}
        for state, phrase in _said(text, _signs().texts):
            at, leaves = text.find(phrase), found.setdefault(state, {})
            for _ in range(_MOST_REPEATED):
                paragraph = text.count("\0", 0, at)
                leaf, size = firsts[paragraph], _AROUND * len(phrase.encode())
                leaves[leaf] = min(leaves.get(leaf, 0) + size, sizes[paragraph])
                if (at := text.find(phrase, at + 1)) < 0:
                    break
        return found

    def paragraph(self, first: int) -> str:
        """The start of the paragraph that begins with a leaf."""
        block, same = self.leaves.block[first], self.leaves.block[first : first + _MOST_HEADING]
        texts = [text[:_LONGEST_SHOWN] for text in self.leaves.text[first : first + _MOST_HEADING]]
        return " ".join(" ".join(compress(texts, (same == block).tolist())).split())[:_LONGEST_SHOWN]

    @cached_property
    def sign_sizes(self) -> Ints:
        """For each leaf, the bytes that count as a sign of some state."""
        signs = np.zeros(len(self.sizes), np.int64)
        for leaves in self.said.values():
            for leaf, size in leaves.items():
                signs[leaf] = max(signs[leaf], size)
        return signs

    @cached_property
    def own_prose(self) -> int:
        """The bytes of running text without the sentences that are signs."""
        return max(0, self.prose - int(self.sign_sizes[self.is_prose].sum()))


def page_state(
    document: Document, labels: Labels, *, status: int | None = None, headers: Mapping[str, str] | None = None
) -> StateGuess:
    """The most likely state of a page, its probability, and what speaks for it.

    Args:
        document: The page.
        labels: What an extractor keeps of it.
        status: The HTTP status of the answer, where it is known.
        headers: Its HTTP headers, where they are known.
    """
    return _decided(clues(document, labels, status=status, headers=headers))


def _odds(found: Iterable[Clue]) -> dict[PageState, float]:
    """By state, the sum of the weights of the clues."""
    odds = dict.fromkeys(PageState, 0.0)
    for clue in found:
        row = _signs().weights[clue.kind]
        for state in odds if clue.state is None else (clue.state,):
            odds[state] += clue.strength * row.get(state, 0.0)
    return odds


def _decided(found: Sequence[Clue]) -> StateGuess:
    """The softmax over the log odds of the states."""
    weights, odds = _signs().weights, _odds(found)
    best = max(odds, key=odds.__getitem__)
    probability = 1 / sum(exp(each - odds[best]) for each in odds.values())
    if probability < _LEAST_PROBABILITY:  # nothing speaks for anything: most pages are content
        best, probability = PageState.CONTENT, probability * exp(odds[PageState.CONTENT] - odds[best])

    def support(clue: Clue) -> float:
        return clue.strength * weights[clue.kind].get(best, 0.0) if clue.state in (None, best) and clue.words else 0.0

    ordered = sorted(found, key=support, reverse=True)[:_MOST_EVIDENCE]
    return StateGuess(best, probability, tuple(dict.fromkeys(clue.words for clue in ordered if support(clue) > 0)))


def clues(
    document: Document, labels: Labels, *, status: int | None = None, headers: Mapping[str, str] | None = None
) -> list[Clue]:
    """All signs of a page; arguments as of `page_state`."""
    view = _View(document, labels)
    signs = [*_of_names(view), *_of_texts(view), *_of_declared(view)]
    marks = _of_markup(view, signs) if view.prose < _MUCH or signs else ()
    return [Clue("always", 1.0, ""), *_of_amount(view), *_of_answer(status, headers or {}), *signs, *marks]


def _of_amount(view: _View) -> Iterator[Clue]:
    """How much the page shows."""
    if view.own_prose:
        strength = min(1.0, log2(1 + view.own_prose / _UNIT) / log2(1 + _FULL / _UNIT))
        yield Clue("running text", strength, f"{view.own_prose:,} bytes of running text")
    if other := max(0, int((view.sizes - view.sign_sizes)[view.kept].sum())):
        yield Clue("other text", min(1.0, other / _OTHER), f"{other:,} bytes are kept")
    if view.size < _LITTLE:
        yield Clue("little text", 1 - view.size / _LITTLE, f"only {view.size:,} bytes of text")
    if not view.kept.any():
        yield Clue("nothing kept", 1.0, "none of its text is content")
    if view.size < _NO_TEXT and not view.kept.any():
        yield Clue("no text", 1 - view.size / _NO_TEXT, "no text" if not view.size else "hardly any text")
        media = _IS_PICTURE.take(view.document.elements.code.take(view.leaves.element))
        pictures = int((media & view.leaves.visible).sum())
        yield Clue("markup", min(1.0, len(view.document.html) / _MUCH_MARKUP), "")
        yield Clue("pictures", min(1.0, pictures / 3), f"{pictures} pictures or media")


def _of_answer(status: int | None, headers: Mapping[str, str]) -> Iterator[Clue]:
    """The HTTP status and headers."""
    words = f"the HTTP status is {status}"
    if status == 401:
        yield Clue("status", 1.0, words, PageState.LOGIN)
    elif status == 402:
        yield Clue("status", 1.0, words, PageState.PAYWALL)
    elif status in (403, 429):
        yield Clue("status", 1.0, words, PageState.BOT_CHALLENGE)
        yield Clue("status", 0.5, words, PageState.ERROR_PAGE)
    elif status is not None and status >= 400:
        yield Clue("status", 0.6 if status == 503 else 1.0, words, PageState.ERROR_PAGE)  # challenges send 503, too
    given = {name.lower(): value for name, value in headers.items()}
    for name, wanted in _CHALLENGE_HEADERS.items():
        if name in given and wanted in given[name].lower():
            yield Clue("header", 2.0, f"the HTTP header {name}", PageState.BOT_CHALLENGE)  # it says so itself
    if "www-authenticate" in given:
        yield Clue("header", 1.0, "the HTTP header www-authenticate", PageState.LOGIN)
    if "x-adblock-key" in given:
        yield Clue("header", 1.0, "the HTTP header x-adblock-key of parking services", PageState.PARKED_DOMAIN)


def _of_names(view: _View) -> Iterator[Clue]:
    """What the title and the main heading say."""
    for kind, text in (("title", view.document.title[:_LONGEST_TITLE]), ("heading", view.heading)):
        if not text:
            continue
        what = "title" if kind == "title" else "main heading"
        parts = [*map(fold, (text, *title_parts(text)) if kind == "title" else (text,))]
        found: dict[PageState, list[str]] = {}
        for state, phrase in _said(parts[0], _signs().titles):
            found.setdefault(state, []).append(phrase)
        for state, phrases in found.items():
            if (share := max(_covered(part, phrases) for part in parts)) > 0:
                yield Clue(kind, share, f"the {what} says {text[:80]!r}", state)


def _covered(part: str, phrases: Iterable[str]) -> float:
    """How far a folded text is made of these phrases: from 0 where it mentions them to 1 where it consists of them."""
    left = f" {part} "
    for phrase in sorted(phrases, key=len, reverse=True):
        left = left.replace(phrase if phrase[0] >= _UNSPACED else f" {phrase} ", "  ")
    if left == f" {part} ":
        return 0.0
    rest = sum(len(word) for word in left.split() if word not in _signs().filler)
    covered = 1 - rest / len(part.replace(" ", ""))
    return min(1.0, max(0.0, covered - _LEAST_COVERED) / (_ALL_COVERED - _LEAST_COVERED))


def _of_texts(view: _View) -> Iterator[Clue]:
    """What the page says to its reader."""
    kept_size = int(view.sizes[view.kept].sum())
    for state, found in view.said.items():
        if state is PageState.PAYWALL:
            found = {leaf: size for leaf, size in found.items() if not _goes_on(view, leaf)}
        elif view.prose >= _MUCH:
            continue
        if not found:
            continue
        share = sum(found.values()) / max(view.size, 1)
        if kept := [size for leaf, size in found.items() if view.kept[leaf]]:
            share = max(share, sum(kept) / kept_size)
        yield Clue("words", 1 - 0.5 ** len(found), f"it says {view.paragraph(min(found))!r}", state)
        yield Clue("share", min(1.0, share), f"{min(1.0, share):.0%} of the text is such words", state)


def _of_declared(view: _View) -> Iterator[Clue]:
    """Does the page declare that reading it costs something? Many such pages are whole all the same."""
    things = view.document.linked_data.things if view.prose < 2 * _FULL else []
    if any(str(thing.fields.get("isAccessibleForFree", "")).lower().endswith("false") for thing in checked(things)):
        yield Clue("declared", 1.0, "it declares that it is not free", PageState.PAYWALL)
    elif view.prose < _MUCH and parse.select(view.document.tree, _NOT_FREE):
        yield Clue("declared", 1.0, "its metadata call it locked or metered", PageState.PAYWALL)


def _goes_on(view: _View, leaf: int) -> bool:
    """Is there more running text behind a notice than before it?"""
    return int(view.sizes[leaf + 1 :][view.is_prose[leaf + 1 :]].sum()) > view.prose / 2


def _of_markup(view: _View, signs: Sequence[Clue]) -> Iterator[Clue]:
    """Marks of vendors, forms, buttons and empty roots. Pages with text are searched for what the signs suspect."""
    known, tree, is_bare = _signs(), view.document.tree, view.size < _LITTLE
    bare = set(PageState) - {PageState.CONSENT_WALL} if is_bare else set[PageState]()
    shares = {clue.state: clue.strength for clue in signs if clue.kind == "share"}
    suspected = {state for state, odds in _odds(signs).items() if odds >= _SUSPECT}
    for state, names in known.marks.items():
        if state in suspected | bare and (name := _named(names, view.markup)):
            strength = shares.get(state, 0.0) if state is PageState.CONSENT_WALL else view.smallness
            yield Clue("marks", strength, f"the markup is of {name}", state)
    if PageState.PAYWALL in suspected and parse.select(tree, known.paywalls):
        yield Clue("marks", 1.0, "an element is named like a paywall", PageState.PAYWALL)
    if (PageState.BOT_CHALLENGE in suspected or is_bare) and (name := _named(known.captchas, view.markup)):
        yield Clue("captcha", view.smallness, f"a captcha of {name}", PageState.BOT_CHALLENGE)
    if passwords := len(parse.select(tree, _PASSWORDS)):
        yield Clue("form", view.smallness, "a form asks for a password", PageState.LOGIN)
        said = [each.strength for each in signs if each.kind in ("title", "heading") and each.state is PageState.LOGIN]
        named = max(said, default=0.0)
        yield Clue("named form", named, "a form for it asks for a password", PageState.LOGIN)
        if passwords > 1:
            yield Clue("passwords", max(named, view.smallness), "a password is asked for twice", PageState.LOGIN)
    elif PageState.LOGIN in suspected and not parse.select(tree, _FIELDS):
        yield Clue("no field", 1.0, "", PageState.LOGIN)
    if (share := shares.get(PageState.CONSENT_WALL)) and _has_accept(view):
        yield Clue("accept", share, "a button accepts cookies", PageState.CONSENT_WALL)
    if (is_bare or not view.kept.any()) and (scripts := len(parse.select(tree, "script[src]"))):
        yield Clue("scripts", min(1.0, scripts / 2), f"{scripts} script{'s' * (scripts != 1)}")
        if any(not root.text.strip() for root in parse.select(tree, _ROOTS)[:_MOST_ROOTS]):
            strength = max(0.0, 1 - 2 * int(view.sizes[view.kept].sum()) / _OTHER)
            yield Clue("root", strength, "an empty element waits for scripts")


def _named(names: Mapping[str, Sequence[str]], markup: str) -> str | None:
    """The first vendor with a mark in the markup."""
    return next((name for name, marks in names.items() if any(mark in markup for mark in marks)), None)


def _has_accept(view: _View) -> bool:
    """Is one of the texts the label of a button that accepts or rejects?"""
    texts = (view.leaves.text[leaf][:_LONGEST_SHOWN] for leaf in view.searched)
    return any(" ".join(text.lower().replace("\u2019", "'").split()) in _signs().accept for text in checked(texts))
