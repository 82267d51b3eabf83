"""Options are stated once: classes and typed dicts agree, and signatures, documentation and old names follow them."""

from __future__ import annotations

import inspect
from functools import partial
from pathlib import Path
from typing import Any, get_type_hints

import pytest

import tamis
from tamis import options
from tamis.batch.rows import BatchOptions
from tamis.document import Document
from tamis.option_table import Option
from tamis.options import ChunkOptions, ContentOptions, ExtractOptions, ManyOptions, PoolOptions, options_of
from tamis.protocol import Extractor
from tamis.renamed import with_favor
from tests.project import PROJECT

HTML = "<p>A page of a few words.</p>"

MISSPELT = """
import tamis
from tamis.integrations.pandas import extract_column
page = tamis.extract("", favour_precision=True)
found = tamis.extract_many([], include_commments=True)
frame = extract_column(None, chunk_token=100)
fine = tamis.extract("", favor_precision=True, timeout=5).chunks(chunk_tokens=100)
"""


@pytest.mark.parametrize(
    ("keywords", "cls", "missing"),
    [
        (options.SiteKeywords, ExtractOptions, {"extractor"}),
        (options.ExtractKeywords, ExtractOptions, set()),
        (options.ChunkKeywords, ChunkOptions, set()),
        (options.PoolKeywords, PoolOptions, set()),
        (options.ManyKeywords, ManyOptions, set()),
    ],
)
def test_keywords_are_the_fields_of_their_class(keywords: type, cls: type[ContentOptions], missing: set[str]) -> None:
    names = {"Extractor": Extractor}
    found, known = get_type_hints(keywords, localns=names), get_type_hints(cls, localns=names)
    known["timeout"] = float | None  # a page among many has always one
    assert found == {name: kind for name, kind in known.items() if name not in missing}


@pytest.mark.parametrize(
    ("function", "cls"), [(tamis.extract, ExtractOptions), (tamis.extract_many, ManyOptions)], ids=["extract", "many"]
)
def test_a_signature_names_all_options_with_their_defaults(function: Any, cls: type[ContentOptions]) -> None:
    parameters = inspect.signature(function).parameters
    for name, option in options_of(cls).items():
        assert parameters[name].default == option.default
        assert parameters[name].kind is inspect.Parameter.KEYWORD_ONLY
    assert "options" not in parameters


def test_the_documentation_has_all_options() -> None:
    lines = (PROJECT / "docs" / "reference" / "options.md").read_text(encoding="utf-8").splitlines()
    table = [line for line in lines if line.startswith("| `") and line.count(" | ") == 3]
    assert table == [row(name, option) for name, option in options_of(ManyOptions).items()]


def row(name: str, option: Option) -> str:
    flag = f"`--{'no-' * (option.default is True)}{option.flag}`" if option.flag else ""
    return f"| `{name}` | `{option.default!r}` | {option.help} | {flag} |"


@pytest.mark.parametrize("call", [tamis.extract, lambda html, **more: tamis.extract_many([html], **more)])
def test_a_misspelt_option_is_a_type_error_with_the_name_that_was_meant(call: Any) -> None:
    with pytest.raises(TypeError, match="there is no option 'favor_precison'; did you mean favor_precision"):
        call(HTML, favor_precison=True)
    with pytest.raises(TypeError, match="a site has its own extractor"):
        tamis.Site().extract(HTML, extractor="keep-all")  # type: ignore[call-arg]


def test_old_names_work_and_warn() -> None:
    with pytest.warns(DeprecationWarning, match="charset_hint is called encoding now") as warned:
        document = Document.from_html("é".encode("latin-1"), charset_hint="latin-1")  # type: ignore[call-arg]
    assert warned[0].filename == __file__
    assert document.encoding == "windows-1252"
    page = tamis.extract(HTML, extractor="keep-all")
    with pytest.warns(DeprecationWarning, match="called chunk_") as warned:
        chunks = page.chunks(max_tokens=20, overlap=4)  # type: ignore[call-arg]
    assert chunks == page.chunks(chunk_tokens=20, chunk_overlap=4)
    assert {each.filename for each in warned} == {__file__}
    calls: tuple[Any, ...] = (BatchOptions, partial(tamis.extract_many, []))
    for call in calls:
        with pytest.warns(DeprecationWarning, match="deadline is called timeout now") as warned:
            call(deadline=3)
        assert warned[0].filename == __file__
        with pytest.raises(TypeError, match="deadline and timeout are the same"):
            call(deadline=3, timeout=3)


def test_the_old_option_of_the_server_works_and_warns() -> None:
    with pytest.warns(DeprecationWarning, match="favor=recall is called favor_recall=true now"):
        assert with_favor({"favor": "recall", "blocks": True}) == {"favor_recall": True, "blocks": True}
    assert with_favor({"favor": None}) == {}
    with pytest.raises(ValueError, match="favor is precision or recall"):
        with_favor({"favor": "speed"})


def test_options_of_many_pages_have_limits() -> None:
    for wrong in ({"timeout": None}, {"timeout": 0}, {"memory": 0}, {"chunk_tokens": 100, "chunk_overlap": 51}):
        with pytest.raises(tamis.OptionError):
            ManyOptions(**wrong)
    wanted = ManyOptions(include_links=False, timeout=3)
    assert wanted.part(ExtractOptions) == ExtractOptions(include_links=False, timeout=3).part(ExtractOptions)


@pytest.mark.slow
def test_a_type_checker_finds_misspelt_options(tmp_path: Path) -> None:
    from mypy import api

    file = tmp_path / "misspelt.py"
    file.write_text(MISSPELT, encoding="utf-8")
    found, _, _ = api.run(["--config-file", str(PROJECT / "pyproject.toml"), str(file)])
    errors = [line.partition("error: ")[2] for line in found.splitlines() if "error: " in line]
    assert [error.split('"')[1::2] for error in errors] == [
        ["favour_precision", "extract", "favor_precision"],
        ["include_commments", "extract_many", "include_comments"],
        ["chunk_token", "extract_column", "chunk_tokens"],
    ]
