"""A corpus of the tests, and contestants; each page says in its id what is to happen.

Workers load them by name, so this module imports next to nothing.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, cast

if TYPE_CHECKING:
    from tamis_lab.corpora.catalogue import Corpus
    from tamis_lab.corpora.reader import CorpusPage

GOLD = "the ship left the harbour at dawn with nine sailors and a cat"


class Info(NamedTuple):
    name: str
    title: str = "A fake corpus"


FAKE = Info("fake")


@dataclass
class FakeCorpus:
    """Pages in place of a corpus."""

    all_pages: Sequence[CorpusPage]
    info: Info = FAKE
    hash: str = "d1"
    read: list[str] = field(default_factory=list)

    def entries(self, split: str | None = None) -> list[str]:
        del split
        return [page.id for page in self.all_pages]

    def sample(self, split: str | None, count: int, seed: int) -> Iterator[CorpusPage]:
        del seed
        return islice(self.pages(split), count)

    def pages(self, split: str | None = None) -> Iterator[CorpusPage]:
        del split
        for page in self.all_pages:
            self.read.append(page.id)
            yield page

    def digest(self) -> str:
        return self.hash

    def as_corpus(self) -> Corpus:
        return cast("Corpus", self)


def good(html: bytes, url: str | None) -> str:
    return GOLD


def half(html: bytes, url: str | None) -> str:
    return " ".join(GOLD.split()[:6]) if b"p1" in html else GOLD + " and much more"


def bad(html: bytes, url: str | None) -> str:
    print("a library that prints")
    if b"p0" in html:
        raise KeyError("no such thing")
    if b"p1" in html:
        try:
            time.sleep(60)
        except Exception:
            return "a library that swallows what it can"
    if b"p2" in html:
        return "  \n"
    if b"p3" in html:
        sys.exit(4)
    if b"p4" in html:
        return cast("str", None)
    return GOLD


def worse(html: bytes, url: str | None) -> str:
    if b"p0" in html:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})  # as C code that never returns
        time.sleep(60)
    if b"p1" in html:
        os.kill(os.getpid(), signal.SIGSEGV)
    if b"p2" in html:
        socket.create_connection(("127.0.0.1", 9))
    return GOLD


def __getattr__(name: str) -> object:
    """`not_in_a_worker` is there but for worker processes, which run a command."""
    if name == "not_in_a_worker" and sys.argv[0] != "-c":
        return good
    raise AttributeError(name)
