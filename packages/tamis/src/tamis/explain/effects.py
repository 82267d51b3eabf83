"""How much each group of columns moves the score of each run away from that of a typical one: Shapley values.

A run is compared with the typical run of its kind at the same place of the same page, surrounded by typical runs. The
groups are made real one by one, in some order, and each step belongs to the group that was made real. The effect of a
group is the mean of its steps over several orders and their reverses. Effects add up to the difference in log-odds
between the run and the typical one.

Most groups are about the part of the page that contains a run. They are made real at the same time in its neighbours,
which are in the same part. The groups of OWN are about the text of the run alone; the texts of its neighbours are a
separate group. The network's summary of the whole page is always real.

A layer adds to each run the contributions of its neighbours at one distance, and distances double from layer to layer.
No sum of smaller distances reaches back, so these contributions never depend on the run's own columns. So one pass
computes the contributions, and in a second pass all runs are changed at once, each by itself.

The typical run of a kind has the median of each column and the most common tags over the training pages. `typical.json`
holds them, and no text of any page; `python -m tools.typical_blocks` makes it from WCXB dev. A kind is what a reader of
the markup sees at a glance: the tag of a run, and a telling element around it. Columns about the page as a whole are
not in the table: a typical run is on the same page. Its position is that of a run of this page, after the typical share
of the page's runs, and no further from a heading than this page is long. Nodes that are missing above a run are also
missing above the typical one.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from random import Random

import numpy as np

from tamis.arrays import Bools, Bytes, Floats, Singles
from tamis.document import tags
from tamis.extractor.network import CONTENT, EPSILON, SUMMARY_LAYERS, Layer, RunNetwork
from tamis.extractor.runs import COLUMNS, LEVELS, NO_TAG

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
    # How deep the markup is nested depends on the page: a simple page has few levels everywhere.
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


# What a run is, and which element contains it, in words.
RunKind = tuple[str, str]

# What a run is, by its own tag. All other tags are plain.
_TAGS_OF_KIND = {
    "paragraph": ("p",),
    "main heading": ("h1",),
    "heading": ("h2", "h3", "h4", "h5", "h6"),
    "list item": ("li",),
    "table cell": ("td", "th"),
    "glossary entry": ("dt", "dd"),
    "preformatted block": ("pre", "listing", "xmp"),
    "caption": ("figcaption", "caption"),
    "button": ("button",),
}
PLAIN = "plain block"
_WHAT = (*_TAGS_OF_KIND, PLAIN)

# The first of these elements that holds the run, at any depth. Those that seldom hold content come first.
_PLACES = {
    "in a <nav>": "nav",
    "in a <footer>": "footer",
    "in an <aside>": "aside",
    "in a <form>": "form",
    "in a <header>": "header",
    "in an <article>": "article",
    "in <main>": "main",
}
# For a kind within these, it does not matter which of the content elements there are.
_CONTENT_PLACES = ("in an <article>", "in <main>")
_WHERE = (*_PLACES, "outside of <main> and <article>")

_WHAT_OF_TAG = np.full(tags.OTHER + 1, len(_TAGS_OF_KIND))
for _number, _names in enumerate(_TAGS_OF_KIND.values()):
    _WHAT_OF_TAG[[tags.CODES[_name] for _name in _names]] = _number
_IS_PLAIN = tags.lookup("html", "body", "div", "center", "section", *_PLACES.values())
# Headings of several levels are of one kind.
_LEVELS = [COLUMNS.index(f"in {name}") for name in ("h2", "h3", "h4 h5 h6")]
_CONTENT = [COLUMNS.index(f"in {name}") for name in ("article", "main", "section")]
_HOLDERS = [COLUMNS.index(f"in {tag}") for tag in _PLACES.values()]


def kinds_of(values: Singles, codes: Bytes) -> list[RunKind]:
    """The kind of each run, given its columns and the codes of its tags."""
    held = values[:, _HOLDERS] > 0
    where = np.where(held.any(axis=1), held.argmax(axis=1), len(_PLACES)).tolist()
    what = _WHAT_OF_TAG.take(codes[:, 0]).tolist()
    return [(_WHAT[first], _WHERE[second]) for first, second in zip(what, where, strict=True)]


def same_markup(kinds: list[RunKind], values: Singles, codes: Bytes) -> tuple[Bools, Bools]:
    """Which values and tags say no more than the kind, so that a typical run has the same.

    Those are the tag by which a run is of its kind, and around it each plain element and each named by the kind.
    """
    same_values, same_codes = np.zeros(values.shape, dtype=np.bool_), np.zeros(codes.shape, dtype=np.bool_)
    tagged = np.array([what != PLAIN for what, _ in kinds])
    content = np.array([where in _CONTENT_PLACES for _, where in kinds])
    same_values[:, _LEVELS] = tagged[:, np.newaxis]
    same_values[:, _CONTENT] = content[:, np.newaxis]
    same_codes[:, 1:] = _IS_PLAIN.take(codes[:, 1:]) | (codes[:, 1:] == NO_TAG)
    same_codes[tagged, 0] = True
    return same_values, same_codes


def anywhere(kind: RunKind) -> RunKind:
    """The same kind in any element."""
    return kind[0], ""


FILE = "typical.json"
CODES = {**tags.CODES, "": NO_TAG, "other": tags.OTHER}

# The columns that describe a run and not the whole page.
OF_RUN = np.setdiff1d(np.arange(len(COLUMNS)), grouped(COLUMNS)[Group.PAGE])

# The columns about the position of a run, and the one among them that is the share of runs before it.
_POSITION = grouped(COLUMNS)[Group.PLACE]
_PLACE = COLUMNS.index("place")

# The columns that count runs up to a heading. Without a heading above a run, the second counts from NO_HEADING runs
# before the page.
_FROM_H1 = COLUMNS.index("from h1")
_FROM_HEADING = COLUMNS.index("from heading")
NO_HEADING = 50

# For each level the columns that describe the node there; where it is missing, they describe the whole page.
_OF_NODE = {
    level: [number for number, name in enumerate(COLUMNS) if name.endswith(f" {level}")]
    for level in range(1, LEVELS + 1)
}
_OF_NODE[1].append(COLUMNS.index("share of node"))


@dataclass(frozen=True, eq=False)
class RunRows:
    """The network's input for a page: a row for each run."""

    values: Singles  # (runs, columns)
    tags: Bytes  # (runs, tag columns): codes


def typical_page(page: RunRows) -> tuple[list[RunKind], RunRows]:
    """The kind of each run, and a page on which each run is the typical one of its kind."""
    known = _typical_runs()
    kinds = [kind if kind in known else anywhere(kind) for kind in kinds_of(page.values, page.tags)]
    values, codes = page.values.copy(), page.tags.copy()
    for run, kind in enumerate(kinds):
        values[run, OF_RUN], codes[run] = known[kind]
    # The run of this page at each typical place: the middle of a short page is not after the 60th run.
    at = np.minimum((values[:, _PLACE] * len(values)).astype(np.int64), len(values) - 1)
    values[:, _POSITION] = page.values[at][:, _POSITION]
    values[:, [_FROM_H1, _FROM_HEADING]] = np.minimum(
        values[:, [_FROM_H1, _FROM_HEADING]], _furthest_from_heading(values)
    )
    same_values, same_codes = same_markup(kinds, page.values, page.tags)
    same_values |= _is_of_missing_node(page.tags)
    return kinds, RunRows(np.where(same_values, page.values, values), np.where(same_codes, page.tags, codes))


def _furthest_from_heading(values: Singles) -> Singles:
    """(runs, 2): the largest values that the columns up to a heading can have on this page."""
    none_above = values[:, _FROM_HEADING] > np.log1p(NO_HEADING - 1)
    counts = np.full((len(values), 2), len(values) - 1, dtype=np.float32)
    counts[none_above, 1] += NO_HEADING
    return np.log1p(counts)


def _is_of_missing_node(codes: Bytes) -> Bools:
    """(runs, columns): is the column about a node that the run does not have?"""
    found = np.zeros((len(codes), len(COLUMNS)), dtype=np.bool_)
    for level, columns in _OF_NODE.items():
        found[:, columns] = (codes[:, level] == NO_TAG)[:, np.newaxis]
    return found


@cache
def _typical_runs() -> dict[RunKind, tuple[Singles, Bytes]]:
    """For each kind the columns of OF_RUN and the codes of the tags."""
    given = json.loads(files("tamis.explain").joinpath(FILE).read_text(encoding="utf-8"))
    places = [COLUMNS.index(name) for name in given["columns"]]
    found: dict[RunKind, tuple[Singles, Bytes]] = {}
    for kind in given["kinds"]:
        values = np.zeros(len(COLUMNS), dtype=np.float32)  # columns that are 0 for all kinds are not in the file
        values[places] = kind["values"]
        codes = np.array([CODES[tag] for tag in kind["tags"]], dtype=np.uint8)
        found[kind["what"], kind["where"]] = values[OF_RUN], codes
    return found


# The most orders of groups; there are fewer on long pages, so that the network sees no more runs than this in total.
_ORDERS = 8
_MOST_RUN_PASSES = 400_000

# The groups about a run's own text. All other groups are about the part of the page that contains it and the runs
# around it.
OWN = frozenset({Group.LENGTH, Group.LINKS, Group.MARKS})


@dataclass(frozen=True, eq=False)
class Effects:
    """The effects of all groups on all runs, in log-odds."""

    groups: tuple[Group, ...]
    log_odds: Floats  # (runs,): of the real run
    start: Floats  # (runs,): of the typical run; with all effects added it is log_odds
    effects: Floats  # (runs, groups)
    without: Floats  # (runs, groups): log-odds if only this group is typical


def effects(network: RunNetwork, real: RunRows, typical: RunRows, columns: Sequence[str]) -> Effects:
    """The effects on a page of at least one run; the same page always gets the same effects."""
    page = _PageLogits(network, real, typical, columns)
    groups, runs = page.groups, len(real.values)
    everything, nothing = frozenset(groups), frozenset[Group]()
    start, log_odds = page.log_odds(nothing), page.log_odds(everything)
    orders = _group_orders(groups, runs)
    found = np.zeros((runs, len(groups)))
    for order in orders:
        present, before = nothing, start
        for group in order:
            present |= {group}
            after = page.log_odds(present)
            found[:, groups.index(group)] += (after - before) / len(orders)
            before = after
    without = np.empty((runs, len(groups)))
    for number, group in enumerate(groups):
        without[:, number] = page.log_odds(everything - {group})
    return Effects(groups, log_odds, start, found, without)


def _group_orders(groups: Sequence[Group], runs: int) -> list[list[Group]]:
    """Random orders of the groups, each followed by its reverse; the same for every page of this length."""
    pairs = max(1, min(_ORDERS, _MOST_RUN_PASSES // (runs * max(1, len(groups)))) // 2)
    random = Random(1)  # noqa: S311 - not for cryptography
    orders: list[list[Group]] = []
    for _ in range(pairs):
        order = random.sample(list(groups), len(groups))
        orders += [order, order[::-1]]
    return orders


class _PageLogits:
    """The log-odds of each run of a page with any subset of its groups real; the others are typical."""

    def __init__(self, network: RunNetwork, real: RunRows, typical: RunRows, columns: Sequence[str]) -> None:
        self._network = network
        self._start = _first_layer(network, typical)
        changes = {
            group: _change_by_group(network, real, typical, group, numbers)
            for group, numbers in grouped(columns).items()
        }
        self._changes = {group: change for group, change in changes.items() if change.any()}
        self._conditionings, _ = _surroundings(network, _second_layer(network, _first_layer(network, real)), None)
        own = OWN.intersection(self._changes) if len(real.values) > 1 else ()
        self.groups = (*self._changes, *((Group.NEIGHBOURS,) if own else ()))
        self._neighbours: tuple[frozenset[Group], list[Singles]] | None = None  # of the last coalition
        self._cache: dict[frozenset[Group], Floats] = {}

    def log_odds(self, present: frozenset[Group]) -> Floats:
        """The log-odds of each run with only these groups real; cached."""
        if present not in self._cache:
            vectors = self._vectors(present)
            layers = zip(self._network.layers, self._conditionings, self._contributed(present), strict=True)
            for layer, conditioning, added in layers:
                own = _contributions(layer, vectors, conditioning, slice(vectors.shape[1], 2 * vectors.shape[1]))
                vectors = _residual(layer, vectors, own + added)
            logits = _normalised(vectors) @ self._network.top + self._network.top_bias
            self._cache[present] = logits[:, CONTENT].astype(np.float64)
        return self._cache[present]

    def _contributed(self, present: frozenset[Group]) -> list[Singles]:
        """What neighbours contribute to each run; kept for the next coalition, which often differs in OWN alone."""
        of_neighbours = present - OWN | (OWN if Group.NEIGHBOURS in present else set())
        if self._neighbours is None or self._neighbours[0] != of_neighbours:
            _, added = _surroundings(self._network, self._vectors(of_neighbours), self._conditionings)
            self._neighbours = of_neighbours, added
        return self._neighbours[1]

    def _vectors(self, present: frozenset[Group]) -> Singles:
        inputs = self._start.copy()
        for group, change in self._changes.items():  # in a fixed order, so that sums are the same
            if group in present:
                inputs += change
        return _second_layer(self._network, inputs)


def _first_layer(network: RunNetwork, page: RunRows) -> Singles:
    """(runs, width): the first layer before its ReLU."""
    inputs: Singles = page.values @ network.first + network.first_bias
    for number in range(page.tags.shape[1]):
        inputs += network.tags[number].take(page.tags[:, number], axis=0)
    return inputs


def _change_by_group(network: RunNetwork, real: RunRows, typical: RunRows, group: Group, numbers: list[int]) -> Singles:
    """(runs, width): what a group adds to the first layer if it is real in place of typical."""
    change: Singles = np.matmul(real.values[:, numbers] - typical.values[:, numbers], network.first[numbers])
    if group is Group.TAGS:
        for number in range(real.tags.shape[1]):
            by_tag = network.tags[number]
            change += by_tag.take(real.tags[:, number], axis=0) - by_tag.take(typical.tags[:, number], axis=0)
    return change


def _second_layer(network: RunNetwork, inputs: Singles) -> Singles:
    second: Singles = np.maximum(inputs, 0.0) @ network.second + network.second_bias
    return second


def _surroundings(
    network: RunNetwork, vectors: Singles, given: list[Singles] | None
) -> tuple[list[Singles], list[Singles]]:
    """For each layer its conditioning, by the summary of these vectors if none is given, and what neighbours add."""
    width, summary = vectors.shape[1], _summary_of(vectors)
    conditionings: list[Singles] = []
    neighbours: list[Singles] = []
    for number, layer in enumerate(network.layers):
        if number in SUMMARY_LAYERS[1:]:
            summary = _summary_of(vectors)
        conditioning = summary @ layer.film + layer.film_bias if given is None else given[number]
        every = _contributions(layer, vectors, conditioning, slice(None))
        added = np.zeros_like(vectors)
        added[layer.dilation :] += every[: -layer.dilation, :width]
        added[: -layer.dilation] += every[layer.dilation :, 2 * width :]
        vectors = _residual(layer, vectors, every[:, width : 2 * width] + added)
        conditionings.append(conditioning)
        neighbours.append(added)
    return conditionings, neighbours


def _contributions(layer: Layer, vectors: Singles, conditioning: Singles, taps: slice) -> Singles:
    """What each run contributes to itself and its neighbours, or to some of them."""
    width = vectors.shape[1]
    conditioned = _normalised(vectors) * conditioning[:width] + conditioning[width:]
    found: Singles = np.matmul(conditioned, layer.kernel[:, taps])
    return found


def _residual(layer: Layer, vectors: Singles, convolved: Singles) -> Singles:
    found: Singles = vectors + np.maximum(convolved + layer.kernel_bias, 0.0) @ layer.out + layer.out_bias
    return found


def _normalised(vectors: Singles) -> Singles:
    """Each vector with mean 0 and deviation 1."""
    centred = vectors - vectors.mean(axis=1, keepdims=True)
    found: Singles = centred / np.sqrt(np.square(centred).mean(axis=1, keepdims=True) + EPSILON)
    return found


def _summary_of(vectors: Singles) -> Singles:
    """The mean of all vectors and their maximum."""
    return np.concatenate((vectors.mean(axis=0), vectors.max(axis=0)))
