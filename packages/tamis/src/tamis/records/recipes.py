"""The two lists of a recipe as the page shows them: ingredients and steps.

A list is looked for below headings ("Ingredients", "Zubereitung") and in elements with such a class. Each such region is
divided into lines by what repeats in it: list items, rows of a table, elements with one class, else blocks and line
breaks. The region whose lines look most like ingredients, or like steps, is the list.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tamis.arrays import Bools, places
from tamis.cached import cached_property
from tamis.deadline import checked
from tamis.document import Document, tags
from tamis.document.decode import clean_text
from tamis.labels import Labels, Role
from tamis.metadata.schema import plain_text

_WORDS: dict[str, list[str]] = json.loads(Path(__file__).with_name("recipe_words.json").read_text(encoding="utf-8"))
_CUES = {word: kind for kind in ("ingredients", "steps", "end") for word in _WORDS[kind]}
_UNITS = frozenset(_WORDS["amounts"])
_LONGEST_CUE = 40  # characters with what is around the words
_LONGEST_HEADING = 100

# Classes and ids of lists. Recipe plugins are written in English whatever the language of the page.
_CLASS = {
    "ingredients": re.compile(r"ingredi|ingrédient|zutat|składnik|hozzaval|skladnik|sastojc|malzeme", re.IGNORECASE),
    "steps": re.compile(
        r"instruction|direction|method|prepar|(?:^|[-_ ])steps?(?:$|[-_ ])|recipe-?steps|recipesteps|zubereitung|anleitung"
        r"|procediment|istruzion|bereiding|fremgang|elaboraci|procedure|priprema|postup|przygotow|how-?to",
        re.IGNORECASE,
    ),
}
# A piece of a word for ingredients in each language: one of them is in the text of a recipe. Those of other scripts are
# looked for where letters take this many bytes.
_IN_TEXT = tuple(
    word.encode()
    for word in (
        "gredi", "GREDI", "grédi", "GRÉDI", "utaten", "UTATEN", "kładnik", "ozzával", "astojci", "alzemel", "uroviny",
        "otrebujeme", "inekset", "astāvdaļas", "oostisosad", "ahan-bahan",
    )
)  # fmt: skip
_IN_TEXT_OF_OTHER_SCRIPTS = tuple(
    word.encode()
    for word in (
        "нгредиент",
        "λικά",
        "材料",
        "食材",
        "用料",
        "재료",
        "guyên liệu",
        "ส่วนผสม",
        "المكونات",
        "مقادير",
        "מצרכים",
        "רכיבים",
    )
)
_LEAST_BYTES = 1.2

_IS_ITEM, _IS_ROW = tags.lookup("li"), tags.lookup("tr")
_IS_HEADING = tags.lookup(*tags.HEADINGS)
_BOLD = frozenset({*tags.HEADINGS, "strong", "b", "dt", "caption", "legend"})
_HEADING_CLASS = re.compile(r"group-?name|heading|header|title|subhead|section-?name|component", re.IGNORECASE)
_BREAKS_NOT = frozenset({"li", "tr"})

_END_OF_CUE = re.compile("[:：|]")
_AROUND_CUE = " :：.▢*-–•|🛒📋📝🥣🍴🍳🔪👩👨\u200d\ufe0f⏲"

# Hostile pages: regions of a kind that are divided, leaves of a region, elements around a leaf, characters of a line.
_MOST_REGIONS = 60
_MOST_LEAVES = 600
_MOST_LEVELS = 40
_LONGEST_LINE = 4_000
# The same of declared steps: steps, characters of all, how deep sections nest.
_MOST_STEPS = 300
_LONGEST_TEXT = 100_000
_DEEPEST = 5
# What a region is worth more by where it is, chosen on the corpus `recipes`.
_OF_CLASS = 1.3
_OF_PLUGIN = 4.0
_BEFORE = 0.2  # steps in front of the ingredients
_NEAR = 1.5
_NEAR_LEAVES = 60
_LEAST_SCORE = 0.75
_CLEARLY = 1.2  # by which a larger region is better than one inside it

# Without a heading, steps are at least so many.
_LEAST_UNNAMED = 2
# From a heading, its ancestors so far up may hold the list.
_LEVELS_OF_HEADING = 6

_AMOUNT = re.compile(
    r"\W{0,5}(?:\d|[\u00bc-\u00be\u2150-\u215e一二三四五六七八九十半]|a few|half|ein(?:e|en)?\b|une?\b|unos?\b|unas?\b|een\b|pinch|dash)",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+(?:\.\w+)?")
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]")
_LETTERS_A_WORD = 2  # of Chinese, Japanese and Thai
_BULLET = re.compile(r"^[\s\u25a0-\u25ff\u2022\u2610-\u2612\u2713\u2714\u2043\u00b7|*\-\u2013\u2014>✓]+(?=\S)")
_STEP = "step|schritt|étape|etape|paso|passo|stap|steg|trin|krok|lépés|korak|adım|шаг|βήμα|passaggio|instruction"
_COUNTED = re.compile(rf"(?:{_STEP})\s?\d{{1,2}}(?!\d)\s?[.):：/-]?\s*", re.IGNORECASE)
_NUMBER = re.compile(r"(\d{1,2})(?:\s|(?=[.):：/])|-(?!\d)|$)[.):：/-]?\s*")
_ONLY_NUMBER = re.compile(rf"(?:{_STEP})?\s?#?\d{{1,2}}\s?(?:of \d+|/\s?\d+)?\s?[.):：]?", re.IGNORECASE)

_LINE = re.compile(r"[\r\n]++|</?(?:li|p|br|div|ol|ul)(?:\s[^<>]*+)?/?>", re.IGNORECASE)

_CONTROL = re.compile(r"toggle|switch|prevent-sleep|screen-?reader|sr-only|visually-?hidden|tooltip", re.IGNORECASE)
_LEVELS_OF_CONTROL = 4

# Plugins declare the headings of parts as steps, and some what is bold at the start of a step as its name. Lines that
# are shown are divided in the same way.
_PLUGIN = re.compile(r"wprm-|tasty-recipes|mv-create")
_NAMING_PLUGIN = re.compile(r"tasty-recipes")


class ShownLists(NamedTuple):
    """The lists that a page shows; empty where there is none."""

    ingredients: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()


class _Line(NamedTuple):
    text: str
    is_heading: bool
    is_outside: bool  # not in one of the repeating elements
    is_link: bool  # all of it
    last: int  # leaf


class _Region(NamedTuple):
    first: int  # leaf
    end: int  # leaf
    row: int  # of the element around it
    has_class: bool
    level: int  # of the headings that end it


def has_recipe_cue(document: Document) -> bool:
    """May a page show a recipe? Its texts hold a word for ingredients; without one nothing else is looked at."""
    leaves = document.leaves
    is_other = len(leaves.utf8) > _LEAST_BYTES * sum(map(len, leaves.text))
    words = _IN_TEXT + _IN_TEXT_OF_OTHER_SCRIPTS if is_other else _IN_TEXT
    return any(word in leaves.utf8 for word in words)


def shown_lists(document: Document, labels: Labels | None) -> ShownLists:
    """The ingredients and steps that a page shows, each a line."""
    page = _Page(document, labels)
    if (ingredients := page.best("ingredients", None)) is None:
        return ShownLists()
    steps = page.best("steps", ingredients[0])
    return ShownLists(
        tuple(line.text for line in ingredients[1] if not line.is_heading and not line.is_outside),
        _steps(steps[1], page.is_of_plugin(steps[0].row, _PLUGIN)) if steps else (),
    )


def declared_steps(recipe: Mapping[str, object], resolved: Callable[[object], object]) -> tuple[str, ...]:
    """The steps of a recipe in JSON-LD, with the names of sections and steps; `resolved` follows references."""
    value = recipe.get("recipeInstructions")
    if isinstance(value, str):
        return without_numbers([line for part in _LINE.split(value[:_LONGEST_TEXT]) if (line := plain_text(part))])
    return without_numbers(list(islice(filter(None, _named_steps(value, resolved, 0)), _MOST_STEPS)))


def _named_steps(value: object, resolved: Callable[[object], object], depth: int) -> Iterator[str]:
    value = resolved(value)
    if depth > _DEEPEST:
        return
    if isinstance(value, str):
        yield plain_text(value[:_LONGEST_LINE])
    elif isinstance(value, list):
        for each in value[:_MOST_STEPS]:
            yield from _named_steps(each, resolved, depth + 1)
    elif isinstance(value, dict):
        name, text = (
            plain_text(each[:_LONGEST_LINE]) if isinstance(each, str) else ""
            for each in (value.get("name"), value.get("text"))
        )
        inner = [*_named_steps(value.get("itemListElement") or value.get("steps"), resolved, depth + 1)]
        text = "" if inner else text
        is_telling = name and not _ONLY_NUMBER.fullmatch(name) and _CUES.get(_cue(name)) != "steps"
        if is_telling and not text.startswith(name.rstrip(".\u2026")):
            yield name
        yield text
        yield from inner


class _Page:
    """The visible texts of a page, and where its lists may be."""

    def __init__(self, document: Document, labels: Labels | None) -> None:
        self.elements, self.leaves = document.elements, document.leaves
        shown = (document.leaves.visible | document.leaves.folded) & ~document.leaves.is_media
        if labels is not None and labels.roles is not None:
            foreign = (Role.COMMENT, Role.RELATED)
            shown &= ~np.fromiter((role in foreign for role in labels.roles), np.bool_, len(labels.roles))
        self.shown: list[bool] = shown.tolist()
        self.cues: dict[int, str] = {}  # leaf: what begins there
        longer: dict[int, str] = {}
        texts = document.leaves.text
        for leaf in places(shown).tolist():
            if len(texts[leaf]) <= _LONGEST_CUE and (kind := _CUES.get(_cue(texts[leaf]))):
                self.cues[leaf] = kind
        for leaf in places(shown & self._in_heading()).tolist():
            if leaf not in self.cues and (kind := _begins_with(texts[leaf])):
                longer[leaf] = kind
        known = set(self.cues.values())
        self.cues |= {leaf: kind for leaf, kind in longer.items() if kind not in known}

    def _in_heading(self) -> Bools:
        """For each leaf: is it in a heading, or in an element or two inside one?"""
        is_heading, parent = _IS_HEADING.take(self.elements.code), self.elements.parent
        row = self.leaves.element
        found: Bools = is_heading.take(row)
        for _ in range(2):
            row = parent.take(row)
            found |= is_heading.take(row)
        return found

    @cached_property
    def opened(self) -> list[int]:
        rows: list[int] = self.leaves.opened.tolist()
        return rows

    @cached_property
    def breaks(self) -> list[int]:
        rows: list[int] = places(self.elements.code == tags.CODES["br"]).tolist()
        return rows

    def range_of(self, row: int) -> tuple[int, int]:
        """The leaves in an element."""
        return bisect_left(self.opened, row), bisect_left(self.opened, int(self.elements.end[row]))

    def best(self, kind: str, before: _Region | None) -> tuple[_Region, list[_Line]] | None:
        """The region that looks most like a list of a kind, with its lines."""
        score_of = _ingredient_score if kind == "ingredients" else _step_score
        found: tuple[_Region, list[_Line]] | None = None
        best = _LEAST_SCORE
        for region in checked(self.regions(kind)):
            lines = self.lines(region, kind)
            score = score_of(lines)
            if region.has_class:
                score *= _OF_PLUGIN if self.is_of_plugin(region.row, _PLUGIN) else _OF_CLASS
            if before is not None:
                if region.first < before.end and before.first < region.end:
                    continue
                score *= 1.0 if region.first >= before.end else _BEFORE
                score *= _NEAR if abs(region.first - before.end) < _NEAR_LEAVES else 1.0
            if score > _CLEARLY * best:
                found, best = (region._replace(end=lines[-1].last + 1), lines), score
        return found or (None if before is None else self._unnamed_steps(before))

    def _unnamed_steps(self, before: _Region) -> tuple[_Region, list[_Line]] | None:
        """The smallest region with steps that follows the ingredients without a heading."""
        for region in checked(self._after(before)):
            if _step_score(lines := self.lines(region, "steps")) >= _LEAST_UNNAMED:
                return region, lines
        return None

    def regions(self, kind: str) -> list[_Region]:
        """Where a list of a kind may be: inner regions before outer ones."""
        found: dict[tuple[int, int], _Region] = {}
        for row in self._rows(kind):
            first, end = self.range_of(row)
            if end - first > (kind == "ingredients"):
                self._add(found, _Region(first, end, row, True, 1), kind)
        for leaf, cue in self.cues.items():
            if cue == kind:
                row = int(self.leaves.element[leaf])
                for level, ancestor in enumerate(self.elements.ancestors(row)):
                    if level > _LEVELS_OF_HEADING:
                        break
                    end = self.range_of(ancestor)[1]
                    if end > leaf + 1:
                        self._add(found, _Region(leaf + 1, end, ancestor, False, min(self._level(leaf), 3)), kind)
        return sorted(found.values(), key=lambda region: region.end - region.first)[-_MOST_REGIONS:]

    def _after(self, before: _Region) -> Iterator[_Region]:
        """What follows the ingredients without a heading."""
        for ancestor in islice(self.elements.ancestors(before.row), 4):
            end = self.range_of(ancestor)[1]
            if end > before.end + 1:
                found: dict[tuple[int, int], _Region] = {}
                self._add(found, _Region(before.end, end, ancestor, False, 3), "steps")
                yield from found.values()

    def _add(self, found: dict[tuple[int, int], _Region], region: _Region, kind: str) -> None:
        """Add a region up to where something else begins."""
        end = min(region.end, region.first + _MOST_LEAVES)
        for leaf in range(region.first + 1, end):
            cue = self.cues.get(leaf)
            if (cue and (cue != kind or leaf > region.first + 6) and self._is_alone(leaf)) or (
                leaf > region.first + 2 and self._level(leaf) <= region.level
            ):
                end = leaf
                break
        found.setdefault((region.first, end), region._replace(end=end))

    def _level(self, leaf: int) -> int:
        """The level of the heading that a leaf is in; 9 if it is in none."""
        for row in islice(self.elements.ancestors(int(self.leaves.element[leaf])), 3):
            if _IS_HEADING[self.elements.code[row]]:
                return int(self.elements.tag[row][1])
        return 9

    def _is_alone(self, leaf: int) -> bool:
        """Is a leaf the only text of its block?"""
        block = self.leaves.block
        near = [other for other in (leaf - 1, leaf + 1) if 0 <= other < len(block) and self.shown[other]]
        return all(block[other] != block[leaf] for other in near)

    def _rows(self, kind: str) -> Iterator[int]:
        """Elements with a class or id of a kind, and the parents of several such."""
        elements, search = self.elements, _CLASS[kind].search
        names, ids = ({name for name in set(column) if search(name)} for column in (elements.class_, elements.id))
        pairs = enumerate(zip(elements.class_, elements.id, strict=True))
        rows = [row for row, (name, other) in pairs if name in names or other in ids]
        parents = Counter(elements.parent.take(rows).tolist())
        yield from rows
        yield from (row for row, count in parents.items() if count > 1 and row >= 0)

    def lines(self, region: _Region, kind: str) -> list[_Line]:
        """The lines of a region."""
        leaves = [leaf for leaf in range(region.first, region.end) if self.shown[leaf] and not self._is_control(leaf)]
        if kind == "steps":
            leaves = [leaf for leaf in leaves if not self._is_of_step(leaf, region.row)]
        units = self._units(leaves, region.row)
        if kind == "ingredients":
            leaves = self._before_other_list(leaves, units)
        has_names = kind == "steps" and self.is_of_plugin(region.row, _NAMING_PLUGIN)
        found: list[_Line] = []
        line: list[int] = []
        for before, leaf in pairwise((-1, *leaves)):
            if line and (self._is_border(before, leaf, units) or (has_names and self._is_name(line, leaf))):
                found.append(self._line(line, units, region.row))
                line = []
            line.append(leaf)
        if line:
            found.append(self._line(line, units, region.row))
        return [each for each in found if any(map(str.isalpha, each.text)) and _cue(each.text) not in _CUES]

    def _before_other_list(self, leaves: Sequence[int], units: Mapping[int, int]) -> list[int]:
        """The leaves before a numbered list that follows a list without numbers: there the steps begin."""
        tag, parent = self.elements.tag, self.elements.parent
        lists = [tag[parent[units[leaf]]] if leaf in units else "" for leaf in leaves]
        end = lists.index("ol") if "ol" in lists and "ul" in lists[: lists.index("ol")] else len(leaves)
        return list(leaves[:end])

    def is_of_plugin(self, row: int, plugin: re.Pattern[str]) -> bool:
        """Is a list one that a plugin for recipes wrote?"""
        return any(
            plugin.search(self.elements.class_[each]) for each in islice(self.elements.ancestors(row), _MOST_LEVELS)
        )

    def _is_name(self, line: Sequence[int], leaf: int) -> bool:
        """Is what has been read of a step its name, in bold and up to a colon or a line of its own?"""
        elements, last = self.elements, int(self.leaves.element[line[-1]])
        text = "".join(self.leaves.text[each] for each in line).strip()
        if len(text) > 80 or elements.tag[last] not in _BOLD or int(self.leaves.element[leaf]) == last:
            return False
        is_marked = text.endswith((":", "：")) or self.leaves.text[leaf].lstrip().startswith(":")
        return (
            is_marked or self.leaves.block[line[-1]] != self.leaves.block[leaf] or elements.tag[last] in tags.HEADINGS
        )

    def _is_control(self, leaf: int) -> bool:
        """Is a leaf a switch, or meant for screen readers alone?"""
        rows = islice(self.elements.ancestors(int(self.leaves.element[leaf])), _LEVELS_OF_CONTROL)
        return any(self.elements.tag[row] == "button" or _CONTROL.search(self.elements.class_[row]) for row in rows)

    def _is_of_step(self, leaf: int, row: int) -> bool:
        """Is a leaf one of the ingredients that are shown with a step?"""
        elements = self.elements
        return any(
            elements.tag[each] in ("ul", "ol", "div", "li") and _CLASS["ingredients"].search(elements.class_[each])
            for each in self._climb(leaf, row)
        )

    def _is_border(self, before: int, leaf: int, units: dict[int, int]) -> bool:
        """Does a line end between two leaves?"""
        unit = units.get(leaf, -1)
        if unit != units.get(before, -1):
            return True
        if unit < 0 and self.leaves.block[before] != self.leaves.block[leaf]:
            return True
        if unit >= 0 and self.elements.tag[unit] in _BREAKS_NOT:
            return False
        return bisect_right(self.breaks, self.opened[before]) < bisect_right(self.breaks, self.opened[leaf])

    def _units(self, leaves: Sequence[int], row: int) -> dict[int, int]:
        """The repeating element of each leaf that is in one."""
        elements = self.elements
        climbs = {leaf: self._climb(leaf, row) for leaf in leaves}
        sizes = {leaf: len(self.leaves.text[leaf].split()) + 1 for leaf in leaves}
        total = sum(sizes.values())
        for table in (_IS_ITEM, _IS_ROW):
            nearest = {
                leaf: next((each for each in climb if table[elements.code[each]]), -1) for leaf, climb in climbs.items()
            }
            units = {leaf: unit for leaf, unit in nearest.items() if unit >= 0}
            if len(set(units.values())) > 1 and sum(sizes[leaf] for leaf in units) >= total / 2:
                return units
        return self._repeating(climbs, sizes, total)

    def _climb(self, leaf: int, row: int) -> list[int]:
        """The elements around a leaf up to a row, the innermost first."""
        found: list[int] = []
        for ancestor in self.elements.ancestors(int(self.leaves.element[leaf])):
            if ancestor <= row or len(found) == _MOST_LEVELS:
                break
            found.append(ancestor)
        return found

    def _repeating(self, climbs: dict[int, list[int]], sizes: dict[int, int], total: int) -> dict[int, int]:
        """The outermost elements of a kind of which there are enough."""
        kinds: dict[tuple[str, str, int], dict[int, int]] = {}  # to the unit of each leaf
        for leaf, climb in climbs.items():
            for row in climb:
                name = next(iter(self.elements.class_[row].split()), "")
                depth = 0 if name else int(self.elements.depth[row])
                kinds.setdefault((self.elements.tag[row], name, depth), {})[leaf] = row
        wide = [units for units in kinds.values() if sum(map(sizes.__getitem__, units)) >= total / 2]
        counts = [len(set(units.values())) for units in wide]
        least = max(2, max(counts, default=0) / 2)
        enough = [units for units, count in zip(wide, counts, strict=True) if count >= least]
        return min(enough, key=lambda units: self.elements.depth[next(iter(units.values()))], default={})

    def _line(self, leaves: Sequence[int], units: dict[int, int], row: int) -> _Line:
        texts, gaps, elements = self.leaves.text, self.leaves.gap, self.elements
        parts: list[str] = []
        size = 0
        for before, leaf in pairwise((-1, *leaves)):
            text = texts[leaf]
            if (
                _ONLY_NUMBER.fullmatch(text.strip())
                and before < 0
                and len(leaves) > 1
                and (text.strip()[-1] in ".):：" or not text.strip()[0].isdigit())
            ):
                continue
            is_tight = parts and not gaps[leaf] and not parts[-1][-1:].isspace() and not text[:1].isspace()
            if gaps[leaf] or (is_tight and self._is_apart(before, leaf)):
                parts.append(" ")
            parts.append(text)
            size += len(text)
            if size > _LONGEST_LINE:
                break
        text = _BULLET.sub("", " ".join(clean_text("".join(parts)[:_LONGEST_LINE]).split()))
        unit = units.get(leaves[0], -1)
        return _Line(
            text,
            self._is_heading(leaves, text, unit, row),
            bool(units) and unit < 0,
            bool(self.leaves.in_link[leaves].all()),
            leaves[-1],
        )

    def _is_apart(self, before: int, leaf: int) -> bool:
        """Are two leaves without white space between them set apart by their elements?"""
        elements = self.elements
        one, other = int(self.leaves.element[before]), int(self.leaves.element[leaf])
        if one < 0 or self.leaves.block[before] != self.leaves.block[leaf]:
            return True
        return bool(elements.class_[one] and elements.class_[other] and one != other) or (
            elements.tag[one] == "span" and elements.tag[other] == "span"
        )

    def _is_heading(self, leaves: Sequence[int], text: str, unit: int, row: int) -> bool:
        """Does a line head a part of a list?"""
        if len(text) > 100 or not text:
            return False
        elements = self.elements
        first, last = int(self.leaves.element[leaves[0]]), int(self.leaves.element[leaves[-1]])
        for each in elements.ancestors(first):
            if each <= max(unit, row):
                break
            tag = elements.tag[each]
            is_bold = tag in _BOLD or (unit < 0 and _HEADING_CLASS.search(elements.class_[each]))
            if is_bold and last < elements.end[each]:
                return True
        return text.endswith((":", "：")) and not _AMOUNT.match(text) and len(text) < 50


def _cue(text: str) -> str:
    """A text as the table of headings has it: "Ingredients:" is "ingredients"."""
    return " ".join(text.split()).strip(_AROUND_CUE).casefold()


def _begins_with(text: str) -> str | None:
    """What a heading of several words announces: "Zutaten für vier Personen"."""
    words = _cue(text[:_LONGEST_HEADING]).split(" ")
    return next((kind for count in (1, 2, 3) if (kind := _CUES.get(" ".join(words[:count]).rstrip(":,")))), None)


def _words_of(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _size(text: str, words: Sequence[str]) -> float:
    """The words of a text; of Chinese, Japanese and Thai a word has two letters."""
    return len(words) + len(_UNSPACED.findall(text)) / _LETTERS_A_WORD


def _has_amount(text: str, words: Sequence[str]) -> bool:
    return (
        bool(_AMOUNT.match(text)) or not _UNITS.isdisjoint(words[:4]) or any(word[0].isdigit() for word in words[-3:])
    )


def _ingredient_score(lines: Sequence[_Line]) -> float:
    """How much some lines look like ingredients: about one for each that does."""
    with_amount, short, other = 0, 0, 0
    seen = set[str]()
    for line in lines:
        if line.is_heading or line.is_outside:
            continue
        words = _words_of(line.text)
        size = _size(line.text, words)
        if line.text in seen or line.is_link:
            other += 1
        elif size <= 40 and _has_amount(line.text, words):
            with_amount += 1
        elif size <= 10 and not line.text.endswith((".", "!", "?", "。")):
            short += 1
        else:
            other += 1
        seen.add(line.text)
    return with_amount + 0.4 * min(short, with_amount + 3) - 0.4 * max(short - with_amount - 3, 0) - other


def _step_score(lines: Sequence[_Line]) -> float:
    """How much some lines look like steps."""
    score, seen = 0.0, set[str]()
    for line in lines:
        if line.is_outside:
            continue
        words = _words_of(line.text)
        size = _size(line.text, words)
        if line.text in seen or line.is_link:
            score -= 1.0
        elif size >= 6 and not (_has_amount(line.text, words) and size < 10):
            score += 1.0
        elif not line.is_heading:
            score -= 0.3
        seen.add(line.text)
    return score


def _steps(lines: Sequence[_Line], has_parts: bool) -> tuple[str, ...]:
    """The steps without their numbers, up to the last of them; with the headings of their parts if wanted."""
    inside = [number for number, line in enumerate(lines) if not line.is_outside]
    last = next((number - 1 for number in inside[1:] if _is_note(lines[number].text)), inside[-1] if inside else -1)
    wanted = (line for line in lines[: last + 1] if not line.is_outside or (has_parts and line.is_heading))
    return without_numbers([line.text for line in wanted])


def _without_count(line: str) -> str:
    """A step without "Step 2:" in front of it."""
    counted = _COUNTED.match(line)
    return line[counted.end() :] or line if counted else line


def _is_note(line: str) -> bool:
    """Is a line one of what follows the steps: "Note: ..."?"""
    return _CUES.get(_cue(_END_OF_CUE.split(line, maxsplit=1)[0])) == "end"


def without_numbers(lines: Sequence[str]) -> tuple[str, ...]:
    """Steps without the numbers in front of them, if most have one."""
    wanted = [_without_count(line) for line in lines if not _ONLY_NUMBER.fullmatch(line)]
    wanted = [line for line in wanted if _CUES.get(_cue(line)) != "steps"]
    numbers = [_NUMBER.match(line) for line in wanted]
    counted = [int(number[1]) for number in numbers if number]
    if len(counted) <= len(wanted) / 2 or counted != list(range(1, len(counted) + 1)):
        return tuple(wanted)
    ends = (number.end() if number else 0 for number in numbers)
    return tuple(line[end:] or line for line, end in zip(wanted, ends, strict=True))
