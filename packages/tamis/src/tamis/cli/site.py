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


def extractor_for_site(name: str, place: Path) -> Extractor:
    """An extractor that has learned from the pages of a folder, or for the default also from a file of `Site.save`.

    Pages that can't be read are named and left out. Raises InputError, and OptionError for an extractor that can't
    learn from a site.
    """
    if name == registry.DEFAULT:
        site = Site.load(place) if place.is_file() else Site()
        for document in () if place.is_file() else _documents(place):
            site.add(document)
        return site.extractor
    extractor = registry.get(name)
    if not learns_sites(extractor):
        learners = [entry.name for entry in registry.extractors().values() if entry.learns_sites]
        raise OptionError(f"{name} looks at one page alone; --site is for {', '.join([registry.DEFAULT, *learners])}")
    return extractor.learned(list(islice(_documents(place), _MOST_PAGES)))


def _documents(place: Path) -> Iterator[Document]:
    """The pages of a folder. Raises InputError if it is not a folder."""
    if not place.is_dir():
        raise InputError(f"{place}: no such file or folder")
    for source in expand([str(place)]):
        try:
            yield document_of(read(source), None, None)
        except InputError as error:
            complain(message(source, error))
