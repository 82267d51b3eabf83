"""Guesses what broken JSON was meant to be.

It knows entities for quotes, typographic quotes, quotes inside strings, and commas and brackets that are not there.
Valid JSON keeps its meaning. Everything takes time linear in the text.
"""

from __future__ import annotations

import re
from html import unescape

# Broken data is mended up to this length; a page's own is shorter.
_LONGEST = 200_000
# So many brackets may have been forgotten before one that closes.
_MOST_FORGOTTEN = 10
_TYPOGRAPHIC = str.maketrans(dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'))
# A quote ends a string where a mark follows, or on another line the next key; others stand inside the string.
_QUOTE_WITHIN = r'"(?!\s*+(?:[,:}\]]|\Z)|[ \t]*+[\r\n]\s*+["{\[]|\s*+"[^"\\]{1,50}+"\s*+:)'
_TOKEN = re.compile(
    r"<!--|-->|<!\[CDATA\[|\]\]>|/\*|\*/|//(?:[ \t]*+(?=<!|-->|\]\]>)|[^\n]*+)"
    r'|("(?:[^"\\]++|\\[\s\S]|' + _QUOTE_WITHIN + r')*+"?)|([{\[])|([}\]])|([,:])|([^\s"{\[}\],:]++)'
)
_TO_ESCAPE = re.compile(r'(\\["\\/bfnrtu])|["\\]')
_LITERAL = re.compile(r"-?(?:0|[1-9]\d{0,300}+)(?:\.\d{1,300}+)?(?:[eE][-+]?\d{1,3})?|true|false|null")
_CLOSING = {"{": "}", "[": "]"}


def mended(text: str) -> str:
    """The JSON that may have been meant."""
    text = text[:_LONGEST]
    if text.count("&quot;") > text.count('"'):
        text = unescape(text)
    if '"@' not in text:
        text = text.translate(_TYPOGRAPHIC)
    pieces: list[str] = []
    open_ones: list[str] = []  # what closes the objects and lists that are open
    for token in _TOKEN.finditer(text):
        if not token.lastindex:
            continue  # a comment
        string, opening, closing, mark, word = token.groups()
        last = pieces[-1] if pieces else ","
        if closing or mark == ",":
            if last == ":":
                pieces.append("null")
            if closing in open_ones[-_MOST_FORGOTTEN:]:
                while (end := open_ones.pop()) != closing:
                    pieces.append(end)
                pieces.append(closing)
            elif mark and last not in ",{[":
                pieces.append(mark)
            continue
        if mark != ":" and last not in ",:{[":
            pieces.append(",")
        if opening:
            open_ones.append(_CLOSING[opening])
        if word and not _LITERAL.fullmatch(word):
            word = "null"
        pieces.append(opening or mark or word or _escaped(string))
    if pieces and pieces[-1] == ":":
        pieces.append("null")
    return "".join((*pieces, *reversed(open_ones)))


def _escaped(string: str) -> str:
    """A string with its inner quotes escaped."""
    inner = string[1:-1] if len(string) > 1 and string[-1] == '"' else string[1:]
    return '"' + _TO_ESCAPE.sub(lambda found: found[1] or "\\" + found[0], inner) + '"'
