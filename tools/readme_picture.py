"""Make the picture of the README: the example page with its content marked, in a real browser.

    python -m tools.readme_picture

Needs a Chromium on the machine.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import tamis

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "images" / "highlight.png"
SIZE = "1200,1000"


def main() -> None:
    """Highlight the example and photograph it."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        sys.exit("no Chromium on this machine")
    page = tamis.extract((ROOT / "examples" / "harbour.html").read_bytes())
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "page.html"
        copy.write_text(page.highlighted, encoding="utf-8")
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-background-networking"]
        flags += [f"--user-data-dir={folder}/profile", f"--window-size={SIZE}", f"--screenshot={PICTURE}"]
        subprocess.run([browser, *flags, copy.as_uri()], check=True, capture_output=True, timeout=120)
    print(f"wrote {PICTURE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
