from __future__ import annotations

import numpy as np

from tamis_papers.columns import Columns

PAIR = Columns.of({"a": np.array([1.0, 2.0, 3.0]), "b": np.array([4.0, 5.0, 6.0])})


def test_columns_stand_side_by_side_under_their_names() -> None:
    assert PAIR.names == ("a", "b")
    assert PAIR.values.tolist() == [[1, 4], [2, 5], [3, 6]]
    assert PAIR["b"].tolist() == [4, 5, 6]


def test_adding_joins_names_and_values() -> None:
    both = PAIR + Columns.of({"c": np.array([7.0, 8.0, 9.0])})
    assert both.names == ("a", "b", "c")
    assert both["a"].tolist() == [1, 2, 3]
    assert both["c"].tolist() == [7, 8, 9]


def test_picked_columns_come_in_the_order_asked_for() -> None:
    picked = PAIR.pick(["b", "a"])
    assert picked.names == ("b", "a")
    assert picked.values.tolist() == [[4, 1], [5, 2], [6, 3]]


def test_neighbours_are_the_rows_before_and_after() -> None:
    assert PAIR.previous().names == ("prev_a", "prev_b")
    assert PAIR.previous().values.tolist() == [[0, 0], [1, 4], [2, 5]]
    assert PAIR.next().names == ("next_a", "next_b")
    assert PAIR.next().values.tolist() == [[2, 5], [3, 6], [0, 0]]
