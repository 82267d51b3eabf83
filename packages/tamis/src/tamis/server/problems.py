"""Errors as problem details (RFC 9457). The kinds are those of our error tree, and what only a server knows."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import NamedTuple

from tamis.errors import (
    BrowserMissing,
    FetchError,
    FetchRefused,
    FetchTimeout,
    InputError,
    MissingExtra,
    OptionError,
    OutOfMemory,
    PageTooLarge,
    PageTooSlow,
    TamisError,
    UnknownExtractor,
    WeightsError,
)
from tamis.inputs import NotAPage, NotContent
from tamis.worker.process import Failure
from tamis.worker.service import ServiceBusy, WorkerLost

MEDIA_TYPE = "application/problem+json"
# Each kind is a heading there.
DOCS = "https://tamis-extract.github.io/tamis/server/"


class Kind(NamedTuple):
    """A kind of problem."""

    name: str
    status: HTTPStatus
    title: str


class Problem(NamedTuple):
    """What went wrong with one request."""

    kind: Kind
    detail: str

    def answer(self, request_id: str) -> tuple[list[tuple[bytes, bytes]], bytes]:
        """The headers of an answer, and its body."""
        body = json.dumps(self.as_dict() | {"instance": f"urn:request:{request_id}"}).encode()
        own = [(b"content-type", MEDIA_TYPE.encode()), (b"content-length", str(len(body)).encode())]
        return [*own, *_HEADERS.get(self.kind, ())], body

    def as_dict(self) -> dict[str, object]:
        """The members of RFC 9457, and the kind as a word."""
        name, status, title = self.kind
        return {
            "type": f"{DOCS}#{name}",
            "title": title,
            "status": status.value,
            "detail": self.detail,
            "kind": name,
        }


class RequestError(TamisError):
    """A request that can't be answered."""

    def __init__(self, kind: Kind, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind


BAD_JSON = Kind("bad-json", HTTPStatus.BAD_REQUEST, "The body is no JSON")
BAD_HOST = Kind("bad-host", HTTPStatus.BAD_REQUEST, "The Host header names another server")
NO_KEY = Kind("no-key", HTTPStatus.UNAUTHORIZED, "An API key is needed")
CROSS_ORIGIN = Kind("cross-origin", HTTPStatus.FORBIDDEN, "A web page of another origin may not ask")
REFUSED = Kind("fetch-refused", HTTPStatus.FORBIDDEN, "This address may not be fetched")
NOT_FOUND = Kind("not-found", HTTPStatus.NOT_FOUND, "There is nothing at this path")
WRONG_METHOD = Kind("wrong-method", HTTPStatus.METHOD_NOT_ALLOWED, "The path has no such method")
NOT_ACCEPTABLE = Kind("not-acceptable", HTTPStatus.NOT_ACCEPTABLE, "None of the media types asked for can be written")
HEAD_TOO_SLOW = Kind("head-too-slow", HTTPStatus.REQUEST_TIMEOUT, "The head of the request took too long")
BODY_TOO_SLOW = Kind("body-too-slow", HTTPStatus.REQUEST_TIMEOUT, "The body took too long")
TOO_LARGE = Kind("page-too-large", HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "The page is too large")
OUT_OF_MEMORY = Kind("out-of-memory", HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "The page needs too much memory")
WRONG_TYPE = Kind("wrong-type", HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "The body has a type that is not read")
NOT_A_PAGE = Kind("not-a-page", HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "This is no web page")
WRONG_OPTION = Kind("wrong-option", HTTPStatus.UNPROCESSABLE_ENTITY, "The request does not fit its description")
UNREADABLE = Kind("unreadable", HTTPStatus.UNPROCESSABLE_ENTITY, "The page can't be read")
HEAD_TOO_LARGE = Kind(
    "head-too-large", HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "The head of the request is too large"
)
INTERNAL = Kind("internal", HTTPStatus.INTERNAL_SERVER_ERROR, "The server has an error")
MISSING_EXTRA = Kind("missing-extra", HTTPStatus.NOT_IMPLEMENTED, "The server lacks a package")
CRASH = Kind("crash", HTTPStatus.BAD_GATEWAY, "The page ended its worker process")
FETCH_FAILED = Kind("fetch-failed", HTTPStatus.BAD_GATEWAY, "The address could not be fetched")
BUSY = Kind("busy", HTTPStatus.SERVICE_UNAVAILABLE, "The server is busy")
TOO_SLOW = Kind("page-too-slow", HTTPStatus.GATEWAY_TIMEOUT, "The page took too long")
FETCH_TOO_SLOW = Kind("fetch-too-slow", HTTPStatus.GATEWAY_TIMEOUT, "The address took too long")

_HEADERS = {BUSY: ((b"retry-after", b"1"),), NO_KEY: ((b"www-authenticate", b"Bearer"),)}

# Their details have the address.
OF_FETCHING = (REFUSED, FETCH_FAILED, FETCH_TOO_SLOW)

# The first that fits decides, so a class stands before those above it in the tree.
_KINDS: tuple[tuple[type[Exception], Kind], ...] = (
    (FetchRefused, REFUSED),
    (FetchTimeout, FETCH_TOO_SLOW),
    (FetchError, FETCH_FAILED),
    (NotAPage, NOT_A_PAGE),
    (NotContent, WRONG_OPTION),
    (OutOfMemory, OUT_OF_MEMORY),
    (PageTooLarge, TOO_LARGE),
    (PageTooSlow, TOO_SLOW),
    (InputError, UNREADABLE),
    (UnknownExtractor, WRONG_OPTION),
    (OptionError, WRONG_OPTION),
    (MissingExtra, MISSING_EXTRA),
    (BrowserMissing, MISSING_EXTRA),
    (WeightsError, INTERNAL),
    (ServiceBusy, BUSY),
    (WorkerLost, CRASH),
)
_FAILURES = {"timeout": TOO_SLOW, "crash": CRASH, "memory": OUT_OF_MEMORY}


def problem_of(error: Exception) -> Problem:
    """The problem that an error is. The words of an error that is not ours stay here: they may tell of our insides."""
    if isinstance(error, RequestError):
        return Problem(error.kind, str(error))
    for kind, found in _KINDS:
        if isinstance(error, kind):
            return Problem(found, str(error))
    return Problem(INTERNAL, str(error) if isinstance(error, TamisError) else "an unexpected error, see the log")


def problem_of_failure(failure: Failure) -> Problem:
    """The problem of a page that missed its deadline, took too much memory or ended its worker."""
    return Problem(_FAILURES[failure.kind], failure.reason)


def names() -> list[str]:
    """The names of all kinds."""
    return sorted(kind.name for kinds in all_kinds().values() for kind in kinds)


def all_kinds() -> dict[HTTPStatus, list[Kind]]:
    """Every kind, by status, for the description of the server."""
    found: dict[HTTPStatus, list[Kind]] = {}
    for value in globals().values():
        if isinstance(value, Kind):
            found.setdefault(value.status, []).append(value)
    return dict(sorted(found.items()))
