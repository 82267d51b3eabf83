"""`tamis batch --by-site`."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tamis.batch import sites
from tamis.batch.outputs import Output
from tamis.batch.rows import BatchOptions
from tamis.batch.run import run
from tamis.batch.sites import learned_sites
from tamis.cli.main import main
from tamis.errors import InputError, OptionError
from tests.site.pages import TEASERS, article, page


@pytest.fixture
def crawl(tmp_path: Path) -> str:
    """Three sites, their pages mixed, one page without an address, and one that is no page."""
    rows: list[dict[str, str]] = []
    for number in range(4):
        rows += [
            {"url": f"https://www.one.example/{number}", "html": page(number)},
            {
                "url": f"https://two.example/{number}",
                "html": page(number + 4, teasers=["Two pages of ours repeat this line."]),
            },
            {"url": f"https://alone{number}.example/", "html": page(number)},
        ]
    path = tmp_path / "crawl.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in [*rows, {"html": page(9)}, {"html": "%PDF-1.4"}]))
    return str(path)


def texts(folder: Path) -> dict[str | None, str]:
    rows = [json.loads(line) for path in folder.glob("*.jsonl") for line in path.read_text().splitlines()]
    return {row["url"]: row["text"] for row in rows}


def test_each_site_is_learned_by_itself(crawl: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sites, "_IN_MEMORY", 2)  # so that sites are written and read again
    out = tmp_path / "out"
    assert main(["batch", crawl, "-o", str(out), "--by-site", "-f", "jsonl", "--workers", "1"]) == 0
    found = texts(out)
    for number in range(4):
        of_site, alone = found[f"https://www.one.example/{number}"], found[f"https://alone{number}.example/"]
        assert all(paragraph in of_site and paragraph in alone for paragraph in article(number))
        assert TEASERS[0] not in of_site
        assert TEASERS[0] in alone, "its site has one page"
    assert TEASERS[0] in found[None]
    assert len(found) == 13
    names = [path.name for path in (out / "_sites" / "learned").iterdir()]
    assert len(names) == 6
    assert not any("example" in name for name in names), "no name of a page reaches the file system"


def test_it_is_resumed(crawl: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "out")
    command = ["batch", crawl, "-o", out, "--by-site", "-f", "jsonl", "--workers", "1", "--json"]
    assert main(command) == 0
    first = json.loads(capsys.readouterr().out)
    assert main(command) == 0
    second = json.loads(capsys.readouterr().out)
    assert second["total"] == first["total"]
    assert second["shards_done_before"] == second["shards"] == 1


def test_what_was_learned_in_part_is_learned_again(crawl: str, tmp_path: Path) -> None:
    output, options = Output(tmp_path / "out", "jsonl"), BatchOptions()
    started = tmp_path / "out" / "_sites" / "learned.tmp"
    started.mkdir(parents=True)
    (started / "left-over").write_text("of a run that was killed")
    found = learned_sites([crawl], output, options, workers=1)
    assert not started.exists()
    assert run([crawl], output, found, workers=1).total.rows == 13
    assert TEASERS[0] not in texts(tmp_path / "out")["https://www.one.example/1"]


def test_damaged_evidence_is_said(crawl: str, tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "a.jsonl").write_text('{"url": "https://a.example/", "site_evidence": "AAAA"}\n')
    with pytest.raises(InputError, match=r"a\.jsonl"):
        sites._learn_sites(pages, tmp_path / "learned")


def test_it_is_for_the_default_extractor_and_for_folders(crawl: str, tmp_path: Path) -> None:
    options = BatchOptions()
    with pytest.raises(OptionError, match="default extractor"):
        learned_sites([crawl], Output(tmp_path / "out"), replace(options, extractor="bte"))
    with pytest.raises(OptionError, match="folder of this machine"):
        learned_sites([crawl], Output("memory://out"), options)
    assert main(["batch", crawl, "-o", str(tmp_path / "out"), "--by-site", "--engine", "ray"]) == 2
