"""The possible names of the site, with their features."""

from __future__ import annotations

from collections.abc import Iterable

from tamis.document.titles import fold
from tamis.metadata.candidate import Candidate
from tamis.metadata.options.option import Option, said_by

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
