"""Every option of an extraction, once: its name, type, default and help.

The classes hold the values; command line, server, frameworks and documentation read names, defaults and help from their
fields. The typed dicts below have the same names and types for `**options: Unpack[...]` (PEP 692), so that type
checkers find a misspelt option and editors complete them. `renamed.py` has the names that options had before.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict, TypeVar

from tamis.errors import OptionError, did_you_mean
from tamis.inputs import check_timeout
from tamis.registry import DEFAULT, check
from tamis.renamed import with_new_names

if TYPE_CHECKING:
    from tamis.protocol import Extractor

CHUNK_TOKENS = 512  # what most models that embed texts read at once
TIMEOUT = 30.0  # seconds for a page among many
# Megabytes for a page among many, beyond what a worker has before it. Only Linux can limit them.
MEMORY = 2_048 if sys.platform == "linux" else None

Function = TypeVar("Function", bound=Callable[..., Any])


class Option(NamedTuple):
    """What is known about an option beside its name and type."""

    help: str
    default: Any
    flag: str  # on the command line; empty if it has none there
    off: str  # help of the flag that switches off what is on by default


def option(default: Any, help: str, *, flag: str = "", off: str = "") -> Any:
    """A field of the classes below."""
    return field(default=default, metadata=_about(default, help, flag, off))


def _about(default: Any, help: str, flag: str = "", off: str = "") -> dict[str, Option]:
    return {"option": Option(help, default, flag, off)}


@dataclass(frozen=True, kw_only=True)
class ContentOptions:
    """What is kept of a page and how it is written."""

    favor_precision: bool = option(False, "keep only what is surely content", flag="precision")
    favor_recall: bool = option(False, "also keep text that may be content", flag="recall")
    include_title: bool = option(False, "write the title above the content", flag="title")
    include_comments: bool = option(False, "also keep readers' comments", flag="comments")
    visible_only: bool = option(
        False, "keep nothing that the page folds away, such as closed tabs and details", flag="visible-only"
    )
    include_links: bool = option(
        True, "write links in Markdown and HTML", flag="links", off="write links without their targets"
    )
    include_images: bool = option(
        True, "write images in Markdown and HTML", flag="images", off="leave images out of Markdown and HTML"
    )
    include_tables: bool = option(
        True, "write tables as tables in Markdown and HTML", flag="tables", off="write tables as plain lines"
    )

    def part(self, cls: type[ContentOptions]) -> dict[str, Any]:
        """The options that a class has, as keywords."""
        return {name: getattr(self, name) for name in cls.__dataclass_fields__}


@dataclass(frozen=True, kw_only=True)
class ExtractOptions(ContentOptions):
    """The options of `tamis.extract`. Raises OptionError for options that are wrong or contradict each other."""

    extractor: str | Extractor = field(
        default=DEFAULT,
        kw_only=False,
        metadata=_about(DEFAULT, "a name that tamis extractors lists, a folder of weights of yours, or NAME=FOLDER"),
    )
    timeout: float | None = option(None, "the most seconds for the extraction of a page, and again for each output")

    def __post_init__(self) -> None:
        if self.favor_precision and self.favor_recall:
            raise OptionError("favor_precision and favor_recall exclude each other")
        if isinstance(self.extractor, str):
            check(self.extractor)
        elif isinstance(self.extractor, type) or not callable(getattr(self.extractor, "label", None)):
            raise OptionError(f"an extractor is a name or an object with a label method, not {self.extractor!r}")
        if self.timeout is not None:
            check_timeout(self.timeout)


@dataclass(frozen=True, kw_only=True)
class ChunkOptions(ExtractOptions):
    """The options of what can divide pages into chunks."""

    chunk_tokens: int | None = option(None, "divide pages into chunks of at most this many tokens")
    chunk_overlap: int = option(0, "the most tokens that a chunk repeats of the one before, at most half of a chunk")

    def __post_init__(self) -> None:
        super().__post_init__()
        tokens = CHUNK_TOKENS if self.chunk_tokens is None else self.chunk_tokens
        if self.chunk_overlap < 0 or tokens < max(16, 2 * self.chunk_overlap):
            raise OptionError("chunk_tokens must be at least 16, and twice chunk_overlap")


@dataclass(frozen=True, kw_only=True)
class PageOptions(ExtractOptions):
    """The options of a page that is worked on in another process, with limits."""

    timeout: float = option(TIMEOUT, "the most seconds for a page")
    memory: int | None = option(MEMORY, "the most megabytes for a page; None is no limit")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.timeout is None or (self.memory is not None and self.memory < 1):
            raise OptionError("timeout and memory must be above zero")


@dataclass(frozen=True, kw_only=True)
class PoolOptions(PageOptions):
    """The options of pages for several processes."""

    workers: int | None = option(None, "processes for pages; by default one a core")


@dataclass(frozen=True, kw_only=True)
class ManyOptions(PoolOptions, ChunkOptions):
    """The options of `tamis.extract_many`."""

    text: bool = option(True, "whether results have the text")
    metadata: bool = option(False, "whether results have authors, dates, tags and so on")
    markdown: bool = option(False, "whether results have the Markdown")
    title: bool = option(True, "whether results have the title")
    page_type: bool = option(True, "whether results have the type of the page")


class SiteKeywords(TypedDict, total=False):
    """`ContentOptions` and the timeout: the keywords of `Site.extract`."""

    favor_precision: bool
    favor_recall: bool
    include_title: bool
    include_comments: bool
    visible_only: bool
    include_links: bool
    include_images: bool
    include_tables: bool
    timeout: float | None


class ExtractKeywords(SiteKeywords, total=False):
    """`ExtractOptions` as keywords."""

    extractor: str | Extractor


class ChunkKeywords(ExtractKeywords, total=False):
    """`ChunkOptions` as keywords."""

    chunk_tokens: int | None
    chunk_overlap: int


class PoolKeywords(ExtractKeywords, total=False):
    """`PoolOptions` as keywords."""

    memory: int | None
    workers: int | None


class ManyKeywords(PoolKeywords, total=False):
    """`ManyOptions` as keywords."""

    chunk_tokens: int | None
    chunk_overlap: int
    text: bool
    metadata: bool
    markdown: bool
    title: bool
    page_type: bool


Options = TypeVar("Options", bound=ContentOptions)


def options_of(cls: type[Options]) -> dict[str, Option]:
    """What is known about each option of a class, by name."""
    return {each.name: each.metadata["option"] for each in fields(cls) if "option" in each.metadata}


def add_help(schema: dict[str, Any]) -> None:
    """Add the help of each option to a JSON schema of pydantic, as its `json_schema_extra`."""
    known = options_of(ManyOptions)
    for name, property in schema["properties"].items():
        if name in known:
            property.setdefault("description", known[name].help)


def read(cls: type[Options], given: Mapping[str, Any], **defaults: object) -> Options:
    """The options of a call; `defaults` are those that differ from the class.

    Old names work, with a warning. Raises TypeError for names that are none, and what the class raises.
    """
    known: dict[str, Field[Any]] = cls.__dataclass_fields__
    named = with_new_names(given, known)
    for name in named:
        if name not in known:
            raise TypeError(f"there is no option {name!r}; {did_you_mean(name, known)}".rstrip("; "))
    wanted: dict[str, Any] = defaults | named
    return cls(**wanted)


def takes(
    cls: type[ContentOptions], *, without: tuple[str, ...] = (), **defaults: object
) -> Callable[[Function], Function]:
    """A decorator for a function with `**options`: its signature at run time names each of them, with its default.

    So `help` shows them, notebooks complete them, and frameworks that look at signatures find them.
    """
    more = [
        inspect.Parameter(
            each.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=defaults.get(each.name, each.default),
            annotation=each.type,
        )
        for each in fields(cls)
        if each.name not in without
    ]

    def named(function: Function) -> Function:
        signature = inspect.signature(function)
        own = [each for each in signature.parameters.values() if each.kind is not inspect.Parameter.VAR_KEYWORD]
        names = {each.name for each in own}
        parameters = [*own, *(each for each in more if each.name not in names)]
        function.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        return function

    return named
