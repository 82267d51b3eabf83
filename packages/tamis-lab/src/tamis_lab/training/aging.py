"""A page as it would have been written between 1998 and 2012.

Only the markup changes; of texts, some submenus go. Texts of which some are content and some are not never become one
run. Late years are drawn more often than early ones, and the shares below are such that variants of today's articles
have, in the mean, the columns of Dragnet's and DAnIEL's pages: both validation sets are of 2011 and 2012.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from tamis.document import parse, tags
from tamis.extractor import declared as declarations
from tamis.extractor.declared import Declared
from tamis_lab.training.draft import PageDraft, Truth, texts_in

_SUBMENUS = 0.4  # how often menus keep those that unfold
_FOLDS = 0.6  # how often parts stay folded, in the last year
_MOVED = 0.5  # how often columns before the content come behind it

# Tags that came later, and those used before.
_OLDER = {
    "article": "div", "main": "div", "section": "div", "nav": "div", "aside": "div", "header": "div", "footer": "div",
    "figure": "div", "figcaption": "div", "hgroup": "div", "details": "div", "summary": "div", "dialog": "div",
    "search": "div", "time": "span", "mark": "span", "button": "a", "strong": "b", "em": "i", "svg": "img",
    "picture": "img", "video": "object", "audio": "object", "iframe": "object", "canvas": "img",
}  # fmt: skip
_NEWER_ATTRIBUTES = ("role", "itemprop", "itemtype", "itemscope", "hidden")
_GONE = "script, style, link, template:not([shadowrootmode])"
_LAYOUT = frozenset(("div", "form", "center", "fieldset"))
_BLOCKS = tags.BLOCK - {"button"}

# What the parts of a page are called by those who made it: the names of the element that holds the content, of the
# elements round it, of the post, of the sidebars, the menu, the head and the foot.
_PARTS = ("core", "main", "article", "aside", "nav", "header", "footer")
_TEMPLATES = [
    dict(zip(_PARTS, line.split(), strict=True))
    for line in Path(__file__).with_name("site_names.txt").read_text(encoding="utf-8").splitlines()
]
_COMMON = 6  # the first templates, more often in late years


@dataclass(frozen=True)
class _OldStyle:
    """How one page is written."""

    age: float  # from 0 in the last year to 1 in the first
    paragraphs: str  # p, br, div, or joined: one p with br
    heading: str  # h1, h2, h3, div, p or font
    lists: str  # of links: ul, rows, cells, divs, br or bar
    tables: float  # how many of the elements that lay out others are tables
    flat: float  # how many wrappers of one child go
    names: dict[str, str]
    keeps_names: bool  # where the template has none

    @classmethod
    def drawn(cls, random: np.random.Generator) -> _OldStyle:
        age = float(random.random()) ** 3

        def one_of(**shares: float) -> str:
            total = np.array(list(shares.values()))
            return str(random.choice(list(shares), p=total / total.sum()))

        has_tables = random.random() < 0.03 + 1.1 * age
        templates = _COMMON if random.random() < 0.7 - 0.7 * age else len(_TEMPLATES)
        return cls(
            age,
            one_of(p=2.6 - 2.2 * age, br=0.3 + age, div=0.25, joined=0.1 + 0.4 * age),
            one_of(h1=3.0 - 2.8 * age, h2=0.5, h3=0.2, div=0.3, p=0.1 + 0.2 * age, font=0.1 + age),
            one_of(ul=4.0 - 3.7 * age, rows=0.1 + age, cells=0.1, divs=0.3, br=0.1 + 0.6 * age, bar=0.1),
            (0.2 + 0.8 * float(random.random())) if has_tables else 0.0,
            0.3 + 0.6 * float(random.random()),
            _TEMPLATES[int(random.integers(templates))],
            bool(random.random() < 0.8 - 0.7 * age),
        )


def aged(draft: PageDraft, random: np.random.Generator) -> PageDraft:
    """Rewrite a page as an old one. The draft is used up."""
    style = _OldStyle.drawn(random)
    draft.tree.remove(_GONE)
    if draft.core is not None:
        _set_name(draft.core, style.names["core"])
    _remove_submenus(draft, random)
    _rename(draft, style, random)
    _write_headings(draft, style)
    _write_paragraphs(draft, style)
    _write_lists(draft, style)
    _flatten(draft, style, random)
    _move_columns(draft, random)
    _write_tables(draft, style, random)
    return replace(draft, declared=_declared_then(draft.declared, style, random))


def _declared_then(declared: Declared, style: _OldStyle, random: np.random.Generator) -> Declared:
    """What such a page declares: a description at most, and late ones an address."""
    described, addressed, graphed = (
        random.random() < share for share in (0.85 - 0.4 * style.age, 0.8 - style.age, 0.4 - style.age)
    )
    page = np.zeros_like(declared.page)
    for number, name in enumerate(declarations.PAGE):
        if (
            (described and name == "described")
            or (addressed and name.startswith("address"))
            or (graphed and name.startswith("og "))
        ):
            page[number] = declared.page[number]
    texts = {kind: text for kind, text in declared.texts.items() if described and kind == "meta"}
    return Declared(texts, "", frozenset(), declared.openings if described else (), page)


def _remove_submenus(draft: PageDraft, random: np.random.Generator) -> None:
    """Lists in lists of links are menus that unfold; old pages have fewer."""
    if random.random() < _SUBMENUS:
        return
    for node in draft.tree.select("li > ul, li > ol, li > div:has(ul)"):
        if node.parent is not None and not any(draft.truth[text].content for text in texts_in([node])):
            node.extract()


def _set_name(node: parse.Element, name: str) -> None:
    """Give an element a name, `#id` or `.class`; a sign alone removes its name."""
    for attribute in ("class", "id"):
        if attribute in node.attrs:
            del node.attrs[attribute]
    if name[1:]:
        node.attrs["id" if name[0] == "#" else "class"] = name[1:]


def _rename(draft: PageDraft, style: _OldStyle, random: np.random.Generator) -> None:
    """Tags and attributes that came later go; the names of the site are those of the style."""
    folds = random.random() < _FOLDS - style.age
    for node in draft.tree.select(":is(a, button) :is(div, p, h1, h2, h3, h4, h5, h6, section, article, figure)"):
        node.tag = "b" if node.tag[0] == "h" else "span"  # links did not contain blocks
    for node in list(draft.tree.iter_elements()):
        for attribute in _NEWER_ATTRIBUTES:
            if attribute in node.attrs:
                if folds and attribute == "hidden":
                    node.attrs["style"] = "display: none"
                del node.attrs[attribute]
        if not folds and "style" in node.attrs:
            del node.attrs["style"]
        tag = node.tag
        if node != draft.core:
            if tag in style.names:
                _set_name(node, style.names[tag])
            elif not style.keeps_names:
                _set_name(node, ".")
        if (older := _OLDER.get(tag)) is not None:
            if older in ("img", "object"):
                if node.parent is not None:
                    node.replace_with(parse.Element(older, {"src": "x"}))
            else:
                node.tag = older


def _write_headings(draft: PageDraft, style: _OldStyle) -> None:
    """The main heading as the style has it, others as smaller ones."""
    for node in list(draft.tree.select("h1, h2, h3, h4, h5, h6")):
        is_main = node.tag == "h1"
        if style.heading in ("h1", "h2", "h3"):
            node.tag = style.heading if is_main else ("h3" if style.heading != "h3" else "h4")
        elif style.heading in ("div", "p"):
            node.tag = "p" if style.heading == "p" else "div"
            node.wrap_children(parse.Element("b" if style.heading == "p" else "span", {"class": "t"}))
            if is_main and style.names["core"] != ".":
                node.attrs["class"] = "title"
        else:
            # A paragraph in bold letters; in the line of the text where paragraphs are, too.
            node.tag = "p"
            node.wrap_children(parse.Element("font", {"size": "5" if is_main else "3"})).wrap(parse.Element("b"))


def _truth_of(draft: PageDraft, node: parse.Node) -> Truth | bool | None:
    """The truth about the texts in a node: None without texts, False if they differ."""
    found: Truth | None = None
    for text in texts_in([node]):
        truth = draft.truth.get(text)
        if truth is not None and truth != found:
            if found is not None:
                return False
            found = truth
    return found


def _write_paragraphs(draft: PageDraft, style: _OldStyle) -> None:
    paragraphs = list(draft.tree.select("p"))
    if style.paragraphs == "p":
        return
    if style.paragraphs == "div":
        for node in paragraphs:
            node.tag = "div"
        return
    parents = dict.fromkeys(node.parent for node in paragraphs)
    for parent in parents:
        if isinstance(parent, parse.Element):
            for group, is_alone in _flows(draft, parent):
                _join(group, "p" if style.paragraphs == "joined" else ("" if is_alone else "div"))


def _flows(draft: PageDraft, parent: parse.Element) -> list[tuple[list[parse.Element], bool]]:
    """Adjacent paragraphs whose texts have the same truth, and whether no other text adjoins them."""
    groups: list[tuple[Truth | bool | None, list[parse.Element]]] = []
    stretch = 0  # the first group of the present stretch without a block
    done: list[tuple[list[parse.Element], bool]] = []

    def close() -> None:
        nonlocal stretch
        found = groups[stretch:]
        done.extend((nodes, len(found) == 1) for _, nodes in found if nodes)
        stretch = len(groups)

    for node in parent.children:
        is_element = isinstance(node, parse.Element)
        if is_element and node.tag in _BLOCKS and node.tag != "p":  # type: ignore[attr-defined]
            close()
            continue
        truth = _truth_of(draft, node)
        is_paragraph = is_element and node.tag == "p"  # type: ignore[attr-defined]
        if truth is None and not is_paragraph:
            continue
        if truth is False or len(groups) == stretch or (truth is not None and groups[-1][0] != truth):
            groups.append((truth, []))
        if is_paragraph:
            groups[-1][1].append(node)  # type: ignore[arg-type]
        else:
            groups.append((truth, []))  # text beside paragraphs stays where it is
    close()
    return done


def _join(nodes: list[parse.Element], tag: str) -> None:
    """Paragraphs become texts with empty lines between them, in an element of this tag if one is given."""
    if tag:
        nodes[0].wrap_siblings(parse.Element(tag), until=nodes[-1])
    for node in nodes:
        if node is not nodes[-1]:
            node.insert_after(parse.Element("br"))
            node.insert_after(parse.Element("br"))
        node.unwrap()


def _write_lists(draft: PageDraft, style: _OldStyle) -> None:
    """Lists of links as the style has them; lists of texts stay."""
    if style.lists == "ul":
        return
    for node in list(draft.tree.select("ul:has(a), ol:has(a)")):
        items = [child for child in node.children if isinstance(child, parse.Element) and child.tag == "li"]
        if not items or not _is_link_list(node, items):
            continue
        merges = style.lists in ("br", "bar") and node.select_one("ul, ol, div, p, table") is None
        truth = _truth_of(draft, node) if merges else False
        if style.lists in ("rows", "cells"):
            _as_table(node, items, in_rows=style.lists == "rows" or len(items) > 12)
        elif isinstance(truth, Truth):
            node.tag = "div"
            for item in items:
                if item is not items[-1]:
                    sign: Any = parse.Element("br") if style.lists == "br" else parse.Text(" | ")
                    item.insert_after(sign)
                    if style.lists == "bar":
                        draft.truth[sign] = truth
                item.unwrap()
        else:
            node.tag = "div"
            for item in items:
                item.tag = "div"


def _is_link_list(node: parse.Element, items: list[parse.Element]) -> bool:
    linked = sum(len(link.text) for link in node.select("a"))
    return 2 * linked > len("".join(node.text.split(" "))) and len(items) > 1


def _as_table(node: parse.Element, cells: list[parse.Element], *, in_rows: bool) -> None:
    """An element becomes a table, and its children cells: one a row, or all in one row. All children are cells."""
    node.tag = "table"
    for cell in cells:
        cell.tag = "td"
        if in_rows:
            cell.wrap(parse.Element("tr"))
    body = node.wrap_children(parse.Element("tbody"))
    if not in_rows:
        body.wrap_children(parse.Element("tr"))


def _flatten(draft: PageDraft, style: _OldStyle, random: np.random.Generator) -> None:
    """Wrappers of one child go, and empty elements."""
    for node in reversed(list(draft.tree.select("div, span"))):
        if node == draft.core:
            continue
        inner = [child for child in node.children if not _is_blank(child)]
        if not inner:
            node.extract()
            continue
        wraps_block = len(inner) == 1 and isinstance(inner[0], parse.Element) and inner[0].tag in _BLOCKS
        if (node.tag == "span" or wraps_block) and random.random() < style.flat:
            node.unwrap()


def _is_blank(node: parse.Node) -> bool:
    if isinstance(node, parse.Text | parse.CData):
        return node.data.isspace()
    return not isinstance(node, parse.Element)


def _write_tables(draft: PageDraft, style: _OldStyle, random: np.random.Generator) -> None:
    """Elements that lay out several others become tables, the one that has the columns of the page first of all."""
    columns = _columns(draft)
    for node in list(draft.tree.select("div, form, center")):
        parts = [child for child in node.children if isinstance(child, parse.Element) and child.tag in _LAYOUT]
        is_columns = node == columns
        share = 1.0 if is_columns and style.tables > 0 else style.tables
        if len(parts) < 2 or random.random() >= share:
            continue
        if all(part.select_one("div, table, ul, p, br") is None for part in parts):
            continue  # paragraphs
        cells = list(_cells(node))
        _as_table(node, cells, in_rows=not is_columns and (len(cells) > 4 or random.random() < 0.6))
        if node.parent is not None and is_columns:
            node.attrs["width"] = "100%"


def _move_columns(draft: PageDraft, random: np.random.Generator) -> None:
    """Columns of links before that of the content come behind it."""
    core, around = draft.core, _columns(draft)
    if core is None or around is None or random.random() >= _MOVED:
        return
    for child in around.children:
        if isinstance(child, parse.Element) and (child == core or child in core.ancestors):
            break
        if isinstance(child, parse.Element) and child.tag in _LAYOUT and child.select_one("a") is not None:
            around.append(child.extract())


def _columns(draft: PageDraft) -> parse.Element | None:
    """The element with the column of the content beside others."""
    found: parse.Element | None = None
    node: parse.Node | None = draft.core
    while isinstance(node, parse.Element) and node.tag not in ("body", "html"):
        around = node.parent
        if isinstance(around, parse.Element) and around.tag == "div":
            beside = [child for child in around.children if isinstance(child, parse.Element) and child != node]
            if any(child.tag in _LAYOUT and child.select_one("a") is not None for child in beside):
                found = around
        node = around
    return found


def _cells(node: parse.Element) -> Iterator[parse.Element]:
    """The children of an element as elements that can become cells: texts and the like are wrapped."""
    first: parse.Node | None = None
    last: parse.Node | None = None
    for child in node.children:
        if isinstance(child, parse.Element) and child.tag in _LAYOUT:
            if first is not None:
                yield first.wrap_siblings(parse.Element("div"), until=last)
                first = None
            yield child
        elif not _is_blank(child):
            first, last = first or child, child
    if first is not None:
        yield first.wrap_siblings(parse.Element("div"), until=last)
