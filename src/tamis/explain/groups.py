"""The columns of a run in groups that a person has words for. A rule over their names assigns each to a group."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from types import MappingProxyType

from tamis.document import tags

# Nodes this near above a run are its section; those further up are what the section stands in.
NEAR = 2


class Group(StrEnum):
    """What some columns tell of a run; the value is how a person would call it."""

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


# Names and declarations can hold any word, so for these columns the first word decides.
_BY_FIRST = {
    **dict.fromkeys(("role", "property", "named"), Group.NAMES),
    "said": Group.SAID,
    **dict.fromkeys(("og", "data", "marked", "described", "address"), Group.PAGE),
}
# Words in the names of the other columns; the first group with a word of the name has the column.
_BY_WORD = {
    Group.PAGE: {"page"},
    Group.ALIKE: {"like", "repeated"},
    Group.SECTION: {"node", "parent"},
    Group.HEADINGS: {"title", "heading", "headings", "h1"},
    Group.LINKS: {"linked"},
    Group.PLACE: {"before", "after", "place", "depth"},
    Group.TAGS: {"folded"},
    Group.MARKS: {"digits", "capitals", "sentence", "commas", "separators", "quotes", "code"},
    Group.LENGTH: {"words", "word", "wordless", "characters", "texts", "prose"},
}
# Elements that can hold a run; "in title" is about the page's title.
_TAGS = frozenset(tags.CODES) - {"title"}


def group_of(column: str) -> Group:
    """The group of a column, by its name."""
    words = column.split()
    if words[0] in _BY_FIRST:
        return _BY_FIRST[words[0]]
    if words[-1].isdigit():  # the level of a node above the run
        return Group.SECTION if int(words[-1]) <= NEAR else Group.AROUND
    if words[0] == "in" and words[1] in _TAGS:
        return Group.TAGS
    return next((group for group, known in _BY_WORD.items() if known.intersection(words)), Group.OTHER)


def grouped(columns: Sequence[str]) -> MappingProxyType[Group, list[int]]:
    """The numbers of the columns of each group that has any, in the order of Group."""
    found: dict[Group, list[int]] = {group: [] for group in Group}
    for number, column in enumerate(columns):
        found[group_of(column)].append(number)
    return MappingProxyType({group: numbers for group, numbers in found.items() if numbers})
