from __future__ import annotations

import subprocess
import sys

import pytest

from tamis.batch.columns import COLUMNS, DEFAULT, Need, chosen, fields, listed, needs
from tamis.batch.rows import BatchOptions
from tamis.errors import OptionError


@pytest.mark.parametrize(
    ("words", "columns"),
    [
        ("default", DEFAULT),
        ("text,url", ("url", "text")),
        (("text", "url", "text"), ("url", "text")),
        (" url , text ", ("url", "text")),
        ("all", tuple(COLUMNS)),
        ("-text", tuple(name for name in DEFAULT if name != "text")),
        ("default,-default,url", ("url",)),
        ("url,title,-url,url", ("url", "title")),
    ],
)
def test_columns_have_one_order(words: str, columns: tuple[str, ...]) -> None:
    assert chosen(words) == columns
    assert BatchOptions(columns=words).columns == columns
    assert chosen(columns) == columns


def test_names_of_several_columns_can_be_added_and_left_out() -> None:
    more = chosen("default,markdown,-tags")
    assert set(more) == {*DEFAULT, "markdown"} - {"tags"}
    metadata = chosen("metadata")
    assert {"title", "authors", "date_published", "description", "categories", "confidences"} <= set(metadata)
    assert not {"text", "date", "language"} & set(metadata)
    assert chosen("default,-metadata") == tuple(name for name in DEFAULT if name not in metadata)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("author", "no column is called 'author'; did you mean authors\\? There are: id, url, .*, all"),
        ("default,+markdown", "no column is called '\\+markdown'; did you mean markdown\\?"),
        ("-txt", "no column is called 'txt'; did you mean text\\?"),
        ("zzz", "no column is called 'zzz'; there are: id, "),
        ("", "no column is called ''"),
        ("text,", "no column is called ''"),
        ((), "no column is left; the usual ones are: default"),
        ("text,-all", "no column is left"),
    ],
)
def test_what_is_no_column_is_refused(words: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        chosen(words)


def test_needs_and_fields_are_those_of_the_columns() -> None:
    assert needs(("id", "score")) == {Need.NOTHING}
    assert needs(("text", "minhash", "title")) == {Need.TEXT, Need.HASHES, Need.METADATA}
    assert fields(("date", "date_published", "datetime_published", "authors")) == {"date", "authors"}


def test_the_list_has_every_column_in_a_line() -> None:
    lines = {line[2:].split()[0]: line for line in listed().split("\n\n")[1].splitlines()}
    assert listed().startswith("* is in the default")
    assert list(lines) == list(COLUMNS)
    assert [name for name, line in lines.items() if line.startswith("* ")] == list(DEFAULT)
    assert all(len(line) <= 120 for line in lines.values())


def test_they_can_be_listed_without_numpy() -> None:
    program = "import sys, tamis.batch.columns; print('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, check=True).stdout == b"False\n"
