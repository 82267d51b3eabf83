"""What readers of the documentation have: the files that its examples name, and a web."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.batch.archives import response, zipped
from tests.docs.pages import PROJECT
from tests.golden import golden_pages
from tests.servers import LocalHandler, LocalServer


def example_page() -> str:
    """The example page."""
    return (PROJECT / "examples" / "harbour.html").read_text(encoding="utf-8")


def write_files(folder: Path) -> None:
    """Write the files into a folder."""
    html = example_page()
    for name in ("page.html", "my-page.html"):
        (folder / name).write_text(html, encoding="utf-8")
    for name, numbers in (("archive", (1, 2)), ("pages", (1, 2)), ("news", (41, 42))):
        (folder / name).mkdir()
        for number in numbers:
            (folder / name / f"{number}.html").write_text(html, encoding="utf-8")
    for name in ("my-site", "my-other-pages"):  # with the text to be found, enough to train on
        (folder / name).mkdir()
        for number, page in enumerate(golden_pages(), 1):
            (folder / name / f"{number}.html").write_bytes(page.source)
            (folder / name / f"{number}.txt").write_text(f"{page.text}\n", encoding="utf-8")
    rules = '["*"]\nprune = ["#cookie-banner"]\n["example.org"]\nprune = [".newsletter"]\nkeep = ".correction"\n'
    (folder / "rules.toml").write_text(rules, encoding="utf-8")
    record = json.dumps({"url": "https://example.org/1", "html": html})
    (folder / "pages.jsonl").write_text(f"{record}\n", encoding="utf-8")
    archive = b"".join(zipped(response(number)) for number in range(3))
    (folder / "crawl").mkdir()
    for name in ("crawl.warc.gz", "crawl/1.warc.gz"):
        (folder / name).write_bytes(archive)


@contextmanager
def the_web() -> Iterator[str]:
    """The address of a server on this machine that answers every request with the example page."""
    page = example_page().encode()

    class Handler(LocalHandler):
        def answer(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(page)))
            self.end_headers()
            self.wfile.write(page)

    with LocalServer(Handler).running() as running:
        yield running.address("/")
