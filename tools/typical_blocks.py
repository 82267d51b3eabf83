"""Make tamis/explain/typical.json, the typical block of each kind: python -m tools.typical_blocks.

Needs WCXB dev, which the weights were trained on, in the folder that TAMIS_DATA names. The file holds medians and most
common tags, and no text of any page. Each page counts the same, however many blocks of a kind it has. It depends on the
columns (`kernel/columns.c`) and on the kinds, not on the weights.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator

import numpy as np

from tamis.arrays import Bytes, Floats, Singles
from tamis.document.table import PAGE
from tamis.explain.effects import CODES, FILE, OF_RUN, RunKind, RunRows, anywhere, kinds_of
from tamis.extractor.runs import COLUMNS, PageRuns
from tamis.extractor.tamis import tamis
from tamis_lab.corpora.catalogue import CorpusSource, open_corpus
from tools.pictures import PROJECT

CORPUS = "wcxb:dev"

# A kind on fewer pages shares the typical block of the same tags anywhere.
_LEAST_PAGES = 30
# Digits after the point. Shares and logarithms of counts need no more.
_DIGITS = 2

_TAG_NAMES = {code: name for name, code in CODES.items()}


def pages(source: str) -> Iterator[RunRows]:
    """What the network sees of each page of a corpus that shows any text."""
    name, split = CorpusSource.parse(source)
    with open_corpus(name) as corpus:
        for page in corpus.pages(split):
            document = tamis.read(page.document())
            if document.source == PAGE and len(runs := PageRuns(document)):
                yield RunRows(runs.values, runs.tags)


def typical_runs(found: Iterable[RunRows]) -> dict[str, object]:
    """The contents of the file."""
    by_kind: dict[RunKind, list[RunRows]] = defaultdict(list)
    count = 0
    for page in found:
        count += 1
        runs_of: dict[RunKind, list[int]] = defaultdict(list)
        for run, kind in enumerate(kinds_of(page.values, page.tags)):
            runs_of[kind].append(run)
            runs_of[anywhere(kind)].append(run)
        for kind, runs in runs_of.items():
            by_kind[kind].append(RunRows(page.values[runs][:, OF_RUN], page.tags[runs]))
    often = {
        kind: rows for kind, rows in sorted(by_kind.items()) if len(rows) >= _LEAST_PAGES or kind == anywhere(kind)
    }
    medians = {kind: _medians(rows) for kind, rows in often.items()}
    used = np.flatnonzero(np.array(list(medians.values())).any(axis=0))
    return {
        "corpus": CORPUS,
        "pages": count,
        "columns": [COLUMNS[number] for number in OF_RUN[used]],
        "kinds": [
            {
                "what": kind[0],
                "where": kind[1],
                "pages": len(rows),
                "tags": [_TAG_NAMES[code] for code in _most_common(rows).tolist()],
                "values": [int(value) if value.is_integer() else value for value in medians[kind][used].tolist()],
            }
            for kind, rows in often.items()
        ],
    }


def _medians(rows: list[RunRows]) -> Floats:
    """Of each column."""
    values, weights = np.concatenate([page.values for page in rows]), _weights(rows)
    order = np.argsort(values, axis=0, kind="stable")
    running = weights[order].cumsum(axis=0)
    middle = (running >= running[-1] / 2).argmax(axis=0)
    medians: Singles = np.take_along_axis(np.take_along_axis(values, order, axis=0), middle[np.newaxis], axis=0)[0]
    return medians.astype(np.float64).round(_DIGITS)


def _most_common(rows: list[RunRows]) -> Bytes:
    """The most common code of each tag column."""
    codes, weights = np.concatenate([page.tags for page in rows]), _weights(rows)
    return np.array([np.bincount(column, weights).argmax() for column in codes.T], dtype=np.uint8)


def _weights(rows: list[RunRows]) -> Floats:
    """So that each page counts the same."""
    return np.concatenate([np.full(len(page.values), 1 / len(page.values)) for page in rows])


def main() -> None:
    """Write the file, one line a kind."""
    found = typical_runs(pages(CORPUS))
    text = json.dumps(found, ensure_ascii=False, separators=(",", ":")).replace('{"what"', '\n{"what"')
    path = PROJECT / "packages" / "tamis" / "src" / "tamis" / "explain" / FILE
    path.write_text(text + "\n", encoding="utf-8")
    print(f"{path.relative_to(PROJECT)}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
