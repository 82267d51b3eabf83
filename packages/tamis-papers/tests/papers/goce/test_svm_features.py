from __future__ import annotations

import pytest
from hypothesis import strategies as st

from tamis import Document
from tamis_papers.goce.features import svm_features

NAMES = [
    "text length",
    "clusters of elements alike",
    "elements alike",
    "image URLs",
    *("periods", "commas", "semicolons", "colons", "questions", "exclamations"),
    "digits",
]


def values(html: str | bytes) -> dict[str, float]:
    return svm_features(Document.from_html(html))


def test_the_eleven_features_of_the_paper_in_its_order() -> None:
    assert list(values("<p>words")) == list(values("")) == NAMES


def test_counts_done_by_hand() -> None:
    html = """<h1>Bread: 12 loaves</h1><p class=a>Rye, spelt; and wheat.</p><p class=a>Why? 7!</p>
    <img src=a.png><img><img src=""><p hidden>No. 5?</p>"""
    found = values(html)
    assert found["text length"] == len("Bread: 12 loaves" + " " + "Rye, spelt; and wheat." + " " + "Why? 7!")
    # The paragraphs of class a; the head has no children either, but another tag; the three images.
    assert found["clusters of elements alike"] == 2
    assert found["elements alike"] == 2 + 3
    assert found["image URLs"] == 1
    assert [found[name] for name in NAMES[4:]] == [1, 1, 1, 1, 1, 1, 3]


def test_elements_are_alike_by_tag_class_and_children() -> None:
    assert values("<p><b>a</b><i>b</i></p><p><b>c</b><i>d</i></p>")["elements alike"] == 6
    assert values("<p><b>a</b><i>b</i></p><p><i>c</i><b>d</b></p>")["elements alike"] == 4, "in another order"
    assert values("<p><b>a</b></p><p><b>c</b><b>d</b></p>")["elements alike"] == 3, "another number"
    assert values("<p class=x>a</p><p class=y>b</p>")["elements alike"] == 0
    assert values("<div><p class=x></p></div><div><p class=y></p></div>")["elements alike"] == 0


@pytest.mark.parametrize("html", ["", b"", "<p hidden>no. 5</p>", "<script>var a = 5;</script>"])
def test_a_page_without_text(html: str | bytes) -> None:
    assert sum(values(html).values()) == 0


_TAGS, _CLASSES = st.sampled_from(["div", "section", "span"]), st.sampled_from(["", "a", "b"])
