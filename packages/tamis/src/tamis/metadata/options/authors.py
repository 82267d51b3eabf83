"""The possible authors of a page, with their features."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from tamis.document.dates import Moment
from tamis.metadata.candidate import Candidate
from tamis.metadata.names.people import folded_name, is_organisation
from tamis.metadata.options.option import Features, Option, Surroundings, is_of_list, said_by
from tamis.metadata.view import View
from tamis.page_type import PageType

_MOST_CANDIDATES = 40
_POSTERS = 2  # names of accounts, with which a page is a thread
_MANY = 3  # names that are shown in the same way: those of a list


def author_options(
    view: View, candidates: Iterable[Candidate], surroundings: Surroundings, site_name: str
) -> list[Option]:
    """Each list of authors that a source gives. Lists of the same people are one option."""
    groups: dict[frozenset[str], list[Candidate]] = {}
    for candidate in list(candidates)[:_MOST_CANDIDATES]:
        if (given := _names(candidate)) and not surroundings.is_foreign(candidate):
            # Of people and the site that they write for, the people are the authors.
            people = tuple(name for name in given if not is_organisation(name, site_name, view.host))
            names = people or given
            groups.setdefault(frozenset(map(folded_name, names)), []).append(candidate._replace(value=names))
    posters = [key for key, group in groups.items() if any(each.place == "forum" for each in group)]
    kind = PageType.FORUM if len(posters) >= _POSTERS else view.page_type
    options = []
    first_shown = min((each.row for group in groups.values() for each in group if each.row >= 0), default=-1)
    series = Counter(map(surroundings.look, groups.values()))
    for key, group in groups.items():
        names = _names(group[0])
        features: Features = {"bias": 1.0} | said_by(group, "forum" if kind is PageType.FORUM else "")
        features |= surroundings.features(each.row for each in group)
        features[f"on {kind or 'any type'}"] = 1.0
        if is_organisation(names[0], site_name, view.host):
            features["the site"] = 1.0
            if any(each.place.endswith(".organization") for each in group):
                features["the site as organization"] = 1.0
        if len(names) > 1:
            features["several"] = 1.0
        words = {len(name.split()) for name in names}
        if min(words) == 1:
            features["one word"] = 1.0
        elif max(words) > 3:
            features["many words"] = 1.0
        if any(key < other for other in groups):
            features["part of another"] = 1.0
        if any(key > other for other in groups):
            features["more than another"] = 1.0
        if (look := surroundings.look(group)) and series[look] >= _MANY:
            features["in a series"] = 1.0
        if first_shown >= 0 and any(each.row == first_shown for each in group):
            features["first poster" if kind is PageType.FORUM else "first shown"] = 1.0
        if is_of_list(features, kind, "kept") and all(each.source == "visible" for each in group):
            continue
        options.append(Option(max((each.value for each in group), key=_spelling), tuple(group), features))
    return options


def _names(candidate: Candidate) -> tuple[str, ...]:
    value = candidate.value
    return value if isinstance(value, tuple) and not isinstance(value, Moment) else ()


def _spelling(value: object) -> tuple[bool, int]:
    """Names in mixed case are better than others, longer ones better than short ones."""
    text = " ".join(value) if isinstance(value, tuple) else ""
    return not (text.isupper() or text.islower()), len(text)
