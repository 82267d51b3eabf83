"""Around all routes: request ids, the checks of host, origin and key, the log, the metrics, errors as problems."""

from __future__ import annotations

import hmac
import json
import logging
import random
import re
import time
from collections.abc import Callable, Collection
from http import HTTPStatus
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tamis.server.account import Account, Share
from tamis.server.problems import (
    BAD_HOST,
    CROSS_ORIGIN,
    HEAD_TOO_LARGE,
    INTERNAL,
    NO_KEY,
    NOT_FOUND,
    OF_FETCHING,
    WRONG_METHOD,
    Problem,
    RequestError,
    problem_of,
)

HEAD_BYTES = 65_536  # of the address and the headers of a request
_PIECE = 65_536  # bytes of an answer that are sent at once; the next piece waits until the client has taken these

log = logging.getLogger("tamis.server")

_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_CLIENT_GONE = 499  # as other servers log it; it is never sent
# Paths without a key: they reveal nothing, and the page at / asks for the key itself.
_OPEN = ("/healthz", "/", "/openapi.json")
_PAGE_FILES = "/playground/"
_PORT = re.compile(r":\d*$")


class _Answer:
    """Sends the answer to a request, in pieces, and knows its status. It counts as held until the last is taken."""

    def __init__(self, send: Send, share: Share, request_id: str) -> None:
        self._send, self._share, self.request_id = send, share, request_id
        self._start: Message | None = None
        self.status = self.sent = 0

    async def __call__(self, message: Message) -> None:
        """Send a message. Raises ServiceBusy if nothing of the answer is sent and it does not fit into the account."""
        if message["type"] == "http.response.start":
            self._start = message
            if any(name.lower() == b"content-length" for name, _ in message["headers"]):
                return  # the whole body comes next, and may not fit
            await self._begin()
            return
        body = message.get("body", b"")
        with self._share.holding(len(body)):
            await self._begin()
            for place in range(0, max(len(body), 1), _PIECE):
                more = message.get("more_body", False) or place + _PIECE < len(body)
                await self.send({**message, "body": body[place : place + _PIECE], "more_body": more})

    async def _begin(self) -> None:
        """Send the head of the answer, if it is not sent."""
        if self._start:
            start, self._start = self._start, None
            await self.send(start)

    async def send(self, message: Message) -> None:
        """Send a message at once. Raises ClientDisconnect if the client was hung up on."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            message["headers"] = [*message["headers"], (b"x-request-id", self.request_id.encode())]
        self.sent += len(message.get("body", b""))
        with self._share.waiting():
            await self._send(message)
        if self._share.is_closed:
            raise ClientDisconnect


class Front:
    """The outermost ASGI application."""

    def __init__(
        self,
        app: ASGIApp,
        account: Account,
        count: Callable[[str, str, int, float], None],
        *,
        key: str | None = None,
        hosts: Collection[str] | None = None,
        origins: Collection[str] = (),
    ) -> None:
        """Requests have their share of the `account` in their state; `count` counts them in the metrics.

        `hosts`: the names that the Host header may have. `origins`: those whose web pages may ask; "*" is all.
        """
        self._app, self._account, self._count = app, account, count
        self._hosts, self._origins = hosts, origins
        self._key = None if key is None else key.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; other events, such as the start of the server, go through."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start = time.perf_counter()
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        given = headers.get(b"x-request-id", "")
        request_id = given if _ID.fullmatch(given) else f"{random.getrandbits(128):032x}"
        scope["app"] = self  # so that a router raises its errors and does not answer them itself
        state = scope.setdefault("state", {})
        with self._account.share(state.get("hang_up")) as share:
            state["share"] = share
            answer = _Answer(send, share, request_id)
            problem = await self._answered(scope, headers, receive, answer)
        seconds = time.perf_counter() - start
        path = scope["route"].path if "route" in scope else "other"
        self._count(path, _method(scope), answer.status, seconds)
        fields: dict[str, Any] = {
            "request_id": request_id,
            "method": _method(scope),
            "path": path,
            "status": answer.status,
            "seconds": round(seconds, 4),
            "bytes": answer.sent,
            **(_logged(problem) if problem else {}),
        }
        log.info("request", extra={"fields": fields})

    async def _answered(
        self, scope: Scope, headers: dict[bytes, str], receive: Receive, answer: _Answer
    ) -> Problem | None:
        """Let the application answer; the problem that was the answer, or that ended it."""
        extra: list[tuple[bytes, bytes]] = []
        try:
            self._check(scope, headers)
            await self._app(scope, receive, answer)
            return None
        except ClientDisconnect:
            answer.status = _CLIENT_GONE
            return None
        except HTTPException as error:  # of starlette's routes
            kind = WRONG_METHOD if error.status_code == WRONG_METHOD.status else NOT_FOUND
            problem = Problem(kind, f"{scope['method'][:20]} {scope['path'][:200]}")
            extra = [(name.lower().encode(), value.encode()) for name, value in (error.headers or {}).items()]
        except Exception as error:
            problem = problem_of(error)
            if problem.kind is INTERNAL:
                log.exception("unexpected error", extra={"fields": {"request_id": answer.request_id}})
        if not answer.status:
            own, body = problem.answer(answer.request_id)
            await answer.send({"type": "http.response.start", "status": problem.kind.status, "headers": own + extra})
            await answer.send({"type": "http.response.body", "body": body})
        return problem

    def _check(self, scope: Scope, headers: dict[bytes, str]) -> None:
        """Raise RequestError if the head is too large, or the host, the origin or the key is wrong."""
        size = (
            len(scope["path"]) + len(scope["query_string"]) + sum(len(one) + len(two) for one, two in scope["headers"])
        )
        if size > HEAD_BYTES:
            raise RequestError(HEAD_TOO_LARGE, f"address and headers have more than {HEAD_BYTES:,} bytes")
        names = [name for name, _ in scope["headers"]]
        if names.count(b"host") > 1 or names.count(b"origin") > 1:  # proxies and browsers disagree on which one counts
            raise RequestError(BAD_HOST, "the request has more than one Host or Origin header")
        host = _PORT.sub("", headers.get(b"host", "")).lower()
        if self._hosts is not None and host not in self._hosts:
            raise RequestError(BAD_HOST, f"this server is not called {host[:100]!r}; --allow-host NAME adds a name")
        origin = headers.get(b"origin", "")
        if not {"*", origin} & {*self._origins} and _is_foreign(host, origin, headers):
            raise RequestError(CROSS_ORIGIN, "a web page of another origin sends this; --cors ORIGIN allows it")
        path = scope["path"]
        if self._key is None or path in _OPEN or path.startswith(_PAGE_FILES) or scope["method"] == "OPTIONS":
            return
        bearer = headers.get(b"authorization", "")
        given = bearer[7:] if bearer[:7].lower() == "bearer " else headers.get(b"x-api-key", "")
        if not hmac.compare_digest(given.encode("latin-1"), self._key):
            raise RequestError(NO_KEY, "send the key as Authorization: Bearer KEY or X-API-Key: KEY")


def _is_foreign(host: str, origin: str, headers: dict[bytes, str]) -> bool:
    """Does a browser send this for a web page of another origin?

    The page could not read the answer, but could have addresses fetched. Browsers say where a request comes from, on
    untrusted connections only by Origin. A link that a user follows is fine.
    """
    site = headers.get(b"sec-fetch-site", "")
    if not site:
        return bool(origin) and _PORT.sub("", origin.partition("://")[2]).lower() != host
    is_link = (headers.get(b"sec-fetch-mode"), headers.get(b"sec-fetch-dest")) == ("navigate", "document")
    return site not in ("same-origin", "none") and (bool(origin) or not is_link)


def _method(scope: Scope) -> str:
    """The method, or "other": a client can invent methods, and each would get its own counter."""
    method: str = scope["method"]
    return method if method in ("GET", "HEAD", "POST", "OPTIONS") else "other"


def _logged(problem: Problem) -> dict[str, str]:
    """A problem in the log, without details that may contain addresses or the client's own text."""
    is_ours = problem.kind.status >= HTTPStatus.INTERNAL_SERVER_ERROR and problem.kind not in OF_FETCHING
    return {"problem": problem.kind.name, **({"detail": problem.detail} if is_ours else {})}


class JsonLines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as JSON; a page or an address can't break the line."""
        fields = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **getattr(record, "fields", {}),
            **({"error": self.formatException(record.exc_info)} if record.exc_info else {}),
        }
        return json.dumps(fields, ensure_ascii=True)
