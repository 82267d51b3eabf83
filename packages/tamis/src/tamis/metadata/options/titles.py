"""The possible titles of a page, with their features."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tamis.document.titles import fold
from tamis.metadata.candidate import Candidate
from tamis.metadata.options.option import Features, Option
from tamis.metadata.view import View
from tamis.metadata.visible.headline import Cut, cuts, marks_in
from tamis.page_type import PageType

_Groups = dict[str, list[tuple[Candidate, Cut]]]

_PLACEHOLDERS = frozenset(
    ("untitled", "untitled document", "untitled page", "new page", "new page 1", "no title", "title")
)
_MOST_CANDIDATES, _MOST_OPTIONS, _LONGEST = 30, 60, 400
_ADDRESS = re.compile(r"^(?:https?://|www\.)\S+$|^\S+\.(?:html?|php|aspx?)$", re.IGNORECASE)
_STRONG = frozenset("|»«›·•")  # separators that no sentence has
# The words of a title, in ranges.
_LENGTHS = ((1, "1 word"), (2, "2 words"), (4, "3 words"), (15, ""), (25, "16 words"), (10_000, "26 words"))


def title_options(view: View, candidates: Iterable[Candidate], site_names: Iterable[str]) -> list[Option]:
    """Each title that a source gives, whole or without parts at its begin or end."""
    sites = {fold(name) for name in site_names} - {""}
    host = "".join(view.host.split(".")[:-1]).replace("-", "")
    groups: _Groups = {}
    for candidate in list(candidates)[:_MOST_CANDIDATES]:
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
