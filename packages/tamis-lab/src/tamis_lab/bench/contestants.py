"""Every contestant of the benchmark by name: the extractors of tamis, peers (other libraries), and your own.

A contestant is a function from the bytes of a page and its URL to text, to Markdown or HTML for `--structure`, or to an
`Answer` for `--metadata`.

Extractors with weights of your own are named as everywhere (`tamis.registry`): "tamis=FOLDER". A folder that holds
fold-0, fold-1, ... is a cross-validated model (`tamis train --folds`): each page is read by the fold that was not
trained on its site, so the score is a measurement on training pages, too.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

import tamis
import tamis_papers
from tamis import registry, weights
from tamis.errors import BrowserMissing, MissingExtra, OptionError
from tamis.metadata import Metadata, read_metadata
from tamis.metadata.decide import FOLDER as SHIPPED
from tamis.metadata.decide import load as load_weights
from tamis.protocol import Extractor
from tamis.registry import extractors
from tamis.web.browser.program import chromium
from tamis_lab.bench import peers
from tamis_lab.bench.peers import FIELDS, FINDERS, PEERS, WRITERS, Answer, Contestant, Finder
from tamis_lab.training import recipes
from tamis_lab.training.pages import fold_folders, fold_of_page

_PAGE = b"<html><body><article><h1>Warm up</h1><p>A first page, for lazy imports.</p></article></body></html>"
_DRAWING = ("onnxruntime", "PIL", "playwright")  # the extra `render`

# Folders and files of tamis that change no extraction; the rest is part of an extractor's version.
_BESIDE_THE_CORE = frozenset("cli batch worker integrations __pycache__".split())
_NO_EXTRACTION = ("*.md",)

# What may follow the name of an extractor, for corpora whose gold has it: "tamis+comments+title".
_OPTIONS = {"+comments": "include_comments", "+title": "include_title"}


def load(name: str) -> Contestant:
    """The contestant of this name, the one at "module:callable", or an extractor with weights of yours.

    An extractor of tamis may have "+comments" and "+title" behind its name. Raises OptionError where there is none and
    MissingExtra where its package is not installed.
    """
    system, options = _without_options(name)
    if extract := _extraction(system, options):
        return lambda html, url: extract(html, url).text
    if name in PEERS:
        return peers.loaded(PEERS[name])
    module, _, attribute = name.partition(":")
    if module and attribute:
        try:
            found = getattr(import_module(module), attribute)
        except Exception as error:  # somebody's module may raise anything
            raise OptionError(f"{name}: can't be loaded: {error}") from None
        if not callable(found):
            raise OptionError(f"{name}: can't be called")
        return cast("Contestant", found)
    raise OptionError(
        f"no contestant is called {name!r}; there are: {', '.join([*extractors(), *PEERS])}, "
        "or a module:callable, NAME=FOLDER, or the path of a folder of weights"
    )


def load_writer(name: str, *, whole: bool = False) -> Contestant:
    """A writer of Markdown or HTML; with `whole` it keeps the whole page. Raises OptionError and MissingExtra."""
    if name in WRITERS:
        return peers.loaded(WRITERS[name], whole=whole)
    if extract := _extraction("keep-all" if whole else name, {}):
        return lambda html, url: extract(html, url).markdown
    raise OptionError(f"no writer of structure is called {name!r}; there are: tamis, {', '.join(WRITERS)}")


def load_finder(name: str) -> Finder:
    """A reader of metadata. Raises OptionError, MissingExtra and WeightsError."""
    if name in FINDERS:
        return peers.loaded(FINDERS[name])
    extract = _extraction(name, {})
    if extract is None:
        raise OptionError(f"no reader of metadata is called {name!r}; there are: tamis, {', '.join(FINDERS)}")
    if not is_trained(name):
        return lambda html, url: _answer(extract(html, url).metadata)
    tables = [load_weights(place) for place in _decisions(name)]

    def find(html: bytes, url: str | None) -> Answer:
        page = extract(html, url)
        return _answer(read_metadata(page.original, page.own_labels, tables[fold_of_page(html, url, len(tables))]))

    return find


def _extraction(name: str, options: dict[str, Any]) -> Callable[[bytes, str | None], tamis.Page] | None:
    """How an extractor of tamis reads a page; None if the name is not that of one. Raises like `extractor_of`."""
    if is_trained(name):
        chosen = extractor_of(name)
        return lambda html, url: tamis.extract(html, url=url, extractor=chosen(html, url), **options)
    if name in extractors():
        return lambda html, url: tamis.extract(html, url=url, extractor=name, **options)
    return None


def _answer(found: Metadata) -> Answer:
    sure = {field: found.confidence(field) for field in FIELDS}
    confidences = {field: confidence for field, confidence in sure.items() if confidence is not None}
    return Answer(found.title or "", found.authors, found.date or "", confidences)


def _without_options(name: str) -> tuple[str, dict[str, Any]]:
    """An extractor without the options behind its name, and these options."""
    options: dict[str, Any] = {}
    while suffix := next(filter(name.endswith, _OPTIONS), ""):
        name = name.removesuffix(suffix)
        options[_OPTIONS[suffix]] = True
    return name, options


def version(name: str) -> str:
    """The version of a contestant; it changes when its results may. The contestant is loaded on the way.

    Raises like `load`, and MissingExtra or BrowserMissing for an extractor that can't run here.
    """
    system, _ = _without_options(name)
    if is_trained(system):
        _try(entry_of(system).name)
        digests = "".join(weights.read_config(each)["digest"] for each in folders(system))
        return f"{tamis.__version__}+{core_digest()}+{hashlib.sha256(digests.encode()).hexdigest()[:12]}"
    if system in extractors():
        _try(system)
        return f"{tamis.__version__}+{core_digest()}"
    if name in PEERS:
        return peers.version(PEERS[name])
    load(name)
    return _source_digest(name)


def writer_version(name: str) -> str:
    """The version of a writer of structure. Raises like `load_writer`."""
    if name in WRITERS:
        return peers.version(WRITERS[name])
    load_writer(name)
    return version(name)


def finder_version(name: str) -> str:
    """The version of a reader of metadata. Raises like `load_finder`."""
    if name in FINDERS:
        return peers.version(FINDERS[name])
    load_finder(name)
    if not is_trained(name):
        return version(name)
    digest = hashlib.sha256(b"".join((place / weights.CONFIG).read_bytes() for place in _decisions(name))).hexdigest()
    return f"{version(name)}+{digest[:12]}"


def has_seen(name: str, corpus: str, split: str) -> bool:
    """Was a contestant trained on pages of this split? Then its score is a fit. For peers this is unknown."""
    system, _ = _without_options(name)
    if is_trained(system):
        first, *others = folders(system)
        trained_on = () if others else tuple(recipes.trained_on(first))  # each fold reads pages that it has not seen
    else:
        trained_on = extractors()[system].trained_on if system in extractors() else ()
    return recipes.has_seen(trained_on, corpus, split)


def finder_has_seen(name: str, corpus: str, split: str) -> bool:
    """Was the network or the decision of a reader of metadata trained on pages of this split?"""
    if name in FINDERS or has_seen(name, corpus, split):
        return name not in FINDERS
    places = _decisions(name)
    if len(places) > 1 and SHIPPED not in places:
        return False  # each fold decides pages that it has not seen
    return any(recipes.has_seen(recipes.trained_on(place), corpus, split) for place in places)


def kind(name: str) -> str:
    """Whether a contestant is an `extractor` of tamis, a `peer`, or your `own`."""
    system, _ = _without_options(name)
    if system in extractors() or is_trained(system):
        return "extractor"
    return "peer" if name in PEERS else "own"


def unavailable(names: Iterable[str], version: Callable[[str], str] = version) -> dict[str, str]:
    """The contestants that lack a package or a browser here, each with the reason. Raises WeightsError."""
    reasons = {}
    for name in names:
        try:
            version(name)
        except (BrowserMissing, MissingExtra, OptionError) as error:
            reasons[name] = str(error)
    return reasons


@cache
def _try(name: str) -> None:
    """Can an extractor of tamis run here? Raises MissingExtra, and BrowserMissing where it needs a browser."""
    if not extractors()[name].draws:
        tamis.extract(_PAGE, extractor=name)
        return
    # Drawing a page takes seconds, so only its requirements are checked.
    if not all(map(find_spec, _DRAWING)):
        raise MissingExtra(name, "render", "tamis-papers")
    chromium()


@cache
def core_digest() -> str:
    """A hash over the extracting code of tamis and the papers, whose versions do not change between two releases."""
    digest = hashlib.sha256()
    for root in (Path(package.__path__[0]) for package in (tamis, tamis_papers)):
        for path in sorted(root.rglob("*")):
            beside = _BESIDE_THE_CORE.intersection(path.relative_to(root).parts) or any(map(path.match, _NO_EXTRACTION))
            if path.is_file() and not beside:
                digest.update(str(path.relative_to(root)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:8]


def _source_digest(location: str) -> str:
    """A hash of the module that has the contestant. Raises OptionError."""
    try:
        spec = find_spec(location.partition(":")[0])
    except ValueError:  # of the main module
        spec = None
    if spec is None or spec.origin is None or not Path(spec.origin).is_file():
        raise OptionError(f"{location}: its module is not a file")
    return hashlib.sha256(Path(spec.origin).read_bytes()).hexdigest()[:8]


def is_trained(name: str) -> bool:
    """Does the name have a folder of weights?"""
    system, folder = registry.choice(name)
    return folder is not None and (not system or system in extractors())


def extractor_of(name: str) -> Callable[[bytes, str | None], Extractor]:
    """From the bytes of a page and its address to its extractor. Raises OptionError and WeightsError."""
    system = registry.choice(name).name
    found = [registry.with_weights(system, each) for each in folders(name)]
    return lambda html, url: found[fold_of_page(html, url, len(found))]


def entry_of(name: str) -> registry.Entry:
    """The extractor that the weights are for. Raises OptionError and WeightsError."""
    system = registry.choice(name).name
    return registry.entry_of(system) if system else registry.check(str(folders(name)[0].absolute()))


def folders(name: str) -> list[Path]:
    """The folder of weights, or those of the folds in it."""
    folder = registry.choice(name).folder
    assert folder  # noqa: S101 the name is that of a trained one
    return fold_folders(folder) or [folder]


def _decisions(name: str) -> list[Path]:
    """Where the weights of a decision on metadata are, one folder a fold; the shipped ones if it has none."""
    if not is_trained(name):
        return [SHIPPED]
    places = [each / "metadata" for each in folders(name)]
    return [place if place.is_dir() else SHIPPED for place in places]
