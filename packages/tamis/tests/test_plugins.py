"""What other packages add, and what is said where one of them is missing or broken."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from importlib.metadata import EntryPoint, PackageNotFoundError
from pathlib import Path

import pytest

import tamis
from tamis import plugins, registry
from tamis.cli.main import main
from tamis.cli.verbs import verbs
from tamis.errors import PluginError

PAGE = "<p>Text"
ENTRIES = (registry.Entry("mine", "tamis.extractor.keep_all:keep_all", "every text", "of one's own", family="luck"),)
COMMANDS = {"greet": ("tests.test_plugins", "say hello")}


class Direct:
    """What pip writes about a package that was installed from a folder."""

    def __init__(self, url: str) -> None:
        self.url = url

    def read_text(self, name: str) -> str:
        assert name == "direct_url.json"
        return json.dumps({"url": self.url, "dir_info": {}})


def install(monkeypatch: pytest.MonkeyPatch, added: Mapping[str, str] = {}, *, place: str = "") -> None:
    """Until the test ends, these are all entry points, and tamis was installed from `place`, if that is given."""

    def found(name: str) -> Direct:
        if name != "tamis" or not place:
            raise PackageNotFoundError(name)
        return Direct(place)

    points = {group: {"mine": EntryPoint("mine", value, group)} for group, value in added.items()}
    monkeypatch.setattr(plugins, "named", lambda group: points.get(group, {}))
    monkeypatch.setattr(plugins, "distribution", found)
    _forget()


def _forget() -> None:
    for cached in (registry._entries, registry._shipped, verbs, plugins._checkout):
        cached.cache_clear()


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    yield
    _forget()


def test_extractors_of_another_package(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    install(monkeypatch, {plugins.EXTRACTORS: "tests.test_plugins:ENTRIES"})
    assert tamis.extract(PAGE, extractor="mine").text == "Text"
    assert main(["extractors"]) == 0
    assert "by luck\n  of one's own\n    mine" in capsys.readouterr().out


def test_verbs_of_another_package(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    install(monkeypatch, {plugins.COMMANDS: "tests.test_plugins:COMMANDS"})
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "say hello" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("place", "command"),
    [
        ("", "pip install tamis-papers"),
        ("https://example.org/tamis", "pip install tamis-papers"),
        ("file:///nowhere/tamis", "pip install tamis-papers"),
        ("file://{}/tamis", "pip install ./tamis-papers"),
    ],
)
def test_missing_papers_are_named_with_the_command_that_brings_them(
    place: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "tamis-papers").mkdir()
    (tmp_path / "tamis-papers" / "pyproject.toml").touch()
    monkeypatch.chdir(tmp_path)
    install(monkeypatch, place=place.format(tmp_path))
    assert main(["extractors"]) == 0
    assert capsys.readouterr().out.endswith(f"BoilerNet and others\n    {command}\n")
    with pytest.raises(tamis.UnknownExtractor, match=rf"BoilerNet and others are in tamis-papers: {command}$"):
        tamis.extract(PAGE, extractor="web2text")


def test_verbs_of_a_missing_laboratory(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    install(monkeypatch)
    for verb in plugins.LAB.commands:
        assert main([verb, "--corpus", "wcxb:dev"]) == 2
        assert capsys.readouterr().err == f"tamis: {verb} is a command of tamis-lab: pip install tamis-lab\n"


@pytest.mark.parametrize("value", ["no_such_module:ENTRIES", "tests.test_plugins:NOTHING"])
def test_a_broken_package_is_one_line(
    value: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install(monkeypatch, {plugins.EXTRACTORS: value, plugins.COMMANDS: value})
    with pytest.raises(PluginError, match=f"^{value} can't be used: "):
        tamis.extract(PAGE, extractor="mine")
    assert tamis.extract(PAGE).text == "Text", "the default needs no other package"
    assert main(["extractors"]) == main(["--help"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 2
