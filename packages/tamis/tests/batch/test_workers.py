from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tamis.batch.inputs import Shard, read_items, shards_of_inputs
from tamis.batch.records import Answer, Kind, Letter, Record, Row
from tamis.batch.rows import BatchOptions, answer_items
from tamis.batch.workers import Work, isolated_answers, page_pool
from tamis.errors import MissingExtra, OptionError
from tests.batch.archives import CHEAP, page, response, zipped
from tests.batch.extractors import NeedsMore, Obedient

pytestmark = pytest.mark.xdist_group("batch-workers")
linux = pytest.mark.skipif(sys.platform != "linux", reason="memory can be limited on Linux only")

OPTIONS = BatchOptions(extractor=Obedient(), columns=CHEAP, timeout=1.0, memory=512)


def records(*orders: str) -> tuple[Record, ...]:
    return tuple(
        Record(page(number, f"ORDER:{order} " if order else ""), "test", number, id=str(number))
        for number, order in enumerate(orders)
    )


def children() -> set[str]:
    return set(Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split())


@pytest.fixture(autouse=True)
def _nobody_is_left() -> Iterator[None]:
    before = children()
    yield
    assert children() <= before


def collected(works: list[Work], options: BatchOptions = OPTIONS, workers: int = 2) -> list[list[Answer]]:
    found: list[list[Answer]] = [[] for _ in works]
    finished = set()
    for part in isolated_answers(works, options, workers=workers):
        assert part.work not in finished
        assert not part.failed
        found[part.work] += part.answers
        if part.finished:
            finished.add(part.work)
    assert finished == set(range(len(works)))
    return found


def ending(answer: Answer) -> str:
    return str(answer.kind) if isinstance(answer, Letter) else "row" if isinstance(answer, Row) else "refused"


@linux
def test_each_failure_costs_its_page_alone() -> None:
    orders = ["", "kill", "", "hang", "eat", "", "raise", "exit", "print", "deaf", ""]
    (found,) = collected([records(*orders)], workers=1)
    kinds = ["row", "crash", "row", "timeout", "memory", "row", "parse-error", "crash", "row", "timeout", "row"]
    assert [ending(answer) for answer in found] == kinds
    letters = {answer.id: answer for answer in found if isinstance(answer, Letter)}
    assert letters["1"].reason == "the process was ended by signal SIGKILL"
    assert letters["3"].reason == "stopped after 1 s"
    assert letters["7"].reason == "it called sys.exit(7)"
    assert letters["9"].reason.startswith("killed after 1 s")
    assert 1.0 <= letters["3"].seconds < 2.0
    assert all((letter.source, letter.offset) == ("test", int(number)) for number, letter in letters.items())


def _timeless(answer: Answer) -> Answer:
    return replace(answer, seconds=0.0) if isinstance(answer, Row) else answer


def test_answers_are_those_of_the_same_pages_in_this_process(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(b"".join(zipped(response(number)) for number in range(40)) + b"damage")
    works: list[Work] = [*shards_of_inputs([str(path)], shard_bytes=2_000)]
    assert len(works) > 2
    found = [answer for part in collected(works) for answer in part]
    expected = [
        answer for shard in works if isinstance(shard, Shard) for answer in answer_items(read_items(shard), OPTIONS)
    ]
    assert [_timeless(answer) for answer in found] == [_timeless(answer) for answer in expected]
    assert len(found) == 41


def test_a_pool_stays_for_more_work() -> None:
    with page_pool(OPTIONS, workers=1) as pool:
        assert len(list(pool.answers([records("")]))) == 1
        first = children()
        assert [part.work for part in pool.answers([records(""), records("", "")]) if part.finished] == [0, 1]
        assert children() == first


def test_an_idle_worker_that_dies_is_replaced() -> None:
    with page_pool(OPTIONS, workers=1) as pool:
        before = children()
        list(pool.answers([records("")]))
        (process,) = children() - before
        os.kill(int(process), signal.SIGKILL)
        (part,) = pool.answers([records("", "")])
        assert [ending(answer) for answer in part.answers] == ["row", "row"]


def test_a_window_holds_back_work_far_ahead() -> None:
    taken = []

    def works() -> Iterator[Work]:
        for number in range(12):
            taken.append(number)
            yield records("hang" if number == 0 else "")

    seen: list[int] = []
    with page_pool(OPTIONS, workers=2) as pool:
        for part in pool.answers(works(), window=3):
            assert seen or max(taken) <= 4
            seen.append(part.work)
            assert part.work or set(seen) <= {0, 1, 2}
    assert len(set(seen)) == 12


def test_no_process_is_left_when_the_iterator_is_dropped() -> None:
    before = children()
    parts = isolated_answers([records("")] * 50, OPTIONS, workers=2)
    next(parts)
    assert len(children() - before) >= 1
    del parts
    assert children() == before


class Unsendable:
    label = Obedient.label

    def __reduce__(self) -> str:
        raise TypeError("not me")


class Homeless(Obedient):
    """As if it stood in a script."""


Homeless.__module__ = "__main__"


def test_what_no_page_is_to_blame_for_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OptionError, match="can't be sent"):
        page_pool(BatchOptions(extractor=Unsendable()))
    with pytest.raises(OptionError, match="at least one worker"):
        page_pool(OPTIONS, workers=0)
    with pytest.raises(MissingExtra, match=r"this extractor needs an extra: pip install 'tamis\[neural\]'"):
        list(isolated_answers([records("")], BatchOptions(extractor=NeedsMore()), workers=1))
    monkeypatch.setattr(sys.modules["__main__"], "Homeless", Homeless, raising=False)
    with pytest.raises(OptionError, match="that they can import"):
        page_pool(BatchOptions(extractor=Homeless()))
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(OptionError, match="on Linux only"):
        page_pool(OPTIONS)


def test_wrong_labels_of_a_later_page_are_raised() -> None:
    with pytest.raises(OptionError, match=r"Obedient .* labels 0 leaves of a page that has \d"):
        collected([records("", "short", "")])


def test_a_worker_that_never_starts_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "python"
    program.write_text("#!/bin/sh\nexit 9\n")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program))
    with pytest.raises(OptionError, match="a worker did not start: the process ended with exit code 9"):
        list(isolated_answers([records("")], OPTIONS, workers=1))


def test_kinds_are_those_that_are_documented() -> None:
    assert {str(kind) for kind in Kind} == {
        "timeout", "crash", "memory", "parse-error", "too-large", "bad-encoding", "bad-charset", "unreadable",
        "low-confidence",
    }  # fmt: skip
