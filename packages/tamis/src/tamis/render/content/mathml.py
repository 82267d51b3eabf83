"""MathML to TeX, for formulas whose page lacks TeX; KaTeX's drawings to TeX; and the MathML that may be written.

In KaTeX's drawings, fractions, roots, scripts and limits are lists from the bottom to the top (`vlist`); everything
else is a row.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from string import ascii_letters

from tamis.render.content import Child, Node
from tamis.render.content.symbols import ACCENTS, ARROWS, COMMANDS, FONTS, FUNCTIONS, INTEGRALS, LARGE, LIMITS, UNDERS

_DEEPEST = 60
_DIGITS = frozenset("0123456789")
_SPACE = "\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_VARIANTS = {
    "normal": "mathrm",
    "bold": "mathbf",
    "bold-italic": "boldsymbol",
    "italic": "mathit",
    "double-struck": "mathbb",
    "script": "mathcal",
    "bold-script": "mathcal",
    "fraktur": "mathfrak",
    "bold-fraktur": "mathfrak",
    "sans-serif": "mathsf",
    "bold-sans-serif": "mathsf",
    "monospace": "mathtt",
}
_ESCAPED = {sign: "\\" + sign for sign in "%$#&_"}
_OPENING, _CLOSING = frozenset("([{|‖⌈⌊⟨⟦"), frozenset(")]}|‖⌉⌋⟩⟧")
_TALL = frozenset({"mfrac", "mtable", "munder", "mover", "munderover", "mfenced"})
_MATRICES = {("(", ")"): "pmatrix", ("[", "]"): "bmatrix", ("{", "}"): "Bmatrix", ("|", "|"): "vmatrix",
             ("‖", "‖"): "Vmatrix"}  # fmt: skip
_STACKING = frozenset({*LARGE.values(), *INTEGRALS.values(), *LIMITS.values()})
_LIMIT_COMMANDS = {text: "\\" + name for name, text in LIMITS.items()}
_ACCENT_COMMANDS = {sign: "\\" + name for name, sign in reversed(ACCENTS.items())} | {
    "^": r"\hat", "ˆ": r"\hat", "¯": r"\bar", "‾": r"\overline", "―": r"\overline", "_": r"\overline", "˜": r"\tilde",
    "~": r"\tilde", "→": r"\vec", "\u20d7": r"\vec", ".": r"\dot", "\u0302": r"\hat", "\u0303": r"\tilde",
    "\u0304": r"\bar", "\u0305": r"\overline", "\u0307": r"\dot", "\u0308": r"\ddot",
}  # fmt: skip
_UNDER_COMMANDS = {sign: "\\" + name for name, sign in reversed(UNDERS.items())} | {
    "¯": r"\underline", "‾": r"\underline", "\u0332": r"\underline",
}  # fmt: skip
_ARROW_COMMANDS = {sign: "\\" + name for name, sign in reversed(ARROWS.items()) if sign != "="}
_IGNORED = frozenset({"annotation", "annotation-xml", "mprescripts", "none", "malignmark", "maligngroup", "script"})


def to_tex(node: Child, depth: int = 0) -> str:
    """A MathML element as TeX."""
    if isinstance(node, str):
        return escaped(node)
    if depth == _DEEPEST:
        return escaped(node.text())
    name = node.name
    if name in ("mi", "mn", "mo", "mtext", "ms"):
        return _token(node)
    inner = [child for child in node.children if isinstance(child, Node) and child.name not in _IGNORED]
    if name in _SCHEMES and len(inner) == _SCHEMES[name]:
        return _scheme(node, inner, depth)
    if name == "mtable":
        return _table(node, depth)
    if name == "mspace":
        return _space(node.attributes)
    if name == "mphantom":
        return _command(r"\phantom", _row(inner, depth))
    if name == "msqrt":
        return _command(r"\sqrt", _row(inner, depth))
    if name == "mfenced":
        return _fenced(node, inner, depth)
    if name == "mmultiscripts":
        return _multiscripts(node, depth)
    if name in ("semantics", "maction"):
        inner = inner[:1]
    return _row(inner, depth) if inner else escaped(node.text().strip())


# How many children an element has; with others it is read as a row.
_SCHEMES = {"mfrac": 2, "mroot": 2, "msub": 2, "msup": 2, "msubsup": 3, "munder": 2, "mover": 2, "munderover": 3}


def _row(nodes: Sequence[Child], depth: int) -> str:
    """Elements of a row, with brackets that grow with tall ones, and matrices as such."""
    items = [node for node in nodes if isinstance(node, Node)]
    if len(items) >= 2 and (sign := _sign(items[0])) and sign in _OPENING:
        end = _sign(items[-1])
        if len(items) == 3 and end:
            if items[1].name == "mtable" and (sign, end) in _MATRICES and not _aligned(items[1]):
                return _table(items[1], depth + 1, _MATRICES[sign, end])
            if (sign, end) == ("(", ")") and items[1].name == "mfrac" and _is_stack(items[1]):
                parts = [child for child in items[1].children if isinstance(child, Node)]
                if len(parts) == 2:
                    return _command(r"\binom", *(to_tex(part, depth + 2) for part in parts))
        if len(items) == 2 and sign == "{" and items[1].name == "mtable":
            return _table(items[1], depth + 1, "cases")
        if end and end in _CLOSING and len(items) > 2 and items[0].attributes.get("stretchy") != "false":
            inside = items[1:-1]
            if any(_is_tall(node) for node in inside):
                content = joined([to_tex(node, depth + 1) for node in inside])
                return joined([r"\left" + COMMANDS.get(sign, sign), content, r"\right" + COMMANDS.get(end, end)])
    return joined([to_tex(node, depth + 1) for node in items])


def _sign(node: Node) -> str:
    return node.text().strip() if node.name == "mo" else ""


def _is_tall(node: Node) -> bool:
    """Is it a fraction and the like, or does it hold one directly or in a row?"""
    if node.name in _TALL:
        return True
    inner = (child for child in node.children if isinstance(child, Node))
    return any(child.name in _TALL or any(isinstance(each, Node) and each.name in _TALL for each in child.children)
               for child in inner)  # fmt: skip


def _is_stack(node: Node) -> bool:
    return node.attributes.get("linethickness", "")[:1] == "0"


def joined(parts: Sequence[str], are_apart: bool = True) -> str:
    """TeX of neighbours: a letter does not continue the command before it, nor, if they are apart, a digit a number."""
    found: list[str] = []
    before = ""
    for part in parts:
        if not part:
            continue
        if part[0] in _DIGITS:
            apart = are_apart and (before[-1:] == "." or before[-1:] in _DIGITS)
        else:
            rest = before.rstrip(ascii_letters)
            apart = part[0].isascii() and part[0].isalpha() and rest != before and ends_in_escape(rest)
        found.append(f" {part}" if apart else part)
        before = part
    return "".join(found)


def ends_in_escape(tex: str) -> bool:
    """Does TeX end in a backslash that escapes what follows?"""
    return (len(tex) - len(tex.rstrip("\\"))) % 2 == 1


def _command(name: str, *arguments: str) -> str:
    return name + "".join(f"{{{argument}}}" for argument in arguments)


def script(tex: str) -> str:
    """A script: in braces if it is more than one character."""
    return tex if len(tex) == 1 and tex not in "\\^_'" else f"{{{tex}}}"


def _above(tex: str) -> str:
    """A superscript; primes need no sign before them."""
    return tex if tex and not tex.strip("'") else f"^{script(tex)}"


def escaped(text: str) -> str:
    """Characters as TeX that shows them in a formula."""
    parts: list[str] = []
    for character in text:
        if character in _ESCAPED:
            parts.append(_ESCAPED[character])
        elif character in COMMANDS:
            parts.append(COMMANDS[character])
        elif character in FONTS:
            font, letter = FONTS[character]
            parts.append(_command("\\" + font, letter))
        elif "\U0001d400" <= character <= "\U0001d7ff":
            plain = unicodedata.normalize("NFKC", character)
            parts.append(COMMANDS.get(plain, plain))
        elif character in "^~":
            parts.append(_command(r"\text", "\\" + character + "{}"))
        elif character in _SPACE:
            parts.append(" ")
        else:
            parts.append(character)
    return joined(parts, are_apart=False)


def _token(node: Node) -> str:
    text = node.text()
    if node.name in ("mtext", "ms"):
        return _text(text)
    text = " ".join(text.split())
    if node.name == "mo":
        return _name(text, is_operator=True)
    variant = _VARIANTS.get(node.attributes.get("mathvariant", ""), "")
    if node.name == "mi" and len(text) > 1 and variant in ("", "mathrm"):
        return _name(text, is_operator=False)
    tex = escaped(text)
    if not variant or not tex or text in ("∞", "∅", "∂", "ℏ"):
        return tex
    if variant == "mathrm" and not (text.isascii() and text.isalpha()):
        return tex
    if variant == "mathit" and (len(text) == 1 or tex[0] == "\\"):
        return tex
    return _command("\\" + ("boldsymbol" if variant == "mathbf" and tex[0] == "\\" else variant), tex)


def _name(text: str, is_operator: bool) -> str:
    """A name of several letters, or an operator."""
    if text in FUNCTIONS:
        return "\\" + text
    if text in _LIMIT_COMMANDS:
        return _LIMIT_COMMANDS[text]
    if is_operator and text == "mod":
        return r"\bmod"
    if is_operator and len(text) == 2 and text[1] == "\u0338":
        return joined([r"\not", escaped(text[0])])
    if len(text) > 1 and text.isascii() and text.isalpha():
        return _command(r"\operatorname" if is_operator else r"\mathrm", text)
    if not is_operator and text.replace(" ", "").replace("-", "").isalnum() and text.isascii():
        return _command(r"\operatorname", text)
    return escaped(text)


def _text(text: str) -> str:
    if text[:1] == "\\" and len(text) > 1 and text.isascii() and text[1:].isalpha():
        return text  # a command that stays as it is
    for character in _SPACE:
        text = text.replace(character, " ")
    shown = " ".join(text.split())
    if not shown:
        return r"\ " if text else ""
    before, after = " " if text[0] == " " else "", " " if text[-1] == " " else ""
    inside = "".join(_ESCAPED.get(each, "\\" + each if each in "{}" else each) for each in shown if each not in "\\^~")
    return _command(r"\text", before + inside + after)


_WIDTHS = ((2.0, r"\qquad"), (1.0, r"\quad"), (0.25, r"\ "), (0.01, r"\,"))


def _space(attributes: dict[str, str]) -> str:
    if attributes.get("linebreak") == "newline":
        return r"\\ "
    found = re.match(r"(-?(?:[0-9]{1,4}(?:\.[0-9]{0,6})?|\.[0-9]{1,6}))em", attributes.get("width", ""))
    width = float(found[1]) if found else 0.0
    return next((command for least, command in _WIDTHS if width >= least), "")


def _scheme(node: Node, inner: list[Node], depth: int) -> str:
    """Elements with a fixed number of parts."""
    name = node.name
    first, second = (to_tex(child, depth + 1) for child in inner[:2])
    if name == "mfrac":
        return f"{{{first} \\atop {second}}}" if _is_stack(node) else _command(r"\frac", first, second)
    if name == "mroot":
        return f"\\sqrt[{second}]{{{first}}}" if "]" not in second else f"\\sqrt[{{{second}}}]{{{first}}}"
    base = _base(inner[0], first)
    sign = inner[0].text().strip() if inner[0].name in ("mi", "mo") else ""
    if name == "msub":
        return f"{base}_{script(second)}"
    if name == "msup":
        return base + _above(second)
    third = to_tex(inner[2], depth + 1) if len(inner) == 3 else ""
    if name == "msubsup" or (name == "munderover" and sign in _STACKING):
        return f"{base}_{script(second)}{_above(third)}"
    mark = _sign(inner[1])
    if name == "munder":
        if mark in _UNDER_COMMANDS:
            return _command(_UNDER_COMMANDS[mark], first)
        stacked = sign in _STACKING or _is_braced(inner[0])
        return f"{base}_{script(second)}" if stacked else _command(r"\underset", second, first)
    if name == "mover":
        if sign in _ARROW_COMMANDS and not mark:
            return _command(_ARROW_COMMANDS[sign], second)
        if mark in _ACCENT_COMMANDS:
            accent = _ACCENT_COMMANDS[mark]
            return _command(_WIDE.get(accent, accent) if len(inner[0].text()) > 1 else accent, first)
        stacked = sign in _STACKING or _is_braced(inner[0])
        return base + _above(second) if stacked else _command(r"\overset", second, first)
    if sign in _ARROW_COMMANDS:
        return f"{_ARROW_COMMANDS[sign]}[{second}]{{{third}}}"
    return _command(r"\underset", second, _command(r"\overset", third, first))


_WIDE = {r"\hat": r"\widehat", r"\tilde": r"\widetilde", r"\bar": r"\overline", r"\vec": r"\overrightarrow",
         r"\check": r"\widecheck"}  # fmt: skip


_BRACES = frozenset("⏞⏟⎴⎵⏜⏝")


def _is_braced(node: Node) -> bool:
    """Has it a brace or the like above or below it?"""
    marks = [child for child in node.children if isinstance(child, Node)][1:]
    return node.name in ("munder", "mover") and len(marks) == 1 and _sign(marks[0]) in _BRACES


# TeX between one pair of brackets.
_FENCED = re.compile(
    r"\\left(?![a-zA-Z])(?:[^\\]|\\(?!left(?![a-zA-Z])|right(?![a-zA-Z])).)*\\right\\?(?:[a-zA-Z]+|[^a-zA-Z\\])"
)


def _base(node: Node, tex: str) -> str:
    """What a script is put at."""
    if not tex:
        return "{}"
    is_one = node.name in ("mi", "mn", "mo", "mtext") or _FENCED.fullmatch(tex) or _is_braced(node)
    return tex if is_one else f"{{{tex}}}"


def _separators(node: Node, count: int) -> Iterator[str]:
    """The separator before each child of `mfenced`, empty for the first one."""
    signs = "".join(node.attributes.get("separators", ",").split())
    return ("" if not at or not signs else signs[min(at, len(signs)) - 1] for at in range(count))


def _fenced(node: Node, inner: list[Node], depth: int) -> str:
    pairs = zip(_separators(node, len(inner)), inner, strict=True)
    parts = [part for sign, child in pairs for part in (escaped(sign), to_tex(child, depth + 1))]
    signs = [node.attributes.get(name, sign).strip() for name, sign in (("open", "("), ("close", ")"))]
    left, right = (COMMANDS.get(sign, sign) for sign in signs)
    if any(map(_is_tall, inner)):
        return joined([r"\left" + (left or "."), *parts, r"\right" + (right or ".")])
    return joined([left, *parts, right])


def _multiscripts(node: Node, depth: int) -> str:
    """A base with scripts behind it and, after `mprescripts`, before it."""
    behind: list[str] = []
    before: list[str] = []
    scripts = behind
    base = ""
    for number, child in enumerate(each for each in node.children if isinstance(each, Node)):
        if child.name == "mprescripts":
            scripts = before
        elif number:
            scripts.append("" if child.name == "none" else to_tex(child, depth + 1))
        else:
            base = to_tex(child, depth + 1)
    return joined(["{}" if before else "", _pairs(before), base, _pairs(behind)])


def _pairs(scripts: list[str]) -> str:
    below, above = "".join(scripts[::2]), "".join(scripts[1::2])
    return (f"_{script(below)}" if below else "") + (_above(above) if above else "")


def _aligned(node: Node) -> bool:
    return node.attributes.get("columnalign", "").startswith("right left")


def _table(node: Node, depth: int, name: str = "") -> str:
    lines: list[str] = []
    for line in node.children:
        if isinstance(line, Node) and line.name in ("mtr", "mlabeledtr"):
            cells = [each for each in line.children if isinstance(each, Node)][line.name == "mlabeledtr" :]
            lines.append(" & ".join(_row(cell.children, depth + 2) or escaped(cell.text().strip()) for cell in cells))
    name = name or ("aligned" if _aligned(node) else "matrix")
    return _command(r"\begin", name) + " " + r" \\ ".join(lines) + " " + _command(r"\end", name)


# The elements of a formula that are written. Of others only the content is.
PRESENTATION = frozenset(
    """
    mi mn mo ms mtext mspace mrow mfrac msqrt mroot mstyle merror mpadded mphantom msub msup msubsup munder mover
    munderover mmultiscripts mprescripts none mtable mtr mtd menclose
    """.split()
)
_LEFT_OUT = frozenset({"annotation", "annotation-xml", "malignmark", "maligngroup", "script", "style", "mglyph"})


def presentation(node: Node, depth: int = 0) -> list[Child]:
    """The MathML of an element as it may be written: without annotations and elements of other languages."""
    if node.name in _LEFT_OUT:
        return []
    children = node.children
    if node.name in ("semantics", "maction"):
        children = [*[child for child in children if isinstance(child, Node)][:1]]
    if depth == _DEEPEST:
        return [Node("mtext", {}, [node.text()])]
    found: list[Child] = []
    for child in children:
        if isinstance(child, Node):
            found += presentation(child, depth + 1)
        elif text := " ".join(child.split()):
            found.append(text)
    if node.name == "mfenced":
        return [Node("mrow", {}, _with_brackets(node, found))]
    if node.name == "mlabeledtr":
        return [Node("mtr", {}, found[1:])]
    return [Node(node.name, node.attributes, found)] if node.name in PRESENTATION else found


def _with_brackets(node: Node, inner: list[Child]) -> list[Child]:
    """The content of `mfenced`, which browsers do not know any more."""
    found: list[Child] = [Node("mo", {}, [node.attributes.get("open", "(")])]
    for sign, child in zip(_separators(node, len(inner)), inner, strict=True):
        found += [Node("mo", {}, [sign]), child] if sign else [child]
    return [*found, Node("mo", {}, [node.attributes.get("close", ")")])]


_UNSEEN = frozenset(
    {"strut", "pstrut", "frac-line", "vlist-s", "hide-tail", "svg-align", "katex-mathml", "overline-line"}
)


def drawn_to_tex(node: Node, depth: int = 0) -> str:
    """The content of an element that KaTeX has drawn as TeX."""
    return joined([_drawn(child, depth + 1) for child in node.children])


def _drawn(node: Child, depth: int) -> str:
    if isinstance(node, str):
        return escaped(" ".join(node.split()))
    classes = node.attributes.get("class", "").split()
    if depth >= _DEEPEST:
        return escaped(node.text())
    if node.name == "svg" or any(name in _UNSEEN for name in classes):
        return ""
    if "msupsub" in classes:
        return _scripts(node, depth)
    if "mfrac" in classes:
        parts = _parts(node, depth)
        return f"\\frac{{{parts[-1]}}}{{{parts[0]}}}" if len(parts) == 2 else drawn_to_tex(node, depth)
    if "sqrt" in classes:
        return f"\\sqrt{{{drawn_to_tex(node, depth)}}}"
    if "op-limits" in classes:
        parts = _parts(node, depth)
        if len(parts) == 3:
            return f"{parts[1]}_{script(parts[0])}^{script(parts[2])}"
        return f"{parts[1]}_{script(parts[0])}" if len(parts) == 2 else "".join(parts)
    if "mop" in classes and node.text() in FUNCTIONS:
        return "\\" + node.text()
    if "mathbb" in classes:
        return f"\\mathbb{{{node.text()}}}"
    if "mspace" in classes and not node.children:
        return ""
    return drawn_to_tex(node, depth)


def _parts(node: Node, depth: int) -> list[str]:
    """The TeX of the entries of the first list in an element that are not empty, from the bottom to the top."""
    lists = (each.children for each in node.walk() if "vlist" in each.attributes.get("class", "").split())
    entries = next(lists, [])
    return [tex for entry in entries if isinstance(entry, Node) and (tex := drawn_to_tex(entry, depth + 1))]


def _scripts(node: Node, depth: int) -> str:
    parts = _parts(node, depth)
    if len(parts) == 2:
        return f"_{script(parts[0])}^{script(parts[1])}"
    # A list that goes below the line has a second row, for its depth.
    is_below = any("vlist-t2" in each.attributes.get("class", "").split() for each in node.walk())
    return "".join(("_" if is_below else "^") + script(part) for part in parts)
