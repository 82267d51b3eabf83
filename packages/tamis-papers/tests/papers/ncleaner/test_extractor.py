from __future__ import annotations

import math
from collections import Counter as Tally
from pathlib import Path

import numpy as np
import pytest

from tamis import Document
from tamis.errors import WeightsError
from tamis_papers.ncleaner.extractor import (
    BORDER,
    MODEL,
    ORDER,
    OTHER,
    SHORTER,
    GramCounts,
    Models,
    Segments,
    grams,
    load,
    ncleaner,
)

NEWS = "The storm came in the night and closed the harbour for two days, and nobody knew when it would be over."


def lines(html: str) -> list[bytes]:
    segments = Segments.of(Document.from_html(html))
    border = bytes([BORDER]) * (ORDER - 1)
    return [
        segments.codes[start:end].tobytes().removesuffix(border)
        for start, end in zip(segments.starts[:-1].tolist(), segments.starts[1:].tolist(), strict=True)
    ]


def test_segments_end_at_blocks_and_line_breaks() -> None:
    page = "<p>one <b>bold</b>\n word</p>two<br>three<ul><li>four</ul>five"
    assert lines(page) == [b"one bold word", b"two", b"three", b"four", b"five"]


def test_each_text_knows_its_segment() -> None:
    assert Segments.of(Document.from_html("<p>a<b>b</b><p>c<br>d")).number.tolist() == [0, 0, 1, 2]


def test_characters_are_folded_to_ascii() -> None:
    assert lines("<p>Café – “naïve” 日") == [b'Cafe - "naive" ' + bytes([OTHER])]


def test_a_gram_is_a_character_and_those_before_it() -> None:
    codes = np.array([1, 2, 3], np.uint8)
    assert grams(codes, 2).tolist() == [1, 0x0102, 0x0203]
    assert grams(codes, 1).tolist() == [1, 2, 3]


def naive_probability(text: bytes, place: int, trained: bytes) -> float:
    """Mixture of relative frequencies, from the shortest context to the longest."""
    probability = 1 / 97
    for length in (1, 2):
        counts = Tally(trained[at : at + length] for at in range(len(trained) - length + 1))
        context = len(trained) if length == 1 else trained.count(text[place - 1 : place])
        if place - length + 1 >= 0 and context:
            probability = (1 - SHORTER) * counts[text[place - length + 1 : place + 1]] / context + SHORTER * probability
    return probability


def test_probabilities_are_mixtures_of_all_contexts() -> None:
    clean, dirty = b"abracadabra", b"bbcbbdbbab"
    tables = []
    for length in (1, 2):
        found = [grams(np.frombuffer(text, np.uint8), length)[length - 1 :] for text in (dirty, clean)]
        keys = np.unique(np.concatenate(found))
        values = np.column_stack([(part[:, None] == keys).sum(axis=0) for part in found]).astype(np.uint32)
        tables.append(GramCounts(keys, values))
    text = b"abcab"
    ratio = Models(tuple(tables)).log_ratio(np.frombuffer(text, np.uint8))
    for place in range(len(text)):
        expected = math.log(naive_probability(text, place, clean) / naive_probability(text, place, dirty))
        assert ratio[place] == pytest.approx(expected, abs=1e-6)


def test_shipped_weights_tell_prose_from_a_menu() -> None:
    page = f"<p>{NEWS}</p><p>Privacy Policy | Contact Us | Site Map</p><p>Copyright 2006. All rights reserved.</p>"
    assert ncleaner.label(Document.from_html(page)).keep.tolist() == [True, False, False]


def test_weights_that_are_not_sorted_are_refused(tmp_path: Path) -> None:
    from safetensors.numpy import save_file

    from tamis.weights import write_config

    tensors = {f"keys.{n}": np.array([2, 1], np.uint32) for n in range(1, ORDER + 1)}
    tensors |= {f"counts.{n}": np.ones((2, 2), np.uint32) for n in range(1, ORDER + 1)}
    save_file(tensors, tmp_path / MODEL)
    write_config(tmp_path, {"model": "ncleaner"}, MODEL)
    with pytest.raises(WeightsError, match="do not fit together"):
        load(tmp_path)
