from __future__ import annotations

import os
import runpy
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyspark")

import tamis
from tamis.batch.duplicates import minhash
from tamis.batch.rows import BatchOptions
from tamis.errors import MissingExtra, OptionError
from tamis.integrations import spark as adapter
from tamis.integrations.spark import extract_pages, schema
from tests.batch.archives import CHEAP, page
from tests.batch.extractors import Obedient
from tests.project import PACKAGE, PROJECT

OPTIONS = BatchOptions(extractor=Obedient(), columns=CHEAP, timeout=1.0, memory=None)

pytestmark = pytest.mark.xdist_group("spark")


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    """Spark on one core of this machine."""
    if not (shutil.which("java") or Path(os.environ.get("JAVA_HOME", ""), "bin", "java").is_file()):
        pytest.skip("no Java here: Spark did not run")
    from pyspark.sql import SparkSession

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("PYTHONPATH", os.pathsep.join((str(PACKAGE), str(PACKAGE / "src"))))
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        settings = {
            "spark.ui.enabled": "false",
            "spark.driver.memory": "1g",
            "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",  # starts sooner
            "spark.sql.codegen.wholeStage": "false",
            "spark.sql.shuffle.partitions": "1",
        }
        builder = SparkSession.builder.master("local[1]").config(map=settings)
        session = builder.getOrCreate()
        yield session
        session.stop()


def collected(frame: Any) -> dict[str, dict[str, Any]]:
    return {row["id"]: row.asDict() for row in frame.collect()}


def test_a_failing_page_is_a_row_and_never_a_failed_job(session: Any) -> None:
    orders = {"0": "", "1": "kill", "2": "", "3": "hang", "4": "raise", "5": "", "6": "exit"}
    pages: list[tuple[str, bytes | None, int | None]]
    pages = [(name, page(int(name), f"ORDER:{order} " if order else ""), 200) for name, order in orders.items()]
    pages += [("null", None, 200), ("empty", b"<p></p>", None), ("404", page(7), 404)]
    frame = session.createDataFrame(pages, "id string, html binary, status int")
    found = collected(frame.mapInPandas(extract_pages(OPTIONS), schema(OPTIONS)))
    assert {name: row["error"] for name, row in found.items() if row["error"]} == {
        "1": "crash",
        "3": "timeout",
        "4": "parse-error",
        "6": "crash",
        "null": "unreadable",
        "empty": "empty",
        "404": "refused",
    }
    assert len(found) == len(pages)
    assert found["2"]["text"] == tamis.extract(page(2), extractor="keep-all").text
    assert (found["2"]["status"], found["empty"]["status"], found["2"]["reason"]) == (200, None, None)
    assert found["4"]["reason"] == "ValueError: as told"
    assert found["404"]["reason"] == "by status"
    assert found["1"]["text"] is None


def test_the_example_extracts_text_of_any_type(session: Any, tmp_path: Path) -> None:
    rows = [(number, page(number).decode(), f"https://example.org/{number}") for number in range(40)]
    frame = session.createDataFrame(rows, "id bigint, html string, url string")
    frame.write.parquet(str(tmp_path / "in.parquet"))
    example = runpy.run_path(str(PROJECT / "examples" / "spark_job.py"))
    example["main"](str(tmp_path / "in.parquet"), str(tmp_path / "out.parquet"))
    found = collected(session.read.parquet(str(tmp_path / "out.parquet")))
    assert sorted(found) == sorted(str(number) for number in range(40))
    alone = tamis.extract(page(7))
    assert (found["7"]["text"], found["7"]["title"]) == (alone.text, alone.title)
    assert (found["7"]["url"], found["7"]["version"]) == ("https://example.org/7", tamis.__version__)


def test_metadata_are_columns(session: Any) -> None:
    known = b'<meta name=author content="Ann Lee"><meta name=date content=2020-01-02></head>'
    pages = [("1", page(1).replace(b"</head>", known)), ("2", b"<title>Nobody wrote this</title>"), ("3", None)]
    frame = session.createDataFrame(pages, "id string, html binary")
    options = BatchOptions(columns="id,metadata,minhash,comments")
    found = collected(frame.mapInPandas(extract_pages(options), schema(options)))
    assert [found[name]["authors"] for name in "123"] == [["Ann Lee"], [], None]
    assert (found["1"]["date_published"], found["1"]["is_paywalled"]) == ("2020-01-02", None)
    assert found["1"]["minhash"] == minhash(tamis.extract(pages[0][1] or b"").text)
    assert [found[name]["comments"] for name in "123"] == ["[]", "[]", None]
    assert list(found["1"]) == [*options.columns, "error", "reason"]
    assert schema().startswith("`id` string, `url` string, ")


def frames(*pages: tuple[object, ...], columns: str = "id html") -> Iterator[Any]:
    import pandas

    return iter([pandas.DataFrame([page], columns=columns.split()) for page in pages])


def test_a_worker_keeps_its_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter, "_pool", None)
    function = extract_pages(OPTIONS)
    try:
        first = list(function(frames((1, page(1)), (2, "<p>Some text.</p>"))))
        assert [frame["id"][0] for frame in first] == ["1", "2"]
        assert first[1]["text"][0] == "Some text."
        pool = adapter._pool
        assert pool is not None
        (process,) = pool[1]._workers
        list(function(frames((3, page(3)))))
        assert adapter._pool is pool
        assert pool[1]._workers == [process], "the model is loaded once"
        list(extract_pages(replace(OPTIONS, columns="id,markdown"))(frames((4, page(4)))))
        assert adapter._pool is not pool
        assert pool[1]._workers == [], "no process is left behind"
        assert list(function(iter([]))) == []
    finally:
        assert adapter._pool is not None
        adapter._pool[1].close()


def test_what_is_wrong_with_every_page_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OptionError, match="no column is called 'html'; there are: id, page"):
        list(extract_pages(OPTIONS)(frames((1, ""), columns="id page")))
    local = type("Local", (), {"label": lambda self, document: None, "__module__": "__main__"})
    with pytest.raises(OptionError):
        extract_pages(replace(OPTIONS, extractor=local()))
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtra, match=r"^Spark needs an extra: pip install 'tamis\[spark\]'$"):
        list(extract_pages(OPTIONS)(iter([])))
