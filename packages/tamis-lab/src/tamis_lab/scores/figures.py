"""The figures of a set from the scores of its pages, next to the bars and the figures of `benchmarks/scores.toml`."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from statistics import fmean

from tamis.page_type import PageType
from tamis_lab.bench.structure.scores import total
from tamis_lab.scores.gold import COMPLETE_ONLY, bar_of
from tamis_lab.scores.run import PageScores
from tamis_lab.scores.structures import OUTCOMES, Structure

Figures = dict[str, float]  # in the order of the table; counts, shares, and scores from 0 to 1

# A page is lost with less recall, and flooded with less precision, if `keep-all` has nearly all of its gold.
_LEAST = 0.5
_REACHABLE = 0.9

# The kinds of elements that have a figure, of those that `tamis bench --structure` counts.
_ELEMENTS = ("heading", "list item", "table cell", "link", "image", "quotation", "code", "formula", "footnote")


def figures_of(name: str, pages: Sequence[PageScores]) -> Figures:
    """All figures of a set."""
    parts = _types_and_elements, _structures, _headings, _comments
    found = dict(chain(_text(name, pages), _recipe_lines(pages), *(part(pages) for part in parts)))
    failed = sum(bool(page.error) for page in pages)
    return found | ({"pages failed": failed} if failed else {})


def _text(name: str, pages: Sequence[PageScores]) -> Iterator[tuple[str, float]]:
    """Token F1 and pages that are lost or flooded."""
    scored = [page for page in pages if page.f1 is not None]
    if name in COMPLETE_ONLY:
        scored = [page for page in scored if (page.reachable or 0.0) >= _REACHABLE]
    yield "pages", len(scored) or len(pages)
    if not scored:
        return
    yield "token F1", fmean(page.f1 or 0.0 for page in scored)
    yield "precision", fmean(page.precision or 0.0 for page in scored)
    yield "recall", fmean(page.recall or 0.0 for page in scored)
    if commented := [page.f1_with_comments for page in scored if page.f1_with_comments is not None]:
        yield "F1 with comments", fmean(commented)
    types = Counter(page.type for page in scored)
    for kind in PageType if len(types) > 1 else ():
        if types[kind]:
            yield f"F1 {kind}", fmean(page.f1 or 0.0 for page in scored if page.type == kind)
    reachable = [page for page in scored if (page.reachable or 0.0) >= _REACHABLE]
    if reachable:
        lost = sum((page.recall or 0.0) < _LEAST for page in reachable)
        flooded = sum((page.precision or 0.0) < _LEAST for page in reachable)
        yield from (("pages lost", lost), ("lost", lost / len(reachable)))
        yield from (("pages flooded", flooded), ("flooded", flooded / len(reachable)))


def _recipe_lines(pages: Sequence[PageScores]) -> Iterator[tuple[str, float]]:
    for end, all_of_them in (
        ("", [page.lines for page in pages if page.lines and page.lines[1]]),
        (" without JSON-LD", [page.bare_lines for page in pages if page.bare_lines and page.bare_lines[1]]),
    ):
        if all_of_them:
            yield f"lines kept{end}", sum(kept for kept, _ in all_of_them) / sum(lines for _, lines in all_of_them)
            yield f"pages under half{end}", fmean(kept / lines < _LEAST for kept, lines in all_of_them)


def _types_and_elements(pages: Sequence[PageScores]) -> Iterator[tuple[str, float]]:
    """How often the page type is right (a missing one is wrong), and F1 of the elements of each kind in Markdown."""
    typed = [page for page in pages if page.type]
    if typed and any(page.predicted for page in pages):
        yield "page types right", fmean(page.predicted == page.type for page in typed)
    for kind in _ELEMENTS:
        if counts := [page.elements[kind] for page in pages if kind in page.elements]:
            yield f"{kind} F1", total(counts).f1


def _structures(pages: Sequence[PageScores]) -> Iterator[tuple[str, float]]:
    """Structures whole, torn and lost, and foreign ones kept; illustrations are counted separately."""
    counts = structure_counts(pages)
    for kinds, of in ((("list", "table", "quotation", "code"), ""), (("figure",), " (figures)")):
        whole, torn, lost, foreign, kept = (sum(counts[Structure(kind, each)] for kind in kinds) for each in OUTCOMES)
        if ours := whole + torn + lost:
            yield from ((f"structures {name}{of}", count / ours) for name, count in
                        (("whole", whole), ("torn", torn), ("lost", lost)))  # fmt: skip
        if foreign + kept:
            yield f"foreign structures kept{of}", kept / (foreign + kept)


def structure_counts(pages: Sequence[PageScores]) -> Counter[Structure]:
    """The structures of all pages by kind and outcome."""
    found: Counter[Structure] = Counter()
    for page in pages:
        found.update(dict(page.structures))
    return found


def _headings(pages: Sequence[PageScores]) -> Iterator[tuple[str, float]]:
    """Headings that nothing follows."""
    counted = [page.headings for page in pages if page.headings]
    if kept := sum(each.kept for each in counted):
        yield "headings above nothing", sum(each.hollow for each in counted) / kept
        yield "pages ending in a heading", sum(each.ends_in_one for each in counted)


def _comments(pages: Sequence[PageScores]) -> Iterator[tuple[str, float]]:
    """Words of comments."""
    counted = [page.comments for page in pages if page.comments]
    if words := sum(each.all for each in counted):
        yield "pages with comments", len(counted)
        yield "words of comments", words
        yield "comments in text", sum(each.in_text for each in counted) / words
        yield "comments found", sum(each.in_comments for each in counted) / words


Stored = dict[str, dict[str, Figures]]  # by column and set

# Figures as plain text

MISSED = "!"
_COUNTS = (
    "pages", "pages lost", "pages flooded", "pages failed", "pages ending in a heading", "pages with comments",
    "words of comments",
)  # fmt: skip
_SCORES = ("F1", "precision", "recall")
_NAME_WIDTH = 34  # of the first column
_LEAST_WIDTH = 12  # of the others


def figures_table(
    title: str, system: str, found: Mapping[str, Figures], stored: Stored, notes: Mapping[str, str]
) -> str:
    """A row for each figure of each set; `notes` are behind the names of sets."""
    columns = [system, "bar", *stored]
    widths = [max(_LEAST_WIDTH, len(column)) for column in columns]
    lines = [title, _line("", columns, widths)]
    missed = bars = 0
    for name, figures in found.items():
        lines += ["", f"{name}{f' ({notes[name]})' if notes.get(name) else ''}"]
        for figure, value in figures.items():
            bar = bar_of(name, figure, int(figures["pages"]))
            is_missed = bar is not None and not bar.holds(value)
            missed, bars = missed + is_missed, bars + (bar is not None)
            limit = "" if bar is None else f"{'<=' if bar.at_most else '>='} {shown(figure, bar.value)}"
            others = [shown(figure, column.get(name, {}).get(figure)) for column in stored.values()]
            cells = [shown(figure, value), f"{limit} {MISSED if is_missed else ' '}", *others]
            lines.append(_line(f"  {figure}", cells, widths))
    return "\n".join([*lines, "", f"{missed} of {bars} bars missed ({MISSED})"])


def shown(figure: str, value: float | None) -> str:
    """A figure as text: a number, a score from 0 to 1, or a share in percent."""
    if value is None:
        return "-"
    if figure in _COUNTS:
        return f"{value:,.0f}"
    return f"{value:.3f}" if any(word in figure for word in _SCORES) else f"{value:.1%}"


def _line(name: str, cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = "".join(f"  {cell:>{width}s}" for cell, width in zip(cells, widths, strict=True))
    return f"{name:{_NAME_WIDTH}s}{padded.rstrip()}"


def read(path: Path) -> Stored:
    """The stored columns; none without a file."""
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def store(path: Path, name: str, found: Mapping[str, Figures]) -> None:
    """Write figures under a name; those of other sets stay."""
    stored = read(path)
    stored[name] = stored.get(name, {}) | {key: dict(figures) for key, figures in found.items()}
    parts = [_HEAD]
    for column, by_set in stored.items():
        for each, figures in by_set.items():
            rows = [f"{json.dumps(figure)} = {round(value, 5):g}" for figure, value in figures.items()]
            parts.append("\n".join([f"[{json.dumps(column)}.{json.dumps(each)}]", *rows]))
    path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


_HEAD = "# Figures of releases and peers, by column and set; `python -m tamis_lab.scores --store NAME` writes them."
