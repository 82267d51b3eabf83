from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamis import Document
from tamis.document.decode import charset_of, clean_text, decode

FRENCH = "<p>Un café très français, déjà prêt à être goûté.</p>"
RUSSIAN = "<p>Съешь же ещё этих мягких французских булок, да выпей чаю.</p>"
JAPANESE = "<p>日本語のページです。これは本文です。</p>"


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [(b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16le"), (b"\xfe\xff", "utf-16be")],
)
def test_a_byte_order_mark_wins_and_is_no_text(mark: bytes, encoding: str) -> None:
    assert decode(mark + JAPANESE.encode(encoding), encoding="latin1") == (JAPANESE, encoding)


@pytest.mark.parametrize(
    ("text", "codec", "label", "name"),
    [
        ("", "utf-8", None, "utf-8"),
        (RUSSIAN, "utf-8", None, "utf-8"),
        (FRENCH, "utf-16le", None, "utf-16le"),
        (FRENCH, "utf-16be", None, "utf-16be"),
        (JAPANESE, "utf-16le", "utf-16le", "utf-16le"),
        (JAPANESE, "utf-16be", "utf-16be", "utf-16be"),
        ("\0\0ab" * 20, "ascii", None, "utf-8"),
        # A declaration after a long script; the header wins over it; valid UTF-8 over both; it is wrong.
        (f"<script>{'x' * 5_000}</script><meta charset=koi8-r>{RUSSIAN}", "koi8-r", None, "koi8-r"),
        (f"<meta charset=iso-8859-1>{RUSSIAN}", "cp1251", "windows-1251", "windows-1251"),
        (f"<meta charset=iso-8859-1>{FRENCH}", "utf-8", "windows-1252", "utf-8"),
        (f"<meta charset=utf-8>{RUSSIAN}", "cp1251", "utf-8", "windows-1251"),
        (f"<meta charset=utf-8>{RUSSIAN}", "cp1251", None, "windows-1251"),
    ],
)
def test_the_encoding_of_a_page(text: str, codec: str, label: str | None, name: str) -> None:
    assert decode(text.encode(codec), encoding=label) == (text, name)


@pytest.mark.parametrize(
    ("label", "text", "codec", "name"),
    [
        ("ISO-8859-1", FRENCH, "cp1252", "windows-1252"),
        ("latin-1", FRENCH, "cp1252", "windows-1252"),
        (" Windows-1251 ", RUSSIAN, "cp1251", "windows-1251"),
        ("koi8-r", RUSSIAN, "koi8-r", "koi8-r"),
        ("x-sjis", JAPANESE, "shift_jis", "shift_jis"),
        ("euc-jp", JAPANESE, "euc-jp", "euc-jp"),
        ("iso-2022-jp", JAPANESE, "iso-2022-jp", "iso-2022-jp"),
        ("gb2312", "<p>中文网页</p>", "gbk", "gbk"),
        ("big5", "<p>中文網頁</p>", "big5", "big5"),
        ("ks_c_5601-1987", "<p>한국어</p>", "euc-kr", "euc-kr"),
    ],
)
def test_the_header_says_the_encoding(label: str, text: str, codec: str, name: str) -> None:
    assert decode(text.encode(codec), encoding=label) == (text, name)


@pytest.mark.parametrize(
    ("label", "text", "codec"),
    [
        ("windows-1251", RUSSIAN, "cp1251"),
        ("shift_jis", JAPANESE, "shift_jis"),
        ("iso-2022-jp", JAPANESE, "iso2022_jp"),
    ],
)
@pytest.mark.parametrize(
    "meta", ["<meta charset={}>", '<meta http-equiv=Content-Type content="text/html; charset={}">']
)
def test_a_meta_says_the_encoding(meta: str, label: str, text: str, codec: str) -> None:
    page = meta.format(label) + text
    assert decode(page.encode(codec)) == (page, label)


@pytest.mark.parametrize("control", ["\0", "\x1b", "\x1b$B"])
def test_valid_utf8_with_control_characters_is_utf8(control: str) -> None:
    page = f"<meta charset=windows-1252>{FRENCH}{control}"
    assert decode(page.encode(), encoding="windows-1252") == (page, "utf-8")
    assert decode(page.encode()) == (page, "utf-8")


@pytest.mark.parametrize("hint", ["utf-16", "utf-16le", "utf-16be"])
def test_ascii_is_no_utf16_whatever_the_header_says(hint: str) -> None:
    assert decode(b"<p>plain text</p>", encoding=hint).text == "<p>plain text</p>"


@pytest.mark.parametrize("label", ["no-such-charset", "", "utf-7", "replacement"])
def test_a_label_nobody_knows_is_ignored(label: str) -> None:
    assert decode(FRENCH.encode("cp1252"), encoding=label) == (FRENCH, "windows-1252")


@pytest.mark.parametrize(
    ("text", "codec"),
    [(FRENCH, "cp1252"), (RUSSIAN, "cp1251"), (JAPANESE, "shift_jis"), (JAPANESE, "euc-jp")],
)
def test_without_labels_the_encoding_is_detected(text: str, codec: str) -> None:
    assert decode(text.encode(codec)).text == text


@pytest.mark.parametrize("damage", [b"\xff", b"\xc3"])
def test_one_broken_byte_does_not_change_the_encoding_of_a_long_page(damage: bytes) -> None:
    page = RUSSIAN * 50
    assert decode(page.encode() + damage) == (page + "\ufffd", "utf-8")


def test_replacement_characters_of_the_page_are_no_errors() -> None:
    page = (RUSSIAN + "\ufffd" * 5) * 50
    assert decode(page.encode() + b"\xff") == (page + "\ufffd", "utf-8")


def test_what_an_encoding_does_not_know_becomes_a_replacement_character() -> None:
    assert decode(b"\x93\xfa\xff", encoding="shift_jis").text == "日\ufffd"


@pytest.mark.parametrize(("text", "clean"), [("a\ud800b", "a\ufffdb"), ("\ud83d\ude00", "😀"), (JAPANESE, JAPANESE)])
def test_lone_surrogates_become_replacement_characters(text: str, clean: str) -> None:
    assert clean_text(text) == clean


def test_the_document_says_how_it_was_read() -> None:
    assert Document.from_html(FRENCH.encode("cp1252"), encoding="latin1").encoding == "windows-1252"
    assert Document.from_html(FRENCH).encoding == "str"


@settings(database=None)
@given(st.binary(max_size=300), st.sampled_from([None, "utf-8", "utf-16", "iso-2022-jp", "gb18030", "x", "\0"]))
def test_decoding_never_fails(data: bytes, hint: str | None) -> None:
    decode(data, encoding=hint).text.encode("utf-8")


@pytest.mark.parametrize(
    ("header", "charset"),
    [
        ("text/html; charset=utf-8", "utf-8"),
        ('text/html;CHARSET="KOI8-R"; x=y', "KOI8-R"),
        ("text/html; charset = 'latin1'", "latin1"),
        ("text/html; charset=" + " " * 60_000 + ";", None),
        ("text/html; charset=", None),
        ("text/html", None),
        ("", None),
        (None, None),
    ],
)
def test_charset_of_a_header(header: str | None, charset: str | None) -> None:
    assert charset_of(header) == charset
