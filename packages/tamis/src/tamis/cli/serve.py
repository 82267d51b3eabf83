"""`tamis serve`: an HTTP server with a playground."""

from __future__ import annotations

import argparse
from typing import Any

from tamis.cli.arguments import add_verb, at_least
from tamis.cli.exits import Exit
from tamis.cli.servers import add_place, add_work, settings_of
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
