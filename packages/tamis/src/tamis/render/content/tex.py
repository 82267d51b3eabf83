"""TeX to MathML.

The parser never fails: a command that it does not know stays as it is, an end without a beginning is left out. A
formula that is nested too deeply is written as its source.
"""

from __future__ import annotations

import re

from tamis.render.content import Child, Node, symbols
from tamis.render.content.symbols import ACCENTS, ALPHABETS, ARROWS, ENVIRONMENTS, FENCES, FUNCTIONS, LETTERS, OPERATORS

# Each level of TeX is at the most two of MathML.
_DEEPEST = 25
_LONGEST = 20_000  # longer ones are written as their source
# A run of white space counts as a token of its own only in texts.
_TOKEN = re.compile(r"\\(?:[a-zA-Z]+|[\s\S])|[0-9]+(?:\.[0-9]+)?|%[^\n]*\n?|[ \t\r\n\f\v\xa0]+|[\s\S]")
_BLANK = frozenset(" \t\r\n\f\v\xa0%")
_ENDS = frozenset({"}", "&", r"\right", r"\end", r"\\", r"\cr", r"\newline"})
_INFIX = {
    r"\over": ("", "", ""),
    r"\atop": ("", "", "0"),
    r"\choose": ("(", ")", "0"),
    r"\brack": ("[", "]", "0"),
    r"\brace": ("{", "}", "0"),
}
_PLAIN = frozenset({"equation", "math", "displaymath"})
_COUNTED = frozenset({"array", "subarray", "alignat", "alignedat"})  # environments with an argument
_ALIGNED = frozenset({"aligned", "align", "split", "alignat", "alignedat", "eqnarray", "flalign"})
_SIDES = {"cases": "left", "dcases": "left", "rcases": "left", "multline": "left"}
_LARGE = frozenset({*symbols.LARGE.values(), "⏞", "⏟", "⎴", "⎵", "⏜", "⏝"})  # with scripts above and below
_SIGNS = symbols.INTEGRALS | symbols.LARGE | OPERATORS
_LIMITS = frozenset(symbols.LIMITS.values())

_FONTS: dict[str, str] = symbols.TABLE["fonts"]
_SPACES: dict[str, str] = symbols.TABLE["spaces"]
_NEGATED: dict[str, str] = symbols.TABLE["negated"]
_CHARACTERS: dict[str, str] = symbols.TABLE["characters"]
_SWITCHES = frozenset(symbols.TABLE["switches"])
_TEXTS = frozenset(symbols.TABLE["texts"])
_IGNORED = frozenset(symbols.TABLE["ignored"])
_HIDING = frozenset(symbols.TABLE["hiding"])
_TRANSPARENT = frozenset(symbols.TABLE["transparent"])


class TooDeep(Exception):
    """The formula is nested too deeply."""


def content_of(tex: str) -> Node:
    """A formula as one element of MathML."""
    try:
        if len(tex) <= _LONGEST:
            return row(parse(tex))
    except TooDeep:
        pass
    return Node("mtext", {}, [tex])


def parse(tex: str) -> list[Node]:
    """A formula as a row of MathML elements. Raises TooDeep."""
    return _TexParser(tex, 0).whole()


def row(items: list[Node]) -> Node:
    """Elements as one."""
    return items[0] if len(items) == 1 else Node("mrow", {}, [*items])


class _TexParser:
    def __init__(self, tex: str, depth: int) -> None:
        self.tokens = _TOKEN.findall(tex)
        self.at = 0
        self.depth = depth
        self.font = ""

    def whole(self) -> list[Node]:
        """All of it; what ends without a beginning is left out."""
        items: list[Node] = []
        while True:
            items += self.items()
            if self.at == len(self.tokens):
                return items
            piece = self.next()
            if piece == r"\right":
                self.delimiter()
            elif piece == r"\end":
                self.raw()
            elif piece not in "&}":
                items.append(Node("mspace", {"linebreak": "newline"}))

    def peek(self) -> str:
        """The next token that is not blank; empty at the end."""
        while self.at < len(self.tokens) and self.tokens[self.at][0] in _BLANK:
            self.at += 1
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def next(self) -> str:
        piece = self.peek()
        self.at += bool(piece)
        return piece

    def take(self, piece: str) -> bool:
        """Go past the next token if it is this one."""
        found = self.peek() == piece
        self.at += found
        return found

    def items(self, end: str = "") -> list[Node]:
        """Elements up to the end of a group, cell or formula, or up to `end`, which is not consumed."""
        if self.depth == _DEEPEST:
            raise TooDeep
        self.depth += 1
        font, items = self.font, list[Node]()
        while (piece := self.peek()) and piece not in _ENDS and piece != end:
            if piece in _INFIX:
                self.at += 1
                left, right, line = _INFIX[piece]
                items = [self.fraction(row(items), row(self.items(end)), left, right, line)]
                break
            found = self.scripted(self.atom())
            if found is not None:
                if items and _is_function(items[-1]):
                    items.append(_mo("\u2061"))  # the sign of application
                items.append(found)
        self.font = font
        self.depth -= 1
        return items

    def group(self) -> Node:
        """A group whose brace has been read."""
        found = row(self.items())
        self.take("}")
        return found

    def argument(self) -> Node:
        """A group, a command with its arguments, or a single character."""
        piece = self.peek()
        if not piece or piece in _ENDS:
            return row([])
        if piece == "{":
            self.at += 1
            return self.group()
        if piece[0] in "0123456789" and len(piece) > 1:  # of a number only the first digit
            self.tokens[self.at] = piece[1:]
            return self.number(piece[0])
        if self.depth == _DEEPEST:
            raise TooDeep
        self.depth += 1
        found = self.atom()
        self.depth -= 1
        return row([]) if found is None else found

    def optional(self) -> Node | None:
        """An argument in square brackets."""
        if not self.take("["):
            return None
        found = row(self.items("]"))
        self.take("]")
        return found

    def raw(self) -> str:
        """A group as it is written, without its braces; a single token without them."""
        if self.peek() != "{":
            return self.next()
        self.at += 1
        first, depth = self.at, 1
        while self.at < len(self.tokens):
            piece = self.tokens[self.at]
            self.at += 1
            depth += (piece == "{") - (piece == "}")
            if not depth:
                return "".join(self.tokens[first : self.at - 1])
        return "".join(self.tokens[first:])

    def scripted(self, base: Node | None) -> Node | None:
        """An element with the scripts that follow it. A second one of a kind joins the first."""
        below: list[Node] = []
        above: list[Node] = []
        while True:
            piece = self.peek()
            if piece == "_":
                self.at += 1
                below.append(self.argument())
            elif piece == "^":
                self.at += 1
                above.append(self.argument())
            elif piece == "'":
                count = 0
                while self.take("'"):
                    count += 1
                above.append(_mo("′″‴"[count - 1] if count <= 3 else "′" * count))
            elif piece in (r"\limits", r"\nolimits"):
                self.at += 1
            else:
                break
        if not below and not above:
            return base
        base = row([]) if base is None else base
        stacked = _takes_limits(base)
        if below and above:
            return Node("munderover" if stacked else "msubsup", {}, [base, row(below), row(above)])
        if below:
            return Node("munder" if stacked else "msub", {}, [base, row(below)])
        return Node("mover" if stacked else "msup", {}, [base, row(above)])

    def number(self, digits: str) -> Node:
        font = ALPHABETS.get(self.font, {})
        return Node("mn", {}, ["".join(font.get(digit, digit) for digit in digits)])

    def letter(self, letter: str) -> Node:
        """A letter in the font that is set."""
        if letter in ALPHABETS.get(self.font, {}) and self.font != "mathrm":
            return Node("mi", {}, [ALPHABETS[self.font][letter]])
        variant = {"mathrm": "normal", "mathbf": "bold-italic", "boldsymbol": "bold-italic"}.get(self.font)
        return Node("mi", {"mathvariant": variant} if variant else {}, [letter])

    def atom(self) -> Node | None:
        """The next element without its scripts; None for what shows nothing."""
        piece = self.peek()
        if piece in ("^", "_", "'"):
            return row([])
        self.at += 1
        if piece == "{":
            return self.group()
        if piece == "~":
            return _space("~")
        if len(piece) > 1 and piece[0] == "\\":
            return self.command(piece[1:])
        if piece[0] in "0123456789":
            return self.number(piece)
        if piece.isalpha():
            return self.letter(piece)
        return None if piece == "\\" else _mo(_CHARACTERS.get(piece, piece))

    def command(self, name: str) -> Node | None:
        if name in LETTERS:
            return self.letter(LETTERS[name])
        if name in _SIGNS:
            return _mo(_SIGNS[name])
        if name in FUNCTIONS:
            return Node("mi", {}, [name])
        if name in symbols.LIMITS:
            return Node("mo", {"movablelimits": "true"}, [symbols.LIMITS[name]])
        if name in _SPACES:
            return _space(name)
        if name in ("frac", "dfrac", "tfrac", "cfrac"):
            return self.fraction(self.argument(), self.argument())
        if name in _FONTS:
            return self.in_font(name)
        if name in _TEXTS:
            return self.text(self.raw())
        if name in ACCENTS:
            return Node("mover", {"accent": "true"}, [self.argument(), _mark(ACCENTS[name])])
        return self.rarer(name)

    def rarer(self, name: str) -> Node | None:
        if name in symbols.UNDERS:
            return Node("munder", {"accentunder": "true"}, [self.argument(), _mark(symbols.UNDERS[name])])
        if name == "sqrt":
            index, radicand = self.optional(), self.argument()
            return Node("msqrt", {}, [radicand]) if index is None else Node("mroot", {}, [radicand, index])
        if name == "left":
            return self.fenced()
        if name == "middle":
            return _fence(self.delimiter(), "infix")
        if name == "begin":
            return self.environment(self.raw().strip(" *"))
        if name in ("operatorname", "mathop"):
            return self.operator()
        if name in ("binom", "dbinom", "tbinom"):
            return self.fraction(self.argument(), self.argument(), "(", ")", "0")
        if name in ("overset", "stackrel", "underset"):
            mark, base = self.argument(), self.argument()
            return Node("munder" if name == "underset" else "mover", {}, [base, mark])
        if name in ARROWS:
            arrow, below, above = _mark(ARROWS[name]), self.optional(), self.argument()
            return Node("mover", {}, [arrow, above]) if below is None else Node("munderover", {}, [arrow, below, above])
        return self.rarest(name)

    def rarest(self, name: str) -> Node | None:
        if name in _TRANSPARENT:
            return self.argument()
        if name in _HIDING:
            self.raw()
        if name in _IGNORED or name in _HIDING:
            return None
        if name == "not":
            text = self.argument().text()
            return _mo(_NEGATED.get(text, text + "\u0338"))
        if name == "phantom":
            return Node("mphantom", {}, [self.argument()])
        if name == "substack":
            return self.table("substack", brace=self.take("{"))
        if name in ("textcolor", "colorbox", "class", "cssId", "href", "style"):
            self.raw()
            return self.argument()
        if name in ("bmod", "mod"):
            return _mo("mod")
        if name in ("pmod", "pod"):
            word = [Node("mi", {}, ["mod"]), _space("~")] if name == "pmod" else []
            return row([_space("quad"), _mo("("), *word, self.argument(), _mo(")")])
        if name in ("tag", "eqref", "ref"):
            self.take("*")
            label = self.raw()
            return Node("mtext", {}, [f"\u2003({label})" if name == "tag" else label])
        return Node("mtext", {}, ["\\" + name])

    def operator(self) -> Node:
        self.take("*")
        source = self.raw()
        name = source.replace(r"\,", " ").replace(r"\ ", " ").replace("~", " ").strip()
        if name.replace(" ", "").replace("-", "").isalnum():
            return Node("mi", {"mathvariant": "normal"} if len(name) == 1 else {}, [" ".join(name.split())])
        return self.inner(source)

    def inner(self, tex: str) -> Node:
        """TeX inside of a text, or that has been read as one."""
        if self.depth == _DEEPEST:
            raise TooDeep
        return row(_TexParser(tex, self.depth + 1).whole())

    def fraction(self, above: Node, below: Node, left: str = "", right: str = "", line: str = "") -> Node:
        found = Node("mfrac", {"linethickness": line} if line else {}, [above, below])
        return Node("mrow", {}, [_fence(left, "prefix"), found, _fence(right, "postfix")]) if left else found

    def in_font(self, name: str) -> Node | None:
        """What follows, in a font: the rest of the group, or an argument."""
        font = _FONTS[name]
        if name in _SWITCHES:
            self.font = font
            return None
        start, before = self.at, self.font
        if font == "mathrm":
            word = self.raw()
            if word.isascii() and word.isalpha() and len(word) > 1:
                return Node("mi", {}, [word])
            self.at = start
        self.font = font
        found = self.argument()
        self.font = before
        return found

    def text(self, source: str) -> Node:
        """A text, with the formulas in it."""
        found: list[Node] = []
        for number, part in enumerate(source.replace(r"\(", "$").replace(r"\)", "$").replace(r"\$", "\0").split("$")):
            if number % 2:
                found.append(self.inner(part.replace("\0", r"\$")))
            elif part:
                found.append(Node("mtext", {}, [_shown(part.replace("\0", "$"))]))
        return row(found)

    def delimiter(self) -> str:
        """The bracket after `left`, `middle` or `right`; empty for none."""
        piece = self.next()
        if piece == ".":
            return ""
        name = piece[1:]
        return OPERATORS.get(name, name) if piece[:1] == "\\" and name else piece

    def fenced(self) -> Node:
        left = self.delimiter()
        inside = self.items()
        right = self.delimiter() if self.take(r"\right") else ""
        return Node("mrow", {}, _between(left, inside, right))

    def environment(self, name: str) -> Node:
        if name in _PLAIN or name not in ENVIRONMENTS:
            inside = self.items()
            self.end()
            return row(inside)
        if name == "array":
            self.optional()
        if name in _COUNTED:
            self.raw()
        table = self.table(name)
        self.end()
        left, right = ENVIRONMENTS[name]
        return Node("mrow", {}, _between(left, [table], right)) if left or right else table

    def end(self) -> None:
        if self.take(r"\end"):
            self.raw()

    def table(self, name: str, brace: bool = False) -> Node:
        """Rows and cells up to the end of the environment."""
        rows: list[Child] = []
        cells: list[Child] = []
        while True:
            content = self.items()
            piece = self.peek()
            if content or cells or piece not in (r"\end", "}", r"\right", ""):
                cells.append(Node("mtd", {}, [*content]))
            if piece == "&":
                self.at += 1
                continue
            if cells:
                rows.append(Node("mtr", {}, cells))
                cells = []
            if piece not in (r"\\", r"\cr", r"\newline"):
                break
            self.at += 1
            self.take("*")
            if self.at < len(self.tokens) and self.tokens[self.at] == "[":
                self.optional()
        if brace:
            self.take("}")
        return Node("mtable", _columns(name, rows), rows)


def _columns(name: str, rows: list[Child]) -> dict[str, str]:
    if name in _ALIGNED:
        most = max((len(each.children) for each in rows if isinstance(each, Node)), default=0)
        return {"columnalign": " ".join(("right", "left")[column % 2] for column in range(min(most, 20)))}
    return {"columnalign": _SIDES[name]} if name in _SIDES else {}


def _space(name: str) -> Node:
    return Node("mspace", {"width": _SPACES[name]})


def _mo(sign: str) -> Node:
    return Node("mo", {"stretchy": "false"} if sign in FENCES else {}, [sign])


def _mark(sign: str) -> Node:
    return Node("mo", {"stretchy": "true"}, [sign])


def _fence(sign: str, form: str) -> Node:
    return Node("mo", {"stretchy": "true", "form": form}, [sign] if sign else [])


def _between(left: str, inside: list[Node], right: str) -> list[Child]:
    """Elements between brackets, each of which may be empty."""
    opening, closing = [_fence(left, "prefix")] if left else [], [_fence(right, "postfix")] if right else []
    return [*opening, *inside, *closing]


def _is_function(node: Child) -> bool:
    """Is it the name of a function, with or without scripts?"""
    if isinstance(node, str):
        return False
    base = node.children[0] if node.name in ("msub", "msup", "msubsup") else node
    return isinstance(base, Node) and base.name == "mi" and base.text() in FUNCTIONS


def _takes_limits(node: Node) -> bool:
    """Are its scripts above and below it?"""
    if node.name in ("munder", "mover"):
        mark = node.children[-1]
        return isinstance(mark, Node) and mark.name == "mo" and mark.text() in _LARGE
    text = node.text() if node.name == "mo" else ""
    return text in _LARGE or text in _LIMITS


def _shown(text: str) -> str:
    """A text of TeX as it is shown."""
    parts: list[str] = []
    for piece in _TOKEN.findall(text):
        if piece[0] == "\\":
            parts.append(LETTERS.get(piece[1:], piece[1:] if len(piece) == 2 else " "))
        elif piece == "~" or piece[0] in _BLANK:
            parts.append(" ")
        elif piece not in "{}":
            parts.append(piece)
    shown = "".join(parts)
    # White space at the edges of an element of MathML is not shown.
    before, after = " " if shown[:1] == " " else "", " " if shown[-1:] == " " else ""
    inside = " ".join(shown.split())
    return f"{before}{inside}{after}".replace(" ", "\u00a0") if before or after else inside
