"""The names that authors give to the parts of a page: in classes and ids, ARIA roles and schema.org attributes.

The table is conventions.json. Words of about the same meaning are one group. The kernel reads names, roles and
properties (names.c); here are the types of schema.org.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

from tamis.document.linked_data import type_name

_TABLE: Mapping[str, Mapping[str, list[str]]] = json.loads(
    Path(__file__).with_name("conventions.json").read_text(encoding="utf-8")
)
TYPES = tuple(_TABLE["types"])  # their groups
ENTITIES: Mapping[str, str] = _TABLE["entities"]  # type: ignore[assignment]

# The words of camelCase, snake_case and kebab-case.
NAME_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")

# From a word to the bit of its group.
_TYPE = {word: 1 << group for group, words in enumerate(_TABLE["types"].values()) for word in words}


def type_bit(name: str) -> int:
    """The bit of the group of a schema.org type, with or without its address."""
    return _TYPE.get(type_name(name).lower(), 0)
