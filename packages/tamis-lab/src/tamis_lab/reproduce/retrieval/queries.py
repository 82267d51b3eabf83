"""Queries with the pages that answer them, made from what the corpora know. They are the same each time."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from tamis_lab.corpora.reader import CorpusPage
from tamis_lab.metrics import tokens

WORDS = 3  # of a query for one page
SUBJECTS = 10  # words of the gold text that a page is about
LEAST = 5  # pages that a subject has
_SHORTEST = 3  # letters of a word


class Query(NamedTuple):
    """What is searched for, and the numbers of the pages that answer it."""

    text: str
    relevant: frozenset[int]


def topics(pages: Sequence[CorpusPage]) -> list[Query]:
    """The queries that Chaos was collected by: "north,korea (3)" is a page that answers "north korea"."""
    return _answered((page.id.rpartition(" (")[0].replace(",", " "), number) for number, page in enumerate(pages))


def titles(pages: Sequence[CorpusPage]) -> list[Query]:
    """The title of each page by the corpus. Pages of the same title all answer it."""
    written = [(" ".join((page.title or "").split()), number) for number, page in enumerate(pages)]
    return _answered((title, number) for title, number in written if tokens(title))


def distinctive_words(pages: Sequence[CorpusPage], count: int = WORDS) -> list[Query]:
    """For each page the most distinctive words of its gold text. Pages with fewer than `count` have no query."""
    chosen = [words[:count] for words in _by_weight(pages)]
    return _answered((" ".join(words), number) for number, words in enumerate(chosen) if len(words) == count)


def subjects(pages: Sequence[CorpusPage], top: int = SUBJECTS, least: int = LEAST) -> list[Query]:
    """Single words; the pages that have one among the `top` most distinctive words of their gold text answer it.

    Words with fewer than `least` such pages are no queries.
    """
    about = ((word, number) for number, words in enumerate(_by_weight(pages)) for word in words[:top])
    return [query for query in _answered(about) if len(query.relevant) >= least]


def _answered(pairs: Iterable[tuple[str, int]]) -> list[Query]:
    """One query a text, with the numbers of all pages that it comes from."""
    answers = defaultdict[str, set[int]](set)
    for text, number in pairs:
        answers[text].add(number)
    return [Query(text, frozenset(numbers)) for text, numbers in answers.items()]


def _by_weight(pages: Sequence[CorpusPage]) -> list[list[str]]:
    """For each page the words of its gold text, by tf-idf among the gold texts; those of equal weight by alphabet.

    Words have letters only, at least three.
    """
    texts = [Counter(filter(_is_word, tokens(page.gold_text or ""))) for page in pages]
    having = Counter(word for words in texts for word in words)
    return [_sorted(words, {word: math.log(len(pages) / having[word]) for word in words}) for words in texts]


def _sorted(words: Counter[str], rarity: Mapping[str, float]) -> list[str]:
    # Rounded, so that the order of equal weights does not depend on the processor.
    return sorted(words, key=lambda word: (-round(words[word] * rarity[word], 9), word))


def _is_word(word: str) -> bool:
    return len(word) >= _SHORTEST and word.isalpha()
