"""The laboratory is tested with the extra `train`."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")
