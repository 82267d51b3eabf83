"""The corpora themselves, where they are here; otherwise these tests say that they did not run."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import pytest

from tamis.document import Document
from tamis_lab.corpora.catalogue import Corpus, data_folder, find_corpus, open_corpus

_DATA = data_folder()


class Pinned(NamedTuple):
    splits: dict[str, int]
    first: str
    middle: str
    last: str
    digest: str


PINNED = {
    "wcxb": Pinned({"dev": 1497}, "0001", "2018", "4917", "87575e4c0827"),
    "cleaneval": Pinned({"dev": 58, "test": 681}, "1", "415", "99", "74256888c66e"),
    "l3s-gn1": Pinned(
        {"all": 621},
        "01ccc7c5-a1d1-46e1-a5f7-43310df16575",
        "89329982-007b-42ae-af61-c96b111b717e",
        "fffdcc2c-4c1b-496f-882a-baa8bacd2857",
        "abca6bb292a0",
    ),
    "googletrends-2017": Pinned({"train": 50, "dev": 30, "test": 100}, "gt_1", "gt_91", "gt_180", "63150e91ed32"),
    "news-2023": Pinned(
        {"train": 327, "test": 94},
        "00c7f15fb635c360a44f126d4694369c",
        "88d58862c6918224d255237a7290e2ab",
        "fed691ece5355f4d8e3900231d69f044",
        "097f37234cd9",
    ),
    "canola": Pinned({"all": 208}, "685", "807", "923", "58212cfcfa5a"),
    "dragnet": Pinned({"all": 667}, "102", "R545", "T99", "498669d1a9da"),
    "daniel": Pinned(
        {"all": 832},
        "20111121_goodcontents.net_3bac60d11082c79c3c7691a22cf2e087f817faeb28420816ed7ef701",
        "20120112_news.nen.com.cn_a94a3937aff804851d251ace9f067ff0de5cb44a4eba3d13a788cd20",
        "20120117_yourlife.usatoday.com_704d21574d01a67167c1582fb3590fc9497721570a41faaa3567da03",
        "8a235c45e3c2",
    ),
    "chaos": Pinned({"all": 360}, "affair (1)", "marvel (1)", "xiaomi (9)", "9edb4280b338"),
    "press-2026": Pinned(
        {"all": 129},
        "au/NineNews_2024_05_02",
        "il/IsraelNachrichten_2025_04_16",
        "za/TheCitizen_2025_11_28",
        "5a246f57f8c1",
    ),
    "recipes": Pinned(
        {"all": 307},
        "177milkstreet.com/onesevensevenmilkstreet_1",
        "kitchenaid.com.au/kitchenaidaustralia_1",
        "xiachufang.com/xiachufang_1",
        "677ff737997a",
    ),
    "threads": Pinned(
        {"all": 57},
        "blog.angelman-asa.org.read.php",
        "kiwifarms.net.threads.the-twitter-pedo-hunter-loli-crusader-community.64404.",
        "www.nairaland.com.5813456.how-snakes-get-into-toilet",
        "e1d5fa0c0c5d",
    ),
    "sources": Pinned(
        {"all": 111},
        "src/0002_DebugHAT/README",
        "src/0007_V4L2/docs/0012_Stream_ON_hack",
        "src/0021_LXC/docs/0022_LXC_veth_NAT",
        "1e6841211b17",
    ),
}

# Of these only half is here; the other half is held out.
HALVES = {"dragnet", "daniel"}

# The share of text leaves with a mark, on every 20th page: measured, rounded outwards.
LABELLED = {"l3s-gn1": (0.2, 0.4), "googletrends-2017": (0.1, 0.5), "canola": (0.75, 0.95)}
_EVERY = 20


def opened(name: str) -> Corpus:
    if find_corpus(name, _DATA) is None:
        pytest.skip(f"not run: {name} is not in {_DATA}")
    return open_corpus(name, _DATA)


@pytest.mark.parametrize("name", PINNED)
def test_the_corpus_is_the_one_measured_on(name: str) -> None:
    pinned = PINNED[name]
    with opened(name) as corpus:
        entries = corpus.entries()
        assert Counter(entry.split for entry in entries) == pinned.splits
        assert name in HALVES or len(entries) == corpus.info.pages
        ids = [entry.id for entry in entries]
        assert (ids[0], ids[len(ids) // 2], ids[-1]) == (pinned.first, pinned.middle, pinned.last)
        assert corpus.digest().startswith(pinned.digest)


@pytest.mark.parametrize("name", PINNED)
def test_pages_have_what_the_corpus_promises(name: str) -> None:
    with opened(name) as corpus:
        for number, page in zip(range(5), corpus.pages(), strict=False):
            assert page.html, number
            assert page.gold_text, number
            assert "\r" not in page.gold_text


def test_dragnet_keeps_comments_apart() -> None:
    with opened("dragnet") as corpus:
        pages = list(corpus.pages())
    assert all(page.gold_text for page in pages)
    assert sum(page.comments is not None for page in pages) == 199
    for page in pages:
        for text in (page.gold_text or "", page.comments or ""):
            assert "#$%^&*" not in text
            assert not {"\0", "\ufffd"} & set(text)


def test_daniel_has_words_and_no_marks() -> None:
    with opened("daniel") as corpus:
        pages = list(corpus.pages())
    assert Counter(page.language for page in pages) == {"en": 286, "zh": 204, "ru": 162, "pl": 120, "el": 60}
    assert [page.id[:21] for page in pages if not page.gold_text] == ["20120106_newsru.co.il"], (
        "its reference is a page"
    )
    assert not [page.id for page in pages if page.gold_text and ("<p" in page.gold_text or "p>" in page.gold_text)]


def test_press2026_has_the_gold_of_all_pages_but_one() -> None:
    with opened("press-2026") as corpus:
        pages = list(corpus.pages())
    assert [page.id for page in pages if page.gold_text is None] == ["kr/HankookIlbo_2026_01_29"], "it has no article"
    assert all(page.url and ".invalid" not in page.url for page in pages)


def test_recipes_are_found_on_most_pages() -> None:
    with opened("recipes") as corpus:
        pages = list(corpus.pages())
    assert sum(page.gold_text is not None for page in pages) == 296
    for page in pages:
        assert (page.gold_text is None) == (page.leaf_labels is None)
        assert page.leaf_labels is None or "line" in page.leaf_labels


def test_threads_are_marked_on_all_pages() -> None:
    with opened("threads") as corpus:
        for page in corpus.pages():
            assert page.leaf_labels is not None, page.id
            marked = page.leaf_labels.count("post")
            assert marked >= len(page.posts), page.id


def test_pages_are_all_there() -> None:
    with opened("pages") as corpus:
        entries = corpus.entries()
        assert len(entries) == corpus.info.pages
        assert {entry.split for entry in entries} <= {"labelled", "unlabelled"}
        assert corpus.digest().startswith("847c8ea0cd97")


@pytest.mark.parametrize("name", LABELLED)
def test_every_leaf_has_a_label_or_none(name: str) -> None:
    low, high = LABELLED[name]
    with opened(name) as corpus:
        marked = total = 0
        for entry in corpus.entries()[::_EVERY]:
            page = corpus.read(entry)
            leaves = Document.from_html(page.html).leaves
            assert page.leaf_labels is not None
            assert len(page.leaf_labels) == len(leaves)
            for annotation in (b"x-nc-sel", b" __label=", b"<kw"):
                assert annotation not in page.html
            texts = [label for label, text in zip(page.leaf_labels, leaves.text, strict=True) if text]
            marked += sum(map(bool, texts))
            total += len(texts)
        assert low < marked / total < high
