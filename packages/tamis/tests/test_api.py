"""The public names of `tamis`, and `tamis.extract` as a program sees it."""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

import tamis
from tests.extractors import unlinked, word_count

FIRST = (
    "The baker rises long before the town does, and by four in the morning "
    "the ovens have already been hot for an hour or more."
)
SECOND = (
    "By six the first customers knock at the side door, since they know that "
    "the loaves on the rack have not yet lost their warmth."
)
PAGE = f"""<title>Bread at dawn - The Oven</title><nav><a href="/">Home</a></nav>
<h1>Bread at dawn</h1><p>{FIRST}</p><p>{SECOND}</p><footer><a href="/legal">All rights reserved</a></footer>"""
TEXT = f"Bread at dawn\n\n{FIRST}\n\n{SECOND}"

# What is tested here should not change when the default extractor gets better.
ARTICLE = unlinked

PUBLIC = """
    ContentLink Document Extracted Extractor Facts FetchError InputError Item Labels Metadata MissingExtra OptionError
    Page PageFailed PageState PageTooLarge PageTooSlow Post RawPage Role Site TamisError UnknownExtractor WeightsError
    __version__ batch errors explain extract extract_many extractors fetch labels read_metadata testing
""".split()


# A page that the default is shown with: menus around an article of some length.
PARAGRAPHS = [
    FIRST,
    SECOND,
    *(
        f"In year {year} the bakery changed hands again, and the new owner kept the old oven, the old recipes and "
        f"most of the customers, {year} families in all."
        for year in range(6)
    ),
]
ARTICLE_PAGE = f"""<title>Bread at dawn - The Oven</title><header><nav><ul><li><a href="/">Home</a></li>
<li><a href="/shop">Shop</a></li><li><a href="/about">About us</a></li></ul></nav></header><main><article>
<h1>Bread at dawn</h1>{"".join(f"<p>{text}</p>" for text in PARAGRAPHS)}</article></main>
<aside><h3>Most read</h3><ul><li><a href="/a">Ten cakes for May</a></li><li><a href="/b">The price of flour</a></li>
</ul></aside><footer><a href="/legal">All rights reserved</a> <a href="/contact">Contact</a></footer>"""

# A blog with comments.
BLOG_TEXTS = [
    f"Part {part}. {SECOND if part % 3 else FIRST} Nobody in the street remembers a day on which it stayed closed."
    for part in range(15)
]
_WHO = ("My grandmother", "The shop in our street", "A friend of mine", "Our old neighbour")
_DID = ("baked like that for forty years", "used to open at five", "taught me how to feed a starter")
_SO = (
    "and I still have the tin it came in.",
    "so your story took me right back there.",
    "which nobody believes today.",
)
COMMENTS = [f"{_WHO[number % 4]} in number {number} {_DID[number % 3]}, {_SO[number // 3]}" for number in range(8)]
BLOG_PAGE = f"""<title>Bread at dawn - The Oven</title>
<meta property="og:type" content="article"><div><header><nav><ul><li><a href="/">Home</a></li>
<li><a href="/shop">Shop</a></li><li><a href="/about">About</a></li><li><a href="/contact">Contact</a></li>
<li><a href="/recipes">Recipes</a></li></ul></nav></header><main><article><h1>Bread at dawn</h1>
<div class="entry">{"".join(f"<p>{text}</p>" for text in BLOG_TEXTS)}</div></article>
<div id="comments"><div><h2>{len(COMMENTS)} thoughts on “Bread at dawn”</h2><ol class="comment-list">{
    "".join(
        f'''<li class="comment"><article><footer><div>Reader {number} says:</div>
        <div><a href="#c{number}">March {number + 1}, 2021 at {number + 1}:0{number} pm</a></div></footer>
        <div><p>{comment}</p></div><div><a href="#r">Reply</a></div></article></li>'''
        for number, comment in enumerate(COMMENTS)
    )
}</ol></div><div><h3>Leave a Reply</h3><p>Your email address will not be published.</p></div></div></main>
<footer><p>All rights reserved</p></footer></div>"""


@dataclass(frozen=True)
class Talkers:
    """A user's own extractor that knows comments: every paragraph is one."""

    def label(self, document: tamis.Document) -> tamis.Labels:
        wanted = document.inside("h1") & document.leaves.visible
        roles = tuple(tamis.Role.TEXT if each else tamis.Role.COMMENT for each in wanted)
        return tamis.Labels(wanted.astype(np.float64), wanted, roles)


@dataclass(frozen=True)
class Unfolds(Talkers):
    """A user's own extractor that reads a page in its own way."""

    def read(self, document: tamis.Document) -> tamis.Document:
        return document.unfolded


@dataclass(frozen=True)
class OnlyHeadings:
    """A user's own extractor."""

    def label(self, document: tamis.Document) -> tamis.Labels:
        wanted = document.inside("h1")
        return tamis.Labels(wanted.astype(np.float64), wanted)


# The module


def test_public_names() -> None:
    assert dir(tamis) == PUBLIC
    assert all(hasattr(tamis, name) for name in PUBLIC)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'tamis' has no attribute 'sift'"):
        _ = tamis.sift


@pytest.mark.slow
@pytest.mark.parametrize(
    "code",
    [
        "import tamis; tamis.extractors(); tamis.extract('')",
        "import tamis; tamis.extract(''); tamis.extractors()",
        "import tamis, tamis.registry; tamis.extractors()",
        "import tamis; tamis.explain.explain('<p>x')",
        "import tamis; tamis.batch.run.run, tamis.batch.rows.BatchOptions, tamis.batch.columns.chosen",
        "import tamis; tamis.extract_many; tamis.batch.run.run, tamis.batch.duplicates.groups",
        "import tamis; tamis.labels.from_text_scores, tamis.errors.InputError",
        "from tamis import *; extractors(); extract('')",
        "import tamis.extractor.tamis as t, tamis; assert t.tamis; tamis.extractors()",
        "import tamis; tamis.extractors(); import tamis.extractor.tamis as t; assert t.tamis; tamis.extractors()",
    ],
)
def test_public_names_mean_the_same_whatever_is_used_first(code: str) -> None:
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_a_caller_can_not_change_the_list_of_extractors() -> None:
    tamis.extractors().clear()
    assert tamis.extractors()


# The default, as somebody sees it who asks for nothing special


def test_the_default_takes_the_article_and_leaves_the_menus() -> None:
    page = tamis.extract(ARTICLE_PAGE)
    assert page.text.split("\n\n")[-len(PARAGRAPHS) :] == PARAGRAPHS
    for menu in ("Home", "About us", "Most read", "The price of flour", "All rights reserved"):
        assert menu not in page.text, menu
    assert (page.source, page.title) == ("page", "Bread at dawn")
    assert page.as_dict()["source"] == "page"


def test_the_default_says_what_each_block_is() -> None:
    blocks = {block.text: block for block in tamis.extract(ARTICLE_PAGE).blocks}
    assert blocks["Bread at dawn"].role is tamis.Role.TITLE
    assert blocks[FIRST].role is tamis.Role.TEXT
    assert blocks["About us"].role in (tamis.Role.BOILERPLATE, tamis.Role.RELATED)
    assert blocks[FIRST].score > 0.5 > blocks["About us"].score


@pytest.mark.parametrize("hides", ["hidden", "style='display:none'", "class=collapsed hidden"])
def test_the_default_reads_what_a_page_folds_away(hides: str) -> None:
    shown, folded = PARAGRAPHS[:3], PARAGRAPHS[3:]
    rest = "".join(f"<p>{text}</p>" for text in folded)
    html = ARTICLE_PAGE.replace(rest, f"<button>Read more</button><div {hides}>{rest}</div>")
    assert html != ARTICLE_PAGE
    page = tamis.extract(html)
    assert [text for text in (*shown, *folded) if text not in page.text] == []
    assert "Home" not in page.text
    plain = tamis.extract(html, extractor="keep-all").text
    assert shown[0] in plain
    assert folded[0] not in plain, "others read what is shown"


def test_the_default_reads_data_where_a_page_shows_nothing() -> None:
    data = {"@type": "NewsArticle", "headline": "Bread at dawn", "articleBody": "\n\n".join(PARAGRAPHS)}
    html = f"""<title>Bread at dawn</title><meta name="author" content="Ann Miller">
        <script type="application/ld+json">{json.dumps(data)}</script>
        <noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div>"""
    page = tamis.extract(html, url="https://oven.example/bread")
    assert page.source == json.loads(page.json)["source"] == "json-ld"
    assert page.text.split("\n\n")[-len(PARAGRAPHS) :] == PARAGRAPHS
    assert "JavaScript" not in page.text
    assert (page.title, page.metadata.author) == ("Bread at dawn", "Ann Miller"), (
        "the page as it came says who wrote it"
    )
    assert page.url == "https://oven.example/bread"
    assert tamis.extract(html, extractor="keep-all").source == "page"


def test_the_default_leaves_comments_out_unless_they_are_asked_for() -> None:
    usual = tamis.extract(BLOG_PAGE)
    asked = tamis.extract(BLOG_PAGE, include_comments=True)
    assert all(text in usual.text and text in asked.text for text in BLOG_TEXTS)
    assert [comment for comment in COMMENTS if comment in usual.text] == []
    assert sum(comment in asked.text for comment in COMMENTS) > len(COMMENTS) / 2
    assert not (usual.labels.keep & ~asked.labels.keep).any()
    assert "Recipes" not in asked.text


def test_comments_come_in_with_any_extractor_that_knows_them_and_with_no_other() -> None:
    html = "<h1>a</h1><p>b</p><p hidden>c</p>"
    assert tamis.extract(html, extractor=Talkers()).text == "a"
    assert tamis.extract(html, extractor=Talkers(), include_comments=True).text == "a\n\nb"
    for other in (unlinked, word_count):
        usual, asked = (tamis.extract(BLOG_PAGE, extractor=other, include_comments=wish).text for wish in (False, True))
        assert usual == asked


@pytest.mark.parametrize(
    "html",
    [
        pytest.param("", id="empty"),
        pytest.param("<title>Empty</title><template><p>Never shown</p></template><img src=x>", id="nothing to see"),
        pytest.param("<ul>" + "<li><a href=x>Item</a></li>" * 20 + "</ul>", id="a menu"),
        pytest.param(
            "<nav><a href=/>Home</a><a href=/news>News</a></nav><footer><p>© 2026 Harbour News. All rights reserved.",
            id="a menu and a footer",
        ),
        pytest.param("<form><label>Name</label><input><label>Password</label><input></form>", id="a form"),
        pytest.param("<body><div></div><noscript>Enable JavaScript to run this app.</noscript>", id="an app"),
    ],
)
def test_where_nothing_is_content_the_default_says_so(html: str) -> None:
    page = tamis.extract(html)
    assert (page.text, page.markdown) == ("", "")
    assert not page.labels.keep.any()


# What goes in


def test_encoding_is_the_charset_that_the_server_named() -> None:
    page = tamis.extract(PAGE.replace("baker", "пекарь").encode("koi8-r"), encoding="koi8-r")
    assert "пекарь" in page.text
    assert page.document.encoding == "koi8-r"


def test_an_unknown_encoding_is_refused() -> None:
    for call in (tamis.extract, tamis.read_metadata):
        with pytest.raises(tamis.OptionError, match=r"^no encoding is called 'klingon'$"):
            call(PAGE.encode(), encoding="klingon")


def test_an_unknown_charset_of_a_server_is_ignored() -> None:
    assert tamis.extract(tamis.RawPage(PAGE.encode(), None, "klingon"), extractor=ARTICLE).text == TEXT


def test_one_document_serves_several_extractors() -> None:
    document = tamis.Document.from_html(PAGE.encode(), url="https://oven.example/a/")
    for extractor in ("tamis", unlinked, word_count):
        alone = tamis.extract(PAGE.encode(), url="https://oven.example/a/", extractor=extractor)
        shared = tamis.extract(document, extractor=extractor)
        assert (shared.text, shared.markdown, shared.url) == (alone.text, alone.markdown, alone.url)


def test_metadata_without_an_extraction_of_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> str:
        raise AssertionError

    html = ARTICLE_PAGE.replace("<header>", '<meta name="author" content="Ann Miller"><header>')
    page = tamis.extract(html, url="https://oven.example/2024/03/05/bread")
    expected = page.metadata
    monkeypatch.setattr("tamis.page.to_text", never)
    found = tamis.read_metadata(html.encode(), url="https://oven.example/2024/03/05/bread", encoding="utf-8")
    assert isinstance(found, tamis.Metadata)
    assert found == expected
    assert (found.title, found.authors, found.author) == ("Bread at dawn", ("Ann Miller",), "Ann Miller")
    assert tamis.read_metadata(page.original) == expected, "of a document, too"
    with pytest.raises(tamis.OptionError, match="timeout"):
        tamis.read_metadata(html, timeout=0)


@pytest.mark.parametrize("options", [{"url": "https://oven.example/"}, {"encoding": "utf-8"}])
def test_a_document_has_its_own_url_and_encoding(options: dict[str, str]) -> None:
    with pytest.raises(tamis.OptionError, match=r"Document\.from_html"):
        tamis.extract(tamis.Document.from_html(PAGE), **options)  # type: ignore[arg-type]


def test_the_page_type_is_one_answer_whatever_extracts() -> None:
    usual = tamis.extract(ARTICLE_PAGE)
    assert usual.page_type == usual.labels.page_types.best == "article"  # type: ignore[union-attr]
    other = tamis.extract(ARTICLE_PAGE, extractor="keep-all")
    assert (other.page_type, other.page_type_confidence) == (usual.page_type, usual.page_type_confidence)
    assert json.loads(other.json)["page_type"] == "article"


def test_the_tree_of_errors_is_the_one_that_is_drawn() -> None:
    from tamis import errors
    from tamis.batch import bodies, rows
    from tamis.worker import service
    from tamis_lab.corpora import catalogue, files

    assert all((bodies, rows, catalogue, files, service)), "their errors are known once they are imported"
    drawn = set(re.findall(r"[A-Z][a-z]+[A-Z]\w+", errors.__doc__ or ""))
    known = {error.__name__ for error in _below(tamis.TamisError) if error.__module__.startswith("tamis.")}
    assert known <= drawn


def _below(error: type[Exception]) -> set[type[Exception]]:
    return {error, *(inner for below in error.__subclasses__() for inner in _below(below))}


# The default extractor keeps no text of these.
EMPTY_PAGES = [
    "<p>-</p>",
    "\u200b",
    "<form><button>Search</button></form>",
    "<h1>Loading</h1>",
    "<nav><a href=/>Home</a></nav>",
    "<div id=root></div><noscript>You need to enable JavaScript to run this app.</noscript>",
]


@pytest.mark.parametrize("extractor", ["tamis", "keep-all"])
def test_an_empty_page_has_no_type_whatever_extracts(extractor: str) -> None:
    for html in EMPTY_PAGES:
        page = tamis.extract(html, extractor=extractor)
        assert (page.page_type, page.page_type_confidence) == (None, None)
    for row in tamis.extract_many(EMPTY_PAGES, workers=1, extractor=extractor):
        assert isinstance(row, tamis.Extracted)
        assert (row.page_type, row.page_type_confidence) == (None, None)


def test_precision_keeps_only_what_is_sure_and_recall_what_may_be() -> None:
    twelve, six = " ".join(FIRST.split()[:12]), " ".join(FIRST.split()[:6])
    html = f"<p>{FIRST}</p><p>{twelve}</p><p>{six}</p><p>two words</p>"
    usual = tamis.extract(html, extractor=word_count).text
    precise = tamis.extract(html, extractor=word_count, favor_precision=True).text
    complete = tamis.extract(html, extractor=word_count, favor_recall=True).text
    assert usual.split("\n\n") == [FIRST, twelve]
    assert precise == FIRST
    assert complete.split("\n\n") == [FIRST, twelve, six]


def test_an_extractor_may_read_a_page_in_its_own_way() -> None:
    html = "<h1 hidden class=tab>Folded</h1><h1>Shown</h1><p>said</p>"
    assert tamis.extract(html, extractor=Talkers()).text == "Shown"
    page = tamis.extract(html, extractor=Unfolds())
    assert page.text == "Folded\n\nShown"
    assert page.document.leaves.visible.all()
    assert [block.text for block in page.blocks] == ["Folded", "Shown", "said"]


@pytest.mark.parametrize("extractor", [OnlyHeadings, object(), 7, None])
def test_what_can_not_label_is_no_extractor(extractor: Any) -> None:
    with pytest.raises(tamis.OptionError, match="an object with a label method"):
        tamis.extract(PAGE, extractor=extractor)


def test_labels_that_do_not_fit_the_page_are_an_error() -> None:
    class Short:
        def label(self, document: tamis.Document) -> tamis.Labels:
            return tamis.Labels(np.zeros(1), np.zeros(1, np.bool_))

    with pytest.raises(tamis.OptionError, match="labels 1 leaves of a page that has 2"):
        tamis.extract("<p>a</p><p>b</p>", extractor=Short())


# What comes out


def test_the_forms_of_a_page() -> None:
    page = tamis.extract(PAGE, extractor=ARTICLE)
    assert page.title == "Bread at dawn"
    assert page.markdown == f"# Bread at dawn\n\n{FIRST}\n\n{SECOND}"
    assert page.html == f"<h1>Bread at dawn</h1><p>{FIRST}</p><p>{SECOND}</p>"
    assert f'<mark class="tamis">{SECOND}</mark>' in page.highlighted


def test_json_holds_the_same_as_the_attributes() -> None:
    page = tamis.extract(PAGE, url="https://oven.example/", extractor=ARTICLE)
    data = json.loads(page.json)
    assert data == json.loads(json.dumps(page.as_dict()))
    assert (data["url"], data["extractor"]) == ("https://oven.example/", "Unlinked")
    assert data["text"] == page.text
    assert data["metadata"]["title"] == page.title
    assert "blocks" not in data
    assert page.as_dict(blocks=True) == {**page.as_dict(), "blocks": [block.as_dict() for block in page.blocks]}


def test_blocks_hold_all_visible_text_with_its_verdict() -> None:
    blocks = tamis.extract(PAGE, extractor=ARTICLE).blocks
    assert [(block.text, block.keep) for block in blocks] == [
        ("Home", False),
        ("Bread at dawn", True),
        (FIRST, True),
        (SECOND, True),
        ("All rights reserved", False),
    ]
    assert (blocks[0].role, blocks[2].role) == (tamis.Role.BOILERPLATE, tamis.Role.TEXT)
    assert (blocks[2].tag_path, blocks[3].xpath) == ("html/body/p", "/html[1]/body[1]/p[2]/text()[1]")


def test_options_change_how_markdown_is_written_and_not_the_text() -> None:
    html = (
        '<p>See <a href="n.html">notes</a> <img src="a.jpg" alt="a"> end</p><table><tr><td>1<td>2<tr><td>3<td>4</table>'
    )
    full = tamis.extract(html, extractor="keep-all")
    bare = tamis.extract(html, extractor="keep-all", include_links=False, include_images=False, include_tables=False)
    assert bare.text == full.text
    assert "[notes](n.html)" in full.markdown
    assert "![a](a.jpg)" in full.markdown
    assert "|" in full.markdown
    assert not set("[]!|") & set(bare.markdown)


@pytest.mark.parametrize("html", ["", " \n", b"", "<!-- -->", "<title></title>"])
def test_an_empty_page_has_empty_forms(html: str | bytes) -> None:
    page = tamis.extract(html)
    assert (page.text, page.markdown, page.html) == ("", "", "")
    assert (page.blocks, page.title) == ([], None)
    assert json.loads(page.json)["text"] == ""


def test_a_page_prints_short() -> None:
    page = tamis.extract(ARTICLE_PAGE)
    assert repr(page) == f"<Page article {page.page_type_confidence:.2f} 'Bread at dawn' {page.words} words>"
    menu = "<nav><a href=/>Home</a></nav>"
    assert repr(tamis.extract(menu, extractor="keep-all")) == "<Page 1 word>"
    assert repr(tamis.extract("")) == "<Page 0 words>"
    long = tamis.extract(f"<title>{'The old bridge ' * 9}</title>{menu}", extractor="keep-all")
    assert repr(long) == "<Page 'The old bridge The old bridge The old bridge The old …' 1 word>"


def test_a_page_that_fails_has_a_repr_too() -> None:
    page = replace(tamis.extract(BLOG_PAGE), timeout=1e-9)
    with pytest.raises(tamis.PageTooSlow):
        _ = page.title
    assert repr(page) == "<Page PageTooSlow>"


def test_the_address_is_kept_without_credentials() -> None:
    page = tamis.extract('<p><a href="b.html">next</a>', url="https://me:secret@oven.example/a/", extractor="keep-all")
    assert page.url == "https://oven.example/a/"
    assert "(https://oven.example/a/b.html)" in page.markdown
    assert "secret" not in page.html + page.json


@pytest.mark.parametrize("url", ["https://oven.example/\ud800", "\udfff", "https://[", "http://\x00/"])
def test_an_address_that_is_none_harms_no_output(url: str) -> None:
    page = tamis.extract('<title>a</title><p><a href="b.html">next</a><img src=c.png>', url=url, extractor="keep-all")
    for output in (page.text, page.markdown, page.html, page.json, page.highlighted, str(page.metadata.as_dict())):
        output.encode("utf-8")


@pytest.mark.parametrize(
    "options", [{"timeout": "1"}, {"timeout": 10**400}, {"timeout": float("nan")}, {"url": 3}, {"encoding": 3}], ids=str
)
def test_options_of_another_type_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(tamis.OptionError):
        tamis.extract("<p>x", **options)


@pytest.mark.parametrize(
    "old",
    [
        "inputs.read",
        "inputs.shards",
        "inputs.fingerprint",
        "rows.row",
        "rows.answer",
        "rows.answers",
        "workers.isolated",
    ],
)
def test_functions_of_batches_are_found_by_their_old_names_with_a_warning(old: str) -> None:
    module, name = old.split(".")
    with pytest.warns(DeprecationWarning, match=f"{old} is called"):
        assert callable(getattr(importlib.import_module(f"tamis.batch.{module}"), name))
