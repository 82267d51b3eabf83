"""Install the wheel in a folder into a clean environment outside the checkout, and run the demo with it.

python -m tools.try_wheel dist

It fails if the wheel lacks a file that the code needs: weights, styles, a table of words, the compiled kernel. No
compiler is on the PATH there. It also fails if the wheel is for one Python only, or for a single Linux.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.lock import ROOT

EXAMPLE = ROOT / "examples" / "harbour.html"

# Loads the kernel, the weights and data files of every extractor that needs no extra, and the styles of `explain`.
_EVERYTHING = """
import sys, tamis
from pathlib import Path
from tamis.explain import explain
from tamis.kernel import library
assert library()
assert "site-packages" in tamis.__file__, tamis.__file__
html = Path("harbour.html").read_bytes()
page = tamis.extract(html, url="https://harbour.example/")
assert "swing bridge" in page.text
for output in (page.markdown, page.html, page.json, page.xml, page.tei, page.highlighted, page.chunks(), page.metadata):
    assert output
assert "<style>" in explain(html).html
for result in tamis.extract_many([html, html], workers=1):
    assert isinstance(result, tamis.Extracted), result
for name in tamis.extractors():
    try:
        tamis.extract(html, extractor=name)
    except tamis.MissingExtra as error:
        print(f"{name}: not tried, {error}")
print("tamis", tamis.__version__, "works as installed, on Python", sys.version.split()[0])
"""


def try_install(interpreter: str, package: Path) -> None:
    """Install a package into a new environment of this interpreter, with the pip that it brings, and use it.

    A warning of Python is an error. What is installed from a folder may use a compiler, a wheel finds none. Raises
    CalledProcessError where something fails.
    """
    with tempfile.TemporaryDirectory() as place:
        subprocess.run([interpreter, "-m", "venv", f"{place}/venv"], check=True)
        python = f"{place}/venv/bin/python"
        shutil.copy(EXAMPLE, place)
        install = [python, "-m", "pip", "install", "--quiet", str(package.resolve())]
        own = {"PATH": f"{place}/venv/bin"}
        subprocess.run(install, env=os.environ if package.is_dir() else {**os.environ, **own}, check=True)
        tamis = f"{place}/venv/bin/tamis"
        demo = [tamis, "extract", EXAMPLE.name, "--with-metadata", "--highlight", "seen.html"]
        for command in (demo, [python, "-c", _EVERYTHING]):
            subprocess.run(command, cwd=place, env={**own, "PYTHONWARNINGS": "error"}, check=True)


def main(folder: Path) -> None:
    """Test the only wheel in the folder."""
    (wheel,) = folder.glob("*.whl")
    assert re.fullmatch(r"tamis-[^-]+-py3-none-manylinux[^-]+\.whl", wheel.name), wheel.name
    try_install(sys.executable, wheel)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
