"""A page of figures: what the paper says, what was measured here, and how far apart they are."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tamis.render import safe

_STYLE = """
body { font: 16px/1.5 Georgia, serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #1c1c1c; }
table { border-collapse: collapse; margin: 1rem 0; font-size: 0.92rem; }
th, td { border-bottom: 1px solid #bbb; padding: 0.25rem 0.9rem 0.25rem 0; text-align: left; vertical-align: top; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
td.missed { font-weight: bold; text-decoration: underline; }
figure { margin: 1.5rem 0; } svg { max-width: 100%; height: auto; }
"""


@dataclass(frozen=True)
class Figure:
    """One number of the paper and ours.

    `within` is the largest distance that is accepted; with `at_least`, any value from there up is accepted.
    `asked` is a bar of this project's own, which applies whether or not the paper has the figure.
    """

    name: str
    paper: float | None
    ours: float
    within: float | None = None
    note: str = ""
    at_least: float | None = None
    asked: float | None = None

    @property
    def met(self) -> bool | None:
        """Is ours close enough? None if nothing was asked for."""
        if self.asked is not None:
            return self.ours >= self.asked
        if self.paper is not None and self.at_least is not None:
            return self.ours >= self.at_least
        if self.paper is None or self.within is None:
            return None
        return abs(self.ours - self.paper) <= self.within


def compare(
    name: str,
    measures: Sequence[str],
    paper: Sequence[float] | None,
    ours: Sequence[float],
    within: Sequence[float] | None = None,
) -> list[Figure]:
    """One figure a measure, called `NAME: MEASURE`."""
    nothing = [None] * len(measures)
    rows = zip(measures, paper or nothing, ours, within or nothing, strict=True)
    return [Figure(f"{name}: {measure}", theirs, value, distance) for measure, theirs, value, distance in rows]


@dataclass(frozen=True)
class Section:
    """A table of figures, with words above and a chart (SVG or other HTML) below.

    Words that come from a file may name facts in braces, which are filled in.
    """

    title: str
    words: str = ""
    figures: Sequence[Figure] = ()
    chart: str = ""
    facts: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Page:
    """All that was reproduced of one paper."""

    title: str
    words: str
    sections: list[Section] = field(default_factory=list)

    @classmethod
    def from_texts(cls, texts: Path, sections: Iterable[Section]) -> Page:
        """A page with the texts of a TOML file: `title` and `words` of the page, and in `sections` words by title.

        Raises ValueError for a text of a section that is not there.
        """
        found = tomllib.loads(texts.read_text(encoding="utf-8"))
        words = {title: " ".join(text.split()) for title, text in found["sections"].items()}
        worded = []
        for section in sections:
            text = words.pop(section.title, None)
            worded.append(replace(section, words=text.format_map(section.facts)) if text else section)
        if words:
            raise ValueError(f"{texts} has texts for sections that are not on the page: {', '.join(words)}")
        return cls(found["title"], " ".join(found["words"].split()), worded)

    @property
    def figures(self) -> list[Figure]:
        """Every figure of every section."""
        return [figure for section in self.sections for figure in section.figures]

    def html(self) -> str:
        """The page, complete in itself."""
        head = f"<!doctype html><html lang=en><head>{safe.policy()}<title>{safe.text(self.title)}</title>"
        head += f"<style>{_STYLE}</style>"
        body = "".join(_section(section) for section in self.sections)
        return f"{head}<h1>{safe.text(self.title)}</h1><p>{safe.text(self.words)}</p>{body}</html>\n"


def _section(section: Section) -> str:
    rows = "".join(_row(figure) for figure in section.figures)
    head = "<tr><th></th><th>paper</th><th>here</th><th>off by</th><th></th></tr>"
    table = f"<table>{head}{rows}</table>" if rows else ""
    chart = f"<figure>{section.chart}</figure>" if section.chart else ""
    return f"<h2>{safe.text(section.title)}</h2><p>{safe.text(section.words)}</p>{table}{chart}"


def _row(figure: Figure) -> str:
    paper = apart = ""
    if figure.paper is not None:
        paper, apart = f"{figure.paper:,.6g}", f"{figure.ours - figure.paper:+,.4g}"
    missed = " missed" if figure.met is False else ""
    asked = "" if figure.asked is None else f"asked for: at least {figure.asked:,.6g}"
    note = "; ".join(words for words in (figure.note, asked) if words)
    return (
        f"<tr><td>{safe.text(figure.name)}</td><td class=number>{paper}</td>"
        f"<td class='number{missed}'>{figure.ours:,.6g}</td><td class=number>{apart}</td>"
        f"<td>{safe.text(note)}</td></tr>"
    )
