"""The public names of `tamis`, and `tamis.extract` as a program sees it."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import tamis

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
ARTICLE = "boilerpipe-article"

PUBLIC = [
    "Document",
    "Extractor",
    "FetchError",
    "InputError",
    "Labels",
    "MissingExtra",
    "OptionError",
    "Page",
    "PageTooLarge",
    "Role",
    "TamisError",
    "UnknownExtractor",
    "__version__",
    "extract",
    "extractors",
]


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


@pytest.mark.parametrize(
    "code",
    [
        "import tamis; tamis.extractors(); tamis.extract('')",
        "import tamis; tamis.extract(''); tamis.extractors()",
        "import tamis, tamis.systems.registry; tamis.extractors()",
        "from tamis import *; extractors(); extract('')",
        "import tamis.systems.boilerpipe as b, tamis; assert b.article; tamis.extractors()",
        "import tamis; tamis.extractors(); import tamis.systems.boilerpipe as b; assert b.article; tamis.extractors()",
    ],
)
def test_public_names_mean_the_same_whatever_is_used_first(code: str) -> None:
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_extractors_come_with_summary_and_paper() -> None:
    known = tamis.extractors()
    assert {"keep-all", "boilerpipe-article"} <= set(known)
    assert all(entry.name == name and entry.summary and entry.paper for name, entry in known.items())


def test_a_caller_can_not_change_the_list_of_extractors() -> None:
    tamis.extractors().clear()
    assert tamis.extractors()


def test_one_name_catches_every_error() -> None:
    errors = (
        tamis.InputError,
        tamis.PageTooLarge,
        tamis.FetchError,
        tamis.OptionError,
        tamis.UnknownExtractor,
        tamis.MissingExtra,
    )
    assert all(issubclass(error, tamis.TamisError) for error in errors)


# What goes in


def test_the_default_extractor_tells_content_from_links() -> None:
    page = tamis.extract(PAGE)
    assert page.extractor in tamis.extractors()
    assert f"{FIRST}\n\n{SECOND}" in page.text
    assert "Home" not in page.text


def test_extract_from_text_and_from_bytes() -> None:
    assert tamis.extract(PAGE, extractor=ARTICLE).text == TEXT
    assert tamis.extract(PAGE.encode(), extractor=ARTICLE).text == TEXT


def test_encoding_is_the_charset_that_the_server_named() -> None:
    page = tamis.extract(PAGE.replace("baker", "пекарь").encode("koi8-r"), encoding="koi8-r")
    assert "пекарь" in page.text
    assert page.document.encoding == "koi8-r"


def test_an_unknown_encoding_is_ignored() -> None:
    assert tamis.extract(PAGE.encode(), encoding="no-such-charset", extractor=ARTICLE).text == TEXT


def test_url_makes_links_absolute() -> None:
    page = tamis.extract('<p><a href="b.html">next</a>', url="https://oven.example/a/", extractor="keep-all")
    assert page.url == "https://oven.example/a/"
    assert page.markdown == "[next](https://oven.example/a/b.html)"


@pytest.mark.parametrize("page", [None, 3, ["<p>"], bytearray(b"<p>")])
def test_a_page_is_text_or_bytes(page: Any) -> None:
    with pytest.raises(tamis.OptionError, match=f"not {type(page).__name__}"):
        tamis.extract(page)


def test_precision_and_recall_exclude_each_other() -> None:
    with pytest.raises(tamis.OptionError, match="exclude each other"):
        tamis.extract(PAGE, favor_precision=True, favor_recall=True)


def test_precision_keeps_only_what_is_sure_and_recall_what_may_be() -> None:
    twelve, six = " ".join(FIRST.split()[:12]), " ".join(FIRST.split()[:6])
    html = f"<p>{FIRST}</p><p>{twelve}</p><p>{six}</p><p>two words</p>"
    usual = tamis.extract(html, extractor="min-words").text
    precise = tamis.extract(html, extractor="min-words", favor_precision=True).text
    complete = tamis.extract(html, extractor="min-words", favor_recall=True).text
    assert usual.split("\n\n") == [FIRST, twelve]
    assert precise == FIRST
    assert complete.split("\n\n") == [FIRST, twelve, six]


def test_an_unknown_extractor_names_the_known_ones() -> None:
    with pytest.raises(tamis.UnknownExtractor) as error:
        tamis.extract(PAGE, extractor="sieve")
    assert "'sieve'" in str(error.value)
    assert all(name in str(error.value) for name in tamis.extractors())


def test_any_object_with_a_label_method_is_an_extractor() -> None:
    page = tamis.extract(PAGE, extractor=OnlyHeadings())
    assert page.text == "Bread at dawn"
    assert page.extractor == "OnlyHeadings"


def test_a_page_that_is_too_large_is_refused() -> None:
    with pytest.raises(tamis.PageTooLarge, match="limit"):
        tamis.extract("<b>" * 2_000_001)


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
    assert (data["url"], data["extractor"]) == ("https://oven.example/", ARTICLE)
    assert data["text"] == page.text
    assert data["metadata"]["title"] == page.title
    assert [block["text"] for block in data["blocks"]] == [block.text for block in page.blocks]


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


def test_labels_have_a_score_and_a_flag_for_each_leaf() -> None:
    page = tamis.extract(PAGE, extractor=ARTICLE)
    assert len(page.labels.scores) == len(page.labels.keep) == len(page.document.leaves)
    assert page.labels.keep.any()
    assert not page.labels.keep.all()
    assert ((page.labels.scores >= 0) & (page.labels.scores <= 1)).all()


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
    assert repr(tamis.extract(PAGE, extractor=ARTICLE)) == "Page(extractor='boilerpipe-article')"
