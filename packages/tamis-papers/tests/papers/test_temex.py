from __future__ import annotations

import numpy as np

from tamis.document import Document
from tamis_papers.temex import ConEx, TemEx, conex, main_branch, new_words, temex
from tamis_papers.trees import NodeTree
from tests.papers.kept import kept_on_site as kept


def page(name: str, text: str, links: tuple[str, ...], menu: str = "menu") -> Document:
    listed = "".join(f"<a href=/{link}></a>" for link in links)
    return Document.from_html(f"<div>{listed}<p>{menu}</p></div><p>{text}</p>", url=f"http://site.example/{name}")


def test_order_does_not_matter() -> None:
    assert kept(temex, "<p>a</p><ul><li>Home</li></ul>", "<ul><li>Home</li></ul><p>b</p>") == ["a"]


def test_nodes_of_another_class_or_id_are_not_equal() -> None:
    for attribute in ("class", "id"):
        first, second = (f"<div {attribute}={value}>menu</div>" for value in "xy")
        assert kept(temex, first, second) == ["menu"]


def test_only_pages_that_link_to_each_other_are_compared() -> None:
    everywhere = ("a", "b", "c")
    mine, linked = page("a", "one", everywhere), page("b", "two", everywhere)
    stranger = page("z", "three", (), menu="another menu")
    assert kept(temex, mine, linked, stranger) == ["one"]
    assert kept(temex, mine, stranger) == ["menu", "one"]


def test_without_addresses_all_pages_are_compared() -> None:
    mine, same, other = (f"<p>{menu}</p><div>{text}</div>" for menu, text in (("m", "1"), ("m", "2"), ("n", "3")))
    assert kept(temex, mine, same) == ["1"]
    assert kept(temex, mine, same, other) == ["m", "1"]


def test_the_subdigraph_has_a_size() -> None:
    everywhere = ("a", "b", "c")
    mine, second = page("a", "one", everywhere), page("b", "two", everywhere)
    third = page("c", "three", everywhere, menu="another menu")
    assert kept(temex, mine, second, third) == ["menu", "one"]
    assert kept(TemEx(size=2), mine, second, third) == ["one"]


MENU = "<div class=top><p>Home</p><p>News</p></div>"


def story_page(story: str, teaser: str) -> str:
    return f"{MENU}<div class=story>{story}</div><div class=side><p>{teaser}</p></div>"


FIRST = story_page("<h1>A storm</h1><p>It closed the harbour</p><p>for two long days</p>", "Buy boots")
SECOND = story_page("<h1>A bridge</h1><p>Traffic flows again</p><p>after the repairs</p>", "Buy shoes")


def test_new_texts_outside_the_main_branch_go() -> None:
    assert kept(conex, FIRST, SECOND) == ["A storm", "It closed the harbour", "for two long days"]


def test_shared_texts_inside_the_main_branch_go() -> None:
    first, second = (html.replace("</h1>", "</h1><p>Print this page</p>") for html in (FIRST, SECOND))
    assert "Print this page" not in kept(conex, first, second)


def test_a_larger_share_takes_a_larger_branch() -> None:
    assert kept(ConEx(share=0.9), FIRST, SECOND)[-1] == "Buy boots"


def test_a_paragraph_alone_is_no_branch() -> None:
    first = story_page("<h1>Storm</h1><p>It closed the harbour for two long days and nights</p>", "Boots")
    assert kept(conex, first, SECOND)[0] == "Storm"


def test_a_page_without_anything_new_is_empty() -> None:
    assert kept(conex, MENU, FIRST) == []


def test_the_branch_is_found_by_words() -> None:
    document = Document.from_html("<main><div>one two three</div><div>four</div></main><aside>five</aside>")
    tree = NodeTree(document)
    words = new_words(document, tree, np.zeros(len(tree), dtype=np.bool_))
    assert words[0] == 5
    assert tree.name[main_branch(tree, words, 0.5)] == "main"
    assert tree.name[main_branch(tree, words, 0.9)] == "body"
