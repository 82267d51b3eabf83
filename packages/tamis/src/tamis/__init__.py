"""tamis: give it any web page, get back only the main content."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # typing alone takes a tenth of the time of a help text
if TYPE_CHECKING:
    from tamis import batch as batch
    from tamis import errors as errors
    from tamis import explain as explain
    from tamis import labels as labels
    from tamis import testing as testing
    from tamis.api import extract as extract
    from tamis.api import read_metadata as read_metadata
    from tamis.batch.many import Extracted as Extracted
    from tamis.batch.many import extract_many as extract_many
    from tamis.document import Document as Document
    from tamis.errors import FetchError as FetchError
    from tamis.errors import InputError as InputError
    from tamis.errors import MissingExtra as MissingExtra
    from tamis.errors import OptionError as OptionError
    from tamis.errors import PageFailed as PageFailed
    from tamis.errors import PageTooLarge as PageTooLarge
    from tamis.errors import PageTooSlow as PageTooSlow
    from tamis.errors import TamisError as TamisError
    from tamis.errors import UnknownExtractor as UnknownExtractor
    from tamis.errors import WeightsError as WeightsError
    from tamis.inputs import RawPage as RawPage
    from tamis.labels import Labels as Labels
    from tamis.labels import Role as Role
    from tamis.metadata import Metadata as Metadata
    from tamis.page import Page as Page
    from tamis.page_type import PageState as PageState
    from tamis.protocol import Extractor as Extractor
    from tamis.records.facts import Facts as Facts
    from tamis.records.items import Item as Item
    from tamis.records.links import ContentLink as ContentLink
    from tamis.records.posts import Post as Post
    from tamis.registry import extractors as extractors
    from tamis.site import Site as Site
    from tamis.web import fetch as fetch

__version__ = "0.2.0"

_PUBLIC = {
    "api": ("extract", "read_metadata"),
    "batch.many": ("extract_many", "Extracted"),
    "document": ("Document",),
    "errors": (
        *("TamisError", "InputError", "PageTooLarge", "PageTooSlow", "PageFailed", "FetchError"),
        *("OptionError", "UnknownExtractor", "MissingExtra", "WeightsError"),
    ),
    "inputs": ("RawPage",),
    "labels": ("Labels", "Role"),
    "metadata": ("Metadata",),
    "page": ("Page",),
    "page_type": ("PageState",),
    "protocol": ("Extractor",),
    "records.facts": ("Facts",),
    "records.items": ("Item",),
    "records.links": ("ContentLink",),
    "records.posts": ("Post",),
    "registry": ("extractors",),
    "site": ("Site",),
    "web": ("fetch",),
}
# The module of each public name, which is loaded on first use, so that the command line starts at once.
_HOMES = {name: module for module, names in _PUBLIC.items() for name in names}
__all__ = ["__version__", *_HOMES]
_ROOMS = ("batch", "errors", "explain", "labels", "testing")  # modules with public names of their own


def __getattr__(name: str) -> object:
    if name in _ROOMS:
        return import_module(f"tamis.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'tamis' has no attribute {name!r}")
    value: object = getattr(import_module(f"tamis.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, *_ROOMS])
