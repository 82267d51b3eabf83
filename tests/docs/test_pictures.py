"""The pictures show what the shipped weights keep today. When this fails: make pictures, and look at them."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.docs.pages import PROJECT, names, text
from tools.pictures import IMAGES, digest, labels_of

RECORDS = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(IMAGES.glob("*.json"))}
# Another processor may round a score the other way.
TOLERANCE = 0.011


@pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)
def test_labels_are_those_of_the_shipped_weights(record: dict[str, Any]) -> None:
    page = PROJECT / record["page"]
    assert digest(page) == record["page_sha256"], "the page has changed"
    labels = labels_of(page)
    drawn, today = ([{**label, "score": None} for label in found] for found in (record["labels"], labels))
    assert drawn == today
    for then, now in zip(record["labels"], labels, strict=True):
        assert now["score"] == pytest.approx(then["score"], abs=TOLERANCE), now["text"]


@pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)
def test_the_record_is_that_of_the_picture(record: dict[str, Any]) -> None:
    for name, sha256 in record["pictures"].items():
        assert digest(IMAGES / name) == sha256, f"{name} was drawn without its record"


def test_every_picture_has_a_record_and_is_shown() -> None:
    pictures = {path.name for path in IMAGES.glob("*.png")}
    assert {name for record in RECORDS.values() for name in record["pictures"]} == pictures
    shown = {name for page in names() for name in re.findall(r"images/([\w-]+\.png)", text(page))}
    assert shown <= pictures
