"""Digests of every output of many pages, to show that a change leaves all of them as they were, byte by byte.

    python -m tools.outputs build/before.jsonl              golden pages, and 2,000 pages of the corpora that are here
    python -m tools.outputs build/after.jsonl --pages 500
    python -m tools.outputs --compare build/before.jsonl build/after.jsonl

One line a page. Golden pages are also labelled by every extractor that draws nothing. `--compare` names the outputs
that differ and ends with 1 if there are any.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import tamis
from tamis import Document, Labels, TamisError, registry
from tamis_lab.corpora.catalogue import corpora_by_name, find_corpus, open_corpus
from tests.golden import golden_pages

_FORMATS = ("text", "markdown", "html", "json", "xml", "tei", "highlighted")
_PROCESSES = 2
_SHOWN = 20  # differences


class NamedPage(NamedTuple):
    """One page, and whether every extractor labels it."""

    name: str
    html: bytes
    golden: bool


def corpus_pages(count: int) -> Iterator[NamedPage]:
    """About as many pages, the same number of each corpus that is here."""
    here = [name for name in corpora_by_name() if find_corpus(name)]
    for name in here:
        with open_corpus(name) as corpus:
            for page in corpus.sample(None, -(-count // len(here))):
                yield NamedPage(f"{name}/{page.id}", page.html, golden=False)


def outputs(page: NamedPage) -> dict[str, str]:
    """The digest of each output of a page."""
    extracted = tamis.extract(page.html, url="https://example.org/a/page")
    found = {"page": page.name, "labels": _digest_of(extracted.labels)}
    found |= {name: _digest(getattr(extracted, name)) for name in _FORMATS}
    found["metadata"] = _digest(json.dumps(extracted.metadata.as_dict()))
    found["chunks"] = _digest(json.dumps([chunk.as_dict() for chunk in extracted.chunks()]))
    if page.golden:
        document = Document.from_html(page.html)
        found |= {name: _labels_by(name, document) for name, entry in registry.extractors().items() if not entry.draws}
    return found


def _labels_by(extractor: str, document: Document) -> str:
    try:
        return _digest_of(registry.get(extractor).label(document))
    except TamisError as error:
        return type(error).__name__


def _digest_of(labels: Labels) -> str:
    types = labels.page_types.probabilities if labels.page_types else {}
    facts = json.dumps([[*map(str, labels.roles or ())], {str(kind): float(types[kind]) for kind in types}])
    return _digest(labels.scores.tobytes() + labels.keep.tobytes() + facts.encode())


def _digest(output: str | bytes) -> str:
    data = output.encode("utf-8", "surrogatepass") if isinstance(output, str) else output
    return sha256(data).hexdigest()[:16]


def write(file: Path, count: int) -> None:
    """Write the digests of all pages."""
    file.parent.mkdir(parents=True, exist_ok=True)
    golden = (NamedPage(f"golden/{page.name}", page.source, golden=True) for page in golden_pages())
    pages = (*golden, *corpus_pages(count))
    with ProcessPoolExecutor(_PROCESSES) as processes, file.open("w", encoding="utf-8") as lines:
        for found in processes.map(outputs, pages, chunksize=20):
            print(json.dumps(found), file=lines)
    print(f"{len(pages):,} pages in {file}")


def compare(before: Path, after: Path) -> int:
    """How many outputs differ, and which."""
    old, new = ({found["page"]: found for found in _read(file)} for file in (before, after))
    both = old.keys() & new.keys()
    different = [
        f"{page}: {name}" for page in sorted(both) for name in old[page] if old[page][name] != new[page].get(name)
    ]
    print(f"{len(both):,} pages, {sum(len(old[page]) - 1 for page in both):,} outputs, {len(different)} differ")
    for words in different[:_SHOWN]:
        print(f"  {words}")
    if only := old.keys() ^ new.keys():
        print(f"{len(only)} pages are in one file only: {', '.join(sorted(only)[:_SHOWN])}")
    return len(different) + len(only)


def _read(file: Path) -> Iterator[dict[str, str]]:
    return map(json.loads, file.read_text(encoding="utf-8").splitlines())


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or compare; the exit code is 1 if outputs differ."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.outputs", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", nargs="?", type=Path, help="where the digests are written")
    parser.add_argument("--pages", type=int, default=2_000, metavar="N", help="of the corpora; default: 2000")
    parser.add_argument("--compare", nargs=2, type=Path, metavar=("BEFORE", "AFTER"))
    options = parser.parse_args(arguments)
    if options.compare:
        return int(compare(*options.compare) > 0)
    if not options.file:
        parser.error("name a file for the digests, or --compare two of them")
    write(options.file, options.pages)
    return 0


if __name__ == "__main__":
    sys.exit(main())
