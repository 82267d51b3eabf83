"""What `tamis bench --metadata` calls right, counts, and says about confidence."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from tamis.cli.main import main
from tamis.extractor.tamis import Tamis
from tamis.metadata.decide import FieldModel
from tamis_lab.bench import contestants, gate, runner
from tamis_lab.bench.matching import (
    FieldCounts,
    judge,
    names_of,
    same_authors,
    same_date,
    same_title,
    total,
)
from tamis_lab.bench.metadata import MetadataResult, MetadataScorer, calibrate, mcnemar, summarise, tables
from tamis_lab.bench.peers import FIELDS, FINDERS
from tamis_lab.bench.runner import Selection
from tamis_lab.corpora.reader import CorpusPage
from tamis_lab.report import write_metadata_report
from tamis_lab.training.metadata import write
from tamis_lab.training.pages import fold_of_page
from tests.lab.bench.fakes import FakeCorpus


@pytest.mark.parametrize(
    ("gold", "answer", "same"),
    [
        ("The tide turns", "The tide turns", True),
        ("The tide turns", " the  Tide\nturns. ", True),
        ("“The tide” – it’s turning", '"The tide" - it\'s turning', True),
        ("The tide\u00a0turns…", "The tide turns", True),
        ("Ｔｈｅ tide", "The tide", True),
        ("The tide turns", "The tide turns | The Harbour Times", False),
        ("The tide turns", "Tide turns", False),
        ("?", "!", False),
        ("The tide", "", False),
    ],
)
def test_titles(gold: str, answer: str, same: bool) -> None:
    assert same_title(answer, gold) is same


@pytest.mark.parametrize(
    ("gold", "answer", "same"),
    [
        ("2023-05-04", "2023-05-04", True),
        ("2023-05-04", "2023-05-04T23:30:00-07:00", True),
        ("2023-05-04", "20230504", True),
        ("2023-05-04", "2023-05-05", False),
        ("2023-05", "2023-05-31", True),
        ("2023-05", "2023-06-01", False),
        ("2023", "2023-06-01", True),
        ("2023-05-04", "2023-05", False),
        ("2023-05-04", "yesterday", False),
        ("NaT", "NaT", False),
    ],
)
def test_dates(gold: str, answer: str, same: bool) -> None:
    assert same_date(answer, gold) is same


LISTS = {
    "Ann Lee": ("Ann Lee",), "Ann Lee, Bob Ray": ("Ann Lee", "Bob Ray"),
    "Ann Lee and Bob Ray": ("Ann Lee", "Bob Ray"), "Ann Lee, Bob Ray, and Cy Day": ("Ann Lee", "Bob Ray", "Cy Day"),
    "Ann, Bob and Cy": ("Ann", "Bob", "Cy"), "Ann Lee & Bob Ray; Cy Day": ("Ann Lee", "Bob Ray", "Cy Day"),
    "Ann Lee ,  Bob Ray,": ("Ann Lee", "Bob Ray"), "Ann - Bob Ray": ("Ann", "Bob Ray"),
    "Anne-Marie Lee": ("Anne-Marie Lee",), "Anna Müller und Jörg Weiß": ("Anna Müller", "Jörg Weiß"),
    "Ann Lee, PhD; Bob Ray, M.D. FACS": ("Ann Lee", "Bob Ray"),
    "Ann Lee, MS, RD, XYZQ and Dr. Bob Ray": ("Ann Lee", "Bob Ray"), "Ann Lee CPP, PSP": ("Ann Lee",),
    "ANN LEE, BOB RAY": ("ANN LEE", "BOB RAY"), "Ann Lee, Home and Garden Expert": ("Ann Lee",),
    "Ann Lee, staff writer and Bob Ray": ("Ann Lee", "Bob Ray"), "Ann Lee, CNN": ("Ann Lee", "CNN"),
    "Ann Lee (The Harbour Times)": ("Ann Lee",), "Ann (Bell) Lee; (Bob Ray)": ("Ann Lee", "Bob Ray"),
    "Ann Lee, Ph. D.": ("Ann Lee",), "Ann Lee <ann@site.example>": ("Ann Lee",), "Ray, Bob T.": ("Bob T Ray",),
    "Ray, B. T.": ("B. T Ray",), "AFP, Ann Lee": ("AFP", "Ann Lee"), "Ray, Bob; Lee, Ann": ("Bob Ray", "Ann Lee"),
    "Bob Ray, Jr.": ("Bob Ray Jr",), "Md Hossain Ray": ("Md Hossain Ray",), "Ann Lee, Ann Lee": ("Ann Lee",),
    "@annlee": ("annlee",), " , ; ": (), "": (),
}  # fmt: skip


@pytest.mark.parametrize("text", LISTS)
def test_names_of_a_list(text: str) -> None:
    assert names_of(text) == LISTS[text]


@pytest.mark.parametrize(
    ("gold", "answer", "same"),
    [
        ("Ann Lee and Bob Ray", ("Bob Ray", "Ann Lee"), True),
        ("Ann Lee and Bob Ray", "Bob Ray; ann lee", True),
        ("J. K. Lee", "JK Lee", True),
        ("Dr. Ann Lee, PhD", ["Ann Lee"], True),
        ("Ann Lee, MS, RD", "Ann Lee; MS; RD", True),
        ("Ann, Bob", ("Bob", "Ann"), True),
        ("Ann O’Lee", "Ann O'Lee", True),
        ("Ann Lee", "Ann Lee; Bob Ray", False),
        ("Ann Lee and Bob Ray", "Ann Lee", False),
        ("Ann Lee", "Ann Lee, CNN", False),
        ("Ann Lee", (), False),
        ("", "", False),
    ],
)
def test_authors(gold: str, answer: str | tuple[str, ...], same: bool) -> None:
    assert same_authors(answer, gold) is same


def test_what_one_page_counts() -> None:
    assert judge("title", "The tide", "the tide") == FieldCounts(expected=1, answered=1, right=1)
    assert judge("title", "", "The tide") == FieldCounts(expected=1)
    assert judge("date", "2023-05-04", "") == FieldCounts(without=1, false=1)
    assert judge("date", "", " ") == FieldCounts(without=1)
    assert judge("date", "2023-05-04", "NaT") is None, "nobody knows"
    found = judge("authors", ["Ann Lee", "Cy Day"], "Ann Lee and Bob Ray")
    assert found == FieldCounts(expected=1, answered=1, names=2, names_given=2, names_right=1)


def test_rates() -> None:
    pages = [judge("date", answer, gold) or FieldCounts() for answer, gold in ANSWERS]
    counts = total(pages)
    assert (counts.expected, counts.answered, counts.right, counts.without, counts.false) == (4, 3, 2, 2, 1)
    assert (counts.accuracy, counts.precision, counts.f1, counts.false_rate) == (0.5, 2 / 3, 4 / 7, 0.5)
    assert FieldCounts().accuracy == FieldCounts().precision == FieldCounts().f1 == 0


ANSWERS = [
    ("2023-05-04", "2023-05-04"), ("2023-05-05", "2023-05-05"), ("2023-05-04", "2023-06-04"), ("", "2023-05-04"),
    ("2023-05-04", ""), ("", ""),
]  # fmt: skip


def test_true_confidences_have_no_error() -> None:
    found = calibrate([0.25] * 400 + [0.75] * 400, ([True] + [False] * 3) * 100 + ([True] * 3 + [False]) * 100)
    assert found is not None
    assert found.deciles == ((0.25, 0.25, 80),) * 5 + ((0.75, 0.75, 80),) * 5, "equal ones are spread evenly"
    assert found.expected_error == found.largest_error == 0
    assert 0 < found.chance < 0.1
    assert found.at_least[0.5] == (0.75, 0.75, 400)
    assert found.at_least[0.9].answers == 0


def test_wrong_confidences_have_errors_by_decile() -> None:
    sure = [number / 100 for number in range(100)]
    found = calibrate(sure, [False] * 100)
    assert found is not None
    assert [group.answers for group in found.deciles] == [10] * 10
    assert found.largest_error == pytest.approx(0.945)
    assert found.expected_error == pytest.approx(0.495)
    assert found.largest_error > found.chance
    assert calibrate([], []) is None
    few = calibrate([0.8, 0.2], [True, False])
    assert few is not None
    assert few.deciles == ((0.2, 0, 1), (0.8, 1, 1))


@pytest.mark.parametrize(("wins", "losses", "p"), [(0, 0, 1), (5, 5, 1), (5, 0, 0.0625), (0, 10, 2 / 1024)])
def test_mcnemar(wins: int, losses: int, p: float) -> None:
    assert mcnemar(wins, losses) == pytest.approx(p)


@pytest.mark.parametrize("name", ["tamis", "keep-all", *FINDERS])
def test_every_contestant_reads_a_plain_page(name: str) -> None:
    found = contestants.load_finder(name)(PAGE, URL)
    assert contestants.finder_version(name)
    for field in FINDERS[name].fields if name in FINDERS else FIELDS:
        counts = judge(field, getattr(found, field), GOLD[field])
        assert counts, field
        assert counts.right == 1, (field, found)
    assert set(found.confidences) == (set() if name in FINDERS else set(FIELDS))


def folder_of(place: Path, facts: Mapping[str, object], **fields: float) -> None:
    """Weights of a decision that answers if its threshold allows it."""
    models = {field: FieldModel({"a feature": 1.0}, threshold) for field, threshold in fields.items()}
    write(place, models, facts)


def test_weights_of_a_folder_decide(tmp_path: Path) -> None:
    own = Path(shutil.copytree(Tamis().weights, tmp_path / "own"))
    name = f"tamis={own}"
    assert contestants.load_finder(name)(PAGE, URL) == contestants.load_finder("tamis")(PAGE, URL)
    before = contestants.finder_version(name)
    folder_of(own / "metadata", {"trained_on": ["canola"]}, title=2.0, authors=2.0, date=2.0)
    assert contestants.finder_version(name) != before
    found = contestants.load_finder(name)(PAGE, URL)
    assert (found.title, found.authors, found.date) == ("", (), ""), "nothing is so sure"
    assert contestants.finder_has_seen(name, "canola", "all")
    assert contestants.finder_has_seen(name, "wcxb", "dev"), "the network has"
    assert not contestants.finder_has_seen(name, "chaos", "all")


def test_folds_have_not_seen_what_they_decide(tmp_path: Path) -> None:
    for fold in range(2):
        own = Path(shutil.copytree(Tamis().weights, tmp_path / f"fold-{fold}"))
        place = own / "metadata"
        threshold = 0.0 if fold == fold_of_page(PAGE, URL, 2) else 2.0
        folder_of(place, {"trained_on": ["wcxb:dev"]}, title=threshold, authors=threshold, date=threshold)
    name = f"tamis={tmp_path}"
    assert contestants.load_finder(name)(PAGE, URL).date == "2023-05-04"
    assert not contestants.finder_has_seen(name, "wcxb", "dev")
    shutil.rmtree(place)
    assert contestants.finder_has_seen(name, "wcxb", "dev"), "one fold is decided by the shipped weights"


URL = "https://harbour.example/2023/05/04/bridge"
GOLD = {"title": "The bridge opens again", "authors": "Ann Lee", "date": "2023-05-04"}
_TEXT = "Every spring the swing bridge over the river is closed for a week to be painted and oiled. " * 5
PAGE = f"""<!DOCTYPE html><html lang="en"><head><title>The bridge opens again</title>
<meta property="og:title" content="The bridge opens again"><meta name="author" content="Ann Lee">
<meta property="article:published_time" content="2023-05-04T08:00:00+00:00"></head>
<body><article><h1>The bridge opens again</h1><p>{_TEXT}</p><p>{_TEXT}</p></article></body></html>""".encode()


@pytest.fixture
def corpus(monkeypatch: pytest.MonkeyPatch) -> Selection:
    title, author, date = GOLD.values()
    pages = [
        CorpusPage("fake", "a", PAGE, "all", url=URL, title=title, author=author, date=date),
        CorpusPage("fake", "b", PAGE, "all", url=URL, title="Another", author="Bob Ray", date="NaT"),
        CorpusPage("fake", "c", PAGE, "all", url=URL, title="The bridge opens again"),
    ]
    fake = FakeCorpus(pages)
    monkeypatch.setattr("tamis_lab.corpora.catalogue.open_corpora", lambda names, data=None: [fake for _ in names])
    return Selection(fake.as_corpus())


def run(corpus: Selection, names: list[str], lines: Path, deadline: float = runner.DEADLINE) -> list[MetadataResult]:
    return runner.run(MetadataScorer(), [corpus], names, lines, workers=1, deadline=deadline)["fake"]


def test_a_run_and_its_summary(corpus: Selection, tmp_path: Path) -> None:
    names = ["keep-all", "htmldate"]
    lines = tmp_path / "metadata.jsonl"
    results = run(corpus, names, lines)
    assert len(lines.read_text().splitlines()) == len(results) == 6
    assert run(corpus, names, lines) == results
    assert len(lines.read_text().splitlines()) == 6, "nothing is asked twice"

    summary = summarise("fake", names, results)
    assert (summary.pages, summary.digest, summary.seen) == (3, "d1", ())
    title, authors, date = (summary.fields[field][0].counts for field in FIELDS)
    assert (title.expected, title.right, title.without) == (3, 2, 0)
    assert (authors.expected, authors.right, authors.without, authors.false) == (2, 1, 1, 1)
    assert (date.expected, date.right, date.without, date.false) == (1, 1, 1, 1), "a gold that is no date is left out"
    assert [row.contestant for row in summary.fields["title"]] == ["keep-all"]
    mine, other = summary.fields["date"]
    assert mine.lead is None
    assert other.lead is not None
    assert (other.lead.ahead, other.lead.p) == (0, 1)
    assert mine.calibration is not None
    assert mine.with_gold is not None
    assert [len(found.deciles) for found in (mine.calibration, mine.with_gold)] == [2, 1], "one answer each"
    assert json.loads(json.dumps(summary.as_json()))["fields"]["authors"]["keep-all"]["accuracy"] == 0.5
    assert [table.row_count for table in tables(summary)] == [4, 9, 6]


def test_a_fit_is_not_compared(corpus: Selection, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = ["tamis", "trafilatura", "htmldate"]
    results = [replace(result, corpus="wcxb", split="dev") for result in run(corpus, names, tmp_path / "lines.jsonl")]
    summary = summarise("wcxb:dev", names, results)
    assert summary.seen == ("tamis",)
    assert [row.lead is not None for row in summary.fields["date"]] == [False, False, True]
    assert summary.as_json()["first contestant"] == dict.fromkeys(FIELDS, "trafilatura")
    assert "trafilatura ahead by page, p" in [column.header for column in tables(summary)[0].columns]
    chosen = {"wcxb:dev": corpus._replace(limit=3, seed=7)}
    write_metadata_report(tmp_path / "metadata.html", [summary], chosen, {"newspaper4k": "it is <gone>"})
    html = (tmp_path / "metadata.html").read_text(encoding="utf-8")
    assert html.count("<th>trafilatura ahead<small>") == 3
    assert "3 pages, chosen by page type, seed 7;" in html
    assert "<dt>newspaper4k</dt><dd>it is &lt;gone&gt;</dd>" in html
    fits = summarise("wcxb:dev", names[:1], [result for result in results if result.contestant == "tamis"])
    assert "ahead by page, p" in [column.header for column in tables(fits)[0].columns]
    write_metadata_report(tmp_path / "metadata.html", [fits], chosen, {})
    assert "ahead" not in (tmp_path / "metadata.html").read_text(encoding="utf-8")


def test_the_command(corpus: Selection, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    floors = tmp_path / "floors.toml"
    text = gate.Floor("other", "abc", 3, "tamis", 0.7)
    gate.write(floors, gate.Floors([text]))
    words = [*"bench --metadata --corpus fake --extractor keep-all --workers 1 -o".split(), str(tmp_path)]
    judged = [*words, "--no-peers", "--gate", str(floors)]
    assert main([*judged, "--update-gate", "--report"]) == 0, "floors of texts are not asked for"
    assert "Confidence by decile of the answers" in capsys.readouterr().out
    assert "keep-all" in (tmp_path / "metadata.html").read_text()
    assert json.loads((tmp_path / "metadata.json").read_text())[0]["corpus"] == "fake"

    written = gate.read(floors).floors
    assert [floor.kind for floor in written] == ["text", "metadata"]
    assert written[0] == text
    assert written[1].accuracy == {"title": 0.6666, "authors": 0.5, "date": 1}
    assert written[1].false_answers == {"authors": 1, "date": 1}
    assert main(judged) == 0

    stricter = replace(written[1], accuracy={"title": 0.9}, false_answers={"date": 0.2})
    gate.write(floors, gate.Floors([stricter]))
    assert main(judged) == 1
    err = capsys.readouterr().err
    assert "fake: keep-all: accuracy of the title 0.6666 is below its floor 0.9000" in err
    assert "fake: keep-all: share of false answers for the date 1.0000 is above its ceiling 0.2000" in err
    assert main([*judged, "--update-gate"]) == 1, "an update lowers no floor and raises no ceiling"
    assert gate.read(floors).floors[0].accuracy == {"title": 0.9, "authors": 0.5, "date": 1}
    assert main([*judged, "--update-gate", "--lower-floors"]) == 0
