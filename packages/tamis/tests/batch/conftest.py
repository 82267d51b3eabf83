"""Batches are tested with the extra `batch`; tests/test_many.py needs the core alone."""

from __future__ import annotations

import pytest

pytest.importorskip("fastwarc")
