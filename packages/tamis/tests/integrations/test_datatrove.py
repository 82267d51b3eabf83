from __future__ import annotations

import gzip
import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("datatrove")

import tamis
from tests.batch.archives import page
from tests.batch.extractors import Obedient
from tests.project import PROJECT

pytestmark = [
    pytest.mark.xdist_group("batch-workers"),
    # datatrove copies its process; Python 3.12 warns of that where there are threads.
    pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning"),
]


def extractor(**options: Any) -> Any:
    from tamis.integrations.datatrove import TamisExtractor

    return TamisExtractor(**options)


def documents(*pages: str) -> Any:
    from datatrove.data import Document

    return iter([Document(text=html, id=str(number)) for number, html in enumerate(pages)])


def html(number: int, order: str = "") -> str:
    return page(number, f"ORDER:{order} " if order else "").decode()


def counts(step: Any) -> dict[str, int]:
    return {name: int(stat.total) for name, stat in step.stats.stats.items()}


def test_a_failing_page_is_dropped_and_counted_by_its_kind() -> None:
    step = extractor(extractor=Obedient(), timeout=1.0)
    orders = ["", "kill", "", "hang", "raise", "", "exit", ""]
    pages = [html(number, order) for number, order in enumerate(orders)]
    found = list(step(documents(*pages, "<p></p>", html(9))))
    assert [document.id for document in found] == ["0", "2", "5", "7", "9"]
    assert found[0].text == tamis.extract(pages[0], extractor="keep-all").text
    counted = counts(step)
    assert {name: counted[name] for name in ("total", "extracted", "timeout", "clean_error", "dropped")} == {
        "total": 10,
        "extracted": 6,
        "timeout": 1,
        "clean_error": 1,
        "dropped": 1,
    }
    assert counted["broken_process"] == 2


def test_options_are_those_of_extract() -> None:
    source = "<h1>A title</h1><p>" + "The first paragraph of the content is long enough. " * 5
    step = extractor(extractor="keep-all", markdown=True)
    (found,) = step(documents(source))
    assert found.text == tamis.extract(source, extractor="keep-all").markdown
    assert found.text != tamis.extract(source, extractor="keep-all").text
    (found,) = pickle.loads(pickle.dumps(extractor(favor_recall=True)))(documents(source))
    assert found.text == tamis.extract(source, favor_recall=True).text


def test_metadata_go_to_the_document() -> None:
    source = html(1).replace(
        "</head>", '<meta name=author content="Ann Lee"><meta name=date content=2020-01-02></head>'
    )
    (pickled,) = (pickle.loads(pickle.dumps(extractor(metadata=True))),)
    (found,) = pickled(documents(source))
    assert type(found.text) is str
    assert found.text == tamis.extract(source).text
    assert (found.metadata["title"], found.metadata["authors"]) == ("Page 1", ["Ann Lee"])
    assert found.metadata["date_published"] == "2020-01-02"
    assert "date" not in found.metadata, "which readers of archives use for the day of the crawl"
    assert "license" not in found.metadata
    (plain,) = extractor()(documents(source))
    assert plain.metadata == {}


def test_what_is_wrong_with_every_page_ends_the_pipeline() -> None:
    with pytest.raises(tamis.OptionError, match="no extractor is called 'none'"):
        list(extractor(extractor="none")(documents(html(1))))


def test_the_example_runs_to_its_end(tmp_path: Path) -> None:
    (tmp_path / "crawl").mkdir()
    for part in range(2):
        lines = [{"id": f"{part}-{number}", "html": html(number), "url": "u"} for number in range(5)]
        (tmp_path / "crawl" / f"{part}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    command = [sys.executable, "examples/datatrove_pipeline.py", str(tmp_path / "crawl"), str(tmp_path / "out")]
    subprocess.run(command, cwd=PROJECT, check=True, capture_output=True)
    written = sorted((tmp_path / "out" / "pages").glob("*.jsonl.gz"))
    rows = [json.loads(line) for path in written for line in gzip.decompress(path.read_bytes()).splitlines()]
    assert {row["id"] for row in rows} == {f"{part}-{number}" for part in range(2) for number in range(5)}
    expected = tamis.extract(html(3), favor_precision=True).text
    assert next(row["text"] for row in rows if row["id"] == "1-3") == expected
