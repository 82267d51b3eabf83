"""Extractors that do to their process what a page tells them to."""

from __future__ import annotations

import os
import signal
import sys
import time

from tamis.document import Document
from tamis.errors import MissingExtra
from tamis.extractor.keep_all import keep_all
from tamis.labels import Labels


class Obedient:
    """Keeps everything, but for pages with an order in them."""

    def label(self, document: Document) -> Labels:
        html = document.html
        if "ORDER:" in html:
            order = html.partition("ORDER:")[2].split()[0]
            if order == "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            elif order == "hang":
                while True:
                    time.sleep(0.01)
            elif order == "deaf":  # as C code that no alarm can stop
                signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
                while True:
                    pass
            elif order == "eat":
                bytearray(8 << 30)
            elif order == "raise":
                raise ValueError("as\ntold")
            elif order == "exit":
                sys.exit(7)
            elif order == "lack":
                raise MissingExtra("this page", "neural")
            elif order == "short":
                return keep_all.label(Document.from_html(""))
            elif order == "print":
                print("what a library says does not reach the terminal")
        return keep_all.label(document)


class NeedsMore:
    """Lacks a package."""

    def label(self, document: Document) -> Labels:
        raise MissingExtra("this extractor", "neural")
