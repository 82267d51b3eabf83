"""The rules of tests/needs.py name tests that exist."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import needs

TESTS = Path(needs.__file__).parent


@pytest.mark.parametrize("rule", needs.RULES)
def test_a_rule_names_something(rule: str) -> None:
    path, _, test = rule.partition("::")
    if path.startswith("papers/") and not list(TESTS.glob(path.rpartition("/")[0])):
        pytest.skip("a paper's folder can be deleted")
    found = list(TESTS.glob(path))
    assert found
    assert not test or any(f"def {test}(" in file.read_text(encoding="utf-8") for file in found)


def test_packages_that_are_missing_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(needs.RULES, "some/test_*.py", ("pytest", "no_such_package"))
    assert needs.missing_for("some/test_this.py") == ["no_such_package"]
    assert needs.missing_for("other/test_this.py") == []
    monkeypatch.setitem(needs.EXTRACTORS, "dreamer", ("no_such_package",))
    assert needs.missing_for_extractors([1, "dreamer"]) == ["no_such_package"]
    assert needs.missing_for_extractors(["tamis"]) == []
