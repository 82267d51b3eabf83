"""Markdown as a renderer that lets raw HTML pass makes a page of it: only elements that Markdown means."""

from __future__ import annotations

from html import escape
from pathlib import Path

import pytest

pytest.importorskip("markdown_it")

from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

import tamis
from tamis.cli.main import main
from tests.attacks import FRAGMENTS, RUN, is_safe_address, page
from tests.golden import golden_pages
from tests.render.test_safe import elements_of

_SPANS = ("colspan", "rowspan", "scope", "style", "lang", "dir")
ALLOWED = {
    **dict.fromkeys("p h1 h2 h3 h4 h5 h6 em strong s code pre blockquote ul li br hr table thead tbody tfoot tr "
                    "caption details summary div dl dt dd b i u sup sub q del ins kbd samp var mark small abbr "
                    "cite".split(), ()),
    "a": ("href",), "img": ("src", "alt"), "code": ("class",), "ol": ("start",), "td": _SPANS, "th": _SPANS,
}  # fmt: skip

TEXTS = [
    f"<img src=x onerror={RUN}>", "<b>", "<script>", "</p>", "<!--", "<?", "<![CDATA[", f"<javascript:{RUN}>",
    f"[x](javascript:{RUN})", f"[x]: javascript:{RUN}", "[x]", "`", "``", "```", "````", "~~~", "~~~~", "\n", "\n\n",
    "    ", "\t", "> ", "- ", "1. ", "2) ", "# ", "---", "===", "|", "| --- |", "*", "_", "\\", "&lt;", "&#60;", "]",
    "(", "!", "é", "中", "word", "\u2028", "\x0c", "\x85",
]  # fmt: skip
TAGS = (
    "pre pre code kbd samp sub sup s del b i em strong q blockquote ul ol li menu dir table tr td th caption p h1 h2 "
    "dl dt dd div figure figcaption details summary span u ruby rt mark xmp listing var small abbr math mtext address "
    "button center time cite dfn textarea select noscript marquee object hr br"
).split()
ADDRESSES = [
    "x", f"javascript:{RUN}", f"./javascript:{RUN}", "a b", "a)b", "a>b", "<x>", "x\\)y", "`", "a|b", "https://e.example/",
    f"javascript&colon;{RUN}", f"x) [y](javascript:{RUN}", f"<img src=x onerror={RUN}>", "https://e.example/a_b_c",
]  # fmt: skip
LANGUAGES = ["python", "a`b", "```", "x\ny", "c++", "a~b", "<b>"]

PIECES = st.one_of(
    st.sampled_from([escape(text) for text in TEXTS]),
    st.sampled_from(["&#13;", "&#10;", "&#9;", "&nbsp;"]),
    st.sampled_from([f"<{tag}>" for tag in TAGS]),
    st.sampled_from([f"</{tag}>" for tag in TAGS]),
    st.sampled_from([f'<a href="{escape(url)}">' for url in ADDRESSES]),
    st.sampled_from([f'<img src="{escape(url)}" alt="{escape(alt)}">' for url in ADDRESSES for alt in ("a`", "]<b>")]),
    st.sampled_from([f'<pre class="language-{language}">' for language in LANGUAGES]),
    st.sampled_from(["<td colspan=3>", "<th rowspan=2>", "<ol start=1000000000>", "<ol start=0>", "</a>"]),
)


def assert_rendered_harmless(markdown: str) -> None:
    for renderer in (
        MarkdownIt("commonmark", {"html": True}),
        MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]),
    ):
        renderer.validateLink = lambda url: True  # type: ignore[method-assign]
        for tag, found in elements_of(renderer.render(markdown)):
            assert tag in ALLOWED, tag
            for name, value in found.items():
                assert name in ALLOWED[tag], f"{tag} {name}={value!r}"
                assert name not in ("href", "src") or is_safe_address(value), f"{tag} {name}={value!r}"


@pytest.mark.parametrize("url", [None, "page.html"])
@pytest.mark.parametrize("fragment", FRAGMENTS)
def test_hostile_fragments(fragment: str, url: str | None) -> None:
    assert_rendered_harmless(tamis.extract(page(fragment), extractor="keep-all", url=url).markdown)


def test_front_matter_is_no_markup(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "page.html"
    title = escape(f"<img src=x onerror={RUN}> [x](javascript:{RUN})")
    file.write_text(page(f"<meta name=author content='{title}'><h1>{title}</h1>").replace("A bridge", title))
    assert main(["extract", str(file), "--format", "markdown", "--with-metadata"]) == 0
    written = capsys.readouterr().out
    assert "author" in written
    assert_rendered_harmless(written)


def test_golden_pages() -> None:
    for golden in golden_pages():
        assert_rendered_harmless(golden.perfect().markdown)


@given(st.lists(PIECES, max_size=40))
@example(["<time>", "<pre>", "s", "</pre>", "<s>", "é", "</s>", "x", "<pre>", "&lt;b&gt;"])
@example(['<a href="a b">', "<h2>", "<table>", "<th>", "é", "<td>", '<a href="a)b">', "~"])
def test_any_markup(pieces: list[str]) -> None:
    assert_rendered_harmless(tamis.extract("".join(pieces), extractor="keep-all").markdown)
