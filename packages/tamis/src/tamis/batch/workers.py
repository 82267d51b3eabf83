"""Pages in worker processes: each has a deadline and a memory limit, and none can harm another."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from tamis.batch.filters import ALL_PAGES
from tamis.batch.inputs import NotRead, Shard, read_items
from tamis.batch.records import Answer, Damage, Item, Kind, Letter, Record
from tamis.batch.rows import BatchOptions, answer_item
from tamis.errors import OptionError
from tamis.renamed import old_attributes
from tamis.worker.limits import Guard, Limits
from tamis.worker.pool import Part, Pool
from tamis.worker.process import Failure, Task

# This page loads everything that is loaded lazily, so no real page's deadline pays for it.
_WARM_UP = Record(b"<html lang=en><h1>Warm up</h1><p>A first page, for all that is lazy.</p></html>", "warm-up")

# Workers read a shard by themselves: its pages do not travel between processes.
Work = Shard | tuple[Item, ...]
PagePool = Pool[Work, Answer]


@dataclass(frozen=True)
class BatchTask(Task[Work, Item, Answer]):
    """Works are shards or records; the answers are those of `rows.answer`, or tell how a page ended its worker."""

    options: BatchOptions

    def start(self) -> None:
        """Load the extractor. Raises OptionError, MissingExtra, BrowserMissing and WeightsError."""
        answer_item(_WARM_UP, replace(self.options, filters=ALL_PAGES))

    def read(self, work: Work, lost: Mapping[int, Failure]) -> Iterator[Item]:
        """The items of a unit of work; a lost item of a shard is replaced by a Damage."""
        if not isinstance(work, Shard):
            return iter(work)
        reasons = {number: NotRead(failure.reason, Kind(failure.kind)) for number, failure in lost.items()}
        return read_items(work, lost=reasons)

    def size(self, item: Item) -> int:
        """The bytes of its body."""
        return len(item.body) if isinstance(item, Record) else 0

    def place(self, item: Item) -> int:
        """The bytes of the shard up to the end of the item."""
        return item.read

    def answer(self, item: Item, guard: Guard) -> Answer:
        """The answer of one item."""
        if isinstance(item, Damage):
            return answer_item(item, self.options)
        with guard:
            return answer_item(item, self.options)

    def failed(self, item: Item, failure: Failure) -> Letter:
        """A dead letter."""
        return Letter.of(item, Kind(failure.kind), failure.reason, failure.seconds)


def page_pool(options: BatchOptions, *, workers: int | None = None) -> PagePool:
    """Worker processes for pages, which start with the first work. Raises OptionError for what can't be sent there."""
    if getattr(type(options.extractor), "__module__", "") == "__main__":
        raise OptionError("an extractor for workers must be defined in a module that they can import, not in __main__")
    try:
        pickle.dumps(options)
    except Exception as error:
        raise OptionError(f"the extractor can't be sent to other processes: {error}") from None
    return Pool(BatchTask(options), Limits(options.timeout, options.memory), workers=workers)


def isolated_answers(
    works: Iterable[Work], options: BatchOptions, *, workers: int | None = None
) -> Iterator[Part[Answer]]:
    """Answer every item of every work, in `workers` processes (default: one a core).

    Answers come as they are ready. No process outlives the iterator. Raises what `rows.answer` raises.
    """
    with page_pool(options, workers=workers) as pool:
        yield from pool.answers(works)


__getattr__ = old_attributes(__name__, {"isolated": "isolated_answers"})
