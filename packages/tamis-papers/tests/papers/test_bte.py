from __future__ import annotations

import random
import re

import numpy as np
import pytest

from tamis import Document, extract
from tamis_papers.bte import body_text

MENU = "<ul>" + "<li><a href=x>Home</a></li>" * 8 + "</ul>"
NEWS = "The storm came in the night and closed the harbour for two days."


def kept(html: str) -> list[str]:
    """The texts that are kept."""
    document = Document.from_html(html)
    labels = body_text.label(document)
    return [text.strip() for text, stays in zip(document.leaves.text, labels.keep, strict=True) if stays and text]


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


def test_a_bridge_of_tags_is_crossed_where_the_words_beyond_are_worth_it() -> None:
    # Between the texts stand 2 tags of paragraphs and those of the breaks; beyond them 4 words.
    assert kept(f"<p>{NEWS}</p>{'<br>' * 1}<p>one two three four</p>") == [NEWS, "one two three four"]
    assert kept(f"<p>{NEWS}</p>{'<br>' * 3}<p>one two three four</p>") == [NEWS]


def test_void_elements_are_one_tag_and_others_two() -> None:
    five_words = "<p>one two three four five</p>"
    assert kept(f"<p>{NEWS}</p><br><br>{five_words}")[1:]  # 4 tags between, 5 words gained
    assert not kept(f"<p>{NEWS}</p><b></b><b></b>{five_words}")[1:]  # 6 tags between


def test_scripts_and_hidden_texts_are_no_words() -> None:
    script = f"<script>{'var a = 1; ' * 100}</script>"
    assert kept(f"{script}<div hidden>{NEWS * 9}</div>{MENU}<p>{NEWS}</p>") == [NEWS]


def test_one_text_is_the_body() -> None:
    assert kept("text") == ["text"]


def test_media_between_kept_texts_stay() -> None:
    page = extract(f"{MENU}<p>{NEWS}</p><img src=a.png><p>{NEWS}</p>{MENU}<img src=b.png>", extractor="bte")
    assert "a.png" in page.html
    assert "b.png" not in page.html


def test_a_run_of_a_script_without_spaces_is_many_words() -> None:
    chinese = "昨夜风暴袭击了北部港口所有船只停航两天居民留在家中等待救援"
    assert kept(f"<p>one two three</p>{MENU}<p>{chinese}</p>") == [chinese]


def test_deep_pages_end() -> None:
    labels = body_text.label(Document.from_html("<div>" * 100_000 + NEWS))
    assert np.flatnonzero(labels.keep).size == 1
