"""One reader a public corpus, and the catalogue of where to get it."""

from tamis.lab.corpora.catalogue import Corpus, Source, UnknownCorpus, corpora, find_corpus, open_corpus
from tamis.lab.corpora.files import CorpusError
from tamis.lab.corpora.page import CorpusPage
from tamis.lab.corpora.reader import CorpusInfo, Entry

__all__ = [
    "Corpus",
    "CorpusError",
    "CorpusInfo",
    "CorpusPage",
    "Entry",
    "Source",
    "UnknownCorpus",
    "corpora",
    "find_corpus",
    "open_corpus",
]
