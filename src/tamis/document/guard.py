"""What stands in front of the parser: pages that would harm it are written anew.

Three things harm the parser, turbohtml 1.15:

- It has room for 512 open elements. A row or a cell of a table that opens beyond is forgotten. The end tag of its
  table, body or row then takes all elements off its stack, and what follows ends the process.
- It opens formatting elements anew where a block was closed around them, so a small page can become millions of
  elements.
- It takes quadratic time for many <html> or <body> tags, whose attributes it gathers, and for many <selectedcontent>.

Rows and cells close what is open in those before, so they are at most three elements deeper than their table. Almost no
page can come near to harm: it has no table, or few tags before its last one, and few formatting elements. That takes
two fast searches. For the others `_is_harmless` reads the tags and keeps a stack of its own. An element leaves that
stack only by its own end tag and only from the top, or where the parser is sure to close it too. The parser closes
elements in many more ways, so its stack holds no element that ours does not, but for a few that it adds.

Pages are bytes in an encoding that contains ASCII. Everything here takes time linear in the page.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import dropwhile

import numpy as np

from tamis.arrays import Bools

# Open elements around a table, in our count. The parser adds html, head, body and the paragraph of a lone </p>.
_MOST_OPEN = 500
# How many elements the parser may make of formatting elements: at most so many as these, times tags.
_MOST_REOPENED = 2_000_000
# Among so few tags it makes fewer: one part of them opens the elements, another opens them anew.
_FEW_TAGS = 4_000
# <html>, <body> and <selectedcontent>, each; and the bytes of their attributes, where there are several of a name.
_MOST_REPEATED, _MOST_GATHERED = 20, 40_000
# What a page that is written anew has at most.
_DEEPEST, _MOST_FORMATTING = 150, 12

_SPACE = r"\t\n\f\r "
# Attributes as the standard reads them: they end at a ">" or with the page. The usual form comes first.
_ATTRIBUTES = (
    rf"(?: [a-z-]++=\"[^\"]*+\")*+(?:[{_SPACE}/]++|[^{_SPACE}/>][^{_SPACE}/>=]*+"
    rf"(?:[{_SPACE}]*+=[{_SPACE}]*+(?:\"[^\"]*+\"|'[^']*+'|[^{_SPACE}>\"'][^{_SPACE}>]*+)?+)?+)*+"
)
# Elements with raw text up to their end tag.
_RAW = ("script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes")
_RAW_ELEMENT = "|".join(
    rf"{name}(?=[{_SPACE}/>]){_ATTRIBUTES}>[^<]*+(?:<(?!/{name}[{_SPACE}/>])[^<]*+)*+" for name in _RAW
)
# A tag, a comment or a declaration. The group is the name of a tag, with the "/" of an end tag; the whole tag of a
# drawing that may close itself; or a whole raw element but for its end tag, which then counts as an attribute. CDATA is
# a tag here where it ends in one place as HTML and in another as SVG.
_CLOSED_DRAWING = rf"svg(?=[{_SPACE}/]){_ATTRIBUTES}(?<=/)(?=>)"
_UNCLEAR_CDATA = r"!\[CDATA\[(?![^\]>]*+\]\]>)"
_COMMENT = r"!--(?:-?>|(?:[^-]++|-(?!-!?>))*+(?:--!?>|\Z))"
_TOKEN = re.compile(
    rf"<(?:((?=[sStTxXiInN])(?i:{_RAW_ELEMENT}|{_CLOSED_DRAWING})|/?[a-zA-Z][^{_SPACE}/>]*+|{_UNCLEAR_CDATA})"
    rf"{_ATTRIBUTES}(?:>|\Z)|{_COMMENT}|[!?/][^>]*+)".encode()
)
_SLASH = ord("/")
_GATHERED = re.compile(_ATTRIBUTES.encode())
_START_TAG = re.compile(rf"<([a-zA-Z][^{_SPACE}/>]*+){_ATTRIBUTES}>".encode())
# Start tags that are counted on every page: the first two letters of their names tell almost all others apart.
_NOTED_NAMES = ("tr", "td", "th", "table", "template", "html", "body", "selectedcontent")
_NOTED = re.compile(rf"<((?i:{'|'.join(_NOTED_NAMES)}))(?=[{_SPACE}/>])".encode())
_BEGINS_NOTED: Bools = np.zeros((256, 256), np.bool_)
_BEGINS_NOTED[[ord(name[0]) for name in _NOTED_NAMES], [ord(name[1]) for name in _NOTED_NAMES]] = True
# Formatting elements without links.
_FORMATTED_NAMES = ("b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u")
_FORMATTED = re.compile(rf"<(?=[bceinstufBCEINSTUF])(?i:{'|'.join(_FORMATTED_NAMES)})[{_SPACE}/>]".encode())


def _names(words: str) -> frozenset[bytes]:
    return frozenset(words.encode().split())


_REPEATED = _names("html body selectedcontent")
_CELLS = _names("td th")
_ROWS = _CELLS | {b"tr"}
_VOID = _names("area base br col embed hr img input link meta param source track wbr")
# These are known by their end tags.
_FORMATTING = frozenset(f"/{name}".encode() for name in ("a", *_FORMATTED_NAMES))
_TABLES = _names("/table /template")  # to each the parser adds a body and a row
_FOREIGN = _names("/svg /math")
# In a drawing of these elements alone, its end tag closes all of them.
_DRAWN = _names(
    "g path circle ellipse rect line polyline polygon use defs symbol lineargradient radialgradient stop clippath mask "
    "pattern marker filter text tspan image animate animatetransform metadata fegaussianblur feoffset feblend feflood "
    "fecolormatrix fecomposite femerge femergenode"
)
_UNCLEAR = _names("plaintext ![cdata[") | _names(" ".join(_RAW))  # what follows can be read in two ways
_COUNTED = _FORMATTING | _TABLES | _FOREIGN | _names("/frameset") | {b"/" + name for name in _UNCLEAR}
# The start tags that make an end tag superfluous if it is the next to come.
_IMPLIED = {
    b"/p": _names(
        "address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer "
        "form h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p pre search section summary ul"
    ),
    b"/li": _names("li"),
    b"/dd": _names("dd dt"),
    b"/dt": _names("dd dt"),
    b"/option": _names("option"),
    b"/td": _CELLS,
    b"/th": _CELLS,
}
# In a drawing these are elements like any other, which nest.
_NEST_IN_DRAWINGS = _names("/option /td /th")
# An end tag closes nothing outside of the cell that it is in, except for those that end cells.
_BARRIERS = _names("/td /th /caption /template /object")
_ENDS_CELLS = _names("/table /tr /tbody /thead /tfoot /body /html") | _BARRIERS


def guarded(data: bytes) -> bytes:
    """The page itself if the parser can't be harmed by it, else a page written anew."""
    return data if _passes(data) else b"".join(_rewritten(data))


def _passes(data: bytes) -> bool:
    """Is it certain that a page does the parser no harm? Asks the cheap questions first."""
    tags, noted = _read(data)
    counts = Counter(name for name, _ in noted)
    if any(counts[name] > 1 and _repeats_much(data, name, noted) for name in _REPEATED):
        return False
    if not _has_few_formatting_elements(data, tags):
        return _is_harmless(data)
    part = data[: _end_of_last_table(noted)]
    starts = part.count(b"<") - part.count(b"</")
    return starts + 2 * (counts[b"table"] + counts[b"template"]) <= _MOST_OPEN or _is_harmless(part)


def _read(data: bytes) -> tuple[int, list[tuple[bytes, int]]]:
    """How many tags there are at most, and the noted start tags: name and end."""
    page = np.frombuffer(data, np.uint8)
    tags = np.flatnonzero(page[:-2] == ord("<"))
    second, third = page.take(tags + 1) | 32, page.take(tags + 2) | 32  # in lower case
    likely = tags[_BEGINS_NOTED[second, third]].tolist()
    found = (_NOTED.match(data, place) for place in likely)
    return len(tags), [(match[1].lower(), match.end()) for match in found if match]


def _repeats_much(data: bytes, name: bytes, noted: list[tuple[bytes, int]]) -> bool:
    """Are there many tags of this name, or many attributes in them?"""
    ends = [end for found, end in noted if found == name]
    if len(ends) > _MOST_REPEATED:
        return True
    return sum(len(match[0]) for end in ends if (match := _GATHERED.match(data, end))) > _MOST_GATHERED


def _end_of_last_table(noted: list[tuple[bytes, int]]) -> int:
    """Where the start tag of the last table or template with a row or a cell behind it ends, or 0."""
    up_to_last_row = dropwhile(lambda found: found[0] not in _ROWS, reversed(noted))
    return next((end for name, end in up_to_last_row if name in (b"table", b"template")), 0)


def _has_few_formatting_elements(data: bytes, tags: int) -> bool:
    # A link ends the one before it, so there is one of them at most.
    return tags <= _FEW_TAGS or (len(_FORMATTED.findall(data)) + 1) * tags <= _MOST_REOPENED


def _is_harmless(data: bytes) -> bool:
    """Is it certain that no table is too deep, and that few formatting elements are open at once?"""
    tokens: list[bytes] = _TOKEN.findall(data)
    stack = [b""]
    top = b""  # the last of the stack, which holds the end tags to come; a comment has the token b""
    deepest = tables = formatting = most_formatting = foreign = framesets = 0
    drawing = 0  # the place in the stack of a drawing that its end tag closes for sure, or 0
    for token in tokens:
        if token == top or (name := token.lower()) == top:
            if top:
                del stack[-1]
                if top in _COUNTED:
                    tables -= top in _TABLES
                    formatting -= top in _FORMATTING
                    foreign -= top in _FOREIGN
                top = stack[-1]
        elif not name or (name in _VOID and not foreign):
            continue
        elif name[0] == _SLASH:  # it closes nothing, as far as we know
            if drawing and name == b"/svg":
                del stack[drawing:]
                top = stack[-1]
                drawing = foreign = 0
            elif drawing and (len(stack) - drawing > _MOST_OPEN or name not in stack[drawing:]):
                drawing = 0
        elif b">" in name and name[:3] != b"svg":  # a raw element with its end tag
            if b"<" in name and (foreign or framesets or _hides_its_end(name)):
                return False
        else:
            name = _name_of(name)
            if top in _IMPLIED and name in _IMPLIED[top] and not (foreign and top in _NEST_IN_DRAWINGS):
                del stack[-1]
            top = b"/" + name
            stack.append(top)
            if top in _COUNTED:
                if name in _UNCLEAR:
                    return False
                if top in _TABLES:
                    tables += 1
                    deepest = max(deepest, len(stack) + 2 * tables)
                formatting += top in _FORMATTING
                most_formatting = max(most_formatting, formatting)
                framesets += name == b"frameset"
                if top in _FOREIGN:
                    is_open = name == token.lower()  # else it may close itself
                    drawing = len(stack) - 1 if is_open and name == b"svg" and not foreign else 0
                    foreign += 1
            elif drawing and name not in _DRAWN:
                drawing = 0
    return deepest + most_formatting <= _MOST_OPEN and most_formatting * len(tokens) <= _MOST_REOPENED


def _name_of(token: bytes) -> bytes:
    """The name of a tag; a whole raw element stays as it is."""
    return b"svg" if token[:3] == b"svg" and token[-1:] == b"/" else token


def _hides_its_end(script: bytes) -> bool:
    """Is the end of a script in a comment with the start tag of another? Then the parser takes it for text."""
    _, comment, hidden = script[script.rfind(b"-->") + 1 :].partition(b"<!--")
    return bool(comment) and b"<script" in hidden


def _rewritten(data: bytes) -> Iterator[bytes]:
    """The page without comments, with every element closed by its own end tag, and with few elements open at once."""
    stack: list[bytes] = []  # the end tags to come
    left_out: Counter[bytes] = Counter()  # the end tags of elements that are left out
    seen: Counter[bytes] = Counter()
    formatting = at = 0
    for match in _TOKEN.finditer(data):
        yield _as_text(data[at : match.start()])
        at = match.end()
        name = _name_of((match[1] or b"").lower())
        if name in _REPEATED:
            seen[name] += 1
        if not name or name in _UNCLEAR or seen[name] > 1:
            continue
        if b">" in name:  # a raw element
            if start := _START_TAG.match(data, match.start()):
                yield start[0] + _as_text(data[start.end() : match.end(1)]) + b"</" + start[1] + b">"
        elif name.startswith(b"/"):
            if left_out[name]:
                left_out[name] -= 1
            elif name in _within_reach(stack, name):
                ended = b""
                while ended != name:
                    ended = stack.pop()
                    formatting -= ended in _FORMATTING
                    yield b"<" + ended + b">"
        else:
            while stack and name in _IMPLIED.get(stack[-1], ()):
                yield b"<" + stack.pop() + b">"
            is_foreign = b"/svg" in stack or b"/math" in stack
            end = b"/" + name
            # Void elements and those that close themselves are written so that HTML and SVG read them alike.
            if name in _VOID:
                yield match[0].rstrip(b"/>") + b" />"
            elif is_foreign and match[0].endswith(b"/>"):
                yield match[0] + b"<" + end + b">"
            elif len(stack) >= _DEEPEST or (end in _FORMATTING and formatting >= _MOST_FORMATTING):
                left_out[end] += 1
            else:
                formatting += end in _FORMATTING
                stack.append(end)
                yield match[0]
    yield _as_text(data[at:])


def _as_text(data: bytes) -> bytes:
    """A text with no "<" that could begin a tag together with what follows when something between them is left out."""
    return data.replace(b"<", b"&lt;")


def _within_reach(stack: list[bytes], name: bytes) -> list[bytes]:
    """The open elements that an end tag may close."""
    if name in _ENDS_CELLS:
        return stack
    barrier = next((place for place in range(len(stack) - 1, -1, -1) if stack[place] in _BARRIERS), 0)
    return stack[barrier:]
