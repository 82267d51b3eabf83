"""A part of a page as the lines of a list, as recipes are written: one line an ingredient or step.

The lines are what repeats in the part: items of lists, rows of a table, elements with one class; where nothing
repeats, blocks and the texts between line breaks. Headings of parts are outside of the repeating elements.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice, pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tamis.arrays import Bools, Ints, places
from tamis.cached import cached_property
from tamis.document import Document, tags
from tamis.document.decode import clean_text
from tamis.labels import Labels, Role

WORDS: dict[str, list[str]] = json.loads(Path(__file__).with_name("recipe_words.json").read_text(encoding="utf-8"))
INGREDIENTS, STEPS, END = "ingredients", "steps", "end"
# What a heading announces. After the words of "end" comes something that is not the recipe: notes, nutrition, comments.
CUES = {word: kind for kind in (INGREDIENTS, STEPS, END) for word in WORDS[kind]}

# Classes and ids of lists. Recipe plugins are written in English whatever the language of the page.
CLASSES = {
    INGREDIENTS: re.compile(r"ingredi|ingrédient|zutat|składnik|skladnik|hozzaval|sastojc|malzeme", re.IGNORECASE),
    STEPS: re.compile(
        r"instruction|direction|method|prepar|(?:^|[-_ ])steps?(?:$|[-_ ])|recipe-?steps|zubereitung|anleitung|how-?to"
        r"|procediment|istruzion|bereiding|fremgang|elaboraci|procedure|priprema|postup|przygotow",
        re.IGNORECASE,
    ),
}
_CONTROL = re.compile(r"toggle|switch|prevent-sleep|screen-?reader|sr-only|visually-?hidden|tooltip", re.IGNORECASE)
_PART_NAME = re.compile(r"group-?name|heading|header|title|subhead|section-?name|component", re.IGNORECASE)

# Plugins declare the headings of parts as steps, and one of them the bold start of a step as its name. Shown lines are
# divided in the same way.
PLUGIN = re.compile(r"wprm-|tasty-recipes|mv-create")
_NAMING_PLUGIN = re.compile(r"tasty-recipes")

STEP_NUMBER = re.compile(
    r"(?:step|schritt|étape|etape|paso|passo|stap|steg|trin|krok|lépés|korak|adım|шаг|βήμα|passaggio|instruction)?"
    r"\s?#?\d{1,2}\s?(?:of \d{1,2}|/\s?\d{1,2})?\s?[.):：]?",
    re.IGNORECASE,
)
_BULLETS = " ■□▢▪▫▶▸○●◦•☐☑☒✓✔⁃·|*-–—>"
_AROUND_CUE = " :：.▢*-–•|🛒📋📝🥣🍴🍳🔪👩👨\u200d\ufe0f⏲"
_COLONS = (":", "：")

_LONGEST_CUE = 40  # characters, with the marks around the words
_LONGEST_HEADING = 100
_LONGEST_PART = 50  # the name of a part that only its colon tells
_LONGEST_NAME = 80  # of a step
_LONGEST_LINE = 4_000
_MOST_CUES = 100  # of a page
_MOST_LEVELS = 15  # of elements around a text that are looked at
_LEVELS_OF_CONTROL = 4
_LEVELS_OF_HEADING = 3  # elements in which the text of a heading is
NO_HEADING = 9  # the level of other texts

_IS_ITEM, _IS_ROW = tags.lookup("li"), tags.lookup("tr")
_WHOLE = frozenset({"li", "tr"})  # line breaks do not divide them
_LISTS = frozenset({"ul", "ol", "li", "div"})
_BOLD = frozenset({*tags.HEADINGS, "strong", "b", "dt", "caption", "legend"})
_LEVEL = np.full(tags.OTHER + 1, NO_HEADING)
for _tag in tags.HEADINGS:
    _LEVEL[tags.CODES[_tag]] = int(_tag[1])


class Line(NamedTuple):
    """A line of a list."""

    text: str
    is_heading: bool  # of a part
    is_outside: bool  # in no repeating element, where there are such
    is_link: bool  # the whole line
    last: int  # leaf


class Region(NamedTuple):
    """A part of a page that may hold a list."""

    first: int  # leaf
    end: int  # leaf
    row: int  # of the element around it
    has_class: bool  # of such a list
    level: int  # of headings that end it


def cue_of(text: str) -> str | None:
    """What a text announces as a heading: "Zutaten:"."""
    return CUES.get(_bare(text))


def _bare(text: str) -> str:
    return " ".join(text.split()).strip(_AROUND_CUE).casefold()


def _cue_at_start(text: str) -> str | None:
    """What the first words of a heading announce: "Zutaten für vier Personen"."""
    words = _bare(text[:_LONGEST_HEADING]).split(" ")
    return next((kind for count in (1, 2, 3) if (kind := CUES.get(" ".join(words[:count]).rstrip(":,")))), None)


@lru_cache(maxsize=4096)
def _is_control_class(name: str) -> bool:
    return _CONTROL.search(name) is not None


@lru_cache(maxsize=4096)
def _is_ingredient_class(name: str) -> bool:
    return CLASSES[INGREDIENTS].search(name) is not None


class RecipeLines:
    """The visible texts of a page, what their headings announce, and how parts of them divide into lines."""

    def __init__(self, document: Document, labels: Labels | None) -> None:
        self.elements, self.leaves = document.elements, document.leaves
        shown = (document.leaves.visible | document.leaves.folded) & ~document.leaves.is_media
        self.shown: list[bool] = shown.tolist()
        roles = labels.roles or () if labels is not None else ()
        # Whether each leaf is a reader's comment or about other pages; empty if the extractor knows no roles.
        self.is_foreign = [role in (Role.COMMENT, Role.RELATED) for role in roles]
        self.levels: list[int] = self._heading_levels().tolist()
        self.cues = dict(
            islice(self._found_cues(places(shown).tolist()), _MOST_CUES)
        )  # from a leaf to what begins there

    def _found_cues(self, shown: Iterable[int]) -> Iterator[tuple[int, str]]:
        """What texts announce; headings of several words count where no text is a whole cue of the kind."""
        texts, whole, longer = self.leaves.text, dict[int, str](), dict[int, str]()
        for leaf in shown:
            if len(texts[leaf]) <= _LONGEST_CUE and (kind := cue_of(texts[leaf])):
                whole[leaf] = kind
            elif self.levels[leaf] < NO_HEADING and (kind := _cue_at_start(texts[leaf])):
                longer[leaf] = kind
        known = set(whole.values())
        yield from whole.items()
        yield from ((leaf, kind) for leaf, kind in longer.items() if kind not in known)

    def _heading_levels(self) -> Ints:
        """The level of the heading that each leaf is in."""
        level, row = _LEVEL.take(self.elements.code), self.leaves.element
        found: Ints = level.take(row)
        for _ in range(_LEVELS_OF_HEADING - 1):
            row = self.elements.parent.take(row)
            found = np.minimum(found, np.where(row < 0, NO_HEADING, level.take(row)))
        return found

    @cached_property
    def _opened(self) -> list[int]:
        rows: list[int] = self.leaves.opened.tolist()
        return rows

    @cached_property
    def _breaks(self) -> list[int]:
        rows: list[int] = places(self.elements.code == tags.CODES["br"]).tolist()
        return rows

    def range_of(self, row: int) -> tuple[int, int]:
        """The leaves in an element."""
        return bisect_left(self._opened, row), bisect_left(self._opened, int(self.elements.end[row]))

    def is_alone(self, leaf: int) -> bool:
        """Is a leaf the only text of its block?"""
        block = self.leaves.block
        near = [other for other in (leaf - 1, leaf + 1) if 0 <= other < len(block) and self.shown[other]]
        return all(block[other] != block[leaf] for other in near)

    def is_of_plugin(self, row: int, plugin: re.Pattern[str] = PLUGIN) -> bool:
        """Is a list one that a plugin for recipes wrote?"""
        around = islice(self.elements.ancestors(row), _MOST_LEVELS)
        return any(plugin.search(self.elements.class_[each]) for each in around)

    def lines(self, region: Region, kind: str) -> list[Line]:
        """The lines of a region; headings that announce a list are left out."""
        leaves = [leaf for leaf in range(region.first, region.end) if self.shown[leaf] and not self._is_control(leaf)]
        if kind == STEPS:
            leaves = [leaf for leaf in leaves if not self._is_ingredient_of_step(leaf, region.row)]
        units = self._units(leaves, region.row)
        if kind == INGREDIENTS:
            leaves = self._before_other_list(leaves, units)
        has_names = kind == STEPS and self.is_of_plugin(region.row, _NAMING_PLUGIN)
        found: list[Line] = []
        line: list[int] = []
        for before, leaf in pairwise((-1, *leaves)):
            if line and (self._is_border(before, leaf, units) or (has_names and self._is_name(line, leaf))):
                found.append(self._line(line, units, region.row))
                line = []
            line.append(leaf)
        if line:
            found.append(self._line(line, units, region.row))
        return [each for each in found if any(map(str.isalpha, each.text)) and cue_of(each.text) is None]

    # What belongs to a list

    def _is_control(self, leaf: int) -> bool:
        """Is a leaf a switch, or meant for screen readers alone?"""
        tag, name = self.elements.tag, self.elements.class_
        rows = islice(self.elements.ancestors(int(self.leaves.element[leaf])), _LEVELS_OF_CONTROL)
        return any(tag[row] == "button" or _is_control_class(name[row]) for row in rows)

    def _is_ingredient_of_step(self, leaf: int, row: int) -> bool:
        """Is a leaf in a list of what a step needs, which is shown with the step?"""
        tag, name = self.elements.tag, self.elements.class_
        return any(tag[each] in _LISTS and _is_ingredient_class(name[each]) for each in self._around(leaf, row))

    def _before_other_list(self, leaves: list[int], units: Mapping[int, int]) -> list[int]:
        """The leaves before a numbered list that follows a list without numbers: there the steps begin."""
        tag, parent = self.elements.tag, self.elements.parent
        lists = [tag[parent[units[leaf]]] if leaf in units else "" for leaf in leaves]
        end = lists.index("ol") if "ol" in lists else 0
        return leaves[:end] if "ul" in lists[:end] else leaves

    # Where lines end

    def _units(self, leaves: Sequence[int], row: int) -> dict[int, int]:
        """The repeating element of each leaf that is in one."""
        around = {leaf: self._around(leaf, row) for leaf in leaves}
        sizes = {leaf: len(self.leaves.text[leaf].split()) + 1 for leaf in leaves}
        total = sum(sizes.values())
        for table in (_IS_ITEM, _IS_ROW):
            units = {leaf: unit for leaf, rows in around.items() if (unit := self._first_of(table, rows)) >= 0}
            if len(set(units.values())) > 1 and sum(sizes[leaf] for leaf in units) >= total / 2:
                return units
        return self._repeating(around, sizes, total)

    def _first_of(self, table: Bools, rows: Iterable[int]) -> int:
        return next((row for row in rows if table[self.elements.code[row]]), -1)

    def _around(self, leaf: int, row: int) -> list[int]:
        """The elements around a leaf below a row, the innermost first."""
        rows = islice(self.elements.ancestors(int(self.leaves.element[leaf])), _MOST_LEVELS)
        return [each for each in rows if each > row]

    def _repeating(self, around: Mapping[int, list[int]], sizes: Mapping[int, int], total: int) -> dict[int, int]:
        """The outermost elements of one tag and class that are enough and hold most of the text."""
        kinds: dict[tuple[str, str, int], dict[int, int]] = {}  # to the element of each leaf
        for leaf, rows in around.items():
            for row in rows:
                name = next(iter(self.elements.class_[row].split()), "")
                depth = 0 if name else int(self.elements.depth[row])
                kinds.setdefault((self.elements.tag[row], name, depth), {})[leaf] = row
        wide = [units for units in kinds.values() if sum(map(sizes.__getitem__, units)) >= total / 2]
        counts = [len(set(units.values())) for units in wide]
        least = max(2, max(counts, default=0) / 2)
        enough = [units for units, count in zip(wide, counts, strict=True) if count >= least]
        return min(enough, key=lambda units: self.elements.depth[next(iter(units.values()))], default={})

    def _is_border(self, before: int, leaf: int, units: Mapping[int, int]) -> bool:
        """Does a line end between two leaves?"""
        unit = units.get(leaf, -1)
        if unit != units.get(before, -1):
            return True
        if unit < 0 and self.leaves.block[before] != self.leaves.block[leaf]:
            return True
        if unit >= 0 and self.elements.tag[unit] in _WHOLE:
            return False
        return bisect_right(self._breaks, self._opened[before]) < bisect_right(self._breaks, self._opened[leaf])

    def _is_name(self, line: Sequence[int], leaf: int) -> bool:
        """Is what has been read of a step its name: in bold, up to a colon or in a block of its own?"""
        tag, last = self.elements.tag, int(self.leaves.element[line[-1]])
        text = "".join(self.leaves.text[each] for each in line).strip()
        if len(text) > _LONGEST_NAME or tag[last] not in _BOLD or int(self.leaves.element[leaf]) == last:
            return False
        is_marked = text.endswith(_COLONS) or self.leaves.text[leaf].lstrip().startswith(_COLONS)
        return is_marked or self.leaves.block[line[-1]] != self.leaves.block[leaf] or tag[last] in tags.HEADINGS

    # What a line says

    def _line(self, leaves: Sequence[int], units: Mapping[int, int], row: int) -> Line:
        text = self._text(leaves)
        unit = units.get(leaves[0], -1)
        is_link = bool(self.leaves.in_link[leaves].all())
        return Line(text, self._is_heading(leaves, text, unit, row), bool(units) and unit < 0, is_link, leaves[-1])

    def _text(self, leaves: Sequence[int]) -> str:
        """The text of a line without bullet and number."""
        texts, gaps = self.leaves.text, self.leaves.gap
        if len(leaves) > 1 and self._is_number(texts[leaves[0]].strip()):
            leaves = leaves[1:]
        parts: list[str] = []
        for before, leaf in pairwise((-1, *leaves)):
            if parts and (gaps[leaf] or self._is_apart(before, leaf)):
                parts.append(" ")
            parts.append(texts[leaf][:_LONGEST_LINE])
            if sum(map(len, parts[-2:])) > _LONGEST_LINE:
                break
        text = " ".join(clean_text("".join(parts)[:_LONGEST_LINE]).split())
        return text.lstrip(_BULLETS) or text

    def _is_number(self, text: str) -> bool:
        """Is a text the number of a step, and not the amount of an ingredient?"""
        return bool(STEP_NUMBER.fullmatch(text)) and (not text[0].isdigit() or not text[-1].isdigit())

    def _is_apart(self, before: int, leaf: int) -> bool:
        """Are two leaves without white space between them set apart by their elements?"""
        tag, name = self.elements.tag, self.elements.class_
        one, other = int(self.leaves.element[before]), int(self.leaves.element[leaf])
        if self.leaves.block[before] != self.leaves.block[leaf]:
            return True
        return one != other and (bool(name[one] and name[other]) or tag[one] == tag[other] == "span")

    def _is_heading(self, leaves: Sequence[int], text: str, unit: int, row: int) -> bool:
        """Does a line head a part of a list?"""
        if len(text) > _LONGEST_HEADING:
            return False
        elements = self.elements
        last = int(self.leaves.element[leaves[-1]])
        for each in islice(elements.ancestors(int(self.leaves.element[leaves[0]])), _MOST_LEVELS):
            if each <= max(unit, row):
                break
            is_named = elements.tag[each] in _BOLD or (unit < 0 and _PART_NAME.search(elements.class_[each]))
            if is_named and last < elements.end[each]:
                return True
        return text.endswith(_COLONS) and len(text) < _LONGEST_PART and not any(map(str.isdigit, text))
