from __future__ import annotations

import numpy as np

from tamis.document import Document
from tamis_papers.temex import Place, complete_subdigraph
from tamis_papers.trees import TEXT, NodeTree, everything, in_any_order, top_down, without


def tree(html: str, *attributes: str) -> NodeTree:
    return NodeTree(Document.from_html(f"<body>{html}</body>"), attributes)


def body(page: NodeTree) -> int:
    return next(node for node, name in enumerate(page.name) if name.partition("\n")[0] == "body")


class TestTree:
    def test_nodes_are_in_document_order(self) -> None:
        page = tree("<div>one<p>two</p>three</div>four")
        nodes = range(body(page), len(page))
        assert [page.text.get(node, page.name[node]) for node in nodes] == [
            "body", "div", "one", "p", "two", "three", "four",
        ]  # fmt: skip
        assert [page.name[node] for node in nodes].count(TEXT) == 4

    def test_leaves_know_their_nodes(self) -> None:
        document = Document.from_html("<p>one<img src=a.png>two</p>")
        page = NodeTree(document)
        assert [page.text.get(node, page.name[node]) for node in page.node_of_leaf.tolist()] == ["one", "img", "two"]

    def test_digests_tell_texts_tags_and_order(self) -> None:
        def of(html: str, *attributes: str) -> bytes:
            return tree(html, *attributes).digest[0]

        assert of("<p>a</p><p>b</p>") == of("<p> a </p>\n<p>b</p>")
        assert of("<p>a</p><p>b</p>") != of("<p>b</p><p>a</p>")
        assert of("<p>a</p>") != of("<div>a</div>")
        assert of("<p>b</p>") != of("<p><b></b></p>")
        assert of("<p class=x>a</p>") == of("<p class=y>a</p>")
        assert of("<p class=x>a</p>", "class") != of("<p class=y>a</p>", "class")

    def test_attributes_of_the_body_do_not_count(self) -> None:
        first, second = (Document.from_html(f"<body class={name}><p class=x>a</p></body>") for name in ("one", "two"))
        assert NodeTree(first, ["class"]).digest == NodeTree(second, ["class"]).digest


class TestTopDown:
    def found(self, first: str, second: str, *attributes: str) -> list[str]:
        page = tree(first, *attributes)
        mapped = top_down(page, tree(second, *attributes), in_any_order)
        return [page.text.get(node, page.name[node].partition("\n")[0]) for node in np.flatnonzero(mapped).tolist()][3:]

    def test_parents_have_to_be_mapped(self) -> None:
        assert self.found("<div><p>a</p></div>", "<section><p>a</p></section>") == []

    def test_texts_have_to_be_equal(self) -> None:
        assert self.found("<div><p>a</p><p>b</p></div>", "<div><p>a</p><p>c</p></div>") == ["div", "p", "a", "p"]

    def test_order_does_not_matter(self) -> None:
        assert self.found("<p>a</p><div>b</div>", "<div>b</div><p>a</p>") == ["p", "a", "div", "b"]

    def test_attributes_count_if_they_are_named(self) -> None:
        first, second = "<div class=x>a</div>", "<div class=y>a</div>"
        assert self.found(first, second) == ["div", "a"]
        assert self.found(first, second, "class") == []

    def test_equal_subtrees_are_paired_before_others_of_the_same_name(self) -> None:
        assert "menu" in self.found("<div>new</div><div>menu</div>", "<div>menu</div><div>old</div>")


def test_labels_of_a_template() -> None:
    document = Document.from_html("<p>menu</p><p>text</p><p hidden>secret</p>")
    assert everything(document).keep.tolist() == [True, True, False]
    assert without(document, np.array([True, False, False])).keep.tolist() == [False, True, False]


class TestLinks:
    def page(self, name: str, *targets: str) -> Place:
        links = "".join(f"<a href={target}>x</a>" for target in targets)
        return Place.of(Document.from_html(links, url=f"http://site.example/{name}"))

    def test_addresses_are_absolute_and_without_fragments(self) -> None:
        place = self.page("a", "b", "/c#top", "http://[bad", "b")
        assert place.url == "http://site.example/a"
        assert place.links == ("http://site.example/b", "http://site.example/c")
        assert Place.of(Document.from_html("<a href=b>x</a>")) == Place(None)

    def test_all_pages_of_a_complete_subdigraph_link_to_each_other(self) -> None:
        page = self.page("a", "b", "c", "d", "e")
        others = [
            self.page("e", "a"),
            self.page("d", "a", "b", "c"),
            self.page("b", "a", "c", "d"),
            self.page("c", "a", "b", "d"),
        ]
        assert complete_subdigraph(page, others, 4) == [2, 3, 1]
        assert complete_subdigraph(page, others, 3) == [2, 3]

    def test_a_page_that_does_not_link_back_is_no_part_of_it(self) -> None:
        assert complete_subdigraph(self.page("a", "b"), [self.page("b", "c")], 4) == []
        assert complete_subdigraph(Place(None), [self.page("b", "c"), Place(None)], 4) == []
