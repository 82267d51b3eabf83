from __future__ import annotations

import pytest

from tamis.document import Document
from tamis.errors import OptionError
from tamis_papers.temex import TemEx, temex


def page(name: str, text: str, links: tuple[str, ...], menu: str = "menu") -> Document:
    listed = "".join(f"<a href=/{link}></a>" for link in links)
    return Document.from_html(f"<div>{listed}<p>{menu}</p></div><p>{text}</p>", url=f"http://site.example/{name}")


def kept(extractor: TemEx, document: Document, *others: Document) -> list[str]:
    labels = extractor.learned(others).label(document)
    return [text.strip() for text, keep in zip(document.leaves.text, labels.keep, strict=True) if keep]


def plain(html: str) -> Document:
    return Document.from_html(html)


def test_equal_nodes_go() -> None:
    assert kept(temex, plain("<ul><li>Home</li></ul><p>a</p>"), plain("<ul><li>Home</li></ul><p>b</p>")) == ["a"]


def test_order_does_not_matter() -> None:
    assert kept(temex, plain("<p>a</p><ul><li>Home</li></ul>"), plain("<ul><li>Home</li></ul><p>b</p>")) == ["a"]


def test_nodes_of_another_class_or_id_are_not_equal() -> None:
    for attribute in ("class", "id"):
        first, second = (plain(f"<div {attribute}={value}>menu</div>") for value in "xy")
        assert kept(temex, first, second) == ["menu"]


def test_only_pages_that_link_to_each_other_are_compared() -> None:
    everywhere = ("a", "b", "c")
    mine, linked = page("a", "one", everywhere), page("b", "two", everywhere)
    stranger = page("z", "three", (), menu="another menu")
    assert kept(temex, mine, linked, stranger) == ["one"]
    assert kept(temex, mine, stranger) == ["menu", "one"]


def test_without_addresses_all_pages_are_compared() -> None:
    mine, same, other = (
        plain(f"<p>{menu}</p><div>{text}</div>") for menu, text in (("m", "1"), ("m", "2"), ("n", "3"))
    )
    assert kept(temex, mine, same) == ["1"]
    assert kept(temex, mine, same, other) == ["m", "1"]


def test_the_subdigraph_has_a_size() -> None:
    everywhere = ("a", "b", "c")
    mine, second = page("a", "one", everywhere), page("b", "two", everywhere)
    third = page("c", "three", everywhere, menu="another menu")
    assert kept(temex, mine, second, third) == ["menu", "one"]
    assert kept(TemEx(size=2), mine, second, third) == ["one"]


def test_the_same_page_says_nothing() -> None:
    assert kept(temex, plain("<p>one</p><p>two</p>"), plain("<p>one</p><p>two</p>")) == ["one", "two"]


def test_impossible_sizes_are_refused() -> None:
    with pytest.raises(OptionError, match="size is at least 2"):
        TemEx(size=1)
