from __future__ import annotations

import inspect
import subprocess
import sys
from typing import Any

import pytest

pytest.importorskip("pandas")

import pandas

import tamis
from tamis.errors import MissingExtra, OptionError
from tamis.integrations.pandas import extract_column
from tests.batch.archives import page
from tests.batch.extractors import NeedsMore, Obedient
from tests.project import PROJECT

pytestmark = pytest.mark.xdist_group("batch-workers")


def html(number: int, order: str = "") -> str:
    return page(number, f"ORDER:{order} " if order else "").decode()


def test_each_page_has_its_row_whatever_became_of_it() -> None:
    pages = {
        "text": html(1),
        "bytes": page(2),
        "none": None,
        "nan": float("nan"),
        "na": pandas.NA,
        "kill": html(3, "kill"),
        "hang": html(4, "hang"),
        "raise": html(5, "raise"),
        "number": 3.5,
        "address": "https://example.org/",
        "empty": "<p></p>",
        "last": html(6),
    }
    found = extract_column(pandas.Series(pages), extractor=Obedient(), timeout=1.0, memory=None)
    assert list(found.index) == list(pages)
    assert found["error"].dropna().to_dict() == {
        "kill": "crash",
        "hang": "timeout",
        "raise": "parse-error",
        "number": "unreadable",
        "address": "unreadable",
        "empty": "empty",
    }
    assert found["reason"]["raise"] == "ValueError: as told"
    assert found["reason"]["number"] == "a page is text or bytes, not float"
    assert found.loc[["none", "nan", "na"]].isna().all(axis=None)
    for name, number in (("text", 1), ("bytes", 2), ("last", 6)):
        alone = tamis.extract(page(number), extractor="keep-all")
        assert (found["text"][name], found["title"][name]) == (alone.text, alone.title)
    assert found["text"]["empty"] == ""
    assert pandas.isna(found["text"]["kill"])


def test_the_accessor_has_the_options_of_the_function() -> None:
    series = pandas.Series([html(1), html(2)], index=["same", "same"], name="html")
    found = series.tamis.extract(markdown=True, text=False, title=False, page_type=False)
    assert list(found.columns) == ["language", "markdown", "score", "error", "reason"]
    assert list(found["markdown"]) == [tamis.extract(html(number)).markdown for number in (1, 2)]
    function, method = (inspect.signature(each).parameters for each in (extract_column, series.tamis.extract))
    assert list(method) == list(function)[1:], "which is what an editor shows"
    with pytest.raises(TypeError, match="markdwon"):
        series.tamis.extract(markdwon=True)


def test_metadata_and_chunks_are_columns() -> None:
    known = '<meta name=author content="Ann Lee"><meta name=date content=2020-01-02></head>'
    series = pandas.Series([html(1).replace("</head>", known), html(2), None])
    found = series.tamis.extract(metadata=True, chunk_tokens=20)
    assert list(found["authors"]) == [["Ann Lee"], [], None]
    assert found["date_published"][0] == "2020-01-02"
    assert found["date_published"].isna().tolist() == [False, True, True]
    assert "".join(chunk["text"] for chunk in found["chunks"][0]).startswith("The harbour of the old town")
    assert len(found["chunks"][0]) > 1


def test_addresses_make_links_absolute() -> None:
    series = pandas.Series([html(1, "").replace("This", "<a href=/this>This</a>")] * 2, index=[7, 8])
    url = pandas.Series(["https://harbour.example/a", None], index=[7, 8])
    found = series.tamis.extract(url=url, markdown=True)["markdown"]
    assert "(https://harbour.example/this)" in found[7]
    assert "(/this)" in found[8]
    assert list(series.tamis.extract(url=iter(url), markdown=True)["markdown"]) == list(found)
    with pytest.raises(OptionError, match="another index"):
        series.tamis.extract(url=url.reset_index(drop=True))
    with pytest.raises(OptionError, match="one address for each page"):
        series.tamis.extract(url="https://harbour.example/a")


@pytest.mark.parametrize("options", [{}, {"markdown": True}, {"chunk_tokens": 20}], ids=["none", "markdown", "chunks"])
def test_a_page_without_content_is_named_whatever_is_asked_for(options: dict[str, Any]) -> None:
    found = pandas.Series(["<p></p>", html(1)]).tamis.extract(text=False, **options)
    assert found["error"].fillna("").tolist() == ["empty", ""]


@pytest.mark.parametrize("dtype", ["object", "string", "category"])
def test_columns_of_text_of_any_type(dtype: str) -> None:
    found = pandas.Series([html(1), None], dtype=dtype).tamis.extract()
    assert found["text"][0] == tamis.extract(html(1)).text
    assert found.loc[1].isna().all()


def test_a_column_without_pages_is_a_frame_with_the_same_columns() -> None:
    columns = list(pandas.Series([html(1)]).tamis.extract().columns)
    for empty in (pandas.Series([], dtype=object), pandas.Series([None, float("nan")], dtype=float)):
        found = empty.tamis.extract()
        assert list(found.columns) == columns
        assert len(found) == len(empty)
        assert found.isna().all(axis=None)


@pytest.mark.parametrize(
    ("values", "options", "error", "message"),
    [
        ([1, 2], {}, OptionError, "a column of pages has text or bytes, not int64"),
        (["<p>"], {"extractor": "none"}, OptionError, "no extractor is called 'none'"),
        (["<p>"], {"favor_precision": True, "favor_recall": True}, OptionError, "exclude each other"),
        (["<p>"], {"extractor": NeedsMore()}, MissingExtra, r"pip install 'tamis\[neural\]'"),
    ],
)
def test_what_is_wrong_with_every_page_is_raised(
    values: list[Any], options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        pandas.Series(values).tamis.extract(**options)


def test_the_example_prints_what_it_found() -> None:
    command = [sys.executable, "-W", "error", "examples/pandas_column.py"]
    done = subprocess.run(command, cwd=PROJECT, check=True, capture_output=True, text=True)
    assert "Swing bridge reopens" in done.stdout
    assert "failed: {'unreadable': 1}" in done.stdout
