"""Pages, a site and the log, for the tests of document frameworks."""

from __future__ import annotations

import logging
from typing import ClassVar

import pytest

from tests.project import PROJECT
from tests.servers import LocalHandler

PAGE = PROJECT / "examples" / "harbour.html"
HTML = PAGE.read_text(encoding="utf-8")
URL = "https://harbour.example/news/bridge"
GREEK = (
    "<html lang=el><title>Το γεφύρι</title><body><nav><a href=/>Αρχική</a></nav><article><h1>Το γεφύρι</h1><p>"
    + "Το γεφύρι άνοιξε ξανά την Τρίτη το πρωί, μετά από δεκατέσσερις μήνες. " * 4
    + "</p></article>"
)


class Site(LocalHandler):
    """The page is at /new; /old leads to it."""

    pages: ClassVar = {
        "/new": (200, {}, HTML.encode()),
        "/old": (301, {"Location": "/new"}, b""),
        "/greek": (200, {}, GREEK.encode("iso-8859-7")),
        "/empty": (200, {}, b""),
    }


def warnings_of(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
