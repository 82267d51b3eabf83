"""How often the ingredients and steps of `page.facts` are right: python -m tamis_lab.bench.recipes

On the corpus `recipes`, as the pages are and without their JSON-LD. A list is right if its lines have the words of the
corpus, line by line and in order (`tamis_lab.metrics.tokens`: lower case, without punctuation); lines without words do
not count.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import tamis
from tamis.errors import TamisError
from tamis.metadata.structured import structured_data
from tamis.metadata.view import View
from tamis.records.facts import facts
from tamis_lab.bench import contestants
from tamis_lab.corpora.catalogue import open_corpus, require_corpora
from tamis_lab.corpora.files import open_files
from tamis_lab.metrics import tokens
from tamis_lab.scores.gold import without_json_ld

# The lists of a recipe, and their names in the corpus.
LISTS = {"ingredients": "ingredients", "steps": "instructions_list"}
_CHUNK = 4  # pages that a process takes at once

Words = list[list[str]]


class Found(NamedTuple):
    """A list of one page."""

    page: str
    name: str
    has_json_ld: bool  # as the page is
    source: str  # "none" if it was not found
    gold: Words
    words: Words

    @property
    def is_right(self) -> bool:
        """Has each line the words of the corpus?"""
        return self.gold == self.words


class _Task(NamedTuple):
    page: str
    html: bytes
    url: str
    gold: dict[str, Words]
    extractor: str


def measured(extractor: str, data: Path | None, workers: int) -> list[Found]:
    """The lists of each page, with and without JSON-LD."""
    require_corpora(["recipes"], data)  # a pool waits for ever if its tasks can't be made
    with get_context("spawn").Pool(workers) as pool:
        return [found for page in pool.imap(_found, _tasks(extractor, data), chunksize=_CHUNK) for found in page]


def _tasks(extractor: str, data: Path | None) -> Iterator[_Task]:
    with open_corpus("recipes", data) as corpus:
        files = open_files(corpus.where, corpus.info.landmarks)
        for entry in corpus.entries():
            page = corpus.read(entry)
            record = files.table(f"{entry.id}.json")
            gold = {name: line_words(_texts(record.get(key))) for name, key in LISTS.items()}
            yield _Task(entry.id, page.html, page.url or "", gold, extractor)


def _texts(value: object) -> list[str]:
    lines = value.splitlines() if isinstance(value, str) else value if isinstance(value, list) else []
    return [line for line in lines if isinstance(line, str)]


def line_words(lines: Iterable[str]) -> Words:
    """The words of each line that has any."""
    return [words for line in lines if (words := tokens(line))]


def _found(task: _Task) -> list[Found]:
    name = task.extractor
    chosen = contestants.extractor_of(name)(task.html, task.url) if "=" in name else name
    found: list[Found] = []
    for is_bare, html in enumerate((task.html, without_json_ld(task.html))):
        page = tamis.extract(html, url=task.url, extractor=chosen)
        document, labels = page.original, page.own_labels
        recipe = facts(document, labels, structured_data(View(document, labels))).recipe
        for name, gold in task.gold.items():
            source = recipe.sources.get(name, "none") if recipe else "none"
            words = line_words(getattr(recipe, name) if recipe else ())
            found.append(Found(task.page, name, not is_bare, source, gold, words))
    return found


def table(found: list[Found]) -> Iterator[str]:
    """Lines of a table: the share of lists that are right, of all pages and by source."""
    yield f"{'':<30}{'pages':>7}{'right':>8}  by source"
    for has_json_ld in (True, False):
        for name in LISTS:
            chosen = [each for each in found if each.has_json_ld is has_json_ld and each.name == name]
            right = Counter(each.source for each in chosen if each.is_right)
            sources = Counter(each.source for each in chosen).most_common()
            shares = ", ".join(f"{source} {right[source]} of {count}" for source, count in sources)
            label = f"{name}, {'as the page is' if has_json_ld else 'without JSON-LD'}"
            yield f"{label:<30}{len(chosen):>7}{sum(right.values()) / max(len(chosen), 1):>8.3f}  {shares}"


def main() -> None:
    """Print the table, and which lists are wrong."""
    parser = argparse.ArgumentParser(prog="python -m tamis_lab.bench.recipes", description=__doc__)
    parser.add_argument("--data", type=Path, help="the folder of the corpora; TAMIS_DATA names it otherwise")
    parser.add_argument(
        "--extractor", default="tamis", help="tamis=FOLDER takes networks of folds that have not seen the site"
    )
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--wrong", action="store_true", help="also name the pages with a wrong list")
    options = parser.parse_args()
    try:
        found = measured(options.extractor, options.data, options.workers)
    except TamisError as error:
        parser.error(str(error))
    print("\n".join(table(found)))
    for each in found if options.wrong else ():
        if not each.is_right:
            kind = "as it is" if each.has_json_ld else "without JSON-LD"
            lines = f"{len(each.words)} lines ({each.source}), {len(each.gold)} in the corpus"
            print(f"{each.page}: {each.name} {kind}, {lines}")


if __name__ == "__main__":
    main()
