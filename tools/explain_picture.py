"""Draw docs/images/explain.png, the explanation of the example page: python -m tools.explain_picture.

Needs the extra `render` and a Chromium on the machine.
"""

from __future__ import annotations

from tamis.explain import explain
from tools.pictures import EXAMPLE, browser_page, save, write_record

# The block whose reasons the picture shows in full: a button inside the article, which is dropped.
OPENED = "Sign up"


def main() -> None:
    """Explain the example, open one block and take a screenshot of the top of the page."""
    with browser_page(explain(EXAMPLE.read_bytes()).html, width=960, height=1385) as page:
        page.locator(".blocks > li").filter(has_text=OPENED).locator("summary").first.click()
        page.mouse.move(0, 0)
        page.evaluate("document.activeElement.blur()")
        picture = save(page.screenshot(), "explain")
    write_record("explain", [picture])


if __name__ == "__main__":
    main()
