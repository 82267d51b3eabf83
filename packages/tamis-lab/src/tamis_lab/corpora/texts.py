"""Corpora with a text file for each page: CleanEval, CleanPortalEval, Chaos, DAnIEL, Dragnet, pages of your own."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from tamis.cached import cached_property
from tamis_lab.corpora.reader import CorpusEntry, CorpusInfo, CorpusPage, Reader, text_or_none

# The organisers wrapped each page in an element that names its address.
_HEAD = re.compile(rb'\s*<text\s+id="([^"\n]*)"(?:[ \t][^\n]*?")?>[ \t]*\r?\n?')
_TAIL = re.compile(rb"\s?</text>\s*+\Z")

_URL_LINE = re.compile(r"\A\s*URL:[ \t]*(\S*)[^\n]*\n?")
_CLEANEVAL_MARK = re.compile(r"</?[phl]>", re.IGNORECASE)
_INDENT = re.compile(r"^[ \t]+", re.MULTILINE)
_EMPTY_LINES = re.compile(r"\n{3,}")


class CleanEval(Reader):
    """CleanEval 2007: cleaneval-{dev,final}/input/N.html, cleaneval-{dev,final}/GoldStandard/N.txt.

    The English part. 59 of the 740 test pages have no gold text and are left out.
    """

    folders: Mapping[str, str] = {"dev": "cleaneval-dev/", "test": "cleaneval-final/"}  # by split

    def entries(self) -> Iterator[CorpusEntry]:
        """The pages with a gold text, dev before test."""
        for split, folder in self.folders.items():
            yield from self.entries_in(f"{folder}GoldStandard", ".txt", split)

    def read(self, entry: CorpusEntry) -> CorpusPage:
        """Read a page without its wrapper, and its gold text without marks."""
        folder = self.folders[entry.split]
        html, url = unwrapped(self.files.read(f"{folder}input/{entry.id}.html"))
        gold_text, gold_url = cleaneval_gold(self.gold(f"{folder}GoldStandard/{entry.id}.txt"))
        return replace(self.page(entry, html, gold_text), url=url or gold_url)


def unwrapped(data: bytes) -> tuple[bytes, str | None]:
    """A page without the <text id="URL"> around it, and that URL."""
    head = _HEAD.match(data)
    if head is None:
        return data, None
    tail = _TAIL.search(data, max(head.end(), data.rfind(b"</text>") - 1))
    url = html.unescape(head[1].decode("utf-8", "replace")).strip()
    return data[head.end() : tail.start() if tail else None], url or None


def cleaneval_gold(text: str) -> tuple[str, str | None]:
    """A gold text without its URL line and without the marks of paragraphs, headings and list items.

    The marks are at the start of lines; the few other tags in the texts are content.
    """
    first = _URL_LINE.match(text)
    body = text[first.end() :] if first else text
    body = _INDENT.sub("", _CLEANEVAL_MARK.sub("", body))
    return _EMPTY_LINES.sub("\n\n", body).strip(), (first[1] or None) if first else None


class Chaos(Reader):
    """Chaos-style pages: html/QUERY (N).htm or .html, gold/QUERY (N).txt; ten pages each for 36 queries."""

    folder, suffix = "gold", ".txt"

    def read(self, entry: CorpusEntry) -> CorpusPage:
        """Read a page and its gold text."""
        html = self.first_of(f"html/{entry.id}.htm", f"html/{entry.id}.html")
        return self.page(entry, html, self.gold(f"gold/{entry.id}.txt").strip())


class CleanPortalEval(CleanEval):
    """Several pages each of four sites, for methods that learn a template: input/NAME.html, GoldStandard/NAME.txt."""

    folders: Mapping[str, str] = {"all": ""}


_DANIEL_SUFFIXES = ("", ".html", ".htm", ".txt")
_CODES = {"Greek": "el", "English": "en", "Polish": "pl", "Russian": "ru", "Chinese": "zh"}

# References have a paragraph a line in <p> and </p>. A few marks lost or doubled a character: "<p堅果", "/p>", "</p>>".
_DANIEL_MARK = re.compile(r"<p(?![a-z])>*|<?/p>+")
_WHOLE_PAGE = re.compile(r"\s*<(!doctype|html)\b", re.IGNORECASE)


class Daniel(Reader):
    """DAnIEL, press articles in five languages: html/ID, reference/ID, doc_lg.json (id to language)."""

    folder = "reference"

    def read(self, entry: CorpusEntry) -> CorpusPage:
        """Read a page and its reference; the two may differ in the suffix."""
        stem = entry.id.removesuffix(".txt").removesuffix(".html").removesuffix(".htm")
        names = dict.fromkeys([entry.id, *(stem + suffix for suffix in _DANIEL_SUFFIXES)])
        language = next((found for name in names if (found := text_or_none(self._languages.get(name)))), None)
        html = self.first_of(*(f"html/{name}" for name in names))
        page = self.page(entry, html, daniel_gold(self.gold(f"reference/{entry.id}")))
        return replace(page, page_type="article", language=_CODES.get(language or "", language))

    @cached_property
    def _languages(self) -> dict[str, object]:
        return self.files.table("doc_lg.json")


def daniel_gold(text: str) -> str | None:
    """A reference without its marks, a paragraph a line; None for one that is a whole page of HTML instead."""
    if _WHOLE_PAGE.match(text):
        return None
    return "\n".join(paragraph for part in _DANIEL_MARK.split(text) if (paragraph := part.strip()))


# The line before the comments is "!@#$%^&*()  COMMENTS". Annotators typed it by hand: blanks and tabs differ,
# symbols are missing or doubled, and the word is COMMNENTS or CORRECTED once each.
_COMMENTS = re.compile(r"^[ \t]*[!@#$%^&*()]{6,}[ \t]*CO[A-Z]+[ \t]*$", re.MULTILINE)


class Dragnet(Reader):
    """Dragnet's data, articles and blog posts: HTML/NAME.html, Corrected/NAME.html.corrected.txt.

    The gold file has the readers' comments behind a line of their own.
    """

    folders, suffix = ("Corrected", "corrected/Corrected"), ".html.corrected.txt"

    def entries(self) -> Iterator[CorpusEntry]:
        """The pages by name."""
        return iter(sorted(entry for folder in self.folders for entry in self.entries_in(folder, self.suffix)))

    def read(self, entry: CorpusEntry) -> CorpusPage:
        """Read a page, its content and its comments."""
        gold = self.gold(*(f"{folder}/{entry.id}{self.suffix}" for folder in self.folders))
        content, *comments = _COMMENTS.split(gold, maxsplit=1)
        page = self.page(entry, self.files.read(f"HTML/{entry.id}.html"), content.strip())
        return replace(page, comments="".join(comments).strip() or None)


_PAGES = (".html", ".htm")
_GOLD = ".txt"


class Pairs(Reader):
    """Pages of your own: NAME.html and NAME.txt, also in folders below. Pages without a text are left out."""

    def entries(self) -> Iterator[CorpusEntry]:
        """The pages by name."""
        return (CorpusEntry(name, "all") for name in self._pages())

    def read(self, entry: CorpusEntry) -> CorpusPage:
        """Read a page and its text."""
        html = self.files.read(self._pages()[entry.id])
        return self.page(entry, html, self.gold(entry.id + _GOLD))

    def _pages(self) -> dict[str, str]:
        """The file of each page that has a text, by its name without the suffix."""
        return {
            name.removesuffix(suffix): name
            for suffix in _PAGES
            for name in self.files.names
            if name.endswith(suffix) and name.removesuffix(suffix) + _GOLD in self.files
        }


def folder_info(folder: Path) -> CorpusInfo:
    """The facts about somebody's folder."""
    return CorpusInfo(
        name=str(folder),
        title="pages of your own",
        pages=0,
        licence="your own",
        source=f"put NAME.html and NAME{_GOLD} into {folder}",
        splits=("all",),
        may_train="yes",
        archives=(),
        folders=(),
        landmarks=(),
        reader="texts:Pairs",
    )
