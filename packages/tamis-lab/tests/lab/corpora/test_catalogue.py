"""Finding and opening corpora, and the verb that lists them."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

import pytest

from tamis.cli.exits import Exit
from tamis.document.domains import registrable_domain
from tamis.errors import InputError, OptionError
from tamis_lab.cli import corpora as verb
from tamis_lab.corpora.catalogue import Source, UnknownCorpus, corpora, data_folder, find_corpus, open_corpus
from tamis_lab.corpora.files import CorpusError
from tamis_lab.corpora.reader import CorpusInfo
from tests.lab.corpora.samples import PAGE, SAMPLES, write_folder, write_zip


def test_unknown_names_are_told_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(UnknownCorpus, match="wcxb, cleaneval"):
        open_corpus("nothing", tmp_path)


@pytest.mark.parametrize("name", corpora())
def test_a_missing_corpus_says_where_to_get_it(name: str, tmp_path: Path) -> None:
    with pytest.raises(CorpusError) as caught:
        open_corpus(name, tmp_path)
    assert isinstance(caught.value, InputError)
    for part in (str(tmp_path), corpora()[name].source, *corpora()[name].archives, *corpora()[name].folders):
        assert part in str(caught.value)


def test_the_facts_are_of_their_types() -> None:
    for name, info in corpora().items():
        assert info.name == name
        texts = (info.title, info.licence, info.source, info.reader, info.language or "", info.may_train)
        assert all(isinstance(text, str) for text in texts)
        for words in (info.splits, info.archives, info.folders, info.landmarks):
            assert isinstance(words, tuple)
            assert words
            assert all(isinstance(word, str) for word in words)
        assert isinstance(info.pages, int)
        assert info.year is None or 2000 < info.year < 2100
        assert info.training_splits <= set(info.splits)


@pytest.mark.parametrize(("change", "error"), [({"may_train": "maybe"}, ValueError), ({"colour": "red"}, TypeError)])
def test_a_wrong_table_of_facts_is_refused(change: dict[str, str], error: type[Exception]) -> None:
    facts = {"title": "", "pages": 1, "licence": "", "source": "", "splits": ["all"], "may_train": "yes", "reader": ""}
    table = facts | {"archives": [], "folders": [], "landmarks": []}
    assert CorpusInfo.from_table("some", table).splits == ("all",)
    with pytest.raises(error):
        CorpusInfo.from_table("some", table | change)


def test_a_source_is_a_name_and_a_split() -> None:
    assert Source.parse("wcxb:dev") == ("wcxb", "dev")
    assert Source.parse("wcxb") == Source.parse("wcxb:") == ("wcxb", None)


def test_an_empty_corpus_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "chaos").mkdir()
    with open_corpus("chaos", tmp_path) as corpus, pytest.raises(CorpusError, match="no page of chaos in it"):
        corpus.pages()


def test_a_split_that_does_not_exist_is_refused_at_once(tmp_path: Path) -> None:
    write_zip(tmp_path, "cleaneval")
    with open_corpus("cleaneval", tmp_path) as corpus, pytest.raises(OptionError, match="it has: dev, test"):
        corpus.pages("train")


def test_pages_are_read_when_asked_for(tmp_path: Path) -> None:
    """The second page is damaged, and the first is read all the same."""
    write_folder(tmp_path, "wcxb", SAMPLES["wcxb"] | {"wcxb/dev/ground-truth/0002.json": b"{"})
    with open_corpus("wcxb", tmp_path) as corpus:
        pages = corpus.pages()
        assert next(pages).html == PAGE
        with pytest.raises(CorpusError, match=r"0002\.json"):
            next(pages)


def test_an_unpacked_corpus_goes_before_its_zip(tmp_path: Path) -> None:
    archive = write_zip(tmp_path, "chaos")
    assert find_corpus("chaos", tmp_path) == archive
    folder = write_folder(tmp_path, "chaos")
    assert find_corpus("chaos", tmp_path) == folder


def test_the_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = tmp_path / "here"
    (here / "data").mkdir(parents=True)
    monkeypatch.chdir(here)
    monkeypatch.setenv("TAMIS_DATA", "elsewhere")
    assert data_folder("given") == Path("given")
    assert data_folder() == Path("elsewhere")
    monkeypatch.delenv("TAMIS_DATA")
    assert data_folder() == Path("data")


def test_the_catalogue_loads_no_reader() -> None:
    code = (
        "import sys, tamis_lab.corpora.catalogue; "
        "print(*[n for n in ('articles', 'annotated', 'genres') if f'tamis_lab.corpora.{n}' in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_the_verb_lists_every_corpus(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    archive = write_zip(tmp_path, "l3s-gn1")
    parser = argparse.ArgumentParser()
    verb.add_parser(parser.add_subparsers())
    options = parser.parse_args(["corpora", "--data", str(tmp_path)])
    assert options.run(options) is Exit.FINE
    lines = capsys.readouterr().out.splitlines()
    words = [line.split() for line in lines]
    assert ["l3s-gn1", "621", "2008", "all", "never", "yes", "research", "use", "only"] in words
    assert any(str(archive) in line for line in lines)
    assert any(corpora()["dragnet"].source in line for line in lines)
    assert {line[0] for line in words if line} >= set(corpora())


@pytest.mark.parametrize(
    ("url", "domain"),
    [
        ("https://news.bbc.co.uk/a?b", "bbc.co.uk"),
        ("http://www.example.com:80/", "example.com"),
        ("www.example.com", "example.com"),
        ("http://example.de/x", "example.de"),
        ("http://a.b.example.com.au./", "example.com.au"),
        ("http://co.uk/", "co.uk"),
        ("http://192.168.0.1/", "192.168.0.1"),
        ("http://[::1]/", "::1"),
        ("http://[broken/", ""),
        ("", ""),
    ],
)
def test_registrable_domains(url: str, domain: str) -> None:
    assert registrable_domain(url) == domain
