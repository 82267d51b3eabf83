from __future__ import annotations

import random
import re

import pytest

from tamis_papers.bte import body_text
from tests.papers.kept import kept_by

kept = kept_by(body_text)

MENU = "<ul>" + "<li><a href=x>Home</a></li>" * 8 + "</ul>"
NEWS = "The storm came in the night and closed the harbour for two days."


_TOKEN = re.compile(r"<[^>]*>|[^<\s]+")


def slow_value(source: str, first: int, last: int) -> int:
    """Tags outside plus words inside, for the stretch from token `first` to token `last`."""
    tokens = _TOKEN.findall(source)
    inside, outside = tokens[first : last + 1], tokens[:first] + tokens[last + 1 :]
    words = [token for token in inside if not token.startswith("<")]
    return len(words) + len([token for token in outside if token.startswith("<")])


def slow_best(source: str) -> int:
    """The paper's search: every pair of ends."""
    size = len(_TOKEN.findall(source))
    return max(slow_value(source, first, last) for first in range(size) for last in range(first, size))


def random_page(rng: random.Random) -> tuple[str, list[str]]:
    """Well-formed markup as the parser writes it, in which every word is another, and its words."""
    words: list[str] = []
    parts = ["<html><head></head><body>"]
    open_tags: list[str] = []
    for _ in range(rng.randrange(5, 25)):
        action = rng.random()
        if action < 0.35:
            open_tags.append(rng.choice(["div", "b", "section"]))
            parts.append(f"<{open_tags[-1]}>")
        elif action < 0.6 and open_tags:
            parts.append(f"</{open_tags.pop()}>")
        elif action < 0.7:
            parts.append(rng.choice(["<br>", "<hr>"]))
        else:
            for _ in range(rng.randrange(1, 5)):
                words.append(f"w{len(words)}")
                parts.append(f" {words[-1]} ")
    parts += [f"</{tag}>" for tag in reversed(open_tags)]
    return "".join(parts) + "</body></html>", words


@pytest.mark.parametrize("seed", range(60))
def test_the_stretch_is_as_good_as_the_best_of_all_pairs(seed: int) -> None:
    source, words = random_page(random.Random(seed))
    if not words:
        assert kept(source) == []
        return
    found = " ".join(kept(source)).split()
    tokens = _TOKEN.findall(source)
    assert slow_value(source, tokens.index(found[0]), tokens.index(found[-1])) == slow_best(source)
    start = words.index(found[0])
    assert found == words[start : start + len(found)]  # one stretch, without a gap


def test_menus_around_the_text_go() -> None:
    assert kept(f"{MENU}<p>{NEWS}</p><p>{NEWS} Again.</p>{MENU}") == [NEWS, f"{NEWS} Again."]


def test_a_short_text_between_long_ones_stays() -> None:
    assert kept(f"{MENU}<p>{NEWS}</p><p>Photo</p><p>{NEWS}</p>{MENU}") == [NEWS, "Photo", NEWS]


def test_scripts_and_hidden_texts_are_no_words() -> None:
    script = f"<script>{'var a = 1; ' * 100}</script>"
    assert kept(f"{script}<div hidden>{NEWS * 9}</div>{MENU}<p>{NEWS}</p>") == [NEWS]
