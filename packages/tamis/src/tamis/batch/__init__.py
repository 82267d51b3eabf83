"""Many pages: records from archives and tables in, output rows out.

inputs/ turns files into records, rows.py a record into an output row, workers.py does that in worker processes,
outputs/ writes a shard at once or not at all, and run.py is the loop over shards.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tamis.batch import columns as columns
    from tamis.batch import duplicates as duplicates
    from tamis.batch import rows as rows
    from tamis.batch import run as run


def __getattr__(name: str) -> object:
    if name not in ("columns", "duplicates", "rows", "run"):  # the modules with public names
        raise AttributeError(f"module 'tamis.batch' has no attribute {name!r}")
    return import_module(f"tamis.batch.{name}")
