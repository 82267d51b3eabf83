"""Posts and comments of golden pages: one of ours for each system, in its markup, and traps.

What is kept is given, so nothing here depends on weights.
"""

from __future__ import annotations

import numpy as np
import pytest

from tamis import Document, Labels, Role
from tamis.page_type import PageType, PageTypes
from tamis.records.posts import Post, comments, posts, thread_html, thread_markdown
from tests.golden import GoldenPage, post_pages

PAGES = post_pages()
SAID = ("author", "date", "text")


def labels(page: GoldenPage, document: Document) -> Labels:
    """What a reader keeps of a page, what comments are, and its type."""
    given = page.gold(document)
    is_comment = document.inside(*page.head.get("comments", ["#none"]))
    roles = tuple(
        Role.COMMENT if comment else Role.TEXT if keep else Role.BOILERPLATE
        for comment, keep in zip(is_comment, given.keep, strict=True)
    )
    kind = PageType(page.head.get("type", "article" if "comments" in page.head else "forum"))
    types = PageTypes({each: float(each is kind) for each in PageType})
    return Labels(given.scores, given.keep & ~is_comment, roles, page_types=types)


def read(page: GoldenPage) -> tuple[Post, ...]:
    document = page.document()
    given = labels(page, document)
    return comments(document, given) if "comments" in page.head else posts(document, given)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_posts_are_what_a_reader_sees(page: GoldenPage) -> None:
    expected = page.head.get("post", [])
    found = [
        {name: list(value) if isinstance(value := getattr(post, name), tuple) else value for name in wanted}
        for post, wanted in zip(read(page), expected, strict=True)
    ]
    assert found == expected
