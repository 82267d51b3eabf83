"""Settings of a file: where it is found, what it may say, and what overrules it."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

import pytest

from tamis.cli.main import main
from tamis.cli.parser import build_parser
from tamis.cli.settings import configurable
from tests.cli.test_extract import FIRST, RICH_PAGE, SECOND, TEXT, Capture, written

WEIGHTS = "extractor: weights of your own can only be named on the command line"
MARKDOWN = f"# Bread at dawn\n\n{FIRST}\n\n{SECOND}\n"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TAMIS_CONFIG", raising=False)
    (tmp_path / "deep" / "er").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "deep")
    written(Path("page.html"))


def extracted(capsys: Capture, *arguments: str, page: str = "page.html") -> str:
    """What `tamis extract` prints."""
    assert main(["extract", page, *arguments]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def refused(capsys: Capture, *arguments: str) -> str:
    """The one line about a file that is wrong."""
    assert main([*arguments] or ["extract", "page.html"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    return captured.err


def test_a_key_at_the_top_applies_to_each_verb_and_one_in_a_table_to_its_verb(capsys: Capture) -> None:
    written(Path("tamis.toml"), 'extractor = "unlinked"\n[extract]\nformat = "markdown"\n[batch]\nformat = "jsonl"\n')
    assert extracted(capsys) == MARKDOWN
    assert 'extractor = "unlinked"' in shown(capsys, "explain")
    assert 'format = "jsonl"' in shown(capsys, "batch")


def test_the_table_of_a_verb_overrules_the_top(capsys: Capture) -> None:
    written(Path("tamis.toml"), 'extractor = "keep-all"\nformat = "html"\n[extract]\nextractor = "unlinked"\n')
    assert extracted(capsys).startswith("<h1>Bread at dawn</h1>")


@pytest.mark.parametrize(
    ("files", "begin"),
    [
        ({"../tamis.toml": 'format = "markdown"'}, "# Bread"),
        ({"../pyproject.toml": '[tool.tamis]\nformat = "markdown"'}, "# Bread"),
        ({"pyproject.toml": '[tool.tamis.extract]\nformat = "markdown"'}, "# Bread"),
        ({"tamis.toml": 'format = "html"', "pyproject.toml": '[tool.tamis]\nformat = "markdown"'}, "<h1>Bread"),
        ({"pyproject.toml": '[tool.tamis]\nformat = "html"', "../tamis.toml": 'format = "markdown"'}, "<h1>Bread"),
        ({"pyproject.toml": '[project]\nname = "tamis"', "../tamis.toml": 'format = "markdown"'}, "# Bread"),
        ({"er/tamis.toml": 'format = "markdown"'}, "Bread"),
        ({"pyproject.toml": '[tool . "tamis"]\nformat = "markdown"'}, "# Bread"),
        ({"pyproject.toml": '[tool]\ntamis = {extract = {format = "markdown"}}'}, "# Bread"),
        ({"pyproject.toml": "tamis = of another", "../tamis.toml": 'format = "markdown"'}, "# Bread"),
    ],
    ids=[
        *("above", "project above", "table of a verb", "tamis.toml first", "nearest", "other project", "below"),
        *("spaces and quotes", "inline table", "broken and without the table"),
    ],
)
def test_the_nearest_file_counts(files: dict[str, str], begin: str, capsys: Capture) -> None:
    for name, content in files.items():
        written(Path(name), content)
    assert extracted(capsys, "-e", "unlinked").startswith(begin)


def test_a_byte_order_mark_is_no_part_of_the_file(capsys: Capture) -> None:
    written(Path("tamis.toml"), b"\xef\xbb\xbfformat = 'markdown'")
    assert extracted(capsys, "-e", "unlinked") == MARKDOWN


def test_a_file_can_be_chosen_or_ignored(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    written(Path("tamis.toml"), 'extractor = "unlinked"\nformat = "html"')
    written(Path("other.toml"), 'extractor = "unlinked"\nformat = "markdown"')
    assert extracted(capsys, "--config", "other.toml") == MARKDOWN
    assert extracted(capsys, "--no-config", "-e", "unlinked") == f"{TEXT}\n"
    monkeypatch.setenv("TAMIS_CONFIG", "other.toml")
    assert extracted(capsys) == MARKDOWN
    assert extracted(capsys, "--config", "tamis.toml").startswith("<h1>")
    monkeypatch.setenv("TAMIS_CONFIG", "")
    assert extracted(capsys, "-e", "unlinked") == f"{TEXT}\n"


def test_the_command_line_wins(capsys: Capture) -> None:
    written(Path("tamis.toml"), 'extractor = "keep-all"\nformat = "markdown"\nprecision = true\nno-links = true\n')
    assert extracted(capsys, "-e", "unlinked", "-f", "text") == f"{TEXT}\n"
    assert extracted(capsys, "-e", "unlinked", "-o", "-", "--recall") == MARKDOWN
    assert main(["extract", "page.html", "-e", "unlinked", "-o", "out.txt"]) == 0
    assert Path("out.txt").read_text("utf-8") == f"{TEXT}\n", "the name of a file chooses the format"
    assert extracted(capsys, "--only", "metadata").startswith('{\n  "page"')


def test_a_setting_may_wait_for_its_format(capsys: Capture) -> None:
    written(Path("tamis.toml"), "blocks = true\nchunk-tokens = 100\nchunk-overlap = 8\nstructured-data = true\n")
    assert extracted(capsys, "-e", "unlinked") == f"{TEXT}\n"
    assert '"blocks"' in extracted(capsys, "-e", "unlinked", "-f", "json")
    assert '"structured_data"' in extracted(capsys, "--only", "metadata")


def test_a_table_overrules_what_the_top_excludes(capsys: Capture) -> None:
    written(Path("tamis.toml"), "recall = true\n[extract]\nprecision = true\n")
    assert "precision = true" in shown(capsys, "extract")
    assert "recall = false" in shown(capsys, "extract")
    assert "recall = true" in shown(capsys, "batch")
    written(Path("tamis.toml"), "[extract]\nprecision = false\nrecall = true\n")
    written(Path("short.html"), "<p>seven words are kept for recall alone</p>")
    kept = "seven words are kept for recall alone\n"
    assert extracted(capsys, "-e", "word-count", page="short.html") == kept
    assert extracted(capsys, "-e", "word-count", "--no-precision", page="short.html") == kept


def test_a_setting_of_another_verb_may_wait(capsys: Capture) -> None:
    written(Path("tamis.toml"), 'corpus = ["wcxb:dev"]\nworst = 3\nchunk-overlap = 300\n')
    assert main(["corpora"]) == 0
    assert "wcxb" in capsys.readouterr().out
    assert main(["corpora", "--worst", "2"]) == 2


def test_lists_of_the_command_line_replace_those_of_the_file(capsys: Capture) -> None:
    written(Path("tamis.toml"), 'corpus = ["no-such-corpus"]\nlimit = 1\n')
    assert main(["bench", "--no-peers"]) in (2, 3)
    assert "no-such-corpus" in capsys.readouterr().err
    assert main(["bench", "--no-peers", "--corpus", "other-corpus"]) in (2, 3)
    captured = capsys.readouterr().err
    assert "other-corpus" in captured
    assert "no-such-corpus" not in captured


@pytest.mark.parametrize("setting", ["no-links = true", "links = false"])
def test_a_flag_of_the_file_can_be_switched_off(setting: str, capsys: Capture) -> None:
    written(Path("rich.html"), RICH_PAGE)
    written(Path("tamis.toml"), f'extractor = "keep-all"\nformat = "markdown"\n{setting}')
    assert "(notes.html)" not in extracted(capsys, page="rich.html")
    assert "(notes.html)" in extracted(capsys, "--links", page="rich.html")
    assert "(notes.html)" in extracted(capsys, "--no-config", "-e", "keep-all", "-f", "markdown", page="rich.html")


def test_a_required_option_may_come_from_the_file(capsys: Capture) -> None:
    written(Path("tamis.toml"), '[train]\ncorpus = "no-such-corpus"')
    assert main(["train", "tamis"]) in (2, 3)
    assert "no-such-corpus" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('fromat = "html"', "fromat: unknown setting; did you mean format?"),
        ('[extract]\nfromat = "html"', "extract.fromat: unknown setting; did you mean format?"),
        ("[extrakt]", "extrakt: unknown setting; did you mean extract?"),
        ("zzz = 1", "zzz: unknown setting; tamis config lists all"),
        ("workers = 0", "workers: 0 is less than 1"),
        ("[extract]\ncomments = 1", "extract.comments: true or false is needed"),
        ("[extract]\ntimeout = true", "extract.timeout: a text or number is needed"),
        ("[extract]\ntimeout = [1]", "extract.timeout: a text or number is needed"),
        ("[extract]\ntimeout = -1", "extract.timeout: -1 is not above 0 seconds"),
        ("[extract]\nchunk-tokens = 3", "extract.chunk-tokens: 3 is less than 16"),
        ("[extract]\nchunk-tokens = 16.5", "extract.chunk-tokens: '16.5' is not a whole number"),
        ("extract = true", "extract: write a table, [extract]"),
        ("precision = true\nrecall = true", "precision and recall exclude each other"),
        ("links = true\nno-links = true", "no-links: links sets the same"),
        ('output = "out"', "output: this can only be given on the command line"),
        ('[extract]\nhighlight = "out"', "extract.highlight: this can only be given on the command line"),
        ("allow-private = true", "allow-private: this can only be given on the command line"),
        ('engine = "ray"', "engine: this can only be given on the command line"),
        ('peer = "os:getcwd"', "peer: this can only be given on the command line"),
        ('gate = "floors.toml"', "gate: this can only be given on the command line"),
        ("[render]\nscripts = true\n[extract]\nx = 1", "extract.x: unknown setting"),
        ('url = "https://a.example/"', "url: this can only be given on the command line"),
        ('only = "metadata"', "only: this can only be given on the command line"),
        ("[train]\nfresh = true\n[extract]\ny = 1", "extract.y: unknown setting"),
        ("fresh = true", "fresh: this can only be given on the command line"),
        ('start = "mine"', "start: this can only be given on the command line"),
        *((f'extractor = "{name}"', WEIGHTS) for name in ("./mine", "tamis=mine", "tamis=./mine", "build/mine")),
        ('extractor = "os:getcwd"', "extractor: no extractor is called 'os:getcwd'"),
        ('extractor = "tamsi"', "extractor: no extractor is called 'tamsi'"),
        ('format = "markdwon"', "format: invalid choice: 'markdwon'"),
        ("format = ", "this is not TOML: "),
        (f"timeout = {'1' * 5_000}", "this is not TOML: "),
        (f"timeout = 0x{'f' * 5_000}", "timeout: this number is too large"),
        ("x = " + "[" * 100_000, "this is not TOML: "),
        (b"\xff", "this is not TOML: "),
        ('[batch]\ncolumns = ["url"]\n[extract]\nx = 1', "extract.x: unknown setting"),
        ('columns = ["url", "text"]', "columns: a text or number, with commas between names, is needed"),
    ],
)
def test_a_file_that_is_wrong_is_one_line(content: str | bytes, said: str, capsys: Capture) -> None:
    written(Path("tamis.toml"), content)
    assert f"tamis: {Path('tamis.toml').absolute()}: {said}" in refused(capsys)


def test_each_option_was_judged_harmless_before_a_file_could_set_it() -> None:
    """A new option is added here, or to the fixed ones of `tamis.cli.settings`."""
    harmless = """
        alignment blocks by-site chunk-overlap chunk-tokens columns comments confidence content-type corpus data
        deadline device encoding epochs extractor folds format front-matter height images json keep language
        limit links links-as-references log max-bytes memory metadata min-bytes min-confidence output-format
        patience peers playground precision prune queue recall report seed shard-size status structure
        structured-data tables timeout title validation visible-only width with-metadata workers worst
    """.split()
    names = {name.removeprefix("no-") for parser in build_parser()[1].values() for name in configurable(parser)}
    assert sorted(names) == harmless


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ("missing.toml", "No such file"),
        ("er", "Is a directory"),
        ("pyproject.toml", "the table [tool.tamis] is missing"),
    ],
)
def test_a_chosen_file_must_be_one(chosen: str, said: str, capsys: Capture) -> None:
    written(Path("pyproject.toml"), "[project]")
    assert f"tamis: {chosen}: {said}" in refused(capsys, "extract", "page.html", "--config", chosen)


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every file")
def test_a_file_that_can_not_be_read_is_said(capsys: Capture) -> None:
    written(Path("tamis.toml"), "")
    Path("tamis.toml").chmod(0)
    assert "Permission denied" in refused(capsys)


def test_help_is_shown_whatever_the_file_says(capsys: Capture) -> None:
    written(Path("tamis.toml"), "nonsense")
    for arguments in (["--help"], ["extract", "--help"]):
        with pytest.raises(SystemExit) as end:
            main(arguments)
        assert end.value.code == 0
    assert "--no-config" in capsys.readouterr().out
    assert main(["extractors"]) == 0


def test_the_library_reads_no_settings() -> None:
    import tamis

    written(Path("tamis.toml"), "nonsense")
    assert tamis.extract(Path("page.html").read_bytes(), extractor="unlinked").text == TEXT


# `tamis config`


def shown(capsys: Capture, *arguments: str) -> str:
    assert main(["config", *arguments]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def test_config_shows_each_setting_and_where_it_comes_from(capsys: Capture) -> None:
    written(Path("tamis.toml"), 'format = "markdown"\nlinks = false\n[extract]\ntimeout = 5\n')
    told = shown(capsys)
    assert told.startswith(f"# {Path('tamis.toml').absolute()}\n")
    lines = [" ".join(line.split()) for line in told.splitlines()]
    extract = lines[lines.index("[extract]") : lines.index("[explain]")]
    assert 'format = "markdown" # the file: format' in extract
    assert "no-links = true # the file: links" in extract
    assert "timeout = 5.0 # the file: extract.timeout" in extract
    assert "comments = false # default" in extract
    assert "# encoding is not set # default" in extract
    assert not any("output" in line or "highlight" in line for line in extract)
    batch = lines[lines.index("[batch]") : lines.index("[corpora]")]
    assert 'format = "parquet" # default' in batch, "markdown is no format of batch"


def test_what_config_shows_is_a_file_of_settings(capsys: Capture) -> None:
    usual = shown(capsys)
    assert usual.startswith("# no file has settings\n")
    assert tomllib.loads(usual)["extract"]["chunk-tokens"] == 512
    written(Path("tamis.toml"), usual)
    again = shown(capsys)
    assert tomllib.loads(again) == tomllib.loads(usual)


def test_config_of_one_verb(capsys: Capture) -> None:
    assert [*tomllib.loads(shown(capsys, "explain"))] == ["explain"]


def test_config_finds_what_is_wrong_with_any_verb(capsys: Capture) -> None:
    written(Path("tamis.toml"), "[batch]\nworkers = 0")
    assert "batch.workers: 0 is less than 1" in refused(capsys, "config")
