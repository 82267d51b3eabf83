from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("fastwarc")

from tamis.batch.columns import listed
from tamis.cli.main import main
from tests.batch.archives import CHEAP, page, response

pytestmark = pytest.mark.xdist_group("batch-workers")


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "a.warc"
    types = ["text/html", "application/json", "application/xhtml+xml"]
    path.write_bytes(
        b"".join(response(number, None, [f"Content-Type: {kind}"]) for number, kind in enumerate(types))
        + response(3, None, ["Content-Type: text/html"], status=404)
    )
    return path


def lines(out: Path) -> list[dict[str, object]]:
    return [json.loads(line) for path in out.glob("*.jsonl") for line in path.read_bytes().splitlines()]


def test_a_crawl_becomes_rows_and_a_report(archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    arguments = ["batch", str(archive), "-o", str(out), "-f", "jsonl", "-e", "keep-all", "--workers", "1"]
    assert main(arguments) == 0
    report = capsys.readouterr().out
    assert "4 pages in " in report
    assert "refused       1 by content type\nrefused       1 by status" in report
    assert [row["id"] for row in lines(out)] == ["<urn:uuid:00000000>", "<urn:uuid:00000002>"]
    assert lines(out)[0]["title"] == "Page 0"
    assert lines(out)[0]["page_type"]
    assert main([*arguments, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["run"]["pages"] == 0


def test_options_reach_the_rows(archive: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    columns = ["--columns", "default,markdown,chunks,-metadata,-page_type"]
    arguments = ["--status", "any", "--content-type", "any", "--recall", "--comments", "--title", *columns]
    more = ["--min-bytes", "10", "--max-bytes", "9000", "--language", "EN", "--memory", "0", "--shard-size", "1"]
    assert main(["batch", str(archive), "-o", str(out), "-f", "jsonl", "-e", "keep-all", *arguments, *more]) == 0
    found = lines(out)
    assert len(found) == 4
    assert found[0]["markdown"]
    chunks = found[0]["chunks"]
    assert isinstance(chunks, list)
    assert [chunk["markdown"] for chunk in chunks] == [found[0]["markdown"]]
    assert str(found[0]["text"]).startswith("Page 0\n\n")
    assert not {"title", "authors", "page_type"} & set(found[0])
    settings = json.loads((out / "_run.json").read_text())
    assert settings["memory"] is settings["status"] is settings["content_types"] is None
    assert (settings["languages"], settings["shard_bytes"], settings["favor_recall"]) == (["en"], 1 << 20, True)
    assert settings["include_comments"] is settings["include_title"] is True
    assert settings["columns"] == list(found[0])


def test_metadata_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    known = b'<meta name=author content="Ann Lee"></head>'
    (tmp_path / "a.html").write_bytes(page(1).replace(b"</head>", known))
    (tmp_path / "b.html").write_bytes(b"<title>A page without text</title>")
    command = ["batch", str(tmp_path / "*.html"), "-f", "jsonl", "--workers", "1", "-o", str(tmp_path / "out")]
    assert main([*command, "--columns", "url,metadata,error"]) == 0
    rows = lines(tmp_path / "out")
    assert (rows[0]["authors"], isinstance(rows[0]["confidences"], dict)) == (["Ann Lee"], True)
    assert "text" not in rows[0]
    assert [row["error"] for row in rows] == [None, None], "its title is what was asked for"
    capsys.readouterr()
    assert main(command) == 2
    assert "columns was ['url', 'title', 'authors', " in capsys.readouterr().err


def test_all_columns_can_be_listed_without_an_input(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["batch", "--columns", "list"])
    assert end.value.code == 0
    assert capsys.readouterr().out == f"{listed()}\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--columns", "author"], "no column is called 'author'; did you mean authors?"),
        (["--language", "xx"], "the language 'xx' is never detected"),
        (["--language", "en-GB"], "choose en\n"),
        (["--chunk-tokens", "100"], "are for the column chunks: --columns default,chunks"),
    ],
)
def test_what_makes_no_sense_is_said_before_anything_is_written(
    arguments: list[str], message: str, archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["batch", str(archive), "-o", str(tmp_path / "out"), *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_exit_codes(archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty.html").write_text("")
    common = ["-e", "keep-all", "--workers", "1", "--columns", CHEAP]
    assert main(["batch", str(tmp_path / "empty.html"), "-o", str(tmp_path / "1"), *common]) == 1
    assert main(["batch", str(archive), "-o", str(tmp_path / "1"), *common]) == 2
    assert main(["batch", str(tmp_path / "no.warc"), "-o", str(tmp_path / "2"), *common]) == 3
    assert main(["batch", str(archive), "-o", str(tmp_path / "3"), "-e", "no"]) == 2
    assert main(["batch", str(archive), "-o", str(tmp_path / "3"), "--status", "ok"]) == 2
    assert "a status is a number or any" in capsys.readouterr().err


def test_an_interrupted_run_says_how_to_go_on(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(plan: object) -> None:
        raise KeyboardInterrupt

    command = ["batch", str(archive), "-o", str(tmp_path / "out"), "-e", "keep-all", "--workers", "1"]
    with monkeypatch.context() as patch:
        patch.setattr("tamis.batch.progress.shown", interrupt)
        assert main(command) == 130
    assert capsys.readouterr().err == "tamis: interrupted; the same command goes on from here\n"
    assert main(command) == 0


def test_an_input_that_could_not_be_read_to_its_end_is_an_exit_code(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "b.html"
    other.write_bytes(page(1))
    from tamis.batch import progress

    shown = progress.shown

    def and_remove(plan: object) -> object:
        archive.unlink()
        return shown(plan)  # type: ignore[arg-type]

    monkeypatch.setattr(progress, "shown", and_remove)
    arguments = ["batch", str(archive), str(other), "-o", str(tmp_path / "out"), "-e", "keep-all", "--workers", "1"]
    assert main(arguments) == 3


@pytest.mark.parametrize(
    "arguments",
    [[], ["a.warc"], ["a.warc", "-o", "x", "--workers", "0"], ["a.warc", "-o", "x", "--max-bytes", "many"],
     ["a.warc", "-o", "x", "--min-bytes", "-1"], ["a.warc", "-o", "x", "--timeout", "0"]],
)  # fmt: skip
def test_wrong_use_is_one_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["batch", *arguments])
    assert end.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_the_old_name_of_the_timeout_works_and_warns(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    command = ["batch", str(archive), "-e", "keep-all", "--workers", "1", "--columns", CHEAP]
    assert main([*command, "-o", "one", "--deadline", "7"]) == 0
    assert "tamis: --deadline is called --timeout now\n" in capsys.readouterr().err
    (tmp_path / "tamis.toml").write_text("[batch]\ndeadline = 8\n")
    assert main([*command, "-o", "two", "--no-links"]) == 0
    assert f"{tmp_path}/tamis.toml: batch.deadline is called --timeout now\n" in capsys.readouterr().err
    settings = [json.loads((tmp_path / out / "_run.json").read_text()) for out in ("one", "two")]
    assert [(each["timeout"], each["include_links"]) for each in settings] == [(7, True), (8, False)]
