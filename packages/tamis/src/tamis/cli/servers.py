"""What `tamis serve` and `tamis mcp` have in common: where they listen, their limits, and what they fetch."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from tamis.cli.arguments import add_allow_private, add_limits, api_key, at_least

if TYPE_CHECKING:
    from tamis.server.settings import Settings

_TIMEOUT, _MEMORY, _MOST_BYTES = 10.0, 1_024, 20_000_000  # for a page


def add_place(place: argparse._ActionsContainer) -> None:
    """Add where the server listens, and for whom."""
    place.add_argument("--host", default="127.0.0.1", help="address to listen at (default 127.0.0.1: this machine)")
    place.add_argument("--port", type=at_least(0), default=8000, help="port to listen at (default 8000); 0 takes any")
    names = "a name of this server in Host headers; * allows any"
    place.add_argument("--allow-host", action="append", default=[], metavar="NAME", help=names)
    place.add_argument("--api-key-file", metavar="FILE", help="a file with the key that every request must have")


def add_work(parser: argparse.ArgumentParser, *, workers: str, nothing_fetched: str) -> argparse._ArgumentGroup:
    """Add limits and what is fetched; returns the group of limits. The words are those that differ."""
    limits = parser.add_argument_group("limits")
    limits.add_argument("--workers", type=at_least(1), metavar="N", help=f"processes for pages ({workers})")
    add_limits(limits, _TIMEOUT, _MEMORY)
    size = f"bytes of a page (default {_MOST_BYTES:,})"
    limits.add_argument("--max-bytes", type=at_least(1), default=_MOST_BYTES, metavar="N", help=size)
    fetching = parser.add_argument_group("fetching")
    fetching.add_argument("--no-fetch", action="store_true", help=f"fetch nothing: {nothing_fetched}")
    add_allow_private(fetching)
    fetching.add_argument("--ignore-robots", action="store_true", help="fetch also what robots.txt forbids")
    return limits


def settings_of(options: argparse.Namespace, *, workers: int, has_key: bool = True, **more: Any) -> Settings:
    """The settings of a server; `more` are those of one verb. Raises OptionError."""
    from tamis.server.settings import Settings, default_rules

    rules = default_rules(allow_private=options.allow_private, robots=not options.ignore_robots)
    return Settings(
        host=options.host,
        port=options.port,
        workers=workers,
        timeout=options.timeout,
        memory=options.memory or None,
        max_bytes=options.max_bytes,
        fetch=None if options.no_fetch else rules._replace(max_bytes=options.max_bytes),
        key=api_key(options.api_key_file) if has_key else None,
        allowed_hosts=tuple(options.allow_host),
        **more,
    )
