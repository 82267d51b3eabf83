"""Extractors with weights of one's own as contestants of the benchmark."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import tamis
from tamis.document.addresses import registrable_domain
from tamis.errors import MissingExtra, OptionError, TamisError
from tamis.extractor.tamis import Tamis
from tamis_lab.bench import competitors
from tamis_lab.training.pages import fold_of
from tests.golden import golden_pages
from tests.test_api import ARTICLE_PAGE, PARAGRAPHS

PAGE = next(page for page in golden_pages() if page.name == "article-news").source

_REST = "".join(f"<p>{text}</p>" for text in PARAGRAPHS[3:])
FOLDED = ARTICLE_PAGE.replace(_REST, f"<button aria-controls=rest>Read on</button><div id=rest hidden>{_REST}</div>")


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A copy of the shipped weights."""
    return Path(shutil.copytree(Tamis().weights, tmp_path / "own"))


def test_weights_of_a_folder_take_the_place_of_the_shipped_ones(own: Path) -> None:
    for name in (f"tamis={own}", str(own)):
        found = competitors.load(name)(PAGE, None)
        assert found == tamis.extract(PAGE, extractor="tamis").text != ""
        assert competitors.kind(name) == "extractor"


def test_weights_by_path_alone_need_the_extra_of_their_extractor(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def lacking(name: str) -> None:
        raise MissingExtra(name, "neural")

    monkeypatch.setattr(competitors, "_try", lacking)
    folds = own.parent / "folds"
    shutil.copytree(own, folds / "fold-0")
    for name in (str(own), f"{own}+title", f"tamis={own}", str(folds)):
        assert "tamis needs an extra" in competitors.unavailable([name])[name]


def test_a_contestant_reads_a_page_as_everybody_does(own: Path) -> None:
    """Folded content and content in data alone too: what is measured is what people get."""
    assert PARAGRAPHS[-1] in tamis.extract(FOLDED).text
    assert PARAGRAPHS[-1] not in tamis.extract(FOLDED, extractor="keep-all").text, "it is folded away"
    for name in ("tamis", f"tamis={own}"):
        assert competitors.load(name)(FOLDED.encode(), None) == tamis.extract(FOLDED).text


def test_it_counts_as_trained_on_what_its_config_says(own: Path) -> None:
    name = f"tamis={own}"
    assert competitors.has_seen(name, "wcxb", "dev")
    assert not competitors.has_seen(name, "chaos", "all")
    assert competitors.kind(name) == "extractor"
    assert competitors.version(name) != competitors.version("tamis")


def says(folder: Path, *trained_on: str) -> None:
    """Let a config name these corpora."""
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"trained_on": trained_on}))


def test_weights_that_it_started_from_count(own: Path) -> None:
    """Configs of earlier versions name them only."""
    second = Path(shutil.copytree(own, own.parent / "second"))
    says(own, "canola", f"start:{second}")
    says(second, "chaos", "start:tamis", f"start:{own}")  # a loop must not be endless
    name = f"tamis={own}"
    for corpus in (("canola", "all"), ("chaos", "all"), ("wcxb", "dev")):
        assert competitors.has_seen(name, *corpus)
    assert not competitors.has_seen(name, "wcxb", "test")
    assert not competitors.has_seen(name, "dragnet", "all")


@pytest.mark.parametrize("named", ["my-site", "./my-site/", "my-site:all", "absolute"])
def test_a_folder_of_pages_has_many_names(named: str, own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(own.parent)
    pages = own.parent / "my-site"
    for folder in (pages, own.parent / "other"):
        folder.mkdir()
    says(own, str(pages) if named == "absolute" else named)
    for corpus in ("my-site", "other/../my-site", str(pages)):
        assert competitors.has_seen(f"tamis={own}", corpus, "all")
    assert not competitors.has_seen(f"tamis={own}", "other", "all")


def test_other_weights_are_another_version(own: Path) -> None:
    before = competitors.version(f"tamis={own}")
    config = own / "config.json"
    config.write_text(config.read_text().replace('"digest": "', '"digest": "0'))
    assert competitors.version(f"tamis={own}") != before


def test_a_page_is_read_by_the_fold_that_has_not_seen_its_site(own: Path, tmp_path: Path) -> None:
    folder = tmp_path / "folds"
    for number in range(3):
        shutil.copytree(own, folder / f"fold-{number}")
    url = "https://news.example.org/a"
    fold = fold_of(registrable_domain(url), 3)
    (folder / f"fold-{fold}" / "model.safetensors").write_bytes(b"damaged")
    contestant = competitors.load(f"tamis={folder}")
    with pytest.raises(TamisError, match=f"fold-{fold}"):
        contestant(PAGE, url)
    other = next(site for site in "abcdefgh" if fold_of(f"{site}.example", 3) != fold)
    assert contestant(PAGE, f"https://{other}.example/")
    assert not competitors.has_seen(f"tamis={folder}", "wcxb", "dev"), "each page is new to the fold that reads it"


@pytest.mark.parametrize("name", ["tamis=nowhere", "boilerpipe-words=nowhere", "tamis="])
def test_a_folder_without_weights_is_said_in_one_line(name: str) -> None:
    with pytest.raises(TamisError) as caught:
        competitors.load(name)
    assert len(str(caught.value).splitlines()) == 1


def test_what_is_no_extractor_is_no_contestant() -> None:
    with pytest.raises(OptionError, match="NAME=FOLDER"):
        competitors.load("nobody=somewhere")
