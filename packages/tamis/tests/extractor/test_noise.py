"""Short lines that are no content wherever they are."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest

import tamis
from tamis.labels import Role
from tamis.page_type import PageType
from tests.extractor.pages import MORE, PROSE, decide
from tests.extractor.test_structures import article

TABLE = json.loads(files("tamis.extractor").joinpath("noise.json").read_text(encoding="utf-8"))
LINES = [line for lines in TABLE["lines"].values() for line in lines]
LABELS = [label for labels in TABLE["labels"].values() for label in labels]


def left(html: str, page_type: PageType = PageType.ARTICLE) -> list[str]:
    """The texts of a page that are no noise, of which the network keeps all."""
    found = decide(html, 9, page_type=page_type)
    return [*found.of_role(Role.TITLE), *found.kept]


class TestTable:
    def test_every_line_is_noise_as_it_is_written(self) -> None:
        wrong = [line for line in (*LINES, *TABLE["counters"]) if left(f"<p>{line}</p><p>a</p>") != ["a"]]
        assert wrong == []

    def test_every_label_is_noise_before_a_name(self) -> None:
        assert [label for label in LABELS if left(f"<p>{label} Jane Doe</p><p>a</p>") != ["a"]] == []

    def test_every_line_stands_once(self) -> None:
        every = [*LINES, *TABLE["counters"], *LABELS]
        assert sorted(set(every)) == sorted(every)


@pytest.mark.parametrize(
    "line",
    [
        "4 min read · 23 comments",
        "4 min read | Jane Doe | May 4, 2024",
        "<span>4 min read</span><span>1,204 views</span>",
        "Advertisement - story continues below",
        "ADVERTISEMENT",
        "[Advertisement]",
        "(Click to enlarge)",
        "+ Add to calendar",
        "Photo: Jane Doe / Harbour Press",
        "Photo by <a href=x>Jane Doe</a>",
        "Share this article",
        "Share | Tweet | Pin it",
        "Read more: <a href=x>The valves of Venice</a>",
        "Read <b>more</b> »",
        "Читайте также: Вода в городе",
        "Lesen Sie auch: Das Wasser in der Stadt",
        "广告",
        "Click to share on Facebook (Opens in new window)",
        "<span>12.3k</span><span>3</span><span>3 gold badges</span><span>8</span><span>8 silver badges</span>",
        "<a href=s>Share</a> <a href=i>Improve this answer</a>",
        "\u200d",
    ],
)
def test_noise_in_an_article_goes(line: str) -> None:
    assert left(f"<h1>Pumps</h1><p>{PROSE}</p><p>{line}</p><p>{MORE}</p>") == ["Pumps", PROSE, MORE]
    assert tamis.extract(article(f"<p>{line}</p>")).text == tamis.extract(article("")).text


@pytest.mark.parametrize(
    "line",
    [
        "Advertisement is the mother of trade.",
        "We share this article with our readers.",
        "Photo prices: see the table",
        "It takes 4 min to read and 23 comments to understand.",
        "Read more books",
        "12",
        "2024",
        "30 min · 4 servings",
        "By the river",
        "print()",
        "Share price",
        "—",
        "Photo by Jane Doe, who saw the harbour of the old town every morning on her way to the bridge",  # 17 words
    ],
)
def test_sentences_and_other_lines_stay(line: str) -> None:
    assert left(f"<p>{PROSE}</p><p>{line}</p>") == [PROSE, line]


def test_no_threshold_is_low_enough_for_it() -> None:
    found = decide(f"<p>{PROSE}</p><p>Advertisement</p>", 9)
    assert found.labels.scores.tolist() == pytest.approx([1, 0], abs=2e-4)
    assert found.of_role(Role.BOILERPLATE) == ["Advertisement"]


def test_code_stays() -> None:
    assert left(f"<p>{PROSE}</p><pre>share</pre>") == [PROSE, "share"]


@pytest.mark.parametrize("page_type", [PageType.LISTING, PageType.COLLECTION, PageType.FORUM])
def test_listings_count_on_purpose(page_type: PageType) -> None:
    assert left("<p>A story</p><p>23 comments</p><p>Advertisement</p>", page_type) == ["A story", "23 comments"]


class TestBylines:
    @pytest.mark.parametrize("line", ["Jane Doe · 4 min read", "By Jane Doe | May 4, 2024 | 23 comments"])
    def test_with_a_counter_they_go_above_the_text_of_an_article(self, line: str) -> None:
        assert left(f"<h1>Pumps</h1><p>{line}</p><p>{PROSE}</p>") == ["Pumps", PROSE]
        assert left(f"<p>{PROSE}</p><p>{line}</p>") == [PROSE, line]

    @pytest.mark.parametrize("line", ["By Jane Doe", "May 4, 2024", "The best of 2024"])
    def test_others_stay(self, line: str) -> None:
        assert left(f"<p>{line}</p><p>{PROSE}</p>") == [line, PROSE]
