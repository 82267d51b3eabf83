"""A batch on many machines, by Ray Data.

A shard is one task. An actor is one core: it has a worker process for its pages, which loads the model
once and may die, and it writes the files of a shard as the local engine does. The output folder alone records
which shards are done, so a run can continue one of another engine. Ray is imported only where a run starts.
"""

from __future__ import annotations

import json
import logging
import os
import platform
import socket
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from tamis import __version__
from tamis.batch.inputs import Shard
from tamis.batch.outputs import Output
from tamis.batch.records import Tally
from tamis.batch.rows import ENDING, BatchOptions
from tamis.batch.run import Engine, Step, do_shard
from tamis.batch.workers import page_pool
from tamis.errors import InputError, MissingExtra, OptionError, TamisError

# A few hundred bytes cross the cluster for each shard. Ray Data reserves memory for blocks of 128 MB by default, and
# with a small object store it would then run one task at a time.
_BLOCK_BYTES = 1 << 20
_CONNECT_SECONDS = 10.0  # for the cluster's head to answer
_STORE_BYTES = 128 << 20  # of a cluster that is started here; the least that Ray takes is 75 MB

# The errors that end a run, by the names that are sent: not every error can be pickled.
_ERRORS: dict[str, type[Exception]] = {kind.__name__: kind for kind in ENDING}


class ClusterFailed(TamisError):
    """Ray gave up. Finished shards stay done, and the same command continues from there."""


@contextmanager
def cluster(address: str | None = None) -> Iterator[Engine]:
    """An engine for `tamis.batch.run.run` that does the shards on the Ray cluster at `address`.

    Without an address RAY_ADDRESS is taken; without that a cluster of this machine alone is started for the run.
    Every machine needs the same tamis, and inputs and output under the same paths. `workers` are cores, all by
    default. The watcher is called once a shard, with its counts: answers stay where they are made.

    Raises OptionError if the cluster does not answer, and MissingExtra; the engine raises ClusterFailed.
    """
    with _connected(address) as ray:
        yield partial(_do, ray)


def _do(
    ray: Any, todo: Sequence[Shard], output: Output, options: BatchOptions, workers: int | None
) -> Generator[Step, None, None]:
    """Do shards on the cluster, in any order."""
    shards = {shard.name: shard for shard in todo}
    for outcome in _outcomes(ray, todo, output, options, workers) if todo else ():
        tally = None if outcome["failed"] else Tally.from_dict(outcome["counts"])
        yield Step(shards[outcome["shard"]], tally or Tally(), tally, outcome["failed"])
    output.clean()  # files that lost machines have left


def _outcomes(
    ray: Any, todo: Sequence[Shard], output: Output, options: BatchOptions, workers: int | None
) -> Iterator[dict[str, Any]]:
    """The answer of `ShardActor` for each shard, in the order they end.

    Raises OptionError, MissingExtra, WeightsError and ClusterFailed.
    """
    cores = max(1, int(ray.cluster_resources().get("CPU", 1)))
    most = min(len(todo), workers or len(todo))
    rows = [{"shard": json.dumps(asdict(shard))} for shard in todo]
    dataset = ray.data.from_items(rows, override_num_blocks=len(rows)).map(
        ShardActor,
        fn_constructor_kwargs={
            "options": options,
            "output": output.absolute(),
            "version": __version__,
            "folder": str(Path.cwd()),
        },
        # Ray Data starts a lost actor again elsewhere, which does its shard again.
        # The pool may shrink to one actor, because the last shards of a lost machine may have to wait for a core.
        # One task for each actor: no shard waits at a busy actor while another actor is free.
        compute=ray.data.ActorPoolStrategy(
            min_size=1, max_size=most, initial_size=min(cores, most), max_tasks_in_flight_per_actor=1
        ),
        num_cpus=1,
    )
    _set_up(dataset.context)
    try:
        for row in dataset.iter_rows():
            outcome: dict[str, Any] = json.loads(row["outcome"])
            if outcome["error"]:
                kind, message = outcome["error"]
                raise _ERRORS[kind].__new__(_ERRORS[kind], message)
            yield outcome
    except ray.exceptions.RayError as error:
        raise ClusterFailed(f"Ray gave up: {_in_one_line(error)}") from error


def _set_up(context: Any) -> None:
    """Settings of Ray Data for this dataset alone."""
    context.target_max_block_size = _BLOCK_BYTES
    context.enable_progress_bars = False
    context.print_on_execution_start = False
    # An actor with its one task is fully used: the pool grows with the cluster.
    context.autoscaling_config.actor_pool_util_upscaling_threshold = 1.0


@contextmanager
def _connected(address: str | None) -> Iterator[Any]:
    """The module ray, connected. A connection that existed before is used, and stays."""
    try:
        import ray
        import ray.data
    except ImportError:
        raise MissingExtra("the engine ray", "ray") from None
    if ray.is_initialized():
        yield ray
        return
    logging.getLogger("ray.data").setLevel(logging.CRITICAL)  # errors are raised and need no log
    address = address or os.environ.get("RAY_ADDRESS")
    _check_address(address)
    own = {} if address else {"include_dashboard": False, "object_store_memory": _STORE_BYTES}
    try:
        ray.init(address or "local", logging_level=logging.ERROR, log_to_driver=False, **own)
    except (ConnectionError, RuntimeError, ValueError, OSError) as error:
        raise OptionError(f"no Ray cluster at {address or 'this machine'}: {_in_one_line(error)}") from None
    try:
        yield ray
    finally:
        ray.shutdown()


def _check_address(address: str | None) -> None:
    """Raise OptionError if nothing answers at HOST:PORT. Ray itself would try for minutes."""
    host, _, port = (address or "").removeprefix("ray://").rpartition(":")
    if not host or not port.isdecimal():
        return  # a word that Ray knows, such as auto
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=_CONNECT_SECONDS).close()
    except (OSError, OverflowError) as error:
        raise OptionError(f"no Ray cluster at {address}: {_in_one_line(error)}") from None


def _in_one_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[-1].strip()[:300] if lines else type(error).__name__


class ShardActor:
    """One core of a cluster: does shards, one at a time. Pages run in a worker process, so none can end the actor."""

    def __init__(self, options: BatchOptions, output: Output, version: str, folder: str) -> None:
        """`version` (of tamis) and `folder` are those of the program that started the run."""
        self._output, self._version, self._columns = output, version, options.columns
        with suppress(OSError):  # without the folder each relative path is reported as missing
            os.chdir(folder)
        self._pool = page_pool(options, workers=1)  # its process starts with the first shard and stays

    def __call__(self, row: dict[str, Any]) -> dict[str, Any]:
        """Do a shard. The outcome has its counts, why it could not be read, or the error that ends the run."""
        shard = Shard(**json.loads(row["shard"]))
        outcome: dict[str, Any] = {"shard": shard.name, "counts": None, "failed": "", "error": None}
        try:
            self._check()
            # A lost machine may have done it, so that only its answer was lost.
            counts = self._output.counts(shard) or do_shard(shard, self._output, self._pool, self._columns)
            outcome["counts"] = counts.as_dict()
        except InputError as error:
            outcome["failed"] = str(error)
        except tuple(_ERRORS.values()) as error:
            kind = next(name for name, kind in _ERRORS.items() if isinstance(error, kind))
            outcome["error"] = (kind, f"on {platform.node()}: {error}")
        except OSError as error:
            outcome["error"] = (OptionError.__name__, f"on {platform.node()}: {error}")
        return {"outcome": json.dumps(outcome)}

    def _check(self) -> None:
        if self._version != __version__:
            raise OptionError(f"tamis {__version__} is installed, but this run is of tamis {self._version}")
        if not self._output.exists():
            raise OptionError(f"{self._output.place}: no such folder here; all machines have to share it")
