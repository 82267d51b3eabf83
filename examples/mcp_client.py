"""Read a web page with the tools of `tamis mcp`, as the program of a language model does (pip install 'tamis[mcp]').

    python examples/mcp_client.py

The page is examples/harbour.html, so no network is needed. With `url` in place of `html` the server fetches it.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from mcp import Client
from mcp.client.stdio import StdioServerParameters

PAGE = Path(__file__).parent / "harbour.html"
SERVER = StdioServerParameters(command=sys.executable, args=["-m", "tamis", "mcp"])


async def main() -> None:
    """Print the metadata, the outline and the text of the page, part by part."""
    page = {"html": PAGE.read_text(encoding="utf-8")}
    async with Client(SERVER) as client:
        known = (await client.call_tool("page_metadata", page)).structured_content
        print(f"{known['title']} ({known['date']}), {known['words']} words")

        outline = (await client.call_tool("page_outline", page)).structured_content
        for section in outline["sections"]:
            print(f"{section['start']:6} {'#' * section['level']} {section['heading']}")

        start = 0
        while start is not None:
            part = (
                await client.call_tool("read_page", {**page, "start": start, "max_chars": 1_000})
            ).structured_content
            print(part["text"], end="")
            start = part["next_start"]
    print()


if __name__ == "__main__":
    asyncio.run(main())
