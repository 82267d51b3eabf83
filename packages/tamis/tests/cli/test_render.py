"""`tamis render`: pictures in files, one line for each page that failed, exit codes."""

from __future__ import annotations

import sys
from pathlib import Path
from types import TracebackType

import pytest

import tamis.web.browser
from tamis.cli.main import main
from tamis.web.browser import RenderError

Capture = pytest.CaptureFixture[str]
OVERWRITES = "page.png: this would overwrite a page or another output; choose another place"


class FakeBrowser:
    """Draws nothing: the picture of a page is what it was asked for."""

    def __init__(self, *, width: int, height: int, timeout: float, network: bool, scripts: bool) -> None:
        self.settings = f"{width}x{height} {timeout:g} s{' network' * network}{' scripts' * scripts}"

    def __enter__(self) -> FakeBrowser:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing was started."""

    def screenshot(self, html: bytes, *, url: str | None, charset: str | None, image: str) -> bytes:
        if b"hang" in html:
            raise RenderError("took longer than 15 s to draw", "timeout")
        return f"{html.decode()} {url} {image} {self.settings}".encode()

    def screenshot_of(self, url: str, *, image: str) -> bytes:
        if "missing" in url:
            raise RenderError(f"net::ERR at {url}/", "error")
        return f"{url} {image} {self.settings}".encode()


@pytest.fixture
def _fake(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tamis.web.browser, "Browser", FakeBrowser)


def page(path: Path, content: str = "words") -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")
    return str(path)


@pytest.mark.xdist_group("browser")
@pytest.mark.usefixtures("chromium")
def test_a_page_becomes_a_picture(tmp_path: Path, capsys: Capture) -> None:
    picture = tmp_path / "new" / "page.png"
    source = page(tmp_path / "page.html", "<h1>Bread</h1>")
    assert main(["render", source, "-o", str(picture), "--width", "200", "--height", "100"]) == 0
    header = picture.read_bytes()[:24]
    assert header[:8] == b"\x89PNG\r\n\x1a\n"
    assert (int.from_bytes(header[16:20]), int.from_bytes(header[20:24])) == (200, 100)
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "")


@pytest.mark.usefixtures("_fake")
@pytest.mark.parametrize(("suffix", "image"), [(".png", "png"), (".jpg", "jpeg"), (".JPEG", "jpeg")])
def test_the_suffix_decides_on_the_kind_of_picture(suffix: str, image: str, tmp_path: Path) -> None:
    picture = tmp_path / f"picture{suffix}"
    assert main(["render", page(tmp_path / "page.html"), "-o", str(picture), "--url", "http://a.example/"]) == 0
    assert picture.read_text() == f"words http://a.example/ {image} 1024x6144 15 s"


@pytest.mark.usefixtures("_fake")
def test_options_reach_the_browser(tmp_path: Path) -> None:
    picture = tmp_path / "picture.png"
    options = ["--width", "9", "--height", "8", "--timeout", "7", "--network", "--scripts"]
    assert main(["render", "https://a.example/", "-o", str(picture), *options]) == 0
    assert picture.read_text() == "https://a.example/ png 9x8 7 s network scripts"


@pytest.mark.usefixtures("_fake")
def test_credentials_are_not_printed(tmp_path: Path, capsys: Capture) -> None:
    url = "https://baker:rye@oven.example/missing"
    assert main(["render", url, "--network", "-o", str(tmp_path / "page.png")]) == 3
    address = "https://oven.example/missing"
    assert capsys.readouterr().err == f"tamis: {address}: net::ERR at {address}/\n"


@pytest.mark.usefixtures("_fake")
def test_a_page_that_fails_does_not_stop_the_others(tmp_path: Path, capsys: Capture) -> None:
    for name, content in {"a": "words", "b": "hang", "deep/c": "words", "d": "%PDF-1.7"}.items():
        page(tmp_path / "in" / f"{name}.html", content)
    assert main(["render", str(tmp_path / "in"), "--output-dir", str(tmp_path / "out")]) == 3
    drawn = sorted(str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*.png"))
    assert drawn == ["a.png", "deep/c.png"]
    assert capsys.readouterr().err.splitlines() == [
        f"tamis: {tmp_path}/in/b.html: took longer than 15 s to draw",
        f"tamis: {tmp_path}/in/d.html: this is a PDF file, not a web page",
        "tamis: rendered 2 of 4 pages",
    ]


@pytest.mark.usefixtures("_fake")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["page.html", "-o", "picture.gif"], "picture.gif: the name of a picture ends in .png, .jpg, .jpeg"),
        (
            ["page.html", "page.png", "-o", "page.png"],
            "page.png: this is a file; several pages, or a slash at the end of the name, need a folder",
        ),
        (["page.html", "page.png", "-o", "-"], "standard output takes one picture, and these are 2 pages"),
        (["page.png", "-o", "page.png"], OVERWRITES),
        (["page.png", "page.html", "--output-dir", "."], OVERWRITES),
        (["page.html", "-o", "page.html/picture.png"], "page.html/picture.png: can't be written: File exists"),
    ],
)
def test_wrong_use_is_one_line(
    arguments: list[str], words: str, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    page(Path("page.html"))
    page(Path("page.png"))
    assert main(["render", *arguments]) == 2
    assert capsys.readouterr().err == f"tamis: {words}\n"
    assert Path("page.png").read_text() == "words"


def test_a_place_for_the_picture_has_to_be_named(capsys: Capture) -> None:
    with pytest.raises(SystemExit) as end:
        main(["render", "page.html"])
    assert end.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_size_that_can_not_be(tmp_path: Path, capsys: Capture) -> None:
    assert main(["render", page(tmp_path / "page.html"), "-o", str(tmp_path / "a.png"), "--width", "0"]) == 2
    assert "pixels a side" in capsys.readouterr().err


def test_without_chromium_one_line_says_how_to_get_it(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("playwright")
    monkeypatch.setenv("TAMIS_CHROMIUM", "none")
    source = page(tmp_path / "page.html", "<p>words</p>")
    assert main(["render", source, "-o", str(tmp_path / "a.png")]) == 2
    captured = capsys.readouterr().err
    assert captured.startswith("tamis: rendering needs Chromium, which is not found; on Debian and Ubuntu: apt install")
    assert captured.count("\n") == 1
    assert main(["extract", source, "-e", "keep-all"]) == 0


def test_without_the_extra_one_line_names_the_pip_command(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "playwright", None)
    source = page(tmp_path / "page.html", "<p>words</p>")
    assert main(["render", source, "-o", str(tmp_path / "a.png")]) == 2
    assert capsys.readouterr().err == "tamis: rendering needs an extra: pip install 'tamis[render]'\n"
    assert main(["extract", source, "-e", "keep-all"]) == 0
