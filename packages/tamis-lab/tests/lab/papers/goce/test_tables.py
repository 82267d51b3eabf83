"""GOCE's tables on made-up pages, with a picture network too small to be good."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tamis.errors import InputError
from tamis.page_type import PageType
from tamis_lab.corpora.reader import CorpusPage
from tamis_papers.goce.classifiers import Genre

torch = pytest.importorskip("torch", reason="the extra train is not installed")
pytest.importorskip("sklearn", reason="the extra bench is not installed")
pytest.importorskip("PIL", reason="the extra render is not installed")

from torch import Tensor, nn

from tamis_lab.papers.goce import classifiers, html_training, tables
from tamis_lab.papers.goce import picture_training as pictures
from tamis_lab.papers.goce.classifiers import HTML, SIZES, SVM, folds, picture_predictions, predict
from tamis_lab.papers.goce.classifiers import picture_digest as digest
from tamis_lab.papers.goce.picture_training import PictureExample, PictureNet, with_genre
from tamis_lab.papers.goce.tables import GOCE, GOCE_HTML, measure, score
from tamis_lab.training.pages import LabelledPage

SENTENCE = "The storm came in the night and closed the harbour for two days."  # 13 words
STORY = "".join(f"<p>{SENTENCE} Part {number}.</p>" for number in range(6))
MENU = "<ul>" + "<li><a href=x>Home</a></li>" * 8 + "</ul>"
CARDS = f"<div class=card><b class=name>Boat</b><p class=about>{SENTENCE}</p></div>" * 9
# Ids that leave no room among the candidates for those that occur once.
PADDING = "".join(f"<i class=s{number}>word</i>" * 5 for number in range(20))


def corpus_page(name: str, page_type: str, html: str, gold: str | None) -> CorpusPage:
    return CorpusPage("wcxb", name, html.encode(), "dev", gold_text=gold, page_type=page_type)


STORY_PAGE = corpus_page(
    "story",
    "article",
    f"<div>{MENU}</div><main>{STORY}</main>",
    " ".join(f"{SENTENCE} Part {number}." for number in range(6)),
)
LIST_PAGE = corpus_page("boats", "listing", f"<div>{CARDS}</div><div>{CARDS}{PADDING}</div>", f"Boat {SENTENCE} " * 18)
OTHERS = [corpus_page("shop", "product", "<p>Boat</p>", "Boat"), corpus_page("unknown", "forum", "<p>Boat</p>", None)]


RIGHT = {"wcxb/story": Genre.ARTICLE, "wcxb/boats": Genre.LIST}
WRONG = {"wcxb/story": Genre.LIST, "wcxb/boats": Genre.ARTICLE}

# Pages on enough sites for five folds: two of each, types in turn.
SITES = 14
KINDS = list(PageType)


class TinyBase(nn.Module):
    """The part of EfficientNet that is asked for: one convolution."""

    def __init__(self) -> None:
        super().__init__()
        self._conv_head = nn.Conv2d(3, 4, 1)

    def extract_features(self, images: Tensor) -> Tensor:
        maps: Tensor = self._conv_head(images)
        return maps


@pytest.fixture(scope="module", autouse=True)
def small() -> Iterator[None]:
    """Hardly trained, without ImageNet."""
    threads, strict = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    with pytest.MonkeyPatch.context() as patch:
        torch.set_num_threads(1)
        patch.setattr(pictures, "pretrained", lambda size: PictureNet(TinyBase()))
        for module in (pictures, html_training):
            patch.setattr(module, "SCHEDULE", replace(module.SCHEDULE, epochs=3))
        yield
    torch.set_num_threads(threads)
    torch.use_deterministic_algorithms(strict)


def page_html(kind: PageType, number: int) -> str:
    body = STORY if kind in (PageType.ARTICLE, PageType.DOCUMENTATION) else CARDS
    return f"<body class={kind}><div>{MENU}</div><main>{body}<p>Number {number}.</p></main></body>"


def corpus_pages() -> list[CorpusPage]:
    return [
        CorpusPage(
            "wcxb",
            f"{number:04}",
            page_html(KINDS[number % 7], number).encode(),
            "dev",
            gold_text=f"{SENTENCE} Number {number}.",
            url=f"https://site{number // 2}.example/{number}",
            page_type=KINDS[number % 7],
        )
        for number in range(2 * SITES)
    ]


def example(name: str, *, is_article: bool, seed: int = 0) -> PictureExample:
    """Articles are light, lists are dark."""
    low, high = (128, 256) if is_article else (0, 128)
    pixels = np.random.default_rng(seed).integers(low, high, (16, 8, 3)).astype(np.uint8)
    return PictureExample(name, pixels, is_article)


EXAMPLES = [example(f"p{number}", is_article=number % 2 == 0, seed=number) for number in range(24)]
SITE_OF = {f"p{number}": f"site{number // 2}.example" for number in range(30)}


def drawn(pages: list[LabelledPage]) -> list[PictureExample]:
    """In place of a browser; the last page can't be drawn."""
    return [
        example(page.name, is_article=page.page_type in ("article", "documentation"), seed=number)
        for number, page in enumerate(with_genre(pages)[:-1])
    ]


class TestFolds:
    def test_every_page_is_tested_once_and_no_site_is_on_two_sides(self) -> None:
        found = folds(SITE_OF)
        assert sorted(name for fold in found for name in fold.test) == sorted(SITE_OF)
        for fold in found:
            sites = [{SITE_OF[name] for name in part} for part in fold]
            assert all(sites)
            assert sum(map(len, sites)) == len(set(SITE_OF.values()))
            assert len(set.union(*sites)) == len(set(SITE_OF.values()))

    def test_too_few_sites_are_refused(self) -> None:
        with pytest.raises(InputError, match="too few"):
            folds({"a": "one.example", "b": "one.example"})


class TestPictures:
    def test_every_picture_is_answered_the_same_each_time(self, tmp_path: Path) -> None:
        found = picture_predictions(EXAMPLES, SITE_OF, "lite0", device="cpu", folder=tmp_path / "one")
        assert set(found) == {each.name for each in EXAMPLES}
        assert all(0 <= value <= 1 for value in found.values())
        assert found == picture_predictions(EXAMPLES, SITE_OF, "lite0", device="cpu", folder=tmp_path / "two")
        light, dark = ([found[each.name] for each in EXAMPLES if each.is_article is kind] for kind in (True, False))
        assert np.mean(light) > np.mean(dark)

    def test_answers_are_kept_and_asked_for_again_when_inputs_differ(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        first = picture_predictions(EXAMPLES, SITE_OF, "lite0", device="cpu", folder=tmp_path)
        with monkeypatch.context() as patch:
            patch.setattr(pictures, "pretrained", lambda size: pytest.fail("trained again"))
            assert picture_predictions(EXAMPLES, SITE_OF, "lite0", device="cpu", folder=tmp_path) == first
        assert picture_predictions(EXAMPLES[1:], SITE_OF, "lite0", device="cpu", folder=tmp_path) != first
        assert classifiers.read("lite0", digest(EXAMPLES, SITE_OF, "lite0"), tmp_path) is None

    def test_a_damaged_file_is_no_answer(self, tmp_path: Path) -> None:
        (tmp_path / "lite0.json").write_text("[1, 2]")
        with pytest.raises(InputError, match="delete it"):
            classifiers.read("lite0", "", tmp_path)


class TestPredict:
    def test_without_a_gpu_pictures_are_left_out_and_not_drawn(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(classifiers, "_has_gpu", lambda: False)
        monkeypatch.setattr(classifiers, "picture_examples", lambda pages: pytest.fail("drawn for nothing"))
        predicted = predict([*corpus_pages(), CorpusPage("wcxb", "x", b"<p>x", "dev")], tmp_path)
        assert list(predicted.articles) == [SVM, HTML]
        assert "no GPU" in predicted.missing
        assert len(predicted.types) == len(predicted.by_html) == 2 * SITES
        assert set(predicted.genres) == set(predicted.articles[SVM]) == set(predicted.articles[HTML])
        assert len(predicted.genres) == 2 * SITES * 5 // 7
        for likely in predicted.by_html.values():
            assert sum(likely.values()) == pytest.approx(1, abs=1e-5)
        with monkeypatch.context() as patch:
            for name in ("svm_predictions", "html_predictions"):
                patch.setattr(classifiers, name, lambda pages: pytest.fail("asked again"))
            again = predict(corpus_pages(), tmp_path)
        assert again.articles == predicted.articles

    def test_answers_from_another_machine_need_no_gpu(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(classifiers, "picture_examples", drawn)
        monkeypatch.setattr(classifiers, "_has_gpu", lambda: True)
        predicted = predict(corpus_pages(), tmp_path)
        assert list(predicted.articles) == [SVM, HTML, *SIZES]
        assert set(predicted.genres) - set(predicted.articles["lite0"]) == {"wcxb/0027"}
        monkeypatch.setattr(classifiers, "_has_gpu", lambda: False)
        assert predict(corpus_pages(), tmp_path).articles == predicted.articles
        monkeypatch.setattr(pictures, "SCHEDULE", replace(pictures.SCHEDULE, epochs=4))
        stale = predict(corpus_pages(), tmp_path)
        assert list(stale.articles) == [SVM, HTML]
        assert "no predictions of lite0 and lite2" in stale.missing


TRUTH = {"a": Genre.ARTICLE, "b": Genre.ARTICLE, "c": Genre.ARTICLE, "d": Genre.LIST, "e": Genre.LIST}
FOUND = {"a": 0.9, "b": 0.5, "c": 0.1, "d": 0.2, "e": 0.4}


class TestTable1:
    def test_confusion_by_hand(self) -> None:
        counts = tables.confusion(TRUTH, FOUND)
        assert counts.counts.tolist() == [[2, 1], [0, 2]]
        assert counts.accuracy == pytest.approx(4 / 5)
        assert counts.balanced == pytest.approx((2 / 3 + 1) / 2)
        assert counts.scores("list") == pytest.approx((2 / 3, 1, 4 / 5))
        assert "<b>2</b>" in counts.html("x < y")
        assert "x &lt; y" in counts.html("x < y")

    def test_figures_stand_beside_the_paper_s(self) -> None:
        section = tables.section(TRUTH, {SVM: FOUND, HTML: FOUND, "lite0": {"a": 1.0, "d": 0.0}})
        figures = {figure.name: figure for figure in section.figures}
        assert figures["SVM on eleven features of HTML: accuracy"].ours == pytest.approx(80)
        assert figures["SVM on eleven features of HTML: accuracy"].paper == 87.8
        assert figures["SVM on eleven features of HTML: accuracy"].met is None
        assert figures["network on the HTML (page types): accuracy"].met is False
        assert figures["network on pictures (EfficientNet-Lite0): accuracy"].met is True
        assert figures["network on pictures (EfficientNet-Lite0): F1"].paper == 95.2
        assert section.chart.count("<table>") == 3
        assert section.facts == {"articles": 3, "lists": 2, "share": 60.0}

    def test_seven_types(self) -> None:
        truth = {"a": PageType.FORUM, "b": PageType.PRODUCT}
        likely = {name: {kind: 0.4 if kind is PageType.FORUM else 0.1 for kind in PageType} for name in truth}
        section = tables.types_section(truth, likely)
        assert section.figures[0].ours == pytest.approx(50)
        assert section.figures[0].met is False


def test_the_surest_mistakes_are_shown_with_their_pictures() -> None:
    examples = [example(f"a{number}", is_article=True, seed=number) for number in range(9)]
    examples += [example("right", is_article=False), example("wrong", is_article=False)]
    found = {f"a{number}": number / 20 for number in range(9)} | {"right": 0.4, "wrong": 0.75}
    types = {each.name: PageType.ARTICLE if each.is_article else PageType.FORUM for each in examples}
    chart = classifiers.section("lite0", examples, found, types).chart
    assert chart.count("data:image/webp;base64,") == classifiers.SHOWN + 1
    assert "a0, article, 0.000" in chart
    assert "a6, article" not in chart  # not among the six surest
    assert "wrong, forum, 0.750" in chart
    assert "right, " not in chart
    assert "Articles taken for lists: 9" in chart


def test_the_page_has_all_sections(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(classifiers, "picture_examples", drawn)
    monkeypatch.setattr(classifiers, "_has_gpu", lambda: True)
    page = tables.compose(corpus_pages(), predict(corpus_pages(), tmp_path))
    figures = {figure.name: figure for figure in page.figures}
    assert figures["seven types: accuracy"].asked == 80
    assert figures["all pages, GOCE: F1 above the oracle's"].paper == pytest.approx(-0.23)
    assert "Typical errors" in page.html()
    assert {path.stem for path in tmp_path.iterdir()} == {"goce-html", "lite0", "lite2", "svm"}


def test_each_algorithm_is_best_on_its_own_genre() -> None:
    section = measure([STORY_PAGE, LIST_PAGE, *OTHERS], {GOCE: RIGHT, GOCE_HTML: RIGHT})
    ours = {figure.name: figure.ours for figure in section.figures}
    assert ours["article pages, goce-article: F1"] == pytest.approx(100)
    assert ours["list pages, goce-list: F1"] == pytest.approx(100)
    assert ours["all pages, oracle: F1"] == ours["all pages, GOCE: F1"] == pytest.approx(100)
    assert ours["all pages, oracle: cosine"] == pytest.approx(100)
    assert ours["list pages, goce-article: recall"] < 100  # of two lists it takes the longer
    # The menu has 8 words more than the 90 of the story.
    assert ours["article pages, keep-all: precision"] == pytest.approx(100 * 90 / 98)
    assert ours["article pages, keep-all: recall"] == pytest.approx(100)
    assert "article pages, oracle: F1" not in ours  # it is goce-article there
    assert section.facts == {"articles": 1, "lists": 1}
    assert [figure.met for figure in section.figures if figure.name.endswith("oracle: F1")] == [True, True]


def test_goce_goes_by_the_genres_that_were_predicted() -> None:
    wrong = score([STORY_PAGE, LIST_PAGE], {GOCE: WRONG})
    assert wrong.scores["GOCE"][0].tolist() == wrong.scores["goce-list"][0].tolist()
    assert wrong.scores["GOCE"][1].tolist() == wrong.scores["goce-article"][1].tolist()
    assert wrong.averages("GOCE")["all pages"] < wrong.averages("oracle")["all pages"]
    with pytest.raises(KeyError):
        score([STORY_PAGE], {GOCE: {}})


def test_genres_weigh_the_same_or_by_their_pages() -> None:
    measured = score([STORY_PAGE, STORY_PAGE, STORY_PAGE, LIST_PAGE], {GOCE: RIGHT})
    averages = measured.averages("goce-article")
    precision = {pages: values[1] for pages, values in averages.items()}
    assert precision["both genres alike"] == pytest.approx((precision["article pages"] + precision["list pages"]) / 2)
    assert precision["all pages"] == pytest.approx((3 * precision["article pages"] + precision["list pages"]) / 4)


def test_the_figures_of_the_paper_fit_together() -> None:
    section = measure([STORY_PAGE, LIST_PAGE], {GOCE: RIGHT})
    paper = {figure.name: figure.paper for figure in section.figures if figure.paper is not None}
    rows = {name.removesuffix(": F1") for name in paper if name.endswith(": F1")}
    assert paper["all pages, GOCE: F1 above the oracle's"] == pytest.approx(-0.23)
    assert len(rows) == 5 + 5 + 6 + 6
    for row in rows:
        precision, recall = paper[f"{row}: precision"], paper[f"{row}: recall"]
        assert paper[f"{row}: F1"] == pytest.approx(2 * precision * recall / (precision + recall), abs=0.011)
    for kind in ("cosine", "precision", "recall"):
        both = paper[f"article pages, GOCE: {kind}"] + paper[f"list pages, GOCE: {kind}"]
        assert paper[f"both genres alike, GOCE: {kind}"] == pytest.approx(both / 2, abs=0.16)
