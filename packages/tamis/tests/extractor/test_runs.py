from __future__ import annotations

import re
from itertools import groupby
from math import log, log1p

import numpy as np
import pytest

from tamis import Document
from tamis.document import tags
from tamis.extractor import declared
from tamis.extractor.runs import COLUMNS, LEVELS, NO_TAG, PageRuns
from tests.extractor import pages
from tests.extractor.pages import HOLDERS, NODE_COLUMNS, check, decide, near, texts
from tests.golden import GoldenPage, golden_pages
from tests.hostile import HOSTILE

PROSE = "It rained and rained, and the river rose; nobody had seen it like that in many years."
PAGE = f"""
<title>Not a row</title>
<nav><ul><li><a href=x>Home</a></li><li><a href=y>About us</a></li></ul></nav>
<main>
<h1>The Report: 2008</h1>
<p>{PROSE}</p><img src=x>
<p>Read <a href=z>the second part</a> now!</p>
</main>
<footer>Imprint | Contact</footer>
"""
# Six runs: Home, About us, the heading, two paragraphs, the footer. Their words: 1, 2, 3, 17, 5, 2.
WORDS = [1, 2, 3, 17, 5, 2]
TOTAL = sum(WORDS)
# The columns of nodes.
NODES = slice(COLUMNS.index("words 1"), COLUMNS.index("in record"))


def runs_of(html: str | bytes = PAGE) -> PageRuns:
    return pages.runs_of(html)


def values(name: str, html: str = PAGE) -> list[float]:
    return pages.column(name, html)


class TestRows:
    def test_texts_of_one_block_are_one_row(self) -> None:
        assert texts(runs_of("<p>a <b>b <i>c</i></b> d<br>e</p><p>f</p>")) == ["a b c de", "f"]

    def test_text_after_a_child_block_is_a_row_of_its_own(self) -> None:
        found = runs_of("<div>a<p>b</p>c</div>")
        assert texts(found) == ["a", "b", "c"]
        assert found.element[0] == found.element[2] != found.element[1]

    def test_hidden_texts_part_nothing(self) -> None:
        assert texts(runs_of("<div>a <p hidden>no</p>b</div>")) == ["a b"]

    def test_media_part_nothing(self) -> None:
        assert texts(runs_of("<p>a <img src=x> b</p>")) == ["a  b"]

    def test_each_row_knows_its_element(self) -> None:
        found = runs_of()
        tag = found.document.elements.tag
        assert [tag[row] for row in found.element] == ["li", "li", "h1", "p", "p", "footer"]

    def test_words(self) -> None:
        assert runs_of().words.tolist() == WORDS
        assert len(runs_of()) == 6

    def test_each_leaf_gets_what_its_row_gets(self) -> None:
        found = decide(
            "<p>a <b>b</b> <i>c</i></p><p hidden>no</p><div>d <img src=x> e</div><script>no</script>", [1, -1]
        )
        assert found.runs.document.leaves.text == ["a ", "b", "c", "no", "d ", "", " e"]
        assert list(map(found.runs.leaves_of, range(2))) == [[0, 1, 2], [4, 6]]
        likely, unlikely = 1 / (1 + np.exp(-1)), 1 / (1 + np.exp(1))
        assert found.labels.scores.tolist() == near([likely, likely, likely, 0, unlikely, 0, unlikely])
        assert found.labels.keep.tolist() == [True, True, True, False, False, False, False]

    @pytest.mark.parametrize("html", ["", "<img src=x>", "<p hidden>no</p>", "<title>no</title>"])
    def test_a_page_without_text_has_no_rows(self, html: str) -> None:
        found = runs_of(html)
        assert len(found) == 0
        check(found)
        labels = decide(html, 9).labels
        assert labels.scores.tolist() == [0] * len(found.document.leaves)
        assert (labels.roles, labels.page_types) == (None, None)


class TestEveryPage:
    def test_column_names_are_given_once(self) -> None:
        assert len(set(COLUMNS)) == len(COLUMNS)

    def test_columns_come_in_one_order(self) -> None:
        """Weights and the browser extension count on it."""

        def kind(name: str) -> str:
            if re.search(r" [1-6]$", name):
                return "node " + name[-1]
            if {"record", "records"}.intersection(name.split()):
                return "record"
            return name.split()[0] if name.split()[0] in others and name != "in title" else "run"

        others = {"in", "role", "property", "named", "declared", "og", "data", "marked", "described", "address"}
        found = [(each, len(list(names))) for each, names in groupby(COLUMNS, kind)]
        assert found == [
            ("run", 33), ("in", 30), *((f"node {level}", 12) for level in range(1, LEVELS + 1)), ("record", 11),
            ("role", 12), ("property", 13), ("named", 57), ("declared", 7), ("og", 5), ("data", 8), ("marked", 8),
            ("described", 1), ("address", 8),
        ]  # fmt: skip
        assert COLUMNS[-len(declared.PAGE) :] == declared.PAGE
        assert declared.PAGE[0] == "og article"

    @pytest.mark.parametrize("page", golden_pages(), ids=lambda page: page.name)
    def test_golden_pages_give_finite_values(self, page: GoldenPage) -> None:
        check(PageRuns(page.document()))

    @pytest.mark.parametrize("kind", HOSTILE)
    def test_hostile_pages_give_finite_values(self, kind: str) -> None:
        check(runs_of(HOSTILE[kind](3_000)))

    @pytest.mark.parametrize("html", ["<p>word", "word", "<p>|</p>", "<p>&shy;</p>", "<p>…", "<p>😀"])
    def test_a_page_of_next_to_nothing(self, html: str) -> None:
        found = runs_of(html)
        assert len(found) == 1
        check(found)

    def test_chinese_is_counted_by_characters(self) -> None:
        html = "<h1>天气</h1><p>今天下雨，河水上涨。</p>"
        check(runs_of(html))
        assert values("words", html) == near([log1p(1), log1p(4)])
        assert values("commas", html) == near([0, log(2)])
        assert values("sentence ends", html) == near([0, log(2)])
        assert values("ends a sentence", html) == [0, 1]


class TestText:
    def test_words_and_characters(self) -> None:
        letters = [4, 8, 16, len(PROSE), 25, 17]
        assert values("words") == near([log1p(count) for count in WORDS])
        assert values("characters") == near([log1p(count) for count in letters])
        assert values("word length") == near([length / words for length, words in zip(letters, WORDS, strict=True)])
        assert values("texts") == near([log1p(count) for count in (1, 1, 1, 1, 3, 1)])

    def test_words_in_links(self) -> None:
        assert values("linked") == near([1, 1, 0, 0, 3 / 5, 0])
        assert values("page linked") == near([6 / TOTAL] * 6)

    def test_marks(self) -> None:
        assert values("digits") == near([0, 0, 4 / 16, 0, 0, 0])
        assert values("capitals") == near([1 / 4, 1 / 8, 2 / 16, 1 / len(PROSE), 1 / 25, 2 / 17])
        assert values("sentence ends") == near([0, 0, 0, log(2), log(2), 0])
        assert values("commas") == near([0, 0, 0, log(3), 0, 0])
        assert values("separators") == near([0, 0, 1 / 16, 0, 0, 1 / 17])
        assert values("quotes", '<p>"a" (b)<p>c “d”') == near([log(5), log(3)])

    def test_marks_do_not_run_into_each_other(self) -> None:
        """They are counted in one number; many of one kind must not look like one of the next."""
        html = f"<p>{'1' * 70_000}<p>a<p>{'.' * 70_000}a<p>{'-' * 70_000}a"
        assert values("digits", html) == [1, 0, 0, 0]
        assert values("sentence ends", html) == near([0, 0, log1p(70_000), 0])
        assert values("separators", html) == near([0, 0, 0, 70_000 / 70_001])
        for name in ("capitals", "commas", "quotes"):
            assert not any(values(name, html)), name

    @pytest.mark.parametrize("end", [".", "!", "?", "。", '."', "…", ".)", ". ", "!\n"])
    def test_what_ends_a_sentence(self, end: str) -> None:
        assert values("ends a sentence", f"<p>It ended{end}</p><p>It. did not</p>") == [1, 0]

    def test_the_last_text_of_a_row_says_how_it_ends(self) -> None:
        assert values("ends a sentence") == [0, 0, 0, 1, 1, 0]
        assert values("ends a sentence", "<p>a. <b>b</b></p><p>a <b>b.</b></p>") == [0, 1]

    def test_the_length_of_a_word_is_capped(self) -> None:
        """A page of one word of a megabyte is no other page than one of a line without spaces."""
        assert values("word length", f"<p>{'x' * 29}<p>{'x' * 30}<p>{'x' * 31}<p>{'x' * 9_999}") == [29, 30, 30, 30]
        assert max(values("word length", f"<p>{'|' * 500}")) == 30  # no word at all

    def test_rows_without_words(self) -> None:
        assert values("wordless", "<p>a<p>|<p>- 7") == [0, 1, 0]


class TestPlace:
    def test_on_the_page(self) -> None:
        assert values("place") == near([run / 6 for run in range(6)])
        assert values("runs before") == near([log1p(run) for run in range(6)])
        assert values("runs after") == near([log1p(5 - run) for run in range(6)])
        assert values("words before") == near([count / TOTAL for count in (0, 1, 3, 6, 23, 28)])

    def test_of_the_page(self) -> None:
        assert values("page runs") == near([log1p(6)] * 6)
        assert values("page words") == near([log1p(TOTAL)] * 6)
        assert values("page prose") == near([17 / TOTAL] * 6)

    def test_long_rows_of_links_are_no_prose(self) -> None:
        assert values("page prose", f"<p><a href=x>{PROSE}</a></p><p>{PROSE}</p>") == near([1 / 2] * 2)
        assert values("page prose", "<p>too few words</p>") == [0]

    def test_depth(self) -> None:
        # HTML, BODY, NAV, UL, LI: four above the last.
        assert values("depth") == near([log1p(depth) for depth in (4, 4, 3, 3, 3, 2)])

    def test_from_the_first_h1(self) -> None:
        assert values("after h1") == [-1, -1, 0, 1, 1, 1]
        assert values("from h1") == near([log1p(away) for away in (2, 1, 0, 1, 2, 3)])
        html = "<p>a</p><h1>b</h1><p>c</p><h1>d</h1>"
        assert values("after h1", html) == [-1, 0, 1, 1]

    def test_without_an_h1(self) -> None:
        html = "<h2>a</h2><p>b</p>"
        assert values("after h1", html) == values("from h1", html) == [0, 0]

    def test_from_the_last_heading(self) -> None:
        assert values("from heading", "<p>a<h2>b</h2><p>c<p>d<h6>e</h6><p>f") == near(
            [log1p(away) for away in (50, 0, 1, 2, 0, 1)]
        )


class TestTags:
    def test_each_holder_is_found_however_deep(self) -> None:
        """Every tag by itself, with a text before it, one in a block inside it, and one after it."""
        inside = [COLUMNS.index(f"in {holder}") for holder in HOLDERS]
        nothing = [0.0] * len(HOLDERS)
        for holder in HOLDERS:
            for tag in holder.split():
                html = f"<div>a</div><{tag} open><div>b</div></{tag}><div>c</div>"  # a closed dialog is folded
                if tag in {"p", "caption", "legend", "table", "td", "th", "listing", "xmp", "textarea", "select"}:
                    continue  # the parser moves or drops what stands in them
                found = runs_of(html).values[:, inside]  # (runs, holders)
                assert found.tolist() == [nothing, [float(other == holder) for other in HOLDERS], nothing], tag

    def test_cells(self) -> None:
        html = "<p>a</p><table><caption>b</caption><tr><th>c</th><td><div>d</div></td></tr></table>"
        assert values("in td th", html) == [0, 0, 1, 1]
        assert values("in table", html) == [0, 1, 1, 1]
        assert values("in figcaption caption", html) == [0, 1, 0, 0]

    def test_a_holder_many_times_around_a_row(self) -> None:
        html = "<section>" * 300 + "a" + "</section>" * 300 + "<p>b"
        assert values("in section", html) == [1, 0]
        assert [name for name in COLUMNS if name.startswith("in ") and values(name, html)[0]] == ["in section"]

    def test_the_codes_of_a_row_and_of_the_nodes_above(self) -> None:
        def codes(*names: str) -> list[int]:
            found = [tags.CODES[name] for name in names]
            return found + [NO_TAG] * (1 + LEVELS - len(found))

        assert runs_of().tags.tolist() == [
            codes("li", "ul", "body"),
            codes("li", "ul", "body"),
            codes("h1", "main", "body"),
            codes("p", "main", "body"),
            codes("p", "main", "body"),
            codes("footer", "body"),
        ]


class TestNodes:
    """Above the menu are UL and BODY, above the report MAIN and BODY, above the footer BODY alone."""

    def test_share(self) -> None:
        assert values("share 1") == near([3 / TOTAL] * 2 + [25 / TOTAL] * 3 + [1])
        assert values("share of parent 1") == near([3 / TOTAL] * 2 + [25 / TOTAL] * 3 + [1])
        assert values("share of node") == near([1 / 3, 2 / 3, 3 / 25, 17 / 25, 5 / 25, 2 / TOTAL])

    def test_an_element_in_which_nothing_parts_is_no_node(self) -> None:
        html = "<p>z</p><div><p>a<p>b</div>"
        wrapped = "<p>z</p><section><div><span><div><p>a<p>b</div></span></div></section>"
        for name in NODE_COLUMNS:
            for level in (1, 2):
                assert values(f"{name} {level}", html) == values(f"{name} {level}", wrapped), (name, level)

    @pytest.mark.parametrize("tag", ["b", "my-card", "a"])
    def test_a_node_that_is_no_block(self, tag: str) -> None:
        """Text in an inline element belongs to the block around it; its blocks are still its own."""
        html = f"<div><{tag}>x <p>a a a a</p><p>b b b b b b b b</p></{tag}></div><p>z"
        assert np.expm1(values("words 1", html)[1]) == pytest.approx(12, abs=1.01)  # with x or without it

    @pytest.mark.parametrize("html", [PAGE, "<div>a<p>b</p>c<div>d</div></div>e<ul><li>f<li>g<ul><li>h</ul></ul>"])
    def test_small_pages_by_walking_the_tree(self, html: str) -> None:
        found = runs_of(html)
        assert np.allclose(node_columns(found), found.values[:, NODES], rtol=1e-4, atol=1e-6)

    @pytest.mark.parametrize("page", golden_pages(), ids=lambda page: page.name)
    def test_golden_pages_by_walking_the_tree(self, page: GoldenPage) -> None:
        found = PageRuns(page.document())
        assert np.allclose(node_columns(found), found.values[:, NODES], rtol=1e-4, atol=1e-6)


def node_columns(found: PageRuns) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """The columns of nodes, by walks over the tree and plain counts."""
    document = found.document
    elements, leaves = document.elements, document.leaves
    above = {row: list(elements.ancestors(row)) for row in range(len(elements))}
    own: dict[int, list[int]] = {}  # the runs of each element
    held: dict[int, list[int]] = {}  # the runs in each element
    for number, element in enumerate(found.element.tolist()):
        own.setdefault(element, []).append(number)
        for ancestor in above[element]:
            held.setdefault(ancestor, []).append(number)
    begun: dict[int, list[int]] = {}  # the runs whose first text is in each element
    for number, text in enumerate(found.texts[found.first].tolist()):
        for ancestor in above[int(leaves.element[text])]:
            begun.setdefault(ancestor, []).append(number)
    children = {element: len(own.get(element, ())) for element in held}
    for element in held:
        if elements.parent[element] >= 0:
            children[int(elements.parent[element])] += 1
    strings = texts(found)
    words = found.words.tolist()
    linked = (found.values[:, COLUMNS.index("linked")] * np.maximum(words, 1)).tolist()
    media = [leaf for leaf in range(len(leaves)) if leaves.is_media[leaf] and leaves.visible[leaf]]

    def column(node: int | None, parent: int | None) -> list[float]:
        everything = list(range(len(found)))
        inside = everything if node is None else begun[node]
        around = everything if parent is None else begun[parent]
        count = sum(words[run] for run in inside)
        some = max(1.0, count)
        prose = sum(words[run] for run in inside if words[run] >= 15 and linked[run] < 0.35 * words[run] - 1e-3)
        stops = sum(sum(strings[run].count(mark) for mark in ".!?。！？…") for run in inside)
        heads = sum(elements.tag[found.element[run]] in tags.HEADINGS for run in inside)
        pictures = 0 if node is None else sum(node in above[int(leaves.element[leaf])] for leaf in media)
        return [
            log1p(count),
            count / max(1.0, sum(words)),
            sum(linked[run] for run in inside) / some,
            log1p(len(inside)),
            log1p(count / max(1, len(inside))),
            prose / some,
            min(0.5, stops / some),
            0.0 if node is None else log1p(children[node]),
            count / max(1.0, sum(words[run] for run in around)),
            (inside[0] - around[0]) / len(around),
            log1p(pictures),
            heads / len(inside),
        ]

    known: dict[tuple[int | None, int | None], list[float]] = {}
    table = np.zeros((len(found), LEVELS * len(NODE_COLUMNS)))
    for number, element in enumerate(found.element.tolist()):
        nodes: list[int | None] = [ancestor for ancestor in above[element] if children[ancestor] > 1]
        nodes = (nodes + [None] * (LEVELS + 1))[: LEVELS + 1]
        for level in range(LEVELS):
            pair = (nodes[level], nodes[level + 1])
            if pair not in known:
                known[pair] = column(*pair)
            table[number, level * len(NODE_COLUMNS) : (level + 1) * len(NODE_COLUMNS)] = known[pair]
    return table


class TestRowsLikeIt:
    """Rows are alike that have the same tag at the same depth."""

    def test_counts(self) -> None:
        assert values("runs like it") == near([log1p(count) for count in (2, 2, 1, 2, 2, 1)])
        assert values("words like it") == near([log1p(count) for count in (3 / 2, 3 / 2, 3, 22 / 2, 22 / 2, 2)])
        assert values("linked like it") == near([1, 1, 0, 3 / 22, 3 / 22, 0])
        assert values("share like it") == near([count / TOTAL for count in (3, 3, 3, 22, 22, 2)])

    def test_another_depth_is_not_alike(self) -> None:
        assert values("runs like it", "<p>a<div><p>b</div><div><p>c</div>") == near([log(2), log(3), log(3)])


class TestFolded:
    PAGE = """<p>shown</p><div hidden class=tab><p>tab one</p><p>tab two</p></div>
        <p class=more style='display:none'>more</p><p>end</p>"""

    def test_rows_that_are_folded_away_say_so(self) -> None:
        found = PageRuns(Document.from_html(self.PAGE).unfolded)
        assert texts(found) == ["shown", "tab one", "tab two", "more", "end"]
        assert found.values[:, COLUMNS.index("folded")].tolist() == [0, 1, 1, 1, 0]

    def test_the_first_text_of_a_row_decides(self) -> None:
        for html, expected in (("<p>a <b hidden class=tab>b</b></p>", 0), ("<p><b hidden class=tab>b</b> a</p>", 1)):
            found = PageRuns(Document.from_html(html).unfolded)
            assert found.values[:, COLUMNS.index("folded")].tolist() == [expected], html


class TestTitle:
    PAGE = "<title>The Report: rain - The Daily</title><nav>The Daily</nav><h1> The Report </h1><p>Rain</p><p>The</p>"

    def test_rows_that_begin_with_a_part_of_the_title(self) -> None:
        # "Rain" is another writing, and "The" is in a title by chance.
        assert values("in title", self.PAGE) == [1, 1, 0, 0]

    @pytest.mark.parametrize(("text", "expected"), [("abc", 0), ("abcd", 1), ("bcd ef", 1), ("abcdf", 0)])
    def test_from_four_letters_on(self, text: str, expected: float) -> None:
        assert values("in title", f"<title>abcd ef</title><p>{text}</p>") == [expected]

    def test_only_the_first_text_of_a_row_counts(self) -> None:
        assert values("in title", "<title>headline</title><p>By <b>headline</b></p><p><b>headline</b> again") == [0, 1]


class TestRepeated:
    def test_how_many_other_rows_begin_with_the_same_text(self) -> None:
        html = "<p>Reply</p><p>a</p><p> Reply\n</p><p>Reply <b>now</b></p><p>reply</p>"
        assert values("repeated", html) == near([log(3), 0, log(3), log(3), 0])
