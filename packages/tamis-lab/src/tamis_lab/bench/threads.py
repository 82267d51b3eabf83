"""How well `posts` reads threads: posts found, their authors, days and texts, beside the gold of the corpus `threads`.

    python -m tamis_lab.bench.threads --extractor tamis=build/folds

Two posts are the same if at least half of their words agree (token F1), or, where the gold is without words, if author
and day do. Each is used once. Annotators kept the quotations of some posts as words of theirs, so a text counts by the
better of two: without quotations, or with them.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import process_time
from typing import NamedTuple

import tamis
from tamis.document import dates
from tamis.records.posts import Post, posts
from tamis_lab.bench import contestants
from tamis_lab.corpora.catalogue import pages_of
from tamis_lab.corpora.reader import CorpusPage
from tamis_lab.corpora.reader import Post as Gold
from tamis_lab.metrics import prf_of_counts, tokens

_SAME = 0.5  # token F1 from which two posts are the same


class Counts(NamedTuple):
    """What was found of the posts of some pages."""

    gold: float = 0
    found: float = 0
    same: float = 0
    authors: float = 0
    days: float = 0
    texts: float = 0  # the sum of F1 of posts with words

    words: float = 0  # how many posts that is
    without_quotes: float = 0  # the same sum if only texts without quotations count

    def __add__(self, other: object) -> Counts:
        assert isinstance(other, Counts)  # noqa: S101 for mypy
        return Counts(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))

    @property
    def shares(self) -> tuple[float, ...]:
        """Found, right, author, day, text, text without quotations: each from 0 to 1."""
        same, words = max(self.same, 1), max(self.words, 1)
        return (
            self.same / max(self.gold, 1),
            self.same / max(self.found, 1),
            self.authors / same,
            self.days / same,
            self.texts / words,
            self.without_quotes / words,
        )


def matched(found: Sequence[Post], gold: Sequence[Gold]) -> Iterator[tuple[Post, Gold, float, float]]:
    """Pairs of posts that are the same, each with its F1 and that without quotations."""
    bags = [(Counter(tokens(post.text)), Counter(tokens(" ".join((post.text, *post.quotes))))) for post in found]
    wanted = [Counter(tokens(post.text)) for post in gold]
    pairs: list[tuple[float, int, int, float]] = []
    for number, bag in enumerate(wanted):
        for place, (plain, quoted) in enumerate(bags):
            if bag:
                alone, together = (
                    prf_of_counts((each & bag).total(), each.total(), bag.total()).f1 for each in (plain, quoted)
                )
            else:
                alone = together = float(is_author(found[place], gold[number]) and is_day(found[place], gold[number]))
            if (best := max(alone, together)) >= _SAME:
                pairs.append((best, number, place, alone))
    used: set[tuple[str, int]] = set()
    for best, number, place, alone in sorted(pairs, key=lambda pair: (-pair[0], abs(pair[1] - pair[2]))):
        if used.isdisjoint({("gold", number), ("found", place)}):
            used |= {("gold", number), ("found", place)}
            yield found[place], gold[number], best, alone


def is_author(post: Post, gold: Gold) -> bool:
    """Has it the name that the gold has?"""
    return _squeezed(post.author or "") == _squeezed(gold.author or "")


def is_day(post: Post, gold: Gold) -> bool:
    """Has it the day that the gold has, or is the date of the gold a part of what it says?"""
    given, wanted = post.date or "", gold.date or ""
    day = dates.day(wanted)
    if day is None:  # "March 27": of the day that is declared, only month and day can be compared
        day = dates.day(f"{wanted.partition(' at ')[0].rpartition(' On ')[2]} 2020")
        return _squeezed(wanted) in _squeezed(given) or bool(day and given[5:10] == day[5:])
    return given == day


def _squeezed(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


def counts(found: Sequence[Post], gold: Sequence[Gold]) -> Counts:
    """What was found of one page."""
    total = Counts(len(gold), len(found))
    for post, wanted, best, alone in matched(found, gold):
        has_words = bool(tokens(wanted.text))
        total += Counts(
            0, 0, 1, is_author(post, wanted), is_day(post, wanted),
            best if has_words else 0, has_words, alone if has_words else 0,
        )  # fmt: skip
    return total


def read(page: CorpusPage, extractor: str) -> tuple[tuple[Post, ...], float]:
    """The posts of a page, and how long they took, as a share of the time of the text."""
    chosen = contestants.extractor_of(extractor)(page.html, page.url)
    start = process_time()
    extracted = tamis.extract(page.html, url=page.url, extractor=chosen)
    assert extracted.text is not None  # noqa: S101 it is rendered here
    middle = process_time()
    found = posts(extracted.document, extracted.labels)
    return found, (process_time() - middle) / (middle - start)


def main() -> None:
    """Print a line for each page and one for all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--extractor", required=True, help="tamis=FOLDER, best one with folds")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--page", default="", help="only pages with this in their names")
    arguments = parser.parse_args()
    total, times = Counts(), []
    print(f"{'page':<40}{'gold':>6}{'found':>7}{'recall':>8}{'right':>7}{'author':>8}{'day':>6}{'text':>6}{'alone':>7}")
    for page in pages_of("threads", arguments.data):
        if arguments.page in page.id:
            found, time = read(page, arguments.extractor)
            each = counts(found, page.posts)
            _print(page.id, each)
            total += each
            times.append(time)
    _print("all", total)
    print(f"time beside that of the text: {sum(times) / max(len(times), 1):.2f} on average")


def _print(name: str, each: Counts) -> None:
    recall, right, *others = each.shares
    shares = "".join(f"{share:7.3f}" for share in (recall, right, *others))
    print(f"{name[:39]:<40}{each.gold:>6.0f}{each.found:>7.0f} {shares}")


if __name__ == "__main__":
    main()
