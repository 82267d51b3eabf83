"""The date, the section and the name of the site in the address of a page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote, urlsplit

from tamis.cached import cached_property
from tamis.document.addresses import is_ip, registrable_domain
from tamis.document.dates import Moment
from tamis.document.dates.calendars import day_of, is_month_first, month_number
from tamis.metadata.view import Candidate, MetadataSource

_LONGEST = 1_000
_YEAR = r"(?P<year>199[0-9]|20[0-9]{2})"
_END = r"(?![0-9])"
# The surest first: /2021/05/03/, /2021-05-03-title, /2021/0503/, /20210503-title, /title-03-05-2021.
_DAYS = (
    re.compile(
        rf"(?<![0-9]){_YEAR}(?P<sign>[/\-_.])(?P<month>[0-9]{{1,2}}|[a-z]{{3,9}})(?P=sign)(?P<day>[0-9]{{1,2}}){_END}"
    ),
    re.compile(rf"(?<![0-9]){_YEAR}[/\-_.]?(?P<month>[0-9]{{2}})[/\-_.]?(?P<day>[0-9]{{2}}){_END}"),
    re.compile(rf"(?<![0-9])(?P<day>[0-9]{{1,2}})[/\-_.](?P<month>[0-9]{{1,2}}|[a-z]{{3,9}})[/\-_.]{_YEAR}{_END}"),
    re.compile(rf"(?<![a-z])(?P<month>[a-z]{{3,9}})[/\-_](?P<day>[0-9]{{1,2}})[/\-_]{_YEAR}{_END}"),
)
_MONTH = re.compile(rf"(?<![0-9]){_YEAR}(?P<sign>[/\-_])(?P<month>[0-9]{{1,2}}|[a-z]{{3,9}}){_END}(?![a-z])")

# First parts of a path that are not sections: a language, or a container of everything.
_CONTAINERS = frozenset(
    """
    a about amp archive archives article articles artikel aktuell blog blogs category content detail details docs doc en
    entry es de feature features forum forums fr help home html id index info item items it journal library magazine
    main media news node page pages p pdf post posts press product products pt public questions r read resources search
    shop site sites story stories tag tags text thread threads topic topics u user users video videos web wiki www
    """.split()
)
_WORD = re.compile(r"[^\W\d_]{3,20}(?:[-_+][^\W\d_]{1,20}){0,2}")


class Address(MetadataSource):
    """The address, as it is known or as the page declares it."""

    def candidates(self, field: str) -> Iterator[Candidate]:
        """The day or month of the path; its first part as section; the registered name of the host."""
        if field == "date":
            dates = (_date(path, self._view.language) for path in self._paths)
            for found in dict.fromkeys(date for date in dates if date):
                yield Candidate(found, "address", found.precision)
        elif field == "section":
            if self._paths and (section := _section(self._paths[0])):
                yield Candidate(section, "address", "path")
        elif field == "site_name" and "." in (host := self._view.host) and not is_ip(host):
            yield Candidate(registrable_domain(host), "address", "host")

    @cached_property
    def _paths(self) -> list[str]:
        """The paths of the addresses, in lower case, with their queries."""
        head = self._view.head
        given = (self._view.address, *head.links.get("canonical", ())[:1], *head.meta.get("og:url", ())[:1])
        return list(dict.fromkeys(path for address in dict.fromkeys(given) if (path := _path(address[:_LONGEST]))))


def _path(address: str) -> str:
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    return unquote(f"{parts.path}?{parts.query}" if parts.query else parts.path).lower()


def _section(path: str) -> str:
    """The first folder that is a word and not a container of everything."""
    folders = [part for part in path.partition("?")[0].split("/")[:-1] if part]
    words = (part for part in folders[:3] if part not in _CONTAINERS and _WORD.fullmatch(part))
    return next((re.sub("[-_+]", " ", word) for word in words), "")


def _date(path: str, language: str) -> Moment | None:
    """The day of a path, else its month."""
    if "20" not in path and "199" not in path:
        return None
    for pattern in _DAYS:
        for found in pattern.finditer(path):
            month, day = _month(found["month"]), int(found["day"])
            if found.start("day") < found.start("month") and day <= 12 and is_month_first("", language):
                month, day = day, month
            if written := day_of(int(found["year"]), month, day):
                return Moment(written)
    for found in _MONTH.finditer(path):
        if written := day_of(int(found["year"]), _month(found["month"]), 1):
            return Moment(written, "month")
    return None


def _month(text: str) -> int:
    return int(text) if text.isdigit() else month_number(text)
