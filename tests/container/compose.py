"""What compose.yaml says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]

PROJECT = Path(__file__).resolve().parents[2]


def parsed(text: str) -> dict[str, Any]:
    """A document of YAML."""
    found: dict[str, Any] = yaml.safe_load(text)
    return found


def service() -> dict[str, Any]:
    """The only service of compose.yaml."""
    (found,) = parsed((PROJECT / "compose.yaml").read_text(encoding="utf-8"))["services"].values()
    return dict(found)
