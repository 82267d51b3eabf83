"""Table 4 on a made-up site."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("torch")

from tamis_lab.corpora.catalogue import open_corpus
from tamis_lab.papers.r4.tables import SITE, knowing, sampled, table4_sections

MENU = "<div class=top><ul><li><a href=/>Home</a></li><li><a href=/news>News</a></li></ul></div>"
STORIES = (
    "The storm closed the harbour for two days",
    "An old crossing carries traffic again",
    "Flour costs twice as much this winter",
    "Forty voices filled an empty church",
    "Farmers covered their strawberries",
)


def page(story: str, head: str = "") -> str:
    return f"<html><head>{head}</head><body>{MENU}<div class=story><p>{story}.</p></div></body></html>"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    daniel = tmp_path / "daniel"
    (daniel / "html").mkdir(parents=True)
    (daniel / "reference").mkdir()
    for number, story in enumerate(STORIES):
        for site in ("harbour.example", "small_town.example"):
            if site == "harbour.example" or number < 3:
                name = f"20111121_{site}_{number}"
                (daniel / "html" / name).write_text(page(story))
                (daniel / "reference" / name).write_text(f"<p>{story}.</p>")
    (daniel / "doc_lg.json").write_text(json.dumps({}))
    return tmp_path


def test_one_page_of_each_site_with_enough_pages_is_measured(data: Path) -> None:
    with open_corpus("daniel", data) as corpus:
        (found,) = sampled(corpus)
    assert len(found.others) == len(STORIES) - 1
    assert found.gold.rstrip(".") in STORIES


def test_site_level_methods_learn_and_others_do_not(data: Path) -> None:
    (section,) = table4_sections(data)
    ours = {figure.name: figure.ours for figure in section.figures}
    for name in ["sst", "rtdm", "iwptd", "rbm", "temex", "conex"]:
        assert ours[f"{name}, DAnIEL: F1"] == pytest.approx(100), name
    assert ours[f"{SITE}, DAnIEL: F1"] >= ours["tamis, DAnIEL: F1"]
    assert ours["keep-all, DAnIEL: recall"] == pytest.approx(100)
    assert ours["keep-all, DAnIEL: precision"] < 100
    assert knowing("keep-all", []) is knowing("keep-all", [])


def test_a_corpus_that_is_not_there_is_left_out_with_a_line(data: Path, tmp_path: Path) -> None:
    (section,) = table4_sections(data)
    assert section.facts["corpora"] == (
        "Of DAnIEL, 1 sites have at least 4 pages. Dragnet is not in the data folder and is left out."
    )
    (nothing,) = table4_sections(tmp_path / "empty")
    assert not nothing.figures
    assert "DAnIEL is not in the data folder" in str(nothing.facts["corpora"])
