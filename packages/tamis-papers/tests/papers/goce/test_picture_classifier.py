from __future__ import annotations

import sys
from math import exp
from pathlib import Path

import numpy as np
import pytest

from tamis.errors import MissingExtra, WeightsError
from tamis_papers.goce.classifiers import HEIGHT, WIDTH, PictureClassifier, shrink
from tests.papers.goce.tiny import plain_picture, write_pictures

pytest.importorskip("PIL", reason="the extra render is not installed")
pytest.importorskip("onnxruntime", reason="the extra neural is not installed")
pytest.importorskip("onnx", reason="the extra train is not installed")

WHITE = np.full((HEIGHT, WIDTH, 3), 255, dtype=np.uint8)


@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
@pytest.mark.parametrize("size", [(1024, 3072), (1, 1)])
def test_any_picture_becomes_one_of_the_networks_size(kind: str, size: tuple[int, int]) -> None:
    pixels = shrink(plain_picture("#ff8000", size, kind))
    assert pixels.shape == (HEIGHT, WIDTH, 3)
    assert pixels.dtype == np.uint8
    assert np.abs(pixels.astype(int) - [255, 128, 0]).max() <= 3


def test_without_pillow_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    with pytest.raises(MissingExtra, match=r"tamis-papers\[render\]"):
        shrink(b"")


def test_what_the_network_says_of_a_picture(tmp_path: Path) -> None:
    classifier = PictureClassifier(write_pictures(tmp_path))
    assert classifier.article_probability(WHITE) == pytest.approx(1 / (1 + exp(-127.5 / 50)), abs=1e-3)
    assert classifier.article_probability(WHITE // 2) == pytest.approx(0.5, abs=0.01)
    assert classifier.article_probability(WHITE * 0) < 0.1


@pytest.mark.parametrize("size", [[HEIGHT, WIDTH + 1], None, "large"])
def test_weights_for_pictures_of_another_size(size: object, tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match="pictures of another size"):
        PictureClassifier(write_pictures(tmp_path, picture=size)).article_probability(WHITE)
