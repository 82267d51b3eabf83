"""The two lists of a recipe: the steps that are declared, and both lists as the page shows them.

A list is looked for below headings ("Ingredients", "Zubereitung") and in elements with such a class. The region whose
lines look most like ingredients, or like steps, is the list.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from tamis.deadline import checked
from tamis.document import Document
from tamis.labels import Labels
from tamis.metadata.schema import plain_text
from tamis.records.recipe_lines import (
    CLASSES,
    END,
    INGREDIENTS,
    STEP_NUMBER,
    STEPS,
    WORDS,
    Line,
    RecipeLines,
    Region,
    cue_of,
)

# A piece of a word for ingredients in each language: one of them is in the text of a recipe. Those of other scripts are
# looked for where a character takes this many bytes.
_IN_TEXT = tuple(map(str.encode, WORDS["in text"]))
_IN_TEXT_OF_OTHER_SCRIPTS = tuple(map(str.encode, WORDS["in text of other scripts"]))
_LEAST_BYTES = 1.2

# Hostile pages: elements with such a class, regions of a kind that are divided, leaves of a region.
_MOST_ROWS = 500
_MOST_REGIONS = 60
_MOST_LEAVES = 600
# The same of declared steps: steps, characters of one and of all, how deep sections nest.
_MOST_STEPS = 300
_LONGEST_STEP = 4_000
_LONGEST_TEXT = 100_000
_DEEPEST = 5

# What a region is worth more by where it is, chosen on the corpus `recipes`.
_OF_CLASS = 1.3
_OF_PLUGIN = 4.0
_BEFORE = 0.2  # steps in front of the ingredients
_NEAR = 1.5
_NEAR_LEAVES = 60
_LEAST_SCORE = 0.9
_CLEARLY = 1.2  # by which a larger region is better than one inside it
_LEAST_UNNAMED = 2  # the score of steps without a heading

_LEVELS_OF_HEADING = 7  # elements around a heading that may hold its list
_LEVELS_AFTER = 4  # elements around the ingredients that may hold steps without a heading
_LEVEL_OF_PARTS = 3  # headings from here on may head parts of a list
_LEAVES_OF_HEADING = 6  # at the start of a region, where its own heading is

_LINE_BREAK = re.compile(r"[\r\n]++|</?(?:li|p|br|div|ol|ul)(?:\s[^<>]*+)?/?>", re.IGNORECASE)
_END_OF_CUE = re.compile("[:：|]")
_COUNTED = re.compile(
    r"(?:step|schritt|étape|etape|paso|passo|stap|steg|trin|krok|lépés|korak|adım|шаг|βήμα|passaggio)\s?\d{1,2}(?!\d)"
    r"\s?[.):：/-]?\s*",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(\d{1,2})(?:\s|(?=[.):：/])|-(?!\d)|$)[.):：/-]?\s*")

_UNITS = frozenset(WORDS["amounts"])
_AMOUNT = re.compile(
    r"\W{0,5}(?:\d|[\u00bc-\u00be\u2150-\u215e一二三四五六七八九十半]|a few|half|ein(?:e|en)?\b|une?\b|unos?\b|unas?\b"
    r"|een\b|pinch|dash)",
    re.IGNORECASE,
)
_FIRST_WORDS, _LAST_WORDS = 4, 3  # of an ingredient, where its amount is
_WORD = re.compile(r"\w+(?:\.\w+)?")
_ENDS = (".", "!", "?", "。")
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]")
_LETTERS_A_WORD = 2  # of Chinese, Japanese and Thai
_LONGEST_INGREDIENT = 40  # words
_LONGEST_WITHOUT_AMOUNT = 10
_MORE_WITHOUT_AMOUNT = 3  # than ingredients with one
_SHORTEST_STEP = 6
_SHORTEST_SENTENCE = 3
_SHORTEST_STEP_WITH_AMOUNT = 10


class ShownLists(NamedTuple):
    """The lists that a page shows; empty where there is none."""

    ingredients: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()


class _List(NamedTuple):
    region: Region
    lines: list[Line]


def has_recipe_cue(document: Document) -> bool:
    """May a page show a recipe? Its texts hold a word for ingredients; without one nothing else is looked at."""
    leaves = document.leaves
    is_other = len(leaves.utf8) > _LEAST_BYTES * sum(map(len, leaves.text))
    words = _IN_TEXT + _IN_TEXT_OF_OTHER_SCRIPTS if is_other else _IN_TEXT
    return any(word in leaves.utf8 for word in words)


def shown_lists(document: Document, labels: Labels | None) -> ShownLists:
    """The ingredients and steps that a page shows, each a line."""
    page = _Search(document, labels)
    if (ingredients := page.ingredients()) is None:
        return ShownLists()
    steps = page.steps(ingredients.region)
    return ShownLists(
        tuple(line.text for line in ingredients.lines if not line.is_heading and not line.is_outside),
        _step_texts(steps.lines, page.is_of_plugin(steps.region.row)) if steps else (),
    )


class _Search(RecipeLines):
    """Looks for the lists of a page."""

    def ingredients(self) -> _List | None:
        """The region that looks most like ingredients."""
        return self._best(INGREDIENTS, _ingredient_score, lambda _: 1.0)

    def steps(self, ingredients: Region) -> _List | None:
        """The region that looks most like steps, by its place beside the ingredients too."""

        def by_place(region: Region) -> float:
            if region.first < ingredients.end and ingredients.first < region.end:
                return 0.0
            distance = region.first - ingredients.end
            return (1.0 if distance >= 0 else _BEFORE) * (_NEAR if abs(distance) < _NEAR_LEAVES else 1.0)

        return self._best(STEPS, _step_score, by_place) or self._unnamed_steps(ingredients)

    def _best(
        self, kind: str, score_of: Callable[[Sequence[Line]], float], by_place: Callable[[Region], float]
    ) -> _List | None:
        found: _List | None = None
        best = _LEAST_SCORE
        done = set[int]()
        for region in checked(self._regions(kind)):
            if not (score := by_place(region)) or (not region.has_class and region.first in done):
                continue
            lines = self.lines(region, kind)
            score *= score_of(lines)
            if score > _LEAST_SCORE and not region.has_class:
                done.add(region.first)
            if region.has_class:
                score *= _OF_PLUGIN if self.is_of_plugin(region.row) else _OF_CLASS
            if score > best:
                found, best = _List(region._replace(end=lines[-1].last + 1), lines), score * _CLEARLY
        return found

    def _unnamed_steps(self, ingredients: Region) -> _List | None:
        """The smallest region with steps that follows the ingredients without a heading."""
        for ancestor in islice(self.elements.ancestors(ingredients.row), _LEVELS_AFTER):
            region = self._up_to_other(
                Region(ingredients.end, self.range_of(ancestor)[1], ancestor, False, _LEVEL_OF_PARTS), STEPS
            )
            if _step_score(lines := self.lines(region, STEPS)) >= _LEAST_UNNAMED:
                return _List(region, lines)
        return None

    def _regions(self, kind: str) -> list[Region]:
        """Where a list of a kind may be: inner regions before outer ones."""
        found: dict[tuple[int, int], Region] = {}
        for given in (*self._by_class(kind), *self._by_heading(kind)):
            region = self._up_to_other(given, kind)
            size = region.end - region.first
            if size > 0 and sum(self.is_foreign[region.first : region.end]) <= size / 2:
                found.setdefault((region.first, region.end), region)
        return sorted(found.values(), key=lambda region: region.end - region.first)[-_MOST_REGIONS:]

    def _by_class(self, kind: str) -> Iterator[Region]:
        """Elements with a class or id of a kind, and the parents of several such."""
        elements, search = self.elements, CLASSES[kind].search
        names, ids = ({name for name in set(column) if search(name)} for column in (elements.class_, elements.id))
        pairs = enumerate(zip(elements.class_, elements.id, strict=True))
        rows = [*islice((row for row, (name, other) in pairs if name in names or other in ids), _MOST_ROWS)]
        parents = Counter(elements.parent.take(rows).tolist())
        for row in (*rows, *(row for row, count in parents.items() if count > 1 and row >= 0)):
            first, end = self.range_of(row)
            if kind == STEPS or end - first > 1:
                yield Region(first, end, row, True, 1)

    def _by_heading(self, kind: str) -> Iterator[Region]:
        """What follows a heading in the elements around it."""
        for leaf, cue in self.cues.items():
            if cue == kind:
                level = min(self.levels[leaf], _LEVEL_OF_PARTS)
                for ancestor in islice(self.elements.ancestors(int(self.leaves.element[leaf])), _LEVELS_OF_HEADING):
                    yield Region(leaf + 1, self.range_of(ancestor)[1], ancestor, False, level)

    def _up_to_other(self, region: Region, kind: str) -> Region:
        """A region up to where something else begins."""
        for leaf in range(region.first + 1, min(region.end, region.first + _MOST_LEAVES)):
            cue, place = self.cues.get(leaf), leaf - region.first
            is_other = cue and (cue != kind or place > _LEAVES_OF_HEADING) and self.is_alone(leaf)
            if is_other or (place > 2 and self.levels[leaf] <= region.level):
                return region._replace(end=leaf)
        return region._replace(end=min(region.end, region.first + _MOST_LEAVES))


def _words_of(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _size(text: str, words: Sequence[str]) -> float:
    """The words of a text; of Chinese, Japanese and Thai a word has two letters."""
    return len(words) + len(_UNSPACED.findall(text)) / _LETTERS_A_WORD


def _has_amount(text: str, words: Sequence[str]) -> bool:
    is_first = _AMOUNT.match(text) or not _UNITS.isdisjoint(words[:_FIRST_WORDS])
    return bool(is_first) or any(word[0].isdigit() for word in words[-_LAST_WORDS:])


def _ingredient_score(lines: Sequence[Line]) -> float:
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
        elif size <= _LONGEST_INGREDIENT and _has_amount(line.text, words):
            with_amount += 1
        elif size <= _LONGEST_WITHOUT_AMOUNT and not line.text.endswith(_ENDS):
            short += 1
        else:
            other += 1
        seen.add(line.text)
    most = with_amount + _MORE_WITHOUT_AMOUNT
    return with_amount + 0.4 * min(short, most) - 0.4 * max(short - most, 0) - other


def _step_score(lines: Sequence[Line]) -> float:
    """How much some lines look like steps."""
    score, seen = 0.0, set[str]()
    for line in lines:
        if line.is_outside:
            continue
        if line.text in seen or line.is_link:
            score -= 1.0
        elif _is_step(line.text):
            score += 1.0
        elif not line.is_heading:
            score -= 0.3
        seen.add(line.text)
    return score


def _is_step(text: str) -> bool:
    """Is a line long enough for a step?"""
    words = _words_of(text)
    size = _size(text, words)
    if text.endswith(_ENDS):
        return size >= _SHORTEST_SENTENCE
    return size >= (_SHORTEST_STEP_WITH_AMOUNT if _has_amount(text, words) else _SHORTEST_STEP)


def _step_texts(lines: Sequence[Line], has_parts: bool) -> tuple[str, ...]:
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
    return cue_of(_END_OF_CUE.split(line, maxsplit=1)[0]) == END


def without_numbers(lines: Sequence[str]) -> tuple[str, ...]:
    """Steps without the numbers in front of them, if most have one."""
    wanted = [_without_count(line) for line in lines if not STEP_NUMBER.fullmatch(line)]
    wanted = [line for line in wanted if cue_of(line) != STEPS]
    numbers = [_NUMBER.match(line) for line in wanted]
    counted = [int(number[1]) for number in numbers if number]
    if len(counted) <= len(wanted) / 2 or counted != list(range(1, len(counted) + 1)):
        return tuple(wanted)
    ends = (number.end() if number else 0 for number in numbers)
    return tuple(line[end:] or line for line, end in zip(wanted, ends, strict=True))


# Declared steps


def declared_steps(recipe: Mapping[str, object], resolved: Callable[[object], object]) -> tuple[str, ...]:
    """The steps of a recipe in JSON-LD, with the names of sections and steps; `resolved` follows references."""
    value = recipe.get("recipeInstructions")
    if isinstance(value, str):
        return without_numbers(
            [line for part in _LINE_BREAK.split(value[:_LONGEST_TEXT]) if (line := plain_text(part))]
        )
    return without_numbers(list(islice(filter(None, _named_steps(value, resolved, 0)), _MOST_STEPS)))


def _named_steps(value: object, resolved: Callable[[object], object], depth: int) -> Iterator[str]:
    value = resolved(value)
    if depth > _DEEPEST:
        return
    if isinstance(value, str):
        yield plain_text(value[:_LONGEST_STEP])
    elif isinstance(value, list):
        for each in value[:_MOST_STEPS]:
            yield from _named_steps(each, resolved, depth + 1)
    elif isinstance(value, dict):
        name, text = (
            plain_text(each[:_LONGEST_STEP]) if isinstance(each, str) else ""
            for each in (value.get("name"), value.get("text"))
        )
        inner = [*_named_steps(value.get("itemListElement") or value.get("steps"), resolved, depth + 1)]
        text = "" if inner else text
        is_telling = name and not STEP_NUMBER.fullmatch(name) and cue_of(name) != STEPS
        if is_telling and not text.startswith(name.rstrip(".\u2026")):
            yield name
        yield text
        yield from inner
