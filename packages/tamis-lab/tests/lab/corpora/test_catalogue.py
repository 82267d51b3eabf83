"""Finding and opening corpora, samples and sites of them, and the verb that lists them."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tamis.cli.exits import Exit
from tamis.document.addresses import registrable_domain
from tamis.errors import InputError, OptionError
from tamis_lab.cli import corpora as verb
from tamis_lab.corpora.catalogue import CorpusSource, corpora, data_folder, find_corpus, open_corpus, sample
from tamis_lab.corpora.files import CorpusError
from tamis_lab.corpora.reader import CorpusEntry, CorpusInfo, CorpusPage
from tamis_lab.corpora.sites import by_site, own_address, site_of
from tests.lab.corpora.samples import PAGE, SAMPLES, write_folder, write_zip


@pytest.mark.parametrize("name", corpora())
def test_a_missing_corpus_says_where_to_get_it(name: str, tmp_path: Path) -> None:
    with pytest.raises(CorpusError) as caught:
        open_corpus(name, tmp_path)
    assert isinstance(caught.value, InputError)
    for part in (str(tmp_path), corpora()[name].source, *corpora()[name].archives, *corpora()[name].folders):
        assert part in str(caught.value)


@pytest.mark.parametrize(("change", "error"), [({"may_train": "maybe"}, ValueError), ({"colour": "red"}, TypeError)])
def test_a_wrong_table_of_facts_is_refused(change: dict[str, str], error: type[Exception]) -> None:
    facts = {"title": "", "pages": 1, "licence": "", "source": "", "splits": ["all"], "may_train": "yes", "reader": ""}
    table = facts | {"archives": [], "folders": [], "landmarks": []}
    assert CorpusInfo.from_table("some", table).splits == ("all",)
    with pytest.raises(error):
        CorpusInfo.from_table("some", table | change)


def test_a_source_is_a_name_and_a_split() -> None:
    assert CorpusSource.parse("wcxb:dev") == ("wcxb", "dev")
    assert CorpusSource.parse("wcxb") == CorpusSource.parse("wcxb:") == ("wcxb", None)


def test_an_empty_corpus_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "chaos").mkdir()
    with open_corpus("chaos", tmp_path) as corpus, pytest.raises(CorpusError, match="has no page of chaos"):
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


# As in WCXB dev, the first pages are articles.
KINDS = ["article"] * 60 + ["forum"] * 30 + ["product"] * 10
ENTRIES = [CorpusEntry(f"{number:04}", "dev") for number in range(len(KINDS))]


def kind(entry: CorpusEntry) -> str:
    return KINDS[int(entry.id)]


@pytest.mark.parametrize("count", [10, 20, 50])
def test_each_page_type_has_its_share(count: int) -> None:
    found = Counter(map(kind, sample(ENTRIES, kind, count)))
    assert found == {"article": 0.6 * count, "forum": 0.3 * count, "product": 0.1 * count}


def test_the_same_seed_gives_the_same_pages_and_more_of_them() -> None:
    few, many = sample(ENTRIES, kind, 13), sample(ENTRIES, kind, 40)
    assert few == sample(list(reversed(ENTRIES)), kind, 13)[::-1]
    assert set(few) < set(many), "a run can be extended"
    assert few == sorted(few)
    assert set(few) != set(sample(ENTRIES, kind, 13, seed=2))


def test_all_pages_if_there_are_no_more() -> None:
    assert sample(ENTRIES, kind, 100) == sample(ENTRIES, kind, 1_000) == ENTRIES


def test_the_type_of_a_page_is_the_one_that_it_is_read_with(tmp_path: Path) -> None:
    write_zip(tmp_path, "wcxb")
    with open_corpus("wcxb", tmp_path) as corpus:
        entries = corpus.entries()
        read = [corpus.read(entry).page_type for entry in entries]
        assert [corpus._reader.page_type(entry) for entry in entries] == read
        assert any(read)
        assert [page.id for page in corpus.sample(None, len(entries))] == [entry.id for entry in entries]


def page(html: str = "", *, corpus: str = "dragnet", id: str = "1", url: str | None = None) -> CorpusPage:
    return CorpusPage(corpus, id, html.encode(), "all", gold_text="gold", url=url)


@pytest.mark.parametrize(
    ("given", "site"),
    [
        (page(corpus="daniel", id="20120106_www.small_town.example_02a"), "www.small_town.example"),
        (page(corpus="daniel", id="1"), ""),
        (page(url="https://news.example.co.uk/1"), "example.co.uk"),
        (page('<link rel="canonical" href="http://www.harbour.example/1">'), "harbour.example"),
        (page('<meta property="og:url" content="https://harbour.example/1">'), "harbour.example"),
        (
            page("<a href=http://a.example/>a</a><a href='http://b.example/1'>b</a><a href=http://www.b.example>"),
            "b.example",
        ),
        (page("<p>nothing</p>"), ""),
    ],
)
def test_a_site_is_told_by_id_address_or_links(given: CorpusPage, site: str) -> None:
    assert site_of(given) == site


def test_sites_with_enough_pages_are_kept() -> None:
    pages = [page(id=str(number), url=f"https://{site}.example/") for number, site in enumerate("aba", 1)]
    assert {site: [each.id for each in found] for site, found in by_site(pages, 2).items()} == {"a.example": ["1", "3"]}


@pytest.mark.parametrize(
    ("html", "address"),
    [
        ('<link rel="canonical" href="https://a.example/1?a=1&amp;b=2">', "https://a.example/1?a=1&b=2"),
        ("<link href='//a.example/1' rel='canonical'/>", "https://a.example/1"),
        ("<LINK REL=canonical HREF=http://a.example/1>", "http://a.example/1"),
        ('<meta content="https://a.example/2" property="og:url">', "https://a.example/2"),
        (
            '<meta property="og:url" content="https://a.example/2"><link rel=canonical href="https://a.example/1">',
            "https://a.example/1",
        ),
        ('<link rel="canonical" href="/1">', None),
        ('<link rel="next" href="https://a.example/canonical">', None),
        ("", None),
    ],
)
def test_the_address_that_a_page_names_as_its_own(html: str, address: str | None) -> None:
    assert own_address(html.encode()) == address
