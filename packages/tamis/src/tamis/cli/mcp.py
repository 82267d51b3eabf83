"""`tamis mcp`: tools that read pages, for language models."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any

from tamis.cli.arguments import add_verb, is_given
from tamis.cli.exits import Exit
from tamis.cli.outputs import complain
from tamis.cli.serve import add_place, add_work, settings_of
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
    add_place(place)
    workers = f"default {_STDIO_WORKERS}; one a core with --http"
    add_work(parser, workers=workers, nothing_fetched="pages are given as HTML")


def run(options: argparse.Namespace) -> Exit:
    """Serve until the client goes, or a signal comes."""
    try:
        from tamis.server.mcp import serve_http, serve_stdio
        from tamis.worker.pool import available_cores
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("tamis"):
            raise
        raise MissingExtra("the MCP server", "mcp") from None
    if not options.http:
        _refuse_options_of_http(options)
    workers = options.workers or (available_cores() if options.http else _STDIO_WORKERS)
    settings = settings_of(options, workers=workers, has_key=options.http)
    if options.http:
        serve_http(settings)
        return Exit.FINE
    if sys.stdin is not None and sys.stdin.isatty():
        complain("waiting for a client of the Model Context Protocol on standard input; tamis mcp --help says more")
    serve_stdio(settings)
    sys.stderr.flush()
    os._exit(Exit.FINE)  # a thread may still be fetching a page, and Python would wait for it


def _refuse_options_of_http(options: argparse.Namespace) -> None:
    """Raise OptionError for options that need --http."""
    http_only = {"host": "127.0.0.1", "port": 8000, "allow_host": [], "api_key_file": None}
    for name, default in http_only.items():
        if is_given(options, name, default):
            raise OptionError(f"--{name.replace('_', '-')} needs --http")
