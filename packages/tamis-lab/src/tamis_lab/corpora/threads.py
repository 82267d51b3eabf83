"""The gold standard of fhgr/harvest: NAME.json with the page, its address and its posts."""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import unquote

from tamis.document import Document
from tamis.document.parse import select
from tamis_lab.align import align
from tamis_lab.corpora.page import CorpusPage, Post
from tamis_lab.corpora.reader import Entry, Reader, text_or_none
from tamis_lab.gold import with_wordless

POST, BYLINE = "post", "byline"

_LEAST_NAME = 2  # letters; a single one is shown in place of a picture


class Threads(Reader):
    """Pages of forums with the text, the author and the date of each post.

    Where too little of the posts is found on a page there are no marks.
    """

    suffix = ".json"

    def read(self, entry: Entry) -> CorpusPage:
        """Read a page with its posts, and find these on it."""
        name = f"{entry.id}.json"
        record = self.files.table(name)
        source, given = record.get("html"), record.get("gold_standard_annotation")
        if not isinstance(source, str) or not isinstance(given, list):
            raise self.files.broken(name, "it has no page or no posts")
        # The page is text here; a byte order mark makes this certain, whatever the page says of its encoding.
        html = codecs.BOM_UTF8 + source.encode("utf-8", "replace")
        document = Document.from_html(html)
        links = _link_texts(document)
        posts = [_post(self.fields(post, name), links) for post in given]
        gold_text = "\n\n".join(post.text for post in posts)
        return replace(
            self.page(entry, html, gold_text),
            url=text_or_none(record.get("url")),
            page_type="forum",
            posts=tuple(posts),
            leaf_labels=_labels(document, gold_text, posts),
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


def _post(fields: Mapping[str, object], links: Mapping[str, list[str]]) -> Post:
    text = _surface(fields, "post_text").replace("\r\n", "\n").replace("\r", "\n")
    author = author_name(user, links.get(user, [])) if (user := _surface(fields, "user")) else None
    return Post(text, author, _surface(fields, "datetime") or None, _surface(fields, "post_link") or None)


def author_name(user: str, texts: list[str]) -> str:
    """The name of a user who is given as the address of a profile, of which these are the links."""
    address = _squeezed(unquote(user))
    in_address = [text for text in texts if len(name := _squeezed(text)) >= _LEAST_NAME and name in address]
    longer = [text for text in texts if len(text) >= _LEAST_NAME]
    return next(iter([*in_address, *longer]), unquote(user.rstrip("/").rpartition("/")[2]))


def _squeezed(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


def _surface(fields: Mapping[str, object], name: str) -> str:
    """A text as the page writes it; empty where it is missing."""
    value = fields.get(name)
    return (text_or_none(value.get("surface_form")) or "").strip() if isinstance(value, dict) else ""


def _labels(document: Document, gold_text: str, posts: list[Post]) -> tuple[str, ...] | None:
    aligned = align(document, gold_text)
    if aligned.is_bad:
        return None
    bylines = {_plain(text) for post in posts for text in (post.author, post.date) if text}
    content = with_wordless(document.unfolded, aligned.content)
    return tuple(
        POST if is_content else BYLINE if _plain(text) in bylines else ""
        for text, is_content in zip(document.leaves.text, content.tolist(), strict=True)
    )


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
