"""The folder that examples of the documentation are run in."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tamis.registry import PAPERS, entry_of
from tests.docs.pages import PROJECT


@pytest.fixture
def html() -> str:
    """The example page, with the words that the guides ask about."""
    page = (PROJECT / "examples" / "harbour.html").read_text(encoding="utf-8")
    assert "Sign up<" in page
    return page.replace("Sign up<", "Sign up for our letter<")


@pytest.fixture
def examples(tmp_path: Path, html: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The files that the examples name; it becomes the working directory."""
    from tests.batch.archives import response, zipped

    (tmp_path / "page.html").write_text(html, encoding="utf-8")
    for folder in ("archive", "my-site", "my-other-pages"):
        (tmp_path / folder).mkdir()
        for number in (1, 2):
            (tmp_path / folder / f"{number}.html").write_text(html, encoding="utf-8")
            if folder != "archive":
                (tmp_path / folder / f"{number}.txt").write_text("The swing bridge opened.", encoding="utf-8")
    archive = b"".join(zipped(response(number)) for number in range(3))
    (tmp_path / "crawl").mkdir()
    for name in ("crawl.warc.gz", "crawl/1.warc.gz"):
        (tmp_path / name).write_bytes(archive)
    # Weights "of your own", as `tamis train` would write them.
    weights = entry_of("tamis").weights
    assert weights is not None
    shutil.copytree(weights, tmp_path / "build" / "mine")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TAMIS_DATA", raising=False)
    return tmp_path


@pytest.fixture(autouse=True)
def _all_papers() -> None:
    """The documentation describes these papers; whoever deletes one edits the documentation, and this list."""
    deleted = {"boilernet", "boilerpipe", "bte", "goce", "r4", "web2text"} - set(PAPERS)
    if deleted:
        pytest.skip(f"the documentation still describes {', '.join(sorted(deleted))}")
