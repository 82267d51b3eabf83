"""Boxes of links to other pages, as newspapers and blogs put them round and into an article."""

from __future__ import annotations

from html import escape

import numpy as np

from tamis.document import parse
from tamis.lab.training.edit import OTHER, Draft, built
from tamis.lab.training.words import Words

_MOST_BOXES, _MOST_ITEMS = 4, 25

# The markup before the links, of each, and after them.
_BOXES = tuple(
    tuple(part.strip() for part in text.split("====="))
    for text in (
        '<div><h3>{label}</h3><ul>=====<li><a href="#">{title}</a></li>=====</ul></div>',
        '<div class="box"><div class="tit">{label}</div>=====<div><a href="#">{title}</a></div>=====</div>',
        '<div class="related"><h4>{label}</h4><ul>=====<li><a href="#">{title}</a> <span>{date}</span></li>=====</ul></div>',
        """<table width="100%"><tr><td colspan="2"><b>{label}</b></td></tr>=====<tr><td>{n}.</td><td><a href="#">{title}</a>
        </td></tr>=====</table>""",
        """<table border="0"><tr><td class="head">{label}</td></tr>=====<tr><td><a href="#"><b>{title}</b></a><br>{text}
        <a href="#">{more}</a></td></tr>=====</table>""",
        """<div class="news"><b>{label}</b>=====<p><a href="#">{title}</a><br>{text}</p>=====<p><a href="#">{more}</a></p>
        </div>""",
        """<div><h2>{label}</h2>=====<div class="item"><img src="x"><h3><a href="#">{title}</a></h3><p>{text}</p>
        <span>{date}</span></div>=====</div>""",
        '<div><b>{label}</b><br>=====<a href="#">{title}</a><br>=====</div>',
        '<div><b>{label}</b><br>=====<font size="1">{date}</font> <a href="#">{title}</a><br>{text}<br><br>=====</div>',
        '<div><p>{label}</p><p>=====<a href="#">{title}</a> | =====</p></div>',
        '<dl><dt>{label}</dt>=====<dd><a href="#">{title}</a></dd>=====</dl>',
        """<table cellpadding="2"><tr><td colspan="7" align="center">{date}</td></tr><tr>=====<td>{day}</td>=====</tr>
        </table>""",
        """<table width="100%"><tr>=====<td valign="top" width="33%"><img src="x"><br><a href="#">{title}</a><br>
        <font size="1">{text}</font></td>=====</tr></table>""",
    )
)  # fmt: skip


def add_teasers(draft: Draft, words: Words, random: np.random.Generator) -> None:
    """Put some boxes before, behind or into the content, and into the frame."""
    for _ in range(1 + words.below(_MOST_BOXES)):
        box = _made_up(words)
        place = random.random()
        frame = [part for part in draft.frame if part.parent is not None and part.tag in ("div", "ul", "p", "table")]
        if place < 0.3 and frame:
            draft.learn([box], OTHER)
            frame[words.below(len(frame))].insert_before(box)
        elif place > 0.9 and draft.core is not None:
            draft.learn([box], OTHER)
            _insert_between(draft.core, box, words)
        else:
            draft.put(box, words.one_of("before", "after", "after", "inside", "inside"), OTHER)


def _insert_between(core: parse.Element, box: parse.Element, words: Words) -> None:
    """Put a box between two of the core's children."""
    children = [child for child in core.children if isinstance(child, parse.Element)]
    if children and core.tag not in ("table", "tbody", "tr", "ul", "ol", "dl", "p", "pre"):
        children[words.below(len(children))].insert_after(box)


def _made_up(words: Words) -> parse.Element:
    before, item, after = _BOXES[words.below(len(_BOXES))]
    labels = {"label": words.label(words.one_of("related", "popular", "latest")), "more": words.label("more")}
    labels["date"] = words.date()
    items = []
    for number in range(3 + words.below(_MOST_ITEMS)):
        values = {"title": words.some(3, 12).rstrip(".,;:"), "text": words.sentences(8, 30), "date": words.date()}
        items.append(_filled(item, labels | values | {"n": str(number + 1), "day": str(number % 31 + 1)}))
    return built(_filled(before, labels) + "".join(items) + _filled(after, labels))


def _filled(template: str, values: dict[str, str]) -> str:
    return template.format(**{name: escape(value) for name, value in values.items()})
