"""What `tamis.extract` and its neighbours accept as a page."""

from __future__ import annotations

import os
import random
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import pytest

import tamis
from tamis import inputs
from tamis.explain import explain

HTML = '<title>T</title><p>The café by the bridge is <a href="/menu">open</a> again.</p>'
TEXT = "The café by the bridge is open again."
URL = "https://harbour.example/news/"


def text_of(page: object, **options: str) -> str:
    return tamis.extract(page, extractor="keep-all", **options).text  # type: ignore[arg-type]


def test_text_and_bytes_are_content() -> None:
    for kind in (str, str.encode, lambda html: bytearray(html.encode()), lambda html: memoryview(html.encode())):
        assert text_of(kind(HTML)) == TEXT


PDF = b"%PDF-1.7\n1 0 obj << >> endobj"


class TestNoPages:
    """Bytes of a PDF, an image and so on, wherever they come from."""

    @pytest.mark.parametrize("kind", [bytes, bytearray, memoryview, tamis.RawPage, lambda data: Response(data, URL)])
    def test_bytes_that_are_no_page_are_refused(self, kind: Callable[[bytes], object]) -> None:
        for data, what in ((PDF, "a PDF file"), (b"GIF89a\x01", "a GIF image"), (b"PK\x03\x04", "a zip archive")):
            with pytest.raises(tamis.InputError, match=f"^this is {what}, not a web page$"):
                tamis.extract(kind(data))

    def test_text_that_begins_alike_is_content(self) -> None:
        assert text_of(b"GIF8 and PDF are formats.") == "GIF8 and PDF are formats."

    def test_in_many_pages_it_fails_alone(self) -> None:
        pages = [HTML, PDF, tamis.RawPage(PDF, URL), (PDF, URL)]
        found, *failed = tamis.extract_many(pages, workers=1, extractor="keep-all")
        assert isinstance(found, tamis.Extracted)
        reason = "this is a PDF file, not a web page"
        told = [(str(each), each.kind) for each in failed if isinstance(each, tamis.PageFailed)]
        assert told == 3 * [(reason, "unreadable")]


class TestNames:
    """A str is never opened or fetched."""

    @pytest.mark.parametrize("line", [URL, "http://a.example", f"  {URL}\n", "HTTPS://A.EXAMPLE/x?y=z"])
    @pytest.mark.parametrize("kind", [str, str.encode])
    def test_a_url_is_refused_with_the_call_that_was_meant(self, line: str, kind: type) -> None:
        for call in (tamis.extract, tamis.read_metadata, explain):
            with pytest.raises(tamis.OptionError) as caught:
                call(kind(line))
            assert str(caught.value) == f"{line.strip()!r} is a URL, not a page: give tamis.fetch(url) instead"

    def test_credentials_are_not_repeated_and_long_names_are_cut(self) -> None:
        with pytest.raises(tamis.OptionError, match=r"^'https://a\.example/' is a URL"):
            tamis.extract("https://me:secret@a.example/")
        with pytest.raises(tamis.OptionError, match=r"^'x{200}…' is a file name"):
            tamis.extract("x" * 1_900 + ".html")

    @pytest.mark.parametrize("name", ["page.html", "a/b c.HTM", "./x.xhtml", "C:\\pages\\1.shtml"])
    @pytest.mark.parametrize("kind", [str, str.encode])
    def test_so_is_the_name_of_a_file(
        self, name: str, kind: type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        Path("page.html").write_text(HTML)
        with pytest.raises(tamis.OptionError) as caught:
            tamis.extract(kind(name))
        assert str(caught.value) == f"{name!r} is a file name, not a page: give pathlib.Path(name) instead"

    def test_other_text_is_content(self) -> None:
        texts = ["Just a line of text.", f"See {URL}", f"{URL}\nThe bridge is open.", f"<p>{URL}</p>", "<p>page.html"]
        for text in (*texts, "The page\npage.html", f"{URL}{'x' * 2_000}", "ftp://a.example"):
            expected = text.replace("<p>", "").replace("</p>", "").replace("\n", " ")
            assert text_of(text) == text_of(text.encode()) == expected

    def test_the_same_line_is_content_if_it_was_fetched(self) -> None:
        assert text_of(tamis.RawPage(URL.encode())) == URL


class TestFiles:
    @pytest.fixture
    def page(self, tmp_path: Path) -> Path:
        page = tmp_path / "page.html"
        page.write_bytes(HTML.encode())
        return page

    def test_a_path_is_opened(self, page: Path) -> None:
        assert text_of(page) == TEXT
        with os.scandir(page.parent) as entries:
            assert [text_of(entry) for entry in entries] == [TEXT]

    def test_its_address_and_charset_are_given(self, page: Path) -> None:
        page.write_bytes(HTML.encode("latin-1"))
        found = tamis.extract(page, url=URL, encoding="latin-1", extractor="keep-all")
        assert (found.text, found.url) == (TEXT, URL)
        assert "https://harbour.example/menu" in found.markdown

    def test_other_files_are_refused(self, page: Path, tmp_path: Path) -> None:
        page.write_bytes(b"\x89PNG\r\n")
        wrong = {page: "page.html: this is a PNG image, not a web page", tmp_path / "none.html": "No such file"}
        for path, words in (wrong | {tmp_path: "directory", Path("\0"): "null byte"}).items():
            with pytest.raises(tamis.InputError, match=words):
                tamis.extract(path)

    def test_a_file_beyond_the_limits_is_too_large(self, page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        with page.open("wb") as file:
            file.write(b"words " * 10_000)  # what follows are zeros, which are not looked at
            file.truncate(inputs.MOST_BYTES + 1)
        with pytest.raises(tamis.PageTooLarge):
            tamis.extract(page)
        monkeypatch.setattr(inputs, "MOST_BYTES", 10)
        assert len(inputs.read_file(page).data) == 10


class TestFetchedPages:
    PAGE = tamis.RawPage(HTML.encode("latin-1"), URL, "latin-1")

    def test_their_address_and_charset_are_used(self) -> None:
        assert explain(self.PAGE).url == URL
        page = tamis.extract(self.PAGE, extractor="keep-all")
        assert (page.text, page.url, page.document.encoding) == (TEXT, URL, "windows-1252")
        other = tamis.extract(self.PAGE, url=f"{URL}2", encoding="koi8-r", extractor="keep-all")
        assert (other.url, other.document.encoding) == (f"{URL}2", "koi8-r")
        assert repr(self.PAGE) == f"RawPage({len(self.PAGE.data)} bytes, url='{URL}', charset='latin-1')"

    @pytest.mark.parametrize("wrong", [tamis.RawPage(HTML), tamis.RawPage(b"", 1), tamis.RawPage(b"", None, 1)])  # type: ignore[arg-type]
    def test_wrong_parts_are_refused(self, wrong: tamis.RawPage) -> None:
        with pytest.raises(tamis.OptionError, match="a RawPage has bytes"):
            tamis.extract(wrong)


@dataclass
class Response:
    """As Scrapy's."""

    body: bytes
    url: str
    encoding: str | None = None
    status: int = 200


REQUEST = SimpleNamespace(body=b"", url=URL, encoding="utf-8")  # Scrapy's has no status


def test_a_response_has_body_url_and_encoding() -> None:
    page = tamis.extract(Response(HTML.encode("latin-1"), URL, "latin-1"), extractor="keep-all")
    assert (page.text, page.url) == (TEXT, URL)
    assert text_of(Response(HTML.encode(), URL)) == TEXT


def test_an_open_file_is_to_be_read(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(HTML, encoding="utf-8")
    with (tmp_path / "page.html").open("rb") as file:
        with pytest.raises(tamis.OptionError, match=r"this is BufferedReader, an open file: give what its read\(\) "):
            tamis.extract(file)
        assert text_of(file.read()) == TEXT


class Fetched:
    """As httpx's, before its body is read."""

    def read(self) -> bytes:
        return b""

    @property
    def content(self) -> bytes:
        raise RuntimeError("not read yet")


def test_a_response_of_another_library_is_to_be_wrapped() -> None:
    with pytest.raises(tamis.OptionError, match=r"this is Fetched: give tamis\.RawPage\(response\.content, url\)$"):
        tamis.extract(Fetched())


@pytest.mark.parametrize("other", [None, 1, ["<p>x"], object(), print, REQUEST])
def test_anything_else_is_refused_with_all_that_is_accepted(other: object) -> None:
    with pytest.raises(tamis.OptionError) as caught:
        tamis.extract(other)
    words = ("str, bytes", "Document", "pathlib.Path", "tamis.fetch", "Scrapy", "lxml", "Beautiful Soup", "selectolax")
    assert all(word in str(caught.value) for word in (*words, "parsel", f"this is {type(other).__name__}"))


_WORDS = "<p>Der Fähre um halb sieben. Паром уходит в половине седьмого. 六時半に船が出る。</p>" * 300
_LATIN = "<p>The ferry leaves at half past six; latecomers walk. Größe façade señor.</p>" * 200
_RUSSIAN = "<p>Паром уходит.</p>" * 300
_JAPANESE = "<p>六時半に船が出る。</p>" * 300


@pytest.mark.parametrize(
    "data",
    [
        random.Random(1).randbytes(2_000),
        random.Random(2).randbytes(100_000),
        zlib.compress(random.Random(3).randbytes(5_000) + _LATIN.encode()),
        bytes(100_000),
        b"RIFF\x24\x80\x00\x00WEBPVP8 " + random.Random(4).randbytes(5_000),
        b"\xff\xfe" + random.Random(5).randbytes(20_000),
    ],
    ids=["few", "many", "compressed", "zeros", "an image", "with a mark of UTF-16"],
)
def test_what_is_no_text_is_no_page(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(data)
    for given in (data, path, tamis.RawPage(data), bytearray(data)):
        with pytest.raises(tamis.InputError, match="binary data, not a web page"):
            tamis.extract(given)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "gb18030"])
def test_pages_in_every_encoding_are_text(encoding: str) -> None:
    tamis.extract(tamis.RawPage(_WORDS.encode(encoding), charset=encoding.replace("-sig", "").replace("16-", "16")))


@pytest.mark.parametrize(
    ("encoding", "words"),
    [
        *((encoding, _LATIN) for encoding in ("windows-1252", "utf-16-le", "utf-16-be")),
        *((encoding, _RUSSIAN) for encoding in ("cp1251", "koi8-r")),
        *((encoding, _JAPANESE) for encoding in ("shift_jis", "iso-2022-jp", "euc-jp")),
        ("gbk", "<p>渡船六点半开。</p>" * 300),
        ("big5", "<p>渡船六點半開。</p>" * 300),
        ("euc-kr", "<p>배는 여섯 시 반에.</p>" * 300),
    ],
)
def test_pages_without_a_label_are_text(encoding: str, words: str) -> None:
    tamis.extract(words.encode(encoding))


def test_a_page_with_a_few_control_characters_is_one() -> None:
    tamis.extract(b"<p>One\x00 two\x01 three.</p>" * 8)
    tamis.extract(b"<p>" + b"Words of a page. " * 200 + b"\x00" * 60)
