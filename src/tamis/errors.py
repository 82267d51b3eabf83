"""Every error that tamis raises on purpose, so that a caller can catch one name.

TamisError
 ├── InputError            the page could not be read
 │    ├── PageTooLarge     more characters or tags than the limits allow
 │    ├── FetchError       the URL could not be fetched
 │    └── CorpusError      a corpus is missing or damaged (tamis.corpora.files)
 ├── OptionError           options that do not exist or contradict each other
 │    ├── UnknownExtractor
 │    └── UnknownCorpus    (tamis.corpora.catalogue)
 ├── WeightsError          a model's weights are missing or damaged (tamis.weights)
 └── MissingExtra          an optional dependency is not installed
"""

from __future__ import annotations

from collections.abc import Iterable


class TamisError(Exception):
    """The root of the tree. Its text is one line, written for the person who runs tamis."""


class InputError(TamisError):
    """The page could not be read."""


class PageTooLarge(InputError):
    """The page has more characters or tags than the limits allow."""


class FetchError(InputError):
    """The URL could not be fetched."""


class OptionError(TamisError, ValueError):
    """An option that does not exist, or two that contradict each other."""


class UnknownExtractor(OptionError):
    """No extractor has this name."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        super().__init__(f"no extractor is called {name!r}; there are: {', '.join(known)}")


class MissingExtra(TamisError, ImportError):
    """An optional dependency is not installed; the message names the command that brings it."""

    def __init__(self, purpose: str, extra: str) -> None:
        super().__init__(f"{purpose} needs an extra: pip install 'tamis[{extra}]'")
