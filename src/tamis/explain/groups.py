"""The columns of a row in groups that a person has words for.

Columns come and go; a rule over their names puts each into a group, also one that nobody has seen yet.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from types import MappingProxyType

from tamis.document import tags

# Nodes this near above a row are its section; those further up are what the section stands in.
NEAR = 2


class Group(StrEnum):
    """What some columns tell of a row; the value is how a person would call it."""

    LENGTH = "its length"
    LINKS = "its links"
    MARKS = "its punctuation and digits"
    TAGS = "the tags it stands in"
    NAMES = "what its author calls it"
    SAID = "what the page says of itself"
    PLACE = "its place on the page"
    HEADINGS = "title and headings near it"
    ALIKE = "blocks like it"
    SECTION = "its section"
    AROUND = "what the section stands in"
    PAGE = "the page as a whole"
    OTHER = "something else"


# What is called or said can be any word, so here the first word of a column's name decides, whatever follows.
_BY_FIRST = {
    "role": Group.NAMES,
    "property": Group.NAMES,
    "named": Group.NAMES,
    "said": Group.SAID,
    "og": Group.PAGE,
    "data": Group.PAGE,
    "marked": Group.PAGE,
    "described": Group.PAGE,
    "address": Group.PAGE,
}
# Words of the other columns' names, most telling first: the first that is found in a name decides.
_BY_WORD = (
    ("page", Group.PAGE),
    ("like", Group.ALIKE),
    ("class", Group.ALIKE),
    ("repeated", Group.ALIKE),
    ("node", Group.SECTION),
    ("parent", Group.SECTION),
    ("title", Group.HEADINGS),
    ("heading", Group.HEADINGS),
    ("headings", Group.HEADINGS),
    ("h1", Group.HEADINGS),
    ("linked", Group.LINKS),
    ("links", Group.LINKS),
    ("before", Group.PLACE),
    ("after", Group.PLACE),
    ("place", Group.PLACE),
    ("depth", Group.PLACE),
    ("folded", Group.TAGS),
    ("digits", Group.MARKS),
    ("capitals", Group.MARKS),
    ("sentence", Group.MARKS),
    ("commas", Group.MARKS),
    ("separators", Group.MARKS),
    ("quotes", Group.MARKS),
    ("prices", Group.MARKS),
    ("code", Group.MARKS),
    ("percents", Group.MARKS),
    ("words", Group.LENGTH),
    ("word", Group.LENGTH),
    ("wordless", Group.LENGTH),
    ("characters", Group.LENGTH),
    ("texts", Group.LENGTH),
    ("prose", Group.LENGTH),
)
# An element that a row can stand in; "in title" speaks of the page's title.
_TAGS = frozenset(tags.CODES) - {"title"}


def group_of(column: str) -> Group:
    """The group of a column, by its name."""
    words = column.split()
    if words[0] in _BY_FIRST:
        return _BY_FIRST[words[0]]
    if words[-1].isdigit():  # the level of a node above the row
        return Group.SECTION if int(words[-1]) <= NEAR else Group.AROUND
    if words[0] == "in" and words[1] in _TAGS:
        return Group.TAGS
    for word, group in _BY_WORD:
        if word in words:
            return group
    return Group.OTHER


def grouped(columns: Sequence[str]) -> MappingProxyType[Group, list[int]]:
    """The numbers of the columns of each group that has any, in the order of Group."""
    found: dict[Group, list[int]] = {group: [] for group in Group}
    for number, column in enumerate(columns):
        found[group_of(column)].append(number)
    return MappingProxyType({group: numbers for group, numbers in found.items() if numbers})
