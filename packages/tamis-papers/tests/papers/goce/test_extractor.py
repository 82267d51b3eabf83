from __future__ import annotations

import statistics
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from tamis import Document
from tamis_papers.goce.extractor import article, article_by_pseudo_code, list_view
from tests.papers.kept import chosen_by, kept_by

kept, chosen = kept_by(article), chosen_by(article)

NEWS = "The storm came in the night and closed the harbour for two days."  # 13 words
STORY = "".join(f"<p>{NEWS} Part {number}.</p>" for number in range(6))
MENU = "<ul>" + "<li><a href=x>Home</a></li>" * 8 + "</ul>"
# Figure 3 of the paper.
TOY = '<html><div class="main-part"><p id="1">Hello world,</p><p id="2">this is some text</p></div></html>'

# Twenty ids of five elements with a word each, R = 5: of all that occurs once or twice nothing is a candidate then.
PADDING = "".join(f"<i class=s{number}>word</i>" * 5 for number in range(20))


class TestArticle:
    def test_the_toy_of_the_paper(self) -> None:
        # Two children of 2 and 4 words: the larger is 2 ahead, and they deviate by 1.
        assert kept(TOY, article) == ["this is some text"]

    def test_menus_around_the_text_go(self) -> None:
        html = f"<div>{MENU}</div><main id=story>{STORY}</main><footer>{MENU}</footer>"
        assert chosen(html, article) == chosen(html, article_by_pseudo_code) == ["story"]

    def test_it_stops_after_the_first_step_unless_by_the_pseudo_code(self) -> None:
        html = f"<div>{MENU}</div><main id=main><div>{MENU}</div><div id=story>{STORY}</div></main>"
        assert chosen(html, article) == ["main"]
        assert chosen(html, article_by_pseudo_code) == ["story"]

    def test_one_paragraph_far_ahead_is_taken_alone(self) -> None:
        paragraphs = "".join(f"<p id={length}>{'word ' * length}</p>" for length in (10, 11, 12, 90))
        assert chosen(f"<div>{paragraphs}</div>", article) == ["90"]

    # They deviate by 2, and so far is the longest ahead of the next.
    JUST = "".join(f"<p>{'word ' * length}</p>" for length in (2, 4, 4, 4, 5, 5, 7, 9))

    def test_a_difference_of_just_the_deviation_does_not_stand_out(self) -> None:
        assert chosen(f"<div id=all>{self.JUST}</div>", article) == ["all"]
        longer = self.JUST + f"<p id=longest>{'word ' * 13}</p>"
        assert chosen(f"<div>{longer}</div>", article) == ["longest"]

    def test_children_without_words_do_not_count(self) -> None:
        for nothing in ("<br>", "<img src=a.png>", "<script>var a = 1;</script>", "<p hidden>hidden words here</p>"):
            assert chosen(f"<div id=all>{self.JUST}{nothing * 9}</div>", article) == ["all"]

    def test_a_paragraph_is_not_left_for_the_link_in_it(self) -> None:
        assert chosen(f"<p id=p>{NEWS} <a href=x>See here</a></p>", article) == ["p"]
        assert chosen(f"<p>By <b id=b>{NEWS}</b></p>", article) == ["b"]


class TestListView:
    CARD = f"<div class=card><h3 class=name>Harbour</h3><p class=about>{NEWS}</p></div>"

    def test_the_cards_of_a_list_are_taken(self) -> None:
        html = f"<div class=top>{MENU}</div><div class=results>{self.CARD * 20}</div><div class=foot>{MENU}</div>"
        assert kept(html + PADDING, list_view) == ["Harbour", NEWS] * 20

    def test_an_id_that_occurs_once_wins_where_few_ids_are(self) -> None:
        assert chosen(f"<div class=results>{self.CARD * 3}</div>", list_view) == ["html"]

    def test_the_class_is_the_whole_attribute_but_for_its_white_space(self) -> None:
        html = f"<p class='post  first' id=1>{NEWS}</p><p class='post first' id=2>{NEWS}</p>" * 2
        html += f"<p class=post id=3>{NEWS}</p>"
        assert chosen(html + PADDING, list_view) == ["1", "2", "1", "2"]

    def test_a_wrapper_and_what_it_wraps_are_equal(self) -> None:
        cards = f"<div class=card><div class=inner>{NEWS}</div></div>" * 5
        document = Document.from_html(cards + PADDING)
        nodes = list_view.label(document).nodes
        assert nodes is not None
        assert [document.elements.class_[row] for row in nodes.tolist()] == ["card"] * 5


# The paper's algorithms, written down slowly for small trees.


@dataclass(frozen=True)
class Node:
    """An element: its class, and in order its elements and the words between them."""

    class_: str
    inside: tuple[Node | int, ...]

    @property
    def children(self) -> list[Node]:
        return [each for each in self.inside if isinstance(each, Node)]

    @property
    def words(self) -> int:
        return sum(each.words if isinstance(each, Node) else each for each in self.inside)

    def html(self, tag: str = "div") -> str:
        parts = [each.html() if isinstance(each, Node) else " word" * each + " " for each in self.inside]
        return f'<{tag} class="{self.class_}">{"".join(parts)}</{tag}>'

    def walk(self, depth: int = 0) -> Iterator[tuple[Node, int]]:
        yield self, depth
        for child in self.children:
            yield from child.walk(depth + 1)


def slow_article(element: Node, *, recurse: bool) -> Node:
    own = element.words - sum(child.words for child in element.children)
    children = [child for child in element.children if child.words]
    lengths = [child.words for child in children] + [own] * bool(own)
    if not children:
        return element
    if len(lengths) == 1:
        return slow_article(children[0], recurse=recurse)
    most, second = sorted(lengths, reverse=True)[:2]
    if most - second > statistics.pstdev(lengths) and own != most:
        largest = max(children, key=lambda child: child.words)
        return slow_article(largest, recurse=True) if recurse else largest
    return element


def slow_list(root: Node, n: int = 15) -> list[Node]:
    texts: dict[tuple[str, int], list[Node]] = {}
    for element, depth in root.walk():
        texts.setdefault((element.class_, depth), []).append(element)
    length = {key: sum(element.words for element in found) for key, found in texts.items()}
    rank = {key: Fraction(2 * len(texts[key]) * length[key], len(texts[key]) + length[key]) for key in texts}
    best = sorted(texts, key=lambda key: -rank[key])[:n]
    return texts[max(best, key=lambda key: Fraction(length[key], len(texts[key])))]


_CLASSES = st.sampled_from(["", "a", "b", "c", "d", "e f", "g", "h"])
_NODES = st.recursive(
    st.builds(Node, _CLASSES, st.tuples(st.integers(0, 12))),
    lambda inner: st.builds(Node, _CLASSES, st.lists(inner | st.integers(0, 9), max_size=7).map(tuple)),
    max_leaves=40,
)


@given(_NODES)
def test_all_do_what_the_slow_ones_do(content: Node) -> None:
    body = Node("", (content, 0))
    root = Node("", (Node("", ()), body))
    document = Document.from_html(f"<html class=''><head class=''></head><body class=''>{content.html()}</body></html>")
    elements = [element for element, _ in root.walk()]  # as many objects as rows, in the same order
    rows = {id(element): row for row, element in enumerate(elements)}
    assert len(document.elements) == len(elements)
    expected = {
        article: [slow_article(root, recurse=False)],
        article_by_pseudo_code: [slow_article(root, recurse=True)],
        list_view: slow_list(root),
    }
    for extractor, found in expected.items():
        nodes = extractor.label(document).nodes
        assert nodes is not None
        assert nodes.tolist() == ([rows[id(element)] for element in found] if root.words else [])
