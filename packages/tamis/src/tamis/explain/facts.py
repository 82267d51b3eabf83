"""The facts that each group of columns shows about a run, in words, with the usual value where it differs."""

from __future__ import annotations

import math

import numpy as np

from tamis.document import tags
from tamis.explain.effects import NEAR, NO_HEADING, Group, RunRows, group_of
from tamis.extractor.runs import COLUMNS, PageRuns

# A run of fewer words is short.
_FEW = 5
# A run of at least this many words is long prose if less than this share of them is in links.
_MANY = 30
_PROSE_LINKS = 0.35

# How many runs to either side are "around" a run.
_NEIGHBOURS = 4

# A node with fewer runs is only a part of a section.
_SECTION_RUNS = 4

# A node with more of the page's words than this is the whole page.
_WHOLE = 0.95

# The usual value is mentioned where a count differs by this factor, or a share by this difference.
_FACTOR = 1.5
_DIFFERENCE = 0.1

# Marks, by the name of their column, are mentioned from this share of all characters.
_MANY_MARKS = (("digits", 0.1, "digits"), ("capitals", 0.15, "capitals"), ("separators", 0.03, "marks such as | and ›"))

_TAG_NAMES = {code: tag for tag, code in tags.CODES.items()}
# Tags that describe nothing.
_PLAIN = frozenset({"html", "body", "div", "center", "tbody", "br"})
_MOST_TAGS = 4
# Elements around a run, by their columns.
_HOLDERS = {
    name: name.removeprefix("in ").split()
    for name in COLUMNS
    if name.startswith("in ") and group_of(name) is Group.TAGS
}

# The first words of columns about names.
_NAME_KINDS = ("named", "role", "property")
_MOST_NAMES = 4  # of each kind that are mentioned
_MOST_MISSING = 2  # of the usual names
_NAMED = [column for column in COLUMNS if column.startswith("named ")]
# The parts that a page can declare a run to be, by the last word of the column.
_DECLARED = {
    "body": "its text",
    "description": "its description",
    "meta": "its description for search engines",
    "review": "a review",
    "part": "an ingredient, a step, an answer or a post",
    "name": "its name or headline",
}
_DECLARATIONS = [column for column in COLUMNS if column.startswith("declared as ")]


class Facts:
    """The facts about the runs of one page; `typical` has the typical run in place of each."""

    def __init__(self, runs: PageRuns, typical: RunRows) -> None:
        self._runs = runs
        self._typical = typical
        self._columns: dict[str, tuple[list[float], list[float]]] = {}
        self._words: list[float] = runs.words.tolist()
        self._holders: dict[int, tuple[str, ...]] = {-1: ()}
        self._tag_codes: list[list[int]] = runs.tags.tolist()
        # Names that are rare on the page come first: a name of all runs tells nothing.
        often = dict(zip(COLUMNS, runs.values.sum(axis=0).tolist(), strict=True))
        rarest_first = sorted(COLUMNS, key=often.__getitem__)
        self._names_by_kind = {
            kind: [column for column in rarest_first if column.startswith(f"{kind} ")] for kind in _NAME_KINDS
        }

    def words(self, group: Group, run: int) -> str:
        """The facts of a group about a run. PAGE is always real and OTHER empty, so they have none."""
        describe = getattr(self, f"_{group.name.lower()}")  # each other group has its method below
        return str(describe(run))

    def _column_pair(self, name: str) -> tuple[list[float], list[float]]:
        """The real and the typical values of a column."""
        if name not in self._columns:
            number = COLUMNS.index(name)
            self._columns[name] = self._runs.values[:, number].tolist(), self._typical.values[:, number].tolist()
        return self._columns[name]

    def _values(self, name: str, run: int) -> tuple[float, float]:
        """The value of a column and the typical one."""
        real, typical = self._column_pair(name)
        return real[run], typical[run]

    def _value(self, name: str, run: int) -> float:
        return self._values(name, run)[0]

    def _usual(self, name: str, run: int) -> float:
        return self._values(name, run)[1]

    def _counts(self, name: str, run: int) -> tuple[int, int]:
        """The count whose logarithm a column holds, and the typical one."""
        value, usual = self._values(name, run)
        return _count_of_logarithm(value), _count_of_logarithm(usual)

    def _length(self, run: int) -> str:
        words = round(self._words[run])
        length = _counted(words, "word")
        if words < _FEW:
            length = f"only {length}" if words else "no words"
        elif words >= _MANY and self._value("linked", run) < _PROSE_LINKS:
            length = f"long prose: {length}"
        return length + _usual_count(words, _count_of_logarithm(self._usual("words", run)))

    def _links(self, run: int) -> str:
        linked, usual = self._values("linked", run)
        links = "is a link" if linked == 0 else "are links"
        return f"{_share_in_words(linked)} of its words {links}{_usual_share(linked, usual)}"

    def _marks(self, run: int) -> str:
        ends, usually = (bool(value) for value in self._values("ends a sentence", run))
        usual = f" (usual: it does{'' if usually else ' not'})" if ends != usually else ""
        parts = [f"{'ends' if ends else 'does not end'} like a sentence{usual}"]
        commas, usual_commas = self._counts("commas", run)
        if commas:
            parts.append(_counted(commas, "comma") + _usual_count(commas, usual_commas))
        shares = [(*self._values(name, run), least, title) for name, least, title in _MANY_MARKS]
        parts += [
            f"{_share_in_words(share)} {title}{_usual_share(share, typical)}"
            for share, typical, least, title in shares
            if share >= least
        ]
        return ", ".join(parts)

    def _tags(self, run: int) -> str:
        elements = self._runs.document.elements
        element = int(self._runs.element[run])
        own = elements.tag[element]
        holders = [tag for tag in self._holders_of(int(elements.parent[element])) if tag != own]
        usual = [held for name, held in _HOLDERS.items() if self._usual(name, run)]
        common = {tag for held in usual for tag in held}
        shown = sorted(holders, key=common.__contains__)[:_MOST_TAGS]  # those that are not usual come first
        where = ", ".join(f"<{tag}>" for tag in shown) or "plain elements only"
        missing = [held[0] for held in usual if not {own, *holders}.intersection(held)]
        also = f" (usual: also in {', '.join(f'<{tag}>' for tag in missing[:_MOST_TAGS])})" if missing else ""
        folded = ", folded: hidden until a reader opens it" if self._value("folded", run) else ""
        return f"<{own}> in {where}{also}{folded}"

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
            # Those that are not usual come first.
            columns.sort(key=lambda column: self._usual(column, run))
            parts += [f"{kind} {_quoted(columns[:_MOST_NAMES])}"] if columns else []
        missing = [column for column in _NAMED if self._usual(column, run) and not self._value(column, run)]
        also = f" (usual: {_quoted(missing[:_MOST_MISSING])})" if missing else ""
        return ("; ".join(parts) or "no known class name or role around it") + also

    def _declared(self, run: int) -> str:
        kinds = [title for kind, title in _DECLARED.items() if self._value(f"declared as {kind}", run)]
        parts = [f"the page declares it as {', '.join(kinds)}"] if kinds else []
        if self._value("declared as opening", run):
            parts.append("the page's description begins here")
        if parts:
            return "; ".join(parts)
        around = any(
            any(self._column_pair(column)[0][other] for column in _DECLARATIONS) for other in self._others(run)
        )
        return f"the page declares nothing about it{', but something about blocks around it' if around else ''}"

    def _place(self, run: int) -> str:
        count = len(self._words)
        before, usual_before = self._values("words before", run)
        ends = {0: f"the first of {count:,} blocks", count - 1: f"the last of {count:,} blocks"}
        block = ends.get(run, f"block {run + 1:,} of {count:,}")
        typical = round(self._usual("place", run) * count)
        usual = f" (usual: block {typical + 1:,})" if abs(run - typical) > max(1, _DIFFERENCE * count) else ""
        return (
            f"{block}{usual}, after {_share_in_words(before)} of the page's words{_usual_share(before, usual_before)}"
        )

    def _headings(self, run: int) -> str:
        parts = ["its text is in the page's title"] if self._value("in title", run) else []
        side, usual_side = self._values("after h1", run)
        distance, usual_distance = self._counts("from h1", run)
        if side:
            usual = _usual_count(distance, usual_distance)
            if side * usual_side < 0:
                usual = f" (usual: {'after' if usual_side > 0 else 'before'} it)"
            parts.append(f"{_counted(distance, 'block')} {'after' if side > 0 else 'before'} the first <h1>{usual}")
        elif distance == 0 and "h1" in (self._tag(run, 0), *self._holders_of(int(self._runs.element[run]))):
            parts.append("the first <h1>")
        else:
            parts.append("no <h1> on the page")
        if self._tag(run, 0) not in tags.HEADINGS:
            below, usual_below = self._counts("from heading", run)
            # Where no heading is above it, the column counts from before the page.
            none = below >= run + NO_HEADING
            usual = _usual_count(below, usual_below)
            parts.append("no heading above it" if none else f"{_counted(below, 'block')} below a heading{usual}")
        return ", ".join(parts)

    def _alike(self, run: int) -> str:
        tag = self._tag(run, 0)
        alike, usual = (count - 1 for count in self._counts("runs like it", run))
        if alike <= 0:
            parts = [f"no other <{tag}> at its depth{_usual_count(0, max(usual, 0))}"]
        else:
            linked, share = self._values("linked like it", run), self._values("share like it", run)
            parts = [
                f"{alike:,} other <{tag}> at its depth{_usual_count(alike, max(usual, 0))}",
                f"{_share_in_words(linked[0])} of their words are links{_usual_share(*linked)}",
                f"together {_share_in_words(share[0])} of the page's words{_usual_share(*share)}",
            ]
        if repeated := self._counts("repeated", run)[0]:
            parts.append(f"{_counted(repeated, 'other block')} with the same first text")
        return ", ".join(parts)

    def _records(self, run: int) -> str:
        """Where it is in the posts, cards or chapters of the page."""
        count = _count_of_logarithm(self._value("page records", run))
        inside, usually_inside = (bool(value) for value in self._values("in record", run))
        usual = f" (usual: in {'one' if usually_inside else 'none'})" if inside != usually_inside else ""
        if not count:
            return f"the page has no records{usual}"
        if inside:
            number = _count_of_logarithm(self._value("records before", run)) + 1
            share, usual_share = self._values("share of records", run)
            differs = _usual_share(share, usual_share) if usually_inside else ""
            return f"in record {number:,} of {count:,}{usual}, with {_share_in_words(share)} of their words{differs}"
        place = "before" if self._value("before records", run) else "after"
        share = self._value("page in records", run)
        return f"{place} the first of {count:,} records{usual}, which have {_share_in_words(share)} of the page's words"

    def _section(self, run: int) -> str:
        if not self._tag(run, 1):
            return f"no section, only the page{self._unlike(run, 1)}"
        small = self._counts("runs 1", run)[0] < _SECTION_RUNS and NEAR > 1 and self._tag(run, 2)
        return self._node(run, 2 if small else 1)

    def _around(self, run: int) -> str:
        level = NEAR + 1
        deepest = len(self._tag_codes[run]) - 1
        if level > deepest or not self._tag(run, level):
            return f"nothing between its section and the page{self._unlike(run, level)}"
        # The largest part that is not the whole page.
        while level < deepest and self._tag(run, level + 1) and self._value(f"share {level + 1}", run) < _WHOLE:
            level += 1
        return self._node(run, level)

    def _unlike(self, run: int, level: int) -> str:
        """A hint that runs around this one have a node at this level, which can have an effect."""
        return ", unlike blocks around it" if any(self._tag(other, level) for other in self._others(run)) else ""

    def _node(self, run: int, level: int) -> str:
        """The size of a node above a run."""
        words, runs = self._counts(f"words {level}", run), self._counts(f"runs {level}", run)
        linked, share = self._values(f"linked {level}", run), self._values(f"share {level}", run)
        name = f"<{self._tag(run, level)}>"
        if share[0] >= 1:
            return f"the {name} has all of the page's words{_usual_share(*share)}"
        return (
            f"the {name} has {_counted(runs[0], 'block')}{_usual_count(*runs)} and {_counted(words[0], 'word')}"
            f"{_usual_count(*words)}, {_share_in_words(linked[0])} of them links{_usual_share(*linked)}; "
            f"{_share_in_words(share[0])} of the page's words{_usual_share(*share)}"
        )

    def _neighbours(self, run: int) -> str:
        others = self._others(run)
        real = [(self._words[other], self._value("linked", other)) for other in others]
        usual = [
            (float(_count_of_logarithm(self._usual("words", other))), self._usual("linked", other)) for other in others
        ]
        (words, linked), (usual_words, usual_linked) = _mean_of_texts(real), _mean_of_texts(usual)
        ends, usual_ends = self._means("ends a sentence", others)
        facts = (
            f"the nearest blocks have {_counted(words, 'word')} on average{_usual_count(words, usual_words)}, "
            f"{_share_in_words(linked)} of them links{_usual_share(linked, usual_linked)}; {_share_in_words(ends)} of "
            f"them end like a sentence{_usual_share(ends, usual_ends)}"
        )
        for name, least, title in _MANY_MARKS:
            share, typical = self._means(name, others)
            if abs(share - typical) >= least:
                facts += (
                    f"; the nearest blocks have {_share_in_words(share)} {title} (usual: {_share_in_words(typical)})"
                )
        return facts if "(usual: " in facts else f"{self._unusual_block(run)}; {facts}"

    def _means(self, name: str, runs: list[int]) -> tuple[float, float]:
        """The mean of a column over some runs, and the mean of its typical values."""
        real, typical = (sum(values[run] for run in runs) / len(runs) for values in self._column_pair(name))
        return real, typical

    def _unusual_block(self, run: int) -> str:
        """The block that makes a difference although the nearest blocks are as usual on average."""
        counts = [
            (round(self._words[other]), _count_of_logarithm(self._usual("words", other))) for other in self._others(run)
        ]
        words, usual = max(counts, key=lambda pair: abs(math.log1p(pair[0]) - math.log1p(pair[1])))
        if differs := _usual_count(words, usual):
            return f"one of the nearest blocks has {_counted(words, 'word')}{differs}"
        return "blocks further away differ from the usual"

    def _others(self, run: int) -> list[int]:
        """The runs around a run."""
        nearby = range(max(0, run - _NEIGHBOURS), min(len(self._words), run + _NEIGHBOURS + 1))
        return [other for other in nearby if other != run]

    def _tag(self, run: int, level: int) -> str:
        """The tag of a run (level 0) or of a node above it; empty if there is none."""
        code = self._tag_codes[run][level]
        return "element" if code == tags.OTHER else _TAG_NAMES.get(code, "")


def _mean_of_texts(texts: list[tuple[float, float]]) -> tuple[int, float]:
    """The mean of the words of some texts, and the share of links in all; each text has its words and its share."""
    words = sum(count for count, _ in texts)
    return round(words / len(texts)), sum(count * linked for count, linked in texts) / max(words, 1)


def _count_of_logarithm(logarithm: float) -> int:
    return round(float(np.expm1(logarithm)))


def _counted(count: int, thing: str) -> str:
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


def _quoted(columns: list[str]) -> str:
    return ", ".join(f"“{column.partition(' ')[2]}”" for column in columns)


def _share_in_words(share: float) -> str:
    if share <= 0 or share >= 1:
        return "none" if share <= 0 else "all"
    return "under 1 %" if share < 0.01 else f"{100 * share:.0f} %"


def _usual_count(count: int, usual: int) -> str:
    """The usual count, if the count is much smaller or larger."""
    fewer, more = sorted((count, usual))
    return f" (usual: {usual:,})" if more > fewer + 1 and more + 1 >= _FACTOR * (fewer + 1) else ""


def _usual_share(share: float, usual: float) -> str:
    """The usual share, if the share is much smaller or larger."""
    return f" (usual: {_share_in_words(usual)})" if abs(share - usual) >= _DIFFERENCE else ""
