"""One reader a public corpus, and the catalogue of where to get it."""

from tamis.corpora.catalogue import CATALOGUE, Corpus, UnknownCorpus, find_corpus, open_corpus
from tamis.corpora.files import CorpusError
from tamis.corpora.page import CorpusPage
from tamis.corpora.reader import CorpusInfo, Entry

__all__ = [
    "CATALOGUE",
    "Corpus",
    "CorpusError",
    "CorpusInfo",
    "CorpusPage",
    "Entry",
    "UnknownCorpus",
    "find_corpus",
    "open_corpus",
]
