"""What holds for any page whatever."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any
from unicodedata import normalize
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

import tamis
from tamis.inputs import NotAPage, NotContent

# Extractors that choose texts in quite different ways.
NAMES = ["tamis", "keep-all", "boilerpipe-article", "web2text", "r4"]

TAGS = (
    "div p a b i span h1 h2 ul ol li table tr td th br hr pre code blockquote section article img svg math script "
    "style template title textarea select option ruby rt noscript video iframe frameset noframes form button dl dt dd"
).split()
WORDS = st.text(alphabet=st.characters(codec="utf-8", exclude_characters="<>&"), max_size=12)


@st.composite
def markup(draw: st.DrawFn) -> str:
    """Tag soup: well formed by accident only. The comment in front keeps it from being the name of a file."""
    pieces = draw(
        st.lists(
            st.one_of(
                st.sampled_from([f"<{tag}>" for tag in TAGS]),
                st.sampled_from([f"</{tag}>" for tag in TAGS]),
                st.sampled_from(
                    [" ", "\n  ", "\t", "&amp;", "&nbsp;", "<!-- c -->", "<p hidden>", "<div style='display:none'>"]
                ),
                WORDS,
            ),
            max_size=60,
        )
    )
    return "<!---->" + "".join(pieces)


def letters(text: str) -> list[str]:
    """Letters and digits in their simplest form: the marks of quotations and scripts are added."""
    return [letter for letter in normalize("NFKC", text) if letter.isalnum()]


def is_subsequence(part: list[str], whole: list[str]) -> bool:
    rest = iter(whole)
    return all(word in rest for word in part)


def everything(page: tamis.Page) -> None:
    assert isinstance(page.text, str)
    assert isinstance(page.markdown, str)
    assert isinstance(page.html, str)
    assert isinstance(page.json, str)
    assert isinstance(page.highlighted, str)
    ElementTree.fromstring(page.xml), ElementTree.fromstring(page.tei)
    assert all(chunk.tokens <= 64 for chunk in page.chunks(chunk_tokens=64, chunk_overlap=8))
    page.text.encode(), page.markdown.encode(), page.html.encode(), page.json.encode(), page.highlighted.encode()


@given(st.text(max_size=300))
@example("https://a.example/")
def test_any_text_goes_through_or_is_refused_as_a_name(html: str) -> None:
    try:
        everything(tamis.extract(html))
    except NotContent:
        assert "<" not in html


@given(st.binary(max_size=300))
@example(b"GIF87a")
@example(b".html")
def test_any_bytes_go_through_or_are_refused_as_no_page(data: bytes) -> None:
    try:
        everything(tamis.extract(data))
    except NotAPage:
        assert not data.lstrip().startswith(b"<")
    except NotContent:
        assert b"<" not in data


@given(markup())
def test_any_markup_goes_through(html: str) -> None:
    everything(tamis.extract(html, extractor="keep-all"))
    everything(tamis.extract(html, extractor="keep-all", favor_recall=True))


@pytest.mark.parametrize("name", NAMES)
@settings(suppress_health_check=[HealthCheck.differing_executors])
@given(html=markup())
def test_kept_text_is_a_subsequence_of_the_page(name: str, html: str) -> None:
    page = tamis.extract(html, extractor=name, favor_recall=True)
    assume("<math" not in html)
    assert is_subsequence(letters(page.text), letters("".join(page.document.leaves.text)))


@given(markup())
def test_keep_all_loses_no_visible_word(html: str) -> None:
    page = tamis.extract(html, extractor="keep-all")
    leaves = page.document.leaves
    assume("<math" not in html)
    assert letters(page.text) == letters("".join(leaves.text[leaf] for leaf in leaves.visible_text))


@given(markup())
def test_what_is_kept_can_be_seen_and_a_wish_moves_it_one_way(html: str) -> None:
    kept = []
    wishes: list[dict[str, Any]] = [{"favor_precision": True}, {}, {"favor_recall": True}]
    for wish in wishes:
        page = tamis.extract(html, **wish)
        assert not page.labels.keep[~page.document.leaves.visible].any()
        kept.append(page.labels.keep)
    assert not (kept[0] & ~kept[1]).any()
    assert not (kept[1] & ~kept[2]).any()


@given(markup())
def test_unfolding_shows_what_was_folded_and_nothing_else(html: str) -> None:
    document = tamis.Document.from_html(html)
    leaves, unfolded = document.leaves, document.unfolded.leaves
    assert not (leaves.visible & leaves.folded).any()
    assert (unfolded.visible == (leaves.visible | leaves.folded)).all()
    assert unfolded.text == leaves.text


@given(markup())
def test_clean_html_shows_the_same_text_whatever_is_included(html: str) -> None:
    shown = set()
    for links in (True, False):
        for tables in (True, False):
            page = tamis.extract(html, extractor="keep-all", include_links=links, include_tables=tables)
            shown.add("".join(letters(_text_of(page.html))))
    assume("<math" not in html)
    assert shown == {"".join(letters(tamis.extract(html, extractor="keep-all").text))}


class _Texts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_data(self, data: str) -> None:
        self.found.append(data)


def _text_of(html: str) -> str:
    parser = _Texts()
    parser.feed(html)
    parser.close()
    return "".join(parser.found)
