"""What other packages add to tamis, by entry points, and the packages of this project that may be missing.

| group | an entry point names |
| --- | --- |
| `tamis.extractors` | a sequence of `registry.Entry` |
| `tamis.commands` | a mapping from the name of a verb to its module and its line in the help |
| `tamis.recipes` | how a model is trained, a `Recipe` of tamis-lab |
| `tamis.tables` | a function that measures the tables of a paper, for tamis-lab |
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, PackageNotFoundError, distribution, entry_points
from pathlib import Path
from typing import Any, NamedTuple

from tamis.errors import PluginError

EXTRACTORS = "tamis.extractors"
COMMANDS = "tamis.commands"
RECIPES = "tamis.recipes"
TABLES = "tamis.tables"


class Companion(NamedTuple):
    """A package of this project other than the product."""

    name: str
    brings: str
    commands: tuple[str, ...] = ()


PAPERS = Companion("tamis-papers", "published methods: boilerpipe, Web2Text, GOCE, R4, BoilerNet and others")
LAB = Companion(
    "tamis-lab", "corpora, benchmarks, training and the papers' tables", ("corpora", "bench", "reproduce", "train")
)


@cache
def named(group: str) -> Mapping[str, EntryPoint]:
    """The entry points of a group by name; nothing is imported."""
    return {entry.name: entry for entry in sorted(entry_points(group=group), key=lambda entry: entry.name)}


def loaded(entry: EntryPoint) -> Any:
    """What an entry point names. Raises PluginError."""
    try:
        return entry.load()
    except Exception as error:
        package = entry.dist.name if entry.dist else entry.value
        raise PluginError(f"{package} can't be used: {type(error).__name__}: {error}") from error


def commands() -> dict[str, tuple[str, str]]:
    """The verbs that other packages add, each with its module and its line in the help. Raises PluginError."""
    return {name: verb for entry in named(COMMANDS).values() for name, verb in loaded(entry).items()}


def is_installed(companion: Companion) -> bool:
    """Is a package of this project installed?"""
    try:
        distribution(companion.name)
    except PackageNotFoundError:
        return False
    return True


def install_command(companion: Companion) -> str:
    """The command that installs a package of this project: from a path if tamis itself came from a checkout."""
    checkout = _checkout()
    if checkout is None or not (checkout / companion.name / "pyproject.toml").is_file():
        return f"pip install {companion.name}"
    path = os.path.relpath(checkout / companion.name)
    return f"pip install {path if path.startswith('.') else f'.{os.sep}{path}'}"


@cache
def _checkout() -> Path | None:
    """The folder with the packages of the project, if tamis was installed from there."""
    from urllib.parse import urlsplit
    from urllib.request import url2pathname  # takes as long as a help text

    try:
        origin = json.loads(distribution("tamis").read_text("direct_url.json") or "{}")
        place = urlsplit(origin.get("url", ""))
    except (PackageNotFoundError, ValueError):
        return None
    return Path(url2pathname(place.path)).parent if place.scheme == "file" else None
