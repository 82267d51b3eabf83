"""Inline content as Markdown.

Emphasis is decided last, when the characters on both sides of its marks are known: marks that CommonMark would not
read as such are left out. Characters are escaped only where a parser would read them as markup.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple
from unicodedata import category
from urllib.parse import quote

from tamis.render.content.node import Child, Node
from tamis.render.content.scripts import written as script_text
from tamis.render.math.mathml import without_bars, without_tags

_EMPHASIS = {"b": "**", "strong": "**", "em": "*", "i": "*", "s": "~~", "del": "~~"}
_CODE = frozenset({"code", "kbd", "pre", "samp"})
_BREAK = "  \n"
_LONGEST_JOINED = 2_000  # of adjacent code spans, in characters: more would take quadratic time

# Characters that may be markup anywhere in a line, and where they are.
_SPECIAL = re.compile(r"[\\`*_\[\]<&~$|]")
_MARKUP = re.compile(
    r"""
    \\(?=[!-/:-@\[-`{-~])           # before a sign; else it stands for itself
    | `
    | \A\*|\*(?=\S|\Z)|(?<=\S)\*    # not between blanks
    | \A_|(?<![^\W_])_(?=\S|\Z)|(?<=\S)_(?![^\W_])  # not inside a word and not between blanks
    | \[(?=\^)|\](?=[(\[])          # notes and links
    | <(?=[a-zA-Z/!?])              # tags
    | &(?=\#?[a-zA-Z0-9]{1,32};)    # character references
    """,
    re.VERBOSE,
)
_BRACKET = re.compile(r"(?<!\\)[\[\]]")
_TILDE = re.compile(r"~(?=\S)|(?<=\S)~")
_DOLLARS = re.compile(r"\$(?=\S)[^$]*(?<=\S)\$(?!\d)")
# At the end of a text these are markup together with the begin of what follows.
_TOGETHER = {"]": "([", "!": "[", "\\": "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"}

# What is markup at the start of a line only.
_LINE_STARTS = re.compile(
    r"""
    \A(?:
    \#{1,6}(?=[ ]|$) | [-+*](?=[ ]|$) | > | [-=](?=[-=:| ]*$) | ~~~
    | [:|](?=[:| ]*-[-:| ]*$)       # the line below the header of a table
    | \[(?!\^)(?=(?:[^\[\]\\]|\\.)*\]:|[ xX]\](?:\s|$))
    | \[\^[^\]]*\](?P<colon>:)
    | \d{1,9}(?P<point>[.)])(?=[ ]|$)
    )
    """,
    re.VERBOSE,
)
_STARTS = frozenset("#-+*>=~[:|0123456789")
_FRACTION = re.compile(r"\\frac\{([0-9]{1,9})\}\{([0-9]{1,9})\}")
_BACKTICKS = re.compile(r"`+")
_NO_TARGET = re.compile(r"[\s<>\\|]")  # a bar would end a cell of a table
_REFERENCE = re.compile(r"&(?=#?[a-zA-Z0-9]{1,32};)")


@dataclass(eq=False, slots=True)
class _Piece:
    """A part of a line. A text may lose a space at its edge, an atom is never changed."""

    kind: str  # text, atom, open or close
    text: str
    other: _Piece | None = None  # of a mark: that at the other end
    code: str = ""  # of a code span: its content


class _State(NamedTuple):
    """Where an inline node stands."""

    one_line: bool = False
    in_cell: bool = False
    in_link: bool = False
    is_plain: bool = False  # there is nothing to escape
    tildes: bool = False  # there are two or more
    beside_formula: bool = False
    marks: tuple[str, ...] = ()  # those that are open


def inline(nodes: Sequence[Child], *, one_line: bool = False, in_cell: bool = False) -> str:
    """Inline nodes as one paragraph. `one_line` writes spaces for line breaks: headings, cells, links."""
    whole = "".join([node if isinstance(node, str) else node.text() for node in nodes])
    if len(nodes) == 1 and nodes[0] is whole and not _SPECIAL.search(whole):
        return whole.strip() if one_line else _at_line_start(whole.strip())
    if _SPECIAL.search(whole):
        formula = "$" in whole and any(isinstance(node, Node) and _holds_formula(node) for node in nodes)
        state = _State(one_line, in_cell, tildes=whole.count("~") > 1, beside_formula=formula)
    else:
        state = _State(one_line, in_cell, is_plain=True)
    pieces: list[_Piece] = []
    _collect(nodes, pieces, state)
    text = _join(_decided(pieces)).strip()
    if one_line:
        return text
    if "\n" not in text:
        return _at_line_start(text)
    return "\n".join(_at_line_start(line.lstrip(" ")) for line in text.split("\n"))


def address(url: str) -> str:
    """An address as the target of a link."""
    clean = _NO_TARGET.sub(lambda found: quote(found.group()), url) if _NO_TARGET.search(url) else url
    clean = _REFERENCE.sub("&amp;", clean) if "&" in clean else clean
    return f"<{clean}>" if "(" in clean or ")" in clean or not clean else clean


def longest_run(text: str, mark: str) -> int:
    """How often a character is repeated at most."""
    found = _BACKTICKS.findall(text) if mark == "`" else re.findall(f"{re.escape(mark)}+", text)
    return max(map(len, found), default=0)


def _holds_formula(node: Node) -> bool:
    return node.name == "formula" or any(isinstance(each, Node) and _holds_formula(each) for each in node.children)


def _collect(nodes: Sequence[Child], pieces: list[_Piece], state: _State) -> None:
    for at, node in enumerate(nodes):
        if isinstance(node, str):
            pieces.append(_Piece("text", _escaped(node, state)))
        else:
            after = nodes[at + 1] if at + 1 < len(nodes) else ""
            _collect_node(node, pieces, state, after if isinstance(after, str) else "")


def _collect_node(node: Node, pieces: list[_Piece], state: _State, after: str) -> None:
    """Add a node; `after` is the text behind it."""
    name = node.name
    if name == "a" and not state.in_link:
        _collect_link(node, pieces, state)
    elif (mark := _EMPHASIS.get(name)) and mark not in state.marks:
        opening, closing = _Piece("open", mark), _Piece("close", mark)
        opening.other, closing.other = closing, opening
        pieces.append(opening)
        _collect(node.children, pieces, state._replace(marks=(*state.marks, mark)))
        pieces.append(closing)
    elif name == "br":
        pieces.append(_Piece("text", " ") if state.one_line else _Piece("atom", _BREAK))
    elif name == "img":
        alt = _escaped(node.attributes.get("alt", ""), state._replace(in_link=True, is_plain=False))
        pieces.append(_Piece("atom", f"![{_whole(alt)}]({address(node.attributes['src'])})"))
    elif name in _CODE:
        _collect_code(_code_text(node), pieces, state)
    elif name == "formula":
        _collect_formula(" ".join(node.attributes["tex"].split()), pieces, state, after)
    elif name == "note-reference":
        pieces.append(_Piece("atom", f"[^{node.attributes['id']}]"))
    elif name == "embed":
        source = node.attributes.get("href") or node.attributes["src"]
        link = Node("a", {"href": source}, [node.attributes.get("title") or source])
        _collect_node(link, pieces, state._replace(is_plain=False), after)
    elif name in ("sup", "sub") and not state.in_link:
        _collect_script(node, pieces, state, after)
    elif name == "q":
        _collect(["\u201c", *node.children, "\u201d"], pieces, state)
    elif name == "rt":
        _collect(["(", *node.children, ")"], pieces, state)
    elif name != "rp":
        _collect(node.children, pieces, state)


def _collect_formula(tex: str, pieces: list[_Piece], state: _State, after: str) -> None:
    if pieces and pieces[-1].text[-1:].isdecimal():
        pieces.append(_Piece("text", " "))  # beside a digit, dollars are those of a price
    if fraction := _FRACTION.fullmatch(tex):
        pieces.append(_Piece("text", f"{fraction[1]}/{fraction[2]}"))  # among prose, as in a recipe
    else:
        safe = without_tags(tex)
        pieces.append(_Piece("atom", f"${without_bars(safe) if state.in_cell else safe}$"))
    if after[:1].isdecimal():
        pieces.append(_Piece("text", " "))


def _collect_script(node: Node, pieces: list[_Piece], state: _State, after: str) -> None:
    before = next((piece.text for piece in reversed(pieces) if piece.text and not piece.other), "")
    content = " ".join(node.text().split())
    written = script_text(node.name, content, before, after)
    is_plain = all(isinstance(each, str) or each.name in _EMPHASIS or each.name == "var" for each in node.children)
    if any(isinstance(each, Node) and each.name == "a" for each in node.children):
        _collect(node.children, pieces, state)  # a mark before a link would make it a note
        return
    if not is_plain and content and content in written:
        opening, _, closing = written.partition(content)
        if opening in ("^", "_"):  # a bracket behind it would be a note
            opening, closing = f"{opening}(", ")"
        _collect([opening, *node.children, closing], pieces, state)
        return
    mark = ""
    if written.startswith("_"):
        # Between letters a low line is none of emphasis, nor before a bracket; after a mark of emphasis it may be.
        mark = "_" if pieces and pieces[-1].text[-1:].isalnum() else "\\_"
        written = written[1:]
    pieces.append(_Piece("text", mark + _escaped(written, state)))


def _collect_link(node: Node, pieces: list[_Piece], state: _State) -> None:
    inner: list[_Piece] = []
    _collect(node.children, inner, state._replace(in_link=True, one_line=True, marks=()))
    text = _join(_decided(inner))
    bare = text.strip()
    if not bare:
        pieces.append(_Piece("text", text))
        return
    href = node.attributes["href"]
    if text.startswith(" "):
        pieces.append(_Piece("text", " "))
    is_address = href.startswith(("http:", "https:")) and node.text().strip() == href and not _NO_TARGET.search(href)
    pieces.append(_Piece("atom", f"<{href}>" if is_address else f"[{_whole(bare)}]({address(href)})"))
    if text.endswith(" "):
        pieces.append(_Piece("text", " "))


def _whole(text: str) -> str:
    """The text of a link, in which a backslash at the end would escape the bracket behind it."""
    return text + "\\" if _ends_in_escape(text) else text


def _code_text(node: Node) -> str:
    """The text of a code span; a line break is a space."""
    return "".join(
        each if isinstance(each, str) else " " if each.name == "br" else _code_text(each) for each in node.children
    )


def _collect_code(code: str, pieces: list[_Piece], state: _State) -> None:
    inner = code.strip()
    if not inner:
        pieces.append(_Piece("text", code))
        return
    if "\n" in inner:  # behind a blank line code would be markup
        inner = " ".join(filter(None, map(str.strip, inner.split("\n"))))
    if code.startswith(" "):
        pieces.append(_Piece("text", " "))
    # Two adjacent code spans would share their backticks, so they become one.
    if pieces and pieces[-1].code:
        if len(pieces[-1].code) > _LONGEST_JOINED:
            pieces.append(_Piece("text", " "))
        else:
            inner = pieces.pop().code + inner
    fence = "`" * (longest_run(inner, "`") + 1)
    pad = " " if inner.startswith("`") or inner.endswith("`") else ""
    shown = inner.replace("|", "\\|") if state.in_cell else inner
    pieces.append(_Piece("atom", f"{fence}{pad}{shown}{pad}{fence}", code=inner))
    if code.endswith(" "):
        pieces.append(_Piece("text", " "))


def _decided(pieces: list[_Piece]) -> list[_Piece]:
    """Without the marks that CommonMark would not read as such, and with the spaces inside of marks moved outside."""
    if not any(piece.other for piece in pieces):
        return pieces
    moved = _spaces_outside(pieces)
    dropped: set[_Piece] = set()
    for at, piece in enumerate(moved):
        if piece.kind != "open" or piece in dropped:
            continue
        before = moved[at - 1] if at else None
        if moved[at + 1] is piece.other:
            dropped |= {piece, moved[at + 1]}
        elif before and before.kind == "close" and before not in dropped:
            # Adjacent spans of the same emphasis become one. Of different ones the second is dropped: "*a***b**".
            dropped.add(piece)
            if before.text != piece.text:
                dropped.add(piece.other)  # type: ignore[arg-type]
            else:
                dropped.add(before)
                before.other.other, piece.other.other = piece.other, before.other  # type: ignore[union-attr]
    moved = [piece for piece in moved if piece not in dropped]
    for at, piece in enumerate(moved):
        if not piece.other or piece in dropped:
            continue
        left, right = _character_before(moved, at), _character_after(moved, at)
        outside, inside = (left, right) if piece.kind == "open" else (right, left)
        if inside.isspace() or (_is_sign(inside) and not outside.isspace() and not _is_sign(outside)):
            dropped |= {piece, piece.other}
    return [piece for piece in moved if piece not in dropped]


def _spaces_outside(pieces: list[_Piece]) -> list[_Piece]:
    found: list[_Piece] = []
    for piece in pieces:
        if piece.kind == "close":
            spaces: list[_Piece] = []
            while found and found[-1].kind == "text" and not found[-1].text.strip(" "):
                spaces.append(found.pop())
            if found and found[-1].kind == "text" and found[-1].text.endswith(" "):
                found[-1] = replace(found[-1], text=found[-1].text.rstrip(" "))
                spaces.append(_Piece("text", " "))
            found += [piece, *spaces]
        elif piece.kind == "text" and piece.text.startswith(" ") and found and found[-1].kind == "open":
            place = len(found)
            while place and found[place - 1].kind == "open":
                place -= 1
            found.insert(place, _Piece("text", " "))
            if piece.text != " ":
                found.append(replace(piece, text=piece.text.lstrip(" ")))
        else:
            found.append(piece)
    return found


def _character_before(pieces: list[_Piece], at: int) -> str:
    """The last character before a piece that is not of a mark."""
    for place in range(at - 1, -1, -1):
        if not pieces[place].other and pieces[place].text:
            return pieces[place].text[-1]
    return " "


def _character_after(pieces: list[_Piece], at: int) -> str:
    """The first character after a piece that is not of a mark."""
    for place in range(at + 1, len(pieces)):
        if not pieces[place].other and pieces[place].text:
            return pieces[place].text[0]
    return " "


def _is_sign(character: str) -> bool:
    """Is it punctuation or a symbol, as CommonMark defines them?"""
    return category(character)[0] in "PS"


def _join(pieces: list[_Piece]) -> str:
    """The pieces as one text, without double spaces and without spaces around a line break."""
    parts: list[str] = []
    for at, piece in enumerate(pieces):
        text = piece.text
        last = parts[-1] if parts else ""
        if text == _BREAK and last.endswith(" "):
            parts[-1] = last.rstrip(" ")
        if piece.kind == "text":
            if last[-1:] in (" ", "\n"):
                text = text.lstrip(" ")
            if text and text[-1] in _TOGETHER and not _ends_in_escape(text[:-1]):
                following = next((each.text for each in pieces[at + 1 : at + 2] if each.text), " ")
                if following[0] in _TOGETHER[text[-1]]:
                    text = f"{text[:-1]}\\{text[-1]}"
        if text:
            parts.append(text)
    return "".join(parts)


def _ends_in_escape(text: str) -> bool:
    """True if the last backslash escapes what follows: each pair before it is one written backslash."""
    return (len(text) - len(text.rstrip("\\"))) % 2 == 1


def _escaped(text: str, state: _State) -> str:
    """A text in which nothing is read as markup in the middle of a line."""
    if state.is_plain or not _SPECIAL.search(text):
        return text
    written = _MARKUP.sub(r"\\\g<0>", text)
    if state.in_link:
        written = _BRACKET.sub(r"\\\g<0>", written)
    if state.tildes:
        written = _TILDE.sub(r"\\~", written)
    if "$" in text and (state.beside_formula or _DOLLARS.search(text)):
        written = written.replace("$", "\\$")
    return written.replace("|", "\\|") if state.in_cell else written


def _at_line_start(line: str) -> str:
    """A line in which nothing is read as markup at its start."""
    if not line or line[0] not in _STARTS:
        return line
    found = _LINE_STARTS.match(line)
    if not found:
        return line
    place = max(found.start("point"), found.start("colon"), 0)
    return f"{line[:place]}\\{line[place:]}"
