"""Install the wheels in a folder into clean environments outside the checkout, and run the demo with them.

python -m tools.try_wheel dist

First tamis alone, then with tamis-papers, then all three. It fails if a wheel lacks a file that is needed (weights,
styles, a table of words, the compiled kernel). No compiler is on the PATH there. It also fails if the wheel of tamis is
for one Python only, for a single Linux, too large, or holds something of the other packages.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from zipfile import ZipFile

from tools.lock import PACKAGES, ROOT

EXAMPLE = ROOT / "examples" / "harbour.html"
LARGEST = 2_500_000  # bytes of the wheel of tamis

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


def try_install(interpreter: str, packages: Sequence[Path]) -> None:
    """Install packages into a new environment of this interpreter, with the pip that it brings, and use it.

    A warning of Python is an error. An installation from a folder may use a compiler, one from a wheel finds none.
    Raises CalledProcessError if something fails.
    """
    with tempfile.TemporaryDirectory() as place:
        subprocess.run([interpreter, "-m", "venv", f"{place}/venv"], check=True)
        python = f"{place}/venv/bin/python"
        shutil.copy(EXAMPLE, place)
        install = [python, "-m", "pip", "install", "--quiet", *(str(package.resolve()) for package in packages)]
        own = {"PATH": f"{place}/venv/bin"}
        subprocess.run(install, env=os.environ if packages[0].is_dir() else {**os.environ, **own}, check=True)
        tamis = f"{place}/venv/bin/tamis"
        demo = [tamis, "extract", EXAMPLE.name, "--with-metadata", "--highlight", "seen.html"]
        for command in (demo, [python, "-c", _EVERYTHING]):
            subprocess.run(command, cwd=place, env={**own, "PYTHONWARNINGS": "error"}, check=True)


def main(folder: Path) -> None:
    """Test the wheels in the folder."""
    product, papers, lab = (next(folder.glob(f"{package.name.replace('-', '_')}-*.whl")) for package in PACKAGES)
    assert re.fullmatch(r"tamis-[^-]+-py3-none-manylinux[^-]+\.whl", product.name), product.name
    assert product.stat().st_size <= LARGEST, f"{product.name} has {product.stat().st_size:,} bytes"
    names = ZipFile(product).namelist()
    assert all(name.startswith(("tamis/", "tamis-")) for name in names), names
    for wheels in ((product,), (product, papers), (product, papers, lab)):
        try_install(sys.executable, wheels)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
