"""Chooses the value of each field by weights, and says how sure it is.

Every option has a utility: the sum of the weights of its features. The utility of no answer is 0. The probabilities are
the softmax of these, as in a conditional logit model; those of title, authors and date are calibrated. Their weights
are learned (`tamis_lab.training.metadata`); the weights of the other fields are set by hand, in `priors.json`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache
from math import exp
from pathlib import Path
from typing import NamedTuple

from tamis.cached import cached_property
from tamis.deadline import check
from tamis.document import Document
from tamis.document.dates import Moment
from tamis.errors import WeightsError
from tamis.labels import Labels
from tamis.metadata.address import Address
from tamis.metadata.byline import Byline
from tamis.metadata.dateline import Dateline
from tamis.metadata.head import Meta, Social
from tamis.metadata.headline import Headline
from tamis.metadata.links import Links
from tamis.metadata.markup import microdata_source, rdfa_source
from tamis.metadata.metadata import FIELDS, Field, Metadata, Other
from tamis.metadata.options import (
    SITE_GUESSES,
    Surroundings,
    ValueOption,
    author_options,
    date_options,
    place_features,
    site_options,
    title_options,
)
from tamis.metadata.schema import linked_data_source
from tamis.metadata.values import table
from tamis.metadata.view import Candidate, MetadataSource, Value, View
from tamis.weights import read_config, read_weights

FOLDER = Path(__file__).parent / "weights"
MODEL = "model.safetensors"


class FieldModel(NamedTuple):
    """The weights that decide one field."""

    weights: Mapping[str, float]  # by feature; others weigh nothing
    threshold: float = 0.5  # the least probability of an answer
    calibration: tuple[tuple[float, float], ...] = ((0.0, 0.0), (1.0, 1.0))  # from a probability to the share right

    def utility(self, features: Mapping[str, float]) -> float:
        """The sum of the weights of an option's features."""
        weight, total = self.weights.get, 0.0
        for name, value in features.items():
            total += weight(name, 0.0) * value
        return total

    def confidence(self, probability: float) -> float:
        """The calibrated probability: a line between the two points of the table around it."""
        points = self.calibration
        place = min(max(bisect_right(points, (probability, 2.0)), 1), len(points) - 1)
        (left, low), (right, high) = points[place - 1], points[place]
        share = (probability - left) / (right - left) if right > left else 0.0
        return low + min(max(share, 0.0), 1.0) * (high - low)


Weights = Mapping[str, FieldModel]


@cache
def weights() -> Weights:
    """The shipped weights."""
    return load(FOLDER)


def load(folder: Path) -> Weights:
    """The weights of a folder, and the priors of the fields that are not learned. Raises WeightsError."""
    from safetensors import SafetensorError
    from safetensors.numpy import load as load_tensors

    config, data = read_config(folder), read_weights(folder, MODEL)
    try:
        tensors = load_tensors(data)
        learned = {
            field: FieldModel(
                dict(zip(given["features"], tensors[field].tolist(), strict=True)),
                given["threshold"],
                tuple((left, right) for left, right in given["calibration"]),
            )
            for field, given in config["fields"].items()
        }
    except (SafetensorError, AttributeError, KeyError, TypeError, ValueError) as error:
        raise WeightsError(f"{folder / MODEL} does not belong to its config.json: {error}") from None
    return {**priors(), **learned}


@cache
def priors() -> Weights:
    """The weights that are set by hand."""
    return {field: FieldModel(weights) for field, weights in table("priors.json").items()}


# In the order in which equal candidates are shown.
SOURCES: tuple[Callable[[View], MetadataSource], ...] = (
    linked_data_source, Social, microdata_source, rdfa_source, Meta, Headline, Byline, Dateline, Links, Address,
)  # fmt: skip
# The fields that sources answer for. Sources that are not in this table answer for all.
ANSWERED: Mapping[Callable[[View], MetadataSource], tuple[str, ...]] = {
    Headline: ("title", "site_name"),
    Byline: ("authors",),
    Dateline: ("date", "date_modified"),
    Links: ("section", "categories", "tags", "license", "is_paywalled"),
    Address: ("date", "site_name", "section"),
}
_ASKED = {name: [kind for kind in SOURCES if name in ANSWERED.get(kind, FIELDS)] for name in FIELDS}
_MOST_OTHERS = 8
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def read_metadata(
    document: Document,
    labels: Labels | None = None,
    chosen: Weights | None = None,
    *,
    only: Collection[str] = FIELDS,
    others: bool = True,
) -> Metadata:
    """The fields of a page: all, or `only` some with the same values.

    `labels` come from its extractor; `chosen` replaces the shipped weights. Without `others` the values that were not
    chosen are left out, which saves time.
    """
    decision = Decision(View(document, labels), chosen, others=others)
    fields = {name: found for name in FIELDS if name in only and (found := decision.field(name))}
    plain: dict[str, Value | None] = {name: _plain(found.value) for name, found in fields.items()}
    for name in ("date", "date_modified"):
        moment = fields[name].value if name in fields else None
        plain[name.replace("date", "datetime")] = moment.instant if isinstance(moment, Moment) else None
    return Metadata(**plain, fields=fields)  # type: ignore[arg-type]


def read_title(document: Document, labels: Labels | None = None) -> str | None:
    """The title of `read_metadata`, without reading the other fields."""
    found = Decision(View(document, labels), others=False).field("title")
    return str(found.value) if found else None


class Decision:
    """Decides the fields of one page. A field that is not asked for costs nothing."""

    def __init__(self, view: View, chosen: Weights | None = None, *, others: bool = True) -> None:
        self._view, self._most_others = view, _MOST_OTHERS if others else 0
        self._weights = weights() if chosen is None else chosen
        self._sources = {kind: kind(view) for kind in SOURCES}
        self._found: dict[str, list[Candidate]] = {}
        self._fields: dict[str, Field | None] = {}

    def field(self, name: str) -> Field | None:
        """The value of a field with its source, its confidence and the other options; None if nothing was chosen."""
        if name not in self._fields:
            check()
            self._fields[name] = self._decided(name)
        return self._fields[name]

    def options(self, name: str) -> list[ValueOption]:
        """The options of a field with their features."""
        candidates = self._candidates(name)
        if name == "title":
            sites = [str(each.value) for each in self._candidates("site_name") if each.place not in SITE_GUESSES]
            return title_options(self._view, candidates, sites)
        if name == "authors":
            site = self.field("site_name")
            return author_options(self._view, candidates, self._surroundings, str(site.value) if site else "")
        if name in ("date", "date_modified"):
            rivals = self._candidates("date_modified" if name == "date" else "date")
            return date_options(self._view, candidates, rivals, self._surroundings)
        if name == "site_name":
            title = self.field("title")
            return site_options(candidates, str(title.value) if title else "", self._view.host)
        groups: dict[Value, list[Candidate]] = {}
        for each in candidates:
            groups.setdefault(each.value, []).append(each)
        return [ValueOption(value, tuple(group), place_features(group)) for value, group in groups.items()]

    def _candidates(self, name: str) -> list[Candidate]:
        if name not in self._found:
            self._found[name] = [each for kind in _ASKED[name] for each in self._sources[kind].candidates(name)]
        return self._found[name]

    @cached_property
    def _surroundings(self) -> Surroundings:
        shown = [each for each in self._candidates("title") if each.row >= 0 and each.source in ("content", "visible")]
        first = min(shown, key=lambda each: each.source != "content", default=None)  # the extractor knows it best
        kept = self._view.document.leaves.element[self._view.kept[:1]].tolist()
        return Surroundings(self._view, first.row if first else kept[0] if kept else -1)

    def _decided(self, name: str) -> Field | None:
        options = self.options(name)
        if not options:
            return None
        model = self._weights[name]
        chances = probabilities([model.utility(option.features) for option in options])
        order = sorted(range(len(options)), key=chances.__getitem__, reverse=True)
        best, chance = options[order[0]], chances[order[0]]
        if chance < model.threshold:
            return None
        first = max(best.candidates, key=lambda each: model.weights.get(f"{each.source} {each.place}", 0.0))
        rest = [(options[place], chances[place]) for place in order[1 : self._most_others + 1]]
        others = tuple(
            Other(_json_value(each.value), each.candidates[0].source, model.confidence(share)) for each, share in rest
        )
        return Field(best.value, first.source, first.place, model.confidence(chance), others)


def probabilities(utilities: Iterable[float]) -> list[float]:
    """The softmax over the options and no answer, whose utility is 0."""
    given = list(utilities)
    top = max([0.0, *given])
    powers = [exp(utility - top) for utility in given]
    total = sum(powers) + exp(-top)
    return [power / total for power in powers]


def _plain(value: Value) -> Value:
    """A value without control characters, as the outputs show it."""
    if isinstance(value, Moment):
        return value.iso
    if isinstance(value, str):
        return _CONTROL.sub("", value)
    return tuple(map(_plain, value)) if isinstance(value, tuple) else value  # type: ignore[arg-type]


def _json_value(value: Value) -> str | list[str] | bool:
    plain = _plain(value)
    return plain if isinstance(plain, str | bool) else [str(part) for part in plain]
