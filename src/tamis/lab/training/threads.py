"""Comment threads as blogs, newspapers and boards have written them, made of the words of other pages."""

from __future__ import annotations

from html import escape
from typing import NamedTuple

import numpy as np

from tamis.document import parse
from tamis.lab.training.edit import COMMENT, Draft, built, texts_in
from tamis.lab.training.words import Words

_MOST_COMMENTS, _MOST_WORDS = 80, 4_000
_NAMED = '[class*="comment" i], [id*="comment" i], #disqus_thread'
_MOVED = 0.5  # how often the thread of another page is taken, if it has one
_FEWEST_TEXTS = 6  # of a thread on another page


class _Template(NamedTuple):
    """The markup before the comments, of each, and after them."""

    before: str
    comment: str
    after: str


_TEMPLATES = tuple(
    _Template(*(part.strip() for part in text.split("=====")))
    for text in (
        """<div id="comments"><h3>{count} {comments}</h3><ol class="commentlist">=====
        <li class="comment depth-1" id="comment-{n}"><div class="comment-author vcard"><img src="x"><cite>{name}</cite>
        <span class="says">{says}</span></div><div class="comment-meta"><a href="#">{date}</a></div><p>{text}</p>
        <div class="reply"><a href="#">{reply}</a></div></li>=====
        </ol><div id="respond"><h3>{write}</h3><p>Name</p><p>Mail</p></div></div>""",
        """<div id="content2"><h3 id="comments">{count} {comments}</h3><ol class="commentlist">=====
        <li class="alt" id="comment-{n}"><cite><a href="#">{name}</a></cite> {says}<br><small class="commentmetadata">
        <a href="#">{date}</a></small><p>{text}</p></li>=====</ol><h3 id="respond">{write}</h3></div>""",
        """<div id="disqus_thread"><div id="dsq-content"><h3>{comments}: {count}</h3><ul id="dsq-comments">=====
        <li class="dsq-comment" id="dsq-comment-{n}"><div class="dsq-comment-header"><img src="x"><a href="#">{name}</a>
        <span>{date}</span></div><div class="dsq-comment-body"><div class="dsq-comment-message">{text}</div>
        <div class="dsq-comment-footer"><a href="#">{reply}</a></div></div></li>=====</ul></div></div>""",
        """<div class="comments" id="comments"><h4>{count} {comments}:</h4><dl id="comments-block">=====
        <dt class="comment-author" id="c{n}"><a href="#">{name}</a> {says}</dt><dd class="comment-body"><p>{text}</p></dd>
        <dd class="comment-footer"><span class="comment-timestamp"><a href="#">{date}</a></span></dd>=====
        </dl><p class="comment-footer"><a href="#">{write}</a></p></div>""",
        """<div class="comments"><h2 class="comments-header">{comments} ({count})</h2><div class="comments-content">=====
        <div class="comment" id="comment-{n}"><div class="inner"><div class="comment-header"><b>{name}</b> {says}</div>
        <div class="comment-content"><p>{text}</p></div><p class="comment-footer"><a href="#">{date}</a> | <a href="#">
        {reply}</a></p></div></div>=====</div><h2>{write}</h2></div>""",
        """<div id="comments" class="clear-block"><h2>{comments}</h2>=====<a id="comment-{n}"></a><div class="comment">
        <h3 class="title"><a href="#">{title}</a></h3><div class="submitted">{name} - {date}</div><div class="content">
        <p>{text}</p></div><ul class="links"><li><a href="#">{reply}</a></li></ul></div>=====</div>""",
        """<div><p align="center"><b>{count} {comments}</b> - <a href="#">{write}</a></p>=====<table width="100%"><tr><td>
        <img src="x" width="{n}"></td><td width="100%"><table width="100%"><tr bgcolor="#dddddd"><td><b><a href="#">{name}
        </a></b></td><td align="right"><font size="1">{date}</font> (<a href="#">link</a>)</td></tr></table>
        <font size="2">{text}</font><p><font size="1">(<a href="#">{reply}</a>)</font></p></td></tr></table>=====</div>""",
        """<table border="0" width="100%"><tr><td colspan="2"><b>{comments}</b></td></tr>=====<tr bgcolor="#eeeeee"><td><b>
        {name}</b><br><font size="1">{date}</font></td><td>{text}</td></tr>=====<tr><td colspan="2"><a href="#">{write}</a>
        </td></tr></table>""",
        """<div id="posts"><table class="tborder"><tr><td>{comments}</td></tr></table>=====<table class="tborder" id="post{n}">
        <tr><td class="thead">{date}</td><td class="thead" align="right">#{n}</td></tr><tr><td class="alt2"><a href="#">
        {name}</a><div class="smallfont">Posts: {n}</div></td><td class="alt1"><div id="post_message_{n}">{text}</div>
        </td></tr></table>=====<div><a href="#">{reply}</a></div></div>""",
        """<div class="fbFeedbackContent"><div>{count} {comments}</div>=====<div class="postContainer"><img src="x">
        <a class="profileName" href="#">{name}</a><div class="postText">{text}</div><div><a href="#">Like</a> ·
        <a href="#">{reply}</a> · {n} · {date}</div></div>=====<div>{write}</div></div>""",
        """<div><div>{comments} ({count})</div>=====<div><div><b>{name}</b> {date}</div><div>{text}</div><div><a href="#">
        {reply}</a></div></div>=====<div><a href="#">{write}</a></div></div>""",
        """<div><b>{comments}</b>=====<p><b>{name}</b>, {date}<br>{text}</p>=====<p><a href="#">{write}</a></p></div>""",
        """<div><h4>{comments}</h4>=====<b>{name}</b> ({date})<br>{text}<br><br>=====<a href="#">{write}</a></div>""",
        """<div id="opinie"><h3>{comments} <span>({count})</span></h3><ul>=====<li><span class="nick">~{name}</span> <em>
        {date}</em><div>{text}</div><a href="#">{reply}</a> <span>+{n}</span></li>=====</ul><a href="#">{write}</a></div>""",
        """<div class="forum"><div class="tit">{comments}</div>=====<div class="post"><span class="num">{n}.</span> <strong>
        {name}</strong> <span class="data">{date}</span><p>{text}</p></div>=====<div class="more"><a href="#">{write}</a>
        </div></div>""",
        """<div class="readers"><h3>{comments}</h3>=====<table width="100%"><tr><td><b>{title}</b></td></tr><tr><td>{text}
        </td></tr><tr><td align="right"><i>{name}, {date}</i></td></tr></table><hr>=====</div>""",
        """<section class="c-thread"><header><h2>{comments}</h2></header>=====<article class="c-thread__comment"><header>
        <a href="#">{name}</a> <time>{date}</time></header><div><p>{text}</p></div><footer><button>{reply}</button> <span>{n}
        </span></footer></article>=====<form><textarea></textarea><button>{write}</button></form></section>""",
    )
)


def add_thread(draft: Draft, other: Draft, words: Words, random: np.random.Generator) -> None:
    """Put comments below the content: those of another page, or the posts of a forum, or made-up ones."""
    place = str(random.choice(["inside", "after", "around"], p=[0.3, 0.5, 0.2]))
    thread = _moved(other) if random.random() < _MOVED else None
    draft.put(thread or _made_up(words), place, COMMENT)


def _moved(other: Draft) -> parse.Element | None:
    """The posts of a forum, or the comments of a page."""
    if other.is_forum:
        return other.core.extract() if other.core is not None else None  # type: ignore[return-value]
    for node in other.tree.select(_NAMED):
        if node.tag not in ("body", "html", "article", "main") and not node.parent == other.core:
            truths = [other.truth[text] for text in texts_in([node]) if text in other.truth]
            if len(truths) >= _FEWEST_TEXTS and not any(truth.content for truth in truths):
                return node.extract()  # type: ignore[return-value]
    return None


def _made_up(words: Words) -> parse.Element:
    template = _TEMPLATES[words.below(len(_TEMPLATES))]
    count = round(_MOST_COMMENTS ** (words.below(1_000) / 1_000))
    longest = 20 + words.below(180)
    labels = {name: words.label(name) for name in ("comments", "reply", "says", "write")} | {"count": str(count)}
    comments: list[str] = []
    left = _MOST_WORDS
    for number in range(1, count + 1):
        text = words.sentences(3, longest)
        left -= text.count(" ")
        values = {"name": words.name(), "date": words.date(), "text": text, "title": words.some(1, 6), "n": str(number)}
        comments.append(_filled(template.comment, values | labels))
        if left < 0:
            break
    return built(_filled(template.before, labels) + "".join(comments) + _filled(template.after, labels))


def _filled(template: str, values: dict[str, str]) -> str:
    return template.format(**{name: escape(value) for name, value in values.items()})
