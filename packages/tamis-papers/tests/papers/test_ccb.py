from __future__ import annotations

import random

import numpy as np
import pytest

from tamis import Document
from tamis_papers.ccb import accb, blurred, ccb, content_code_ratio
from tests.papers.kept import kept_by

kept = kept_by(ccb)

NEWS = "The storm came in the night and closed the harbour for two days."
STORY = "".join(f"<p>{NEWS} {NEWS} Part {number}.</p>" for number in range(4))
MENU = "<ul>" + "".join(f"<li><a href=/{number}>Section {number}</a></li>" for number in range(8)) + "</ul>"
LINKED = "The <a href=/storm>storm</a> came to the <a href=/harbour>harbour</a> in the <a href=/night>night</a> again"


def test_menus_around_the_text_go() -> None:
    assert kept(f"{MENU}{STORY}{MENU}") == [f"{NEWS} {NEWS} Part {number}." for number in range(4)]


def test_a_short_text_among_tags_goes_and_one_among_texts_stays() -> None:
    breaks = "<br>" * 20
    assert "Photo" not in kept(f"<p>{NEWS}</p>{breaks}Photo{breaks}<p>{NEWS}</p>")
    assert "Photo" in kept(f"{NEWS * 2}<b>Photo</b>{NEWS * 2}")


def test_links_tear_a_text_apart_unless_they_are_left_out() -> None:
    page = f"{MENU}<p>{LINKED}</p>"
    assert "harbour" not in kept(page)
    assert "harbour" in kept(page, accb)


def test_scripts_and_hidden_texts_do_not_count() -> None:
    plain, page = (Document.from_html(f"<p>{NEWS}</p>{extra}<p>{NEWS}</p>") for extra in ("", "<script>a</script>"))
    assert ccb.label(page).scores.tolist() == ccb.label(plain).scores.tolist()
    assert kept(f"<div hidden>{NEWS * 9}</div>{MENU}{STORY}") == kept(MENU + STORY)


def test_blurring_keeps_what_is_the_same_everywhere() -> None:
    assert blurred(np.ones(50), 20, 4) == pytest.approx(np.ones(50))
    step = blurred(np.repeat([0.0, 1.0], 200), 10, 2)
    assert step[:150] == pytest.approx(np.zeros(150))
    assert step[250:] == pytest.approx(np.ones(150))
    assert (np.diff(step[180:220]) > 0).all()
    assert step[199] + step[200] == pytest.approx(1.0)


@pytest.mark.parametrize("seed", range(40))
def test_shortened_runs_change_nothing(seed: int) -> None:
    rng = random.Random(seed)
    count, reach, rounds = rng.randrange(1, 12), rng.randrange(1, 6), rng.randrange(1, 4)
    size = np.array([rng.choice([1, 3, 8, 40, 90]) for _ in range(count)], np.int64)
    is_text = np.array([rng.random() < 0.5 for _ in range(count)])
    whole = blurred(np.repeat(is_text.astype(np.float64), size), reach, rounds)
    naive = [float(part.mean()) for part in np.split(whole, size.cumsum()[:-1])]
    assert content_code_ratio(size, is_text, reach, rounds).tolist() == pytest.approx(naive)


def test_one_long_text_costs_no_more_than_a_short_one() -> None:
    labels = ccb.label(Document.from_html("<p>" + "word " * 1_000_000))
    assert labels.keep.tolist() == [True]
    assert labels.scores[0] > 0.999
