"""Reads a Dockerfile: its stages, and their instructions with variables filled in.

Not all of the language: a heredoc, an escape directive and a form of variable other than $NAME, ${NAME} and
${NAME:-default} are errors.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field

_FLAG = re.compile(r"--([\w-]+)=(\S+)\s+")
_VARIABLE = re.compile(r"\$(?:(\w+)|\{(\w+)(?::-([^}]*))?\})")
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
    flags: Mapping[str, str] = field(default_factory=dict)

    @property
    def words(self) -> list[str]:
        """The value as a list: of JSON where it is written so, else as a shell parts it."""
        if self.value.startswith("["):
            found: list[str] = json.loads(self.value)
            return found
        return shlex.split(self.value)

    @property
    def pairs(self) -> dict[str, str]:
        """The value of ENV or LABEL. Raises ValueError for the old form without =."""
        found = [word.partition("=") for word in self.words]
        if not all(sign for _, sign, _ in found):
            raise ValueError(f"{self.name} without =: {self.value}")
        return {name: value for name, _, value in found}


@dataclass(frozen=True)
class Stage:
    """What one FROM begins."""

    base: str
    name: str
    instructions: tuple[Instruction, ...]

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
        """The command of the health check. Raises ValueError if there is none, or in shell form."""
        kind, _, command = self.only("HEALTHCHECK").value.partition(" ")
        if kind != "CMD":
            raise ValueError("the health check has no command")
        found: list[str] = json.loads(command)
        return found


def stages(text: str) -> list[Stage]:
    """The stages of a Dockerfile, in order. Raises ValueError for what is not understood."""
    arguments: dict[str, str] = {}  # before the first FROM
    found: list[Stage] = []
    variables: dict[str, str] = {}  # of the stage
    for name, rest in _lines(text):
        if name not in _KNOWN:
            raise ValueError(f"no instruction that is known here: {name}")
        if "<<" in rest:
            raise ValueError(f"a heredoc: {name} {rest}")
        if name == "FROM":
            base, _, alias = _filled(rest, arguments).partition(" AS ")
            found.append(Stage(base.strip(), alias.strip(), ()))
            variables = {"PATH": BASE_PATH}
            continue
        if name == "ARG":
            argument, _, default = rest.partition("=")
            (variables if found else arguments)[argument] = default or arguments.get(argument, "")
            continue
        if not found:
            raise ValueError(f"{name} before the first FROM")
        flags: dict[str, str] = {}
        while match := _FLAG.match(rest):
            flags[match[1]], rest = match[2], rest[match.end() :]
        instruction = Instruction(name, _filled(rest, variables) if name in _FILLED else rest, flags)
        if name == "ENV":
            variables |= instruction.pairs
        stage = found[-1]
        found[-1] = Stage(stage.base, stage.name, (*stage.instructions, instruction))
    return found


def _lines(text: str) -> list[tuple[str, str]]:
    """Each instruction and its rest, without comments and with continued lines joined."""
    if re.match(r"#\s*escape\s*=", text, re.IGNORECASE):
        raise ValueError("an escape directive")
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    joined = re.sub(r"\\[ \t]*\n", "", "\n".join(lines))
    pairs = [line.strip().split(None, 1) for line in joined.splitlines()]
    return [(pair[0].upper(), pair[1] if len(pair) > 1 else "") for pair in pairs]


def _filled(text: str, variables: Mapping[str, str]) -> str:
    def value(match: re.Match[str]) -> str:
        return variables.get(match[1] or match[2]) or match[3] or ""

    filled = _VARIABLE.sub(value, text)
    if "$" in filled:
        raise ValueError(f"a variable that is not understood: {text}")
    return filled
