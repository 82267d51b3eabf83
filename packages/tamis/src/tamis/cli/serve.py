"""`tamis serve`: an HTTP server with a playground, and the options that `tamis mcp` shares with it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from tamis.cli.arguments import add_allow_private, add_limits, add_verb, api_key, at_least
from tamis.cli.exits import Exit
from tamis.errors import MissingExtra

if TYPE_CHECKING:
    from tamis.server.settings import Settings

_TIMEOUT = 10.0  # seconds for a page
_MEMORY = 1_024  # megabytes for a page
_MOST_BYTES = 20_000_000  # of a page

_DESCRIPTION = """\
Serve extraction over HTTP, with a playground at /. Pages are extracted in worker processes, each page with a
deadline and a memory limit.

Clients may have addresses fetched: public ones only, and as robots.txt allows. To require an API key, set the
variable TAMIS_API_KEY or give a file.
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
    add_place(place)
    place.add_argument("--cors", action="append", default=[], metavar="ORIGIN", help="an origin whose pages may call")
    place.add_argument("--no-playground", action="store_true", help="no page at /")
    limits = add_work(parser, workers="default: one a core", nothing_fetched="pages are sent")
    limits.add_argument("--queue", type=at_least(1), default=256, metavar="N", help="pages that may wait (default 256)")
    logs = parser.add_argument_group("log")
    logs.add_argument("--log", choices=["json", "text"], default="json", help="form of the log on standard error")


def run(options: argparse.Namespace) -> Exit:
    """Serve until a signal ends it."""
    try:
        from tamis.server.run import serve
        from tamis.worker.pool import available_cores
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("tamis"):
            raise
        raise MissingExtra("the server", "server") from None
    settings = settings_of(
        options,
        workers=options.workers or available_cores(),
        queue=options.queue,
        cors=tuple(options.cors),
        playground=not options.no_playground,
    )
    serve(settings, json_log=options.log == "json")
    return Exit.FINE


def add_place(place: argparse._ActionsContainer) -> None:
    """Add the options for the address of the server and its clients."""
    place.add_argument("--host", default="127.0.0.1", help="address to listen at (default 127.0.0.1: this machine)")
    place.add_argument("--port", type=at_least(0), default=8000, help="port to listen at (default 8000); 0 takes any")
    names = "a name of this server in Host headers; * allows any"
    place.add_argument("--allow-host", action="append", default=[], metavar="NAME", help=names)
    place.add_argument("--api-key-file", metavar="FILE", help="a file with the key that every request must have")


def add_work(parser: argparse.ArgumentParser, *, workers: str, nothing_fetched: str) -> argparse._ArgumentGroup:
    """Add the options for limits and fetching; return the group of limits. The words complete two help texts."""
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
    """The settings of a server; `more` are those of the verb. Raises OptionError."""
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
