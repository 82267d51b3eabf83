"""One core of a cluster. This file does not import Ray, so a machine can load it with tamis alone."""

from __future__ import annotations

import json
import os
import platform
from contextlib import suppress
from typing import Any

from tamis import __version__
from tamis.batch.inputs import Shard
from tamis.batch.outputs import Output
from tamis.batch.rows import ENDING, BatchOptions
from tamis.batch.run import do_shard
from tamis.batch.tally import Tally
from tamis.batch.workers import page_pool
from tamis.errors import InputError, OptionError

# The errors that end a run, by the name that is sent: not every error can be pickled.
ERRORS: dict[str, type[Exception]] = {kind.__name__: kind for kind in ENDING}


class ShardActor:
    """Does shards, one at a time. Pages are in a worker process, so none can end the actor."""

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
            outcome["counts"] = self._counts(shard).as_dict()
        except InputError as error:
            outcome["failed"] = str(error)
        except tuple(ERRORS.values()) as error:
            kind = next(name for name, kind in ERRORS.items() if isinstance(error, kind))
            outcome["error"] = (kind, f"on {platform.node()}: {error}")
        except OSError as error:
            outcome["error"] = (OptionError.__name__, f"on {platform.node()}: {error}")
        return {"outcome": json.dumps(outcome)}

    def _check(self) -> None:
        if self._version != __version__:
            raise OptionError(f"tamis {__version__} is installed, but this run is of tamis {self._version}")
        if not self._output.exists():
            raise OptionError(f"{self._output.place}: no such folder here; all machines have to share it")

    def _counts(self, shard: Shard) -> Tally:
        """Do a shard, unless a lost machine had done it and only its answer was lost."""
        return self._output.counts(shard) or do_shard(shard, self._output, self._pool, self._columns)
