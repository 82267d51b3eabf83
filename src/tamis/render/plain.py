"""Our own Markdown without its markup, for parts of a page that are cut from the Markdown.

It reads what `markdown.py` writes and no other Markdown: lists with `-`, `*` and numbers, emphasis with stars and
tildes, fences of backticks, tables with pipes or in HTML.
"""

from __future__ import annotations

import re
from html import unescape

_FENCE = re.compile(r"`{3,}")
_PREFIX = re.compile(r"(?: *+(?:>(?: |$)|[-*] (?:\[[ x]\] )?+|[0-9]{1,9}[.)] ))++")
_HEADING = re.compile(r"#{1,6} ")
_CALLOUT = re.compile(r"\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]")
_RULED = re.compile(r"\|(?: ?-{3} ?\|)++")
_CELL = re.compile(r"(?<!\\)\|")
_TAGGED = re.compile(r"</?(?:table|thead|tbody|tfoot|tr|td|th|caption|details|summary)\b")
_INLINE_TAG = re.compile(
    r"</?(?:a|abbr|b|cite|code|del|em|i|ins|kbd|mark|q|s|samp|small|strong|sub|sup|u|var)\b[^<>]*+>"
)
_TAG = re.compile(r"<[^<>]*+>")
_BETWEEN_CELLS = re.compile(r"</t[dh]>\s*+<t[dh][^<>]*+>")
_NOTE = re.compile(r"\[\^([^\s\]]++)\]:?")

# What is not searched for other markup: escaped signs and code.
_VERBATIM = re.compile(r"\\([!-/:-@\[-`{-~])|(?<!`)(`{1,9})(?!`)([^`]*+(?:(?!\2(?!`))`++[^`]*+)*+)\2(?!`)")
_TARGET = r"\((?:<[^<>]*+>|[^()\s]*+)\)"
_IMAGE = re.compile(rf"!\[([^\[\]]*+)\]{_TARGET}")
_LINK = re.compile(rf"\[([^\[\]]*+)\]{_TARGET}")
_AUTOLINK = re.compile(r"<([a-z]{3,6}:[^<>\s]++|[^<>\s@]++@[^<>\s]++)>")
_MARKS = re.compile(r"\*{1,3}|~~")
_KEPT = re.compile("\x00([0-9]+)\x00")


def plain(markdown: str) -> str:
    """The text of some blocks of Markdown: a tab between cells, no marks of lists, headings and quotations."""
    found: list[str] = []
    lines: list[str] = []  # of a paragraph: emphasis may go over several
    fence = ""
    for line in markdown.split("\n"):
        prefix = _PREFIX.match(line)
        content = line[prefix.end() :].strip() if prefix else line.strip()
        if fence:
            if content.startswith(fence):
                fence = ""
            else:
                found.append(line.removeprefix("> "))
            continue
        if prefix or not content or content[0] in "#|<$`":
            found += _paragraph(lines)
            lines = []
        if opened := _FENCE.match(content):
            fence = opened[0]
        elif not content:
            found.append("")
        elif content[0] == "|" or _TAGGED.match(content):
            found += _row(content)
        elif content not in ("$$", "---") and not _CALLOUT.fullmatch(content):
            lines.append(_HEADING.sub("", content, count=1) if content[0] == "#" else content)
    return "\n".join([*found, *_paragraph(lines)]).strip("\n")


def _paragraph(lines: list[str]) -> list[str]:
    return [inline("\n".join(lines))] if lines else []


def _row(line: str) -> list[str]:
    """The cells of a row, or what is on a line of HTML; nothing if there is no text."""
    if line[0] == "|":
        ruled = _RULED.fullmatch(line)
        return (
            [] if ruled else ["\t".join(inline(cell.strip().replace("\\|", "|")) for cell in _CELL.split(line)[1:-1])]
        )
    text = _TAG.sub(" ", _INLINE_TAG.sub("", _BETWEEN_CELLS.sub("\t", line)))
    text = unescape("\t".join(" ".join(cell.split()) for cell in text.split("\t")))
    return [text] if text.strip() else []


def inline(line: str) -> str:
    """The text of a line without marks of emphasis, code and links, and without images."""
    kept: list[str] = []

    def keep(found: re.Match[str]) -> str:
        kept.append(found[1] or found[3].strip())
        return f"\x00{len(kept) - 1}\x00"

    text = _VERBATIM.sub(keep, line) if "\\" in line or "`" in line else line
    if "[" in text:
        text = _LINK.sub(r"\1", _IMAGE.sub("", text))
        text = _NOTE.sub(r"[\1]", text)
    if "*" in text or "~~" in text:
        text = _without_emphasis(text)
    if "<" in text:
        text = _AUTOLINK.sub(r"\1", text.replace("<br>", " "))
    if "&" in text:
        text = unescape(text)
    return _KEPT.sub(lambda found: kept[int(found[1])], text) if kept else text


def _without_emphasis(text: str) -> str:
    """Take away each mark that has another one; others are stars and tildes of the text."""
    removed: list[tuple[int, int]] = []
    opened: list[tuple[int, int, str]] = []  # begin, end and sign of the marks that are open
    for found in _MARKS.finditer(text):
        place, left = found.start(), len(found[0])
        if place and not text[place - 1].isspace():
            while left and opened and opened[-1][2] == found[0][0]:
                start, end, sign = opened.pop()
                shared = min(left, end - start)
                removed += [(end - shared, end), (found.end() - left, found.end() - left + shared)]
                left -= shared
                if start < end - shared:
                    opened.append((start, end - shared, sign))
        if left and found.end() < len(text) and not text[found.end()].isspace():
            opened.append((found.end() - left, found.end(), found[0][0]))
    parts: list[str] = []
    last = 0
    for start, end in sorted(removed):
        parts.append(text[last:start])
        last = end
    return "".join([*parts, text[last:]])
