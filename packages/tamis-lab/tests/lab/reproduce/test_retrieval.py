"""What cleaning does for search, on pages written for this test and with the real engine."""

from __future__ import annotations

import gzip
import json
import math
import sys
from pathlib import Path

import numpy as np
import pytest

from tamis import registry
from tamis.cli.main import main
from tamis.errors import MissingExtra, OptionError
from tamis_lab.corpora.reader import CorpusPage
from tamis_lab.reproduce import reproduce
from tamis_lab.reproduce.retrieval import experiment, systems
from tamis_lab.reproduce.retrieval.experiment import (
    MANY,
    MODELS,
    Likelihood,
    Query,
    SearchTask,
    analyser,
    average_precision,
    build,
    hit,
    ndcg,
    precision,
    randomisation,
    reciprocal_rank,
    search,
)

STORIES = {
    "reef": "The reef off the coast has lost half of its corals, and divers count the fish that are left on the reef.",
    "typhoon": "The typhoon reached the harbour at night, tore roofs from houses and left the port without power.",
    "robot": "A robot that folds laundry needs ten minutes for a shirt, because cloth never falls the same way twice.",
    "burger": "The burger stand at the corner sells a hundred burgers a day, and the queue reaches round the block.",
    "baseball": "The baseball season opened with rain, and the pitcher threw nine innings in front of empty seats.",
}
TEASERS = "".join(f"<li><a href=/{word}>More about the {word}: {word} {word}</a></li>" for word in STORIES)


def page(story: str, teasers: str = "") -> str:
    text = "".join(f"<p>{story} Part {number} of the story goes on for a while.</p>" for number in range(3))
    return f"<body><ul>{teasers}</ul><article>{text}</article></body>"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Two pages for each query; the second has teasers of all others."""
    for name, content in (("html", None), ("gold", "")):
        folder = tmp_path / "chaos" / name
        folder.mkdir(parents=True)
        for word, story in STORIES.items():
            for number in (1, 2):
                text = page(story, TEASERS if number == 2 else "") if content is None else story
                (folder / f"{word} ({number}).{'htm' if content is None else 'txt'}").write_text(text)
    html, truth = tmp_path / "wcxb" / "dev" / "html", tmp_path / "wcxb" / "dev" / "ground-truth"
    html.mkdir(parents=True)
    truth.mkdir()
    for number, (word, story) in enumerate(STORIES.items()):
        markup = page(story, TEASERS).replace("<body>", f"<title>News of the {word}</title><body>")
        (html / f"{number}.html.gz").write_bytes(gzip.compress(markup.encode()))
        record = {"title": f"News of the {word}", "main_content": story}
        (truth / f"{number}.json").write_text(json.dumps({"ground_truth": record}))
    return tmp_path


def corpus_page(number: int, gold: str, title: str = "", page_id: str = "") -> CorpusPage:
    return CorpusPage("wcxb", page_id or str(number), b"", "dev", gold, title=title or None)


# Measures


def test_precision_at_ten_counts_places_that_are_not_filled() -> None:
    assert precision([3, 1, 9], {1, 9, 4}) == 0.2
    assert precision([3, 1, 9], {1, 9, 4}, depth=2) == 0.5
    assert precision([*range(20)], {*range(20)}) == 1


def test_average_precision_of_a_worked_example() -> None:
    # Relevant pages at ranks 1, 3 and 6, and one that is never found: (1/1 + 2/3 + 3/6 + 0) / 4.
    assert average_precision([5, 0, 6, 1, 2, 7], {5, 6, 7, 8}) == pytest.approx((1 + 2 / 3 + 3 / 6) / 4)
    assert average_precision([], {1}) == 0
    with pytest.raises(ValueError, match="relevant"):
        average_precision([1], set())


def test_ndcg_of_a_worked_example() -> None:
    # Gains at ranks 1 and 3; a perfect ranking has all three on top.
    perfect = 1 + 1 / math.log2(3) + 1 / math.log2(4)
    assert ndcg([5, 0, 6], {5, 6, 7}) == pytest.approx((1 + 1 / math.log2(4)) / perfect)
    assert ndcg([7, 6, 5, 1], {5, 6, 7}) == pytest.approx(1)
    assert ndcg([*range(30)], {*range(30)}) == pytest.approx(1)  # more relevant pages than places
    with pytest.raises(ValueError, match="relevant"):
        ndcg([1], set())


def test_known_items() -> None:
    assert reciprocal_rank([4, 2, 1], {1, 2}) == 0.5
    assert reciprocal_rank([4], {1}) == 0
    assert (hit([4, 2, 1], {1}), hit([4, 2, 1], {1}, depth=2)) == (1, 0)


def test_the_randomisation_test_is_that_of_all_signs() -> None:
    # Four differences of one sign: of 16 choices of signs, two are as extreme.
    better = [0.5, 0.6, 0.7, 0.8]
    assert randomisation(better, [0.1, 0.2, 0.3, 0.4]) == pytest.approx(2 / 16, abs=0.02)
    assert randomisation(better, better) == 1
    assert randomisation(better, better[::-1]) == 1  # up and down by the same
    clear = np.linspace(0.4, 0.6, 50)
    assert randomisation(clear, clear - 0.1) < 0.001
    assert randomisation(clear, clear - 0.1) == randomisation(clear, clear - 0.1)


# Queries


def test_topics_are_those_of_the_file_names() -> None:
    pages = [corpus_page(0, "x", page_id=name) for name in ("north,korea (1)", "north,korea (2)", "reef (1)")]
    assert experiment.topics(pages) == [Query("north korea", frozenset({0, 1})), Query("reef", frozenset({2}))]


def test_titles_that_are_the_same_share_their_answers() -> None:
    pages = [
        corpus_page(0, "x", "A  title"),
        corpus_page(1, "x"),
        corpus_page(2, "x", "A title"),
        corpus_page(3, "", "…"),
    ]
    assert experiment.titles(pages) == [Query("A title", frozenset({0, 2}))]


def test_distinctive_words_are_frequent_here_and_rare_elsewhere() -> None:
    pages = [
        corpus_page(0, "the reef the reef corals the corals fish 2024 of"),
        corpus_page(1, "the typhoon and the harbour roofs and the roofs"),
        corpus_page(2, "the"),
    ]
    assert experiment.distinctive_words(pages, 2) == [
        Query("corals reef", frozenset({0})),
        Query("and roofs", frozenset({1})),
    ]
    assert experiment.distinctive_words(pages, 2) == experiment.distinctive_words(list(pages), 2)


def test_subjects_have_several_pages() -> None:
    gold = ["reef reef corals", "reef fish", "reef sand", "typhoon night", "harbour night"]
    pages = [corpus_page(number, text) for number, text in enumerate(gold)]
    assert experiment.subjects(pages, top=2, least=3) == [Query("reef", frozenset({0, 1, 2}))]


# The engine and the models


def test_the_engine_finds_words_in_any_form() -> None:
    asked = analyser().analyze("Burgers!")
    index = build(["nothing", "one burger", "burger burger", ""])
    assert index.bm25(asked, 10) == [2, 1]
    assert index.bm25(asked, 1) == [2]
    assert index.bm25([], 10) == []


def test_query_likelihood_is_the_formula() -> None:
    pages = [["reef", "fish"], ["reef", "sand", "sand", "sand"], ["sand"], []]
    model = Likelihood.of(pages, ["reef", "fish", "absent"])
    # By hand for the query "reef fish", with mu = 2: reef has 2 of 7 words, fish 1 of 7.
    first = math.log((1 + 2 * 2 / 7) / (2 + 2)) + math.log((1 + 2 / 7) / (2 + 2))
    second = math.log((1 + 2 * 2 / 7) / (4 + 2)) + math.log((0 + 2 / 7) / (4 + 2))
    assert first > second
    assert model.ranked(["reef", "fish", "absent"], 10, mu=2.0) == [0, 1]
    assert model.ranked(["absent"], 10) == []


def test_a_page_whose_boilerplate_matches_ranks_lower_after_cleaning() -> None:
    teasers = "".join(f"<li><a href=/{number}>Reef: all news on the reef</a></li>" for number in range(9))
    markup = [page(STORIES["robot"], teasers), page(STORIES["reef"])]
    pages = [CorpusPage("made-up", str(number), html.encode(), "all") for number, html in enumerate(markup)]
    readers = {name: systems.systems()[name] for name in (systems.RAW, "tamis")}
    kept, cleaned = systems.clean(pages, readers)
    assert [each.html for each in kept] == [b"", b""]
    task = SearchTask("topics", [Query("reef", frozenset([1]))], MANY)
    raw, clean = (search(cleaned[name].texts, [task]) for name in readers)
    for model in MODELS:
        assert raw.mean("topics", model, "MAP") == 0.5
        assert clean.mean("topics", model, "MAP") == 1
    assert clean.size < raw.size
    assert clean.words < raw.words


# The command


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Extractors that need no other package, and no peers."""
    monkeypatch.setattr(systems, "EXTRACTORS", ("bte", "boilerpipe-words"))
    monkeypatch.setattr(systems, "PEERS", ())


@pytest.mark.usefixtures("few")
def test_end_to_end(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "out.html"
    assert main(["reproduce", "retrieval", "--data", str(data), "--limit", "4", "-o", str(output)]) == 0
    out = capsys.readouterr().out
    assert "10 pages of chaos, 4 of the 5 pages of wcxb:dev; BM25" in out
    assert (
        "Chaos: the queries of the corpus, 5 queries, P@10: raw 0.200, keep-all and TITLE 0.200, gold text 0.200" in out
    )
    written = output.read_text()
    for part in ("WCXB: titles", "raw (keep-all)", "tamis†", "Figure 7", "Beside the papers", "What an index costs"):
        assert part in written
    assert written.count("<svg") == 1


def test_what_draws_pages_or_does_not_exist_is_refused(data: Path) -> None:
    for name in (name for name, entry in registry.extractors().items() if entry.draws):
        with pytest.raises(OptionError, match=f"{name} draws pages in a browser"):
            reproduce("retrieval", data, extractors=[name])
    with pytest.raises(OptionError, match="no contestant is called 'nothing'"):
        reproduce("retrieval", data, extractors=["nothing"])
    with pytest.raises(OptionError, match="alone"):
        reproduce("tamis", data, limit=3)


def test_without_the_engine_one_line_says_how_to_get_it(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "tantivy", None)
    with pytest.raises(MissingExtra, match=r"\(tantivy\) needs an extra: pip install 'tamis-lab\[bench\]'"):
        reproduce("retrieval", data)
    assert main(["reproduce", "retrieval", "--data", str(data)]) != 0
    (line,) = capsys.readouterr().err.splitlines()
    assert "pip install 'tamis-lab[bench]'" in line
