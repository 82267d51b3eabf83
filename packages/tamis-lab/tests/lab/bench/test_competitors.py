from __future__ import annotations

import os
import shutil
import sys
import warnings
from pathlib import Path

import pytest

import tamis
from tamis import registry
from tamis.document import Document
from tamis.errors import MissingExtra, OptionError, TamisError
from tamis.labels import Labels
from tamis_lab.bench import competitors
from tamis_lab.bench.metadata import contestants as metadata
from tamis_lab.bench.structure import contestants as structure
from tests.golden import golden_page
from tests.test_api import BLOG_PAGE

PAGE = golden_page("article-news").source
SENTENCE = "The Ferrow swing bridge opened to traffic at half past five"

MISSING = competitors.unavailable(competitors.PEERS)


def upper(html: bytes, url: str | None) -> str:
    return html.decode().upper()


@pytest.mark.parametrize("name", competitors.PEERS)
def test_every_peer_finds_the_article(name: str) -> None:
    if name in MISSING:
        pytest.skip(MISSING[name])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # theirs are not ours to fix
        contestant = competitors.load(name)
        text = contestant(PAGE, "https://example.org/bridge")
        again = contestant(PAGE, None)
    if isinstance(contestant, competitors._NodePeer):
        contestant.close()
    assert competitors.version(name)
    assert competitors.kind(name) == "peer"
    assert text
    assert again
    if name not in ("boilerpy3-article", "goose3"):  # these two lose it on this page
        assert SENTENCE in " ".join(text.split())


def test_extractors_of_tamis_are_contestants() -> None:
    assert SENTENCE in competitors.load("boilerpipe-density")(PAGE, None)
    assert competitors.kind("boilerpipe-density") == "extractor"
    assert "+" in competitors.version("boilerpipe-density"), "between releases the code is part of the version"


def test_your_own_contestant() -> None:
    name = f"{__name__}:upper"
    assert competitors.load(name)(b"<p>a", None) == "<P>A"
    assert competitors.kind(name) == "own"
    assert len(competitors.version(name)) == 8


@pytest.mark.parametrize("name", ["nobody", "no.such.module:f", f"{__name__}:nothing", "os:", ":f"])
def test_a_contestant_that_does_not_exist(name: str) -> None:
    with pytest.raises(OptionError, match=name):
        competitors.load(name)


@pytest.mark.parametrize("name", ["nobody", "no.such.module:f", f"{__name__}:nothing", "json:__name__", "sys:exit"])
def test_it_has_no_version_either(name: str) -> None:
    with pytest.raises(OptionError):
        competitors.version(name)


def test_a_missing_package_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "justext", None)
    with pytest.raises(MissingExtra, match=r"the peer justext .*tamis-lab\[bench\]"):
        competitors.load("justext")
    gone = competitors.PEERS["justext"]._replace(distribution="not-on-this-machine")
    monkeypatch.setitem(competitors.PEERS, "justext", gone)
    with pytest.raises(MissingExtra, match=r"tamis-lab\[bench\]"):
        competitors.version("justext")
    assert "justext" in competitors.unavailable(["justext"])
    monkeypatch.setitem(sys.modules, "newspaper", None)
    with pytest.raises(MissingExtra, match=r"the peer newspaper4k .*tamis-lab\[peers\]"):
        competitors.load("newspaper4k")


def test_a_package_that_a_peer_imports_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The peer itself is installed, so its distribution has a version."""
    monkeypatch.setitem(sys.modules, "justext", None)
    monkeypatch.setitem(sys.modules, "trafilatura", None)
    reason = "the peer {} needs an extra: pip install 'tamis-lab[bench]'"
    assert competitors.unavailable(["justext"]) == {"justext": reason.format("justext")}
    for other in (structure, metadata):
        assert other.unavailable()["trafilatura"] == reason.format("trafilatura")


def test_a_broken_package_is_left_out_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def load() -> competitors.Contestant:
        raise AttributeError("no such thing in it")

    monkeypatch.setitem(competitors.PEERS, "justext", competitors.PEERS["justext"]._replace(load=load))
    assert competitors.unavailable(["justext"]) == {"justext": "the peer justext can't be loaded: no such thing in it"}


class Needy:
    def label(self, document: Document) -> Labels:
        raise MissingExtra("needy", "neural")


needy = Needy()


def register(monkeypatch: pytest.MonkeyPatch, *, draws: bool = False) -> None:
    """Let there be an extractor `needy`."""
    entry = registry.Entry("needy", f"{__name__}:needy", "", "", draws=draws)
    known = {"keep-all": registry.entry_of("keep-all"), "needy": entry}
    monkeypatch.setattr(registry, "_entries", lambda: known)


def test_an_extractor_without_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)
    reason = "needy needs an extra: pip install 'tamis[neural]'"
    assert competitors.unavailable(["keep-all", "needy", "needy+title"]) == {"needy": reason, "needy+title": reason}
    with pytest.raises(MissingExtra, match=r"tamis\[neural\]"):
        competitors.version("needy")


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
    monkeypatch.setattr(competitors, "find_spec", specs.get)
    monkeypatch.setenv("TAMIS_CHROMIUM", "none")
    with pytest.raises(TamisError, match=needed):
        competitors.version("needy")


def test_readability_js_says_what_it_needs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(competitors.NODE_MODULES, raising=False)
    assert "TAMIS_NODE_MODULES" in competitors.unavailable(["readability-js"])["readability-js"]
    monkeypatch.setenv(competitors.NODE_MODULES, str(tmp_path))
    assert "readability" in competitors.unavailable(["readability-js"])["readability-js"]
    with pytest.raises(OptionError, match="npm packages"):
        competitors.load("readability-js")


@pytest.mark.skipif(not shutil.which("node"), reason="node is not installed")
def test_the_conversation_with_node(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Small packages stand in for the real ones, which need npm."""
    package(tmp_path / "linkedom", "exports.parseHTML = (html) => ({ document: html });")
    package(
        tmp_path / "@mozilla/readability",
        """exports.Readability = class {
          constructor(text) { this.text = text; }
          parse() {
            if (this.text.includes("CRASH")) throw new Error("as asked");
            if (this.text.includes("EXIT")) process.exit(3);
            return this.text.includes("NOTHING") ? null : { content: this.text };
          }
        };""",
    )
    monkeypatch.setenv(competitors.NODE_MODULES, os.path.relpath(tmp_path))
    assert competitors.version("readability-js") == "1.2.3+linkedom"
    read = competitors.load("readability-js")
    assert isinstance(read, competitors._NodePeer)
    try:
        assert read("<p>Grüße,</p><p>zwei Absätze</p>".encode(), None) == "Grüße,\n\nzwei Absätze"
        assert read(b"<p>NOTHING", None) == ""
        with pytest.raises(RuntimeError, match="as asked"):
            read(b"<p>CRASH", None)
        assert read(b"<p>after a crash", None) == "after a crash"
        with pytest.raises(RuntimeError, match="without an answer"):
            read(b"<p>EXIT", None)
        assert read(b"<p>after its end", None) == "after its end"
    finally:
        read.close()


def test_unfluff_says_what_it_needs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(competitors.NODE_MODULES, raising=False)
    assert "TAMIS_NODE_MODULES" in competitors.unavailable(["unfluff"])["unfluff"]
    monkeypatch.setenv(competitors.NODE_MODULES, str(tmp_path))
    with pytest.raises(OptionError, match="the npm package unfluff"):
        competitors.load("unfluff")


@pytest.mark.skipif(not shutil.which("node"), reason="node is not installed")
def test_the_text_of_unfluff_is_taken_as_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A small package stands in for the real one, which needs npm."""
    package(
        tmp_path / "unfluff",
        """module.exports = (html) => {
          if (html.includes("CRASH")) throw new Error("as asked");
          return { text: html.includes("NOTHING") ? null : html };
        };""",
    )
    monkeypatch.setenv(competitors.NODE_MODULES, str(tmp_path))
    assert competitors.version("unfluff") == "1.2.3"
    read = competitors.load("unfluff")
    assert isinstance(read, competitors._NodePeer)
    try:
        assert read("Grüße,\n\nzwei Absätze".encode(), None) == "Grüße,\n\nzwei Absätze"
        assert read(b"NOTHING", None) == ""
        with pytest.raises(RuntimeError, match="as asked"):
            read(b"CRASH", None)
    finally:
        read.close()


@pytest.mark.skipif(
    "unfluff" in competitors.unavailable(["unfluff"]),
    reason="the real unfluff is not in the folder named by $TAMIS_NODE_MODULES, or node is not installed",
)
def test_the_real_unfluff_finds_the_story() -> None:
    sentence = "The storm came in the night, and it closed the harbour for two days, so that the boats had to wait."
    story = "".join(f"<p>{sentence} This was part {number} of it.</p>" for number in range(8))
    menu = "<ul>" + "".join(f"<li><a href=/{number}>Section {number}</a></li>" for number in range(9)) + "</ul>"
    read = competitors.load("unfluff")
    assert isinstance(read, competitors._NodePeer)
    try:
        found = read(f"<html lang=en><body>{menu}<div>{story}</div>{menu}</body></html>".encode(), None)
    finally:
        read.close()
    assert found.count("This was part") == 8
    assert "Section" not in found


def package(folder: Path, source: str) -> None:
    folder.mkdir(parents=True)
    folder.joinpath("package.json").write_text('{"version": "1.2.3", "main": "index.js"}')
    folder.joinpath("index.js").write_text(source)


def test_comments_and_title_can_be_asked_for_with_the_name() -> None:
    wanted = tamis.extract(BLOG_PAGE, include_comments=True, include_title=True).text
    assert competitors.load("tamis+comments+title")(BLOG_PAGE.encode(), None) == wanted
    assert competitors.load("tamis+title")(BLOG_PAGE.encode(), None).startswith("Bread at dawn\n\n")
    assert competitors.kind("tamis+comments") == "extractor"
    assert competitors.has_seen("tamis+comments", "wcxb", "dev")
    assert competitors.version("tamis+comments") == competitors.version("tamis")
    with pytest.raises(OptionError, match="trafilatura"):
        competitors.load("trafilatura+comments")
