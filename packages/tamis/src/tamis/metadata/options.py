"""The possible values of a field: the candidates that agree on each, and features that speak for and against it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import timedelta
from itertools import islice
from typing import NamedTuple

from tamis.document import tags
from tamis.document.dates import Moment
from tamis.document.titles import fold
from tamis.metadata.headline import TitleCut, cuts, marks_in
from tamis.metadata.people import folded_name, is_organisation
from tamis.metadata.view import Candidate, Value, View
from tamis.page_type import PageType

Features = dict[str, float]

# Parts of a page that say something about their texts.
_PART_NAMES = {
    tags.CODES[name]: f"in {name}"
    for name in ("nav", "header", "footer", "aside", "article", "main", "li", "td", "blockquote")
}
_LIST_PARTS = frozenset({"in li", "in aside", "in nav"})  # of teasers
_MOST_PARENTS = 25
_NEAR = 8  # leaves from the title
_FAR = 40
_LISTS = (PageType.LISTING, PageType.COLLECTION, PageType.PRODUCT, PageType.SERVICE)


class ValueOption(NamedTuple):
    """A value, the candidates that give it, and its features."""

    value: Value
    candidates: tuple[Candidate, ...]
    features: Features


def place_features(candidates: list[Candidate], page_type: str = "") -> Features:
    """One feature for each place that gives the value, and the number of sources that agree."""
    found: Features = {}
    for each in candidates:
        place = f"{each.source} {each.place}"
        found[place] = found[each.source] = 1.0
        if page_type:
            found[f"{page_type}: {place}"] = 1.0
    found["sources"] = min(len({each.source for each in candidates}), 4) - 1.0
    return found


def _true(flags: Mapping[str, object]) -> Features:
    """The features that are true."""
    return {name: 1.0 for name, is_true in flags.items() if is_true}


class Surroundings:
    """The positions of elements: how far from the title, in which part of the page, in the content or outside of it."""

    def __init__(self, view: View, title_row: int) -> None:
        self._view = view
        self._leaf = view.leaf
        self._title = view.leaf(title_row) if title_row >= 0 else None
        self._parts_of: dict[int, frozenset[str]] = {}

    def features(self, rows: Iterable[int]) -> Features:
        """The features of the element that is nearest to the title."""
        places = [(abs(self._leaf(row) - (self._title or 0)), row) for row in rows if row >= 0]
        if not places:
            return {}
        distance, row = min(places)
        leaf, kept = self._leaf(row), self._view.kept
        found = {"shown": 1.0} | dict.fromkeys(self._parts(row), 1.0)
        if self._title is not None:
            found["near title" if leaf >= self._title else "before title"] = 1 / (1 + distance / 4)
        is_behind = bool(kept) and leaf > kept[-1]
        is_kept = bool(kept) and not is_behind and kept[bisect_left(kept, leaf)] == leaf
        return found | _true({"far from title": distance > _FAR, "behind content": is_behind, "kept": is_kept})

    def look(self, group: Iterable[Candidate]) -> tuple[str | None, ...]:
        """The tag and class of the element that shows a value first. The items of a list share them."""
        row = next((each.row for each in group if each.row >= 0), -1)
        node = self._view.document.elements.all_nodes[row] if row >= 0 else None
        return (node.tag, node.attr("class")) if node is not None else ()

    def is_foreign(self, candidate: Candidate) -> bool:
        """Is a candidate shown in a comment or in a teaser of another page?"""
        if candidate.row < 0:
            return False
        leaf = self._leaf(candidate.row)
        if not self._view.is_foreign(leaf):
            return False
        is_near = self._title is not None and 0 <= leaf - self._title <= _NEAR
        return not is_near or not _LIST_PARTS.isdisjoint(self._parts(candidate.row))

    def _parts(self, row: int) -> frozenset[str]:
        if row not in self._parts_of:
            elements = self._view.document.elements
            codes = map(elements.code.item, islice(elements.ancestors(row), _MOST_PARENTS))
            self._parts_of[row] = frozenset([_PART_NAMES[code] for code in codes if code in _PART_NAMES])
        return self._parts_of[row]


def _is_of_list(features: Features, page_type: PageType | None, *others: str) -> bool:
    """Does a value belong to an entry of a list, or to a review, on a page that is about many things or a product?"""
    return page_type in _LISTS and not features.keys().isdisjoint(("in a series", "behind content", *others))


SITE_GUESSES = frozenset({"TITLE begin", "TITLE end", "host"})  # places that only suggest the name of a site


def site_options(candidates: Iterable[Candidate], title: str, host: str) -> list[ValueOption]:
    """Each name that a source gives. A part of the TITLE counts unless it is in the title."""
    titled = fold(title).replace(" ", "")
    groups: dict[str, list[Candidate]] = {}
    for each in candidates:
        key = fold(str(each.value)).replace(" ", "")  # an account is written without blanks
        if key and not (each.place.startswith("TITLE") and (key in titled or (titled and titled in key))):
            groups.setdefault(key, []).append(each)
    letters = host.replace("-", "").replace(".", "")
    options = []
    for key, group in groups.items():
        is_like_host = key in letters and any(each.source != "address" for each in group)  # the host itself is
        features = place_features(group) | _true({"like the host": is_like_host})
        options.append(ValueOption(max((str(each.value) for each in group), key=len), tuple(group), features))
    return options


_MOST_AUTHOR_CANDIDATES = 40
_POSTERS = 2  # names of accounts, with which a page is a thread
_MANY_AUTHORS = 3  # names that are shown in the same way: those of a list


def author_options(
    view: View, candidates: Iterable[Candidate], surroundings: Surroundings, site_name: str
) -> list[ValueOption]:
    """Each list of authors that a source gives. Lists of the same people are one option."""
    groups: dict[frozenset[str], list[Candidate]] = {}
    for candidate in list(candidates)[:_MOST_AUTHOR_CANDIDATES]:
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
        features: Features = {"bias": 1.0} | place_features(group, "forum" if kind is PageType.FORUM else "")
        features |= surroundings.features(each.row for each in group)
        is_site = is_organisation(names[0], site_name, view.host)
        words = {len(name.split()) for name in names}
        look = surroundings.look(group)
        is_first = first_shown >= 0 and any(each.row == first_shown for each in group)
        features |= _true(
            {
                f"on {kind or 'any type'}": True,
                "the site": is_site,
                "the site as organization": is_site and any(each.place.endswith(".organization") for each in group),
                "several": len(names) > 1,
                "one word": min(words) == 1,
                "many words": min(words) > 1 and max(words) > 3,
                "part of another": any(key < other for other in groups),
                "more than another": any(key > other for other in groups),
                "in a series": look and series[look] >= _MANY_AUTHORS,
                "first poster" if kind is PageType.FORUM else "first shown": is_first,
            }
        )
        if not (_is_of_list(features, kind, "kept") and all(each.source == "visible" for each in group)):
            options.append(ValueOption(max((each.value for each in group), key=_spelling), tuple(group), features))
    return options


def _names(candidate: Candidate) -> tuple[str, ...]:
    value = candidate.value
    return value if isinstance(value, tuple) and not isinstance(value, Moment) else ()


def _spelling(value: object) -> tuple[bool, int]:
    """Names in mixed case before others, longer ones before short ones."""
    text = " ".join(value) if isinstance(value, tuple) else ""
    return not (text.isupper() or text.islower()), len(text)


_MOST_DATE_CANDIDATES = 60
_PARTS = ("Video.", "Listed.", "Comment.", "Review.")
# A day that is only shown in one of these places does not count if another one is declared.
_ASIDE = frozenset({"in aside", "in nav", "in footer", "behind content", "far from title"})
_DAY = timedelta(days=1)
_MANY_DATES = 3  # days that are shown in the same way: those of a list


def date_options(
    view: View, candidates: Iterable[Candidate], rivals: Iterable[Candidate], surroundings: Surroundings
) -> list[ValueOption]:
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
        moment = max((each.value for each in group or rival if isinstance(each.value, Moment)), key=_precision)
        features: Features = {"bias": 1.0} | place_features(group, "forum" if kind is PageType.FORUM else "")
        features |= {f"rival {each.source} {each.place}": 1.0 for each in rival}
        features |= surroundings.features(each.row for each in (*group, *rival))
        if declared and iso not in declared and not _ASIDE.isdisjoint(features):
            continue
        look, is_day = looks.get(iso), moment.precision == "day"
        features |= _true(
            {
                f"on {kind or 'any type'}": True,
                "rivals only": not group,
                f"precision {moment.precision}": True,
                "earliest": iso == days[0],
                "latest": iso == days[-1],
                "earliest declared": iso == first_declared,
                "first shown": shown >= 0 and any(each.row == shown for each in group),
                "month agrees": is_day and any(iso.startswith(month) for month in months),
                "event": iso in events,
                "in a series": look and series[look] >= _MANY_DATES,
            }
        )
        features |= _zone(iso, moment, group, groups)
        features |= _true({"new year": is_day and moment.day.day == moment.day.month == 1})
        is_in_list = "behind content" in features and not _LIST_PARTS.isdisjoint(features)
        if not (is_in_list or _is_of_list(features, kind)) or iso in declared:
            options.append(ValueOption(moment, tuple(group or rival), features))
    return options


def _by_day(candidates: Iterable[Candidate], surroundings: Surroundings) -> dict[str, list[Candidate]]:
    found: dict[str, list[Candidate]] = {}
    for each in islice(candidates, _MOST_DATE_CANDIDATES):
        if isinstance(each.value, Moment) and not surroundings.is_foreign(each):
            found.setdefault(each.value.iso, []).append(each)
    return found


def _is_declared(group: list[Candidate]) -> bool:
    """Does the page declare the day for machines, and as its own, not that of a part such as a film?"""
    return any(each.source not in ("visible", "address") and not each.place.startswith(_PARTS) for each in group)


def _event_days(view: View) -> set[str]:
    """The days on which declared events start and end."""
    things = (thing.fields for thing in view.document.linked_data.things if "startDate" in thing.fields)
    return {str(fields.get(key))[:10] for fields in things for key in ("startDate", "endDate")}


def _precision(moment: Moment) -> int:
    """Moments with a zone before those with a time, before days."""
    return 0 if moment.time is None else 1 if moment.time.tzinfo is None else 2


def _zone(iso: str, moment: Moment, group: list[Candidate], groups: dict[str, list[Candidate]]) -> Features:
    """Features of days next to each other: a moment in UTC may be on the day before or after in the page's zone."""
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


_Groups = dict[str, list[tuple[Candidate, TitleCut]]]

_PLACEHOLDERS = frozenset(
    ("untitled", "untitled document", "untitled page", "new page", "new page 1", "no title", "title")
)
_MOST_TITLE_CANDIDATES = 30
_MOST_OPTIONS = 60
_LONGEST = 400  # characters of a title
_ADDRESS = re.compile(r"^(?:https?://|www\.)\S+$|^\S+\.(?:html?|php|aspx?)$", re.IGNORECASE)
_STRONG = frozenset("|»«›·•")  # separators that no sentence has
# The words of a title, in ranges.
_LENGTHS = ((1, "1 word"), (2, "2 words"), (4, "3 words"), (15, ""), (25, "16 words"), (10_000, "26 words"))


def title_options(view: View, candidates: Iterable[Candidate], site_names: Iterable[str]) -> list[ValueOption]:
    """Each title that a source gives, whole or without parts at its start or end."""
    sites = {fold(name) for name in site_names} - {""}
    host = "".join(view.host.split(".")[:-1]).replace("-", "")
    groups: _Groups = {}
    for candidate in list(candidates)[:_MOST_TITLE_CANDIDATES]:
        for cut in cuts(str(candidate.value)[:_LONGEST]):
            if cut.folded:
                groups.setdefault(cut.folded, []).append((candidate, cut))
    headings = (
        key
        for key, group in groups.items()
        if any(each.source == "visible" and each.place[:2] == "h1" and not cut.kind for each, cut in group)
    )
    heading = next(headings, "")
    kind, site = view.page_type, fold(view.host)
    groups = {
        key: group
        for key, group in groups.items()
        if key not in _PLACEHOLDERS and key != site and not _ADDRESS.match(group[0][1].text)
    } or groups
    is_article = kind is None or kind is PageType.ARTICLE
    if is_article and any(key not in sites for key in groups):
        groups = {key: group for key, group in groups.items() if key not in sites}
    options = []
    for key, group in list(groups.items())[:_MOST_OPTIONS]:
        features = _title_features(key, group, heading, sites, host) | _two_headings(group, groups)
        if kind and "visible h1" in features:
            features[f"{kind}: h1"] = 1.0
        if kind and "shown" not in features:
            features[f"{kind}: not shown"] = 1.0
        options.append(ValueOption(_best_spelling(group), tuple(each for each, _ in group), features))
    return options


def _title_features(
    key: str, group: list[tuple[Candidate, TitleCut]], heading: str, sites: set[str], host: str
) -> Features:
    found: Features = {"bias": 1.0}
    sources, whole = set(), set()
    is_shown = is_declared = is_line = False
    for candidate, cut in group:
        source, kind = candidate.source, cut.kind and f" {cut.kind}"
        found[f"{source} {candidate.place}{kind}"] = found[f"{source}{kind}"] = 1.0
        sources.add(source)
        if not kind:
            whole.add(source)
            is_shown |= candidate.row >= 0
        is_declared |= candidate.row < 0
        is_line |= candidate.place == "h1 line"
    found["sources"] = min(len(sources), 4) - 1.0
    found["whole"] = min(len(whole), 3) / 3
    words, text, padded = key.count(" ") + 1, group[0][1].text, f" {key} "
    length = next(name for most, name in _LENGTHS if words <= most)
    marks = marks_in(text)
    holds_site = any(f" {site} " in padded for site in sites if site != key)
    rests = (cut.rest[0] for cut in cuts(text)[1:] if len(cut.rest) == 1) if holds_site and not heading else ()
    is_other = heading and key != heading
    is_part, is_whole = is_other and padded in f" {heading} ", is_other and f" {heading} " in padded
    return found | _true(
        {
            length: length,
            "is the site": key in sites or key.replace(" ", "") == host,
            **_cut_flags([cut for _, cut in group if cut.kind], sites, host),
            "has mark": marks and marks.isdisjoint(_STRONG),
            "has strong mark": not marks.isdisjoint(_STRONG),
            "holds the site": holds_site,
            "site left on": any(fold(rest) in sites for rest in rests),
            "part of h1": is_part,
            "holds h1": is_whole and not is_part,
            "beside h1": is_other and not (is_part or is_whole),
            "shown": is_shown,
            "shown only": is_shown and not is_declared,
            "declared line": is_shown and is_declared and is_line,
            "cut short": text.endswith(("...", "…")),
        }
    )


def _cut_flags(cut_off: list[TitleCut], sites: set[str], host: str) -> dict[str, bool]:
    """Features of the parts that were cut off a title."""
    if not cut_off:
        return {}
    rests = (fold(rest) for cut in cut_off for rest in cut.rest)
    is_site = any(rest in sites or rest.replace(" ", "") == host for rest in rests)
    is_strong = any(cut.separator[:1] in _STRONG for cut in cut_off)
    nearest = [cut.rest[0] if cut.kind.startswith("end") else cut.rest[-1] for cut in cut_off]
    return {
        "site cut off" if is_site else "other cut off": True,
        "strong cut" if is_strong else "weak cut": True,
        "much cut off": min(len(rest.split()) for rest in nearest) > 4,
    }


def _two_headings(group: list[tuple[Candidate, TitleCut]], groups: _Groups) -> Features:
    """If both parts of a TITLE are headings, that of the first level names the site, the book or the section."""
    found: Features = {}
    own = {candidate.place[:2] for candidate, cut in group if not cut.kind and candidate.source == "visible"}
    if not own:
        return found
    for rest, kind in {(cut.rest[0], cut.kind) for _, cut in group if len(cut.rest) == 1}:
        others = {each.place[:2] for each, cut in groups.get(fold(rest), ()) if not cut.kind and each.row >= 0}
        if "h1" in own and "h2" in others:
            found["h1 before the rest" if kind == "end" else "h1 behind the rest"] = 1.0
        elif "h2" in own and "h1" in others:
            found["h2 behind the rest" if kind == "begin" else "h2 before the rest"] = 1.0
    return found


def _best_spelling(group: list[tuple[Candidate, TitleCut]]) -> str:
    """The first spelling in mixed case, otherwise the first; those that are shown come first."""
    texts = [cut.text for candidate, cut in sorted(group, key=lambda each: each[0].row < 0)]
    mixed = [text for text in texts if not (text.isupper() or text.islower())]
    return (mixed or texts)[0]
