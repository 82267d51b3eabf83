"""How posts are counted beside gold."""

from __future__ import annotations

from tamis.records.posts import Post
from tamis_lab.bench.threads import counts
from tamis_lab.corpora.reader import Post as Gold


def test_posts_are_found_by_their_words_and_each_once() -> None:
    gold = [Gold("It rises for a day.", "Ann", "May 3, 2024"), Gold("In the cold.", "Bob", "27 March"), Gold("", "Cid")]
    found = [
        Post("It rises for a day.", "ann", "2024-05-03"),
        Post("cold", "Bob", "2024-03-27", quotes=("In the",)),
        Post("It rises for a day.", "Dan", "2024-05-03"),
    ]
    total = counts(found, gold)
    assert (total.gold, total.found, total.same) == (3, 3, 2)
    assert (total.authors, total.days) == (2, 2)
    assert total.texts == total.words == 2
    assert total.without_quotes < 2


def test_a_post_without_words_is_found_by_author_and_day() -> None:
    gold = [Gold("", "Ann", "May 3, 2024")]
    assert counts([Post("", "Ann", "2024-05-03")], gold).same == 1
    assert counts([Post("", "Bob", "2024-05-03")], gold).same == 0
