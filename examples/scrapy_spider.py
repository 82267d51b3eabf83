"""Crawl a small site with Scrapy and print the main content of its pages (pip install 'tamis[scrapy]').

    python examples/scrapy_spider.py

The site is served on this machine, so that the example needs no network. For a real crawl, take the spider and its
`custom_settings` into your project.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import scrapy
from scrapy.crawler import CrawlerProcess

HARBOUR = Path(__file__).with_name("harbour.html").read_bytes()
NAVIGATION = b"<nav><a href=/harbour>Harbour</a> <a href=/report>Report</a></nav>"
SITE = {
    "/": b"<title>The site</title>" + NAVIGATION,
    "/harbour": HARBOUR,
    "/report": b"%PDF-1.7, with the wrong content type",  # a page that fails
}


class ArticleSpider(scrapy.Spider):
    """Follows all links, and hands each page to the pipeline."""

    name = "articles"
    custom_settings = {  # noqa: RUF012 (as Scrapy has it)
        "ITEM_PIPELINES": {"tamis.integrations.scrapy.TamisPipeline": 300},
        "TAMIS_FIELDS": ["title", "markdown", "error", "reason"],
        "TAMIS_PAGE_FIELD": "page",
        "TAMIS_KEEP_PAGE": False,
    }

    def parse(self, response: Any) -> Iterator[object]:
        """An item for this page, and a request for each link."""
        yield {"url": response.url, "page": response}
        if response.url == self.start_urls[0]:
            yield from response.follow_all(css="nav a")


class Site(BaseHTTPRequestHandler):
    """Serves the pages of SITE."""

    def do_GET(self) -> None:
        """One page."""
        body = SITE.get(self.path)
        self.send_response(404 if body is None else 200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body or b"")))
        self.end_headers()
        self.wfile.write(body or b"")

    def log_message(self, format: str, *args: object) -> None:
        """Nothing on stderr."""


def show(item: dict[str, Any]) -> None:
    """Print an item."""
    print(f"{item['url']}: {item['title'] or 'no title'}")
    print(f"  {item['error']}: {item['reason']}" if item["error"] else f"  {item['markdown'][:200]!r} ...")


def main() -> None:
    """Serve, crawl, and print each item and what the stats say."""
    process = CrawlerProcess({"LOG_LEVEL": "ERROR", "TELNETCONSOLE_ENABLED": False})
    crawler = process.create_crawler(ArticleSpider)
    crawler.signals.connect(show, scrapy.signals.item_scraped)
    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        process.crawl(crawler, start_urls=[f"http://127.0.0.1:{server.server_port}/"])
        process.start()
        server.shutdown()
    counts = crawler.stats.get_stats() if crawler.stats else {}
    print({name: count for name, count in sorted(counts.items()) if name.startswith("tamis/")})


if __name__ == "__main__":
    main()
