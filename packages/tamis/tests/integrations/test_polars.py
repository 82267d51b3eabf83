from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("polars")

import polars as pl

import tamis
from tamis.errors import OptionError, TamisError
from tamis.integrations import polars as adapter
from tests.batch.archives import page
from tests.batch.extractors import NeedsMore, Obedient
from tests.project import PROJECT

pytestmark = pytest.mark.xdist_group("batch-workers")

HTML: Any = pl.col("html")  # types do not know of the namespace


def html(number: int, order: str = "") -> str:
    return page(number, f"ORDER:{order} " if order else "").decode()


def test_each_page_has_its_struct_whatever_became_of_it() -> None:
    orders = {"good": "", "kill": "kill", "hang": "hang", "raise": "raise", "last": ""}
    pages = {name: html(number, order) for number, (name, order) in enumerate(orders.items())}
    pages |= {"address": "https://example.org/", "empty": "<p></p>"}
    frame = pl.DataFrame({"name": [*pages, "null"], "html": [*pages.values(), None]})
    found = frame.select("name", page=HTML.tamis.extract(extractor=Obedient(), timeout=1.0, memory=None))
    rows = dict(found.iter_rows())
    assert {name: row["error"] for name, row in rows.items() if row and row["error"]} == {
        "kill": "crash",
        "hang": "timeout",
        "raise": "parse-error",
        "address": "unreadable",
        "empty": "empty",
    }
    assert rows["null"] is None
    assert rows["raise"]["reason"] == "ValueError: as told"
    assert rows["kill"]["text"] is None
    assert rows["empty"]["text"] == ""
    alone = tamis.extract(pages["last"], extractor="keep-all")
    assert (rows["last"]["text"], rows["last"]["title"]) == (alone.text, alone.title)


@pytest.mark.parametrize("dtype", ["String", "Binary"])
def test_text_and_markdown_keep_the_name_of_the_column(dtype: str) -> None:
    source = html(1).replace("This", "<a href=/this>This</a>")
    frame = pl.DataFrame({"html": [source, None, ""], "url": ["https://harbour.example/a", "https://b.example/", None]})
    frame = frame.with_columns(pl.col("html").cast(getattr(pl, dtype)))
    alone = tamis.extract(source, url="https://harbour.example/a")
    assert frame.select(HTML.tamis.text()).to_dict(as_series=False) == {"html": [alone.text, None, ""]}
    for url in (pl.col("url"), "url"):
        found = frame.select(HTML.tamis.markdown(url=url))
        assert found.to_dict(as_series=False) == {"html": [alone.markdown, None, ""]}
    assert "(https://harbour.example/this)" in alone.markdown


def test_a_page_that_failed_is_null_and_not_empty() -> None:
    frame = pl.DataFrame({"html": ["<p></p>", html(1, "raise"), None]})
    for method in (HTML.tamis.text, HTML.tamis.markdown):
        assert frame.select(method(extractor=Obedient()))["html"].to_list() == ["", None, None]


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_a_lazy_query_knows_its_types(engine: Any) -> None:
    known = '<meta name=author content="Ann Lee"><meta name=date content=2020-01-02></head>'
    frame = pl.LazyFrame({"html": [html(1).replace("</head>", known), html(2), None]})
    query = frame.select(page=HTML.tamis.extract(metadata=True, chunk_tokens=20, markdown=True))
    schema = query.collect_schema()
    found = query.collect(engine=engine)
    assert found.schema == schema
    pages = found["page"].struct.unnest()
    assert pages["authors"].to_list() == [["Ann Lee"], [], None]
    assert pages["date_published"].to_list() == ["2020-01-02", None, None]
    assert pages["chunks"].list.len().to_list()[0] > 1
    filtered = frame.filter(HTML.tamis.text().str.contains("page number 2")).select(pl.len())
    assert filtered.collect(engine=engine).item() == 1


def test_parts_of_a_column_are_extracted_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """The streaming engine asks for them in several threads; each at once would have a process a core."""
    running, most = [0], [0]

    def counted(pages: Any, **options: Any) -> Iterator[Any]:
        def results() -> Iterator[Any]:
            running[0] += 1
            most.append(running[0])
            yield from tamis.extract_many(pages, **options)
            running[0] -= 1

        return results()

    monkeypatch.setattr(adapter, "extract_many", counted)
    pages = [html(number) for number in range(20)]
    with pl.Config() as config:
        config.set_streaming_chunk_size(5)
        query = pl.LazyFrame({"html": pages}).select(HTML.tamis.text(extractor="keep-all"))
        found = query.collect(engine="streaming")["html"].to_list()
    assert found == [tamis.extract(each, extractor="keep-all").text for each in pages]
    assert len(most) > 2, "there were parts"
    assert max(most) == 1


def test_the_options_choose_the_fields() -> None:
    query = pl.LazyFrame({"html": ["<p>"]}).select(
        HTML.tamis.extract(text=False, markdown=True, title=False, page_type=False)
    )
    assert query.unnest("html").collect_schema().names() == ["language", "markdown", "score", "error", "reason"]


def test_groups_and_columns_without_pages() -> None:
    frame = pl.DataFrame({"site": ["a", "b", "a"], "html": [html(1), html(2), html(3)]})
    found = frame.group_by("site", maintain_order=True).agg(HTML.tamis.text())
    texts = [tamis.extract(html(number)).text for number in (1, 3, 2)]
    assert found["html"].to_list() == [texts[:2], texts[2:]]
    assert pl.DataFrame({"html": [None, None]}).select(HTML.tamis.text())["html"].to_list() == [None, None]
    nothing = pl.DataFrame(schema={"html": pl.String}).select(HTML.tamis.extract())
    assert nothing.schema == frame.select(HTML.tamis.extract()).schema


def test_wrong_options_are_said_where_the_expression_is_written() -> None:
    with pytest.raises(OptionError, match="no extractor is called 'none'"):
        HTML.tamis.text(extractor="none")
    with pytest.raises(OptionError, match="exclude each other"):
        HTML.tamis.extract(favor_precision=True, favor_recall=True)
    with pytest.raises(OptionError, match="chunk_tokens must be at least"):
        HTML.tamis.extract(chunk_tokens=1)


def test_what_is_wrong_with_every_page_is_raised() -> None:
    frame = pl.DataFrame({"html": [1]})
    with pytest.raises(OptionError, match="a column of pages has text or binary, not Int64"):
        frame.select(HTML.tamis.text())
    pages = frame.with_columns(html=pl.lit("<p>"), url=pl.lit(1))
    with pytest.raises(OptionError, match="a column of url has text, not Int32"):
        pages.select(HTML.tamis.text(url=pl.col("url")))
    with pytest.raises(OptionError, match="with url, an expression is one column of pages"):
        pages.select(pl.col("html", "url").tamis.text(url="url"))  # type: ignore[attr-defined]
    with pytest.raises(TamisError, match=r"pip install 'tamis\[neural\]'"):
        pages.select(HTML.tamis.text(extractor=NeedsMore()))


def test_the_example_prints_what_it_found() -> None:
    command = [sys.executable, "-W", "error", "examples/polars_column.py"]
    done = subprocess.run(command, cwd=PROJECT, check=True, capture_output=True, text=True)
    assert "Swing bridge" in done.stdout
    assert "failed: unreadable" in done.stdout
