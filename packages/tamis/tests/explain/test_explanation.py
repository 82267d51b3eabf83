"""What a user gets: the blocks of extract(), with reasons."""

from __future__ import annotations

import math
import re

import pytest

import tamis
from benchmarks.explain import Share, measure
from tamis.errors import OptionError
from tamis.explain import ExplainedBlock, Explanation, Group, explain
from tamis.explain import explanation as explanation_module
from tamis.explain.words import notable_reasons, to_lines, turning_sentence
from tests.explain.pages import HARBOUR, PAGE, PROSE
from tests.golden import golden_page, golden_pages

STRUCTURE = r"/(table|ul|ol|dl|blockquote|figure)\["


def test_blocks_are_those_of_extract(harbour: Explanation) -> None:
    page = tamis.extract(HARBOUR, extractor="tamis")
    assert [block.text for block in harbour.blocks] == [block.text for block in page.blocks]
    assert [block.kept for block in harbour.blocks] == [block.keep for block in page.blocks]
    assert [block.role for block in harbour.blocks] == [block.role for block in page.blocks]
    assert [block.xpath for block in harbour.blocks] == [block.xpath for block in page.blocks]
    assert [block.score for block in harbour.blocks] == pytest.approx([block.score for block in page.blocks])
    assert (harbour.extractor, harbour.page_type, harbour.remark) == ("tamis", str(page.page_type), "")


def test_reasons_lead_from_a_typical_block_to_the_score(harbour: Explanation) -> None:
    plain = [block for block in harbour.blocks if not block.note]
    assert len(plain) > len(harbour.blocks) / 2
    for block in plain:
        assert block.start is not None
        assert block.usual == pytest.approx(1 / (1 + math.exp(-block.start)))
        log_odds = block.start + sum(reason.effect for reason in block.reasons)
        assert block.network == pytest.approx(1 / (1 + math.exp(-log_odds)))
        # A rule that levels a table or a list may change a score by too little for a note.
        tolerance = explanation_module.CHANGED if re.search(STRUCTURE, block.xpath) else 1e-6
        assert block.part or block.network == pytest.approx(block.score, abs=tolerance)
        strengths = [abs(reason.effect) for reason in block.reasons]
        assert strengths == sorted(strengths, reverse=True)
        assert all(reason.words for reason in block.reasons)


def test_of_several_parts_reasons_are_for_the_one_of_most_words(harbour: Explanation) -> None:
    (form,) = harbour.find("morning tide in your inbox")
    (single,) = harbour.find("Why the toll is not")
    assert (form.parts, form.part) == (2, "Get the Morning Tide in your inbox")
    assert (single.parts, single.part) == (1, "")
    assert form.network is not None
    assert form.network > form.score, "the button gets less"
    begin = f"  Its 2 parts are scored apart; this is about “{form.part}”, which the network gives {form.network:.2f}."
    assert to_lines(form)[2] == begin
    assert to_lines(form)[-1].startswith("  This part would be kept if")
    assert f"which the network gives {form.network:.2f}." in harbour.html
    button_first = explain(f"<div><button>Go</button> {PROSE}</div>{PAGE}", extractor="tamis").blocks[0]
    assert (button_first.part, button_first.kind) == (PROSE.strip(), "plain block outside of <main> and <article>")


def test_the_menu_is_dropped_for_what_it_is(harbour: Explanation) -> None:
    (menu,) = harbour.find("What's on")
    (prose,) = harbour.find("very  DETERMINED\ncyclist")
    assert (menu.kept, prose.kept) == (False, True)
    assert (menu.kind, prose.kind) == ("plain block in a <nav>", "paragraph in an <article>")
    for block in (menu, prose):
        usual = f"  As usual for a {block.kind}: a typical one would get {block.usual:.2f} at this place of the page."
        assert to_lines(block)[2:] == [usual]


def test_what_makes_the_difference_is_named() -> None:
    page = golden_page("product").source
    (review,) = explain(page, extractor="tamis").find("Bombproof")
    lines = to_lines(review)
    assert lines[2].endswith(f"would get {review.usual:.2f} here. What makes the difference:")
    assert "its class names and roles: named “review”" in lines[3]
    (price,) = explain(page, extractor="tamis").find("€39.00")
    assert notable_reasons(price)[0].words.startswith("the <div> has 8 blocks (usual: 27)")


@pytest.fixture(scope="module")
def golden() -> list[ExplainedBlock]:
    """The blocks of all golden pages that the network decided on."""
    blocks = [block for page in golden_pages() for block in explain(page.source, extractor="tamis").blocks]
    return [block for block in blocks if not block.note and block.start is not None]


@pytest.mark.slow
def test_no_kept_paragraph_of_an_article_is_blamed_for_its_tags_or_praised_for_its_links(
    golden: list[ExplainedBlock],
) -> None:
    kinds = ("paragraph in an <article>", "paragraph in <main>")
    # A quotation is not a plain paragraph.
    plain = [block for block in golden if block.kind in kinds and "/blockquote[" not in block.xpath]
    kept = [block for block in plain if block.kept]
    assert len(kept) > 70
    shown = [(reason.group, reason.effect > 0, reason.words) for block in kept for reason in notable_reasons(block)]
    blamed = [words for group, speaks_for, words in shown if group is Group.TAGS and not speaks_for]
    assert len(blamed) < 0.02 * len(kept), blamed
    praised = [words for group, speaks_for, words in shown if group is Group.LINKS and speaks_for]
    assert not any(words.endswith("(usual: none)") for words in praised)
    assert sum(block.as_usual for block in kept) > 0.7 * len(kept)


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


def test_wrong_use_is_refused_as_extract_does() -> None:
    with pytest.raises(OptionError):
        explain(PAGE, extractor="no-such-thing")
    with pytest.raises(OptionError):
        explain(7)


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
    assert title.note == "the headline is part of the metadata, not of the content"
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


def test_a_page_too_long_for_reasons_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explanation_module, "_MOST_RUNS", 3)
    found = explain(PAGE, extractor="tamis")
    assert found.remark == "the page has more than 3 runs of text, too many for reasons"
    assert len(found.blocks) == 9
    assert not any(block.reasons for block in found.blocks)


def test_small_pages_are_counted_by_themselves(harbour: Explanation) -> None:
    decided = [block for block in harbour.blocks if not block.note]
    same = [block for block in decided if block.usual is not None and (block.usual >= block.threshold) == block.kept]
    large = decided * 10
    found = measure([decided, large])
    assert found["typical block gets the same verdict"] == Share(11 * len(same), 11 * len(decided))
    assert found["on small pages: typical block gets the same verdict"] == Share(len(same), len(decided))
    other = sum(not block.as_usual for block in decided)
    assert found["on small pages: position in the first two reasons"].all == other
