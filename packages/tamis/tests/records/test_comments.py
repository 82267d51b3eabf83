"""Comments of readers, one by one, as blogs, forums and guestbooks of several decades write them.

The roles are given, so nothing here depends on weights but the last part.
"""

from __future__ import annotations

import json

import numpy as np
import pytest

import tamis
from tamis import Document, Labels, Role
from tamis.records.posts import Comment, comments
from tests.test_api import BLOG_PAGE, COMMENTS

TEXTS = (
    "I have baked this bread twice now, and it works every time.",
    "Thank you, Ann. Mine never rises, what do I do wrong?",
    "Try a warmer place, at 18:30 the kitchen is warm enough for any dough.",
    "Nice.",
)
NAMES = ("Ann Miller", "Bob", "Ćwirek", "Dora")
REPLY = Comment("That is a reply, between two others.", "Zed", "2012-04-03")


def found(html: str, marked: str) -> list[Comment]:
    """The comments of a page on which the network marks what is in the elements `marked`."""
    document = Document.from_html(f"<h1>Bread</h1>{html}")
    is_comment, is_title = document.inside(marked), document.inside("h1, .article")
    roles = tuple(
        Role.COMMENT if comment else Role.TEXT if title else Role.BOILERPLATE
        for comment, title in zip(is_comment, is_title, strict=True)
    )
    nothing = np.zeros(len(roles))
    read = comments(document, Labels(nothing, nothing > 0, roles))
    return [Comment(each.text, each.author, each.date) for each in read]


def test_a_line_of_the_footer_is_no_part_of_the_comments() -> None:
    posts = "".join(f"<li><strong>{name}</strong><p>{text}</p></li>" for name, text in zip(NAMES, TEXTS, strict=True))
    byline = "<p>By <a class=author href=/lena>Lena Hartog</a>, <time>14 May 2025</time></p>"
    page = f"<main>{byline}<p class=article>It rises.</p><div><h3>4 comments</h3><ul>{posts}</ul></div></main>"
    html = f"{page}<footer><p>© 2026 The Valley Courier.</p></footer>"
    assert [comment.text for comment in found(html, "li p, footer p")] == [*TEXTS]
    inside = html.replace("<li>", "<li><footer>by</footer>")  # of each comment
    assert len(found(inside, "li p, li footer")) == len(TEXTS)


def expected(*dates: str) -> list[Comment]:
    return [Comment(*each) for each in zip(TEXTS, NAMES, dates, strict=True)]


def many(pattern: str, reply: str = "") -> str:
    """A comment for each of TEXTS; the second one has a reply in it."""
    return "".join(
        pattern.format(n=number + 1, text=text, name=name, reply=reply if number == 1 else "")
        for number, (text, name) in enumerate(zip(TEXTS, NAMES, strict=True))
    )


WORDPRESS = """<li class="comment {kind}" id=comment-{{n}}><div class="comment-body"><div class="comment-author vcard">
<img src=a><cite class="fn"><a href="/u">{name}</a></cite> <span class="says">says:</span></div>
<div class="comment-meta commentmetadata"><a href="#c">{date} at 4:05 pm</a> <a href="#e">(Edit)</a></div>
<p>{text}</p><div class="reply"><a href="#r">Reply</a></div></div>{after}</li>"""
WORDPRESS_REPLY = "<ul class=children>" + WORDPRESS.format(
    kind="odd alt depth-2", name=REPLY.author, date="April 3, 2012", text=REPLY.text, after=""
) + "</ul>"  # fmt: skip
MARCH = ("2012-03-01", "2012-03-02", "2012-03-03", "2012-03-04")


@pytest.mark.parametrize("marked", ["ol", "#comments p", "#comments p, .says"])
def test_wordpress(marked: str) -> None:
    one = WORDPRESS.format(kind="even depth-1", name="{name}", date="March {n}, 2012", text="{text}", after="{reply}")
    html = f"<div id=comments><h3>5 Responses</h3><ol>{many(one, WORDPRESS_REPLY.format(n=9))}</ol></div>"
    first, second, *rest = expected(*MARCH)
    assert found(html, marked) == [first, second, REPLY, *rest]


@pytest.mark.parametrize("marked", ["ul", ".dsq-comment-message"])
def test_disqus(marked: str) -> None:
    one = """<li class="dsq-comment" id=dsq-comment-{n}><div class=dsq-comment-header><cite><a href=/u>{name}</a></cite>
        <span class="dsq-time">{n} months ago</span></div><div class="dsq-comment-message">{text}</div>
        <div class="dsq-comment-footer"><a href=#>Like</a> <a href=#>Reply</a> <span>{n}</span></div></li>"""
    ago = [f"{number} months ago" for number in range(1, 5)]
    assert found(f"<div id=disqus_thread><ul>{many(one)}</ul></div>", marked) == expected(*ago)


@pytest.mark.parametrize("marked", ["dl", ".comment-body"])
def test_blogger_has_the_name_above_and_the_date_below(marked: str) -> None:
    one = """<dt class=comment-author id=c{n}><a href=/u>{name}</a> said...</dt><dd class=comment-body>{text}</dd>
        <dd class=comment-footer><span class="comment-timestamp"><a href=#>March {n}, 2012 3:14 PM</a></span></dd>"""
    assert found(f"<div id=comments><h4>4 comments:</h4><dl>{many(one)}</dl></div>", marked) == expected(*MARCH)


@pytest.mark.parametrize("marked", [".comment", ".content"])
@pytest.mark.parametrize(
    "one",
    [
        "<div class=comment><p class=content>{text}</p><p>By: <a href=/u>{name}</a> at March {n}, 2012</p></div>",
        "<div class=comment><p class=content>{text}</p><p>Posted by {name} on March {n}, 2012 10:12 AM</p></div>",
    ],
)
def test_movable_type_has_both_below(one: str, marked: str) -> None:
    assert found(f"<div><h2>Comments</h2>{many(one)}</div>", marked) == expected(*MARCH)


@pytest.mark.parametrize("marked", ["#comments", ".content"])
def test_drupal(marked: str) -> None:
    one = """<a id=comment-{n}></a><div class="comment odd clearfix"><div class=submitted>Submitted by
        <span class=username>{name}</span> on <span class=date>2012-03-0{n} - 14:22</span>.</div>
        <div class=content><p>{text}</p></div><ul class=links><li><a href=#>reply</a></ul></div>{reply}"""
    reply = """<div class=indented><div class="comment even"><div class=submitted>Submitted by <span class=username>Zed
        </span> on <span class=date>2012-04-03 - 10:00</span>.</div><div class=content><p>That is a reply, between two
        others.</p></div></div></div>"""
    first, second, *rest = expected(*MARCH)
    assert found(f"<div id=comments><h2>Comments</h2>{many(one, reply)}</div>", marked) == [first, second, REPLY, *rest]


@pytest.mark.parametrize("marked", ["#Comments", "#Comments > div > div"])
def test_livejournal(marked: str) -> None:
    one = """<div id=ljcmt{n} style="margin-left:{n}0px"><table><tr><td><b><a href=/u>{name}</a></b></td></tr><tr>
        <td>2012-03-0{n} 04:05 pm (UTC)</td></tr></table><div>{text}</div>
        <div>(<a href=#>Reply</a>) (<a href=#>Thread</a>)</div></div>"""
    assert found(f"<div id=Comments>{many(one)}</div>", marked) == expected(*MARCH)


@pytest.mark.parametrize("marked", ["table table", "table table tr + tr"])
def test_nested_tables(marked: str) -> None:
    one = """<table width=100%><tr><td bgcolor=#eeeeee><b>{name}</b> (2012-03-0{n} 14:05)</td></tr>
        <tr><td>{text}</td></tr></table>"""
    assert found(f"<table><tr><td>{many(one)}</td></tr></table>", marked) == expected(*MARCH)


def test_a_guestbook_with_names_in_a_column() -> None:
    one = """<tr><td valign=top><b>{name}</b><br>Junior Member<br>Posts: {n}</td>
        <td><font size=1>2012-03-0{n}, 11:20 PM</font><hr>{text}</td></tr>"""
    assert found(f"<table>{many(one)}</table>", "td + td") == expected(*MARCH)


@pytest.mark.parametrize(
    ("one", "author", "date", "text"),
    [
        pytest.param(
            "<li class=item><span class=nick>Иван{n}</span> <span class=date>{n} марта 2012, 14:05</span>"
            "<div>Спасибо за статью, очень интересно.</div><a href=#>Ответить</a></li>",
            "Иван1", "2012-03-01", "Спасибо за статью, очень интересно.", id="Russian",
        ),
        pytest.param(
            "<li class=opinia><p class=autor>ćma{n}</p><p class=data>2012-03-0{n} | 14:05</p>"
            "<p>Bardzo dobry tekst, dziękuję za niego.</p><a href=#>odpowiedz</a></li>",
            "ćma1", "2012-03-01", "Bardzo dobry tekst, dziękuję za niego.", id="Polish",
        ),
        pytest.param(
            "<li class=post><div class=user>网友{n}</div><div>2012年3月{n}日 14:05</div>"
            "<p>这篇文章写得很好，支持一下，希望继续。</p><span><a href=#>回复</a> <a href=#>支持</a>[{n}]</span></li>",
            "网友1", "2012-03-01", "这篇文章写得很好，支持一下，希望继续。", id="Chinese",
        ),
    ],
)  # fmt: skip
@pytest.mark.parametrize("marked", ["ul", "li > p, li > div"])
def test_other_languages(one: str, author: str, date: str, text: str, marked: str) -> None:
    read = found(f"<ul>{many(one)}</ul>", marked)
    assert len(read) == len(TEXTS)
    assert read[0] == Comment(text, author, date)


def test_schema_org_and_time_elements_name_author_and_date() -> None:
    one = """<div itemscope itemtype=http://schema.org/Comment><b itemprop=author>{name}</b>
        <time datetime=2012-03-0{n}T10:00>yesterday</time><div itemprop=text>{text}</div></div>"""
    assert found(f"<section>{many(one)}</section>", "section") == expected(*MARCH)


def test_linked_data_adds_what_the_page_does_not_show() -> None:
    things = [
        {"@type": "Comment", "text": text, "author": {"@type": "Person", "name": name}, "dateCreated": date}
        for text, name, date in zip(TEXTS, NAMES, MARCH, strict=True)
    ]
    script = f'<script type="application/ld+json">{json.dumps(things)}</script>'
    assert found(f"{script}<ul>{many('<li>{text}</li>')}</ul>", "ul") == expected(*MARCH)


def test_a_single_comment_is_one_of_several_paragraphs() -> None:
    html = """<div class=article>The article.</div><div><div class=comment><b class=author>Ann</b><p>One part of it.</p>
        <p>Another part of it.</p></div></div>"""
    assert found(html, "p") == [Comment("One part of it.\n\nAnother part of it.", "Ann", None)]


def test_without_names_and_dates_each_of_a_list_is_one() -> None:
    assert [each.text for each in found(f"<ul>{many('<li>{text}</li>')}</ul>", "li")] == list(TEXTS)


def test_a_text_of_the_article_is_in_no_comment() -> None:
    html = f"<div><p class=article>The article.</p>{many('<p>{text}</p>')}<p class=article>Its end.</p></div>"
    assert [each.text for each in found(html, "p:not(.article)")] == list(TEXTS)


def test_extractors_without_roles_and_pages_without_comments_have_none() -> None:
    assert tamis.extract(BLOG_PAGE, extractor="keep-all").comments == ()
    assert tamis.extract("<p>Nobody said anything.").comments == ()


def test_the_default_finds_them_and_json_has_them() -> None:
    page = tamis.extract(BLOG_PAGE)
    told = " ".join(each.text for each in page.comments)
    assert sum(text in told for text in COMMENTS) > len(COMMENTS) / 2
    assert not any(text in page.text for text in COMMENTS)
    assert json.loads(page.json)["comments"] == [each.as_dict() for each in page.comments]
    assert page.comments == tamis.extract(BLOG_PAGE, include_comments=True).comments
