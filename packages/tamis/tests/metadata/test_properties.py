"""Properties of the metadata of any page, shown on variants of the golden metadata pages."""

from __future__ import annotations

import re
from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.metadata import FIELDS
from tamis.metadata.decide import ANSWERED
from tamis.metadata.view import View
from tests.golden import GoldenPage, metadata_pages, part

PAGES = {f"{page.group}/{page.name}": page for page in metadata_pages()}
ATTRIBUTE = re.compile(r'(?<=\s)([\w:-]+)="([^"]*)"')
META = re.compile(r"<meta\b[^>]*>")
META_NAME = re.compile(r'(?:name|property|http-equiv)="([^"]*)"')
NOISE = ["\x00", "\x07", "\ud800", "&#xD800;", "&#8;", "\u2028", " \n\t ", "&nbsp;", "\u202e", "9" * 40]
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


@st.composite
def variants(draw: st.DrawFn) -> tuple[str, str | None]:
    """A golden page after some accidents, and its address."""
    page = draw(st.sampled_from(list(PAGES.values())))
    html = page.html
    for accident in draw(st.lists(st.sampled_from([_truncated, _doubled, _swapped, _noisy]), max_size=4)):
        html = accident(draw, html)
    return html, page.url


def _truncated(draw: st.DrawFn, html: str) -> str:
    return html[: draw(st.integers(0, len(html)))]


def _doubled(draw: st.DrawFn, html: str) -> str:
    start, stop = sorted((draw(st.integers(0, len(html))), draw(st.integers(0, len(html)))))
    return html[:stop] + html[start:]


def _swapped(draw: st.DrawFn, html: str) -> str:
    """Two attributes have each other's values."""
    found = list(ATTRIBUTE.finditer(html))
    if len(found) < 2:
        return html
    one, other = draw(st.lists(st.sampled_from(found), min_size=2, max_size=2, unique=True))
    first, last = sorted((one, other), key=lambda match: match.start())
    return _cut(_cut(html, last, f'{last[1]}="{first[2]}"'), first, f'{first[1]}="{last[2]}"')


def _noisy(draw: st.DrawFn, html: str) -> str:
    """Odd characters where a value may be."""
    place = draw(st.sampled_from([match.start(2) for match in ATTRIBUTE.finditer(html)] or [0]))
    noise = draw(st.sampled_from(NOISE))
    return html[:place] + noise + html[place:]


def _cut(html: str, match: re.Match[str], replacement: str) -> str:
    return html[: match.start()] + replacement + html[match.end() :]


@given(variants())
def test_any_variant_has_clean_metadata(variant: tuple[str, str]) -> None:
    html, url = variant
    found = tamis.extract(html, url=url or None).metadata
    for value in found.values().values():
        for text in value if isinstance(value, list) else [value]:
            if isinstance(text, str):
                assert text == " ".join(text.split()) != ""
                assert not CONTROL.search(text)
    for day in filter(None, (found.date, found.date_modified)):
        assert re.fullmatch(r"\d{4}(-\d\d){0,2}", day)
        date.fromisoformat((day + "-01-01")[:10])
    for moment in filter(None, (found.datetime, found.datetime_modified)):
        assert datetime.fromisoformat(moment).tzinfo is not None
    for field in found.fields.values():
        assert 0 <= field.confidence <= 1
        assert all(0 <= other.confidence <= 1 for other in field.others)


# A list with comments of readers is not a list, every date of a page may decide what 03/04 means, and a year of two
# digits is less sure than those of comments.
OPEN = (
    "dates/list-of-articles", "dates/address-month-and-dateline", "languages/numbers-and-the-modified-date",
    "languages/numbers-german-short",
)  # fmt: skip
CLEAR = {name: page for name, page in PAGES.items() if name not in OPEN}


@pytest.mark.parametrize("page", CLEAR.values(), ids=CLEAR)
def test_comments_and_teasers_at_the_end_change_nothing(page: GoldenPage) -> None:
    more = page.html.replace("</body>", f"{part('teasers')}{part('comments')}</body>")
    assert tamis.extract(more, url=page.url or None).metadata.values() == page.extracted().metadata.values()


def _reordered(html: str) -> str:
    """The page with its META elements in reverse order; those of one name stay in theirs."""
    head, end, rest = html.partition("</head>")
    groups: dict[str, list[str]] = {}
    for element in META.findall(head):
        name = META_NAME.search(element)
        groups.setdefault(name[1].lower() if name else "", []).append(element)
    elements = iter([element for name in reversed(groups) for element in groups[name]])
    return META.sub(lambda _: next(elements), head) + end + rest


SEVERAL = {name: page for name, page in PAGES.items() if _reordered(page.html) != page.html}


@pytest.mark.parametrize("page", SEVERAL.values(), ids=SEVERAL)
def test_the_order_of_meta_elements_changes_nothing(page: GoldenPage) -> None:
    found = tamis.extract(_reordered(page.html), url=page.url or None).metadata
    assert found.values() == page.extracted().metadata.values()


def test_sources_are_silent_about_fields_that_they_are_not_asked_for() -> None:
    views = [View(page.original, page.own_labels) for page in map(GoldenPage.extracted, PAGES.values())]
    for view in views:
        for kind, answered in ANSWERED.items():
            source = kind(view)
            assert not [each for field in FIELDS if field not in answered for each in source.candidates(field)]
