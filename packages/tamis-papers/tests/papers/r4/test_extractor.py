from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import pytest

from tamis import Document, extract
from tamis_papers.r4.extractor import R4, PageTree, candidate_set, main_content, r4, reduced, without_groups_of_links
from tests.papers.kept import chosen_by, kept_by

kept, chosen = kept_by(r4), chosen_by(r4)

NEWS = "The storm came in the night and closed the harbour for two days."  # 13 words
STORY = "".join(f"<p>{NEWS} Part {number}.</p>" for number in range(6))
MENU = "<ul>" + "".join(f"<li><a href={number}>Section {number}</a></li>" for number in range(12)) + "</ul>"
PAGE = (
    f"<div id=head><img src=logo.png>{MENU}</div>"
    f"<div id=main><div id=story><h1>Storm</h1>{STORY}<img src=harbour.jpg></div><div id=side>{MENU}</div></div>"
    f"<div id=foot><p>Imprint</p><p>Contact</p></div>"
)


# The paper's definitions, written down slowly for small trees.


@dataclass(eq=False)
class Node:
    tag: str
    children: list[Node | str] = field(default_factory=list)
    parent: Node | None = None

    def html(self) -> str:
        inner = "".join(child if isinstance(child, str) else child.html() for child in self.children)
        return f"<{self.tag}>{inner}</{self.tag}>"

    def subtree(self) -> Iterator[Node]:
        yield self
        for child in self.children:
            if isinstance(child, Node):
                yield from child.subtree()

    def texts(self, above: int = 0) -> Iterator[tuple[str, int, Node]]:
        """Each text with its distance and its parent."""
        for child in self.children:
            if isinstance(child, str):
                yield child, above + 1, self
            else:
                yield from child.texts(above + 1)

    def ancestors(self) -> Iterator[Node]:
        node: Node | None = self
        while node is not None:
            yield node
            node = node.parent

    def depth(self) -> int:
        """Definition 2.1: the maximum depth of the subtree."""
        return max((child.depth() + 1 if isinstance(child, Node) else 1 for child in self.children), default=0)

    def words(self, *, linked: bool = True) -> int:
        return sum(len(text.split()) for text, _, holder in self.texts() if linked or not _linked(holder))

    def links(self) -> int:
        return sum(node.tag == "a" for node in self.subtree())


def _linked(node: Node) -> bool:
    return any(above.tag == "a" for above in node.ancestors())


EXCLUDED = {"a", "nav", "hr", "span", "em", "body", "script", "header", "h1", "h2", "h3", "h4", "h5", "br", "iframe"}


def slow_ratios(node: Node, body: Node) -> tuple[float, float, float, float]:
    """Definition 3.1."""
    word = sum(len(text.split()) / distance for text, distance, holder in node.texts() if not _linked(holder))
    position = 1.0 if node.depth() <= body.depth() / 2 else body.depth() / node.depth() - 1
    return word, 1 / max(node.links(), 1), float(len(node.children) > 2), position


def slow_rated(body: Node) -> list[Node]:
    return [node for node in body.subtree() if node.tag not in EXCLUDED and node.children]


def slow_candidates(body: Node, c: int) -> list[Node]:
    """§3.2 and §3.3."""
    rated = slow_rated(body)
    columns = list(zip(*[slow_ratios(node, body) for node in rated], strict=True))
    points: list[tuple[float, ...]] = [()] * len(rated)
    for column in columns:
        mean = math.fsum(column) / len(column)
        deviation = math.sqrt(math.fsum((value - mean) ** 2 for value in column) / len(column))
        for place, value in enumerate(column):
            points[place] += (round((value - mean) / deviation, 6) if deviation > 1e-12 else 0.0,)
    # Nodes with the same ratios are the same node; the first of nodes equally far comes first.
    farthest = sorted(dict.fromkeys(points), key=lambda point: -round(math.hypot(*point), 6))[:c]
    return [node for node, point in zip(rated, points, strict=True) if point in farthest]


def slow_selection(candidates: list[Node]) -> set[Node]:
    """§3.4."""
    left = [
        node
        for node in candidates
        if not any(
            other is not node and other in node.ancestors() and len(list(other.texts())) == len(list(node.texts()))
            for other in candidates
        )
    ]
    ratio = {node: node.words() / len(list(node.subtree())) for node in left}
    best = [node for node in left if ratio[node] == max(ratio.values())]
    found = {node for node in left if any(node.parent is other.parent for other in best)}
    return {node for node in found if not any(above in found for above in node.ancestors() if above is not node)}


def slow_is_wide(body: Node) -> bool:
    def counts(node: Node) -> bool:
        return node.tag not in EXCLUDED and any(True for _ in node.texts())

    deepest = max(sum(counts(above) for above in node.ancestors()) for node in body.subtree())
    return deepest < sum(counts(child) for child in body.children if isinstance(child, Node))


def random_body(seed: int) -> Node:
    rng = random.Random(seed)
    body = Node("body")
    places = [body]
    for _ in range(rng.randrange(3, 40)):
        parent = rng.choice(places[-6:]) if rng.random() < 0.7 else rng.choice(places)
        if rng.random() < 0.45:
            if not (parent.children and isinstance(parent.children[-1], str)):  # two texts would be one
                parent.children.append(" ".join(["word"] * rng.randrange(1, 12)))
            continue
        tag = rng.choice(["div", "div", "section", "article", "ul", "span", "em", "a", "h2"])
        if tag in ("a", "h2", "em") and any(above.tag == tag for above in parent.ancestors()):
            tag = "div"
        node = Node(tag, parent=parent)
        parent.children.append(node)
        places.append(node)
    return body


def tree_and_rows(seed: int) -> tuple[Node, PageTree, dict[Node, int]]:
    body = random_body(seed)
    document = Document.from_html(f"<html><head></head>{body.html()}</html>")
    first = document.elements.tag.index("body")
    rows = {node: first + place for place, node in enumerate(body.subtree())}
    assert [document.elements.tag[row] for row in rows.values()] == [node.tag for node in rows]
    return body, PageTree(document), rows


SEEDS = range(20)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_ratios_are_those_of_the_definition(seed: int) -> None:
    body, page, rows = tree_and_rows(seed)
    for node, row in rows.items():
        found = page.word_ratio[row], page.hyperlink_ratio[row], page.children_ratio[row], page.position_ratio[row]
        if node.children:
            assert found == pytest.approx(slow_ratios(node, body), abs=1e-9)
    assert sorted(rows[node] for node in slow_rated(body)) == page.rated.tolist()
    assert page.is_wide == slow_is_wide(body)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_nodes_are_those_of_the_slow_algorithms(seed: int) -> None:
    body, page, rows = tree_and_rows(seed)
    for c in (1, 3, 6) if page.rated.size else ():
        candidates = slow_candidates(body, c)
        assert sorted(rows[node] for node in candidates) == candidate_set(page, c).tolist()
        found = main_content(page, reduced(page, candidate_set(page, c)))
        assert sorted(rows[node] for node in slow_selection(candidates)) == found.tolist()


class TestRatios:
    """Worked out by hand: body > div > (p > text, p > (text, a > text), b)."""

    page = PageTree(Document.from_html("<div><p>one two</p><p>three <a href=x>four</a></p><b></b></div>"))
    div = page.elements.tag.index("div")
    first, second = div + 1, div + 2

    @pytest.mark.parametrize("inner", ["<p>a</p><p>b</p><p>c</p>", "\n<p>a</p>\n", "a<!-- b --><p>c</p>"])
    def test_texts_white_space_and_comments_are_children(self, inner: str) -> None:
        page = PageTree(Document.from_html(f"<div>{inner}</div>"))
        assert page.children_ratio[page.elements.tag.index("div")] == 1

    def test_points_have_mean_0_and_deviation_1_but_for_ratios_that_all_share(self) -> None:
        points = self.page.points()
        assert points.shape == (3, 4)  # the b is a leaf
        assert points.mean(axis=0) == pytest.approx([0, 0, 0, 0])
        assert points.std(axis=0) == pytest.approx([1, 0, 1, 1])


@pytest.mark.parametrize("levels", [10, 64, 300])
def test_the_word_ratio_of_deep_pages(levels: int) -> None:
    page = PageTree(Document.from_html("<div>word " * levels))
    first = page.elements.tag.index("div")
    exact = np.array([math.fsum(1 / far for far in range(1, levels - level + 1)) for level in range(levels)])
    found = page.word_ratio[first:]
    if levels <= 62:  # html and body stand above
        assert found == pytest.approx(exact, rel=1e-12)
    assert (found >= exact - 1e-9).all()  # distances are rounded down, by a twentieth at most
    assert (found <= exact * 1.05).all()


def test_the_story_is_found_with_its_picture_and_without_the_menus() -> None:
    page = extract(PAGE, extractor="r4", url="https://site.example/news/")
    assert page.text.count("Part") == 6
    assert "Section" not in page.text
    assert "Imprint" not in page.text
    assert [medium.url for medium in page.media] == ["https://site.example/news/harbour.jpg"]
    assert "harbour.jpg" in page.html
    assert "logo.png" not in page.html


class TestSmallPages:
    @pytest.mark.parametrize("html", ["just text", "<p>just text</p>", "<h1>just text</h1>", "<span>just text</span>"])
    def test_one_node_is_the_content(self, html: str) -> None:
        assert kept(html) == ["just text"]

    @pytest.mark.parametrize("html", ["", "<div></div>", "<div><p></p><p></p></div>", "<p hidden>text</p>"])
    def test_no_text_gives_no_text(self, html: str) -> None:
        assert kept(html) == []


class TestWidePages:
    def test_a_page_wider_than_deep_is_content_as_a_whole(self) -> None:
        html = f"Loose text{STORY}<h2>Heading</h2><a href=x>link</a>"
        assert PageTree(Document.from_html(html)).is_wide
        assert kept(html) == ["Loose text", *[f"{NEWS} Part {number}." for number in range(6)], "Heading", "link"]


class TestPostProcess:
    links = "<a href=x>Other page</a> " * 8

    def split(self, html: str, tr: float = 1.5, hr: int = 7) -> tuple[list[str], list[str]]:
        """Of all sections of the page: those that are left, and the tags of the groups taken out of them."""
        page = PageTree(Document.from_html(html))
        sections = [row for row, tag in enumerate(page.elements.tag) if tag == "section"]
        left, groups = without_groups_of_links(page, np.array(sections), tr, hr)
        return [page.elements.id[row] for row in left.tolist()], [page.elements.tag[row] for row in groups.tolist()]

    def test_a_chosen_node_of_links_goes(self) -> None:
        html = f"<section id=story>{STORY}</section><section id=links>{self.links}</section>"
        assert self.split(html)[0] == ["story"]
        assert self.split(html, hr=8)[0] == ["story", "links"]  # more than hr links are wanted

    def test_it_takes_more_than_tr_times_the_text_outside_links(self) -> None:
        # 16 words in links and 32 outside: the ratio is 1.5.
        html = f"<section id=story>{STORY}</section><section id=links>{self.links}{'word ' * 32}</section>"
        assert self.split(html)[0] == ["story", "links"]
        assert self.split(html, tr=1.49)[0] == ["story"]

    def test_a_list_of_links_inside_goes(self) -> None:
        html = f"<section id=story>{STORY}<ul><li><a href=x>One</a></li>\n<li><a href=y>Two</a></li></ul></section>"
        assert self.split(html) == (["story"], ["li", "li"])

    @pytest.mark.parametrize(
        "inner",
        [
            "<ul><li><a href=x>One</a></li><li><a href=y><img src=a.png></a></li></ul>",  # an image
            "<ul><li><a href=x>One</a></li><li>Two</li></ul>",  # no link
            "<ul><li><a href=x>One</a></li><li><a href=y>Two</a> more</li></ul>",  # more than a link
            "<div><p><a href=x>One</a></p><h2><a href=y>Two</a></h2></div>",  # two tags
            "<div>Text<p><a href=x>One</a></p><p><a href=y>Two</a></p></div>",  # a text among the children
            "<div><h2><a href=x>One</a></h2></div>",  # one is no group
        ],
    )
    def test_other_lists_stay(self, inner: str) -> None:
        assert self.split(f"<section id=story>{STORY}{inner}</section>") == (["story"], [])

    def test_what_would_leave_nothing_is_not_done(self) -> None:
        assert self.split(f"<section id=a>{self.links}</section>") == (["a"], [])
        assert self.split("<section id=a><p><a href=x>One</a></p><p><a href=y>Two</a></p></section>") == (["a"], [])

    def test_it_can_be_left_out(self) -> None:
        html = f"<div>{MENU}</div><div>{STORY}<ul><li><a href=x>One</a></li><li><a href=y>Two</a></li></ul></div>"
        assert "One" not in kept(html)
        assert kept(html, R4(post_process=False))[-2:] == ["One", "Two"]
