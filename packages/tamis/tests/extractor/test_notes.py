"""Notes stay when their marks stay, with a role of their own, and are linked."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import numpy as np
import pytest

import tamis
from tamis.extractor.runs import PageRuns
from tamis.labels import Labels, Role
from tamis.page_type import PageType
from tests.extractor.pages import DROPPED, decide

URL = "https://site.example/a"
_TOP = "<nav><a href=/>Home</a></nav><article><h1 id=top>Title</h1>"
_PARAGRAPHS = "<p id=p1>Prose of the first paragraph{first}.</p><p id=p2>Prose of the second{second} ends.</p>"
_PAGES = tomllib.loads(Path(__file__).with_name("notes.toml").read_text(encoding="utf-8"))
NOTE_PAGES = {
    name: f"{_TOP}{_PARAGRAPHS}</article>{{notes}}".format(**parts) for name, parts in _PAGES["notes"].items()
}
OTHER_PAGES = {
    name: f"{_TOP}{each['article']}</article>{each['behind']}".replace("Prose", "Prose that somebody has written")
    for name, each in _PAGES["others"].items()
}


class OnlyProse:
    """What the default extractor makes of a page if its network keeps nothing but prose."""

    def label(self, document: tamis.Document) -> Labels:
        runs = PageRuns(document.unfolded)
        content = [9.0 if "Prose" in runs.text(run) else -9.0 for run in range(len(runs))]
        others = [-9.0] * len(runs)
        types = [9.0 * (kind is PageType.ARTICLE) for kind in PageType]
        return runs.decide(np.array([content, others, others], np.float32).T, np.array(types, np.float32), 0.0)


def notes_of(page: tamis.Page) -> str:
    """The texts of the role `note`."""
    texts, roles = page.document.leaves.text, page.labels.roles or ()
    return " ".join(" ".join(text for text, role in zip(texts, roles, strict=True) if role is Role.NOTE).split())


@pytest.mark.parametrize("name", NOTE_PAGES)
def test_notes_stay_with_their_marks(name: str) -> None:
    page = tamis.extract(NOTE_PAGES[name], extractor=OnlyProse(), url=URL)
    notes = notes_of(page)
    assert "First note" in notes
    assert "Second note" in notes
    assert len(notes.split()) <= 14, "nothing else is a note"


@pytest.mark.parametrize("name", [name for name in NOTE_PAGES if name != "first-and-last-of-a-range"])
def test_notes_are_linked(name: str) -> None:
    markdown = tamis.extract(NOTE_PAGES[name], extractor=OnlyProse(), url=URL).markdown
    written = re.findall(r"^\[\^([^\]]+)\]: (First|Second) note", markdown, re.MULTILINE)
    assert [which for _, which in written] == ["First", "Second"]
    assert all(markdown.count(f"[^{mark}]") > 1 for mark, _ in written)


@pytest.mark.parametrize("name", OTHER_PAGES)
def test_other_links_keep_nothing(name: str) -> None:
    page = tamis.extract(OTHER_PAGES[name], extractor=OnlyProse(), url=URL)
    assert notes_of(page) == ""
    assert "Prose" in page.text


def test_words_of_a_sentence_stay_in_it() -> None:
    markdown = tamis.extract(NOTE_PAGES["ar5iv-by-year"], extractor=OnlyProse(), url=URL).markdown
    assert "Smith et al. (2004[^1])" in markdown
    assert "(Miller and Jones, 2010a[^2])" in markdown
    markdown = tamis.extract(NOTE_PAGES["pandoc-citations"], extractor=OnlyProse(), url=URL).markdown
    assert "(Smith 2004[^1])" in markdown
    assert "(Miller 2010[^2])" in markdown


def test_a_note_is_as_sure_as_the_text_with_its_mark() -> None:
    page = decide(NOTE_PAGES["pandoc"], lambda text: 3.0 if "first" in text else 1.0 if "Prose" in text else DROPPED)
    scores = dict(zip(page.runs.document.leaves.text, page.labels.scores.tolist(), strict=True))
    assert scores["First note"] == scores["Prose of the first paragraph"] > scores["Second note"]


def test_a_comment_that_is_a_note_stays() -> None:
    page = decide(NOTE_PAGES["goldmark"], 9, comment=lambda text: 9.0 if "note" in text else -9.0)
    assert page.of_role(Role.COMMENT) == []


def test_notes_of_one_page_are_not_those_of_another() -> None:
    """Two articles on one page use the same ids."""
    note = "<ol class=footnotes><li id=fn1>Note of {0}</ol>"
    one = "<article><p>{0} prose<sup><a href='#fn1'>1</a></sup></p>" + note + "</article>"
    page = decide(one.format("A") + one.format("B"), lambda text: 9.0 if text.startswith("A prose") else DROPPED)
    assert page.of_role(Role.NOTE) == ["Note of A"]
