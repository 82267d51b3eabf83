"""The columns of a run in groups that people have words for. The name of a column decides on its group."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from tamis.document import tags

# Up to this level, nodes above a run are its section; those further up surround the section.
NEAR = 2


class Group(StrEnum):
    """A group of columns; the value is its name in explanations."""

    LENGTH = "its length"
    LINKS = "its links"
    MARKS = "its punctuation and digits"
    TAGS = "the tags around it"
    NAMES = "its class names and roles"
    DECLARED = "declarations of the page"
    PLACE = "its position on the page"
    HEADINGS = "title and headings near it"
    ALIKE = "similar blocks"
    RECORDS = "posts, cards or other records"
    SECTION = "its section"
    AROUND = "what surrounds its section"
    NEIGHBOURS = "the blocks around it"
    PAGE = "the page as a whole"
    OTHER = "something else"


# These columns can contain any word (a class name, a type), so their first word decides.
_BY_FIRST = {
    **dict.fromkeys(("role", "property", "named"), Group.NAMES),
    "declared": Group.DECLARED,
    **dict.fromkeys(("og", "data", "marked", "described", "address"), Group.PAGE),
}
# Words in the names of all other columns. The first group that has a word of the name gets the column.
_BY_WORD = {
    # How deep the markup is nested is a matter of the page: a simple one has few levels everywhere.
    Group.PAGE: {"page", "depth"},
    Group.ALIKE: {"like", "repeated"},
    Group.RECORDS: {"record", "records"},
    Group.SECTION: {"node", "parent"},
    Group.HEADINGS: {"title", "heading", "headings", "h1"},
    Group.LINKS: {"linked"},
    Group.PLACE: {"before", "after", "place"},
    Group.TAGS: {"folded"},
    Group.MARKS: {"digits", "capitals", "sentence", "commas", "separators", "quotes", "code"},
    Group.LENGTH: {"words", "word", "wordless", "characters", "texts", "prose"},
}
# Elements that can hold a run; "in title" is about the page's title, and "in record" about its records.
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


def grouped(columns: Sequence[str]) -> dict[Group, list[int]]:
    """For each group that has any columns, in the order of Group: their numbers."""
    groups = [group_of(column) for column in columns]
    return {group: [place for place, each in enumerate(groups) if each is group] for group in Group if group in groups}
