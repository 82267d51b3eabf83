from __future__ import annotations

import json
import os
import shutil
import sys
import warnings
from pathlib import Path

import pytest

import tamis
from tamis import registry
from tamis.document import Document
from tamis.document.addresses import registrable_domain
from tamis.errors import MissingExtra, OptionError, TamisError
from tamis.extractor.tamis import Tamis
from tamis.labels import Labels
from tamis_lab.bench import contestants, peers
from tamis_lab.training.pages import fold_of
from tests.golden import golden_page
from tests.test_api import ARTICLE_PAGE, BLOG_PAGE, PARAGRAPHS

PAGE = golden_page("article-news").source
SENTENCE = "The Ferrow swing bridge opened to traffic at half past five"

MISSING = contestants.unavailable(peers.PEERS)


def upper(html: bytes, url: str | None) -> str:
    return html.decode().upper()


@pytest.mark.parametrize("name", peers.PEERS)
def test_every_peer_finds_the_article(name: str) -> None:
    if name in MISSING:
        pytest.skip(MISSING[name])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # theirs are not ours to fix
        contestant = contestants.load(name)
        text = contestant(PAGE, "https://example.org/bridge")
        again = contestant(PAGE, None)
    if isinstance(contestant, peers._NodePeer):
        contestant.close()
    assert contestants.version(name)
    assert contestants.kind(name) == "peer"
    assert text
    assert again
    if name not in ("boilerpy3-article", "goose3"):  # these two lose it on this page
        assert SENTENCE in " ".join(text.split())


def test_your_own_contestant() -> None:
    name = f"{__name__}:upper"
    assert contestants.load(name)(b"<p>a", None) == "<P>A"
    assert contestants.kind(name) == "own"
    assert len(contestants.version(name)) == 8


@pytest.mark.parametrize("name", ["nobody", "no.such.module:f", f"{__name__}:nothing", "os:", ":f", "nobody=somewhere"])
def test_a_contestant_that_does_not_exist(name: str) -> None:
    for read in (contestants.load, contestants.load_writer, contestants.load_finder, contestants.version):
        with pytest.raises(OptionError, match=name):
            read(name)


def test_a_missing_package_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "justext", None)
    with pytest.raises(MissingExtra, match=r"the peer justext .*tamis-lab\[bench\]"):
        contestants.load("justext")
    gone = peers.PEERS["justext"]._replace(distribution="not-on-this-machine")
    monkeypatch.setitem(peers.PEERS, "justext", gone)
    with pytest.raises(MissingExtra, match=r"tamis-lab\[bench\]"):
        contestants.version("justext")
    assert "justext" in contestants.unavailable(["justext"])
    monkeypatch.setitem(sys.modules, "newspaper", None)
    with pytest.raises(MissingExtra, match=r"the peer newspaper4k .*tamis-lab\[peers\]"):
        contestants.load("newspaper4k")


class Needy:
    def label(self, document: Document) -> Labels:
        raise MissingExtra("needy", "neural")


needy = Needy()


def register(monkeypatch: pytest.MonkeyPatch, *, draws: bool = False) -> None:
    """Let there be an extractor `needy`."""
    entry = registry.Entry("needy", f"{__name__}:needy", "", "", draws=draws)
    known = {"keep-all": registry.entry_of("keep-all"), "needy": entry}
    monkeypatch.setattr(registry, "_entries", lambda: known)


@pytest.mark.parametrize(
    ("packages", "needed"),
    [({"playwright": None}, r"pip install 'tamis-papers\[render\]'"), ({}, "apt install chromium")],
)
def test_one_that_draws_is_not_measured_without_a_browser(
    packages: dict[str, None], needed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without them `goce` fails."""
    register(monkeypatch, draws=True)
    specs = dict.fromkeys(("onnxruntime", "PIL", "playwright"), "there") | packages
    monkeypatch.setattr(contestants, "find_spec", specs.get)
    monkeypatch.setenv("TAMIS_CHROMIUM", "none")
    with pytest.raises(TamisError, match=needed):
        contestants.version("needy")


@pytest.mark.parametrize(
    ("name", "needed"),
    [("readability-js", "npm packages @mozilla/readability"), ("unfluff", "the npm package unfluff")],
)
def test_peers_on_node_say_what_they_need(
    name: str, needed: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv(peers.NODE_MODULES, raising=False)
    assert "TAMIS_NODE_MODULES" in contestants.unavailable([name])[name]
    monkeypatch.setenv(peers.NODE_MODULES, str(tmp_path))
    with pytest.raises(OptionError, match=needed):
        contestants.load(name)


# Small packages in place of the real ones, which need npm. What unfluff answers with is text, not HTML.
_ODD = """if (page.includes("CRASH")) throw new Error("as asked");
  if (page.includes("EXIT")) process.exit(3);"""
_PACKAGES = {
    "linkedom": "exports.parseHTML = (html) => ({ document: html });",
    "@mozilla/readability": f"""exports.Readability = class {{
      constructor(text) {{ this.text = text; }}
      parse() {{
        const page = this.text;
        {_ODD}
        return page.includes("NOTHING") ? null : {{ content: page }};
      }}
    }};""",
    "unfluff": f"""module.exports = (page) => {{
      {_ODD}
      return {{ text: page.includes("NOTHING") ? null : page }};
    }};""",
}


@pytest.mark.skipif(not shutil.which("node"), reason="node is not installed")
@pytest.mark.parametrize(
    ("name", "version", "page"),
    [
        ("readability-js", "1.2.3+linkedom", "<p>Grüße,</p><p>zwei Absätze</p>"),
        ("unfluff", "1.2.3", "Grüße,\n\nzwei Absätze"),
    ],
)
def test_the_conversation_with_node(
    name: str, version: str, page: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for folder, source in _PACKAGES.items():
        place = tmp_path / folder
        place.mkdir(parents=True)
        place.joinpath("package.json").write_text('{"version": "1.2.3", "main": "index.js"}')
        place.joinpath("index.js").write_text(source)
    monkeypatch.setenv(peers.NODE_MODULES, os.path.relpath(tmp_path))
    assert contestants.version(name) == version
    read = contestants.load(name)
    assert isinstance(read, peers._NodePeer)
    try:
        assert read(page.encode(), None) == "Grüße,\n\nzwei Absätze"
        assert read(b"NOTHING", None) == ""
        for word, said in (("CRASH", "as asked"), ("EXIT", "without an answer")):
            with pytest.raises(RuntimeError, match=said):
                read(word.encode(), None)
            assert read(b"after it", None) == "after it"
    finally:
        read.close()


def test_comments_and_title_can_be_asked_for_with_the_name() -> None:
    wanted = tamis.extract(BLOG_PAGE, include_comments=True, include_title=True).text
    assert contestants.load("tamis+comments+title")(BLOG_PAGE.encode(), None) == wanted
    assert contestants.load("tamis+title")(BLOG_PAGE.encode(), None).startswith("Bread at dawn\n\n")
    assert contestants.kind("tamis+comments") == "extractor"
    assert contestants.has_seen("tamis+comments", "wcxb", "dev")
    assert contestants.version("tamis+comments") == contestants.version("tamis")
    with pytest.raises(OptionError, match="trafilatura"):
        contestants.load("trafilatura+comments")


# Extractors with weights of one's own

_REST = "".join(f"<p>{text}</p>" for text in PARAGRAPHS[3:])
FOLDED = ARTICLE_PAGE.replace(_REST, f"<button aria-controls=rest>Read on</button><div id=rest hidden>{_REST}</div>")


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A copy of the shipped weights."""
    return Path(shutil.copytree(Tamis().weights, tmp_path / "own"))


def test_a_contestant_reads_a_page_as_everybody_does(own: Path) -> None:
    """Folded content and content in data alone too: what is measured is what people get."""
    assert PARAGRAPHS[-1] in tamis.extract(FOLDED).text
    assert PARAGRAPHS[-1] not in tamis.extract(FOLDED, extractor="keep-all").text, "it is folded away"
    for name in ("tamis", f"tamis={own}", str(own)):
        assert contestants.load(name)(FOLDED.encode(), None) == tamis.extract(FOLDED).text
        assert contestants.kind(name) == "extractor"


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
        assert contestants.has_seen(name, *corpus)
    assert not contestants.has_seen(name, "wcxb", "test")
    assert not contestants.has_seen(name, "dragnet", "all")


@pytest.mark.parametrize("named", ["my-site", "./my-site/", "my-site:all", "absolute"])
def test_a_folder_of_pages_has_many_names(named: str, own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(own.parent)
    pages = own.parent / "my-site"
    for folder in (pages, own.parent / "other"):
        folder.mkdir()
    says(own, str(pages) if named == "absolute" else named)
    for corpus in ("my-site", "other/../my-site", str(pages)):
        assert contestants.has_seen(f"tamis={own}", corpus, "all")
    assert not contestants.has_seen(f"tamis={own}", "other", "all")


def test_a_page_is_read_by_the_fold_that_has_not_seen_its_site(own: Path, tmp_path: Path) -> None:
    folder = tmp_path / "folds"
    for number in range(3):
        shutil.copytree(own, folder / f"fold-{number}")
    url = "https://news.example.org/a"
    fold = fold_of(registrable_domain(url), 3)
    (folder / f"fold-{fold}" / "model.safetensors").write_bytes(b"damaged")
    contestant = contestants.load(f"tamis={folder}")
    with pytest.raises(TamisError, match=f"fold-{fold}"):
        contestant(PAGE, url)
    other = next(site for site in "abcdefgh" if fold_of(f"{site}.example", 3) != fold)
    assert contestant(PAGE, f"https://{other}.example/")
    assert not contestants.has_seen(f"tamis={folder}", "wcxb", "dev"), "each page is new to the fold that reads it"
