"""What each group of columns shows about a run, in words."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tamis.document import tags
from tamis.explain.groups import NEAR, Group
from tamis.extractor.runs import COLUMNS, PageRuns

# A run of fewer words is short; one of more is long prose, if few of them are links.
_FEW, _MANY = 5, 30
_PROSE_LINKS = 0.35

# How many runs to either side are "around" a run, and by which factor they must differ to be mentioned.
_NEIGHBOURS = 4
_MANY_TIMES = 4

# A node of fewer runs is only a part of a section.
_SECTION_RUNS = 4

# A node with more of the page's words than this is the whole page.
_WHOLE = 0.95

# Marks, by the name of their column, are mentioned from this share of all characters.
_MANY_MARKS = (("digits", 0.1, "digits"), ("capitals", 0.15, "capitals"), ("separators", 0.03, "marks such as | and ›"))

_TAG_NAMES = {code: tag for tag, code in tags.CODES.items()}
# Tags that describe nothing.
_PLAIN = frozenset({"html", "body", "div", "center", "tbody", "br"})
_MOST_TAGS = 4

# The first words of columns about names, and how many names of each kind are mentioned.
_NAME_KINDS = ("named", "role", "property")
_MOST_NAMES = 4
# What the page can declare a run to be, by the last word of the column.
_DECLARED = {
    "body": "its text",
    "description": "its description",
    "meta": "its description for search engines",
    "review": "a review",
    "name": "its name or headline",
}


class Facts:
    """The facts about the runs of one page."""

    def __init__(self, runs: PageRuns) -> None:
        self._runs = runs
        self._columns: dict[str, list[float]] = {}
        self._words: list[float] = runs.words.tolist()
        self._holders: dict[int, tuple[str, ...]] = {-1: ()}
        self._tag_codes: list[list[int]] = runs.tags.tolist()
        # Names that are rare on the page come first: a name that all runs have tells nothing.
        often = dict(zip(COLUMNS, runs.values.sum(axis=0).tolist(), strict=True))
        rarest_first = sorted(COLUMNS, key=often.__getitem__)
        self._names_by_kind = {
            kind: [column for column in rarest_first if column.startswith(f"{kind} ")] for kind in _NAME_KINDS
        }
        self._describe: dict[Group, Callable[[int], str]] = {
            Group.LENGTH: self._length,
            Group.LINKS: self._links,
            Group.MARKS: self._marks,
            Group.TAGS: self._tags,
            Group.NAMES: self._names,
            Group.DECLARED: self._declared,
            Group.PLACE: self._place,
            Group.HEADINGS: self._headings,
            Group.ALIKE: self._alike,
            Group.SECTION: self._section,
            Group.AROUND: self._around,
        }

    def words(self, group: Group, run: int) -> str:
        """What a group shows about a run. PAGE and OTHER are the same for all runs or empty, so they have no words."""
        return self._describe[group](run)

    def _value(self, name: str, run: int) -> float:
        """The value of a column."""
        if name not in self._columns:
            self._columns[name] = self._runs.values[:, COLUMNS.index(name)].tolist()
        return self._columns[name][run]

    def _count(self, name: str, run: int) -> int:
        """The count whose logarithm a column holds."""
        return round(float(np.expm1(self._value(name, run))))

    def _length(self, run: int) -> str:
        words = round(self._words[run])
        length = _number(words, "word")
        if words < _FEW:
            length = f"only {length}" if words else "no words"
        elif words >= _MANY and self._value("linked", run) < _PROSE_LINKS:
            length = f"long prose: {length}"
        others = [self._words[other] for other in self._neighbours(run)]
        around = sum(others) / len(others) if others else self._words[run]
        fewer, more = sorted((words, around))
        if more >= _MANY and more > _MANY_TIMES * fewer:
            length += f", between blocks of {round(around)} on average"
        return length

    def _links(self, run: int) -> str:
        linked = self._value("linked", run)
        links = f"{_share(linked)} of its words {'is a link' if linked == 0 else 'are links'}"
        others = self._neighbours(run)
        words = sum(self._words[other] for other in others)
        if not words:
            return links
        around = sum(self._value("linked", other) * self._words[other] for other in others) / words
        # The columns of the runs around count as well, so a contrast to them is mentioned.
        return f"{links}, but {_share(around)} of those around it" if (linked < 0.5) != (around < 0.5) else links

    def _marks(self, run: int) -> str:
        parts = ["ends like a sentence" if self._value("ends a sentence", run) else "does not end like a sentence"]
        if commas := self._count("commas", run):
            parts.append(_number(commas, "comma"))
        shares = [(self._value(name, run), least, title) for name, least, title in _MANY_MARKS]
        parts += [f"{_share(share)} {title}" for share, least, title in shares if share >= least]
        return ", ".join(parts)

    def _tags(self, run: int) -> str:
        elements = self._runs.document.elements
        element = int(self._runs.element[run])
        own = elements.tag[element]
        holders = [tag for tag in self._holders_of(int(elements.parent[element])) if tag != own]
        where = ", ".join(f"<{tag}>" for tag in holders[:_MOST_TAGS]) or "plain elements only"
        folded = ", folded: hidden until a reader opens it" if self._value("folded", run) else ""
        return f"<{own}> in {where}{folded}"

    def _holders_of(self, element: int) -> tuple[str, ...]:
        """The tags of an element and of those above it, nearest first, each once, without plain ones."""
        elements, path = self._runs.document.elements, []
        while element not in self._holders:
            path.append(element)
            element = int(elements.parent[element])
        found = self._holders[element]
        for passed in reversed(path):
            tag = elements.tag[passed]
            if tag in tags.CODES and tag not in _PLAIN:
                found = (tag, *(other for other in found if other != tag))
            self._holders[passed] = found
        return found

    def _names(self, run: int) -> str:
        parts: list[str] = []
        for kind in _NAME_KINDS:
            columns = [column for column in self._names_by_kind[kind] if self._value(column, run)]
            names = [f"“{column.removeprefix(kind + ' ')}”" for column in columns[:_MOST_NAMES]]
            parts += [f"{kind} {', '.join(names)}"] if names else []
        return "; ".join(parts) or "no class name or role that describes it"

    def _declared(self, run: int) -> str:
        kinds = [title for kind, title in _DECLARED.items() if self._value(f"declared as {kind}", run)]
        parts = [f"the page declares it as {', '.join(kinds)}"] if kinds else []
        if self._value("declared as opening", run):
            parts.append("the page's description begins here")
        return "; ".join(parts) or "the page declares nothing about it"

    def _place(self, run: int) -> str:
        before, depth = _share(self._value("words before", run)), _number(self._count("depth", run), "level")
        return f"block {run + 1:,} of {len(self._words):,}, after {before} of the page's words, {depth} deep"

    def _headings(self, run: int) -> str:
        parts = ["its text is in the page's title"] if self._value("in title", run) else []
        side, distance = self._value("after h1", run), self._count("from h1", run)
        if side:
            parts.append(f"{_number(distance, 'block')} {'after' if side > 0 else 'before'} the first <h1>")
        elif distance == 0 and "h1" in (self._tag(run, 0), *self._holders_of(int(self._runs.element[run]))):
            parts.append("the first <h1>")
        else:
            parts.append("no <h1> on the page")
        below = self._count("from heading", run)
        if self._tag(run, 0) not in tags.HEADINGS:
            # For a run without a heading above it the column counts from 50 runs before the page.
            none = below >= run + 50
            parts.append("no heading above it" if none else f"{_number(below, 'block')} below a heading")
        return ", ".join(parts)

    def _alike(self, run: int) -> str:
        alike = self._count("runs like it", run)
        if alike <= 1:
            parts = [f"no other <{self._tag(run, 0)}> at its depth"]
        else:
            parts = [
                f"{_number(alike - 1, 'other block')} like it (<{self._tag(run, 0)}> at its depth)",
                f"{_share(self._value('linked like it', run))} of their words are links",
                f"together {_share(self._value('share like it', run))} of the page's words",
            ]
        if repeated := self._count("repeated", run):
            parts.append(f"{_number(repeated, 'other block')} with the same first text")
        return ", ".join(parts)

    def _section(self, run: int) -> str:
        if not self._tag(run, 1):
            return "no section, only the page"
        small = self._count("runs 1", run) < _SECTION_RUNS and NEAR > 1 and self._tag(run, 2)
        return self._node(run, 2 if small else 1)

    def _around(self, run: int) -> str:
        level = NEAR + 1
        deepest = len(self._tag_codes[run]) - 1
        if level > deepest or not self._tag(run, level):
            return "nothing between its section and the page"
        # The largest part that is not the whole page.
        while level < deepest and self._tag(run, level + 1) and self._value(f"share {level + 1}", run) < _WHOLE:
            level += 1
        return self._node(run, level)

    def _node(self, run: int, level: int) -> str:
        """The size of a node above a run."""
        words, runs = self._count(f"words {level}", run), self._count(f"runs {level}", run)
        linked, share = self._value(f"linked {level}", run), self._value(f"share {level}", run)
        name = f"<{self._tag(run, level)}>"
        if share >= 1:
            return f"the {name} has all of the page's words"
        size = f"the {name} has {_number(runs, 'block')} and {_number(words, 'word')}"
        return f"{size}, {_share(linked)} of them links; {_share(share)} of the page's words"

    def _tag(self, run: int, level: int) -> str:
        """The tag of a run (level 0) or of a node above it; empty if there is none."""
        code = self._tag_codes[run][level]
        return "element" if code == tags.OTHER else _TAG_NAMES.get(code, "")

    def _neighbours(self, run: int) -> list[int]:
        nearby = range(max(0, run - _NEIGHBOURS), min(len(self._words), run + _NEIGHBOURS + 1))
        return [other for other in nearby if other != run]


def _number(count: int, thing: str) -> str:
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


def _share(share: float) -> str:
    if share <= 0 or share >= 1:
        return "none" if share <= 0 else "all"
    return "under 1 %" if share < 0.01 else f"{100 * share:.0f} %"
