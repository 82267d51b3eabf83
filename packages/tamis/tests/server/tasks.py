"""A task for worker processes that obeys pages: tests need pages that hang, crash and grow."""

from __future__ import annotations

import os
import signal
import time

from tamis.inputs import RawPage
from tamis.server.jobs import Job, JobTask, Reply
from tamis.server.problems import Problem
from tamis.worker.limits import Guard


class ObedientTask(JobTask):
    """Extracts pages, but those that say what else to do."""

    def answer(self, item: Job, guard: Guard) -> Reply | Problem:
        page = item.page.data if isinstance(item.page, RawPage) else item.page.encode()
        order, _, rest = page.partition(b" ")
        with guard:
            if order == b"SLEEP":
                time.sleep(float(rest))
            elif order == b"HANG":
                signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
                time.sleep(600)
            elif order == b"CRASH":
                os.kill(os.getpid(), signal.SIGSEGV)
            elif order == b"GROW":
                return Reply(bytes(10**10), "text/plain")
            elif order == b"ERROR":
                raise RuntimeError("a secret of the server")
        return super().answer(item, guard)
