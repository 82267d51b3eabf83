"""The commands of TeX and their characters (symbols.json), and superscripts and subscripts as text.

Scripts are written as `10^6`, `x^(n+1)`, `H₂O`, `x_max`, `x_(i,j)`, `1st`, `1/2`. What is raised for its looks alone
(ordinals, abbreviations, trade marks, reference marks) is written as plain text.
"""

from __future__ import annotations

import json
import re
from importlib.resources import files
from typing import Any

TABLE: dict[str, Any] = json.loads(files("tamis.render.content").joinpath("symbols.json").read_text(encoding="utf-8"))

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


# The command of each character without a plain form; the first name is the usual one.
COMMANDS: dict[str, str] = {}
for _table in (LETTERS, OPERATORS, LARGE, INTEGRALS):
    for _name, _character in _table.items():
        if _character not in "<>[]|:/":
            COMMANDS.setdefault(_character, "\\" + _name)
COMMANDS.update({"{": r"\{", "}": r"\}", "−": "-", "∗": "*", "′": "'", "″": "''", "‴": "'''", "\\": r"\backslash"})
COMMANDS.update(dict.fromkeys("\u2061\u2062\u2063\u2064\u200b\ufeff", ""))

# A letter of a font, by its character: the font and the plain letter.
FONTS: dict[str, tuple[str, str]] = {
    character: (name, letter) for name, font in ALPHABETS.items() for letter, character in font.items()
}


_SUBSCRIPTS: dict[str, str] = TABLE["subscripts"]
_ORDINALS = frozenset(
    "st nd rd th er ers re res ère ères e es ème èmes ième eme è o os a as º ª te ter ten ra do da to ta mo ma "
    "vo va no na".split()
)
_ABBREVIATIONS = frozenset("me mes lle lles gr grs mme ve vve ie".split())
_MARKS = {"TM": "™", "tm": "™", "SM": "℠", "sm": "℠", "(R)": "®", "(r)": "®", "(TM)": "™", "(C)": "©"}
# Nothing but signs that are raised anyway, or that refer to a note.
_PLAIN = frozenset("™®℠©°ºª*†‡§¶′″‴")
_ONE_TOKEN = re.compile(r"[+\-−±]?[^\W_]+(?:[.,][0-9]+)?%?|[^\w\s]")
# Longer ones are words that are raised or lowered, not scripts.
_LONGEST = 20
_LONGEST_SPACED = 8  # with spaces


def script_text(name: str, content: str, before: str, after: str = "") -> str:
    """What to write for a `sup` or `sub` with this text, between the texts `before` and `after` it on its line.

    Of the texts around it only some characters are read. The text is in the result as it is, but for Unicode subscripts
    and some marks.
    """
    content = " ".join(content.split())
    before, after = before[-20:], after[:1]
    if not content:
        return ""
    if name == "sup" and after in ("/", "⁄") and _is_number(content):  # <sup>1</sup>/<sub>2</sub>
        return f" {content}" if _is_number(before[-1:]) else content
    if not before or before[-1].isspace():
        return content  # without a base
    if name == "sup":
        return _raised(content, before)
    if before[-1] in "/⁄" and _is_number(content):
        return content
    return f" {content}" if _is_prose(content) else lowered(content)


def raised(content: str) -> str:
    """A superscript behind its base."""
    return "^" + _grouped(content)


def lowered(content: str) -> str:
    """A subscript behind its base: in Unicode if every character has such a form and at most one is a letter."""
    if sum(character.isalpha() for character in content) <= 1 and all(each in _SUBSCRIPTS for each in content):
        return "".join(_SUBSCRIPTS[each] for each in content)
    return "_" + _grouped(content)


def _raised(content: str, before: str) -> str:
    if content in _MARKS:
        return _MARKS[content]
    is_note = content[0] == "[" and content[-1] == "]"
    if is_note or content[0] in ".," or all(character in _PLAIN for character in content):
        return content
    word, last = content.lower().rstrip("."), before[-1]
    rest = before.rstrip("IVXLCDM")  # a letter is a Roman number only if it is not part of a name
    is_roman = rest != before and not rest[-1:].isalpha()
    if word in ("st", "nd", "rd", "th"):
        return content
    if word in _ORDINALS and (_is_number(last) or last in ".°" or is_roman):
        return content
    if (last.isupper() and word in _ABBREVIATIONS) or (last in "Nn" and word in ("o", "os", "ro")):
        return content
    rest = before.rstrip("0123456789,")
    if len(content) == 2 and _is_number(content) and rest != before and rest.rstrip()[-1:] in ("$", "€", "£", "¥"):
        return "." + content
    return f" {content}" if _is_prose(content) else raised(content)


def _grouped(content: str) -> str:
    """A single token as it is, others in brackets."""
    is_bracketed = content[0] == "(" and content[-1] == ")" and not any(each in "()" for each in content[1:-1])
    return content if is_bracketed or _ONE_TOKEN.fullmatch(content) else f"({content})"


def _is_prose(content: str) -> bool:
    return len(content) > (_LONGEST_SPACED if " " in content else _LONGEST)


def _is_number(text: str) -> bool:
    return text != "" and all(character in "0123456789" for character in text)
