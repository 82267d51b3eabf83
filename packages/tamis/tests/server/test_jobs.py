"""Inside a worker process."""

from __future__ import annotations

import subprocess
import sys

LAZY = """
import sys
from tamis.server.jobs import Job, JobTask, as_dict, extracted_page
from tamis.server.models import PageOptions

JobTask(10**9).start()
known = set(sys.modules)
options = PageOptions(formats=["text", "markdown", "html"])
page = "<article><h1>Quay</h1><p>The ferry leaves at half past six.</p></article>"
as_dict(extracted_page(Job(page, None, options)), options)
print(*(set(sys.modules) - known))
"""


def test_the_first_page_of_a_process_finds_all_loaded() -> None:
    """Also that of a process that replaces another: no page's deadline pays for what is lazy."""
    run = subprocess.run([sys.executable, "-c", LAZY], capture_output=True, text=True, check=True, timeout=120)
    assert run.stdout.split() == []
