"""Listings as lists in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from tamis.arrays import places
from tamis.document import Document
from tamis.labels import Labels
from tamis.records.entries import LEAST_ENTRIES, LEAST_SENTENCE, MOSTLY
from tamis.records.items import Item, ListedItem, lines_of, listed_items
from tamis.render.content import Child, HtmlOptions, Node
from tamis.render.content.media import medium_node
from tamis.render.content.source import base_url
from tamis.render.content.tree import content_tree
from tamis.render.markdown import nodes_markdown

_LONGEST_SHOWN = 1_500  # characters of an entry that is written as an item of a list
_MOST_PARTS = 8  # of a page around its entries; each takes as long as a page without entries


def items_markdown(found: Sequence[Item]) -> str:
    """Items as a list in Markdown: the title as a link, date and price, and the snippet below."""
    return nodes_markdown(
        [Node("ul", {}, [_list_item(item, [item.date, item.price], [item.snippet]) for item in found])]
    )


def _list_item(item: Item, facts: Iterable[str | None], lines: Iterable[Child | None]) -> Child:
    title = Node("a", {"href": item.url}, [item.title]) if item.url else Node("b", {}, [item.title])
    below = [child for line in lines if line for child in (Node("br"), line)]
    return Node("li", {}, [title, *[f" · {fact}" for fact in facts if fact], *below])


def listing_content(
    document: Document, labels: Labels, options: HtmlOptions, found: Sequence[ListedItem] | None = None
) -> list[Child] | None:
    """The content of a listing with its entries as lists; None if the page is not written this way.

    It is if its entries are short, hold most of the kept text, and are not the rows of a table. They are written with
    all their kept text; the rest of the content is written around them as on other pages. `found` are the entries,
    where they are known already.
    """
    found = listed_items(document, labels) if found is None else found
    if len(found) < LEAST_ENTRIES:
        return None
    keep, lengths = labels.keep, [len(text) for text in document.leaves.text]
    kept = [(record, [leaf for leaf in record.entry.leaves if keep[leaf]]) for record in found]
    kept = [(record, leaves) for record, leaves in kept if leaves]
    sizes = [sum(lengths[leaf] for leaf in leaves) for _, leaves in kept]
    whole = sum(lengths[leaf] for leaf in places(keep).tolist())
    if len(kept) < LEAST_ENTRIES or any(document.elements.all_nodes[each.entry.row].tag == "tr" for each, _ in kept):
        return None
    if max(sizes) > _LONGEST_SHOWN or sum(sizes) < MOSTLY * whole:
        return None
    rest = keep.copy()
    rest[[leaf for _, leaves in kept for leaf in leaves]] = False
    content: list[Child] = []
    items_here = Node("ul")  # the list that the next item belongs to, if nothing is kept between
    done, count = 0, 0
    for record, leaves in [*kept, (None, [len(keep)])]:
        if rest[done : leaves[0]].any():
            around = np.zeros(len(keep), dtype=np.bool_)
            around[done : leaves[0]] = rest[done : leaves[0]]
            content += content_tree(document, replace(labels, keep=around), options).children
            count += 1
        if record is not None:
            if not content or content[-1] is not items_here:
                items_here = Node("ul")
                content.append(items_here)
            items_here.children.append(_shown_item(document, record, leaves, options))
        done = max(done, leaves[-1] + 1)
        if count > _MOST_PARTS:
            return None
    return content


def _shown_item(document: Document, record: ListedItem, leaves: Sequence[int], options: HtmlOptions) -> Child:
    """An item of a list with all kept text of an entry, short lines next to the title and long ones below."""
    item = record.item
    others = [text for _, text in lines_of(document, leaves, record.named, item.title)]
    facts = [line for line in others if len(line) < LEAST_SENTENCE]
    below: list[Child] = [line for line in others if len(line) >= LEAST_SENTENCE]
    if options.images:
        rows = [int(document.leaves.element[leaf]) for leaf in leaves if document.leaves.is_media[leaf]]
        base = base_url(document)
        below += [
            image for row in rows if (image := medium_node(document.elements, row, base)) and image.name == "img"
        ][:1]
    return _list_item(item if options.links else replace(item, url=None), facts, below)
