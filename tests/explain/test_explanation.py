"""What a user gets: the blocks of extract(), with reasons."""

from __future__ import annotations

import math

import numpy as np
import pytest

import tamis
from tamis.document import Document
from tamis.errors import OptionError
from tamis.explain import Explanation, Group, explain
from tamis.explain import explanation as explanation_module
from tamis.explain.words import to_lines, turning_sentence
from tamis.extractor.runs import PageRuns
from tamis.extractor.tamis import Tamis, probability
from tamis.labels import Labels
from tests.explain.pages import HARBOUR, PAGE, PROSE


def test_blocks_are_those_of_extract(harbour: Explanation) -> None:
    page = tamis.extract(HARBOUR, extractor="tamis")
    assert [block.text for block in harbour.blocks] == [block.text for block in page.blocks]
    assert [block.kept for block in harbour.blocks] == [block.keep for block in page.blocks]
    assert [block.role for block in harbour.blocks] == [block.role for block in page.blocks]
    assert [block.xpath for block in harbour.blocks] == [block.xpath for block in page.blocks]
    assert [block.score for block in harbour.blocks] == pytest.approx([block.score for block in page.blocks])
    assert (harbour.extractor, harbour.page_type, harbour.remark) == ("tamis", str(page.page_type), "")


def test_reasons_lead_from_an_average_block_to_the_score(harbour: Explanation) -> None:
    plain = [block for block in harbour.blocks if not block.note]
    assert len(plain) > len(harbour.blocks) / 2
    for block in plain:
        assert block.start is not None
        log_odds = block.start + sum(reason.effect for reason in block.reasons)
        assert 1 / (1 + math.exp(-log_odds)) == pytest.approx(block.score, abs=0.03)
        strengths = [abs(reason.effect) for reason in block.reasons]
        assert strengths == sorted(strengths, reverse=True)
        assert all(reason.words for reason in block.reasons)


def test_the_menu_is_dropped_for_what_it_is(harbour: Explanation) -> None:
    (menu,) = harbour.find("What's on")
    (prose,) = harbour.find("very  DETERMINED\ncyclist")
    assert (menu.kept, prose.kept) == (False, True)
    against = {reason.group: reason.words for reason in menu.reasons if reason.effect < 0}
    assert against[Group.TAGS] == "<nav> in <header>"
    assert any(reason.effect > 0 and reason.words.startswith("long prose: 56 words") for reason in prose.reasons)


def test_lines_of_a_poem_are_one_block() -> None:
    lines = "<br>".join(f"Line {number} of the poem goes on for a while and rhymes." for number in range(5))
    found = explain(f"<main><h1>Poem</h1><p>{lines}</p><p>{PROSE}</p></main>", extractor="tamis")
    assert len(found.blocks) == 3
    assert found.blocks[1].text.count("\n") == 4


def test_other_extractors_give_scores_and_a_remark() -> None:
    found = explain(PAGE, extractor="keep-all", url="https://oven.example/dawn")
    page = tamis.extract(PAGE, extractor="keep-all")
    assert [(block.text, block.kept, block.score) for block in found.blocks] == [
        (block.text, block.keep, block.score) for block in page.blocks
    ]
    assert not any(block.reasons or block.turning for block in found.blocks)
    assert found.remark == "keep-all gives no reasons; the extractor tamis does"
    assert found.url == "https://oven.example/dawn"
    assert "Keep-all gives no reasons" in found.html
    assert "https://oven.example/dawn" in found.html


def test_your_own_extractor_can_be_explained() -> None:
    class Everything:
        def label(self, document: Document) -> Labels:
            shown = document.leaves.visible & ~document.leaves.is_media
            return Labels(shown.astype(np.float64), shown)

    found = explain(PAGE, extractor=Everything())
    assert found.extractor == "Everything"
    assert all(block.kept for block in found.blocks)


def test_wrong_use_is_refused_as_extract_does() -> None:
    with pytest.raises(OptionError):
        explain(PAGE, extractor="no-such-thing")
    with pytest.raises(OptionError):
        explain(7)  # type: ignore[arg-type]


@pytest.mark.parametrize("html", ["", "<nav hidden>Menu</nav>", "<script>let it = 1</script>"])
def test_a_page_without_text_says_so(html: str) -> None:
    found = explain(html, extractor="keep-all")
    assert found.blocks == ()
    assert "The page shows no text." in found.html
    assert explain("", extractor="tamis").blocks == ()


def test_text_that_is_not_shown_is_named_by_its_place() -> None:
    found = explain(f"{PAGE}<template>Coupons</template>", extractor="tamis")
    assert found.find("coupons") == []
    (place,) = found.hidden("COUPONS")
    assert "template" in place
    assert (found.find(" "), found.hidden(" "), found.hidden("ovens")) == ([], [], [])


def test_text_folded_away_is_explained_as_the_extractor_sees_it() -> None:
    page = f"{PAGE}<div hidden><p>Once {PROSE}</p><ul><li>One</li><li>Two</li></ul></div><p>Twice {PROSE}</p>"
    found = explain(page, extractor="tamis")
    shown = {block.xpath: block.score for block in tamis.extract(page, extractor="tamis").blocks}
    explained = {block.xpath: block for block in found.blocks}
    assert set(shown) <= set(explained)
    noted = {explained[xpath].text for xpath in shown if explained[xpath].note}
    # The headline, and a heading that stays between kept texts.
    assert noted <= {"Bread at dawn", "Later"}, "reasons are of other runs than the scores"


SHORES = [
    f"The {name} shore is a long walk in the wind, and who goes there in winter meets nobody but gulls."
    for name in ("eastern", "western", "northern")
]
TWICE = f"""<title>Shores</title><nav><a href=/>Home</a></nav><main><article><h1>Shores</h1><p>{SHORES[0]} {PROSE}</p>
<p>{SHORES[1]} {PROSE}</p><p>{SHORES[2]} {PROSE}</p></article></main>
<footer><div><a href=/1>{SHORES[0]} {PROSE}</a></div><p>All rights reserved</p></footer>"""


def test_a_copy_has_a_note() -> None:
    found = explain(TWICE, extractor="tamis")
    stays, copy = found.find("eastern")
    assert (stays.kept, stays.note) == (True, "")
    assert (copy.kept, copy.note) == (False, "the same text is kept elsewhere on the page")
    assert copy.score < 0.01
    assert (copy.turning, turning_sentence(copy)) == ((), ""), "no other length or tag would have kept it"
    (title,) = found.find("shores")
    assert title.note == "the headline is a part of the metadata and no content"
    assert all(not block.note for block in found.blocks if block not in (copy, title))
    assert "The same text is kept elsewhere on the page." in found.html
    assert "  The same text is kept elsewhere on the page." in to_lines(copy)


def test_a_copy_of_a_dropped_text_has_a_note() -> None:
    """A menu that is on the page twice."""
    menu = "".join(f"<li><a href=/{shore[4]}>{shore}</a></li>" for shore in SHORES)
    found = explain(f"<nav><ul>{menu}</ul></nav>{PAGE}<footer><ul>{menu}</ul></footer>", extractor="tamis")
    pair = found.find("western")
    assert [block.kept for block in pair] == [False, False]
    assert sorted(block.note for block in pair) == [
        "",
        "the same text is elsewhere on the page, where it is more likely to be content",
    ]
    noted = max(pair, key=lambda block: block.note)
    assert noted.score == min(block.score for block in pair)


def test_copies_that_may_stay_get_no_note() -> None:
    """An extractor that drops none, as tamis does on pages of documentation."""

    class Forgiving(Tamis):
        def label(self, document: Document) -> Labels:
            runs = PageRuns(document)
            logits, _ = self.network.run(runs.values, runs.tags)
            scores = runs.to_leaves(probability(logits[:, 0].astype(np.float64)), 0.0)
            return Labels(scores, scores >= 0.5)

    found = explain(TWICE, extractor=Forgiving())
    assert len(found.find("eastern")) == 2
    assert not any(block.note for block in found.blocks)


def test_a_page_too_long_for_reasons_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explanation_module, "_MOST_RUNS", 3)
    found = explain(PAGE, extractor="tamis")
    assert found.remark == "the page has more than 3 runs of text, too many for reasons"
    assert len(found.blocks) == 9
    assert not any(block.reasons for block in found.blocks)
