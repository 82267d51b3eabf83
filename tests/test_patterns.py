"""Every regular expression of the package takes linear time on strings that are made against it.

The strings are made from the pattern itself: a beginning that matches a part of it, then one or two of its own
characters again and again, then a character that ends the match.
"""

from __future__ import annotations

import ast
import importlib
import random
import re
import time
from collections.abc import Callable, Iterator
from itertools import chain, product
from pathlib import Path
from typing import Any

import pytest

import tamis
import tamis_lab
import tamis_papers

pytestmark = pytest.mark.nightly

# Parts of `re` that have no types.
sre: Any = importlib.import_module("re._constants")
_parser: Any = importlib.import_module("re._parser")

ROOTS = [Path(package.__path__[0]) for package in (tamis, tamis_papers, tamis_lab)]
SECONDS = 0.25  # on the longest strings a linear pattern takes some milliseconds, a quadratic one half a second or more
LONGEST = 40 << 10  # repetitions
STRINGS = 30  # of each kind for each pattern

# Patterns that are used at one place of a text only: by `match` or `fullmatch`.
ANCHORED = {
    "tamis.batch.bodies._CHUNK_SIZE",
    "tamis.batch.inputs.archive._BEGINS",
    "tamis.document.dates.moment._AFTER",
    "tamis.document.dates.search._ISO",
    "tamis.document.guard._START_TAG",
    "tamis.document.notes._CLASS",
    "tamis.document.notes._MARK",
    "tamis.document.addresses._CREDENTIALS",
    "tamis.document.selectors._START",
    "tamis.document.selectors._STEP",
    "tamis_lab.bench.matching._DATE",
    "tamis_lab.corpora.reader._LANGUAGE",
    "tamis_lab.corpora.texts._HEAD",
    "tamis_lab.corpora.texts._WHOLE_PAGE",
    "tamis.metadata.dateline._DATE_LIKE",
    "tamis.metadata.dateline._TAG",
    "tamis.metadata.people._CAPITAL",
    "tamis.metadata.people._IDENTIFIER",
    "tamis.metadata.people._INVERTED",
    "tamis.metadata.people._PATH",
    "tamis.metadata.structured._HARMFUL",
    "tamis_papers.boilerpipe.extractors._COMMENT_HEADING",
    "tamis.web.request._BACKSLASH",
    "tamis.web.robots._LINE",
    "tamis.render.chunks._NOTE",
    "tamis.render.content.media._ADDRESS",
    "tamis.render.markdown._ADDRESS_ALONE",
    "tamis.render.safe._SCHEME",
    "tamis.render.xml._SCHEME",
}

# What an attack has to know beside the characters of the pattern.
MORE_STRINGS = {
    "tamis.metadata.values._LANGUAGE": [("aa", "_a", "!"), ("aa", "-a_", "!")],
    "tamis.document.titles.SEPARATOR": [("", " ", "x"), ("a ", "- ", "x"), ("a", " |", "")],
    "tamis.document.linked_data._COMMENT": [('"', "\\", ""), ("", '"\\', ""), ("", "//  ", "")],
    "tamis.document.linked_data._LAST_COMMA": [("", ", ", "x"), (",", " ", "x"), ('"', "\\\\", "")],
    "tamis.document.shells.state._ADDRESS": [("", "a", ""), ("", "w", ""), ("", ":/", "")],
}

SPACES = {sre.CATEGORY_SPACE: " \n", sre.CATEGORY_DIGIT: "1", sre.CATEGORY_WORD: "a_"}


def patterns() -> dict[str, re.Pattern[Any]]:
    """All patterns that a module holds or gives to a function of `re`, each under one name."""
    found: dict[tuple[Any, int], tuple[str, re.Pattern[Any]]] = {}
    for path in (path for root in ROOTS for path in sorted(root.rglob("*.py"))):
        source = path.read_text(encoding="utf-8")
        if "\nimport re\n" not in source:
            continue
        root = next(root for root in ROOTS if path.is_relative_to(root))
        module = ".".join(path.relative_to(root.parent).with_suffix("").parts).removesuffix(".__init__")
        try:
            loaded = importlib.import_module(module)
        except ImportError:
            continue  # an extra is not installed
        for name, value in chain(held(loaded), written(source)):
            found.setdefault((value.pattern, value.flags), (f"{module}.{name}", value))
    return dict(found.values())


def held(module: object) -> Iterator[tuple[str, re.Pattern[Any]]]:
    for name, value in vars(module).items():
        several = value.values() if isinstance(value, dict) else value if isinstance(value, tuple | list) else ()
        for number, each in enumerate((value, *several)):
            if isinstance(each, re.Pattern):
                yield f"{name}[{number}]" if number else name, each


def written(source: str) -> Iterator[tuple[str, re.Pattern[Any]]]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("re.") and node.args:
            pattern = node.args[0]
            if isinstance(pattern, ast.Constant) and not ast.unparse(node.func).endswith((".escape", ".compile")):
                yield repr(pattern.value), re.compile(pattern.value, re.IGNORECASE)


def samples(parsed: Any) -> list[str]:
    """Some strings that match, each as short as can be."""
    texts = [""]
    for kind, value in parsed:
        texts = [text + more for text in texts[:4] for more in pieces(kind, value)]
    return texts


def pieces(kind: Any, value: Any) -> list[str]:
    if kind is sre.LITERAL:
        return [chr(value)]
    if kind is sre.IN:
        return [characters(value)[0]]
    if kind in (sre.NOT_LITERAL, sre.ANY):
        return ["x"]
    if kind in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
        least, _, inner = value
        return [sample * max(1, least) for sample in samples(inner)] + ([""] if not least else [])
    if kind is sre.SUBPATTERN:
        return samples(value[-1])
    if kind is sre.ATOMIC_GROUP:
        return samples(value)
    return [text for branch in value[1] for text in samples(branch)] if kind is sre.BRANCH else [""]


def characters(members: Any) -> str:
    """Some characters of a class."""
    if members[0][0] is sre.NEGATE:
        return "x0 "
    found = ""
    for kind, value in members:
        if kind is sre.LITERAL:
            found += chr(value)
        elif kind is sre.RANGE:
            found += chr(value[0]) + chr(value[1])
        elif kind is sre.CATEGORY:
            found += SPACES.get(value, "x")
    return found


def alphabet(parsed: Any) -> Iterator[str]:
    """The characters of a pattern and some of its classes."""
    for kind, value in parsed:
        if kind is sre.IN:
            yield from characters(value)[:6]
        elif kind is sre.BRANCH:
            yield from chain.from_iterable(map(alphabet, value[1]))
        elif kind in (sre.ASSERT, sre.ASSERT_NOT):
            yield from alphabet(value[1])
        elif kind in (sre.SUBPATTERN, sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            yield from alphabet(value[-1])
        elif kind is sre.ATOMIC_GROUP:
            yield from alphabet(value)
        else:
            yield from pieces(kind, value)


def attacks(name: str, pattern: re.Pattern[Any]) -> list[tuple[str, str, str]]:
    """Beginnings, what is repeated, ends."""
    written = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    parsed = _parser.parse(written, pattern.flags & ~re.UNICODE)
    letters = sorted(set(filter(None, alphabet(parsed))) | {" ", "a"})
    matching = samples(parsed)
    beginnings = sorted({text[:end] for text in matching for end in (0, 1, 2, len(text) - 1, len(text)) if end >= 0})
    units = [*letters, *(one + two for one in letters for two in letters if one != two), *filter(None, matching)]
    ends = ("", "!")
    chosen = [*MORE_STRINGS.get(name, ()), *product([""], letters[:12], ends)]
    for repeated in (letters, units):
        count = len(beginnings) * len(repeated) * len(ends)  # millions, for a pattern with the names of all months
        for number in random.Random(name).sample(range(count), min(STRINGS, count)):
            which, end = divmod(number, len(ends))
            beginning, unit = divmod(which, len(repeated))
            chosen.append((beginnings[beginning], repeated[unit], ends[end]))
    return chosen


def test_patterns_take_linear_time() -> None:
    found = patterns()
    assert len(found) > 300
    slow = {name: message for name, pattern in found.items() if (message := slowness(name, pattern))}
    assert not slow


def slowness(name: str, pattern: re.Pattern[Any]) -> str | None:
    """What takes too long, or None."""
    run = pattern.fullmatch if name in ANCHORED else pattern.findall
    for begin, unit, end in attacks(name, pattern):
        # By steps, so that a slow one is seen before it takes for ever, and a fast one is left soon.
        for length in (*range(10, 40, 2), *(40 << step for step in range(11))):
            text = begin + unit * length + end
            given = text if isinstance(pattern.pattern, str) else text.encode("latin-1", "replace")
            seconds = duration(run, given)
            if seconds > SECONDS:
                seconds = min(seconds, duration(run, given))  # the machine may have been busy
            if seconds > SECONDS:
                return f"{begin!r} + {unit!r} * {length} + {end!r} takes {seconds:.1f} s"
            if length >= 640 and seconds * (LONGEST / length) ** 2 < SECONDS:
                break  # even if its time were quadratic, the longest string would take less
    return None


def duration(run: Callable[[Any], object], text: str | bytes) -> float:
    start = time.process_time()
    run(text)
    return time.process_time() - start


def test_a_slow_pattern_is_seen() -> None:
    for slow in (
        r"^aa(?:[-_]\w+)*$",
        r"\s*\n\s*",
        r"(\S*[^\s,])\s*(?:,|$)",
        r"\s*\(?\s*:",
        r"""charset\s*=\s*["']?\s*(\w+)""",
    ):
        assert slowness(slow, re.compile(slow))
