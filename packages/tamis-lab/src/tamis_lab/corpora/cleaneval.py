"""CleanEval 2007: cleaneval-{dev,final}/input/N.html, cleaneval-{dev,final}/GoldStandard/N.txt."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import replace

from tamis_lab.corpora.page import CorpusPage
from tamis_lab.corpora.reader import Entry, Reader, decode_gold

_FOLDERS = {"dev": "cleaneval-dev/", "test": "cleaneval-final/"}

# The organisers put each page into one element that names its address; it is no part of the page.
_HEAD = re.compile(rb'\s*<text\s+id="([^"\n]*)"(?:[ \t][^\n]*?")?>[ \t]*\r?\n?')
_TAIL = re.compile(rb"\s?</text>\s*+\Z")

_URL_LINE = re.compile(r"\A\s*URL:[ \t]*(\S*)[^\n]*\n?")
_MARK = re.compile(r"</?[phl]>", re.IGNORECASE)
_INDENT = re.compile(r"^[ \t]+", re.MULTILINE)
_EMPTY_LINES = re.compile(r"\n{3,}")


class CleanEval(Reader):
    """The English part. 59 of the 740 test pages have no gold text and are left out."""

    folders = _FOLDERS

    def entries(self) -> Iterator[Entry]:
        """The pages with a gold text, dev before test."""
        for split, folder in self.folders.items():
            yield from self.entries_in(f"{folder}GoldStandard", ".txt", split)

    def read(self, entry: Entry) -> CorpusPage:
        """Read a page without its wrapper, and its gold text without marks."""
        folder = self.folders[entry.split]
        html, url = unwrapped(self.files.read(f"{folder}input/{entry.id}.html"))
        gold_text, gold_url = plain_gold(decode_gold(self.files.read(f"{folder}GoldStandard/{entry.id}.txt")))
        return replace(self.page(entry, html, gold_text), url=url or gold_url)


def unwrapped(data: bytes) -> tuple[bytes, str | None]:
    """A page without the <text id="URL"> around it, and that URL."""
    head = _HEAD.match(data)
    if head is None:
        return data, None
    tail = _TAIL.search(data, max(head.end(), data.rfind(b"</text>") - 1))
    url = html.unescape(head[1].decode("utf-8", "replace")).strip()
    return data[head.end() : tail.start() if tail else None], url or None


def plain_gold(text: str) -> tuple[str, str | None]:
    """A gold text without its URL line and without the marks of paragraphs, headings and list items.

    The marks stand at the start of lines; the few other tags in the texts are content.
    """
    first = _URL_LINE.match(text)
    body = text[first.end() :] if first else text
    body = _INDENT.sub("", _MARK.sub("", body))
    return _EMPTY_LINES.sub("\n\n", body).strip(), (first[1] or None) if first else None
