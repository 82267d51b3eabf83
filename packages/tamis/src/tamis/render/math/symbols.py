"""The commands of TeX and their characters: symbols.json, which the browser extension reads, too."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

TABLE: dict[str, Any] = json.loads(files("tamis.render.math").joinpath("symbols.json").read_text(encoding="utf-8"))

LETTERS: dict[str, str] = TABLE["letters"]
OPERATORS: dict[str, str] = TABLE["operators"]
LARGE: dict[str, str] = TABLE["large"]
INTEGRALS: dict[str, str] = TABLE["integrals"]
LIMITS: dict[str, str] = TABLE["limits"]
ACCENTS: dict[str, str] = TABLE["accents"]
UNDERS: dict[str, str] = TABLE["unders"]
ARROWS: dict[str, str] = TABLE["arrows"]
ENVIRONMENTS: dict[str, list[str]] = TABLE["environments"]
FUNCTIONS = frozenset(TABLE["functions"])
FENCES = frozenset("()[]{}|‖⌈⌉⌊⌋⟨⟩⟦⟧")


def _alphabet(font: dict[str, Any]) -> dict[str, str]:
    """The letters and digits of a font, by the plain ones."""
    found: dict[str, str] = {}
    for first, count in (("A", 26), ("a", 26), ("0", 10)):
        if first in font:
            found |= {chr(ord(first) + step): chr(ord(font[first]) + step) for step in range(count)}
    found.update(font["except"])
    return found


ALPHABETS: dict[str, dict[str, str]] = {name: _alphabet(font) for name, font in TABLE["alphabets"].items()}


def _by_character(*tables: dict[str, str]) -> dict[str, str]:
    """The command of each character; the first name is the usual one."""
    found: dict[str, str] = {}
    for table in tables:
        for name, character in table.items():
            found.setdefault(character, "\\" + name)
    return found


COMMANDS = _by_character(LETTERS, OPERATORS, LARGE, INTEGRALS)
# What has a plain form, or a form in ASCII.
for _plain in "<>[]|:/":
    COMMANDS.pop(_plain, None)
COMMANDS.update({"{": r"\{", "}": r"\}", "−": "-", "∗": "*", "′": "'", "″": "''", "‴": "'''", "\\": r"\backslash"})
COMMANDS.update(dict.fromkeys("\u2061\u2062\u2063\u2064\u200b\ufeff", ""))

# A letter of a font, by its character: the font and the plain letter.
FONTS: dict[str, tuple[str, str]] = {
    character: (name, letter) for name, font in ALPHABETS.items() for letter, character in font.items()
}
