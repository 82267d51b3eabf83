"""What is written is what pyarrow itself would make of the rows."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tamis.batch.columns import COLUMNS, chosen
from tamis.batch.outputs import parquet
from tamis.batch.outputs.parquet import ParquetRows, schema
from tamis.batch.packages import arrow
from tamis.batch.records import Row

ALL = chosen("all")
Values = dict[str, object]
EMPTY: Values = dict.fromkeys(ALL)
VALUES = {
    "int32": -7, "int64": 1 << 40, "float32": 0.5, "bool": True, "list<string>": ["é", "", "漢 🎉"],
    "list<uint32>": [0, (1 << 32) - 1],
}  # fmt: skip
FULL: Values = {name: VALUES.get(column.type, f"{name}: é 漢 🎉") for name, column in COLUMNS.items()}


def as_rows(values: list[Values]) -> list[Row]:
    return [Row(each, 0, 0, 0.0, empty=False) for each in values]


def written(path: Path, *groups: list[Values], columns: tuple[str, ...] = ALL) -> Any:
    with path.open("wb") as sink:
        file = ParquetRows(sink, columns)
        for values in groups:
            file.write(as_rows(values))
        file.close()
    table = arrow().parquet.read_table(path)
    table.validate(full=True)
    return table


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [FULL],
        [EMPTY],
        [FULL, EMPTY, FULL | {"text": ""}, EMPTY | {"status": 0}] * 5,
        [EMPTY | {"authors": []}, FULL | {"authors": ["a"], "is_paywalled": False}, EMPTY] * 5,
    ],
)
def test_rows_come_back_as_they_were(rows: list[Values], tmp_path: Path) -> None:
    table = written(tmp_path / "a.parquet", rows[:3], rows[3:])
    assert table.equals(arrow().Table.from_pylist(rows, schema=schema(ALL)))
    types = {field.name: str(field.type) for field in table.schema}
    assert (types["score"], types["minhash"], types["chunks"]) == ("float", "list<element: uint32>", "string")


@pytest.mark.parametrize(
    "rows", [[], [{"url": "a", "minhash": [1, 2]}, {"url": None, "minhash": None}], [{"text": "a"}]]
)
def test_a_file_has_the_columns_that_were_asked_for(rows: list[Values], tmp_path: Path) -> None:
    columns = tuple(rows[0]) if rows else ("url", "minhash")
    table = written(tmp_path / "a.parquet", rows, columns=columns)
    assert (table.schema, table.to_pylist()) == (schema(columns), rows)


def test_a_row_group_has_so_much_text_and_one_row_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "_GROUP_CHARACTERS", 100)
    written(tmp_path / "a.parquet", [EMPTY | {"text": "x" * 30, "url": "x" * 30}] * 5)
    metadata = arrow().parquet.ParquetFile(tmp_path / "a.parquet").metadata
    assert [metadata.row_group(number).num_rows for number in range(metadata.num_row_groups)] == [2, 2, 1]


def test_names_that_repeat_are_written_once(tmp_path: Path) -> None:
    written(tmp_path / "a.parquet", [FULL] * 100)
    group = arrow().parquet.ParquetFile(tmp_path / "a.parquet").metadata.row_group(0)
    columns = [group.column(number) for number in range(group.num_columns)]
    assert {column.compression for column in columns} == {"ZSTD"}
    encoded = {column.path_in_schema: column.has_dictionary_page for column in columns}
    assert encoded["authors.list.element"]
    assert encoded["site_name"]
    assert not encoded["text"]


def test_pandas_is_not_loaded(tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    program = f"""
import sys
from pathlib import Path
from tests.batch.test_parquet import ALL, EMPTY, FULL, ParquetRows, as_rows
assert "pandas" not in sys.modules
file = ParquetRows(Path({str(tmp_path / "a.parquet")!r}), ALL)
file.write(as_rows([EMPTY, FULL]))
file.close()
assert "pandas" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", program], cwd=Path(__file__).parents[2], check=True)
