"""What the groups of columns say of a row, in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from tamis.arrays import Floats
from tamis.document import tags
from tamis.explain.groups import NEAR, Group, grouped
from tamis.extractor.runs import PageRows

# A row of fewer words says so; one of more is prose, if few of them are links.
_FEW, _MANY = 5, 30
_PROSE_LINKS = 0.35

# How many rows to either side are "around" a row, and how much they differ from it before it is worth a word.
_NEIGHBOURS = 4
_MANY_TIMES = 4

# A section of fewer rows is a part of one.
_SECTION_ROWS = 4

# A part with more of the page's words than this is the page.
_WHOLE = 0.95

# Marks worth a word, by the share of the characters that they are; their names are those of columns.
_MANY_MARKS = (("digits", 0.1, "digits"), ("capitals", 0.15, "capitals"), ("separators", 0.03, "marks such as | and ›"))

_NAMES = {code: tag for tag, code in tags.CODES.items()}
# Tags that say nothing of what stands in them.
_PLAIN = frozenset({"html", "body", "div", "center", "tbody", "br"})
_MOST_TAGS = 4

# Columns of names by how they begin, and how many of each are told.
_CALLED = ("named", "role", "property")
_MOST_NAMES = 4
# What a page can say that a row is, by the end of the column's name.
_SAID = {
    "body": "its text",
    "description": "its description",
    "meta": "its description for search engines",
    "review": "a review",
    "name": "its name or headline",
}


class Facts:
    """The facts of one page: asked for row by row."""

    def __init__(self, rows: PageRows, columns: Sequence[str]) -> None:
        self._rows = rows
        self._names = {name: number for number, name in enumerate(columns)}
        self._columns = columns
        self._groups = grouped(columns)
        self._lists: dict[str, list[float]] = {}
        self._words: list[float] = rows.words.tolist()
        self._holders: dict[int, tuple[str, ...]] = {-1: ()}
        self._called_by_kind: dict[str, list[str]] = {}
        self._tag_codes: list[list[int]] = rows.tags.tolist()
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

    def words(self, group: Group, row: int) -> str:
        """What a group says of a row; where there is no sentence for it, which of its columns stand out."""
        said = self._say[group](row) if group in self._say else ""
        return said or self._outstanding(group, row)

    def _value(self, name: str, row: int) -> float | None:
        """The value of a column, None where there is no such column."""
        if name not in self._lists:
            if name not in self._names:
                return None
            self._lists[name] = self._rows.values[:, self._names[name]].tolist()
        return self._lists[name][row]

    def _count(self, name: str, row: int) -> int | None:
        """The value of a column that holds the logarithm of a count."""
        value = self._value(name, row)
        return None if value is None else round(float(np.expm1(value)))

    def _length(self, row: int) -> str:
        words = round(self._words[row])
        linked = self._value("linked", row)
        said = _number(words, "word")
        if words < _FEW:
            said = f"only {said}" if words else "no word at all"
        elif words >= _MANY and linked is not None and linked < _PROSE_LINKS:
            said = f"long prose: {said}"
        around = self._mean_around(self._words, row)
        fewer, more = sorted((words, around))
        if more >= _MANY and more > _MANY_TIMES * fewer:
            said += f", between blocks of {round(around)} on average"
        return said

    def _links(self, row: int) -> str:
        linked = self._value("linked", row)
        if linked is None:
            return ""
        said = f"{_share(linked)} of its words {'is a link' if linked == 0 else 'are links'}"
        nearby = [place for place in self._nearby(row) if place != row]
        words = sum(self._words[place] for place in nearby)
        if not words:
            return said
        around = sum(self._lists["linked"][place] * self._words[place] for place in nearby) / words
        # Only where the rows around say the opposite: their columns count as well.
        return f"{said}, but {_share(around)} of those around it" if (linked < 0.5) != (around < 0.5) else said

    def _marks(self, row: int) -> str:
        said: list[str] = []
        ends = self._value("ends a sentence", row)
        if ends is not None:
            said.append("ends as a sentence does" if ends else "does not end as a sentence does")
        commas = self._count("commas", row)
        if commas:
            said.append(_number(commas, "comma"))
        for name, least, title in _MANY_MARKS:
            share = self._value(name, row)
            if share is not None and share >= least:
                said.append(f"{_percent(share)} {title}")
        if self._count("prices", row):
            said.append("a sign of money")
        return ", ".join(said)

    def _tags(self, row: int) -> str:
        elements = self._rows.document.elements
        element = int(self._rows.element[row])
        own = elements.tag[element]
        holders = [tag for tag in self._holders_of(int(elements.parent[element])) if tag != own]
        where = ", ".join(f"<{tag}>" for tag in holders[:_MOST_TAGS]) or "plain elements only"
        folded = ", folded away until a reader opens it" if self._value("folded", row) else ""
        return f"<{own}> in {where}{folded}"

    def _holders_of(self, element: int) -> tuple[str, ...]:
        """The telling tags of an element and of those above it, nearest first."""
        elements, way = self._rows.document.elements, []
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

    def _called(self, row: int) -> str:
        said: list[str] = []
        for kind in _CALLED:
            found = [name for name in self._names_of(kind) if self._value(f"{kind} {name}", row)]
            if found:
                said.append(f"{kind} " + ", ".join(f"“{name}”" for name in found[:_MOST_NAMES]))
        return "; ".join(said) or "no name or role that says what it is"

    def _names_of(self, kind: str) -> list[str]:
        """What rows can be called, the rarest on the page first: what all are called tells none from the others."""
        if kind not in self._called_by_kind:
            columns = [name for name in self._columns if name.startswith(f"{kind} ")]
            often = {name: float(self._rows.values[:, self._names[name]].sum()) for name in columns}
            self._called_by_kind[kind] = [
                name.removeprefix(f"{kind} ") for name in sorted(columns, key=often.__getitem__)
            ]
        return self._called_by_kind[kind]

    def _said(self, row: int) -> str:
        found = [words for kind, words in _SAID.items() if self._value(f"said as {kind}", row)]
        said = [f"the page says it is {', '.join(found)}"] if found else []
        if self._value("said as opening", row):
            said.append("its description begins here" if found else "the page's description begins here")
        return "; ".join(said) or "nothing that the page says of itself"

    def _place(self, row: int) -> str:
        share = self._value("words before", row)
        said = f"block {row + 1:,} of {len(self._words):,}"
        if share is not None:
            said += f", after {_share(share)} of the page's words"
        depth = self._count("depth", row)
        return said if depth is None else f"{said}, {_number(depth, 'level')} deep"

    def _headings(self, row: int) -> str:
        said: list[str] = []
        if self._value("in title", row):
            said.append("its text is in the page's title")
        side, distance = self._value("after h1", row), self._count("from h1", row)
        if side is not None and distance is not None:
            if side:
                said.append(f"{_number(distance, 'block')} {'after' if side > 0 else 'before'} the first <h1>")
            elif distance == 0 and "h1" in (self._tag(row, 0), *self._holders_of(int(self._rows.element[row]))):
                said.append("the first <h1>")
            else:
                said.append("no <h1> on the page")
        below = self._count("from heading", row)
        if below is not None and self._tag(row, 0) not in tags.HEADINGS:
            # A row without a heading above counts from one that is 50 rows before the page.
            none = below >= row + 50
            said.append("no heading above it" if none else f"{_number(below, 'block')} below a heading")
        return ", ".join(said)

    def _alike(self, row: int) -> str:
        said: list[str] = []
        alike = self._count("rows like it", row)
        if alike is not None:
            if alike <= 1:
                said.append(f"no other <{self._tag(row, 0)}> at its depth")
            else:
                said.append(f"{_number(alike - 1, 'other block')} like it (<{self._tag(row, 0)}> at its depth)")
                linked, share = self._value("linked like it", row), self._value("share like it", row)
                if linked is not None and share is not None:
                    said.append(f"{_share(linked)} of their words are links")
                    said.append(f"together {_share(share)} of the page's words")
        of_class = self._count("rows of its class", row)
        if of_class is not None and of_class > 1 and of_class != alike:
            said.append(f"{_number(of_class - 1, 'other block')} of its class")
        repeated = self._count("repeated", row)
        if repeated:
            said.append(f"its text begins {_number(repeated, 'more block')}")
        return ", ".join(said)

    def _section(self, row: int) -> str:
        level = 1
        if not self._tag(row, level):
            return "nothing smaller than the page"
        if (self._count("rows 1", row) or 0) < _SECTION_ROWS and NEAR > 1 and self._tag(row, 2):
            level = 2
        return self._node(row, level)

    def _around(self, row: int) -> str:
        level = NEAR + 1
        deepest = len(self._tag_codes[row]) - 1
        if level > deepest or not self._tag(row, level):
            return "nothing between its section and the page"
        while level < deepest and self._tag(row, level + 1) and self._small(row, level):
            level += 1
        return self._node(row, level)

    def _small(self, row: int, level: int) -> bool:
        """Is there a larger part of the page above, which is not all of it?"""
        above = self._value(f"share {level + 1}", row)
        return above is not None and above < _WHOLE

    def _node(self, row: int, level: int) -> str:
        """The size of the part of the page that a row stands in."""
        words, rows = self._count(f"words {level}", row), self._count(f"rows {level}", row)
        linked, share = self._value(f"linked {level}", row), self._value(f"share {level}", row)
        if words is None or rows is None or linked is None or share is None:
            return ""
        name = f"<{self._tag(row, level)}>"
        if share >= 1:
            return f"nothing smaller than the {name}, with all of the page's words"
        size = f"the {name} has {_number(rows, 'block')} and {_number(words, 'word')}"
        return f"{size}, {_share(linked)} of them links; {_share(share)} of the page's words"

    def _tag(self, row: int, level: int) -> str:
        """The tag of a row, or of a node above it; empty where there is none."""
        code = self._tag_codes[row][level]
        return "element" if code == tags.OTHER else _NAMES.get(code, "")

    def _outstanding(self, group: Group, row: int) -> str:
        """The columns of a group in which a row differs most from the page."""
        numbers = self._groups.get(group, [])
        values: Floats = np.nan_to_num(self._rows.values[:, numbers].astype(np.float64))
        spread = values.std(axis=0)
        away = np.abs(values[row] - values.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
        most = [self._columns[numbers[place]] for place in np.argsort(-away, kind="stable")[:2].tolist()]
        return "unlike the page in: " + ", ".join(most) if most else ""

    def _nearby(self, row: int) -> range:
        return range(max(0, row - _NEIGHBOURS), min(len(self._words), row + _NEIGHBOURS + 1))

    def _mean_around(self, values: list[float], row: int) -> float:
        others = [values[place] for place in self._nearby(row) if place != row]
        return sum(others) / len(others) if others else values[row]


def _number(count: int, thing: str) -> str:
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


def _percent(share: float) -> str:
    return "under 1 %" if 0 < share < 0.01 else f"{100 * share:.0f} %"


def _share(share: float) -> str:
    return "none" if share <= 0 else "all" if share >= 1 else _percent(share)
