from __future__ import annotations

import numpy as np
import pytest

from tamis.document import Document
from tamis.errors import OptionError
from tamis_papers.temex import ConEx, conex, main_branch, new_words
from tamis_papers.trees import Tree

MENU = "<div class=top><p>Home</p><p>News</p></div>"


def page(story: str, teaser: str) -> str:
    return f"{MENU}<div class=story>{story}</div><div class=side><p>{teaser}</p></div>"


def kept(extractor: ConEx, html: str, *others: str) -> list[str]:
    document = Document.from_html(html)
    labels = extractor.learned([Document.from_html(other) for other in others]).label(document)
    return [text.strip() for text, keep in zip(document.leaves.text, labels.keep, strict=True) if keep]


FIRST = page("<h1>A storm</h1><p>It closed the harbour</p><p>for two long days</p>", "Buy boots")
SECOND = page("<h1>A bridge</h1><p>Traffic flows again</p><p>after the repairs</p>", "Buy shoes")


def test_new_texts_outside_the_main_branch_go() -> None:
    assert kept(conex, FIRST, SECOND) == ["A storm", "It closed the harbour", "for two long days"]


def test_shared_texts_inside_the_main_branch_go() -> None:
    first, second = (html.replace("</h1>", "</h1><p>Print this page</p>") for html in (FIRST, SECOND))
    assert "Print this page" not in kept(conex, first, second)


def test_a_larger_share_takes_a_larger_branch() -> None:
    assert kept(ConEx(share=0.9), FIRST, SECOND)[-1] == "Buy boots"


def test_a_paragraph_alone_is_no_branch() -> None:
    first = page("<h1>Storm</h1><p>It closed the harbour for two long days and nights</p>", "Boots")
    assert kept(conex, first, SECOND)[0] == "Storm"


def test_a_page_without_anything_new_is_empty() -> None:
    assert kept(conex, MENU, FIRST) == []


def test_the_branch_is_found_by_words() -> None:
    document = Document.from_html("<main><div>one two three</div><div>four</div></main><aside>five</aside>")
    tree = Tree(document)
    words = new_words(document, tree, np.zeros(len(tree), dtype=np.bool_))
    assert words[0] == 5
    assert tree.name[main_branch(tree, words, 0.5)] == "main"
    assert tree.name[main_branch(tree, words, 0.9)] == "body"


@pytest.mark.parametrize("options", [{"size": 1}, {"share": 0.4}, {"share": 1.1}])
def test_impossible_parameters_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(OptionError):
        ConEx(**options)  # type: ignore[arg-type]
