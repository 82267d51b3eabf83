"""Clean HTML: the structure stays, nothing in it can run."""

from __future__ import annotations

import tamis


def html(source: str, *, links: bool = True, images: bool = True, tables: bool = True, url: str | None = None) -> str:
    page = tamis.extract(
        source,
        extractor="keep-all",
        url=url,
        include_links=links,
        include_images=images,
        include_tables=tables,
    )
    return page.html


def test_structure_is_kept_and_decoration_is_not() -> None:
    source = '<div class="x" style="color:red"><h2 id="a">Title</h2><p>Some <span>plain</span> <em>text</em>.</p></div>'
    assert html(source) == "<div><h2>Title</h2><p>Some plain <em>text</em>.</p></div>"


def test_links_become_absolute() -> None:
    source = '<p><a href="/a?b=1&c=2">one</a> <a href="#part">two</a> <a href="mailto:x@y.example">three</a></p>'
    written = html(source, url="https://site.example/dir/page.html")
    assert 'href="https://site.example/a?b=1&amp;c=2"' in written
    assert 'href="https://site.example/dir/page.html#part"' in written
    assert 'href="mailto:x@y.example"' in written


def test_the_base_of_the_page_counts() -> None:
    source = '<head><base href="https://other.example/x/"></head><p><a href="y">one</a></p>'
    assert 'href="https://other.example/x/y"' in html(source, url="https://site.example/")


def test_players_and_frames() -> None:
    source = (
        '<p>text</p><video><source src="v.mp4"></video><p>text</p><iframe data-src="https://v.example/1" title="Film">'
    )
    written = html(source + "</iframe><p>text</p>")
    assert '<video src="v.mp4" controls></video>' in written
    assert '<iframe src="https://v.example/1" title="Film" sandbox></iframe>' in written


def test_options_leave_the_text_alone() -> None:
    source = '<p>See <a href="x">this</a> <img src="i.png"></p><table><tr><th>A</th><th>B</th></tr>'
    source += "<tr><td>1</td><td>2</td></tr></table>"
    assert html(source, links=False, images=False, tables=False) == (
        "<p>See this</p> <div><div><div><div>A</div><div>B</div></div><div><div>1</div><div>2</div></div></div></div>"
    )
    assert "<td>1</td><td>2</td>" in html(source)


def test_language_and_direction_are_kept() -> None:
    assert html('<p lang="ar" dir="rtl">نص</p>') == '<p lang="ar" dir="rtl">نص</p>'


def test_empty_cells_keep_the_columns() -> None:
    source = "<table><tr><th>A</th><th>B</th><th>C</th></tr><tr><td>1</td><td></td><td>3</td></tr></table>"
    assert "<td>1</td><td></td><td>3</td>" in html(source)
