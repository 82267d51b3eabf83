from __future__ import annotations

from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest

from tamis import Document
from tamis.errors import WeightsError
from tamis_papers.victor.extractor import MODEL, column_names, columns_of, load, victor, viterbi
from tamis_papers.victor.features import Features

MENU = "<table><tr>" + "<td><a href=x>Home</a></td>" * 8 + "</tr></table>"
NEWS = (
    "<p>The storm came in the night and closed the harbour for two days. Nobody was hurt, and the boats of the town"
    " were safe.</p><p>The mayor said that the <b>old wall</b> had held. It was built after the last great storm.</p>"
)


def levels(html: str, name: str) -> list[int]:
    found: list[int] = Features(Document.from_html(html)).levels[name].values.tolist()
    return found


def test_the_best_labelling_is_found() -> None:
    rng = np.random.default_rng(5)
    for size in range(1, 7):
        potentials, transitions = rng.normal(size=size), rng.normal(size=(2, 2))

        every = {
            labels: float(np.dot(labels, potentials)) + sum(float(transitions[step]) for step in pairwise(labels))
            for labels in product((0, 1), repeat=size)
        }
        found = viterbi(potentials, transitions)
        assert tuple(found.labels.astype(int).tolist()) == max(every, key=lambda labels: every[labels])
        for place, margin in enumerate(found.margins.tolist()):
            best = [max(value for labels, value in every.items() if labels[place] == kind) for kind in (0, 1)]
            assert margin == pytest.approx(best[1] - best[0])


def test_containers_are_elements_around_the_block() -> None:
    page = "<h2>Title</h2><ul><li>point <a href=x>link</a></ul>text"
    assert levels(page, "container.class-header") == [1, 0, 0, 0]
    assert levels(page, "container.class-list") == [0, 1, 1, 0]
    assert levels(page, "container.a") == [0, 0, 1, 0]


def test_splits_are_tags_since_the_block_before() -> None:
    page = "<p>one<b>two</b>three<br>four</p><p>five</p><hr>six"
    assert levels(page, "split.br") == [0, 0, 0, 1, 0, 0]
    assert levels(page, "split.p") == [1, 0, 0, 0, 1, 1]
    assert levels(page, "split.hr") == [0, 0, 0, 0, 0, 1]
    assert levels(page, "split.class-inline") == [0, 1, 1, 1, 0, 0]
    assert levels(page, "split.class-block") == [1, 0, 0, 0, 1, 1]


def test_texts_are_measured_in_levels() -> None:
    page = "<p>A dog runs. It barks!</p><p>1999</p><p>Home</p><p>Home</p><p>www.example.org 10:30</p>"
    assert levels(page, "sentence.count") == [2, 0, 0, 0, 0]
    assert levels(page, "sentence-end") == [1, 0, 0, 0, 0]
    assert levels(page, "char.num-rel")[1] == Features(Document.from_html("")).levels["char.num-rel"].size - 1
    assert levels(page, "duplicate-count") == [0, 0, 1, 1, 0]
    assert levels(page, "first-duplicate") == [0, 0, 1, 0, 0]
    assert levels(page, "regexp.url") == [0, 0, 0, 0, 1]
    assert levels(page, "regexp.time") == [0, 0, 0, 0, 1]
    assert levels(page, "token.num-abs")[:2] == [0, 1]


def test_every_block_has_one_weight_of_each_feature() -> None:
    features = Features(Document.from_html(MENU + NEWS))
    columns, names = columns_of(features), column_names()
    assert columns.shape == (len(features.blocks), len(features.levels) + 1)
    for row in columns.tolist():
        assert [names[column].partition("=")[0] for column in row] == [*features.levels, "any block"]


def test_shipped_weights_tell_an_article_from_a_menu() -> None:
    document = Document.from_html(MENU + NEWS * 3)
    kept = victor.label(document).keep.tolist()
    assert kept == [False] * 8 + [True] * 12


def test_weights_of_other_features_are_refused(tmp_path: Path) -> None:
    from safetensors.numpy import save_file

    from tamis.weights import write_config

    save_file({"levels": np.zeros(3, np.float32), "transitions": np.zeros((2, 2), np.float32)}, tmp_path / MODEL)
    write_config(tmp_path, {"model": "crf", "features": ["colour"]}, MODEL)
    with pytest.raises(WeightsError, match="other features"):
        load(tmp_path)
    write_config(tmp_path, {"model": "crf", "features": list(Features(Document.from_html("")).levels)}, MODEL)
    with pytest.raises(WeightsError, match="do not fit together"):
        load(tmp_path)
