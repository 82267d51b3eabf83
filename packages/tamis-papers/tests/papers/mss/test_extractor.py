from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest

from tamis import Document
from tamis.errors import WeightsError
from tamis_papers.mss.extractor import (
    MODEL,
    LogOdds,
    NaiveBayes,
    Segmentation,
    baseline,
    load,
    maximum_subsequence,
    trigrams,
    unigrams,
)
from tamis_papers.mss.tokens import PageTokens, hash_of
from tests.papers.kept import kept_by

kept = kept_by(trigrams)

MENU = "<ul>" + "<li><a href=x>Home</a></li>" * 8 + "</ul>"
NEWS = (
    "<p>The storm came in the night and closed the harbour for two days, he said.</p>"
    "<p>The mayor told reporters that the boats of the town were safe, and that it was over by the morning.</p>"
)
FOOTER = "<div><a href=a>Privacy Policy</a> | <a href=b>Terms of Use</a> | <a href=c>Contact Us</a></div>"


def test_the_search_finds_the_largest_sum() -> None:
    rng = random.Random(3)
    for _ in range(300):
        values = [rng.randint(-5, 5) for _ in range(rng.randrange(0, 12))]
        first, end = maximum_subsequence(np.array(values, dtype=np.int64))
        every = [sum(values[low:high]) for low in range(len(values) + 1) for high in range(low, len(values) + 1)]
        assert sum(values[first:end]) == max(every)


def test_tokens_are_tags_words_numbers_and_symbols_in_source_order() -> None:
    document = Document.from_html("<body><p>Ships <b>of</b> 1912.</p><br><div>End</div>after")
    page = PageTokens.of(document)
    expected = "<html> <body> <p> ships <b> of </b> 1 . </p> <br> <div> end </div> after </body> </html>".split()
    assert page.token.tolist() == [hash_of(token) for token in expected]
    parents = " html body p p b p p p body body body div body body html".split(" ")
    assert page.unclosed.tolist() == [hash_of(name) if name else 0 for name in [*parents, ""]]
    texts = [document.leaves.text[leaf].strip() if leaf >= 0 else "" for leaf in page.leaf.tolist()]
    assert texts[3] == "Ships"
    assert texts[7:9] == ["1912.", "1912."]
    assert texts[14] == "after"


def test_code_head_and_hidden_texts_have_no_tokens() -> None:
    page = PageTokens.of(
        Document.from_html("<head><title>T</title></head><script>x</script><p hidden>no</p><style>p</style>")
    )
    expected = "<html> <body> <p> </p> </body> </html>".split()
    assert page.token.tolist() == [hash_of(token) for token in expected]


def test_a_trigram_is_a_token_and_the_two_after_it() -> None:
    first, other = (PageTokens.of(Document.from_html(f"<p>one two three {last}</p>")) for last in ("four", "five"))
    same = first.trigrams == other.trigrams
    assert same.tolist() == [True] * 4 + [False] * 3 + [True] * 3


def test_an_unknown_feature_is_even() -> None:
    table = LogOdds(np.array([3, 7], np.uint32), np.array([1.5, -2.0], np.float32))
    assert table.of(np.array([7, 5, 3, 9], np.uint32)).tolist() == [-2.0, 0.0, 1.5, 0.0]
    empty = LogOdds(np.zeros(0, np.uint32), np.zeros(0, np.float32))
    page = PageTokens.of(Document.from_html("<p>word"))
    assert set(NaiveBayes(3, 0.0, empty, empty).scores(page).tolist()) == {0}


def test_the_baseline_takes_the_stretch_of_long_texts() -> None:
    found = kept(MENU + NEWS + FOOTER, baseline)
    assert len(found) == 2
    assert found[0].startswith("The storm")


@pytest.mark.parametrize("extractor", [trigrams, unigrams])
def test_shipped_weights_tell_an_article_from_a_menu(extractor: Segmentation) -> None:
    found = kept(MENU + NEWS * 3 + FOOTER, extractor)
    assert "Home" not in found
    assert "Terms of Use" not in found
    assert sum(text.startswith("The storm") for text in found) == 3


def test_all_between_two_parts_of_an_article_is_kept() -> None:
    """The method keeps one stretch: what stands between two long parts of an article comes with it."""
    found = kept(NEWS * 4 + "<p><a href=x>Advert</a></p>" + NEWS * 4, trigrams)
    assert "Advert" in found


def test_damaged_weights_are_refused(tmp_path: Path) -> None:
    from safetensors.numpy import save_file

    from tamis.weights import write_config

    keys, values = np.array([5, 3], np.uint32), np.zeros(2, np.float16)
    save_file({f"{name}.{part}": array for name in ("tokens", "unclosed") for part, array in
               (("keys", keys), ("values", values))}, tmp_path / MODEL)  # fmt: skip
    write_config(tmp_path, {"model": "mss", "order": 3, "prior": 0.0}, MODEL)
    with pytest.raises(WeightsError, match="do not fit together"):
        load(tmp_path)
    config = json.loads((tmp_path / "config.json").read_text()) | {"order": None}
    (tmp_path / "config.json").write_text(json.dumps(config))
    with pytest.raises(WeightsError, match="cannot be loaded"):
        load(tmp_path)
