from __future__ import annotations

import random

import pytest

from tamis_papers.lqf import LinkQuotaFilter, lqf
from tests.papers.kept import kept_by

kept = kept_by(lqf)

NEWS = "The storm came in the night and closed the harbour for two days."
MENU = "<ul>" + "".join(f"<li><a href={number}>Section {number}</a></li>" for number in range(5)) + "</ul>"


def test_menus_go_and_everything_else_stays() -> None:
    assert kept(f"{MENU}<p>{NEWS}</p><p>Imprint</p>{MENU}") == [NEWS, "Imprint"]


def test_a_link_in_a_text_stays() -> None:
    assert kept(f"<p>{NEWS} <a href=x>More</a></p>") == [NEWS, "More"]


def test_words_beside_links_go_with_their_block() -> None:
    assert kept("<p>See <a href=x>all our sections</a></p>") == []


@pytest.mark.parametrize(("limit", "stays"), [(0.25, False), (0.49, False), (0.5, True), (0.75, True)])
def test_a_block_goes_above_the_limit(limit: float, stays: bool) -> None:
    page = f"<p>{NEWS}<p>four <a href=x>link</a></p>"  # half of the second block is linked
    assert kept(page, LinkQuotaFilter(limit=limit)) == [NEWS, *(["four", "link"] if stays else [])]


def test_a_page_of_links_is_no_block() -> None:
    assert kept(f"<a href=x>{NEWS}</a> {NEWS} <i>end</i>") == [NEWS, NEWS, "end"]


def test_white_space_and_hidden_texts_do_not_count() -> None:
    assert kept(f"<div>four{' ' * 99}<a href=x>linked</a><span hidden>{NEWS}</span></div>") == []


def slow_kept(nodes: list[object], limit: float) -> list[tuple[str, bool]]:
    """The same for nested blocks of (text, linked), block by block."""
    found: list[tuple[str, bool]] = []
    for node in nodes:
        if isinstance(node, list):
            inner = slow_kept(node, limit)
            linked = sum(len(text) for text, in_link in inner if in_link)
            if linked <= limit * sum(len(text) for text, _ in inner):
                found += inner
        elif isinstance(node, tuple):
            found.append(node)
    return found


def _html(nodes: list[object]) -> str:
    parts = []
    for node in nodes:
        if isinstance(node, list):
            parts.append(f"<div>{_html(node)}</div>")
        elif isinstance(node, tuple):
            parts.append(f"<a href=x>{node[0]}</a>" if node[1] else f"<i>{node[0]}</i>")
    return "".join(parts)


def _random_nodes(rng: random.Random, depth: int, names: list[str]) -> list[object]:
    nodes: list[object] = []
    for _ in range(rng.randrange(1, 4)):
        if depth and rng.random() < 0.6:
            nodes.append(_random_nodes(rng, depth - 1, names))
        else:
            names.append(f"w{len(names)}" + "x" * rng.randrange(9))
            nodes.append((names[-1], rng.random() < 0.5))
    return nodes


@pytest.mark.parametrize("seed", range(60))
def test_the_columns_give_what_the_definition_gives(seed: int) -> None:
    rng = random.Random(seed)
    nodes, limit = _random_nodes(rng, 4, []), rng.choice([0.25, 0.5, 0.75])
    assert kept(_html(nodes), LinkQuotaFilter(limit=limit)) == [text for text, _ in slow_kept(nodes, limit)]
