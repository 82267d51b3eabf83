"""How true confidences are, on pages whose figures are given."""

from __future__ import annotations

from tamis_lab.bench.confidence import Extraction, confidence_curve, confidence_table, confidence_truth


def pages(*f1: float) -> list[Extraction]:
    return [Extraction("wcxb", f"{number}.example", each, {}) for number, each in enumerate(f1)]


def test_a_perfect_confidence_has_no_error_and_finds_all_poor_pages() -> None:
    f1 = [number / 20 for number in range(1, 21)]
    found = confidence_truth(f1, f1)
    assert found.largest_error < 1e-9
    assert found.areas == (1.0, 1.0)
    assert found.gain > 0.02


def test_an_order_that_says_nothing_has_half_of_the_area() -> None:
    found = confidence_truth([0.5] * 4, [0.1, 0.9, 0.1, 0.9])
    assert found.areas == (0.5, 0.5)


def test_the_curve_says_how_much_remains_for_a_slower_tool() -> None:
    expected = [0.4, 0.75, 0.92, 0.97]
    lines = [line.split() for line in confidence_curve(pages(0.2, 0.9, 0.9, 1.0), expected)]
    assert lines[1] == ["0.0", "100.0%", "0.750", "75.0%", "-", "-"]
    assert lines[2] == ["0.5", "75.0%", "0.933", "100.0%", "0.200", "0.0%"]
    assert [line[1] for line in lines[-2:]] == ["50.0%", "25.0%"]
    assert [line.split()[0] for line in confidence_table(pages(0.2, 0.9, 0.9, 1.0), expected)][1:] == ["wcxb", "all"]
