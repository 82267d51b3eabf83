from __future__ import annotations

from pathlib import Path

import pytest

from tamis_lab.corpora.catalogue import UnknownCorpus, info_of, is_folder, open_corpus
from tamis_lab.corpora.files import CorpusError


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def test_pages_with_their_text_beside_them(tmp_path: Path) -> None:
    write(tmp_path, a_html="<p>One", a_txt="One", b_htm="<p>Two", b_txt="Two")
    with open_corpus(str(tmp_path)) as corpus:
        pages = list(corpus.pages())
    assert [(page.id, page.html, page.gold_text, page.split) for page in pages] == [
        ("a", b"<p>One", "One", "all"),
        ("b", b"<p>Two", "Two", "all"),
    ]


def test_folders_below_are_read_too(tmp_path: Path) -> None:
    write(tmp_path, news__a_html="<p>One", news__a_txt="One", shop__a_html="<p>Two", shop__a_txt="Two")
    with open_corpus(str(tmp_path)) as corpus:
        assert [page.id for page in corpus.pages()] == ["news/a", "shop/a"]


def test_pages_without_a_text_are_passed_over(tmp_path: Path) -> None:
    write(tmp_path, a_html="<p>One", b_html="<p>Two", b_txt="Two", c_txt="nobody's")
    with open_corpus(str(tmp_path)) as corpus:
        assert [page.id for page in corpus.pages()] == ["b"]


def test_an_empty_text_says_that_nothing_is_content(tmp_path: Path) -> None:
    write(tmp_path, a_html="<nav>Menu", a_txt="")
    with open_corpus(str(tmp_path)) as corpus:
        assert [page.gold_text for page in corpus.pages()] == [""]


def test_a_folder_without_pairs_says_what_to_put_there(tmp_path: Path) -> None:
    write(tmp_path, a_html="<p>One")
    with pytest.raises(CorpusError, match=r"put NAME\.html and NAME\.txt into"):
        open_corpus(str(tmp_path)).pages()


def test_the_name_of_a_corpus_is_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "wcxb").mkdir()
    monkeypatch.chdir(tmp_path)
    assert not is_folder("wcxb")
    assert info_of("wcxb").title.startswith("WCXB")


def test_what_is_neither_is_an_error() -> None:
    with pytest.raises(UnknownCorpus, match="no corpus is called 'nowhere' and no folder is"):
        open_corpus("nowhere")
