"""Pages that are changed before they become tables: labels follow their texts, and parts come where they may stand."""

from __future__ import annotations

import numpy as np
import pytest

from tamis import Document
from tamis.document import parse
from tamis_lab.gold import LeafGold
from tamis_lab.training.draft import COMMENT, Draft
from tamis_lab.training.pages import LabelledPage


def page(html: str | bytes, page_type: str | None = "article") -> LabelledPage:
    """A page on which the texts that begin with `good` are content."""
    data = html.encode() if isinstance(html, str) else html
    document = Document.from_html(data).unfolded
    readable = document.leaves.visible & ~document.leaves.is_media
    good = np.array([text.strip().startswith("good") for text in document.leaves.text], np.bool_)
    return LabelledPage("c/page", "page", data, None, LeafGold(good & readable, readable, is_bad=False), page_type)


def draft(html: str | bytes) -> Draft:
    return Draft.of(page(html))


def texts(made: Draft) -> list[str]:
    return [text for text in made.columns()[0].leaves.text if text]


@pytest.mark.parametrize(
    "html",
    [
        b"<main><p>one <b>good</b></p><p>three</p></main><footer>four<img src=x></footer>",
        b"",
        b"<title>T</title>plain",
        "<p>n\xe4ve</p>".encode("latin-1"),
        b"<frameset><noframes><p>a</noframes></frameset>",
    ],
)
def test_an_unchanged_draft_is_the_page(html: bytes) -> None:
    document, content, known, _, _ = draft(html).columns()
    read = page(html)
    assert (document.leaves.text, document.elements.tag) == (
        read.document().leaves.text,
        read.document().elements.tag,
    )
    assert content.tolist() == read.gold.content.tolist()
    assert known.tolist() == read.gold.known.tolist()


def test_names_tell_roles() -> None:
    made = draft("<p>good</p><p class=comment>so</p><div class=related>that</div>")
    _, _, _, comment, related = made.columns()
    assert comment.tolist() == [False, True, False]
    assert related.tolist() == [False, False, True]


def test_the_core_is_the_smallest_element_with_the_content() -> None:
    made = draft("<body><div><div id=core><p>good one</p><p>good two</p></div></div><div>bad</div>")
    assert made.core is not None
    assert made.core.attr("id") == "core"
    assert [part.text for part in made.frame] == ["bad"]


def test_the_content_goes_into_another_frame() -> None:
    one, other = draft("<div><p>good one</p></div><p>bad one"), draft("<main><p>good two</p></main><p>bad two words")
    document, content, _, _, _ = one.in_frame_of(other).columns()
    assert document.leaves.text == ["good one", "bad two words"]
    assert content.tolist() == [True, False]


def test_every_text_is_rewritten_and_no_code() -> None:
    html = "<title>t</title><style>s</style><p>a <b hidden>b</b></p><svg><text><![CDATA[c]]></text></svg><script>d"
    made = draft(html).rewritten(lambda text: f"({text})")
    assert texts(made) == ["(t)", "(a )", "(b)", "(c)"]
    assert "(s)" not in made.tree.html
    assert "(d)" not in made.tree.html


def test_declared_texts_are_rewritten_alike() -> None:
    html = "<meta name=description content='A plain and simple description of things'><p>good"
    made = draft(html).rewritten(str.upper)
    assert made.declared.texts == {"meta": "A PLAIN AND SIMPLE DESCRIPTION OF THINGS"}


class TestPlaces:
    @pytest.mark.parametrize(
        ("place", "expected"),
        [
            ("before", ["new", "good one", "good two", "bad"]),
            ("after", ["good one", "good two", "new", "bad"]),
            ("inside", ["good one", "good two", "new", "bad"]),
            ("around", ["good one", "good two", "bad", "new"]),
        ],
    )
    @pytest.mark.parametrize("core", ["div", "td", "li", "p"])
    def test_a_part_comes_beside_the_core(self, place: str, expected: list[str], core: str) -> None:
        around = {"td": ("<table><tr>", "</table>"), "li": ("<ul>", "</ul>")}.get(core, ("", ""))
        made = draft(
            f"<body><div>{around[0]}<{core}>good one<br>good two</{core}>{around[1]}<p>bad</p></div><div>x y z</div>"
        )
        new = parse.Element("div")
        new.append(parse.Text("new"))
        made.put(new, place, COMMENT)
        document, _, _, comment, _ = made.columns()
        assert document.leaves.text[:-1] == expected
        assert [document.leaves.text[leaf] for leaf in np.flatnonzero(comment)] == ["new"]
        assert isinstance(new.parent, parse.Element)
        assert new.parent.tag not in ("tr", "tbody", "table", "ul", "p")

    def test_without_content_there_is_no_place(self) -> None:
        made = draft("<p>bad")
        made.put(parse.Element("div"), "after", COMMENT)
        assert texts(made) == ["bad"]
