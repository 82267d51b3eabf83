"""Who takes part: extractors of tamis and libraries that read metadata, each at its best settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import tamis
from tamis import weights
from tamis.document.decode import decode
from tamis.errors import OptionError
from tamis.metadata import Metadata, read_metadata
from tamis.metadata.decide import FOLDER as SHIPPED
from tamis.metadata.decide import load as load_weights
from tamis.registry import extractors
from tamis_lab.bench import competitors, trained
from tamis_lab.bench.competitors import Peer
from tamis_lab.bench.metadata.scores import FIELDS
from tamis_lab.training import recipes
from tamis_lab.training.pages import fold_of_page


class Answer(NamedTuple):
    """What a contestant says about a page; empty where it says nothing."""

    title: str = ""
    authors: tuple[str, ...] = ()
    date: str = ""
    confidences: Mapping[str, float] = {}


Finder = Callable[[bytes, str | None], Answer]


class Library(NamedTuple):
    """A peer and the fields that it knows."""

    peer: Peer[Finder]
    fields: tuple[str, ...] = FIELDS


def load(name: str) -> Finder:
    """The contestant of this name. Raises OptionError, MissingExtra and WeightsError."""
    if name in LIBRARIES:
        return competitors.loaded(LIBRARIES[name].peer)
    if trained.is_trained(name):
        return _of(_with_folder(name))
    if name in extractors():
        return _of(lambda html, url: tamis.extract(html, url=url, extractor=name).metadata)
    raise OptionError(f"no reader of metadata is called {name!r}; there are: tamis, {', '.join(LIBRARIES)}")


def fields(name: str) -> tuple[str, ...]:
    """The fields that a contestant knows."""
    return LIBRARIES[name].fields if name in LIBRARIES else FIELDS


def version(name: str) -> str:
    """The version of a contestant. Raises OptionError, MissingExtra and WeightsError."""
    if name in LIBRARIES:
        return competitors.peer_version(LIBRARIES[name].peer)
    load(name)
    if not trained.is_trained(name):
        return competitors.version(name)
    digest = sha256(b"".join((place / weights.CONFIG).read_bytes() for place in _decisions(name))).hexdigest()
    return f"{competitors.version(name)}+{digest[:12]}"


def has_seen(name: str, corpus: str, split: str) -> bool:
    """Was the network or the decision of a contestant trained on pages of this split? Of peers it is not known."""
    if name in LIBRARIES or competitors.has_seen(name, corpus, split):
        return name not in LIBRARIES
    places = _decisions(name)
    if len(places) > 1 and SHIPPED not in places:
        return False  # each fold decides pages that it has not seen
    return any(recipes.has_seen(recipes.trained_on(place), corpus, split) for place in places)


def unavailable() -> dict[str, str]:
    """The peers that can't run here, each with the reason."""
    return competitors.unavailable(LIBRARIES, version)


def _with_folder(name: str) -> Callable[[bytes, str | None], Metadata]:
    """Network and weights of a folder; of folds those that have not seen the site of the page."""
    chosen, tables = trained.extractor_of(name), [load_weights(place) for place in _decisions(name)]

    def read(html: bytes, url: str | None) -> Metadata:
        page = tamis.extract(html, url=url, extractor=chosen(html, url))
        return read_metadata(page.original, page.own_labels, tables[fold_of_page(html, url, len(tables))])

    return read


def _decisions(name: str) -> list[Path]:
    """Where the weights of a contestant's decision are, one folder a fold; the shipped ones if it has none."""
    if not trained.is_trained(name):
        return [SHIPPED]
    places = [each / "metadata" for each in trained.folders(name)]
    return [place if place.is_dir() else SHIPPED for place in places]


def _of(read: Callable[[bytes, str | None], Metadata]) -> Finder:
    """What tamis says of a page, however it was read."""

    def find(html: bytes, url: str | None) -> Answer:
        found = read(html, url)
        sure = {field: found.confidence(field) for field in FIELDS}
        return Answer(
            found.title or "",
            found.authors,
            found.date or "",
            {field: confidence for field, confidence in sure.items() if confidence is not None},
        )

    return find


def _trafilatura() -> Finder:
    from trafilatura import extract_metadata

    def find(html: bytes, url: str | None) -> Answer:
        found: Any = extract_metadata(decode(html).text, default_url=url, extensive=True)
        if found is None:
            return Answer()
        authors = tuple(filter(None, (found.author or "").split("; ")))
        return Answer(found.title or "", authors, found.date or "")

    return find


def _htmldate() -> Finder:
    from htmldate import find_date

    return lambda html, url: Answer(date=find_date(decode(html).text, url=url, original_date=True) or "")


def _newspaper() -> Finder:
    import newspaper  # type: ignore[import-untyped]

    def find(html: bytes, url: str | None) -> Answer:
        # Without an address it refuses to parse; a page of a corpus is never fetched again.
        article = newspaper.Article(url or "https://example.org/", fetch_images=False)
        article.download(input_html=decode(html).text)
        article.parse()
        day = article.publish_date
        return Answer(str(article.title or ""), tuple(map(str, article.authors)), day.date().isoformat() if day else "")

    return find


_LIBRARIES = (
    Library(Peer("trafilatura", "trafilatura", _trafilatura)),
    Library(Peer("htmldate", "htmldate", _htmldate), ("date",)),
    Library(Peer("newspaper4k", "newspaper4k", _newspaper, "peers")),
)
LIBRARIES = {library.peer.name: library for library in _LIBRARIES}
