"""The content in the data of a page.

The sources in order of trust: JSON-LD, the state in scripts, JSON in attributes. Data is decoded and never run.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from html import escape, unescape
from itertools import islice, pairwise

from tamis.deadline import check, checked
from tamis.document import parse
from tamis.document.decode import clean_text
from tamis.document.linked_data import Thing, type_names
from tamis.document.shells import state
from tamis.document.shells.state import (
    FEWEST_WORDS,
    from_attributes,
    from_scripts,
    is_continuation,
    is_cut_off,
    is_markup,
    plain,
    title_overlap,
    words,
)
from tamis.document.table import Document
from tamis.document.titles import fold, title_parts

# Code, other pages, and elements that would swallow or change the rest of the page.
_DROPPED = "script, style, template, iframe, object, embed, base, meta, link, title, plaintext, noframes, svg, math"

# If one of these is left open, the standard reopens it in each later paragraph. A thousand of them before as many
# paragraphs make a million elements; real texts leave at most a few open.
_FORMATTING = re.compile(r"<(/?)(a|b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)(?=[\s/>])", re.IGNORECASE)
_MOST_OPEN = 30


def page(title: str, texts: list[str]) -> str:
    """A page of a heading and texts, which are HTML or plain lines of paragraphs; pieces of one sentence are joined."""
    title = unescape(title.strip())
    folded_title = fold(title)
    body: list[str] = []
    line = ""
    for text in texts:
        if line and (is_markup(text) or not (is_continuation(text) or is_cut_off(line))):
            body.append(_paragraphs(line))
            line = ""
        if is_markup(text):
            body.append(_closed_markup(text))
        elif fold(text) != folded_title:
            line += unescape(text)
    heading = f"<h1>{escape(title)}</h1>" if title else ""
    article = "".join((heading, *body, _paragraphs(line)))
    return clean_text(f"<!doctype html><title>{escape(title)}</title><article>{article}</article>")


def _paragraphs(text: str) -> str:
    """Each line of a plain text as a paragraph."""
    lines = filter(None, map(str.strip, text.split("\n")))
    return "".join(f"<p>{escape(line, quote=False)}</p>" for line in lines)


def _closed_markup(markup: str) -> str:
    """The same HTML without scripts, with all elements closed."""
    if _is_tangled(markup):
        return _paragraphs(plain(markup))
    tree = parse.parse(markup)
    for node in parse.select(tree, _DROPPED):
        node.decompose()
    return "".join(f"<div>{node.inner_html}</div>" for node in parse.select(tree, "body"))


def _is_tangled(markup: str) -> bool:
    """Does markup leave too many elements open to be parsed in time?"""
    opened: Counter[str] = Counter()
    for found in _FORMATTING.finditer(markup):
        tag = found[2].lower()
        if not found[1]:
            opened[tag] += 1
        elif opened[tag]:
            opened[tag] -= 1
        if opened.total() > _MOST_OPEN:  # of 14 tags at most
            return True
    return False


# Deeper parts of a thing are not read; real things nest five levels or so.
_DEEPEST = 12
_MOST_TEXTS = 20_000  # of a page

# Types of things around the content: the site, its makers, the place of the page in it.
_AROUND = frozenset(
    """
    WebSite Organization NewsMediaOrganization Corporation Person BreadcrumbList ImageObject SearchAction
    SiteNavigationElement WPHeader WPFooter WPSideBar SpeakableSpecification ContactPoint PostalAddress
    """.split()
)

# The fields with the text of a thing; only the first one present counts, since a description may be a summary.
_BODY = ("articleBody", "reviewBody", "text", "transcript", "description", "abstract")

# More fields for readers, then things that belong to the content: answers, comments, sections. In reading order.
_MORE = (
    "recipeIngredient", "recipeInstructions", "step", "responsibilities", "qualifications", "skills",
    "acceptedAnswer", "suggestedAnswer", "answer", "comment", "review", "hasPart", "itemListElement", "item", "steps",
)  # fmt: skip


def content_of_things(things: list[Thing]) -> list[str]:
    """The texts of the content in reading order, each plain or HTML; none if JSON-LD describes no content."""
    texts = (text for thing in things if _is_main(thing) for text in _texts_of_fields(thing.fields, 0))
    return list(islice(texts, _MOST_TEXTS))


def name_of_things(things: list[Thing]) -> str | None:
    """The name of the first main thing that has one."""
    names = (thing.fields.get(key) for thing in things if _is_main(thing) for key in ("headline", "name"))
    return next((name for name in names if isinstance(name, str) and name.strip()), None)


def _is_main(thing: Thing) -> bool:
    return thing.is_about_page and _AROUND.isdisjoint(thing.types)


def _texts_of_value(value: object, depth: int) -> Iterator[str]:
    """The texts of a value and of its parts: of a question the answers, of a recipe the steps."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for each in value:
            yield from _texts_of_value(each, depth)
    elif isinstance(value, dict) and depth <= _DEEPEST and _AROUND.isdisjoint(type_names(value)):
        if isinstance(name := value.get("name"), str):
            yield name
        yield from _texts_of_fields(value, depth)


def _texts_of_fields(fields: Mapping[str, object], depth: int) -> Iterator[str]:
    bodies = (body for key in _BODY if isinstance(body := fields.get(key), str | list) and body)
    for part in (next(bodies, None), *(fields.get(key) for key in _MORE)):
        yield from _texts_of_value(part, depth + 1)


# Shorter embedded text is not content.
_FEWEST_WORDS = 40
# State also holds the texts of forms, players and shops. If no record bears the page's title, the content must have
# this weight (see state.py) and this share of the words of the title. On the pages of WCXB dev that carry such state
# in addition to their visible text, it then has the gold's words with a precision of 0.66 (0.32 below), and records
# that bear the title with 0.75.
_LEAST_UNTITLED_WEIGHT = 300
_LEAST_SHARE_OF_TITLE = 0.7
# A later source with this many times the words is preferred: the earlier one has only a summary.
_TIMES_A_SUMMARY = 3

# The rest is left out: real pages have less content. Even if each line were one letter, the paragraphs made of them
# would not exceed table.MAX_TAGS.
_MOST_CHARACTERS = 500_000
# Characters of a title that are looked for in the data.
_LONGEST_TITLE = 1_000
# A folded text of at least this length that another one starts with is an excerpt. Shorter texts may be headings.
_EXCERPT = 40


def content(document: Document) -> tuple[str, str] | None:
    """The kind of source with the most content, and a small page of it; None if no data has content."""
    tree, things = document.tree, document.linked_data.things
    og_title = parse.opengraph(tree).get("title", "")
    given = (each[:_LONGEST_TITLE] for each in (document.title, og_title))
    titles = frozenset(fold(part) for each in given for part in (each, *title_parts(each))) - {""}
    sources = {
        "json-ld": content_of_things(things),
        "state": _richest_texts(from_scripts(tree), titles),
        "preloaded": _richest_texts(from_attributes(tree), titles),
    }
    chosen, texts, most = "", [""], 0.0
    for source, found in sources.items():
        check()
        distinct = list(_distinct_texts(found))
        count = sum(count for text in distinct if (count := words(plain(text))) >= FEWEST_WORDS)
        if count >= max(_FEWEST_WORDS, _TIMES_A_SUMMARY * most):
            chosen, texts, most = source, distinct, count
    if not chosen:
        return None
    name = name_of_things(things) if chosen == "json-ld" else None
    # The longest part of the TITLE is rarely the name of the site.
    title = name or og_title or max(title_parts(document.title), key=words, default="")
    return chosen, page(title, texts)


def _richest_texts(values: Iterable[object], titles: frozenset[str]) -> list[str]:
    """The content of the value that has the most; values that bear the page's title come first."""
    found = [state.content(value, titles) for value in checked(values) if isinstance(value, dict | list)]
    best = max(found, key=lambda each: (each.named, each.weight), default=None)
    if best is None or best.named:
        return best.texts if best else []
    if best.weight < _LEAST_UNTITLED_WEIGHT:
        return []
    text = fold(plain(" ".join(best.texts)[:_MOST_CHARACTERS]))
    return best.texts if any(title_overlap(title, text) >= _LEAST_SHARE_OF_TITLE for title in titles) else []


def _distinct_texts(texts: Iterable[str]) -> Iterator[str]:
    """The texts up to a limit, without repetitions and without texts that are a prefix of another one."""
    known = [(text, fold(plain(text))) for text in texts if len(text) <= _MOST_CHARACTERS]
    ordered = sorted({folded for _, folded in known})
    seen = {one for one, other in pairwise(ordered) if len(one) >= _EXCERPT and other.startswith(one)}
    room, last = _MOST_CHARACTERS, ""
    for text, folded in known:
        # A piece of a sentence may be repeated.
        if not (is_continuation(text) or is_cut_off(last)):
            if not folded or folded in seen:
                continue
            seen.add(folded)
        room -= len(text)
        if room < 0:
            return
        yield text
        last = text
