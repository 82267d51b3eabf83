"""The public contract suite on every registered extractor and golden page. A new extractor is found by itself."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

import tamis
from tamis import registry, testing
from tamis.document import Document
from tamis.labels import Labels
from tamis.protocol import Extractor
from tests.golden import golden_pages

GOLDEN = [page.source for page in golden_pages()]
# The default, and one extractor of each system that this project was made for.
FIVE = ("boilerpipe-article", "web2text", "goce-html", "r4", "boilernet")
SYSTEMS = ["tamis", *(name for name in FIVE if name in tamis.extractors())]  # a paper's folder can be deleted
# One that draws pages is checked by the tests of its paper, with pictures that need no browser.
UNDRAWN = [name for name, entry in tamis.extractors().items() if not entry.draws]

every_check = pytest.mark.parametrize("check", testing.CHECKS, ids=lambda check: str(check.__name__))


def extractor(name: str) -> Extractor:
    if name.startswith("boilernet"):
        pytest.importorskip("onnxruntime")
    return registry.get(name)


@pytest.mark.parametrize("name", SYSTEMS)
@every_check
def test_contract(name: str, check: testing.Check) -> None:
    check(extractor(name), testing.PAGES)


@pytest.mark.parametrize("name", UNDRAWN)
def test_labels_fit_and_an_empty_page_has_no_content(name: str) -> None:
    testing.labels_fit_the_document(extractor(name), testing.PAGES)
    testing.empty_pages_have_no_content(extractor(name), ())


@pytest.mark.nightly
@pytest.mark.parametrize("name", UNDRAWN)
@every_check
def test_contract_on_golden_pages(name: str, check: testing.Check) -> None:
    check(extractor(name), (*testing.PAGES, *GOLDEN))


def test_each_is_listed_with_a_summary_and_a_paper() -> None:
    for name, entry in tamis.extractors().items():
        assert entry.name == name
        assert entry.summary, name
        assert entry.paper, name


@dataclass
class Broken:
    """An extractor that breaks one rule of the contract."""

    rule: str
    calls: int = 0

    def label(self, document: Document) -> Labels:
        self.calls += 1
        leaves = document.leaves
        keep = leaves.visible & ~leaves.is_media
        scores = keep.astype(np.float64)
        if self.rule == "one leaf too many":
            scores, keep = np.append(scores, 0.0), np.append(keep, False)
        elif self.rule == "scores above 1":
            scores = 2 * scores
        elif self.rule == "hidden text":
            keep = ~leaves.is_media
        elif self.rule == "chance":
            scores = scores / self.calls
        elif self.rule == "changes a text":
            leaves.text[:] = [text.upper() for text in leaves.text]
        elif self.rule == "changes a flag":
            object.__setattr__(leaves, "visible", np.ones(len(leaves), np.bool_))
        elif self.rule == "crashes on an empty page":
            assert len(leaves), "no leaves"
        elif self.rule == "keeps an empty page":
            scores, keep = np.ones(max(1, len(leaves))), np.ones(max(1, len(leaves)), np.bool_)
        return Labels(scores, keep)


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("one leaf too many", "leaves have"),
        ("scores above 1", "a score is not from 0 to 1"),
        ("hidden text", "an invisible leaf"),
        ("chance", "the same page gets different labels"),
        ("changes a text", r"the column leaves\.text was changed"),
        ("changes a flag", r"the column leaves\.visible was changed"),
        ("crashes on an empty page", "no leaves"),
        ("keeps an empty page", "an invisible leaf"),
    ],
)
def test_a_broken_extractor_is_found(rule: str, message: str) -> None:
    with pytest.raises((testing.ContractError, AssertionError), match=message):
        testing.check_extractor(Broken(rule), GOLDEN[:3])


def test_a_sound_extractor_passes_with_pages_of_your_own() -> None:
    testing.check_extractor(Broken("none"), ["<p>one page of my own</p>"])


class _Returns:
    """An extractor whose labels are what it is made with."""

    def __init__(self, labels: object) -> None:
        self.labels = labels

    def label(self, document: Document) -> Labels:
        return self.labels  # type: ignore[return-value]


@pytest.mark.parametrize("labels", [None, Labels([0.5], [True]), Labels(np.array(["a"]), np.array([True]))])  # type: ignore[arg-type]
def test_labels_that_are_none_break_the_contract(labels: object) -> None:
    with pytest.raises(testing.ContractError, match=r"label returns|must be arrays"):
        testing.check_extractor(_Returns(labels))


@pytest.mark.parametrize("extractor", ["bte", len, _Returns])
def test_what_has_no_label_method_is_no_extractor(extractor: object) -> None:
    with pytest.raises(tamis.OptionError, match="an extractor is an object with a label method"):
        testing.check_extractor(extractor)  # type: ignore[arg-type]


def test_extract_refuses_what_is_no_labels() -> None:
    with pytest.raises(tamis.OptionError, match="returns NoneType, not Labels"):
        tamis.extract("<p>words", extractor=_Returns(None))
