"""The sets: which of them decide and which only report, what is scored on each, and the bars."""

from __future__ import annotations

from typing import NamedTuple

from tamis.page_type import PageType

# Bars by set and figure, at least or at most. First weights less half a point for the types of WCXB; the others are
# goals, all of them chosen before the weights that they judge.
AT_LEAST: dict[str, dict[str, float]] = {
    "wcxb:dev": {
        "token F1": 0.881,
        "F1 article": 0.954,
        "F1 documentation": 0.937,
        "F1 service": 0.851,
        "F1 forum": 0.807,
        "F1 product": 0.699,
        "F1 listing": 0.728,
        "F1 collection": 0.706,
        "page types right": 0.82,
        "structures whole": 0.96,
        "heading F1": 0.89,
        "list item F1": 0.89,
        "table cell F1": 0.92,
        "link F1": 0.83,
        "image F1": 0.82,
        "quotation F1": 0.86,
    },
    "press-2026": {"token F1": 0.965},
    "recipes": {"lines kept": 0.92, "lines kept without JSON-LD": 0.88},
    "threads": {"token F1": 0.85},
    "dragnet": {"token F1": 0.912, "comments found": 0.80},
    "daniel": {"token F1": 0.925},
    "sources": {"token F1": 0.972},
    "cleaneval:test": {"F1 with comments": 0.925},
    "l3s-gn1": {"F1 with comments": 0.945, "comments found": 0.80},
    "googletrends-2017:test": {"token F1": 0.880},
    "chaos": {"token F1": 0.950},
}
AT_MOST: dict[str, dict[str, float]] = {
    "wcxb:dev": {"structures torn": 0.003, "foreign structures kept": 0.19},
    "recipes": {"pages under half": 0.05},
    "dragnet": {"comments in text": 0.03},
    "l3s-gn1": {"comments in text": 0.03},
    "sources": {"pages lost": 1},
}
# Of the pages of a set, and of a set with less than a hundred.
MOST_LOST, MOST_LOST_OF_FEW, FEW = 0.02, 2, 100

VALIDATION = ("wcxb:dev", "press-2026", "recipes", "threads", "dragnet", "daniel", "sources")
TEST = ("cleaneval:test", "l3s-gn1", "googletrends-2017:test", "chaos")

COMMENTS_IN_GOLD = ("cleaneval:test", "l3s-gn1")  # their gold counts comments, so both texts are scored
COMPLETE_ONLY = ("press-2026",)  # the gold of some pages is of another version of the page: these are left out
BY_ELEMENT = ("wcxb:dev", "sources")
TYPE_OF_ALL = {"threads": PageType.FORUM, "sources": PageType.DOCUMENTATION, "press-2026": PageType.ARTICLE}


class Bar(NamedTuple):
    """What a figure should reach."""

    value: float
    at_most: bool

    def holds(self, figure: float) -> bool:
        """Is it reached? The figure is rounded as it is shown, to a tenth of a percent."""
        figure = round(figure, 3)
        return figure <= self.value if self.at_most else figure >= self.value


def bar(name: str, figure: str, pages: int) -> Bar | None:
    """The bar of a figure on a set of so many pages, if there is one."""
    if (least := AT_LEAST.get(name, {}).get(figure)) is not None:
        return Bar(least, at_most=False)
    if (most := AT_MOST.get(name, {}).get(figure)) is not None:
        return Bar(most, at_most=True)
    if figure == "pages lost" and name in (*VALIDATION, *TEST):
        return Bar(MOST_LOST_OF_FEW if pages < FEW else int(MOST_LOST * pages), at_most=True)
    return None
