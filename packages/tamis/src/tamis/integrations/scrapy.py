"""An item pipeline for Scrapy that adds the main content to items, and `extract` for a response.

A page of the pipeline runs in a worker process with a deadline and a memory limit, and a thread waits for it. So
downloads go on meanwhile, and a page that hangs, crashes or takes too much memory harms no crawl.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Self, TypeVar, Unpack

from tamis.api import extract as extract_page
from tamis.batch.columns import COLUMNS, chosen
from tamis.batch.filters import ALL_PAGES
from tamis.batch.inputs import tables
from tamis.batch.records import Answer, Damage, Item, Kind, Letter, Record, Refused
from tamis.batch.rows import EMPTY, BatchOptions
from tamis.batch.workers import page_pool
from tamis.errors import InputError, MissingExtra, OptionError, did_you_mean
from tamis.inputs import content_of
from tamis.option_table import MEMORY, TIMEOUT
from tamis.options import ExtractKeywords, ExtractOptions, PageOptions, options_of, resolve, takes
from tamis.page import Page

try:
    import scrapy
    from itemadapter import ItemAdapter
    from scrapy.crawler import Crawler
    from scrapy.exceptions import DropItem
    from scrapy.http import HtmlResponse, Response
    from scrapy.settings import BaseSettings
except ImportError:
    raise MissingExtra("Scrapy", "scrapy") from None

Result = TypeVar("Result")

logger = logging.getLogger(__name__)

_DEFAULT_FIELDS = [
    *("title", "authors", "date_published", "language", "page_type", "state", "confidence", "text", "error", "reason")
]
_OPTIONS = {f"TAMIS_{name.upper()}": name for name in options_of(PageOptions)}
# Every setting and its default.
SETTINGS: dict[str, Any] = {
    "TAMIS_PAGE_FIELD": "html",
    "TAMIS_URL_FIELD": "url",
    "TAMIS_KEEP_PAGE": True,
    "TAMIS_FIELDS": _DEFAULT_FIELDS,
    **{setting: options_of(PageOptions)[name].default for setting, name in _OPTIONS.items()},
    "TAMIS_MEMORY": MEMORY or 0,
    "TAMIS_WORKERS": 2,  # one is fast enough for most crawls; the other goes on while a page is slow
    "TAMIS_ON_ERROR": "keep",
}
_REASON = "reason"  # not a column of batches, where a failed page has no row
_INPUT_COLUMNS = frozenset({"id", "url", "date", "status", "source", "offset"})  # known before a page is read
_WARM_UP = Record(b"<p>A first page, which starts a process.</p>", "start")


@takes(ExtractOptions, timeout=TIMEOUT)
def extract(response: Response, **options: Unpack[ExtractKeywords]) -> Page:
    """The main content of a response, with its URL and encoding; the options are those of `tamis.extract`.

    It runs where it is called: in a callback of a spider, downloads wait for it. `TamisPipeline` does not block.

    Raises InputError for a response that is not HTML, and what `tamis.extract` raises.
    """
    if not isinstance(response, HtmlResponse):
        raise InputError(_not_html(response))
    return extract_page(response, **resolve(ExtractOptions, options, timeout=TIMEOUT).part(ExtractOptions))


class TamisPipeline:
    """Adds the main content of its page to each item; docs/how-to/scrapy.md describes the settings.

    An item without a page passes unchanged. A page that fails is counted in the stats and logged; its item is kept,
    with the kind of failure, or dropped.
    """

    def __init__(self, crawler: Crawler) -> None:
        """The pipeline with the settings of a crawl. Raises OptionError for settings that are wrong."""
        settings = crawler.settings
        for name in map(str, settings):
            if name.startswith("TAMIS_") and name not in SETTINGS:
                raise OptionError(f"unknown setting {name}; {did_you_mean(name, SETTINGS)}".rstrip("; "))
        values = {name: _setting_value(settings, name) for name in SETTINGS}
        if values["TAMIS_ON_ERROR"] not in ("keep", "drop"):
            raise OptionError(f"TAMIS_ON_ERROR is keep or drop, not {values['TAMIS_ON_ERROR']!r}")
        self._crawler, self._fields = crawler, _wanted_fields(settings)
        self._page_field, self._url_field = values["TAMIS_PAGE_FIELD"], values["TAMIS_URL_FIELD"]
        self._keep_page, self._drop_failed = values["TAMIS_KEEP_PAGE"], values["TAMIS_ON_ERROR"] == "drop"
        options = BatchOptions(
            **{name: values[setting] for setting, name in _OPTIONS.items()}
            | {"memory": values["TAMIS_MEMORY"] or None},
            columns=[*(name for name in self._fields if name != _REASON), "error"],
            filters=ALL_PAGES,
        )
        self._workers = _Workers(options, values["TAMIS_WORKERS"])

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """The pipeline of a crawl; Scrapy calls this."""
        return cls(crawler)

    async def open_spider(self) -> None:
        """Start a process, so that an error of every page, such as a missing extra, is raised before the first page."""
        await _awaited_result(self._workers.submit(_WARM_UP))

    async def close_spider(self) -> None:
        """End the processes."""
        await _awaited_result(self._workers.close())

    async def process_item(self, item: Any) -> Any:
        """The item with the fields of its page. Raises DropItem, and OptionError for fields that it does not have."""
        adapter = ItemAdapter(item)
        page = adapter.get(self._page_field)
        if page is None:
            self._count_in_stats("no_page")
            return item
        self._check_declared(item)
        given = _record_of(page, adapter.get(self._url_field))
        self._count_in_stats("pages")
        found = await _awaited_result(self._workers.submit(given))
        values = self._column_values(found, given)
        for column, name in self._fields.items():
            adapter[name] = values.get(column)
        if not self._keep_page and isinstance(item, dict | scrapy.Item):
            del adapter[self._page_field]
        elif not self._keep_page:  # an object without the attribute could not be printed
            adapter[self._page_field] = None
        return item

    def _column_values(self, found: Answer, given: Item) -> dict[str, object]:
        """The value of each column. Raises DropItem for a page that failed, if such items are dropped."""
        assert not isinstance(found, Refused)  # noqa: S101 ALL_PAGES refuses none
        if not isinstance(found, Letter):
            if found.empty:
                self._count_in_stats(EMPTY)
            return found.values
        self._count_in_stats("failed")
        self._count_in_stats(f"failed/{found.kind}")
        message = f"no content of {given.url or 'a page without URL'}: {found.kind}: {found.reason}"
        if self._drop_failed:
            raise DropItem(message)  # Scrapy logs it
        logger.warning("%s", message, extra={"spider": self._crawler.spider})
        return {"error": str(found.kind), _REASON: found.reason}

    def _check_declared(self, item: Any) -> None:
        """Raise OptionError if the class of an item lacks one of the fields; a dict takes any."""
        declared = ItemAdapter.get_field_names_from_class(type(item))
        missing = [] if declared is None else [name for name in self._fields.values() if name not in declared]
        if missing:
            self._count_in_stats("failed")
            self._count_in_stats("failed/undeclared")
            raise OptionError(
                f"the item class {type(item).__name__} has no {', '.join(missing)}: "
                "declare such fields, or choose others in TAMIS_FIELDS"
            )

    def _count_in_stats(self, name: str) -> None:
        if self._crawler.stats is not None:
            self._crawler.stats.inc_value(f"tamis/{name}")


class _Workers:
    """Threads that wait for one worker process each. The processes start when they are needed."""

    def __init__(self, options: BatchOptions, workers: int) -> None:
        if workers < 1:
            raise OptionError("TAMIS_WORKERS is at least 1")
        # Not the reactor's threads: Scrapy resolves names in them, which must not wait for pages.
        self._threads = ThreadPoolExecutor(workers, "tamis")
        self._free = [page_pool(options, workers=1) for _ in range(workers)]  # the last one has a process

    def submit(self, item: Item) -> Future[Answer]:
        """The answer of a worker process to an item. The future raises what `PagePool.answers` raises."""
        return self._threads.submit(self._answer_item, item)

    def close(self) -> Future[None]:
        """End all processes and threads, when the items before are answered."""
        last = ThreadPoolExecutor(1, "tamis-close")
        closing = last.submit(self._close_pools)
        last.shutdown(wait=False)
        return closing

    def _answer_item(self, item: Item) -> Answer:
        pool = self._free.pop()  # as many threads as pools, so one is free
        try:
            parts = list(pool.answers([(item,)]))
            answers = [answer for part in parts for answer in part.answers]
            return answers[0] if answers else Letter.of(item, Kind.CRASH, parts[-1].failed)
        finally:
            self._free.append(pool)

    def _close_pools(self) -> None:
        self._threads.shutdown(wait=True)
        for pool in self._free:
            pool.close()


async def _awaited_result(future: Future[Result]) -> Result:
    """The result of a thread, awaited as the reactor of this crawl wants it."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        from twisted.internet import reactor
        from twisted.internet.defer import Deferred

        wake_up: Callable[..., Any] = reactor.callFromThread
        finished: Deferred[None] = Deferred()
        future.add_done_callback(lambda _: wake_up(finished.callback, None))
        await finished
        return future.result()
    return await asyncio.wrap_future(future)


def _record_of(page: object, url: object) -> Item:
    """A page as workers take it, or the Damage of something else. A response knows its URL better than the item."""
    known = page.url if isinstance(page, Response) else str(url) if url else None
    if isinstance(page, Response) and not isinstance(page, HtmlResponse):
        return Damage("", 0, _not_html(page), url=known)
    if not isinstance(page, str | bytes | HtmlResponse):
        return Damage("", 0, f"a page is text, bytes or a response, not {type(page).__name__}", url=known)
    try:
        html, _, charset, status, _ = content_of(page)
    except (InputError, OptionError) as error:
        return Damage("", 0, str(error), url=known)
    content_type = f"text/html; charset={charset}" if charset else None
    return tables.item_of_fields(
        {tables.HTML: html, "url": known, "status": status, "content_type": content_type}, "", 0
    )


def _not_html(response: object) -> str:
    """The message for a response that is not HTML."""
    if not isinstance(response, Response):
        return f"a Scrapy response is wanted, not {type(response).__name__}"
    declared = (response.headers.get("Content-Type") or b"").decode("latin-1")
    return f"{response.url}: this is {declared[:100] or f'a {type(response).__name__}'}, not a web page"


def _wanted_fields(settings: BaseSettings) -> dict[str, str]:
    """The columns that are wanted, each with its name in items. Raises OptionError."""
    found = settings.getdictorlist("TAMIS_FIELDS", _DEFAULT_FIELDS)
    named = {str(word).strip(): str(name) for word, name in found.items()} if isinstance(found, dict) else {}
    words = [*named] or [str(word).strip() for word in found]
    if given := _INPUT_COLUMNS.intersection(words):
        raise OptionError(f"TAMIS_FIELDS: {', '.join(sorted(given))} is not a field of pages")
    columns = [word for word in words if word != _REASON]
    kept = [name for name in chosen(columns) if name not in _INPUT_COLUMNS] if columns else []
    if named and set(kept) != set(columns):
        known = ", ".join(name for name in COLUMNS if name not in _INPUT_COLUMNS)
        raise OptionError(f"TAMIS_FIELDS that gives new names takes single columns only: {known}")
    return {name: named.get(name, name) for name in [*kept, *([_REASON] if _REASON in words else [])]}


def _setting_value(settings: BaseSettings, name: str) -> Any:
    """The value of a setting, in the type of its default. Raises OptionError."""
    default = SETTINGS[name]
    value = settings.get(name, default)
    if name in ("TAMIS_FIELDS", "TAMIS_EXTRACTOR", "TAMIS_PRUNE", "TAMIS_KEEP"):
        return value
    try:
        return settings.getbool(name, default) if isinstance(default, bool) else type(default)(value)
    except (TypeError, ValueError, OverflowError):
        kind = {bool: "True or False", int: "a whole number"}.get(type(default), "a number")
        raise OptionError(f"{name} is {kind}, not {value!r}") from None
