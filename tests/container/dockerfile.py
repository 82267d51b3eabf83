"""Reads the files of the container: Dockerfile, .dockerignore and compose.yaml.

A Dockerfile is its stages and their instructions, with variables filled in. Anything that this project does not write,
such as a heredoc or a default of a variable, is an error.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from string import Template
from typing import Any

import yaml  # type: ignore[import-untyped]
from pathspec import GitIgnoreSpec

PROJECT = Path(__file__).resolve().parents[2]

_FLAG = re.compile(r"--([\w-]+)=(\S+)\s+")
# In these, the builder fills in variables. In RUN the shell does, and the others have none.
_FILLED = {"FROM", "COPY", "ENV", "WORKDIR", "USER", "EXPOSE", "LABEL", "STOPSIGNAL"}
_KNOWN = _FILLED | {"ARG", "RUN", "HEALTHCHECK", "ENTRYPOINT", "CMD"}
# What the base image has.
BASE_PATH = "/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin"


@dataclass(frozen=True)
class Instruction:
    """One instruction; `flags` are its --name=value, `value` is all behind them."""

    name: str
    value: str
    flags: Mapping[str, str]

    @property
    def words(self) -> list[str]:
        """The value as a list: of JSON where it is written so, else as a shell parts it."""
        found: list[str] = json.loads(self.value) if self.value.startswith("[") else shlex.split(self.value)
        return found

    @property
    def pairs(self) -> dict[str, str]:
        """The value of ENV or LABEL. Raises ValueError for the old form without =."""
        return dict(word.split("=", 1) for word in self.words)


@dataclass
class Stage:
    """What one FROM begins."""

    base: str
    name: str
    instructions: list[Instruction] = field(default_factory=list)

    def all(self, name: str) -> list[Instruction]:
        """The instructions of one kind."""
        return [each for each in self.instructions if each.name == name]

    def only(self, name: str) -> Instruction:
        """The one instruction of a kind. Raises ValueError if there is another number of them."""
        (found,) = self.all(name)
        return found

    @property
    def environment(self) -> dict[str, str]:
        """The variables of a process in this stage."""
        found = {"PATH": BASE_PATH}
        for each in self.all("ENV"):
            found |= each.pairs
        return found

    @property
    def health_command(self) -> list[str]:
        """The command of the health check, which is written as JSON."""
        found: list[str] = json.loads(self.only("HEALTHCHECK").value.removeprefix("CMD "))
        return found


def stages(text: str) -> list[Stage]:
    """The stages of a Dockerfile, in order. Raises ValueError or KeyError for what is not understood."""
    arguments: dict[str, str] = {}
    found: list[Stage] = []
    for name, rest in _lines(text):
        if name not in _KNOWN or "<<" in rest:
            raise ValueError(f"not an instruction that is known here: {name} {rest}")
        if name in _FILLED:
            rest = Template(rest).substitute(arguments | (found[-1].environment if found else {}))
        if name == "ARG":
            arguments |= dict([rest.split("=", 1)])
        elif name == "FROM":
            base, _, alias = rest.partition(" AS ")
            found.append(Stage(base, alias))
        else:
            flags: dict[str, str] = {}
            while match := _FLAG.match(rest):
                flags[match[1]], rest = match[2], rest[match.end() :]
            found[-1].instructions.append(Instruction(name, rest, flags))
    return found


def _lines(text: str) -> list[tuple[str, str]]:
    """Each instruction and its rest, without comments and with continued lines joined."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    joined = re.sub(r"\\[ \t]*\n", "", "\n".join(lines))
    return [(name, rest) for name, _, rest in (line.strip().partition(" ") for line in joined.splitlines())]


class Ignore:
    """The rules of a .dockerignore: those of a .gitignore whose patterns all begin at the folder."""

    def __init__(self, text: str) -> None:
        lines = [line.strip() for line in text.splitlines()]
        rules = [line for line in lines if line and not line.startswith("#")]
        anchored = [f"{'!' * rule.startswith('!')}/{rule.removeprefix('!').strip('/')}" for rule in rules]
        self._rules = GitIgnoreSpec.from_lines(anchored)

    def ignores(self, path: str) -> bool:
        """Is this path, relative to the folder, left out?"""
        return self._rules.match_file(path)

    def copy(self, folder: Path, name: str, target: Path) -> None:
        """Copy a file or folder of a folder, without what is ignored. Raises FileNotFoundError if nothing is left."""
        source = folder / name
        paths = [source] if source.is_file() else sorted(path for path in source.rglob("*") if path.is_file())
        kept = [path for path in paths if not self.ignores(path.relative_to(folder).as_posix())]
        if not kept:
            raise FileNotFoundError(name)
        for path in kept:
            place = target / path.relative_to(source) if path != source else target
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, place)


def compose_service() -> dict[str, Any]:
    """The only service of compose.yaml."""
    (found,) = yaml.safe_load((PROJECT / "compose.yaml").read_text(encoding="utf-8"))["services"].values()
    return dict(found)
