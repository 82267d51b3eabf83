"""Corpora of one kind of page, whose gold is looked for on it: recipes, threads of forums, documentation."""

from __future__ import annotations

import codecs
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import compress
from urllib.parse import unquote

from tamis.document import Document
from tamis.document.parse import select
from tamis_lab.bench.structure.page import to_html
from tamis_lab.corpora.reader import CorpusEntry, CorpusPage, Post, Reader, language_of, text_or_none
from tamis_lab.gold import align_gold, with_wordless
from tamis_lab.metrics import tokens

LINE, UNKNOWN = "line", "unknown"

# A line with fewer words than this ("Salt") counts only near another line,
_SHORT = 3
# at most this many words away.
_NEAR = 80

# Pages with less of their lines were saved without the recipe, or say it otherwise.
_LEAST_FOUND = 0.5

# A leaf belongs to a line when at least this share of its words does, as in tamis_lab.gold.
_SHARE = 0.5


class Recipes(Reader):
    """The test pages of recipe-scrapers: SITE/NAME.testhtml, SITE/NAME.json.

    The ingredients and steps of a recipe are known; of the rest of a page nothing is.
    """

    suffix, deep = ".testhtml", True

    def read(self, entry: CorpusEntry) -> CorpusPage:
        """Read a page and find the lines of its recipe on it. Without most of them, the page has no gold."""
        html = self.files.read(entry.id + self.suffix)
        record = self.files.table(f"{entry.id}.json")
        lines = [*_text_lines(record.get("ingredients")), *_text_lines(record.get("instructions_list"))]
        found = FoundLines(Document.from_html(html), lines)
        page = replace(
            self.page(entry, html),
            url=text_or_none(record.get("canonical_url")) or f"https://{entry.id.partition('/')[0]}/",
            page_type="article",
            language=language_of(record.get("language")),
            title=text_or_none(record.get("title")),
            author=text_or_none(record.get("author")),
        )
        if not lines or sum(found.lines) < _LEAST_FOUND * len(lines):
            return page
        there = tuple(compress(lines, found.lines))
        return replace(
            page,
            gold_text="\n".join(there),
            lines=there,
            leaf_labels=found.labels,
            content_labels=frozenset({LINE}),
            unclear_labels=frozenset({UNKNOWN}),
        )


class FoundLines:
    """Where lines are on a page, word for word. Words may be divided otherwise: "1½" is "1 ½", "100g" is "100 g"."""

    def __init__(self, document: Document, lines: Sequence[str]) -> None:
        leaves = document.leaves
        shown = (leaves.visible | leaves.folded) & ~leaves.is_media
        self._owner: list[int] = []  # the leaf of each word
        self._starts: list[int] = []  # where each word starts in the text of all, and at the end how long that is
        at = 0
        parts: list[str] = []
        for leaf in shown.nonzero()[0].tolist():
            for word in _normalised_words(leaves.text[leaf]):
                self._owner.append(leaf)
                self._starts.append(at)
                parts.append(word)
                at += len(word)
        self._starts.append(at)
        self._text = "".join(parts)
        self._at_start = set(self._starts)
        self._matched = bytearray(len(self._owner))
        self.lines = self._find_lines(lines)  # for each: is it there?
        self.labels = self._leaf_labels(leaves.text)

    def _find_lines(self, lines: Sequence[str]) -> list[bool]:
        words = [_normalised_words(line) for line in lines]
        found = [len(each) >= _SHORT and self._mark_words(self._places_of_words(each)) for each in words]
        for number, each in enumerate(words):
            if len(each) < _SHORT:
                found[number] = self._mark_words(
                    [place for place in self._places_of_words(each) if self._is_near_another(*place)]
                )
        return found

    def _mark_words(self, places: Iterable[tuple[int, int]]) -> bool:
        """Mark the words of some places, and say whether there are any."""
        is_found = False
        for first, last in places:
            self._matched[first:last] = b"\1" * (last - first)
            is_found = True
        return is_found

    def _places_of_words(self, words: Sequence[str]) -> Iterator[tuple[int, int]]:
        """The first word of each place where these words are, and the one after the last."""
        line = "".join(words)
        start = self._text.find(line) if line else -1
        while start >= 0:
            end = start + len(line)
            whole = start in self._at_start and end in self._at_start
            if whole:
                yield bisect_left(self._starts, start), bisect_left(self._starts, end)
            start = self._text.find(line, end if whole else start + 1)

    def _is_near_another(self, first: int, last: int) -> bool:
        return self._matched.find(1, max(0, first - _NEAR), last + _NEAR) >= 0

    def _leaf_labels(self, texts: Sequence[str]) -> tuple[str, ...]:
        words, matched = [0] * len(texts), [0] * len(texts)
        for leaf, is_matched in zip(self._owner, self._matched, strict=True):
            words[leaf] += 1
            matched[leaf] += is_matched
        marks = (
            LINE if total and part >= _SHARE * total else UNKNOWN for total, part in zip(words, matched, strict=True)
        )
        return tuple(mark if text else "" for mark, text in zip(marks, texts, strict=True))


def _text_lines(value: object) -> Iterator[str]:
    given: Iterable[object] = value if isinstance(value, list) else [value]
    for item in given:
        if isinstance(item, str):
            yield from (line for part in item.splitlines() if tokens(line := part.strip()))


def _normalised_words(text: str) -> list[str]:
    """The words, with fractions and letters in other forms ("½") as the plain ones."""
    return tokens(text if text.isascii() else unicodedata.normalize("NFKC", text))


POST, BYLINE = "post", "byline"

_LEAST_NAME = 2  # letters; a single one is shown in place of a picture


class Threads(Reader):
    """The gold standard of fhgr/harvest: NAME.json with the page of a forum, its address and its posts.

    A page on which too little of the posts is found has no marks.
    """

    suffix = ".json"

    def read(self, entry: CorpusEntry) -> CorpusPage:
        """Read a page with its posts, and find these on it."""
        name = f"{entry.id}.json"
        record = self.files.table(name)
        source, given = record.get("html"), record.get("gold_standard_annotation")
        if not isinstance(source, str) or not isinstance(given, list):
            raise self.files.broken(name, "it lacks the page or the posts")
        # The page is text here; a byte order mark makes this certain, whatever the page says of its encoding.
        html = codecs.BOM_UTF8 + source.encode("utf-8", "replace")
        document = Document.from_html(html)
        links = _link_texts(document)
        posts = [_post_of_fields(self.fields(post, name), links) for post in given]
        gold_text = "\n\n".join(post.text for post in posts)
        return replace(
            self.page(entry, html, gold_text),
            url=text_or_none(record.get("url")),
            page_type="forum",
            posts=tuple(posts),
            leaf_labels=_post_labels(document, gold_text, posts),
            content_labels=frozenset({POST}),
            unclear_labels=frozenset({BYLINE}),
        )


def _link_texts(document: Document) -> dict[str, list[str]]:
    """The texts of the links to each address, as the page writes it."""
    found: dict[str, list[str]] = {}
    for node in select(document.tree, "a[href]"):
        if text := " ".join(node.text.split()):
            found.setdefault(node.attr("href") or "", []).append(text)
    return found


def _post_of_fields(fields: Mapping[str, object], links: Mapping[str, list[str]]) -> Post:
    text = _page_text_of_field(fields, "post_text").replace("\r\n", "\n").replace("\r", "\n")
    author = author_name(user, links.get(user, [])) if (user := _page_text_of_field(fields, "user")) else None
    return Post(
        text, author, _page_text_of_field(fields, "datetime") or None, _page_text_of_field(fields, "post_link") or None
    )


def author_name(user: str, texts: list[str]) -> str:
    """The name of a user who is given as the address of a profile, of which these are the links."""
    address = _letters_and_digits(unquote(user))
    in_address = [text for text in texts if len(name := _letters_and_digits(text)) >= _LEAST_NAME and name in address]
    longer = [text for text in texts if len(text) >= _LEAST_NAME]
    return next(iter([*in_address, *longer]), unquote(user.rstrip("/").rpartition("/")[2]))


def _letters_and_digits(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


def _page_text_of_field(fields: Mapping[str, object], name: str) -> str:
    """A text as the page writes it; empty where it is missing."""
    value = fields.get(name)
    return (text_or_none(value.get("surface_form")) or "").strip() if isinstance(value, dict) else ""


def _post_labels(document: Document, gold_text: str, posts: list[Post]) -> tuple[str, ...] | None:
    aligned = align_gold(document, gold_text)
    if aligned.is_bad:
        return None
    bylines = {_folded_text(text) for post in posts for text in (post.author, post.date) if text}
    content = with_wordless(document.unfolded, aligned.content)
    return tuple(
        POST if is_content else BYLINE if _folded_text(text) in bylines else ""
        for text, is_content in zip(document.leaves.text, content.tolist(), strict=True)
    )


def _folded_text(text: str) -> str:
    return " ".join(text.split()).casefold()


_FRONT_MATTER = re.compile(r"\A---[ \t]*\n.*?\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
# What Sphinx builds a table of contents from is not shown; of other directives the content is.
_CONTENTS = re.compile(r"^(`{3,}|:{3,})\{toctree\}.*?^\1[ \t]*$", re.DOTALL | re.MULTILINE)
_DIRECTIVE = re.compile(r"^[ \t]*(?:`{3,}\{[\w:-]+\}[^\n]*|:{3,}[^\n]*)$", re.MULTILINE)
_ROLE = re.compile(r"\{[\w:-]+\}(?=`)")


class Sphinx(Reader):
    """Documentation built by Sphinx beside its sources: PATH.html, _sources/PATH.md.txt.

    It is in Chinese and English. The Markdown without its marks is the gold text.
    """

    folder, suffix, deep = "_sources/", ".md.txt", True

    def read(self, entry: CorpusEntry) -> CorpusPage:
        """Read a page and its source."""
        markdown = self.gold(f"{self.folder}{entry.id}{self.suffix}")
        page = self.page(entry, self.files.read(f"{entry.id}.html"), markdown_text(markdown))
        return replace(page, page_type="documentation", markdown=markdown)


def markdown_text(markdown: str) -> str:
    """The words that a reader of the built page sees, a text a line."""
    source = _ROLE.sub("", _DIRECTIVE.sub("", _CONTENTS.sub("", _FRONT_MATTER.sub("", markdown))))
    leaves = Document.from_html(to_html(source, with_formulas=False)).leaves
    lines: list[str] = []
    block = -1
    for text, gap, row, is_media in zip(leaves.text, leaves.gap, leaves.block.tolist(), leaves.is_media, strict=True):
        if is_media:
            continue
        if row != block:
            lines.append(text)
        else:
            lines[-1] += gap + text
        block = row
    return "\n".join(line.strip() for line in lines)
