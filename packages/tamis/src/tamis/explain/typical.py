"""The typical run of each kind: the median of each column and the most common tags, over the training pages.

`typical.json` holds them, and no text of any page; `python -m tools.typical_blocks` makes it from WCXB dev. Columns
that describe the page as a whole are not in it: a typical run is one on the same page. It stands where a run of this
page does, after the typical share of the page's runs, and no further from a heading than this page is long. Nodes that
are missing above a run are missing above the typical one too.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np

from tamis.arrays import Bools, Bytes, Longs
from tamis.document import tags
from tamis.explain.groups import Group, grouped
from tamis.explain.kinds import Kind, anywhere, kinds_of, same_markup
from tamis.extractor.runs import COLUMNS, LEVELS, NO_TAG
from tamis.extractor.scaling import Singles

FILE = "typical.json"
NO_TAG_NAME, OTHER_TAG_NAME = "", "other"
CODES = {**tags.CODES, NO_TAG_NAME: NO_TAG, OTHER_TAG_NAME: tags.OTHER}

# The columns that describe a run and not the whole page.
OF_RUN = np.setdiff1d(np.arange(len(COLUMNS)), grouped(COLUMNS)[Group.PAGE])

# The columns that tell where a run stands, and the one among them that is the share of runs before it.
_POSITION = grouped(COLUMNS)[Group.PLACE]
_PLACE = COLUMNS.index("place")

# The columns that count runs up to a heading. Where there is none above a run, the second counts from NO_HEADING runs
# before the page.
_FROM_H1, _FROM_HEADING = COLUMNS.index("from h1"), COLUMNS.index("from heading")
NO_HEADING = 50

# For each level the columns that describe the node there; where it is missing, they describe the whole page.
_OF_NODE = {
    level: [number for number, name in enumerate(COLUMNS) if name.endswith(f" {level}")]
    for level in range(1, LEVELS + 1)
}
_OF_NODE[1].append(COLUMNS.index("share of node"))


@dataclass(frozen=True, eq=False)
class Rows:
    """What the network sees of a page: a row for each run."""

    values: Singles  # (runs, columns)
    tags: Bytes  # (runs, tag columns): codes


def typical_page(page: Rows) -> tuple[list[Kind], Rows]:
    """The kind of each run, and a page on which each run is the typical one of its kind."""
    known = _typical_runs()
    kinds = [kind if kind in known else anywhere(kind) for kind in kinds_of(page.values, page.tags)]
    values, codes = page.values.copy(), page.tags.copy()
    for run, kind in enumerate(kinds):
        values[run, OF_RUN], codes[run] = known[kind]
    values[:, _POSITION] = page.values[_typical_places(values[:, _PLACE])][:, _POSITION]
    values[:, [_FROM_H1, _FROM_HEADING]] = np.minimum(values[:, [_FROM_H1, _FROM_HEADING]], _furthest(values))
    same_values, same_codes = same_markup(kinds, page.values, page.tags)
    same_values |= _of_missing_nodes(page.tags)
    return kinds, Rows(np.where(same_values, page.values, values), np.where(same_codes, page.tags, codes))


def _typical_places(shares: Singles) -> Longs:
    """The run of this page at each typical place: the middle of a short page is not behind the 60th run."""
    return np.minimum((shares * len(shares)).astype(np.int64), len(shares) - 1)


def _furthest(values: Singles) -> Singles:
    """(runs, 2): the largest values that the columns up to a heading can have on a page of so many runs."""
    none_above = values[:, _FROM_HEADING] > np.log1p(NO_HEADING - 1)
    counts = np.full((len(values), 2), len(values) - 1, dtype=np.float32)
    counts[none_above, 1] += NO_HEADING
    return np.log1p(counts)


def _of_missing_nodes(codes: Bytes) -> Bools:
    """(runs, columns): is the column about a node that the run does not have?"""
    found = np.zeros((len(codes), len(COLUMNS)), dtype=np.bool_)
    for level, columns in _OF_NODE.items():
        found[:, columns] = (codes[:, level] == NO_TAG)[:, np.newaxis]
    return found


@cache
def _typical_runs() -> dict[Kind, tuple[Singles, Bytes]]:
    """For each kind the columns of OF_RUN and the codes of the tags."""
    given = json.loads(files("tamis.explain").joinpath(FILE).read_text(encoding="utf-8"))
    places = [COLUMNS.index(name) for name in given["columns"]]
    found: dict[Kind, tuple[Singles, Bytes]] = {}
    for kind in given["kinds"]:
        values = np.zeros(len(COLUMNS), dtype=np.float32)  # columns that are 0 for all kinds are not in the file
        values[places] = kind["values"]
        codes = np.array([CODES[tag] for tag in kind["tags"]], dtype=np.uint8)
        found[kind["what"], kind["where"]] = values[OF_RUN], codes
    return found
