"""New pages made of labelled ones, drafts of them, and texts in other languages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import replace

import numpy as np
import pytest

from tamis import Document
from tamis.arrays import Bools
from tamis.document import parse
from tamis_lab.gold import LeafGold
from tamis_lab.training import augment, languages
from tamis_lab.training.augment import KINDS, Variant, some_kinds, variant
from tamis_lab.training.draft import COMMENT, PageDraft
from tamis_lab.training.pages import LabelledPage
from tests.golden import GoldenPage, golden_pages

SEEDS = range(30)
NEWER = {"article", "main", "section", "nav", "aside", "header", "footer", "figure", "svg", "button", "time"}
COMMENTS = ("[class*=comment i]", "[id*=comment i]", "[id*=respond]", "[class*=repl]")


def labelled(html: bytes, name: str, page_type: str | None = "article") -> LabelledPage:
    """A page whose texts say themselves what they are: good ones are content, odd ones nobody knows."""
    document = Document.from_html(html)
    gold = replace(_gold(document), unfolded=_gold(document.unfolded))
    return LabelledPage(f"c/{name}", name, html, None, gold, page_type)


def _gold(document: Document) -> LeafGold:
    readable = document.leaves.visible & ~document.leaves.is_media
    return LeafGold(
        np.array([text.startswith("good") for text in document.leaves.text], np.bool_) & readable,
        np.array([not text.startswith("odd") for text in document.leaves.text], np.bool_) & readable,
        is_bad=False,
    )


def page(name: str, *, core: str = "div", extra: str = "", page_type: str = "article") -> LabelledPage:
    html = f"""<title>bad {name} title</title><meta property=og:type content=article>
        <script type=application/ld+json>{{"@type": "NewsArticle", "headline": "good {name} headline"}}</script>
        <header><ul><li><a href=x>bad {name} home</a></li>
        <li><a href=y>bad {name} about</a></li></ul></header><aside><p>bad {name} teaser one</p><p>odd {name} advert</p>
        </aside><{core} role=main><h1>good {name} headline</h1><p>good {name} text <b>good {name} bold</b></p>
        <img src=x><p>good {name} more text</p></{core}>{extra}
        <section class=tab hidden><p>bad {name} folded</p></section><footer>bad {name} imprint</footer>"""
    return labelled(html.encode(), name, page_type)


FIRST, SECOND = page("one"), page("two", core="section")
CONTENT = ["good one headline", "good one text", "good one bold", "good one more text"]
LONG = labelled(
    b"<nav><a href=x>bad menu</a></nav><article>"
    + b"".join(b"<p>good %d %s</p>" % (number, b"word " * 20) for number in range(9))
    + b"<p><a href=x>bad link</a></p><ul><li>good item</li></ul></article><aside>bad teasers</aside>",
    "long",
)
THREADED = page("talk", extra="<div class=comments>" + "".join(f"<p>bad answer {n}</p>" for n in range(9)) + "</div>")
FORUM = page("board", page_type="forum")


def texts(document: Document, flags: Bools) -> list[str]:
    return [text.strip() for text, flag in zip(document.leaves.text, flags, strict=True) if flag]


def made(
    seed: int, kinds: Collection[str] = KINDS, first: LabelledPage = FIRST, others: tuple[LabelledPage, ...] = (SECOND,)
) -> Variant:
    return variant(first, others, np.random.default_rng(seed), kinds)


def same(one: Variant, other: Variant) -> bool:
    return (
        one.document.tree.html == other.document.tree.html
        and np.array_equal(one.content, other.content)
        and np.array_equal(one.known, other.known)
        and np.array_equal(one.comment, other.comment)
    )


KINDS_OF_MARKUP = sorted(KINDS.keys() - {"script"})


class TestLabels:
    @pytest.mark.parametrize("seed", SEEDS)
    def test_they_follow_their_texts_wherever_they_move(self, seed: int) -> None:
        found = made(seed, KINDS_OF_MARKUP)
        leaves = found.document.leaves
        own = np.array([text.startswith(("good one", "bad", "odd")) for text in leaves.text])
        for leaf in np.flatnonzero(own & ~found.comment & ~found.related & leaves.visible):
            text = leaves.text[leaf]
            assert bool(found.content[leaf]) == text.startswith("good"), text
            assert bool(found.known[leaf]) != text.startswith("odd"), text

    @pytest.mark.parametrize("kind", KINDS_OF_MARKUP)
    def test_the_content_of_the_first_page_is_all_there_and_in_order(self, kind: str) -> None:
        for seed in SEEDS:
            found = made(seed, {kind})
            assert texts(found.document, found.content) == CONTENT

    @pytest.mark.parametrize("kind", sorted(KINDS))
    def test_the_same_seed_makes_the_same_page_and_others_other_ones(self, kind: str) -> None:
        first = {"short": LONG, "names": THREADED}.get(kind, FIRST)
        pages = [made(seed, {kind}, first, (SECOND, THREADED, FORUM)) for seed in SEEDS]
        again = [made(seed, {kind}, first, (SECOND, THREADED, FORUM)) for seed in SEEDS]
        assert all(map(same, pages, again))
        assert len({page.document.tree.html for page in pages}) > 2

    def test_kinds_are_drawn_among_those_wanted(self) -> None:
        drawn = [some_kinds(np.random.default_rng(seed), ("aged", "thread")) for seed in SEEDS]
        assert set(map(len, drawn)) == {0, 1, 2}
        assert frozenset().union(*drawn) == {"aged", "thread"}


@pytest.mark.parametrize("kind", sorted(KINDS))
class TestOddPages:
    @pytest.mark.parametrize("golden", golden_pages(), ids=lambda page: page.name)
    def test_golden_pages(self, kind: str, golden: GoldenPage) -> None:
        html = golden.source
        document = Document.from_html(html)
        # Without names nothing tells what opens a hidden part.
        every = document.leaves.visible & ~document.leaves.is_media & ~document.inside("[hidden]")
        content = every & document.inside("article", "main", "td", "p") & ~document.inside(*COMMENTS)
        first = LabelledPage("c/golden", "golden", html, None, LeafGold(content, every, is_bad=False), "article")
        for seed in range(3):
            found = made(seed, {kind}, first, (FIRST, first, FORUM))
            assert len(found.content) == len(found.document.leaves)
            assert not (found.content & found.comment).any()
            if kind in ("aged", "names", "thread", "teasers"):
                assert _words(found.document, found.content) == _words(document, content)

    @pytest.mark.parametrize(
        "html",
        [b"", b"<img src=x>", b"<template>bad</template>", b"<p>bad menu", b"<frameset><frame></frameset>", b"good"],
    )
    def test_pages_without_content_or_frame(self, kind: str, html: bytes) -> None:
        odd = labelled(html, "odd")
        for seed in range(5):
            found = made(seed, {kind}, odd, (SECOND,))
            assert len(found.known) == len(found.document.leaves)
            found = made(seed, {kind}, FIRST, (odd,))
            assert found.content.sum() == len(CONTENT)


def _words(document: Document, flags: Bools) -> Counter[str]:
    return Counter(word for text in texts(document, flags) for word in text.split() if word != "|")


class TestFrames:
    def test_the_content_stands_in_the_other_frame(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(augment, "_SWAP", 1.0)
        found = made(0, {"frame"})
        leaves = found.document.leaves
        assert texts(found.document, ~found.content & leaves.visible & ~leaves.is_media) == [
            "bad two home",
            "bad two about",
            "bad two teaser one",
            "odd two advert",
            "bad two folded",
            "bad two imprint",
        ]
        assert found.document.title == "bad two title"

    def test_parts_of_the_frame_go_and_parts_of_another_come(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(augment, "_SWAP", 0.0)
        whole = {text.strip() for text in FIRST.document().leaves.text}
        lost, won = 0, 0
        for seed in SEEDS:
            found = {text.strip() for text in made(seed, {"frame"}).document.leaves.text}
            lost += bool(whole - found)
            won += bool(found - whole)
            assert not any(text.startswith("good two") for text in found)
        assert lost > 8
        assert won > 8

    def test_the_page_declares_what_the_page_of_its_content_does(self) -> None:
        for seed in range(8):
            assert made(seed, {"frame"}).declared.names == {"good one headline"}


class TestAged:
    @pytest.mark.parametrize("seed", SEEDS)
    def test_there_is_nothing_that_came_later(self, seed: int) -> None:
        found = made(seed, {"aged"})
        assert not NEWER & set(found.document.elements.tag)
        assert not found.document.tree.select("[role], [itemprop], [itemtype], [hidden]")
        assert not found.declared.names
        assert not found.document.linked_data.things

    def test_years_differ(self) -> None:
        columns = labelled(
            b"<div><div><a href=x>bad menu</a><br>bad</div><div><p>good one</p><p>good two</p></div></div>", "columns"
        )
        tags = [set(made(seed, {"aged"}, columns).document.elements.tag) for seed in range(60)]
        for wanted in ("table", "br", "p", "div"):
            assert sum(wanted in found for found in tags) > 5, wanted
        assert any("p" not in found for found in tags)

    def test_paragraphs_become_one_run_but_not_with_what_is_none_of_them(self) -> None:
        html = b"<div><p>good one</p><p>good two</p><p>bad advert</p><p>good three</p></div><p>bad bad bad bad bad"
        joined = 0
        for seed in range(100):
            found = made(seed, {"aged"}, labelled(html, "flow"))
            block = found.document.leaves.block.tolist()
            joined += block[0] == block[1]
            assert block[1] != block[2]
            assert block[2] != block[3]
        assert 10 < joined < 60


class TestShort:
    @pytest.mark.parametrize("seed", SEEDS)
    def test_the_first_paragraphs_stay_and_all_around_them(self, seed: int) -> None:
        found = made(seed, {"short"}, LONG)
        kept = texts(found.document, found.content)
        assert 1 <= len(kept) <= 8 or kept[-1] == "good item"
        kept = kept[:9]
        assert kept == [" ".join(("good", str(number), *["word"] * 20)) for number in range(len(kept))]
        assert texts(found.document, ~found.content) == ["bad menu", "bad link", "bad teasers"]

    def test_only_articles_are_cut(self) -> None:
        product = replace(LONG, page_type="product")
        assert made(0, {"short"}, product).content.sum() == 10


class TestThreads:
    def test_comments_stand_below_the_content_and_are_none(self) -> None:
        for seed in SEEDS:
            found = made(seed, {"thread"}, others=(SECOND, THREADED, FORUM))
            assert found.comment.any()
            assert not (found.comment & found.content).any()
            assert found.known[found.comment].all()
            assert np.flatnonzero(found.comment)[0] > np.flatnonzero(found.content)[-1]

    def test_they_come_from_comments_from_forums_and_from_templates(self) -> None:
        said = [texts(found.document, found.comment) for found in (
            made(seed, {"thread"}, others=(THREADED, FORUM)) for seed in range(60)
        )]  # fmt: skip
        assert sum("bad answer 1" in found for found in said) > 5
        assert sum("good board bold" in found for found in said) > 5
        assert sum("bad answer 1" not in found and "good board bold" not in found for found in said) > 5

    def test_forums_products_and_the_like_get_none(self) -> None:
        for page_type in ("forum", "product"):
            assert not made(0, {"thread"}, page("one", page_type=page_type)).comment.any()

    def test_names_tell_comments_also_where_they_are_withheld(self) -> None:
        for seed in SEEDS:
            assert made(seed, {"names"}, THREADED).comment.sum() == 9


class TestTeasers:
    def test_they_are_about_other_pages(self) -> None:
        inside = 0
        for seed in SEEDS:
            found = made(seed, {"teasers"})
            assert found.related.any()
            assert not (found.related & found.content).any()
            inside += bool((found.related & found.document.inside("div[role=main]")).any())
        assert inside > 5


def plain_page(html: str | bytes, page_type: str | None = "article") -> LabelledPage:
    """A page on which the texts that begin with `good` are content."""
    data = html.encode() if isinstance(html, str) else html
    document = Document.from_html(data).unfolded
    readable = document.leaves.visible & ~document.leaves.is_media
    good = np.array([text.strip().startswith("good") for text in document.leaves.text], np.bool_)
    return LabelledPage("c/page", "page", data, None, LeafGold(good & readable, readable, is_bad=False), page_type)


def draft(html: str | bytes) -> PageDraft:
    return PageDraft.of(plain_page(html))


def draft_texts(made: PageDraft) -> list[str]:
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
    read = plain_page(html)
    assert (document.leaves.text, document.elements.tag) == (read.document().leaves.text, read.document().elements.tag)
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


def test_every_text_is_rewritten_and_no_code() -> None:
    html = "<title>t</title><style>s</style><p>a <b hidden>b</b></p><svg><text><![CDATA[c]]></text></svg><script>d"
    made = draft(html).rewritten(lambda text: f"({text})")
    assert draft_texts(made) == ["(t)", "(a )", "(b)", "(c)"]
    assert "(s)" not in made.tree.html
    assert "(d)" not in made.tree.html


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
        assert draft_texts(made) == ["bad"]


TEXT = "The council of the city has decided, after a long debate, to close the old bridge. Nobody knows why!"
WRITERS = list(dict.fromkeys(languages._WRITERS))


@pytest.mark.parametrize("write", WRITERS)
class TestEvery:
    def test_equal_words_become_equal_words(self, write: languages.Writer) -> None:
        assert write("bread and bread").split("and")[0] == write("bread and bread").split("and")[0]
        assert write("bread") != write("broth")

    @pytest.mark.parametrize(
        "text", [".", "…", "\u200b", "\xadx", "-", "?!", "😀", "ß", "日本", "the", "A", "of the", "7:3"]
    )
    def test_no_text_becomes_blank(self, write: languages.Writer, text: str) -> None:
        assert write(text).strip()

    def test_sentences_end_as_before(self, write: languages.Writer) -> None:
        assert sum(map(write(TEXT).count, ".!。！")) == 2
        assert sum(map(write(TEXT).count, ",，、،")) == 2
