"""The names that publishing systems give to notes, callouts, lazy images and the like: names.json.

The browser extension reads the same table.
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

NAMES: dict[str, dict[str, Any]] = json.loads(
    files("tamis.render.content").joinpath("names.json").read_text(encoding="utf-8")
)
