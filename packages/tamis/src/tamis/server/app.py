"""The routes of the server."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import aclosing, asynccontextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from tamis import __version__
from tamis.errors import TamisError
from tamis.inputs import RawPage, content_of
from tamis.registry import DEFAULT, extractors
from tamis.server import metrics, models
from tamis.server.account import Account, Bodies, Share
from tamis.server.fetching import FetchQueue
from tamis.server.front import Front
from tamis.server.jobs import POLICY, WARM_UP, Form, Job, Reply, page_service
from tamis.server.openapi import OPERATIONS, description
from tamis.server.problems import NOT_ACCEPTABLE, NOT_FOUND, WRONG_OPTION, WRONG_TYPE, Problem, RequestError, problem_of
from tamis.server.settings import Settings

Value = TypeVar("Value")
MediaType = TypeVar("MediaType", bound=str)

_PLAYGROUND = Path(__file__).parent / "playground"
# The page at / loads nothing but its own files, whatever is shown in its frame.
_PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; connect-src "
    "'self'; frame-src 'none'; font-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_PAGE_HEADERS = {
    "content-security-policy": _PAGE_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
}
_PAGE_TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
_PAGE_FILES = {path.name: path for path in _PLAYGROUND.iterdir() if path.suffix in _PAGE_TYPES}

# The content types of a page; `curl --data-binary` sends the last one with any file.
_HTML_TYPES = (
    "",
    "text/html",
    "application/xhtml+xml",
    "text/plain",
    "application/octet-stream",
    "application/x-www-form-urlencoded",
)
_LINES = ("application/x-ndjson", "application/jsonl", "application/x-jsonlines", "application/json", "text/plain")
# Pages of one batch in the queue, for each worker: enough to keep it busy, few enough to let other requests in.
_AHEAD = 2
_READ_FORMS: tuple[Form, ...] = ("text/markdown", "text/html", "application/json", "text/plain")
_READ_DEFAULTS = {"include_title": "true", "formats": "markdown"}


class _PageRequest(NamedTuple):
    """A page, or the address of one, and the options."""

    page: RawPage | str | None
    url: str | None
    options: models.PageOptions


class Server:
    """The state of a running server, and its routes."""

    def __init__(self, settings: Settings) -> None:
        """Start nothing yet. Raises OptionError."""
        self._settings = settings
        self._service = page_service(settings)
        self._account = Account(settings.most_held)
        self._bodies = Bodies(settings.max_bytes, settings.body_seconds)
        self._metrics = metrics.Metrics(lambda: self._service.pending, settings.workers)
        self._fetching = FetchQueue(settings.fetch, settings.fetches)

    def app(self) -> ASGIApp:
        """The whole application."""
        app: ASGIApp = Router(self._routes(), redirect_slashes=False, lifespan=self._life)
        of = self._settings
        app = Front(app, self._account, self._metrics.request, key=of.key, hosts=of.hosts, origins=of.cors)
        if of.cors:
            app = CORSMiddleware(
                app,
                allow_origins=of.cors,
                allow_methods=["GET", "POST"],
                allow_headers=["authorization", "content-type", "x-api-key", "x-request-id"],
                expose_headers=["x-request-id", "x-word-count", "x-token-count", "retry-after"],
            )
        return app

    def _routes(self) -> list[BaseRoute]:
        answers: dict[str, Callable[..., Awaitable[Response]]] = {
            "extract": partial(self._page_answer, form="extract"),
            "extractBatch": self._batch,
            "explain": partial(self._page_answer, form="explain"),
            "extractors": self._extractors,
            "read": self._read,
            "health": self._health,
            "metrics": self._show_metrics,
        }
        routes: list[BaseRoute] = [Route(each.path, answers[each.name], methods=[each.method]) for each in OPERATIONS]
        routes.append(Route("/openapi.json", self._openapi, methods=["GET"]))
        if self._settings.playground:
            routes += [Route("/", self._playground), Route("/playground/{name}", self._playground)]
        return routes

    @asynccontextmanager
    async def _life(self, app: Any) -> AsyncIterator[None]:
        """Worker processes, from the start of the server to its end."""
        await self._service.start(WARM_UP)
        try:
            yield
        finally:
            await self._service.close()

    async def _page_answer(self, request: Request, form: Form) -> Response:
        wanted = await self._page_request(request)
        return _response(await _unless_gone(request, self._answer(wanted, form, _share(request))))

    async def _page_request(self, request: Request) -> _PageRequest:
        """The page and the options in the body and the query of a request. Raises TamisError."""
        kind, charset = _content_type(request)
        if kind == "application/json":
            body = await self._bodies.whole(request, _share(request))
            return _from_json(body, request.query_params.multi_items())
        if kind not in _HTML_TYPES:
            raise RequestError(WRONG_TYPE, f"a body is text/html or application/json, not {kind[:60]}")
        options = models.from_query(models.AddressedOptions, request.query_params.multi_items())
        body = await self._bodies.whole(request, _share(request))
        if not body and not kind:
            raise RequestError(WRONG_OPTION, "the body is empty: send the page, or JSON with html or url")
        content_of(body)  # refuses a body that is only a URL
        return _PageRequest(RawPage(body, options.url, charset), None, options)

    async def _answer(self, wanted: _PageRequest, form: Form, share: Share, *, index: int | None = None) -> Reply:
        """The answer to a page, which is fetched if it is an address. A line of a batch waits. Raises TamisError."""
        wait = index is not None
        page, url, options = wanted
        if page is None:
            page, url = await self._fetched(url or "", wait=wait), None
        job = Job(page, url, _options(options), form, index or 0)
        with share.holding(job.size):
            return await self._reply(job, wait=wait)

    async def _fetched(self, url: str, *, wait: bool) -> RawPage:
        """The page at an address, counted. Raises FetchError, and ServiceBusy if too many are fetched."""
        try:
            page = await self._fetching.page(url, wait=wait)
        except TamisError as error:
            self._metrics.fetch(problem_of(error).kind.name)
            raise
        self._metrics.fetch("fine")
        return page

    async def _reply(self, job: Job, *, wait: bool) -> Reply:
        """The answer of a worker, counted. Raises RequestError for a problem."""
        try:
            found = await self._service.answer(job, wait=wait)
        except TamisError as error:
            found = problem_of(error)
        if isinstance(found, Problem):
            self._metrics.page(job.options.extractor, found.kind.name)
            raise RequestError(found.kind, found.detail)
        self._metrics.page(job.options.extractor, "fine", found.seconds)
        return found

    async def _read(self, request: Request) -> Response:
        form = preferred(request.headers.get("accept", ""), _READ_FORMS)
        if form is None:
            raise RequestError(NOT_ACCEPTABLE, f"accept one of {', '.join(_READ_FORMS)}")
        given = request.query_params
        defaults = [(name, word) for name, word in _READ_DEFAULTS.items() if name not in given]
        options = models.from_query(models.FetchedOptions, [*given.multi_items(), *defaults])
        wanted = _PageRequest(None, options.url, options)
        response = _response(await _unless_gone(request, self._answer(wanted, form, _share(request))))
        response.headers["vary"] = "accept"
        if form == "text/html":
            response.headers["content-security-policy"] = POLICY
        return response

    async def _batch(self, request: Request) -> Response:
        """One line of JSON for each line of the request, in order, as they are ready."""
        kind, _ = _content_type(request)
        if kind not in ("", *_LINES):
            raise RequestError(WRONG_TYPE, f"a batch is application/x-ndjson, not {kind[:60]}")
        if request.query_params:
            raise RequestError(WRONG_OPTION, "put the options of a batch into its lines, not into the query")
        lines = self._bodies.lines(request, _share(request))
        first = await anext(lines, None)  # an error of the whole body has a status of its own
        return _LinesResponse(self._answers(_ahead_of(first, lines), request))

    async def _answers(self, lines: AsyncIterator[bytes], request: Request) -> AsyncGenerator[bytes]:
        """The answers in order. Lines are read while earlier ones are in work, and answers do not wait for lines."""
        share = _share(request)
        running: deque[asyncio.Future[bytes]] = deque()
        reading: asyncio.Future[bytes | None] | None = asyncio.ensure_future(anext(lines, None))
        leaving: asyncio.Future[None] | None = None  # reading lines finds out, too, if the client has left
        number = 0
        try:
            while reading or running:
                too_many = len(running) >= _AHEAD * self._settings.workers
                is_full = too_many or share.held > self._settings.max_bytes
                reader = None if running and is_full else reading
                events: list[asyncio.Future[Any]] = [each for each in (*islice(running, 1), reader, leaving) if each]
                await asyncio.wait(events, return_when=asyncio.FIRST_COMPLETED)
                if leaving and leaving.done():
                    raise ClientDisconnect
                if reader and reader.done():
                    reading = None
                    if (error := reader.exception()) is not None:
                        running.append(_done(_failed_line(number, error)))
                    elif reader.result() is not None:
                        running.append(asyncio.ensure_future(self._line(number, reader, share)))
                        reading = asyncio.ensure_future(anext(lines, None))
                    number += 1
                    leaving = None if reading else asyncio.ensure_future(_gone(request))
                del events, reader  # nothing of a line or an answer stays here while others wait
                while running and running[0].done():
                    share.drop(len(running[0].result()))  # it counts where it is sent
                    yield running.popleft().result()
        finally:
            for task in (*running, reading, leaving):
                if task:
                    task.cancel()

    async def _line(self, number: int, line: asyncio.Future[bytes | None], share: Share) -> bytes:
        """The answer to one line of a batch, with the number of the line and a status. The share holds it."""
        try:
            given = line.result() or b""
            share.drop(len(given))
            wanted = _from_json(given)
            del line, given  # from here on the page counts instead
            reply = await self._answer(wanted, "line", share, index=number)
            share.add(len(reply.body))
        except TamisError as error:
            return _failed_line(number, error)
        return reply.body

    async def _extractors(self, request: Request) -> Response:
        found = [
            {"name": name, "summary": entry.summary, "paper": entry.paper, "default": name == DEFAULT}
            for name, entry in extractors().items()
            if not entry.draws
        ]
        return _json({"version": __version__, "extractors": found})

    async def _health(self, request: Request) -> Response:
        ready = self._service.is_ready
        return _json({"status": "ok" if ready else "closing", "version": __version__}, 200 if ready else 503)

    async def _show_metrics(self, request: Request) -> Response:
        return Response(self._metrics.text(), media_type=metrics.MEDIA_TYPE)

    async def _openapi(self, request: Request) -> Response:
        return _json(description(key=self._settings.key is not None))

    async def _playground(self, request: Request) -> Response:
        path = _PAGE_FILES.get(request.path_params.get("name", "index.html"))
        if path is None:
            raise RequestError(NOT_FOUND, "the playground does not have this file")
        return FileResponse(path, media_type=_PAGE_TYPES[path.suffix], headers=_PAGE_HEADERS)


def _from_json(body: bytes, query: Iterable[tuple[str, str]] = ()) -> _PageRequest:
    wanted = models.from_json(body, query)
    return _PageRequest(wanted.html, wanted.url, wanted)


def _options(request: models.PageOptions) -> models.PageOptions:
    """The options alone, so that the page and its address are not sent to the worker twice."""
    return models.PageOptions.model_construct(
        **{name: getattr(request, name) for name in models.PageOptions.model_fields}
    )


def _content_type(request: Request) -> tuple[str, str | None]:
    """The type of a body and its charset."""
    from tamis.document.decode import charset_of

    given = request.headers.get("content-type", "")
    return given.partition(";")[0].strip().lower(), charset_of(given)


async def _unless_gone(request: Request, work: Awaitable[Reply]) -> Reply:
    """The result of the work. Raises ClientDisconnect if the client hangs up before, and the errors of the work."""
    working, leaving = asyncio.ensure_future(work), asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientDisconnect
        return working.result()
    finally:
        leaving.cancel()
        working.cancel()


def _share(request: Request) -> Share:
    """The share of the request in the account."""
    share: Share = request.state.share
    return share


def _response(reply: Reply) -> Response:
    counts = {"x-word-count": reply.words, "x-token-count": reply.tokens}
    headers = {name: str(count) for name, count in counts.items() if count is not None}
    return Response(reply.body, media_type=reply.media_type, headers=headers | {"x-content-type-options": "nosniff"})


async def _gone(request: Request) -> None:
    """Wait until the client of a request that is read to its end hangs up."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _ahead_of(first: bytes | None, lines: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    if first is not None:
        yield first
    del first
    async for line in lines:
        yield line


class _LinesResponse(Response):
    """Lines of JSON that are sent while the request is read."""

    def __init__(self, parts: AsyncGenerator[bytes]) -> None:
        super().__init__(media_type="application/x-ndjson")
        del self.headers["content-length"]
        self._parts = parts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the lines. starlette's own response would also read the request, and keep each part until the next."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        async with aclosing(self._parts) as parts:
            async for part in parts:
                await send({"type": "http.response.body", "body": part, "more_body": True})
                del part
        await send({"type": "http.response.body", "body": b""})


def _done(value: Value) -> asyncio.Future[Value]:
    future: asyncio.Future[Value] = asyncio.get_running_loop().create_future()
    future.set_result(value)
    return future


def _json(value: object, status: int = 200) -> Response:
    return Response(json.dumps(value, ensure_ascii=False).encode(), status, media_type="application/json")


def _failed_line(number: int, error: BaseException) -> bytes:
    if not isinstance(error, TamisError):
        raise error
    problem = problem_of(error).as_dict()
    return json.dumps({"index": number, "status": problem["status"], "problem": problem}).encode() + b"\n"


def preferred(header: str, offered: Sequence[MediaType]) -> MediaType | None:
    """The media type that an Accept header prefers, the first of equals; None if it accepts none of them (RFC 9110)."""
    if not header.strip():
        return offered[0]
    ranges = [_range(part) for part in header.split(",")]
    weights = [(_weight(name, ranges), name) for name in offered]
    weight, name = max(weights, key=lambda pair: pair[0])
    return name if weight > 0 else None


def _range(part: str) -> tuple[str, float]:
    """A range of media types and its weight."""
    name, *parameters = (word.strip().lower() for word in part.split(";"))
    quality = next((word[2:] for word in parameters if word.startswith("q=")), "1")
    try:
        weight = float(quality)
    except ValueError:
        weight = 0.0
    return name, weight if 0 <= weight <= 1 else 0.0


def _weight(name: str, ranges: Sequence[tuple[str, float]]) -> float:
    """The weight of a media type: the most specific range decides."""
    for wanted in (name, f"{name.partition('/')[0]}/*", "*/*"):
        found = [weight for range, weight in ranges if range == wanted]
        if found:
            return max(found)
    return 0.0
