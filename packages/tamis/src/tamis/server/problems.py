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
# Each kind is a heading on this page.
DOCS = "https://tamis-extract.github.io/tamis/server/"


class ProblemKind(NamedTuple):
    """A kind of problem."""

    name: str
    status: HTTPStatus
    title: str


class Problem(NamedTuple):
    """What went wrong with one request."""

    kind: ProblemKind
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

    def __init__(self, kind: ProblemKind, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind


BAD_JSON = ProblemKind("bad-json", HTTPStatus.BAD_REQUEST, "The body is not JSON")
BAD_HOST = ProblemKind("bad-host", HTTPStatus.BAD_REQUEST, "The Host header names another server")
NO_KEY = ProblemKind("no-key", HTTPStatus.UNAUTHORIZED, "An API key is needed")
CROSS_ORIGIN = ProblemKind("cross-origin", HTTPStatus.FORBIDDEN, "Web pages of other origins may not send requests")
REFUSED = ProblemKind("fetch-refused", HTTPStatus.FORBIDDEN, "This address may not be fetched")
NOT_FOUND = ProblemKind("not-found", HTTPStatus.NOT_FOUND, "Nothing is at this path")
WRONG_METHOD = ProblemKind("wrong-method", HTTPStatus.METHOD_NOT_ALLOWED, "The path does not take this method")
NOT_ACCEPTABLE = ProblemKind(
    "not-acceptable", HTTPStatus.NOT_ACCEPTABLE, "None of the accepted media types is available"
)
HEAD_TOO_SLOW = ProblemKind("head-too-slow", HTTPStatus.REQUEST_TIMEOUT, "The head of the request took too long")
BODY_TOO_SLOW = ProblemKind("body-too-slow", HTTPStatus.REQUEST_TIMEOUT, "The body took too long")
TOO_LARGE = ProblemKind("page-too-large", HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "The page is too large")
OUT_OF_MEMORY = ProblemKind("out-of-memory", HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "The page needs too much memory")
WRONG_TYPE = ProblemKind("wrong-type", HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "The type of the body is not supported")
NOT_A_PAGE = ProblemKind("not-a-page", HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "This is not a web page")
WRONG_OPTION = ProblemKind("wrong-option", HTTPStatus.UNPROCESSABLE_ENTITY, "The request does not fit its description")
UNREADABLE = ProblemKind("unreadable", HTTPStatus.UNPROCESSABLE_ENTITY, "The page can't be read")
HEAD_TOO_LARGE = ProblemKind(
    "head-too-large", HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "The head of the request is too large"
)
INTERNAL = ProblemKind("internal", HTTPStatus.INTERNAL_SERVER_ERROR, "The server failed")
MISSING_EXTRA = ProblemKind("missing-extra", HTTPStatus.NOT_IMPLEMENTED, "The server lacks a package")
CRASH = ProblemKind("crash", HTTPStatus.BAD_GATEWAY, "The page crashed its worker process")
FETCH_FAILED = ProblemKind("fetch-failed", HTTPStatus.BAD_GATEWAY, "The address could not be fetched")
BUSY = ProblemKind("busy", HTTPStatus.SERVICE_UNAVAILABLE, "The server is busy")
TOO_SLOW = ProblemKind("page-too-slow", HTTPStatus.GATEWAY_TIMEOUT, "The page took too long")
FETCH_TOO_SLOW = ProblemKind("fetch-too-slow", HTTPStatus.GATEWAY_TIMEOUT, "The address took too long")

_HEADERS = {BUSY: ((b"retry-after", b"1"),), NO_KEY: ((b"www-authenticate", b"Bearer"),)}

# The details of these contain the address.
OF_FETCHING = (REFUSED, FETCH_FAILED, FETCH_TOO_SLOW)

# The first match decides, so a class comes before its base classes.
_KINDS: tuple[tuple[type[Exception], ProblemKind], ...] = (
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
    """An error as a problem. The message of a foreign error is not passed on: it may reveal internals."""
    if isinstance(error, RequestError):
        return Problem(error.kind, str(error))
    for error_class, kind in _KINDS:
        if isinstance(error, error_class):
            return Problem(kind, str(error))
    return Problem(INTERNAL, str(error) if isinstance(error, TamisError) else "an unexpected error, see the log")


def problem_of_failure(failure: Failure) -> Problem:
    """The problem of a page that missed its deadline, took too much memory or crashed its worker."""
    return Problem(_FAILURES[failure.kind], failure.reason)


def names() -> list[str]:
    """The names of all kinds."""
    return sorted(value.name for value in globals().values() if isinstance(value, ProblemKind))
