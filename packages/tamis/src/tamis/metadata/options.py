"""The possible values of a field: all candidates that agree on one, and what speaks for and against it as features."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from datetime import timedelta
from itertools import islice
from typing import NamedTuple

from tamis.document import tags
from tamis.document.dates import Moment
from tamis.document.titles import fold
from tamis.metadata.headline import Cut, cuts, marks_in
from tamis.metadata.people import folded_name, is_organisation
from tamis.metadata.view import Candidate, Value, View
from tamis.page_type import PageType

Features = dict[str, float]

# Parts of a page that tell what stands in them.
_PART_NAMES = {
    tags.CODES[name]: f"in {name}"
    for name in ("nav", "header", "footer", "aside", "article", "main", "li", "td", "blockquote")
}
LIST_PARTS = frozenset({"in li", "in aside", "in nav"})  # where teasers stand
_MOST_PARENTS = 25
_NEAR, _FAR = 8, 40  # leaves from the title


_LISTS = (PageType.LISTING, PageType.COLLECTION, PageType.PRODUCT, PageType.SERVICE)


class Option(NamedTuple):
    """A value, who says so, and its features."""

    value: Value
    candidates: tuple[Candidate, ...]
    features: Features


def said_by(candidates: list[Candidate], page_type: str = "") -> Features:
    """One feature for each place that gives the value, and how many sources agree."""
    found: Features = {}
    for each in candidates:
        place = f"{each.source} {each.place}"
        found[place] = found[each.source] = 1.0
        if page_type:
            found[f"{page_type}: {place}"] = 1.0
    found["sources"] = min(len({each.source for each in candidates}), 4) - 1.0
    return found


class Surroundings:
    """Where elements stand: how far from the title, in which part of the page, in the content or beside it."""

    def __init__(self, view: View, title_row: int) -> None:
        self._view = view
        self._leaf = view.leaf
        self._title = view.leaf(title_row) if title_row >= 0 else None
        self._parts_of: dict[int, frozenset[str]] = {}

    def features(self, rows: Iterable[int]) -> Features:
        """The features of the element that is nearest to the title."""
        places = [(self._distance(row), row) for row in rows if row >= 0]
        if not places:
            return {}
        distance, row = min(places)
        found = {"shown": 1.0} | dict.fromkeys(self._parts(row), 1.0)
        if self._title is not None:
            behind = self._leaf(row) >= self._title
            found["near title" if behind else "before title"] = 1 / (1 + distance / 4)
        if distance > _FAR:
            found["far from title"] = 1.0
        leaf, kept = self._leaf(row), self._view.kept
        if kept and leaf > kept[-1]:
            found["behind content"] = 1.0
        elif kept and kept[bisect_left(kept, leaf)] == leaf:
            found["kept"] = 1.0
        return found

    def look(self, group: Iterable[Candidate]) -> tuple[str | None, ...]:
        """The tag and class of the element that shows a value first: the parts of a list have the same."""
        row = next((each.row for each in group if each.row >= 0), -1)
        node = self._view.document.elements.all_nodes[row] if row >= 0 else None
        return (node.tag, node.attr("class")) if node is not None else ()

    def is_foreign(self, candidate: Candidate) -> bool:
        """Is it shown in a comment or in a teaser of another page?"""
        if candidate.row < 0:
            return False
        leaf = self._leaf(candidate.row)
        if not self._view.is_foreign(leaf):
            return False
        is_near = self._title is not None and 0 <= leaf - self._title <= _NEAR
        return not is_near or not LIST_PARTS.isdisjoint(self._parts(candidate.row))

    def _distance(self, row: int) -> int:
        """How many leaves are between an element and the title."""
        return abs(self._leaf(row) - (self._title or 0))

    def _parts(self, row: int) -> frozenset[str]:
        if row not in self._parts_of:
            elements = self._view.document.elements
            codes = map(elements.code.item, islice(elements.ancestors(row), _MOST_PARENTS))
            self._parts_of[row] = frozenset([_PART_NAMES[code] for code in codes if code in _PART_NAMES])
        return self._parts_of[row]


def is_of_list(features: Features, page_type: PageType | None, *others: str) -> bool:
    """Does a value belong to an entry of a list, or to a review, on a page that is about many things or a product?"""
    return page_type in _LISTS and not features.keys().isdisjoint(("in a series", "behind content", *others))


_GUESSES = frozenset({"TITLE begin", "TITLE end", "host"})


def is_guess(candidate: Candidate) -> bool:
    """Is a name of the site only guessed, from the TITLE or the address?"""
    return candidate.place in _GUESSES


def site_options(candidates: Iterable[Candidate], title: str, host: str) -> list[Option]:
    """Each name that a source gives. A part of the TITLE counts if it is no part of the title."""
    titled = fold(title).replace(" ", "")
    groups: dict[str, list[Candidate]] = {}
    for each in candidates:
        key = fold(str(each.value)).replace(" ", "")  # an account is written without blanks
        if key and not (each.place.startswith("TITLE") and (key in titled or (titled and titled in key))):
            groups.setdefault(key, []).append(each)
    letters = host.replace("-", "").replace(".", "")
    options = []
    for key, group in groups.items():
        features = said_by(group)
        if key in letters and any(each.source != "address" for each in group):  # the host itself is
            features["like the host"] = 1.0
        options.append(Option(max((str(each.value) for each in group), key=len), tuple(group), features))
    return options


_MOST_AUTHOR_CANDIDATES = 40
_POSTERS = 2  # names of accounts, with which a page is a thread
_MANY_AUTHORS = 3  # names that are shown in the same way: those of a list


def author_options(
    view: View, candidates: Iterable[Candidate], surroundings: Surroundings, site_name: str
) -> list[Option]:
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
        if (look := surroundings.look(group)) and series[look] >= _MANY_AUTHORS:
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


_MOST_DATE_CANDIDATES = 60
_PARTS = ("Video.", "Listed.", "Comment.", "Review.")
# A day that is only shown in one of these places does not count where another one is declared.
_ASIDE = frozenset({"in aside", "in nav", "in footer", "behind content", "far from title"})
_DAY = timedelta(days=1)
_MANY_DATES = 3  # days that are shown in the same way: those of a list


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
        if (look := looks.get(iso)) and series[look] >= _MANY_DATES:
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
    for each in islice(candidates, _MOST_DATE_CANDIDATES):
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


_Groups = dict[str, list[tuple[Candidate, Cut]]]

_PLACEHOLDERS = frozenset(
    ("untitled", "untitled document", "untitled page", "new page", "new page 1", "no title", "title")
)
_MOST_TITLE_CANDIDATES, _MOST_OPTIONS, _LONGEST = 30, 60, 400
_ADDRESS = re.compile(r"^(?:https?://|www\.)\S+$|^\S+\.(?:html?|php|aspx?)$", re.IGNORECASE)
_STRONG = frozenset("|»«›·•")  # separators that no sentence has
# The words of a title, in ranges.
_LENGTHS = ((1, "1 word"), (2, "2 words"), (4, "3 words"), (15, ""), (25, "16 words"), (10_000, "26 words"))


def title_options(view: View, candidates: Iterable[Candidate], site_names: Iterable[str]) -> list[Option]:
    """Each title that a source gives, whole or without parts at its begin or end."""
    sites = {fold(name) for name in site_names} - {""}
    host = "".join(view.host.split(".")[:-1]).replace("-", "")
    groups: _Groups = {}
    for candidate in list(candidates)[:_MOST_TITLE_CANDIDATES]:
        for cut in cuts(str(candidate.value)[:_LONGEST]):
            if cut.folded:
                groups.setdefault(cut.folded, []).append((candidate, cut))
    heading = next((key for key, group in groups.items() if any(_is_heading(*each) for each in group)), "")
    kind = view.page_type
    groups = _without_placeholders(groups, view.host)
    is_article = kind is None or kind is PageType.ARTICLE
    if is_article and any(key not in sites for key in groups):
        groups = {key: group for key, group in groups.items() if key not in sites}
    options = []
    for key, group in list(groups.items())[:_MOST_OPTIONS]:
        features = _features(key, group, heading, sites, host) | _beside(group, groups)
        if kind and "visible h1" in features:
            features[f"{kind}: h1"] = 1.0
        if kind and not features.get("shown"):
            features[f"{kind}: not shown"] = 1.0
        options.append(Option(_surface(group), tuple(each for each, _ in group), features))
    return options


def _without_placeholders(groups: _Groups, host: str) -> _Groups:
    """Without addresses, names of files and what editors write by themselves, unless there is nothing else."""
    site = fold(host)
    return {
        key: group
        for key, group in groups.items()
        if key not in _PLACEHOLDERS and key != site and not _ADDRESS.match(group[0][1].text)
    } or groups


def _is_heading(candidate: Candidate, cut: Cut) -> bool:
    return candidate.source == "visible" and candidate.place.startswith("h1") and not cut.kind


def _features(key: str, group: list[tuple[Candidate, Cut]], heading: str, sites: set[str], host: str) -> Features:
    found: Features = {"bias": 1.0}
    sources, whole = set(), set()
    for candidate, cut in group:
        source, kind = candidate.source, cut.kind and f" {cut.kind}"
        found[f"{source} {candidate.place}{kind}"] = found[f"{source}{kind}"] = 1.0
        sources.add(source)
        if not kind:
            whole.add(source)
    found["sources"] = min(len(sources), 4) - 1.0
    found["whole"] = min(len(whole), 3) / 3
    words = key.count(" ") + 1
    if length := next(name for most, name in _LENGTHS if words <= most):
        found[length] = 1.0
    text = group[0][1].text
    if key in sites or key.replace(" ", "") == host:
        found["is the site"] = 1.0
    rests = [cut for _, cut in group if cut.kind]
    nearest = [cut.rest[0] if cut.kind.startswith("end") else cut.rest[-1] for cut in rests]
    if rests:
        is_site = any(fold(rest) in sites or fold(rest).replace(" ", "") == host for cut in rests for rest in cut.rest)
        found["site cut off" if is_site else "other cut off"] = 1.0
        found["strong cut" if any(cut.separator[:1] in _STRONG for cut in rests) else "weak cut"] = 1.0
        if min(len(rest.split()) for rest in nearest) > 4:
            found["much cut off"] = 1.0
    if marks := marks_in(text):
        found["has mark" if marks.isdisjoint(_STRONG) else "has strong mark"] = 1.0
    if any(f" {site} " in f" {key} " for site in sites if site != key):
        found["holds the site"] = 1.0
        if not heading and any(fold(cut.rest[0]) in sites for cut in cuts(text)[1:] if len(cut.rest) == 1):
            found["site left on"] = 1.0
    if heading and key != heading:
        if f" {key} " in f" {heading} ":
            found["part of h1"] = 1.0
        elif f" {heading} " in f" {key} ":
            found["holds h1"] = 1.0
        else:
            found["beside h1"] = 1.0
    if any(candidate.row >= 0 and not cut.kind for candidate, cut in group):
        found["shown"] = 1.0
        declared = {cut.kind for candidate, cut in group if candidate.row < 0}
        if not declared:
            found["shown only"] = 1.0
        elif any(candidate.place == "h1 line" for candidate, _ in group):
            found["declared line"] = 1.0
    if text.endswith(("...", "…")):
        found["cut short"] = 1.0
    return found


def _beside(group: list[tuple[Candidate, Cut]], groups: _Groups) -> Features:
    """Where both parts of a TITLE are headings, that of the first level names the site, the book or the section."""
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


def _surface(group: list[tuple[Candidate, Cut]]) -> str:
    """The spelling as it is shown, unless it is all capitals or none there and not elsewhere."""
    texts = [cut.text for candidate, cut in sorted(group, key=lambda each: each[0].row < 0)]
    mixed = [text for text in texts if not (text.isupper() or text.islower())]
    return (mixed or texts)[0]
