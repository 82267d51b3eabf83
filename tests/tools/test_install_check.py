"""What makes an extra impossible to install with an old pip; `make install-check` asks pip itself."""

from __future__ import annotations

from collections import defaultdict
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.tools.test_lock import required
from tools.install_check import extras


def spellings(roots: list[Requirement]) -> dict[tuple[str, str], set[str]]:
    """By package and extra, in how many ways the requirements spell that extra, those of requirements too."""
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    todo, done = roots, set()
    while todo:
        requirement = todo.pop()
        name = canonicalize_name(requirement.name)
        for extra in requirement.extras:
            found[name, canonicalize_name(extra)].add(extra)
        if (name, frozenset(requirement.extras)) in done:
            continue
        done.add((name, frozenset(requirement.extras)))
        try:
            words = requires(name) or []
        except PackageNotFoundError:  # of another system
            continue
        inner = map(Requirement, words)
        todo += [
            each
            for each in inner
            if each.marker is None or any(each.marker.evaluate({"extra": extra}) for extra in ("", *requirement.extras))
        ]
    return found


@pytest.mark.parametrize(("package", "extra"), extras(), ids=lambda each: getattr(each, "name", each))
def test_an_extra_spells_the_extras_of_its_packages_in_one_way(package: Path, extra: str) -> None:
    """Of two spellings pip 22.3 and 23 make one package with two extras, and end with an AssertionError."""
    twice = {key: ways for key, ways in spellings(list(required(package.name, extra))).items() if len(ways) > 1}
    assert not twice
