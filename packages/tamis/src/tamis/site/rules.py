"""Selectors by site, from a file: what `prune` and `keep` are for the pages of each host."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from tamis.document.selectors import checked_selectors
from tamis.errors import OptionError

EVERYWHERE = "*"  # the table for all pages
_OPTIONS = ("prune", "keep")

Rules = Mapping[str, Mapping[str, tuple[str, ...]]]


def read_rules(path: str | Path) -> Rules:
    """The tables of a file in TOML or JSON: a host and its `prune` and `keep`. Raises OptionError, in one line."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise OptionError(f"{path}: the rules can't be read: {error}") from None
    try:
        if Path(path).suffix.lower() == ".json":
            tables: object = json.loads(text)
        else:
            from tomllib import loads

            tables = loads(text)
    except (ValueError, RecursionError) as error:
        raise OptionError(f"{path}: the rules are not TOML, or JSON in a file named .json: {error}") from None
    if not isinstance(tables, dict):
        raise OptionError(f'{path}: rules are tables by host, such as ["example.org"]')
    return {host.lower(): _checked_table(f"{path}: {host}", table) for host, table in tables.items()}


def _checked_table(place: str, table: object) -> dict[str, tuple[str, ...]]:
    if not isinstance(table, dict) or (unknown := table.keys() - {*_OPTIONS}):
        found = ", ".join(sorted(unknown)) if isinstance(table, dict) else repr(table)[:60]
        raise OptionError(f"{place}: a table has prune and keep, not {found}")
    return {name: checked_selectors(f"{place}: {name}", given) for name, given in table.items()}


def with_rules(options: Mapping[str, Sequence[str]], rules: Rules, url: str | None) -> dict[str, tuple[str, ...]]:
    """The values of `prune` and `keep` in `options`, and after them those of the page's host and its domains."""
    try:
        host = urlsplit(url or "").hostname or ""
    except ValueError:
        host = ""
    labels = host.split(".")
    names = (EVERYWHERE, *(".".join(labels[place:]) for place in reversed(range(len(labels)))))
    tables = [rules[name] for name in names if name in rules]
    return {
        name: (*options[name], *(selector for table in tables for selector in table.get(name, ()))) for name in _OPTIONS
    }
