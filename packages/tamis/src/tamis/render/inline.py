"""Inline content as Markdown, or as plain text.

It is first a sequence of texts and marks. Emphasis is decided when the characters on both sides of its marks are known:
marks that CommonMark would not read as such are left out. Then all texts are escaped as one string, in which each mark
is one character. So the meaning of a character depends on the characters around it, and not on its elements.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby
from typing import NamedTuple
from unicodedata import category
from urllib.parse import quote

from tamis.render.content import Child, Node
from tamis.render.content.formula_text import neutral
from tamis.render.content.symbols import script_text
from tamis.render.pen import CHARACTER, INNER, MARKDOWN, NEVER, SENTENCE, UNSEEN, WORD, Context, Pen

_EMPHASIS = {"b": "**", "strong": "**", "em": "*", "i": "*", "s": "~~", "del": "~~"}
_CODE = frozenset({"code", "kbd", "pre", "samp"})

# In the string that is escaped, anything but text is one of these.
_MARK, _LINK, _NOTE, _ATOM = "\x00\x01\x02\x03"
_TEXTS, _PLACES = frozenset({"text", "break"}), re.compile("[\x00-\x03]")
# Texts are without controls: line ends become spaces, others are left out.
_CONTROLS = dict.fromkeys([*range(32), 127]) | dict.fromkeys(map(ord, "\t\n\x0b\x0c\r\x85\u2028\u2029"), " ")
_SPACES = re.compile(r" *\n[ \n]*| {2,}")

_SPECIAL = re.compile(r"[\\`*_\[\]<&~$|{\x02]")
_NOT_PLAIN = re.compile(r"[\\`*_\[\]<&~$|{\x00-\x1f\x7f-\x9f]")
_MARKUP = re.compile(
    r"""
    \\(?=[!-/:-@\[-`{-~\x00-\x03\n])  # before a sign; elsewhere it is a plain backslash
    | `
    | ^\*|\*(?=\S|\Z)|(?<=\S)\*      # not between blanks
    | ^_|(?<![^\W_])_(?=\S|\Z)|(?<=\S)_(?![^\W_])  # not inside a word and not between blanks
    | \[(?=\^)|\](?=[(\[\x01])       # notes and links
    | (?<=\x02)\(|(?<=^\x02):        # behind the mark of a note
    | !(?=[\x01\x02])                # images
    | <(?=[a-zA-Z/!?\x03])          # tags
    | &(?=\#?[a-zA-Z0-9]{1,32};)     # character references
    | \{(?=:|[ ]*[^\s{}=]{1,40}=)    # attributes, for readers who know them
    """,
    re.VERBOSE | re.MULTILINE,
)
_IN_LINK = re.compile(rf"{_MARKUP.pattern} | [\[\]] | \\\Z", re.VERBOSE | re.MULTILINE)
# Not every reader knows a backslash before these.
_OTHERWISE = {"<": "&lt;", "&": "&amp;"}
_TILDE = re.compile(r"~(?=\S)|(?<=\S)~")
_DOLLARS = re.compile(r"\$(?=\S)[^$]*(?<=\S)\$(?!\d)")
# GitHub's readers add everything up to the next space to a bare address: also the start of code.
_BEFORE_ATOM = re.compile(r"(?<![^\s\x01-\x03])[^\s\x01-\x03]++(?=[\x01-\x03])")
_ADDRESS = re.compile(r"://|(?<=www)\.", re.IGNORECASE)

# Markup at the start of a line only.
_LINE_STARTS = re.compile(
    r"""\A(?:
    \#{1,6}(?=[ ]|$) | [-*](?=[ ]|$) | \+(?=[ ]|$|\+\+) | > | [-=](?=[-=:| ]*$) | ~~~
    | [:|](?=[:| ]*-[-:| ]*$)       # the line below the header of a table
    | \[(?=[ xX]\](?:\s|$))         # a task
    | \d{1,9}(?P<point>[.)])(?=[ ]|$))
    """,
    re.VERBOSE,
)
_LINE_BRACKET = re.compile(r"^\[", re.MULTILINE)
_STARTS = frozenset("#-+*>=~[:|0123456789")
_FRACTION = re.compile(r"\\frac\{([0-9]{1,9})\}\{([0-9]{1,9})\}")
_BACKTICKS = re.compile(r"`+")
_NO_TARGET = re.compile(r"[\s<>\\|`]")  # a bar would end a cell of a table
_REFERENCE = re.compile(r"&(?=#?[a-zA-Z0-9]{1,32};)")

# Where a text may be cut.
_BORDER = re.compile(r"[ \n\x00-\x03]|(?<=[。！？])(?=[^”’」』）\s\x00-\x03])|(?<=[\x01\x03])(?=[\x01\x03])")
_SENTENCE_END = re.compile(r"""[.!?…]["'”’)\]*_\x00]{0,9}\Z|[。！？]["”’」』）\x00]{0,9}\Z""")
_UNIT = re.compile(r"\\[!-/:-@\[-`{-~]|&(?:lt|amp);|.", re.DOTALL)
_RULED = re.compile(r"[-=:| ]*+")  # the line below the header of a table could begin so
_NUMBERED = re.compile(r"\d{1,9}[.)](?:\s|\Z)")


@dataclass(eq=False, slots=True)
class _InlinePiece:
    """A part of a line. A text is as the page has it, and may lose a space at its edge; all else is as written."""

    kind: str  # text, break, open, close, code or one of the places
    text: str
    other: _InlinePiece | None = None  # of a mark: that at the other end


class _InlineContext(NamedTuple):
    """The context of an inline node."""

    pen: Pen
    one_line: bool = False
    in_cell: bool = False
    in_link: bool = False
    marks: tuple[str, ...] = ()  # those that are open


def inline(nodes: Sequence[Child], pen: Pen = MARKDOWN, *, one_line: bool = False, in_cell: bool = False) -> str:
    """Inline nodes as one paragraph. `one_line` writes spaces for line breaks: headings and links."""
    if pen.step is None and (text := _unmarked(nodes, pen)):
        return text.strip() if one_line or in_cell or pen.is_plain else _at_line_start(text.strip())
    state = _InlineContext(pen, one_line, in_cell)
    pieces: list[_InlinePiece] = []
    _collect(nodes, pieces, state)
    return _joined_pieces(pieces, state).strip()


def _unmarked(nodes: Sequence[Child], pen: Pen) -> str:
    """The text of the nodes if they are one text in which no character is markup."""
    only = nodes[0] if len(nodes) == 1 else ""
    return only if isinstance(only, str) and (pen.is_plain or not _NOT_PLAIN.search(only)) else ""


def address(url: str) -> str:
    """An address as the target of a link."""
    clean = _NO_TARGET.sub(lambda found: quote(found.group()), url) if _NO_TARGET.search(url) else url
    clean = _REFERENCE.sub("&amp;", clean) if "&" in clean else clean
    return f"<{clean}>" if "(" in clean or ")" in clean or not clean else clean


def fence(code: str, least: int = 1) -> str:
    """More backticks than any run of them in some code."""
    longest = max(map(len, _BACKTICKS.findall(code)), default=0) if "`" in code else 0
    return "`" * max(least, longest + 1)


def _collect(nodes: Sequence[Child], pieces: list[_InlinePiece], state: _InlineContext) -> None:
    for at, node in enumerate(nodes):
        if isinstance(node, str):
            pieces.append(_text_piece(node))
        else:
            after = nodes[at + 1] if at + 1 < len(nodes) else ""
            _collect_node(node, pieces, state, after if isinstance(after, str) else "")


def _text_piece(text: str) -> _InlinePiece:
    return _InlinePiece("text", text if text.isprintable() else text.translate(_CONTROLS))


def _collect_node(node: Node, pieces: list[_InlinePiece], state: _InlineContext, after: str) -> None:
    """Add a node; `after` is the text behind it."""
    name, is_plain = node.name, state.pen.is_plain
    has_marks = not is_plain or state.pen.step is not None  # also plain text, to be cut where Markdown is
    if name == "a" and has_marks and not state.in_link:
        _collect_link(node, pieces, state)
    elif (mark := _EMPHASIS.get(name)) and has_marks and mark not in state.marks:
        opening, closing = _InlinePiece("open", mark), _InlinePiece("close", mark)
        opening.other, closing.other = closing, opening
        pieces.append(opening)
        _collect(node.children, pieces, _InlineContext(*state[:4], marks=(*state.marks, mark)))
        pieces.append(closing)
    elif name == "br":
        pieces.append(_text_piece(" ") if state.one_line else _InlinePiece("break", "\n"))
    elif name == "img":
        image = "!" + _link(node.attributes.get("alt", ""), node.attributes["src"], state)
        pieces.append(_InlinePiece(_ATOM, UNSEEN if is_plain else image))
    elif name in _CODE:
        _collect_code(_code_text(node), pieces)
    elif name == "formula":
        _collect_formula(node, pieces, state, after)
    elif name == "note-reference":
        mark = f"[{node.attributes['id']}]" if is_plain else f"[^{node.attributes['id']}]"
        pieces.append(_InlinePiece(_NOTE, mark))
    elif name == "embed":
        source = node.attributes.get("href") or node.attributes["src"]
        title = node.attributes.get("title") or source
        link = f"<{source}>" if _is_bare(title, source) else _link(title, source, state)
        pieces.append(_InlinePiece(_LINK, UNSEEN if is_plain else link))
    elif name in ("sup", "sub") and not state.in_link:
        _collect_script(node, pieces, state, after)
    elif name == "q":
        _collect(["\u201c", *node.children, "\u201d"], pieces, state)
    elif name == "rt":
        _collect(["(", *node.children, ")"], pieces, state)
    elif name != "rp":
        _collect(node.children, pieces, state)


def _is_bare(text: str, href: str) -> bool:
    """Is it a link that shows its address?"""
    return text == href and href.startswith(("http:", "https:")) and not _NO_TARGET.search(href)


def _link(text: str, url: str, state: _InlineContext) -> str:
    """A link whose text is an attribute of the page."""
    within = _InlineContext(MARKDOWN, one_line=True, in_cell=state.in_cell, in_link=True)
    return f"[{_joined_pieces([_text_piece(' '.join(text.split()))], within)}]({address(url)})"


def _collect_formula(node: Node, pieces: list[_InlinePiece], state: _InlineContext, after: str) -> None:
    tex = neutral(" ".join(node.attributes["tex"].split()), in_cell=state.in_cell, in_link=state.in_link)
    if pieces and _shown_text(pieces[-1])[-1:].isdecimal():
        pieces.append(_text_piece(" "))  # beside a digit, dollars are those of a price
    if fraction := _FRACTION.fullmatch(tex):
        pieces.append(_text_piece(f"{fraction[1]}/{fraction[2]}"))  # among prose, as in a recipe
    elif tex:
        pieces.append(
            _InlinePiece(_ATOM, " ".join(node.text().split()) or UNSEEN if state.pen.is_plain else f"${tex}$")
        )
    if after[:1].isdecimal():
        pieces.append(_text_piece(" "))


def _collect_script(node: Node, pieces: list[_InlinePiece], state: _InlineContext, after: str) -> None:
    before = next((_shown_text(piece) for piece in reversed(pieces) if piece.text and not piece.other), "")
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
    if written.startswith("_") and pieces and _shown_text(pieces[-1])[-1:].isalnum():
        # Between letters a low line is none of emphasis, nor before a bracket; after a mark of emphasis it may be.
        pieces.append(_InlinePiece(_ATOM, "_"))
        written = written[1:]
    pieces.append(_text_piece(written))


def _collect_link(node: Node, pieces: list[_InlinePiece], state: _InlineContext) -> None:
    href, pen = node.attributes["href"], state.pen
    inner: list[_InlinePiece] = []
    number = node.attributes.get("reference")
    context = ("", "") if pen.is_plain else ("[", f"][{number}]" if number else f"]({address(href)})")
    pen.open(*context)
    if pen.step is not None or not (text := _unmarked(node.children, pen)):
        within = _InlineContext(pen, one_line=True, in_cell=state.in_cell, in_link=True)
        _collect(node.children, inner, within)
        text = _joined_pieces(inner, within)
    pen.close()
    bare = text.strip(" ")
    if not bare:
        pieces.append(_text_piece(text))
        return
    if text.startswith(" "):
        pieces.append(_text_piece(" "))
    if href.startswith("http") and _is_bare(node.text().strip(), href):
        pieces.append(_InlinePiece(_ATOM, href if pen.is_plain else f"<{href}>"))
    else:
        pieces.append(_InlinePiece(_LINK, f"{context[0]}{bare}{context[1]}"))
    if text.endswith(" "):
        pieces.append(_text_piece(" "))


def _code_text(node: Node) -> str:
    """The text of a code span; a line break is a space."""
    return "".join(
        each if isinstance(each, str) else " " if each.name == "br" else _code_text(each) for each in node.children
    )


def _collect_code(code: str, pieces: list[_InlinePiece]) -> None:
    inner = code.strip().replace("\0", "")
    if len(lines := inner.splitlines()) > 1:  # behind a blank line code would be markup
        inner = " ".join(filter(None, map(str.strip, lines)))
    if not inner or code[0].isspace():
        pieces.append(_text_piece(" " if code else ""))
    if inner:
        pieces.append(_InlinePiece("code", inner))
        if code[-1].isspace():
            pieces.append(_text_piece(" "))


def _with_valid_emphasis(pieces: list[_InlinePiece]) -> list[_InlinePiece]:
    """Without the marks that CommonMark would not read as such, and with the spaces inside of marks moved outside."""
    if not any([piece.other for piece in pieces]):  # noqa: C419
        return pieces
    moved = _spaces_outside(pieces)
    dropped: set[_InlinePiece] = set()
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
        left, right = (
            _edge(moved, range(at - 1, -1, -1), -1),
            _edge(moved, range(at + 1, len(moved)), 0),
        )
        outside, inside = (left, right) if piece.kind == "open" else (right, left)
        if inside.isspace() or (_is_sign(inside) and not outside.isspace() and not _is_sign(outside)):
            dropped |= {piece, piece.other}
    return [piece for piece in moved if piece not in dropped]


def _spaces_outside(pieces: list[_InlinePiece]) -> list[_InlinePiece]:
    found: list[_InlinePiece] = []
    for piece in pieces:
        if piece.kind == "close":
            spaces: list[_InlinePiece] = []
            while found and found[-1].kind == "text" and not found[-1].text.strip(" "):
                spaces.append(found.pop())
            if found and found[-1].kind == "text" and found[-1].text.endswith(" "):
                found[-1] = replace(found[-1], text=found[-1].text.rstrip(" "))
                spaces.append(_text_piece(" "))
            found += [piece, *spaces]
        elif piece.kind == "text" and piece.text.startswith(" ") and found and found[-1].kind == "open":
            place = len(found)
            while place and found[place - 1].kind == "open":
                place -= 1
            found.insert(place, _text_piece(" "))
            if piece.text != " ":
                found.append(replace(piece, text=piece.text.lstrip(" ")))
        else:
            found.append(piece)
    return found


def _edge(pieces: list[_InlinePiece], places: range, edge: int) -> str:
    """The first or last character of the first piece at these places that is not a mark."""
    return next((_shown_text(pieces[at])[edge] for at in places if not pieces[at].other and pieces[at].text), " ")


def _shown_text(piece: _InlinePiece) -> str:
    """The text of a piece; a sign for other pieces."""
    return piece.text if piece.kind in _TEXTS else "`"


def _is_sign(character: str) -> bool:
    """Is it punctuation or a symbol, as CommonMark defines them?"""
    return category(character)[0] in "PS"


def _joined_pieces(pieces: list[_InlinePiece], state: _InlineContext) -> str:
    """The pieces as one text, without double spaces and without spaces around a line break."""
    pen = state.pen
    if pen.is_plain and pen.step is None:
        return _SPACES.sub(_one_space, "".join([piece.text for piece in pieces]))
    atoms: list[_InlinePiece] = []
    if {piece.kind for piece in pieces} <= _TEXTS:
        whole = "".join([piece.text for piece in pieces])
    else:
        pieces = _with_code(_with_valid_emphasis(pieces), state)
        atoms = [piece for piece in pieces if piece.kind not in _TEXTS]
        parts = [piece.text if piece.kind in _TEXTS else _MARK if piece.other else piece.kind for piece in pieces]
        whole = "".join(parts)
    if "  " in whole or "\n" in whole:
        whole = _SPACES.sub(_one_space, whole)
    text = whole.strip(" \n")
    if not pen.is_plain:
        text = _escaped(text, atoms, state)
    if pen.step is not None:
        text = "".join(_with_cuts(text, atoms, state))
    else:
        if "\n" in text:
            text = text.replace("\n", _line_end(state)).replace("\n  \n", "\n\n")
        if atoms:
            between = _PLACES.split(text)
            found = [""] * (2 * len(atoms) + 1)
            found[::2], found[1::2] = between, ["" if pen.is_plain and each.other else each.text for each in atoms]
            text = "".join(found)
    if state.in_link and text:  # the spaces go around it
        return f"{' ' if whole[0].isspace() else ''}{text}{' ' if whole[-1].isspace() else ''}"
    return text or whole[:1]


def _one_space(found: re.Match[str]) -> str:
    return "\n" * min(found[0].count("\n"), 2) or " "


def _line_end(state: _InlineContext) -> str:
    return "\n" if state.pen.is_plain else "<br>" if state.in_cell else "  \n"


def _with_code(pieces: list[_InlinePiece], state: _InlineContext) -> list[_InlinePiece]:
    """The pieces with code as it is written. Adjacent spans would share their backticks, so they become one."""
    if "code" not in {piece.kind for piece in pieces}:
        return pieces
    found: list[_InlinePiece] = []
    for is_code, group in groupby(pieces, lambda piece: piece.kind == "code"):
        if not is_code:
            found += group
            continue
        code = "".join([piece.text for piece in group])
        # Some readers end a cell at a bar behind a backslash, and a definition begins before its code.
        is_text = (state.in_cell and "\\|" in code) or (state.in_link and "]:" in code)
        found.append(_text_piece(code) if is_text else _InlinePiece(_ATOM, _code(code, state)))
    return found


def _code(code: str, state: _InlineContext) -> str:
    pen, pad = state.pen, ""
    edge = "" if pen.is_plain else fence(code)
    if "`" in code and edge:
        pad = " " if pen.step is not None or code[0] == "`" or code[-1] == "`" else ""
    shown = code.replace("|", "\\|") if state.in_cell and edge else code
    if pen.step is not None:
        pen.open(edge + pad, pad + edge)
        shown = pen.join(" ", shown.split(" "), INNER)
        pen.close()
    return f"{edge}{pad}{shown}{pad}{edge}"


def _escaped(text: str, atoms: Sequence[_InlinePiece], state: _InlineContext) -> str:
    """A text in which nothing is read as markup."""
    if _SPECIAL.search(text) or "!\x01" in text:
        tildes, dollars = text.count("~") > 1, "$" in text
        dollars = dollars and (
            any(atom.text[:1] in "`$" and "$" in atom.text for atom in atoms) or _DOLLARS.search(text) is not None
        )
        text = (_IN_LINK if state.in_link else _MARKUP).sub(
            lambda found: _OTHERWISE.get(found[0], f"\\{found[0]}"), text
        )
        if tildes:
            text = _TILDE.sub(r"\\~", text)
        if dollars:
            text = text.replace("$", "\\$")
        if state.in_cell:
            text = text.replace("|", "\\|")
    if atoms and ("://" in text or "www" in text.lower()):
        text = _BEFORE_ATOM.sub(lambda found: _ADDRESS.sub(r"\\\g<0>", found[0]), text)
    if state.one_line or state.in_cell or state.in_link:
        return text
    if text[:1] == "[" or "\n[" in text:  # brackets at the start of a line may be a definition
        last = len(text) if any("]:" in atom.text for atom in atoms) else text.rfind("]:")
        text = _LINE_BRACKET.sub(lambda found: "\\[" if found.start() < last else "[", text)
    return "\n".join(map(_at_line_start, text.split("\n"))) if "\n" in text else _at_line_start(text)


def _at_line_start(line: str) -> str:
    """A line in which nothing is read as markup at its start."""
    if not line or line[0] not in _STARTS:
        return line
    found = _LINE_STARTS.match(line)
    place = max(found.start("point"), 0) if found else 0
    return f"{line[:place]}\\{line[place:]}" if found else line


def _with_cuts(text: str, atoms: Sequence[_InlinePiece], state: _InlineContext) -> Iterator[str]:
    """The text with its marks, and with places to cut: between sentences and words, and in words that are too long."""
    pen, rest, place, ruled = state.pen, iter(atoms), 0, _RULED.match(text).end()  # type: ignore[union-attr]
    for found in chain(_BORDER.finditer(text), (None,)):
        start, end = found.span() if found else (len(text), len(text))
        yield from _long_word(text, place, start, ruled, pen)
        place, sign = end, text[start:end]
        if _PLACES.match(sign):
            atom = next(rest)
            mark = "" if pen.is_plain and atom.other else atom.text
            if atom.kind == "open":
                pen.open(mark, mark)
            elif atom.kind == "close":
                pen.close()
            yield mark
        elif found:
            is_sentence = sign == "\n" or _SENTENCE_END.search(text[max(0, start - 12) : start]) is not None
            level = INNER if state.in_link else SENTENCE if is_sentence else WORD
            yield _cut(text, start, end, ruled, _line_end(state) if sign == "\n" else sign, level, pen)
            ruled = _RULED.match(text, end).end() if sign == "\n" else ruled  # type: ignore[union-attr]


def _long_word(text: str, start: int, end: int, ruled: int, pen: Pen) -> Iterator[str]:
    if not pen.step or end - start <= pen.step:
        yield text[start:end]
        return
    units = list(text[start:end]) if pen.is_plain else _UNIT.findall(text, start, end)
    for at in range(0, len(units), pen.step):
        part = "".join(units[at : at + pen.step])
        yield _cut(text, start, start, ruled, "", CHARACTER, pen) + part if at else part
        start += len(part)


def _cut(text: str, start: int, end: int, ruled: int, separator: str, level: int, pen: Pen) -> str:
    """A place to cut in a line, where the cut makes no markup of the text."""
    if _NUMBERED.match(text, end) or start <= ruled:
        return pen.cut(separator, NEVER)
    is_start = not pen.is_plain and text[end : end + 1] in _STARTS and not text[end].isdigit()
    return pen.cut(separator, level, Context(pen.context, "\\") if is_start else None)
