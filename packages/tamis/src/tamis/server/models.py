"""Requests as models. The same options come as JSON or in the query of a URL."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Annotated, Literal, Self, TypeVar, get_args

import pydantic_core
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from tamis.document.selectors import checked_selectors
from tamis.option_table import CHUNK_TOKENS
from tamis.options import ContentOptions, add_help
from tamis.registry import DEFAULT, extractors
from tamis.renamed import with_favor
from tamis.server.problems import BAD_JSON, WRONG_OPTION, RequestError

Format = Literal[
    "text",
    "markdown",
    "html",
    "xml",
    "tei",
    "posts",
    "comments",
    "items",
    "facts",
    "links",
    "media",
    "chunks",
    "structured_data",
    "highlighted",
    "annotated",
]
FORMATS: tuple[str, ...] = get_args(Format)

_LONGEST_URL = 8_000  # characters
Whole = Annotated[
    int, BeforeValidator(lambda value: int(value) if isinstance(value, float) and value.is_integer() else value)
]  # in JSON, 512.0 is a whole number, too
Url = Annotated[str, Field(pattern=r"^[Hh][Tt][Tt][Pp][Ss]?://\S+$", max_length=_LONGEST_URL)]


def usable_extractors() -> list[str]:
    """The extractors that a request may name, which excludes those that run a browser and paths of weights."""
    return [name for name, entry in extractors().items() if not entry.draws]


class PageOptions(BaseModel, ContentOptions, frozen=True):
    """How a page is extracted, and what the answer holds. Names are those of `tamis.extract`."""

    model_config = ConfigDict(extra="forbid", strict=True, json_schema_extra=add_help)

    extractor: str = Field(
        default=DEFAULT, description="a name from /v1/extractors", json_schema_extra={"enum": [*usable_extractors()]}
    )
    formats: list[Format] = Field(
        default=["text"], max_length=len(FORMATS), description="what the answer holds besides metadata and page type"
    )
    metadata: bool = Field(default=True, description="title, authors, date and so on, each with its source")
    blocks: bool = Field(default=False, description="every block of the page, kept or not, with score, role and XPath")
    threshold: float | None = Field(
        default=None,
        ge=0,
        le=1,
        description="the score from which text is kept, whatever is favored",
    )
    chunk_tokens: Whole = Field(default=CHUNK_TOKENS, ge=16, le=1_000_000)
    chunk_overlap: Whole = Field(default=0, ge=0, le=500_000)

    @property
    def overlap(self) -> int:
        """`chunk_overlap`, which can't be more than half of a chunk."""
        return min(self.chunk_overlap, self.chunk_tokens // 2)

    @model_validator(mode="before")
    @classmethod
    def _with_new_names(cls, given: dict[str, object]) -> dict[str, object]:
        return with_favor(given)

    @model_validator(mode="after")
    def _check_options(self) -> Self:
        if self.extractor not in usable_extractors():
            raise ValueError(f"no extractor is called {self.extractor!r} here; see /v1/extractors")
        for name in ("prune", "keep"):
            checked_selectors(name, getattr(self, name))
        if self.favor_precision and self.favor_recall:
            raise ValueError("favor_precision and favor_recall exclude each other")
        return self


class AddressedOptions(PageOptions, frozen=True):
    """The options of a page whose HTML is the body of the request."""

    url: Url | None = Field(default=None, description="the address of the page; it makes links absolute")


class FetchedOptions(PageOptions, frozen=True):
    """The options of a page that is fetched."""

    url: Url = Field(description="the address of the page")


class ExtractRequest(AddressedOptions, frozen=True):
    """A page, or the address of one."""

    html: str | None = Field(default=None, description="the page; without it, `url` is fetched")

    @model_validator(mode="after")
    def _has_page(self) -> Self:
        if self.html is None and self.url is None:
            raise ValueError("give html or url")
        return self


Options = TypeVar("Options", bound=PageOptions)


def from_json(body: bytes, query: Iterable[tuple[str, str]] = ()) -> ExtractRequest:
    """A request as JSON; the query of the URL may add options. Raises RequestError."""
    try:
        given = pydantic_core.from_json(body)
    except ValueError as error:
        raise RequestError(BAD_JSON, str(error)[:200]) from None
    if not isinstance(given, dict):
        raise RequestError(WRONG_OPTION, "the body is not a JSON object")
    in_query = _typed_query_values(AddressedOptions, query)
    if in_query:
        _validated_options(AddressedOptions, in_query)
    return _validated_options(ExtractRequest, in_query | given)


def from_query(model: type[Options], query: Iterable[tuple[str, str]]) -> Options:
    """Options in the query of a URL: true and false, numbers, and lists with commas or given several times.

    Raises RequestError.
    """
    return _validated_options(model, _typed_query_values(model, query))


def _typed_query_values(model: type[PageOptions], query: Iterable[tuple[str, str]]) -> dict[str, object]:
    """The values in a query, typed as in JSON. Raises RequestError."""
    values: dict[str, object] = {}
    lists: dict[str, list[str]] = {}
    for name, word in query:
        kind = model.model_fields[name].annotation if name in model.model_fields else None
        if name == "formats":
            words = [each for each in word.split(",") if each]
            lists.setdefault(name, []).extend(words)
        elif name in values:
            raise RequestError(WRONG_OPTION, f"{name}: given twice")
        else:
            values[name] = _number_or_bool(word) if kind in (bool, int, float | None) else word
    return values | lists


def _validated_options(model: type[Options], values: dict[str, object]) -> Options:
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise RequestError(WRONG_OPTION, validation_message(error)) from None


def _number_or_bool(word: str) -> object:
    """The value of a number, true or false in JSON; any other word unchanged."""
    try:
        value: object = json.loads(word)
    except ValueError:
        return word
    return value if isinstance(value, bool | int | float) else word


def validation_message(error: ValidationError) -> str:
    """The errors in one line, without the page."""
    found = [
        ": ".join(filter(None, (".".join(map(str, each["loc"])), each["msg"].removeprefix("Value error, "))))
        for each in error.errors(include_url=False, include_input=False)
    ]
    return "; ".join(found)[:500]
