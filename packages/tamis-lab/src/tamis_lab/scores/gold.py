"""The sets and which of them decide, the bars, and the gold by which a page is scored, whatever the weights.

The gold is placed on the leaves and compared with `keep-all`. That takes longer than an extraction, so it is cached in
a folder, and used again as long as the pages, the readers, the alignment and the core of tamis are the same.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import re
import shutil
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

import tamis
import tamis_lab
from tamis import Page
from tamis.arrays import Bools
from tamis.document import Document
from tamis.document.decode import decode
from tamis.page_type import PageType
from tamis_lab import metrics
from tamis_lab.bench import contestants
from tamis_lab.bench.structure.elements import PageElements, read_elements
from tamis_lab.bench.structure.scores import Wanted, by_gold
from tamis_lab.corpora.catalogue import Corpus
from tamis_lab.corpora.reader import CorpusEntry, CorpusPage
from tamis_lab.gold import align, leaf_gold
from tamis_lab.metrics import tokens

_BARS = tomllib.loads(Path(__file__).with_name("bars.toml").read_text(encoding="utf-8"))
MOST_LOST = 0.02  # of the pages of a set
MOST_LOST_OF_FEW = 2  # pages of a set with fewer pages than FEW
FEW = 100

# The sets and their bars

VALIDATION = ("wcxb:dev", "press-2026", "recipes", "threads", "dragnet", "daniel", "sources")
TEST = ("cleaneval:test", "l3s-gn1", "googletrends-2017:test", "chaos")

COMMENTS_IN_GOLD = ("cleaneval:test", "l3s-gn1")  # their gold counts comments, so both texts are scored
COMPLETE_ONLY = ("press-2026",)  # the gold of some pages is of another version of the page: these are left out
BY_ELEMENT = ("wcxb:dev", "sources")
TYPE_OF_ALL = {"threads": PageType.FORUM, "sources": PageType.DOCUMENTATION, "press-2026": PageType.ARTICLE}


class Bar(NamedTuple):
    """The value that a figure should reach."""

    value: float
    at_most: bool

    def holds(self, figure: float) -> bool:
        """Is it reached? The figure is rounded as it is shown, to a tenth of a percent."""
        figure = round(figure, 3)
        return figure <= self.value if self.at_most else figure >= self.value


def bar_of(name: str, figure: str, pages: int) -> Bar | None:
    """The bar of a figure on a set with this number of pages, if there is one."""
    if (least := _BARS["at_least"].get(name, {}).get(figure)) is not None:
        return Bar(least, at_most=False)
    if (most := _BARS["at_most"].get(name, {}).get(figure)) is not None:
        return Bar(most, at_most=True)
    if figure == "pages lost" and name in (*VALIDATION, *TEST):
        return Bar(MOST_LOST_OF_FEW if pages < FEW else int(MOST_LOST * pages), at_most=True)
    return None


# Comments: names and dates in the gold count as found in `page.comments` if an author or a date has them.

_COMMENT_LABELS = frozenset({"comment", "comments"})


class CommentWords(NamedTuple):
    """The words of the comments of one or more pages."""

    all: int
    in_text: int
    in_comments: int


def commented(page: CorpusPage, document: Document) -> Bools:
    """Which leaves are comments by the corpus, visible or not."""
    if page.leaf_labels is not None:
        return np.array([label in _COMMENT_LABELS for label in page.leaf_labels], dtype=np.bool_)
    return align(document, page.comments or "").content


def comment_words(is_comment: Bools, page: Page) -> CommentWords | None:
    """The words of the comments of one page; None without comments or if the text was found in the page's data."""
    if len(page.document.leaves) != len(page.original.leaves):
        return None
    is_comment = is_comment & page.document.leaves.is_visible_text
    leaves = [tokens(text) for text in page.document.leaves.text]
    words = Counter(word for leaf in np.flatnonzero(is_comment).tolist() for word in leaves[leaf])
    in_text = sum(len(leaves[leaf]) for leaf in np.flatnonzero(is_comment & page.labels.keep).tolist())
    told = " ".join(f"{each.author or ''} {each.date or ''} {each.text}" for each in page.comments)
    return CommentWords(words.total(), in_text, (Counter(tokens(told)) & words).total()) if words else None


# The gold of a page, which is cached

_JSON_LD = re.compile(rb"<script\b[^>]*application/ld\+json[^>]*>.*?</script\s*>", re.IGNORECASE | re.DOTALL)
# The code that computes the gold, in addition to the core.
_SOURCES = ("gold.py", "metrics.py", "scores/gold.py", "corpora", "bench/structure")


@dataclass(frozen=True)
class Gold:
    """The gold of a page; what the corpus does not have is None or empty."""

    reachable: float | None = None  # the share of the gold's words that `keep-all` has
    content: Bools | None = None  # (leaves,) of the unfolded page; None where the gold was not found on it
    is_comment: Bools | None = None  # (leaves,)
    lines: tuple[str, ...] = ()  # the words of each line that `keep-all` has
    bare_lines: tuple[str, ...] = ()  # the same of the page without JSON-LD
    reading: PageElements | None = None  # by which an output is read; None where no element is wanted
    wanted: Wanted | None = None


def gold_of(name: str, page: CorpusPage) -> Gold:
    """The gold of a page of a set."""
    whole = tamis.extract(page.html, url=page.url, extractor="keep-all").text
    bare = tamis.extract(without_json_ld(page.html), url=page.url, extractor="keep-all").text if page.lines else ""
    lines, bare_lines = _found(page.lines, whole), _found(page.lines, bare)
    is_comment = commented(page, page.document()) if page.comments else None
    if not page.gold_text:
        return Gold(None, None, is_comment, lines, bare_lines)
    gold = leaf_gold(page, page.document())
    reading, wanted = _wanted_elements(page) if name in BY_ELEMENT else (None, None)
    return Gold(
        metrics.token_bag(whole, page.gold_text).recall,
        None if gold.is_bad else (gold.unfolded or gold).content,
        is_comment,
        lines,
        bare_lines,
        reading,
        wanted,
    )


def without_json_ld(html: bytes) -> bytes:
    """A page without its scripts of JSON-LD."""
    return _JSON_LD.sub(b"", html)


def kept(lines: Sequence[str], text: str) -> int:
    """How many of these lines, each as its words, are in a text."""
    words = _words(text)
    return sum(f" {line} " in words for line in lines)


def _found(lines: Sequence[str], text: str) -> tuple[str, ...]:
    """The lines with words that are in a text, each as its words."""
    words = _words(text)
    spelled = (_words(line).strip() for line in lines)
    return tuple(line for line in spelled if line and f" {line} " in words)


def _words(text: str) -> str:
    return f" {' '.join(tokens(text))} "


def _wanted_elements(page: CorpusPage) -> tuple[PageElements | None, Wanted | None]:
    """The page by which an output is read, and the elements in its gold, as `tamis bench --structure` finds them."""
    html = decode(page.html).text
    reading = read_elements(html, page.url)
    wanted = by_gold(reading, read_elements(html, page.url, like=reading, with_hidden=True), page.gold_text or "")
    if wanted is None or not wanted.wanted:
        return None, None
    formulas = [element for element in reading.elements if element.kind == "formula"]
    return replace(reading, text="", elements=formulas), Wanted(*map(Counter, wanted))


def folder_of(cache: Path, name: str, corpus: Corpus) -> Path:
    """Where the gold of a set is kept. Folders of the same set that are out of date are deleted."""
    digest = hashlib.sha256(f"{corpus.digest()} {contestants.core_digest()} {_digest()}".encode()).hexdigest()[:12]
    stem = re.sub(r"\W+", "-", name)
    folder = cache / f"{stem}-{digest}"
    for old in cache.glob(f"{stem}-{'?' * len(digest)}"):
        if old != folder:
            shutil.rmtree(old, ignore_errors=True)
    return folder


def golds(folder: Path, name: str, corpus: Corpus, entries: Sequence[CorpusEntry]) -> list[Gold]:
    """The gold of some pages, from the folder if it is there."""
    path = folder / f"{hashlib.sha256(repr(entries).encode()).hexdigest()[:16]}.pickle"
    if path.exists():
        found: list[Gold] = pickle.loads(path.read_bytes())  # noqa: S301 this file wrote it
        return found
    made = [gold_of(name, corpus.read(entry)) for entry in entries]
    folder.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(f".{os.getpid()}")
    part.write_bytes(pickle.dumps(made))
    part.replace(path)  # another run may do the same
    return made


def _digest() -> str:
    """A hash over the files that compute the gold."""
    root = Path(tamis_lab.__file__).parent
    digest = hashlib.sha256()
    for source in (root / each for each in _SOURCES):
        for path in [source] if source.is_file() else sorted(source.rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
