from __future__ import annotations

import numpy as np
import pytest

from tamis import Document, PageTooLarge
from tamis.document import parse, table


def leaves(html: str) -> list[str]:
    """Each leaf: its text, or the tag of a medium in angle brackets."""
    document = Document.from_html(html)
    tags = [document.elements.tag[row] for row in document.leaves.element.tolist()]
    return [text or f"<{tag}>" for text, tag in zip(document.leaves.text, tags, strict=True)]


def seen(html: str) -> list[str]:
    """The leaves that are visible."""
    return [leaf for leaf, shown in zip(leaves(html), Document.from_html(html).leaves.visible, strict=True) if shown]


def nested(tag: str, levels: int, inner: str) -> str:
    return f"<{tag}>" * levels + inner + f"</{tag}>" * levels


class TestLeaves:
    @pytest.mark.parametrize("html", ["", " ", "<!doctype html>", "<p></p>", "<!-- only this -->"])
    def test_a_page_may_have_none(self, html: str) -> None:
        document = Document.from_html(html)
        assert len(document.leaves) == 0
        assert document.leaves.visible_text.tolist() == []

    @pytest.mark.parametrize(
        "tag", ["img", "picture", "video", "audio", "iframe", "object", "embed", "svg", "canvas", "math", "amp-img"]
    )
    def test_every_medium_is_a_leaf(self, tag: str) -> None:
        document = Document.from_html(f"<p>a<{tag}></{tag}>b</p>")
        assert document.leaves.is_media.tolist() == [False, True, False]
        assert document.leaves.visible.all()

    @pytest.mark.parametrize("tag", ["script", "style"])
    def test_code_is_never_a_leaf(self, tag: str) -> None:
        assert leaves(f"<p>a<{tag}>code {{}}</{tag}>b<svg><{tag}>more</{tag}></svg></p>") == ["a", "b", "<svg>"]

    def test_a_formula_in_a_script_is_a_medium(self) -> None:
        html = "<p>a<script type='math/tex; mode=display'>x < y</script>b<script type=text/tex>z</script></p>"
        assert leaves(html) == seen(html) == ["a", "<script>", "b"]
        assert leaves("<svg><script type=math/tex>x</script></svg>") == ["<svg>"]

    def test_visible_text_leaves_out_media_and_hidden_text(self) -> None:
        document = Document.from_html("<p>a</p><img><p hidden>b</p><p>c</p>")
        assert [document.leaves.text[row] for row in document.leaves.visible_text.tolist()] == ["a", "c"]


class TestVisibility:
    def test_a_declarative_shadow_root_is_shown(self) -> None:
        html = "<div><template shadowrootmode=open><p>s</p><p hidden>h</p><img></template></div><p hidden>i</p><p>a</p>"
        assert leaves(html) == ["s", "h", "<img>", "i", "a"]
        assert seen(html) == ["s", "<img>", "a"]

    def test_a_hidden_medium_is_not_shown(self) -> None:
        assert seen("<img hidden><svg hidden><text>a</text></svg><video style='display:none'></video>b") == ["b"]

    def test_noscript_is_shown(self) -> None:
        assert seen("<body><noscript><p>a</p><img></noscript>") == ["a", "<img>"]

    def test_the_tex_source_of_a_formula_is_not_shown(self) -> None:
        assert seen("<math><mi>x</mi><annotation>\\xi</annotation></math>") == ["<math>", "x"]

    @pytest.mark.parametrize("tag", ["video", "audio", "iframe", "object", "canvas"])
    def test_the_fallback_of_a_medium_is_not_shown(self, tag: str) -> None:
        assert seen(f"<p>a<{tag}>fallback<b>too</b></{tag}>b</p>") == ["a", f"<{tag}>", "b"]


def folded(html: str) -> list[str]:
    """The leaves that are folded away."""
    return [leaf for leaf, away in zip(leaves(html), Document.from_html(html).leaves.folded, strict=True) if away]


def unfolded(html: str) -> list[str]:
    """The leaves that are visible when all is unfolded."""
    shown = Document.from_html(html).unfolded.leaves.visible
    return [leaf for leaf, visible in zip(leaves(html), shown, strict=True) if visible]


class TestFolding:
    def test_what_an_attribute_hides_is_folded_away(self) -> None:
        html = """<p>a</p><div hidden class=tab><p>b</p><img></div><p class=more style='display:none'>c</p>
            <img hidden class=tab><p>d</p>"""
        assert seen(html) == ["a", "d"]
        assert folded(html) == ["b", "<img>", "c", "<img>"]
        assert unfolded(html) == leaves(html) == ["a", "b", "<img>", "c", "<img>", "d"]

    def test_what_no_attribute_hides_is_not(self) -> None:
        html = """<title>t</title><p>a</p><template>b</template><video>c</video>
            <p hidden class=tab>until<option>d</option></p>"""
        assert folded(html) == ["until"]
        assert unfolded(html) == ["a", "<video>", "until"]

    def test_a_template_that_is_hidden_stays_invisible(self) -> None:
        assert unfolded("<p>a</p><template hidden>b</template><div hidden class=tab><template>c</template>d</div>") == [
            "a",
            "d",
        ]

    def test_the_page_itself_stays_as_it_is(self) -> None:
        document = Document.from_html("<p>a</p><p hidden class=tab>b</p><img hidden class=tab><p>c</p>")
        other = document.unfolded
        assert document.leaves.visible.tolist() == [True, False, False, True]
        assert document.leaves.visible_text.tolist() == [0, 3]
        assert other.leaves.visible.all()
        assert other.leaves.visible_text.tolist() == [0, 1, 3]
        assert other.leaves.text == document.leaves.text
        assert other.leaves.folded.tolist() == document.leaves.folded.tolist() == [False, True, True, False]
        assert other.leaves.block.tolist() == document.leaves.block.tolist()
        assert (other.html, other.url, other.title) == (document.html, document.url, document.title)


class TestCurtain:
    """A page that is hidden as a whole is hidden to be shown by its script."""

    PARTS = "".join(f"<p>part {number}</p>" for number in range(30))

    def test_what_is_hidden_behind_it_stays_hidden(self) -> None:
        inner = "<p hidden class=tab>away</p><div class=tab style='display:none'><p>too</p></div>"
        html = f"<body style='display:none'>{self.PARTS}{inner}"
        assert len(seen(html)) == 30
        assert folded(html) == ["away", "too"]

    def test_a_page_with_something_to_read_has_no_curtain(self) -> None:
        html = f"<p>one</p><p>two</p><div hidden class=tab>{self.PARTS}</div>"
        assert seen(html) == ["one", "two"], "two of 32 are a twentieth"
        assert len(folded(html)) == 30

    def test_many_small_hidden_parts_are_no_curtain(self) -> None:
        html = "".join(f"<p hidden class=tab>part {number}</p>" for number in range(30))
        assert seen(html) == []
        assert len(folded(html)) == 30


class TestStreamedParts:
    """Parts that arrive late are hidden until a script puts them where they belong."""

    @pytest.mark.parametrize("name", ["S:0", "S:1", "S:1f", "S:a0"])
    def test_they_are_shown(self, name: str) -> None:
        assert seen(f"<p>a</p><div hidden id='{name}'><p>b</p></div>") == ["a", "b"]

    @pytest.mark.parametrize("name", ["", "S:", "S:xyz", "s:1", "B:1", "S:1 ", "not-S:1", "S:1-b"])
    def test_others_are_not(self, name: str) -> None:
        assert seen(f"<p>a</p><div hidden id='{name}'><p>b</p></div>") == ["a"]

    def test_what_is_hidden_in_them_is(self) -> None:
        html = "<p>a</p><div hidden id='S:1'><p>b</p><p hidden class=tab>c</p></div>"
        assert seen(html) == ["a", "b"]
        assert folded(html) == ["c"]


class TestFrames:
    def test_noframes_is_the_body_of_a_frameset(self) -> None:
        html = "<title>T</title><frameset><frame src=x><noframes><p>a <a href=y>b</a></p></noframes></frameset>"
        document = Document.from_html(html)
        assert seen(html) == ["a ", "b"]
        assert document.title == "T"
        assert document.leaves.in_link.tolist() == [False, False, True]

    def test_noframes_may_follow_the_frameset(self) -> None:
        assert seen("<frameset><frame src=x></frameset><noframes>a</noframes>") == ["a"]

    def test_a_frameset_alone_has_nothing_to_read(self) -> None:
        assert seen("<title>T</title><frameset><frame src=x></frameset>") == []


class TestElements:
    def test_columns_follow_the_page(self) -> None:
        elements = Document.from_html("<DIV CLASS='x y' id=z><p>a</p></DIV>").elements
        assert elements.tag == ["html", "head", "body", "div", "p"]
        assert elements.parent.tolist() == [-1, 0, 0, 2, 3]
        assert elements.end.tolist() == [5, 2, 5, 5, 5]
        assert elements.depth.tolist() == [0, 1, 1, 2, 3]
        assert elements.class_ == ["", "", "", "x y", ""]
        assert elements.id == ["", "", "", "z", ""]
        assert elements.attribute(3, "class") == "x y"
        assert elements.attribute(4, "class") is None
        assert dict(elements.attributes(3)) == {"class": "x y", "id": "z"}

    def test_ancestors_lead_to_the_root(self) -> None:
        document = Document.from_html("<div><p><b>a</b></p></div>")
        assert document.tag_path(int(document.leaves.element[0])) == ["html", "body", "div", "p", "b"]

    def test_inside_covers_the_element_and_all_below(self) -> None:
        elements = Document.from_html("<div><p><b>a</b></p><i>b</i></div><div>c</div>").elements
        mask = np.array([tag == "p" for tag in elements.tag])
        assert [tag for tag, held in zip(elements.tag, elements.inside(mask), strict=True) if held] == ["p", "b"]

    def test_inside_nested_matches_ends_with_the_outer_one(self) -> None:
        elements = Document.from_html("<div><div>a</div><b>b</b></div><i>c</i>").elements
        mask = np.array([tag == "div" for tag in elements.tag])
        assert [tag for tag, held in zip(elements.tag, elements.inside(mask), strict=True) if held] == [
            "div",
            "div",
            "b",
        ]

    @pytest.mark.parametrize("levels", [0, 1, 6, 7, 8, 40, 500])
    def test_nearest_climbs_any_number_of_levels(self, levels: int) -> None:
        elements = Document.from_html(f"<section>{nested('span', levels, 'deep')}</section>").elements
        (section,) = np.flatnonzero(np.array(elements.tag) == "section")
        for rows in (np.array([len(elements) - 1]), np.full(20, len(elements) - 1)):
            assert set(elements.nearest(np.array(elements.tag) == "section", rows).tolist()) == {section}

    def test_nodes_that_are_asked_for_come_in_document_order(self) -> None:
        found = Document.from_html("<p id=1>a<div><p id=2>b</div><template><p id=3>c</template><P ID=4>d").elements
        assert [node.attr("id") for node in found.nodes(np.array(found.tag) == "p")] == ["1", "2", "3", "4"]
        assert found.nodes(np.zeros(len(found), dtype=np.bool_)) == []

    def test_nearest_finds_itself_or_nothing(self) -> None:
        elements = Document.from_html(f"<div>{nested('b', 20, 'a')}</div>").elements
        rows = np.arange(len(elements))
        nobody = np.zeros(len(elements), dtype=np.bool_)
        assert elements.nearest(~nobody, rows).tolist() == rows.tolist()
        assert elements.nearest(nobody, rows).tolist() == [-1] * len(rows)


class TestDocument:
    def test_selectors_find_the_leaves_inside(self) -> None:
        document = Document.from_html("<main><p>a</p><p class=x>b<img></p></main><p>c</p>")
        assert document.inside("main").tolist() == [True, True, True, False]
        assert document.inside("p.x", "main + p").tolist() == [False, True, True, True]
        assert document.inside("nav").tolist() == [False] * 4
        assert document.inside().tolist() == [False] * 4

    def test_equal_elements_are_told_apart(self) -> None:
        assert Document.from_html("<p>a</p>" * 3).inside("p:nth-of-type(2)").tolist() == [False, True, False]

    def test_the_title_is_on_one_line(self) -> None:
        assert Document.from_html("<title>\n A &amp; B\n  C </title>").title == "A & B C"

    @pytest.mark.parametrize(
        "html",
        [
            "<p>a</p>",
            "<title> </title>",
            "<svg><title>icon</title></svg>",
            "<body><template><title>part</title></template>",
        ],
    )
    def test_a_page_may_have_no_title(self, html: str) -> None:
        assert Document.from_html(html).title == ""

    def test_the_title_of_a_template_is_not_the_page_title(self) -> None:
        assert Document.from_html("<template><title>part</title></template><title>page</title>").title == "page"

    def test_a_page_is_read_from_itself_unless_somebody_says_otherwise(self) -> None:
        assert Document.from_html("<p>a</p>").source == "page"
        hidden = Document.from_html("<p>a</p><p hidden>b</p>", source="json-ld")
        assert (hidden.source, hidden.unfolded.source) == ("json-ld", "json-ld")

    def test_a_tree_makes_the_same_tables_as_its_source(self) -> None:
        html = "<title>T</title><p>a <b>b</b></p> <img><div hidden>c</div><pre>\n d</pre><template>e</template>"
        nodes: list[parse.Node] = []
        made, read = Document.from_tree(parse.parse(html), nodes), Document.from_html(html)
        assert (made.leaves.text, made.leaves.gap) == (read.leaves.text, read.leaves.gap)
        for column in ("element", "opened", "is_media", "visible", "folded", "in_link"):
            assert getattr(made.leaves, column).tolist() == getattr(read.leaves, column).tolist(), column
        for column in ("code", "parent", "end"):
            assert getattr(made.elements, column).tolist() == getattr(read.elements, column).tolist(), column
        assert [node.text for node in nodes] == [text for text in made.leaves.text if text]
        assert made.html == ""


class TestLimits:
    def test_too_many_characters(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(table, "MAX_CHARACTERS", 10)
        assert leaves("<p>1234567") == ["1234567"]
        with pytest.raises(PageTooLarge, match="11 characters; the limit is 10"):
            Document.from_html("<p>12345678")

    def test_too_many_tags(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(table, "MAX_TAGS", 3)
        assert leaves("<p>a<p>b<p>c") == ["a", "b", "c"]
        with pytest.raises(PageTooLarge, match="4 tags; the limit is 3"):
            Document.from_html("<p>a<p>b<p>c<p>d")
