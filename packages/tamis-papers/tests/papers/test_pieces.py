from __future__ import annotations

from tamis import Document
from tamis_papers.pieces import Pieces, pieces


def read(html: str) -> list[tuple[int, int, str]]:
    """Size, line and text of each piece below BODY; a tag has no text."""
    document = Document.from_html(html)
    found: Pieces = pieces(document)
    rows = zip(found.size.tolist(), found.line.tolist(), found.leaf.tolist(), strict=True)
    return [(size, line, document.leaves.text[leaf] if leaf >= 0 else "") for size, line, leaf in rows][4:-2]


def test_tags_and_texts_come_in_their_order() -> None:
    assert read("<p>one <b>two</b>\nthree") == [
        (3, 0, ""), (3, 0, "one "), (3, 0, ""), (3, 0, "two"), (4, 0, ""), (5, 1, "\nthree"), (4, 1, ""),
    ]  # fmt: skip


def test_void_elements_have_one_tag() -> None:
    assert read("<br>x") == [(4, 0, ""), (1, 0, "x")]


def test_attributes_count_as_if_they_had_quotes() -> None:
    assert read("<p class=lead>x")[0][0] == len('<p class="lead">')


def test_a_text_is_one_piece_a_line() -> None:
    text = "one  two\n\n three"
    assert read(f"<p>{text}</p>")[1:-1] == [(7, 0, text), (5, 2, text)]


def test_code_and_hidden_texts_are_left_out_but_their_lines_count() -> None:
    assert read("<p>a</p><script>\n\n</script><style>x</style><!-- c --><p hidden>b\n</p><i>c</i>") == [
        (3, 0, ""), (1, 0, "a"), (4, 0, ""), (13, 2, ""), (4, 3, ""), (3, 3, ""), (1, 3, "c"), (4, 3, ""),
    ]  # fmt: skip


def test_links_are_marked() -> None:
    found = pieces(Document.from_html("<p><a href=x>y</a></p>"))
    assert found.is_link.tolist() == [False] * 5 + [True, False, True] + [False] * 3
    assert found.is_tag.tolist() == [True] * 6 + [False] + [True] * 4
