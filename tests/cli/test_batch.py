from __future__ import annotations

import json
from pathlib import Path

import pytest

from tamis.batch.rows import DEADLINE
from tamis.cli import batch
from tamis.cli.main import main
from tests.batch.archives import page, response

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
    arguments = [
        "--status",
        "any",
        "--content-type",
        "any",
        "--markdown",
        "--no-title",
        "--no-page-type",
        "--recall",
        "--chunks",
    ]
    more = ["--min-bytes", "10", "--max-bytes", "9000", "--language", "EN", "--memory", "0", "--shard-size", "1"]
    assert main(["batch", str(archive), "-o", str(out), "-f", "jsonl", "-e", "keep-all", *arguments, *more]) == 0
    found = lines(out)
    assert len(found) == 4
    assert found[0]["markdown"]
    chunks = found[0]["chunks"]
    assert isinstance(chunks, list)
    assert [chunk["markdown"] for chunk in chunks] == [found[0]["markdown"]]
    assert found[0]["title"] is found[0]["page_type"] is None
    settings = json.loads((out / "_run.json").read_text())
    assert settings["memory"] is settings["status"] is settings["content_types"] is None
    assert (settings["languages"], settings["shard_bytes"], settings["favor_recall"]) == (["en"], 1 << 20, True)


def test_metadata_with_text_and_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    known = b'<meta name=author content="Ann Lee"><meta name=date content=2020-01-02></head>'
    (tmp_path / "a.html").write_bytes(page(1).replace(b"</head>", known))
    (tmp_path / "b.html").write_bytes(b"<title>A page without text</title>")
    command = ["batch", str(tmp_path / "*.html"), "-f", "jsonl", "--workers", "1", "-o"]
    assert main([*command, str(tmp_path / "1"), "--metadata"]) == 0
    assert main([*command, str(tmp_path / "2"), "--only", "metadata"]) == 0
    both, alone = lines(tmp_path / "1"), lines(tmp_path / "2")
    for row in (both[0], alone[0]):
        assert (row["authors"], row["date_published"]) == (["Ann Lee"], "2020-01-02")
        assert isinstance(row["confidences"], dict)
    assert both[0]["text"]
    assert [row["text"] for row in alone] == [None, None]
    assert [row["error"] for row in both] == [None, "empty"]
    assert [row["error"] for row in alone] == [None, None], "its title is what was asked for"
    assert main([*command, str(tmp_path / "3"), "--only", "metadata", "--markdown"]) == 2
    assert "neither markdown nor chunks" in capsys.readouterr().err
    assert main([*command, str(tmp_path / "1")]) == 2
    assert "metadata was True, now it is False" in capsys.readouterr().err


def test_exit_codes(archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty.html").write_text("")
    common = ["-e", "keep-all", "--workers", "1", "--no-title", "--no-page-type"]
    assert main(["batch", str(tmp_path / "empty.html"), "-o", str(tmp_path / "1"), *common]) == 1
    assert main(["batch", str(archive), "-o", str(tmp_path / "1"), *common]) == 2
    assert main(["batch", str(tmp_path / "no.warc"), "-o", str(tmp_path / "2"), *common]) == 3
    assert main(["batch", str(archive), "-o", str(tmp_path / "3"), "-e", "no"]) == 2
    assert main(["batch", str(archive), "-o", str(tmp_path / "3"), "--status", "ok"]) == 2
    assert "a status is a number or any" in capsys.readouterr().err


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
     ["a.warc", "-o", "x", "--min-bytes", "-1"], ["a.warc", "-o", "x", "--deadline", "0"]],
)  # fmt: skip
def test_wrong_use_is_one_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["batch", *arguments])
    assert end.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_the_help_tells_the_defaults_of_the_batch() -> None:
    assert batch._DEADLINE == DEADLINE
