"""`tamis extract --site`."""

from __future__ import annotations

from pathlib import Path

import pytest

import tamis
from tamis.cli.main import main
from tests.site.pages import TEASERS, article, page

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    pages = tmp_path / "pages"
    pages.mkdir()
    for number in range(4):
        (pages / f"{number}.html").write_text(page(number))
    return pages


def test_a_folder_of_pages(folder: Path, capsys: Capture) -> None:
    assert main(["extract", str(folder / "0.html"), "--site", str(folder)]) == 0
    shown = capsys.readouterr().out
    assert all(paragraph in shown for paragraph in article(0))
    assert TEASERS[0] not in shown


def test_a_saved_site(folder: Path, tmp_path: Path, capsys: Capture) -> None:
    site = tamis.Site()
    for path in folder.iterdir():
        site.add(path)
    site.save(tmp_path / "site")
    assert main(["extract", str(folder / "0.html"), "--site", str(tmp_path / "site")]) == 0
    assert TEASERS[0] not in capsys.readouterr().out


def test_a_page_that_cannot_be_read_is_named_and_left_out(folder: Path, capsys: Capture) -> None:
    (folder / "9.html").write_bytes(b"%PDF-1.4")
    assert main(["extract", str(folder / "0.html"), "--site", str(folder)]) == 0
    found = capsys.readouterr()
    assert "9.html" in found.err
    assert TEASERS[0] not in found.out


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--site", "nowhere"], 3, "nowhere"),
        (["--site", "{folder}", "-e", "keep-all"], 2, "keep-all looks at one page alone"),
        (["--site", "{folder}/0.html"], 3, "not a site"),
    ],
)
def test_what_is_wrong_is_said(arguments: list[str], code: int, said: str, folder: Path, capsys: Capture) -> None:
    filled = [word.format(folder=folder) for word in arguments]
    assert main(["extract", str(folder / "0.html"), *filled]) == code
    assert said in capsys.readouterr().err
