"""`tamis serve`: an HTTP server with a playground."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from tamis.cli.arguments import add_allow_private, add_verb, api_key, at_least, seconds
from tamis.cli.exits import Exit
from tamis.errors import MissingExtra

_DESCRIPTION = """\
Serve extraction over HTTP, with a playground at /. Pages are worked on in processes of their own, each page
with a deadline and a memory limit.

Addresses are fetched for whoever asks: public ones only, and as robots.txt allows. An API key, if there is to
be one, stands in the variable TAMIS_API_KEY or in a file.
"""

_EPILOG = """\
examples:
  tamis serve                                          then open http://127.0.0.1:8000/
  tamis serve --host 0.0.0.0 --api-key-file key.txt    for other machines
  curl --data-binary @page.html 'http://127.0.0.1:8000/v1/extract?formats=markdown'
  curl 'http://127.0.0.1:8000/read?url=https://example.org/'
"""


def add_parser(verbs: Any) -> None:
    """Add `serve` to the command line."""
    parser = add_verb(verbs, "serve", run, description=_DESCRIPTION, epilog=_EPILOG)
    place = parser.add_argument_group("where")
    place.add_argument("--host", default="127.0.0.1", help="address to listen at (default 127.0.0.1: this machine)")
    place.add_argument("--port", type=at_least(0), default=8000, help="port to listen at (default 8000); 0 takes any")
    place.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="a name of this server in Host headers; * allows any",
    )
    place.add_argument("--cors", action="append", default=[], metavar="ORIGIN", help="an origin whose pages may call")
    place.add_argument("--api-key-file", metavar="FILE", help="a file with the key that every request must have")
    place.add_argument("--no-playground", action="store_true", help="no page at /")
    limits = parser.add_argument_group("limits")
    limits.add_argument("--workers", type=at_least(1), metavar="N", help="processes for pages (default: one a core)")
    limits.add_argument("--queue", type=at_least(1), default=256, metavar="N", help="pages that may wait (default 256)")
    limits.add_argument("--deadline", type=seconds, default=10.0, metavar="S", help="seconds for a page (default 10)")
    memory = "megabytes for a page (default 1024); 0 for no limit"
    limits.add_argument(
        "--memory", type=at_least(0), default=1_024 if sys.platform == "linux" else 0, metavar="MB", help=memory
    )
    limits.add_argument(
        "--max-bytes", type=at_least(1), default=20_000_000, metavar="N", help="bytes of a page (default 20,000,000)"
    )
    fetching = parser.add_argument_group("fetching")
    fetching.add_argument("--no-fetch", action="store_true", help="fetch nothing: pages are sent")
    add_allow_private(fetching)
    fetching.add_argument("--ignore-robots", action="store_true", help="fetch also what robots.txt forbids")
    logs = parser.add_argument_group("log")
    logs.add_argument("--log", choices=["json", "text"], default="json", help="form of the log on standard error")


def run(options: argparse.Namespace) -> Exit:
    """Serve until a signal ends it."""
    try:
        from tamis.server.run import serve
        from tamis.server.settings import Settings, default_rules
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("tamis"):
            raise
        raise MissingExtra("the server", "server") from None
    rules = default_rules(allow_private=options.allow_private, robots=not options.ignore_robots)
    more = {} if options.workers is None else {"workers": options.workers}
    settings = Settings(
        host=options.host,
        port=options.port,
        queue=options.queue,
        deadline=options.deadline,
        memory=options.memory or None,
        max_bytes=options.max_bytes,
        fetch=None if options.no_fetch else rules._replace(max_bytes=options.max_bytes),
        key=api_key(options.api_key_file),
        cors=tuple(options.cors),
        allowed_hosts=tuple(options.allow_host),
        playground=not options.no_playground,
        **more,
    )
    serve(settings, json_log=options.log == "json")
    return Exit.FINE
