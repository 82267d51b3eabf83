"""`tamis mcp`: tools that read pages, for language models."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any

from tamis.cli.arguments import add_allow_private, add_verb, api_key, at_least, is_given, seconds
from tamis.cli.exits import Exit
from tamis.cli.outputs import complain
from tamis.errors import MissingExtra, OptionError

_DESCRIPTION = """\
Give language models tools that read web pages: read_page, page_metadata and page_outline. Programs that speak
the Model Context Protocol start this command themselves and talk to it over standard input and output.

Addresses are fetched for the model: public ones only, and as robots.txt allows. Text that a page hides is
never passed on.
"""

_EPILOG = """\
in the settings of a client:
  {"mcpServers": {"tamis": {"command": "tamis", "args": ["mcp"]}}}

examples:
  tamis mcp                       for a client that starts it
  tamis mcp --http --port 8300    for clients that connect to http://127.0.0.1:8300/mcp
"""

_STDIO_WORKERS = 2  # one client, which reads a few pages at a time


def add_parser(verbs: Any) -> None:
    """Add `mcp` to the command line."""
    parser = add_verb(verbs, "mcp", run, description=_DESCRIPTION, epilog=_EPILOG)
    place = parser.add_argument_group("over HTTP")
    place.add_argument("--http", action="store_true", help="serve streamable HTTP at /mcp, not one client over stdio")
    place.add_argument("--host", default="127.0.0.1", help="address to listen at (default 127.0.0.1: this machine)")
    place.add_argument("--port", type=at_least(0), default=8000, help="port to listen at (default 8000); 0 takes any")
    place.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="a name of this server in Host headers; * allows any",
    )
    place.add_argument("--api-key-file", metavar="FILE", help="a file with the key that every request must have")
    limits = parser.add_argument_group("limits")
    workers = f"processes for pages (default {_STDIO_WORKERS}; one a core with --http)"
    limits.add_argument("--workers", type=at_least(1), metavar="N", help=workers)
    limits.add_argument("--deadline", type=seconds, default=10.0, metavar="S", help="seconds for a page (default 10)")
    memory = "megabytes for a page (default 1024); 0 for no limit"
    limits.add_argument(
        "--memory", type=at_least(0), default=1_024 if sys.platform == "linux" else 0, metavar="MB", help=memory
    )
    limits.add_argument(
        "--max-bytes", type=at_least(1), default=20_000_000, metavar="N", help="bytes of a page (default 20,000,000)"
    )
    fetching = parser.add_argument_group("fetching")
    fetching.add_argument("--no-fetch", action="store_true", help="fetch nothing: pages are given as HTML")
    add_allow_private(fetching)
    fetching.add_argument("--ignore-robots", action="store_true", help="fetch also what robots.txt forbids")


def run(options: argparse.Namespace) -> Exit:
    """Serve until the client goes, or a signal comes."""
    try:
        from tamis.server.mcp import serve_http, serve_stdio
        from tamis.server.settings import Settings, default_rules
        from tamis.worker.pool import available_cores
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("tamis"):
            raise
        raise MissingExtra("the MCP server", "mcp") from None
    if not options.http:
        _check_stdio(options)
    rules = default_rules(allow_private=options.allow_private, robots=not options.ignore_robots)
    workers = options.workers or (available_cores() if options.http else _STDIO_WORKERS)
    settings = Settings(
        host=options.host,
        port=options.port,
        deadline=options.deadline,
        memory=options.memory or None,
        max_bytes=options.max_bytes,
        fetch=None if options.no_fetch else rules._replace(max_bytes=options.max_bytes),
        key=api_key(options.api_key_file) if options.http else None,
        allowed_hosts=tuple(options.allow_host),
        workers=workers,
    )
    if options.http:
        serve_http(settings)
        return Exit.FINE
    if sys.stdin is not None and sys.stdin.isatty():
        complain("waiting for a client of the Model Context Protocol on standard input; tamis mcp --help says more")
    serve_stdio(settings)
    sys.stderr.flush()
    os._exit(Exit.FINE)  # a page may still be fetched for the client that has gone, and Python would wait for that


def _check_stdio(options: argparse.Namespace) -> None:
    """Raise OptionError for options that only --http has."""
    http_only = {"host": "127.0.0.1", "port": 8000, "allow_host": [], "api_key_file": None}
    for name, default in http_only.items():
        if is_given(options, name, default):
            raise OptionError(f"--{name.replace('_', '-')} needs --http")
