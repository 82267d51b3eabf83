"""Task lists: items with a box that is checked or not."""

from __future__ import annotations

from tamis.render.content.marks import Marks
from tamis.render.content.names import NAMES
from tamis.render.content.node import Node
from tamis.render.content.source import Source

# Classes of items and of lists of them: GitHub and GitLab, Pandoc, MkDocs and Obsidian, Notion, Confluence, editors.
_ITEMS, _LISTS, _CHECKED, _UNCHECKED = (
    frozenset(NAMES["lists"][key]) for key in ("items", "lists", "checked", "unchecked")
)
_FIRST_ROWS = 5  # elements of an item that are looked at for its box


def lists(source: Source) -> Marks | None:
    """The items of task lists."""
    classes = source.classes
    if _ITEMS.isdisjoint(classes) and _LISTS.isdisjoint(classes):
        return None
    rows = {row for name in _ITEMS.intersection(classes) for row in classes[name]}
    for name in _LISTS.intersection(classes):
        rows |= {item for row in classes[name] for item in source.children(row)}
    named: dict[int, Node] = {}
    for row in sorted(rows):
        if source.tag(row) == "li" and source.holds[row] and (checked := _checked(source, row)):
            named[row] = Node("li", {"checked": checked})
    return Marks(named=named) if named else None


def _checked(source: Source, row: int) -> str:
    """Whether the box of an item is checked, "true" or "false"; empty if it has none."""
    for each in range(row, min(int(source.elements.end[row]), row + 1 + _FIRST_ROWS)):
        if each > row and source.tag(each) in ("ul", "ol", "li"):
            break
        names = source.class_names(each)
        if source.tag(each) == "input" and (source.attribute(each, "type") or "").lower() == "checkbox":
            return "false" if source.attribute(each, "checked") is None else "true"
        for name in ("data-checked", "aria-checked"):
            if (value := source.attribute(each, name)) in ("true", "false"):
                return value
        if not _CHECKED.isdisjoint(names):
            return "true"
        if not _UNCHECKED.isdisjoint(names):
            return "false"
    parent = int(source.elements.parent[row])
    return "false" if "inline-task-list" in source.class_names(parent) else ""
