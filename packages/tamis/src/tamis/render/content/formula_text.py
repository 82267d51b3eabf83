"""TeX of pages, cleaned; as Markdown that no reader takes for markup; and simple formulas as a line of text."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import cycle

from tamis.render.content import Node, symbols
from tamis.render.content.mathml import ends_in_escape
from tamis.render.content.symbols import FONTS, FUNCTIONS, lowered, raised
from tamis.render.content.tex import TooDeep, parse

# What could be markup in a formula: a blank behind "<" and an empty group mean nothing in TeX.
_ODD = re.compile(r"[<`\]\[$\x00]|://|www\.", re.IGNORECASE)
_TAG = re.compile(r"<(?=[A-Za-z/!?$])")
_NO_MARKUP = re.compile(r"\](?=[(\[:])|\[(?=\^)|:(?=//)|www(?=\.)", re.IGNORECASE)
_DOLLAR = re.compile(r"(?<!\\)((?:\\\\)*)\$")
_BRACKET = re.compile(r"\\.|[\[\]]", re.DOTALL)
# Each with what a backslash escapes.
_BAR = re.compile(r"(\\[^|])|(\\?\|)(?=([A-Za-z])?)", re.DOTALL)
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_PERCENT = re.compile(r"\\.|%", re.DOTALL)
_EACH_DOLLAR = re.compile(r"\\.|\$", re.DOTALL)
_BEFORE_COMMENT = re.compile(r"(?:\\.?|[^%\\])*+")
_BRACKETS = {"[": r"\lbrack ", "]": r"\rbrack "}
_STYLE = re.compile(r"\\(?:displaystyle|textstyle|scriptstyle)(?![a-zA-Z])[ \t\r\n]*")
_DELIMITERS = (("$$", "$$"), (r"\[", r"\]"), (r"\(", r"\)"), ("$", "$"))
_EQUATION = re.compile(r"\\begin\{(equation\*?|displaymath|math)\}")

# Commands that make a formula more than one line; found before it is parsed.
_COMMAND = re.compile(r"\\(?:begin|sum|prod|i?i?int|oint|hat|bar|vec|tilde|overline|binom|over|lim)(?![a-zA-Z])")
_DEFINITIONS = (r"\newcommand", r"\renewcommand", r"\providecommand", r"\def", r"\DeclareMathOperator", r"\require",
                r"\let", r"\newenvironment", r"\gdef")  # fmt: skip
_LONGEST_DEFINITION = 20_000
_LONGEST = 1_000
_KINDS = {"relation": {*symbols.TABLE["relations"], "mod"}, "binary": {*symbols.TABLE["binary"]},
          "open": {*"([{⌈⌊⟨", ""}, "close": {*")]}⌉⌋⟩!"}, "comma": {*",;"}, "apply": {"\u2061"}}  # fmt: skip
_PLAIN_FONTS = frozenset({"mathbf", "boldsymbol", "mathsf", "mathtt"})
_SIMPLE = frozenset({"ordinary", "number"})
_INTEGRALS = frozenset(symbols.INTEGRALS.values())
_SIGNS = {"∗": "*", "⋅": "·", "∣": "|"}  # those of formulas, as texts write them

# A piece of the line: its text and what it is: ordinary, number, function, fraction, binary, relation, open, close,
# comma, text or space.
_TextPiece = tuple[str, str]


class _Complex(Exception):
    """The formula can't be written as a line of text."""


def readable(tex: str) -> str | None:
    """A formula as Unicode text: letters, digits and signs, scripts of one level, fractions and roots of such.

    None if it is more than that.
    """
    return None if len(tex) > _LONGEST or _COMMAND.search(tex) else _readable(tex)


@lru_cache(maxsize=4_096)  # pages repeat their formulas
def _readable(tex: str) -> str | None:
    try:
        return _line(_pieces(parse(tex))).strip() or None
    except (TooDeep, _Complex):
        return None


def plain_formula(tex: str) -> str:
    """A formula as plain text shows it."""
    return readable(tex) or f"${tex}$"


def _pieces(nodes: list[Node]) -> list[_TextPiece]:
    found: list[_TextPiece] = []
    for node in nodes:
        name = node.name
        inner = [child for child in node.children if isinstance(child, Node)]
        if name == "mrow":
            found += _pieces(inner)
        elif name in ("mi", "mn"):
            fonts = [(character, FONTS.get(character, ("", ""))) for character in node.text()]
            text = "".join(letter if font in _PLAIN_FONTS else character for character, (font, letter) in fonts)
            found.append((text, "number" if name == "mn" else "function" if text in FUNCTIONS else "ordinary"))
        elif name == "mo":
            sign = node.text()
            found.append((_SIGNS.get(sign, sign), _kind(sign)))
        elif name == "mtext":
            if "\\" in (text := node.text()):
                raise _Complex  # an unknown command
            found.append((text.replace("\u00a0", " "), "text"))
        elif name == "mspace" and "width" in node.attributes:
            found.append((" ", "space"))
        elif name in ("msub", "msup", "msubsup"):
            found.append(_scripted(name, inner))
        elif name == "mfrac" and not node.attributes:
            found.append((f"{_part(inner[0])}/{_part(inner[1])}", "fraction"))
        elif name == "msqrt":
            found.append((f"√{_part(inner[0])}", "ordinary"))
        else:
            raise _Complex
    return found


def _kind(sign: str) -> str:
    for kind, signs in _KINDS.items():
        if sign in signs:
            return kind
    if len(sign) > 1:
        raise _Complex  # the name of an operator with limits
    return "ordinary"


def _scripted(name: str, inner: list[Node]) -> _TextPiece:
    base = _pieces(inner[:1])
    if len(base) == 1:
        text, kind = base[0]
    else:
        text, kind = _line(base), "ordinary"
        if base and not (base[0][1] == "open" and base[-1][1] == "close"):
            text = f"({text})"
    if kind in ("fraction", "binary", "relation") or text in _INTEGRALS:
        raise _Complex
    if name != "msup":
        text += lowered(_script(inner[1]))
    if name != "msub":
        above = _script(inner[-1])
        if above in ("∘", "°"):
            text += "°"
        elif above.strip("′″‴"):
            text += raised(above)
        else:
            text += above
    return text, kind


def _script(node: Node) -> str:
    """A script without scripts of its own, and without spaces between its signs."""
    if any(each.name in ("msub", "msup", "msubsup", "msqrt") for each in node.walk()):
        raise _Complex
    found = "".join(" " if kind == "space" else text for text, kind in _pieces([node]) if kind != "apply").strip()
    if not found:
        raise _Complex
    return found


def _part(node: Node) -> str:
    """A part of a fraction or the content of a root: in brackets if it is more than one sign."""
    if any(each.name == "mfrac" for each in node.walk()):
        raise _Complex
    pieces = _pieces([node])
    text = _line(pieces).strip()
    if not text:
        raise _Complex
    one = len(pieces) == 1 and "√" not in text and "/" not in text
    return text if one or (text.isalnum() and text.isascii() and len(text) <= 2) else f"({text})"


def _line(pieces: list[_TextPiece]) -> str:
    """Pieces with spaces around relations and binary operators, behind commas and around names of functions."""
    parts: list[str] = []
    before = ""  # what the piece before is
    for number, (text, kind) in enumerate(pieces):
        after = pieces[number + 1][1] if number + 1 < len(pieces) else ""
        if kind == "apply":
            continue
        if kind == "binary" and before in ("", "binary", "relation", "open", "comma", "function"):
            kind = "sign"  # of a number
        if kind in ("relation", "binary"):
            parts.append(f" {text} ")
        elif kind == "comma":
            parts.append(f"{text} ")
        elif kind == "fraction":
            parts.append(_fraction(text, before, after))
        else:
            apart = {before, kind} == {"number"} or (kind == "function" and before in (*_SIMPLE, "close", "function"))
            apart = apart or (before == "function" and kind in _SIMPLE)
            parts.append(f" {text}" if apart else text)
        before = kind
    return " ".join("".join(parts).split())


def _fraction(fraction: str, before: str, after: str) -> str:
    """A fraction: a mixed number, a factor, or one that stands alone."""
    if before == "number" and fraction[0] in "0123456789":
        return f" {fraction}"
    factor = before in (*_SIMPLE, "close") or after in (*_SIMPLE, "open", "function")
    return f"({fraction})" if factor else f" {fraction}" if before == "function" else fraction


def clean_tex(tex: str) -> str:
    """TeX of a page on one line, without the marks that only say that it is a formula and in which style."""
    if not tex:
        return ""
    if "%" in tex:  # a percent sign on the last line is a sign: comments are not written there
        *lines, last = tex.split("\n")
        found_lines = [_BEFORE_COMMENT.match(line)[0] for line in lines]  # type: ignore[index]
        last = _PERCENT.sub(lambda found: "\\%" if found[0] == "%" else found[0], last)
        tex = "\n".join([*found_lines, last])
    tex = " ".join(tex.split())
    for _ in range(4):  # each may be inside of the other
        before = tex
        for left, right in _DELIMITERS:
            inside = tex[len(left) : len(tex) - len(right)]
            if tex == left + inside + right and left not in inside:
                tex = inside.strip()
                break
        if tex[:1] == "{" and _STYLE.match(tex, 1) and _end_of_group(tex) == len(tex):
            tex = tex[1:-1].strip()
        if found := _STYLE.match(tex):
            tex = tex[found.end() :]
        if (found := _EQUATION.match(tex)) and tex.endswith(end := f"\\end{{{found[1]}}}"):
            tex = tex[found.end() : len(tex) - len(end)].strip()
        if tex == before:
            break
    marks = cycle((r"\(", r"\)"))  # dollars in a text of the formula would end it in Markdown
    return _EACH_DOLLAR.sub(lambda found: next(marks) if found[0] == "$" else found[0], tex) if "$" in tex else tex


def neutral(tex: str, *, in_cell: bool = False, in_link: bool = False) -> str:
    """The same formula for Markdown: a reader that does not know formulas takes it for plain text.

    `in_cell`: without vertical bars. `in_link`: without brackets that lack their other half.
    """
    if _ODD.search(tex):
        tex = _NO_MARKUP.sub(lambda found: found[0] + "{}", tex.replace("`", "\u2018").replace("\0", ""))
        tex = _DOLLAR.sub(r"\1\\$", _TAG.sub("< ", tex))
    if in_link and not _is_balanced(tex):
        tex = _BRACKET.sub(lambda found: _BRACKETS.get(found[0], found[0]), tex)
    if in_cell and "|" in tex:  # it would end the cell
        tex = _BAR.sub(lambda found: found[1] or f"\\{'V' if found[2][1:] else 'v'}ert{' ' if found[3] else ''}", tex)
    tex = tex.strip()
    return f"{tex} {{}}" if ends_in_escape(tex) else tex  # it would escape the dollar behind it


def _is_balanced(tex: str) -> bool:
    depth = 0
    for found in _BRACKET.finditer(tex):
        depth += {"[": 1, "]": -1}.get(found[0], 0)
        if depth < 0:
            return False
    return not depth


def _end_of_group(tex: str) -> int:
    """The place behind the brace that closes the first one; -1 if none does."""
    depth = 0
    for found in _BRACE.finditer(tex):
        depth += {"{": 1, "}": -1}.get(found[0], 0)
        if not depth:
            return found.end()
    return -1


def is_definition(tex: str) -> bool:
    """Does it define commands and show nothing?"""
    if len(tex) > _LONGEST_DEFINITION:
        return False
    while tex:
        name = next((name for name in _DEFINITIONS if tex.startswith(name)), "")
        if not name:
            return False
        tex = tex[len(name) :].lstrip(" *")
        for _ in range(1 if name == r"\require" else 2):  # the name and the definition
            while tex[:1] == "[":
                tex = tex[tex.find("]") + 1 or len(tex) :].lstrip()
            end = _end_of_argument(tex)
            tex = tex[end:].lstrip()
    return True


def _end_of_argument(tex: str) -> int:
    """Where a group, or a command, at the start of TeX ends."""
    if tex[:1] == "\\":
        end = 1
        while end < len(tex) and tex[end].isascii() and tex[end].isalpha():
            end += 1
        start = tex.find("{", end) if tex[end : end + 1] == "#" else end  # the parameters of \def
        return start if start >= 0 else len(tex)
    if tex[:1] != "{":
        return 1
    end = _end_of_group(tex)
    return end if end >= 0 else len(tex)
