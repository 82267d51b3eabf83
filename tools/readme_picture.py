"""Draw docs/images/highlight.png, the example page with its content marked: python -m tools.readme_picture.

Needs the extra `render` and a Chromium on the machine.
"""

from __future__ import annotations

import tamis
from tools.pictures import EXAMPLE, browser_page, save, write_record


def main() -> None:
    """Highlight the example and take a screenshot."""
    highlighted = tamis.extract(EXAMPLE.read_bytes()).highlighted
    with browser_page(highlighted, width=1200, height=1000) as page:
        picture = save(page.screenshot(), "highlight")
    write_record("highlight", [picture])


if __name__ == "__main__":
    main()
