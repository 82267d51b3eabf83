"""Install the wheel in a folder into a clean environment outside the checkout, and run the demo with it.

python -m tools.try_wheel dist

It fails if the wheel lacks a file that the code needs: weights, styles, a table of words.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

from tools.pictures import EXAMPLE

# Loads the weights and data files of every extractor that needs no extra, and the styles of `explain`.
_EVERYTHING = """
import sys, tamis
from tamis.explain import explain
assert "site-packages" in tamis.__file__, tamis.__file__
html = open("harbour.html", "rb").read()
assert "swing bridge" in tamis.extract(html).text
assert "<style>" in explain(html).html
for name in tamis.extractors():
    try:
        tamis.extract(html, extractor=name)
    except tamis.MissingExtra as error:
        print(f"{name}: not tried, {error}")
print("tamis", tamis.__version__, "works from its wheel")
"""


def main(folder: Path) -> None:
    """Test the only wheel in the folder."""
    (wheel,) = folder.glob("*.whl")
    with tempfile.TemporaryDirectory() as place:
        venv.create(Path(place) / "venv", with_pip=True)
        python = Path(place) / "venv" / "bin" / "python"
        shutil.copy(EXAMPLE, place)
        install = [str(python), "-m", "pip", "install", "--quiet"]
        subprocess.run([*install, "--upgrade", "pip>=24,<27"], check=True)
        subprocess.run([*install, str(wheel.resolve())], check=True)
        tamis = str(python.with_name("tamis"))
        demo = [tamis, "extract", "harbour.html", "--with-metadata", "--highlight", "seen.html"]
        for command in (demo, [str(python), "-c", _EVERYTHING]):
            subprocess.run(command, cwd=place, env={"PATH": "/usr/bin:/bin"}, check=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
