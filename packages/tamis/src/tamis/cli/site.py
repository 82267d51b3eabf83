"""`--site`: an extractor that knows other pages of the site."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from tamis import registry
from tamis.api import document_of
from tamis.cli.outputs import complain, message
from tamis.cli.sources import expand, read
from tamis.document import Document
from tamis.errors import InputError, OptionError
from tamis.protocol import Extractor, learns_sites
from tamis.site import Site

# Published methods keep all pages in memory; their papers use up to 24.
_MOST_PAGES = 24


def knowing(name: str, place: Path) -> Extractor:
    """The extractor of a name, once it has learned from the pages of a folder, or from a file of `Site.save`.

    Pages that can't be read are named and left out. Raises InputError, and OptionError for an extractor that learns
    nothing from a site.
    """
    if name == registry.DEFAULT:
        return _site(place).extractor
    extractor = registry.get(name)
    if not learns_sites(extractor):
        raise OptionError(f"{name} looks at one page alone; --site is for {_learners()}")
    return extractor.learned(list(islice(_documents(place), _MOST_PAGES)))


def _learners() -> str:
    """The extractors that learn from a site."""
    found = (entry.name for entry in registry.extractors().values() if entry.learns_sites)
    return ", ".join([registry.DEFAULT, *found])


def _site(place: Path) -> Site:
    if place.is_file():
        return Site.load(place)
    site = Site()
    for document in _documents(place):
        site.add(document)
    return site


def _documents(place: Path) -> Iterator[Document]:
    """The pages of a folder. Raises InputError if it is none."""
    if not place.is_dir():
        raise InputError(f"{place}: there is no such folder, and no such file")
    for source in expand([str(place)]):
        try:
            yield document_of(read(source), None, None)
        except InputError as error:
            complain(message(source, error))
