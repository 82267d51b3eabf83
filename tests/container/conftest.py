"""The container runs the server, and its files are read with PyYAML."""

from __future__ import annotations

import pytest

pytest.importorskip("starlette")
pytest.importorskip("yaml")
