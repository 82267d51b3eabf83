"""Labels by reading: sheets of a page's runs for a reader, and the reader's answers as digests without the texts.

    python -m tamis_lab.labelling sheets FOLDER ID ...    writes FOLDER/ID.sheet for each page of the corpus `pages`
    python -m tamis_lab.labelling store FOLDER            reads FOLDER/*.answer into page_labels.json

An answer has a line for each kind of run, with numbers and ranges of the sheet (docs/research/guideline.md):

    type: listing
    content: 12-40, 44
    comments: 60-75
    unsure: 41-43
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tamis.document import Document
from tamis.extractor.runs import PageRuns
from tamis.page_type import PageType
from tamis_lab.corpora.catalogue import open_corpus
from tamis_lab.corpora.pages import KINDS, LABELS, digests, stored_labels

_LONGEST_TEXT = 180  # characters of a run on a sheet
_ANCESTORS = 4  # elements around a run on a sheet


def sheet(document: Document) -> str:
    """A line for each run: its number, where it is, its words, the share of them in links, its text."""
    runs = PageRuns(document.unfolded)
    elements, leaves = runs.document.elements, runs.document.leaves
    lines = [f"# title: {document.title}", f"# address: {document.url}"]
    for number in range(len(runs)):
        above: list[str] = []
        row = int(runs.element[number])
        while row > 0 and len(above) < _ANCESTORS:
            node = elements.all_nodes[row]
            names = " ".join(filter(None, (node.attr("id"), node.attr("class")))).split()[:2]
            above.append(".".join((node.tag, *names)))
            row = int(elements.parent[row])
        texts = runs.leaves_of(number)
        linked = all(bool(leaves.in_link[leaf]) for leaf in texts)
        folded = any(bool(leaves.folded[leaf]) for leaf in texts)
        signs = ("L" if linked else "-") + ("F" if folded else "-")
        text = runs.text(number)
        shown = text if len(text) <= _LONGEST_TEXT else f"{text[:_LONGEST_TEXT]} ... ({len(text)} characters)"
        lines.append(f"{number} {signs} {' < '.join(above)} | {shown}")
    return "\n".join(lines) + "\n"


def answered(document: Document, answer: str) -> dict[str, Any]:
    """The labels of a page by a reader's answer. Raises ValueError for an answer that does not fit the page."""
    of_run = digests(PageRuns(document.unfolded))
    found: dict[str, Any] = {"type": None} | {kind: [] for kind in KINDS}
    for line in filter(str.strip, answer.splitlines()):
        name, _, given = (part.strip() for part in line.partition(":"))
        if name == "type":
            found["type"] = str(PageType(given)) if given != "none" else None
        elif name in KINDS:
            found[name] = [of_run[number] for number in _numbers(given, len(of_run))]
        else:
            raise ValueError(f"unknown line {line!r}")
    return found


def _numbers(given: str, count: int) -> list[int]:
    """1-3, 7 is 1, 2, 3, 7."""
    found: set[int] = set()
    for part in filter(None, map(str.strip, given.split(","))):
        first, _, last = part.partition("-")
        numbers = range(int(first), int(last or first) + 1)
        if not numbers or numbers[-1] >= count:
            raise ValueError(f"{part} is not a range of runs from 0 to {count - 1}")
        found.update(numbers)
    return sorted(found)


def main(arguments: Sequence[str]) -> None:
    """Write sheets, or store answers."""
    verb, folder, ids = arguments[0], Path(arguments[1]), frozenset(arguments[2:])
    with open_corpus("pages") as corpus:
        documents = {entry.id: entry for entry in corpus.entries()}
        if verb == "sheets":
            folder.mkdir(parents=True, exist_ok=True)
            for page in sorted(ids):
                (folder / f"{page}.sheet").write_text(sheet(corpus.read(documents[page]).document()), "utf-8")
            return
        labels = stored_labels()
        for path in sorted(folder.glob("*.answer")):
            try:
                labels[path.stem] = answered(corpus.read(documents[path.stem]).document(), path.read_text("utf-8"))
            except ValueError as error:
                print(f"{path}: {error}", file=sys.stderr)
        lines = (f"{json.dumps(page)}: {json.dumps(labels[page], separators=(',', ':'))}" for page in sorted(labels))
        LABELS.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
