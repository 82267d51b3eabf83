"""Posts and comments of golden pages: one of ours for each system, in its markup, and traps.

What is kept is given, so nothing here depends on weights.
"""

from __future__ import annotations

import pickle
import time

import numpy as np
import pytest

from tamis import Document, Labels, Role
from tamis.page_type import PageType, PageTypes
from tamis.records.posts import Post, byline, comments, posts, thread_content
from tamis.render.content import HtmlOptions
from tamis.render.html import to_html
from tamis.render.markdown import markdown_blocks, nodes_markdown
from tests.golden import GoldenPage, post_pages

PAGES = post_pages()
SAID = ("author", "date", "text")
FORUM = PageTypes({each: float(each is PageType.FORUM) for each in PageType})


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


def board(*said: str) -> tuple[Post, ...]:
    """The posts of a small board, on which three people say something."""
    return posts(*board_page(*said))


def board_page(*said: str, names: tuple[str, ...] = ("Ann", "Bob", "Cid")) -> tuple[Document, Labels]:
    """The page of a small board, and what is kept of it."""
    one = (
        "<div class=post id=p{n}><a class=username href=/user/{n}>{name}</a> <time datetime=2024-05-0{n}>x</time>"
        "<a href='#p{n}'>#{n}</a><div class=body>{text}</div></div>"
    )
    html = "".join(
        one.format(n=number, name=name, text=text)
        for number, (name, text) in enumerate(zip(names, said, strict=True), 1)
    )
    document = Document.from_html(f"<h1>Bread</h1><main>{html}</main>", url="https://board.example/t")
    keep = document.inside(".body") & document.leaves.visible
    return document, Labels(keep.astype(np.float64), keep, page_types=FORUM)


LONG = "It rises for a day, and for another one in the cold."


def test_markdown_of_a_post_has_its_structure_and_its_quotations() -> None:
    posted = board(LONG, f"<blockquote>{LONG}</blockquote><p>Two <b>days</b>:<ul><li>warm<li>cold</ul>", LONG)[1]
    assert posted.text == "Two days:\n\nwarm\ncold"
    assert posted.quotes == (LONG,)
    assert posted.markdown == f"> {LONG}\n\nTwo **days**:\n\n- warm\n- cold"


def test_a_thread_says_who_says_what_and_when() -> None:
    document, labels = board_page(LONG, "Cold is *better* &lt;for&gt; the crust, as I said.", LONG)
    content = thread_content(document, labels, HtmlOptions(), posts(document, labels))
    assert content is not None
    markdown = "\n\n".join(block.text for block in markdown_blocks(document, labels, content=content))
    assert f"[#1](https://board.example/t#p1) · **Ann** · 2024-05-01\n\n{LONG}\n\n" in markdown
    assert "**Bob** · 2024-05-02\n\nCold is \\*better\\* &lt;for> the crust, as I said." in markdown
    assert (
        '<header><a href="https://board.example/t#p1">#1</a> · <b>Ann</b> · '
        '<time datetime="2024-05-01">2024-05-01</time></header>'
    ) in to_html(document, labels, nodes=content)


def test_posts_in_a_table_of_data_and_kept_names_have_no_line_above() -> None:
    rows = "".join(f"<tr class=post><td>Reader {n}<td>{n} May 2024<td>{LONG} It is loaf {n}.</tr>" for n in range(1, 9))
    document = Document.from_html(f"<table><tr><th>Who<th>When<th>What</tr>{rows}</table>")
    keep = document.leaves.visible
    labels = Labels(keep.astype(np.float64), keep, page_types=FORUM)
    assert len(posts(document, labels)) == 8
    assert thread_content(document, labels, HtmlOptions(), posts(document, labels)) is None


def test_questions_and_accepted_answers_are_called_so() -> None:
    question = Post("Why?", "Ann", is_question=True)
    answer = Post("So.", number=2, replies_to=1, is_accepted=True)
    assert nodes_markdown(byline(question)) == "#1 · **Ann** · question"
    assert nodes_markdown(byline(answer)) == "#2 · reply to #1 · accepted answer"


def test_names_and_days_are_escaped_as_all_texts() -> None:
    names = ("&lt;img src=x onerror=y&gt;", "[a](javascript:b)", "*b*")
    document, labels = board_page(LONG, LONG, LONG, names=names)
    content = thread_content(document, labels, HtmlOptions(), posts(document, labels))
    markdown = "\n\n".join(block.text for block in markdown_blocks(document, labels, content=content))
    assert "<img" not in markdown + to_html(document, labels, nodes=content)
    assert "[a](" not in markdown


def test_a_post_is_plain_data_and_can_be_sent_to_another_process() -> None:
    posted = board(LONG, LONG, LONG)[0]
    again = pickle.loads(pickle.dumps(posted))
    assert again == posted
    assert again.as_dict() == posted.as_dict()
    assert again.markdown == LONG
    assert again.xpath == "/html[1]/body[1]/main[1]/div[1]"


def test_mails_quote_below_a_line_that_says_whom() -> None:
    first, second, _ = board(LONG, f"On 3 May, Ann wrote:<br>&gt; {LONG}<br>&gt; Yes.<br><br>So it is, I think.", LONG)
    assert second.text == "So it is, I think."
    assert second.quotes == (f"{first.text}\nYes.",)
    assert board(LONG, "Open these one by one:<br>&gt; File<br>&gt; Save as", LONG)[1].quotes == ()


def test_pages_without_dates_or_names_are_no_threads() -> None:
    document = Document.from_html("<main><div><p>One.</p></div><div><p>Two.</p></div></main>")
    keep = document.leaves.visible
    assert posts(document, Labels(keep.astype(np.float64), keep)) == ()
    assert comments(document, Labels(keep.astype(np.float64), keep)) == ()


@pytest.mark.nightly
@pytest.mark.parametrize(
    "one",
    [
        "<div class=a>{n} May 2024<i class=author>Ann</i><p>what is said, in each in the one before",
        "<div class=a><b>{n} May 2024</b><i class=author>Ann</i><p>what is said, and said again</div>",
        "<table><tr><td>{n} May 2024<tr><td>what is said, and said again</table>",
        "<tr><td>{n} May 2024<tr><td>what is said, and said again",
        "<b>{n} May 2024</b><i>Ann</i> what is said, and said again<br>",
    ],
)
def test_long_threads_take_linear_time(one: str) -> None:
    def seconds(count: int) -> float:
        rows = "".join(one.format(n=number % 28 + 1) for number in range(count))
        document = Document.from_html(f"<table>{rows}" if one.startswith("<tr") else rows)
        keep = document.leaves.visible
        given = Labels(keep.astype(np.float64), keep, (Role.COMMENT,) * len(keep), page_types=FORUM)
        start = time.process_time()
        thread = posts(document, given)
        thread_content(document, given, HtmlOptions(), thread)
        comments(document, given)
        return time.process_time() - start

    assert seconds(8_000) < 8 * max(seconds(2_000), 0.1)
