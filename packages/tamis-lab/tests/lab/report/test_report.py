from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

import tamis_lab
from tamis.render.safe import digest
from tamis_lab import report
from tamis_lab.bench import runner, text
from tamis_lab.bench.runner import Selection
from tamis_lab.bench.text import TextScorer, TextSummary
from tamis_lab.corpora.reader import CorpusPage
from tamis_lab.report import write_report
from tests.lab.bench.fakes import FakeCorpus, Info

OWN = f"{__name__}:first_half"
HOSTILE = "<script>alert(1)</script> & \x00 \ud800 </details>"


def first_half(html: bytes, url: str | None) -> str:
    text = re.sub(r"<[^>]+>", " ", html.decode())
    return text[: len(text) // 2]


def corpus() -> FakeCorpus:
    pages = []
    for number in range(6):
        words = [f"The {number} ships of {place} left in {number + 3} winds." for place in ("Oslo", "Riga", "Bari")]
        body = "".join(f"<p>{sentence} They carried timber, tar and a great many herrings.</p>" for sentence in words)
        page = CorpusPage(
            corpus="fake",
            id=f"page-{number}<i>",
            html=f"<html><body><ul><li>Home</li></ul>{body}<p>{number} © all rights</p></body></html>".encode(),
            split="dev",
            gold_text=" ".join(words) + " They carried timber, tar and a great many herrings." * 3,
            url=["https://example.org/ships?a=1&b=2", "javascript:alert(1)"][number % 2],
            page_type=["article", HOSTILE][number % 2],
            language=["en", "no"][number % 2],
            year=2020 + number,
            wanted=("timber",),
            unwanted=("Home",),
        )
        pages.append(page)
    return FakeCorpus(pages, Info("fake", 'A "fake" <corpus>'))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[TextSummary, Selection, Path]:
    folder = tmp_path_factory.mktemp("report")
    selection = Selection(corpus().as_corpus())
    names = ["keep-all", "tamis", "trafilatura", OWN]
    results = runner.run(TextScorer(), [selection], names, folder / "results.jsonl", workers=2)["fake"]
    summary = text.summarise("fake", selection.corpus.info.title, results)
    write_report(
        folder / "sub" / "report.html", [summary], {"fake": selection}, {"goose3": "it has <flown>"}, workers=2
    )
    return summary, selection, folder / "sub" / "report.html"


@pytest.fixture(scope="module")
def html(made: tuple[TextSummary, Selection, Path]) -> str:
    return made[2].read_text(encoding="utf-8")


def test_everything_is_there(html: str) -> None:
    for words in ("Leaderboard", "By page type", "By language", "By year", "Quality against time", "How even is it?"):
        assert words in html
    assert html.count("<svg") == 3
    for name in ("keep-all", "tamis", "trafilatura", OWN):
        assert html.count(f">{name}<") >= 5
    assert re.search(r"Where \S+ and trafilatura differ most", html)
    assert "herrings" in html
    for kind in ("hit", "noise", "miss", "rest"):
        assert f'class="{kind}"' in html
    assert "<details>" in html
    assert "best" in html
    assert "<dt>goose3</dt><dd>it has &lt;flown&gt;</dd>" in html
    assert Path(tamis_lab.__file__).with_name("style.css").read_text() in html, "the look of all pages"


def test_nothing_is_fetched(html: str) -> None:
    assert "default-src 'none'" in html
    assert not re.search(r"""\bsrc\s*=|@import|url\((?!#)""", html)
    links = set(re.findall(r'<(?:a|link)\b[^>]*href="([^"]*)"', html))
    assert links <= {"data:,", "https://example.org/ships?a=1&amp;b=2"}


def test_what_pages_say_is_escaped(html: str) -> None:
    assert "<script>alert" not in html
    assert "&lt;script&gt;alert(1)" in html
    assert "page-0&lt;i&gt;" in html
    assert "javascript:" not in html
    assert "A &#34;fake&#34; &lt;corpus&gt;" in html
    assert 'aria-label="Mean F1 of each contestant on A &quot;fake&quot; &lt;corpus&gt;"' in html


def test_ids_are_unique(html: str) -> None:
    ids = re.findall(r'\bid="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'(?:url\(|href=")#([^")]+)', html)) <= set(ids)


def test_the_text_of_a_page_is_marked() -> None:
    pieces = list(report._pieces("Home. News!\n\nThe ship left 東京 at dawn."))
    assert "".join(piece for _, piece in pieces) == "Home. News!\nThe ship left 東京 at dawn"
    gold, strange = report._found(pieces, "the ship left 東京 at noon")
    assert [word for (word, _), there in zip(pieces, gold, strict=True) if there] == "the ship left 東 京 at".split()
    assert strange == 1
    kept, _ = report._found(pieces, "Home News The Ship left")
    runs = report._marked_texts(pieces, kept, gold)
    assert [(run.kind, run.text) for run in runs] == [
        ("noise", "Home. News!\n"),
        ("hit", "The ship left "),
        ("miss", "東京 at "),
        ("rest", "dawn"),
    ]


def test_a_word_found_by_chance_is_not_marked() -> None:
    pieces = list(report._pieces("ships " + "menu " * 20 + "the old harbour and its ships"))
    found, _ = report._found(pieces, "ships of the old harbour and its crew")
    assert not found[0]
    assert sum(found) == 5


def test_as_many_won_as_lost(made: tuple[TextSummary, Selection, Path]) -> None:
    row = made[0].rows[0]
    pages = [("dev", str(number)) for number in range(60)]
    first = replace(row, by_page=dict.fromkeys(pages, 0.5))
    second = replace(row, by_page={page: 0.5 + (number - 40) / 100 for number, page in enumerate(pages)})
    chosen = report._widest(first, second)
    assert len(chosen) == 20
    assert sum(int(page[1]) < 40 for page in chosen) == 10
    assert chosen[0] == ("dev", "0")


def test_one_contestant_has_nobody_to_differ_from(made: tuple[TextSummary, Selection, Path], tmp_path: Path) -> None:
    summary, selection, _ = made
    alone = replace(summary, rows=summary.rows[:1])
    write_report(tmp_path / "report.html", [alone, alone], {"fake": selection}, {})
    html = tmp_path.joinpath("report.html").read_text(encoding="utf-8")
    assert "differ most" not in html
    assert html.count('href="#corpus-') == 2, "several corpora have a list of contents"


def test_who_was_trained_on_these_pages_has_a_section_of_its_own(
    made: tuple[TextSummary, Selection, Path], tmp_path: Path
) -> None:
    summary, selection, _ = made
    first, *others = summary.rows
    apart = replace(summary, rows=others, seen=[first])
    only = replace(summary, rows=[], seen=summary.rows)
    write_report(tmp_path / "report.html", [apart, only], {"fake": selection}, {})
    html = tmp_path.joinpath("report.html").read_text(encoding="utf-8")
    title = "<h3>Trained on pages of this corpus: a fit, not a measurement</h3>"
    competing, section, *_ = html.split(title)
    assert html.count(title) == 2
    head = f'<th scope="row" data-value="{first.contestant}">'
    assert head not in competing
    assert head in section
    assert f"{first.contestant} (a fit)" in competing, "the charts show it, with words"
    both, alone = html.split('<section id="corpus-2">')
    for words in ("The last column is", "on the dashed line"):
        assert words in both
        assert words not in alone, "nobody is compared there"
    assert "†" not in html


def test_it_opens_in_a_browser(html: str, tmp_path: Path) -> None:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("chromium is not installed")
    # The first column is sorted by a click, downwards; the board was written best first.
    click = 'document.querySelector("th button").click()'
    allowed = html.replace("script-src ", f"script-src {digest(click)} ")
    written = allowed.replace("</body>", f"<script>{click}</script></body>")
    tmp_path.joinpath("report.html").write_text(written, encoding="utf-8")
    options = f"--headless --no-sandbox --disable-gpu --enable-logging=stderr --user-data-dir={tmp_path / 'profile'}"
    done = subprocess.run(
        [chromium, *options.split(), "--dump-dom", tmp_path.joinpath("report.html").as_uri()],
        capture_output=True,
        text=True,
        timeout=50,
        check=True,
    )
    assert ":CONSOLE" not in done.stderr, [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    board = done.stdout[: done.stdout.index("By page type")]
    names = re.findall(r'<th scope="row" data-value="([^"]+)"', board)
    assert names == sorted(names, reverse=True, key=str.lower)
    assert 'aria-sort="descending"' in board
