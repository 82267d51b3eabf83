"""Every option of an extraction, once: its name, type, default and help.

The classes hold the values; `option_table.py` has their defaults and help for command line, server, frameworks and
documentation. The typed dicts below have the same names and types for `**options: Unpack[...]` (PEP 692), so that type
checkers find a misspelt option and editors complete them. `renamed.py` has the names that options had before.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

from tamis.document.selectors import checked_selectors
from tamis.errors import OptionError, did_you_mean
from tamis.inputs import check_timeout
from tamis.option_table import CHUNK_TOKENS, OPTIONS, TIMEOUT, Option
from tamis.registry import DEFAULT, check
from tamis.renamed import with_new_names

if TYPE_CHECKING:
    from tamis.protocol import Extractor

Function = TypeVar("Function", bound=Callable[..., Any])


def option(name: str) -> Any:
    """A field with the default of the table."""
    return field(default=OPTIONS[name].default)


@dataclass(frozen=True, kw_only=True, init=False, repr=False, eq=False)
class ContentOptions:
    """Which text of a page is kept, and how it is written."""

    favor_precision: bool = option("favor_precision")
    favor_recall: bool = option("favor_recall")
    include_title: bool = option("include_title")
    include_comments: bool = option("include_comments")
    visible_only: bool = option("visible_only")
    include_links: bool = option("include_links")
    include_images: bool = option("include_images")
    include_tables: bool = option("include_tables")
    links_as_references: bool = option("links_as_references")
    prune: str | Sequence[str] = option("prune")
    keep: str | Sequence[str] = option("keep")

    def part(self, cls: type[ContentOptions]) -> dict[str, Any]:
        """The options that a class has, as keywords."""
        return {name: getattr(self, name) for name in cls.__dataclass_fields__}


@dataclass(frozen=True, kw_only=True)
class ExtractOptions(ContentOptions):
    """The options of `tamis.extract`. Raises OptionError for options that are wrong or contradict each other."""

    extractor: str | Extractor = field(default=DEFAULT, kw_only=False)
    timeout: float | None = option("timeout")

    def __post_init__(self) -> None:
        if self.favor_precision and self.favor_recall:
            raise OptionError("favor_precision and favor_recall exclude each other")
        for name in ("prune", "keep"):
            object.__setattr__(self, name, checked_selectors(name, getattr(self, name)))
        if isinstance(self.extractor, str):
            check(self.extractor)
        elif isinstance(self.extractor, type) or not callable(getattr(self.extractor, "label", None)):
            raise OptionError(f"an extractor is a name or an object with a label method, not {self.extractor!r}")
        if self.timeout is not None:
            check_timeout(self.timeout)


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class ChunkOptions(ExtractOptions):
    """The options of what can divide pages into chunks."""

    chunk_tokens: int | None = option("chunk_tokens")
    chunk_overlap: int = option("chunk_overlap")

    def __post_init__(self) -> None:
        super().__post_init__()
        tokens = CHUNK_TOKENS if self.chunk_tokens is None else self.chunk_tokens
        if self.chunk_overlap < 0 or tokens < max(16, 2 * self.chunk_overlap):
            raise OptionError("chunk_tokens must be at least 16, and twice chunk_overlap")


@dataclass(frozen=True, kw_only=True, init=False, repr=False, eq=False)
class PageOptions(ExtractOptions):
    """The options of a page that another process works on, with limits."""

    timeout: float = TIMEOUT
    memory: int | None = option("memory")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.timeout is None or (self.memory is not None and self.memory < 1):
            raise OptionError("timeout and memory must be above zero")


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class PoolOptions(PageOptions):
    """The options of pages for several processes."""

    workers: int | None = option("workers")


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class ManyOptions(PoolOptions, ChunkOptions):
    """The options of `tamis.extract_many`."""

    text: bool = option("text")
    metadata: bool = option("metadata")
    markdown: bool = option("markdown")
    title: bool = option("title")
    page_type: bool = option("page_type")
    state: bool = option("state")
    confidence: bool = option("confidence")


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
    links_as_references: bool
    prune: str | Sequence[str]
    keep: str | Sequence[str]
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
    state: bool
    confidence: bool


Options = TypeVar("Options", bound=ContentOptions)


def options_of(cls: type[ContentOptions]) -> dict[str, Option]:
    """The table's row for each option of a class, by name."""
    return {each.name: OPTIONS[each.name]._replace(default=each.default) for each in fields(cls)}


def add_help(schema: dict[str, Any]) -> None:
    """Add the help of each option to a JSON schema of pydantic, as its `json_schema_extra`."""
    for name, property in schema["properties"].items():
        if name in OPTIONS:
            property.setdefault("description", OPTIONS[name].help)


def resolve(cls: type[Options], given: Mapping[str, Any], **defaults: object) -> Options:
    """The options of a call; `defaults` are those that differ from the class.

    Old names work, with a warning. Raises TypeError for unknown names, and the errors of the class.
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
    kind = inspect.Parameter.KEYWORD_ONLY
    more = {
        each.name: inspect.Parameter(
            each.name, kind, default=defaults.get(each.name, each.default), annotation=each.type
        )
        for each in fields(cls)
        if each.name not in without
    }

    def named(function: Function) -> Function:
        signature = inspect.signature(function)
        own = signature.parameters.items()
        parameters = {name: each for name, each in own if each.kind is not inspect.Parameter.VAR_KEYWORD}
        every = (parameters | more | parameters).values()
        function.__signature__ = signature.replace(parameters=list(every))  # type: ignore[attr-defined]
        return function

    return named
