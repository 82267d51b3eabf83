"""What each group of columns tells about a run, in words."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tamis.arrays import Floats
from tamis.document import tags
from tamis.explain.groups import NEAR, Group, grouped
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

# Marks that are mentioned from this share of all characters on; the names are those of columns.
_MANY_MARKS = (("digits", 0.1, "digits"), ("capitals", 0.15, "capitals"), ("separators", 0.03, "marks such as | and ›"))

_GROUPS = grouped(COLUMNS)
_NAMES = {code: tag for tag, code in tags.CODES.items()}
# Tags that tell nothing about their content.
_PLAIN = frozenset({"html", "body", "div", "center", "tbody", "br"})
_MOST_TAGS = 4

# The first words of columns about names, and how many names of each kind are mentioned.
_CALLED = ("named", "role", "property")
_MOST_NAMES = 4
# What the page declares a run to be, by the last word of the column.
_SAID = {
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
        self._lists: dict[str, list[float]] = {}
        self._words: list[float] = runs.words.tolist()
        self._holders: dict[int, tuple[str, ...]] = {-1: ()}
        self._called_by_kind: dict[str, list[str]] = {}
        self._tag_codes: list[list[int]] = runs.tags.tolist()
        self._say: dict[Group, Callable[[int], str]] = {
            Group.LENGTH: self._length,
            Group.LINKS: self._links,
            Group.MARKS: self._marks,
            Group.TAGS: self._tags,
            Group.NAMES: self._called,
            Group.SAID: self._said,
            Group.PLACE: self._place,
            Group.HEADINGS: self._headings,
            Group.ALIKE: self._alike,
            Group.SECTION: self._section,
            Group.AROUND: self._around,
        }

    def words(self, group: Group, run: int) -> str:
        """What a group tells about a run; for a group without sentences, which of its columns stand out."""
        said = self._say[group](run) if group in self._say else ""
        return said or self._outstanding(group, run)

    def _value(self, name: str, run: int) -> float:
        """The value of a column."""
        if name not in self._lists:
            self._lists[name] = self._runs.values[:, COLUMNS.index(name)].tolist()
        return self._lists[name][run]

    def _count(self, name: str, run: int) -> int:
        """The count whose logarithm a column holds."""
        return round(float(np.expm1(self._value(name, run))))

    def _length(self, run: int) -> str:
        words = round(self._words[run])
        said = _number(words, "word")
        if words < _FEW:
            said = f"only {said}" if words else "no word at all"
        elif words >= _MANY and self._value("linked", run) < _PROSE_LINKS:
            said = f"long prose: {said}"
        around = self._mean_around(self._words, run)
        fewer, more = sorted((words, around))
        if more >= _MANY and more > _MANY_TIMES * fewer:
            said += f", between blocks of {round(around)} on average"
        return said

    def _links(self, run: int) -> str:
        linked = self._value("linked", run)
        said = f"{_share(linked)} of its words {'is a link' if linked == 0 else 'are links'}"
        nearby = [place for place in self._nearby(run) if place != run]
        words = sum(self._words[place] for place in nearby)
        if not words:
            return said
        around = sum(self._lists["linked"][place] * self._words[place] for place in nearby) / words
        # Only where the runs around say the opposite: their columns count as well.
        return f"{said}, but {_share(around)} of those around it" if (linked < 0.5) != (around < 0.5) else said

    def _marks(self, run: int) -> str:
        ends = self._value("ends a sentence", run)
        said = ["ends as a sentence does" if ends else "does not end as a sentence does"]
        if commas := self._count("commas", run):
            said.append(_number(commas, "comma"))
        shares = [(self._value(name, run), least, title) for name, least, title in _MANY_MARKS]
        said += [f"{_percent(share)} {title}" for share, least, title in shares if share >= least]
        return ", ".join(said)

    def _tags(self, run: int) -> str:
        elements = self._runs.document.elements
        element = int(self._runs.element[run])
        own = elements.tag[element]
        holders = [tag for tag in self._holders_of(int(elements.parent[element])) if tag != own]
        where = ", ".join(f"<{tag}>" for tag in holders[:_MOST_TAGS]) or "plain elements only"
        folded = ", folded away until a reader opens it" if self._value("folded", run) else ""
        return f"<{own}> in {where}{folded}"

    def _holders_of(self, element: int) -> tuple[str, ...]:
        """The telling tags of an element and of those above it, nearest first."""
        elements, way = self._runs.document.elements, []
        while element not in self._holders:
            way.append(element)
            element = int(elements.parent[element])
        found = self._holders[element]
        for passed in reversed(way):
            tag = elements.tag[passed]
            if tag in tags.CODES and tag not in _PLAIN:
                found = (tag, *(other for other in found if other != tag))
            self._holders[passed] = found
        return found

    def _called(self, run: int) -> str:
        said: list[str] = []
        for kind in _CALLED:
            found = [name for name in self._names_of(kind) if self._value(f"{kind} {name}", run)]
            if found:
                said.append(f"{kind} " + ", ".join(f"“{name}”" for name in found[:_MOST_NAMES]))
        return "; ".join(said) or "no name or role that says what it is"

    def _names_of(self, kind: str) -> list[str]:
        """What runs can be called, the rarest on the page first: what all are called tells none from the others."""
        if kind not in self._called_by_kind:
            columns = [name for name in COLUMNS if name.startswith(f"{kind} ")]
            often = {name: float(self._runs.values[:, COLUMNS.index(name)].sum()) for name in columns}
            self._called_by_kind[kind] = [
                name.removeprefix(f"{kind} ") for name in sorted(columns, key=often.__getitem__)
            ]
        return self._called_by_kind[kind]

    def _said(self, run: int) -> str:
        found = [words for kind, words in _SAID.items() if self._value(f"said as {kind}", run)]
        said = [f"the page says it is {', '.join(found)}"] if found else []
        if self._value("said as opening", run):
            said.append("its description begins here" if found else "the page's description begins here")
        return "; ".join(said) or "nothing that the page says of itself"

    def _place(self, run: int) -> str:
        before, depth = _share(self._value("words before", run)), _number(self._count("depth", run), "level")
        return f"block {run + 1:,} of {len(self._words):,}, after {before} of the page's words, {depth} deep"

    def _headings(self, run: int) -> str:
        said: list[str] = []
        if self._value("in title", run):
            said.append("its text is in the page's title")
        side, distance = self._value("after h1", run), self._count("from h1", run)
        if side:
            said.append(f"{_number(distance, 'block')} {'after' if side > 0 else 'before'} the first <h1>")
        elif distance == 0 and "h1" in (self._tag(run, 0), *self._holders_of(int(self._runs.element[run]))):
            said.append("the first <h1>")
        else:
            said.append("no <h1> on the page")
        below = self._count("from heading", run)
        if self._tag(run, 0) not in tags.HEADINGS:
            # A run without a heading above counts from one that is 50 runs before the page.
            none = below >= run + 50
            said.append("no heading above it" if none else f"{_number(below, 'block')} below a heading")
        return ", ".join(said)

    def _alike(self, run: int) -> str:
        alike = self._count("runs like it", run)
        if alike <= 1:
            said = [f"no other <{self._tag(run, 0)}> at its depth"]
        else:
            said = [
                f"{_number(alike - 1, 'other block')} like it (<{self._tag(run, 0)}> at its depth)",
                f"{_share(self._value('linked like it', run))} of their words are links",
                f"together {_share(self._value('share like it', run))} of the page's words",
            ]
        if repeated := self._count("repeated", run):
            said.append(f"its text begins {_number(repeated, 'more block')}")
        return ", ".join(said)

    def _section(self, run: int) -> str:
        level = 1
        if not self._tag(run, level):
            return "nothing smaller than the page"
        if self._count("runs 1", run) < _SECTION_RUNS and NEAR > 1 and self._tag(run, 2):
            level = 2
        return self._node(run, level)

    def _around(self, run: int) -> str:
        level = NEAR + 1
        deepest = len(self._tag_codes[run]) - 1
        if level > deepest or not self._tag(run, level):
            return "nothing between its section and the page"
        while level < deepest and self._tag(run, level + 1) and self._small(run, level):
            level += 1
        return self._node(run, level)

    def _small(self, run: int, level: int) -> bool:
        """Is there a larger part of the page above, which is not all of it?"""
        return self._value(f"share {level + 1}", run) < _WHOLE

    def _node(self, run: int, level: int) -> str:
        """The size of the part of the page that a run stands in."""
        words, runs = self._count(f"words {level}", run), self._count(f"runs {level}", run)
        linked, share = self._value(f"linked {level}", run), self._value(f"share {level}", run)
        name = f"<{self._tag(run, level)}>"
        if share >= 1:
            return f"nothing smaller than the {name}, with all of the page's words"
        size = f"the {name} has {_number(runs, 'block')} and {_number(words, 'word')}"
        return f"{size}, {_share(linked)} of them links; {_share(share)} of the page's words"

    def _tag(self, run: int, level: int) -> str:
        """The tag of a run, or of a node above it; empty where there is none."""
        code = self._tag_codes[run][level]
        return "element" if code == tags.OTHER else _NAMES.get(code, "")

    def _outstanding(self, group: Group, run: int) -> str:
        """The columns of a group in which a run differs most from the page."""
        numbers = _GROUPS.get(group, [])
        values: Floats = np.nan_to_num(self._runs.values[:, numbers].astype(np.float64))
        spread = values.std(axis=0)
        away = np.abs(values[run] - values.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
        most = [COLUMNS[numbers[place]] for place in np.argsort(-away, kind="stable")[:2].tolist()]
        return "unlike the page in: " + ", ".join(most) if most else ""

    def _nearby(self, run: int) -> range:
        return range(max(0, run - _NEIGHBOURS), min(len(self._words), run + _NEIGHBOURS + 1))

    def _mean_around(self, values: list[float], run: int) -> float:
        others = [values[place] for place in self._nearby(run) if place != run]
        return sum(others) / len(others) if others else values[run]


def _number(count: int, thing: str) -> str:
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


def _percent(share: float) -> str:
    return "under 1 %" if 0 < share < 0.01 else f"{100 * share:.0f} %"


def _share(share: float) -> str:
    return "none" if share <= 0 else "all" if share >= 1 else _percent(share)
