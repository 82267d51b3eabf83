"""The possible days of publication or modification, with their features."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import timedelta
from itertools import islice

from tamis.document.dates import Moment
from tamis.metadata.candidate import Candidate
from tamis.metadata.options.option import LIST_PARTS, Features, Option, Surroundings, is_of_list, said_by
from tamis.metadata.view import View
from tamis.page_type import PageType

_MOST_CANDIDATES = 60
_PARTS = ("Video.", "Listed.", "Comment.", "Review.")
# A day that is only shown in one of these places does not count where another one is declared.
_ASIDE = frozenset({"in aside", "in nav", "in footer", "behind content", "far from title"})
_DAY = timedelta(days=1)
_MANY = 3  # days that are shown in the same way: those of a list


def date_options(
    view: View, candidates: Iterable[Candidate], rivals: Iterable[Candidate], surroundings: Surroundings
) -> list[Option]:
    """Each day that a source gives. `rivals` are candidates for the other date: published or modified."""
    groups, others = _by_day(candidates, surroundings), _by_day(rivals, surroundings)
    kind = view.page_type
    days = sorted({*groups, *others})
    declared = {day for day, group in groups.items() if _is_declared(group)}
    first_declared = min(declared, default="")
    shown = min((each.row for group in groups.values() for each in group if each.row >= 0), default=-1)
    months = [day for day, group in groups.items() if len(day) < 10 and any(each.row < 0 for each in group)]
    events = _event_days(view)
    looks = {day: surroundings.look(group) for day, group in groups.items()}
    series = Counter(looks.values())
    options = []
    for iso in groups if declared else dict.fromkeys((*groups, *others)):  # the other date only for want of a better
        group, rival = groups.get(iso, []), others.get(iso, [])
        moment = _best(group or rival)
        features: Features = {"bias": 1.0} | said_by(group, "forum" if kind is PageType.FORUM else "")
        features |= {f"rival {each.source} {each.place}": 1.0 for each in rival}
        features |= surroundings.features(each.row for each in (*group, *rival))
        if declared and iso not in declared and not _ASIDE.isdisjoint(features):
            continue
        features[f"on {kind or 'any type'}"] = 1.0
        if not group:
            features["rivals only"] = 1.0
        features[f"precision {moment.precision}"] = 1.0
        if iso == days[0]:
            features["earliest"] = 1.0
        if iso == days[-1]:
            features["latest"] = 1.0
        if iso == first_declared:
            features["earliest declared"] = 1.0
        if shown >= 0 and any(each.row == shown for each in group):
            features["first shown"] = 1.0
        if moment.precision == "day" and any(iso.startswith(month) for month in months):
            features["month agrees"] = 1.0
        if iso in events:
            features["event"] = 1.0
        if (look := looks.get(iso)) and series[look] >= _MANY:
            features["in a series"] = 1.0
        features |= _zone(iso, moment, group, groups)
        if moment.precision == "day" and moment.day.day == moment.day.month == 1:
            features["new year"] = 1.0
        is_in_list = "behind content" in features and not LIST_PARTS.isdisjoint(features)
        if (is_in_list or is_of_list(features, kind)) and iso not in declared:
            continue
        options.append(Option(moment, tuple(group or rival), features))
    return options


def _by_day(candidates: Iterable[Candidate], surroundings: Surroundings) -> dict[str, list[Candidate]]:
    found: dict[str, list[Candidate]] = {}
    for each in islice(candidates, _MOST_CANDIDATES):
        if isinstance(each.value, Moment) and not surroundings.is_foreign(each):
            found.setdefault(each.value.iso, []).append(each)
    return found


def _is_declared(group: list[Candidate]) -> bool:
    """Does the page declare the day for machines, and not that of a part such as a film?"""
    return any(each.source not in ("visible", "address") and not each.place.startswith(_PARTS) for each in group)


def _event_days(view: View) -> set[str]:
    """The days on which declared events begin and end."""
    things = (thing.fields for thing in view.document.linked_data.things if "startDate" in thing.fields)
    return {str(fields.get(key))[:10] for fields in things for key in ("startDate", "endDate")}


def _best(group: list[Candidate]) -> Moment:
    """Of equal days the one that tells most: with a zone, with a time."""
    moments = [each.value for each in group if isinstance(each.value, Moment)]
    return max(moments, key=_precision)


def _precision(moment: Moment) -> int:
    return 0 if moment.time is None else 1 if moment.time.tzinfo is None else 2


def _zone(iso: str, moment: Moment, group: list[Candidate], groups: dict[str, list[Candidate]]) -> Features:
    """A moment in UTC may belong to the day before or after in the zone of the page."""
    if len(groups) == 1 and iso in groups:
        return {}
    is_utc = all(_is_utc(each.value) for each in group) and bool(group)
    around = [(moment.day + step).isoformat() for step in (_DAY, -_DAY)]
    beside = [day for day in around if day in groups]
    if is_utc and any(not all(_is_utc(each.value) for each in groups[day]) for day in beside):
        return {"UTC beside a day": 1.0}
    if not is_utc and any(any(_is_utc(each.value) for each in groups[day]) for day in beside):
        return {"day beside UTC": 1.0}
    return {}


def _is_utc(value: object) -> bool:
    time = value.time if isinstance(value, Moment) else None
    return time is not None and time.tzinfo is not None and not time.utcoffset()
