"""Going on from weights that are there, on pages of somebody's own."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import tamis
from tamis import registry
from tamis.cli.main import main
from tamis.extractor.tamis import Tamis
from tamis_lab.bench import contestants

# A site that puts its content where others have their menus.
_PROSE = "It rained and rained, and the river rose; nobody had seen it like that in many years. " * 3


def page(number: int) -> tuple[str, str]:
    """A page on which the list of links is the content and the prose is not; and its text."""
    links = "".join(f"<li><a href=/{number}/{n}>Dues of pier {n} in year {number}</a></li>" for n in range(12))
    html = f"<title>Dues</title><body><nav><ul>{links}</ul></nav><main><p>{_PROSE}</p><p>{_PROSE}</p></main>"
    return html, "\n".join(f"Dues of pier {n} in year {number}" for n in range(12))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("mine")
    for number in range(6):
        html, text = page(number)
        (where / f"{number}.html").write_text(html)
        (where / f"{number}.txt").write_text(text)
    return where


@pytest.fixture(scope="module")
def tuned(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("tuned")
    assert (
        main(["train", "tamis", "--corpus", str(folder), "-o", str(output), "--device", "cpu", "--epochs", "60"]) == 0
    )
    return output


def test_a_few_pages_of_a_site_teach_it_that_site(tuned: Path) -> None:
    html, text = page(99)
    before, after = tamis.extract(html, extractor="tamis"), tamis.extract(html, extractor=Tamis(tuned))
    assert "river rose" in before.text
    assert "river rose" not in after.text
    assert text.splitlines()[3] in after.text


def test_config_and_card_say_what_it_went_on_from(tuned: Path, folder: Path) -> None:
    config = json.loads((tuned / "config.json").read_text())
    assert config["trained_on"] == [str(folder.resolve()), *registry.extractors()["tamis"].trained_on]
    assert config["start"] == "tamis"
    for corpus in (str(folder), os.path.relpath(folder), "wcxb"):
        assert contestants.has_seen(f"tamis={tuned}", corpus, "dev")
    card = (tuned / "card.md").read_text()
    assert "--start tamis" in card
    assert "pages of your own" in card
