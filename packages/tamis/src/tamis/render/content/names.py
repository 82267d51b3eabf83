"""The names that publishing systems give to notes, callouts, lazy images and the like: names.json.

The browser extension reads the same table.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

NAMES: dict[str, dict[str, Any]] = json.loads(Path(__file__).with_name("names.json").read_text(encoding="utf-8"))
