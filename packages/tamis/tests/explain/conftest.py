from __future__ import annotations

import pytest

from tamis.explain import Explanation, explain
from tests.explain.pages import HARBOUR


@pytest.fixture(scope="package")
def harbour() -> Explanation:
    """The example page, explained."""
    return explain(HARBOUR, extractor="tamis")
