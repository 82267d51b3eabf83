"""`prune` and `keep`, XPath for `tamis.compat`, rules by site: what they match, what is refused, and their time."""

from __future__ import annotations

import json
from pathlib import Path
from time import process_time
from typing import Any

import pytest

import tamis
from tamis.document import Document
from tamis.document.selectors import checked_selectors, checked_xpaths, css_rows, xpath_rows
from tamis.errors import OptionError
from tamis.site.rules import read_rules, with_rules

WORDS = "The weir was opened again on Monday, and the water of the mill pond has sunk by a foot since then."
HTML = f"""<html><body><nav id=menu><a href=/a>Home page</a></nav><article>
<h1>The weir is open</h1><p>{WORDS}</p><aside class=box>Sign up for more. <p class=correction>Corrected: {WORDS}</p>
</aside><p>{WORDS}</p><p style="display:none">Hidden words</p></article>
<footer>Reach us by <b>post</b><p>Quay 1</p></footer></body></html>"""
TREE = """<html><body><div class="a b"><p>1<b>x</b></p><p class=c>2</p><div><p class=c id=d>3</p></div></div>
<p>4</p><section><div class=a><p>5<b class=c>y</b></p></div></section></body></html>"""


def text(**options: Any) -> str:
    return tamis.extract(HTML, **options).text


def test_pruned_elements_are_dropped_and_kept_ones_stay() -> None:
    assert "Corrected" in text()
    assert "Corrected" not in text(prune=".correction")
    assert "Home page" not in text()
    assert "Home page" in text(keep="nav, footer b")
    assert "post" in text(keep=["nav", "footer b"])
    assert "Quay 1" not in text(keep=["nav", "footer b"])
    assert text(prune="*") == ""
    assert tamis.extract(HTML, extractor="keep-all", prune="article").text.startswith("Home page")


def test_the_innermost_match_decides() -> None:
    assert "Corrected" in text(prune="aside", keep=".correction")
    assert "Sign up" not in text(prune="aside", keep=".correction")
    found = text(keep="footer", prune="footer b")
    assert "Quay 1" in found
    assert "post" not in found
    assert "Reach us" not in text(keep="footer", prune="footer")


def test_hidden_text_is_never_kept() -> None:
    assert "Hidden words" not in text(keep="article, [style]")


def test_scores_and_metadata_stay() -> None:
    plain, changed = tamis.extract(HTML), tamis.extract(HTML, prune="h1", keep="nav")
    assert (plain.labels.scores == changed.labels.scores).all()
    assert changed.title == plain.title == "The weir is open"
    assert text(prune=".nothing") == plain.text


def test_every_adapter_has_them() -> None:
    (found,) = tamis.extract_many([HTML], prune=["aside"], keep="nav", workers=1)
    assert isinstance(found, tamis.Extracted)
    assert found.text == text(prune="aside", keep="nav")


def test_a_threshold_of_the_server_leaves_them() -> None:
    pytest.importorskip("pydantic")
    from tamis.server.jobs import Job, extracted_page
    from tamis.server.models import PageOptions

    found = extracted_page(Job(HTML, None, PageOptions(threshold=0.0, prune=["aside"], keep="nav"))).text
    assert "Sign up" not in found
    assert "Reach us" in found
    with pytest.raises(ValueError, match="not a CSS selector"):
        PageOptions(prune="p:nonsense")


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ("[", "not a CSS selector: expected an identifier"),
        ("", "a selector is empty"),
        (["p", " "], "a selector is empty"),
        ("p:nonsense", "unknown pseudo-class"),
        (7, "a selector or a list"),
        ([b"p"], "a selector or a list"),
        (["p"] * 201, "at most 200 selectors"),
        ("p" * 1_001, "1,000 characters"),
        (".a:has(.b) p", "last part"),
        (".a:has(.b) > p", "last part"),
        ("p, .a:has(.b)\t~ p", "last part"),
        (":not(:has(.b))", "last part"),
        (r".a:h\61s(.b) p", "last part"),
    ],
)
def test_bad_selectors_are_one_line(given: Any, reason: str) -> None:
    for name in ("prune", "keep"):
        with pytest.raises(OptionError, match=f"{name}.*{reason}") as raised:
            tamis.extract(HTML, **{name: given})
        assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    "selector", [".a:has(> .b)", "p .a:has(.b), q r", r".md\:has .b", "a[title=':has('] p", "p ~ p"]
)
def test_good_selectors_stay_as_they_are(selector: str) -> None:
    assert checked_selectors("keep", selector) == (selector,)


@pytest.mark.parametrize(
    "expression",
    [
        "//p", "/html/body/p", "//div//p", "//div/p", "//div[@class='a']//p", "//p[2]", "//div/p[last()]",
        "//b/..", "//b/../..",
        "//*[@id='d']", "//*[contains(@class, 'a')]/p", "//p[b] | //div[@class='a']", "//p[not(@class)]", "//div[.//b]",
        "//*[contains(., 'y')]", "//p[text()='4']", "//div/*", "body/div", "./body//p", ".//p[@class='c' or b/@class]",
        ".//p[position() < 2]", "div", "p", "//section/div/p/b[@class=\"c\"]", "//child::p[self::p]",
        "/p", "//p[count(b)=1]",
    ],
)  # fmt: skip
def test_xpath_selects_what_lxml_selects(expression: str) -> None:
    lxml = pytest.importorskip("lxml.html")
    document = Document.from_html(TREE)
    checked_xpaths("prune_xpath", expression)
    found = [row for row, is_found in enumerate(xpath_rows(document, [expression])) if is_found]
    root = lxml.fromstring(TREE.replace("<html>", "<html><head></head>"))
    assert [document.elements.tag[row] for row in found] == [each.tag for each in root.xpath(expression)]
    order = list(root.iter())
    assert found == [order.index(each) for each in root.xpath(expression)]


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("//p/following-sibling::p", "CSS selector"),
        ("//p[ancestor::div]", "path of steps"),
        ("//p[../a]", "path of steps"),
        ("//p[/html]", "path of steps"),
        ("//p[1 and /html]", "path of steps"),
        ("//p[//a]", "descendants once"),
        ("//p[.//a//b]", "descendants once"),
        ("//p[.//a][.//b]", "descendants once"),
        ("//p[", "bracket is not closed"),
        ("//p[$x]", "not an XPath"),
        ("//p[none()]", "unknown function"),
        ("//p/text()", "can't be honoured"),
        ("(//p)[1]", "can't be honoured"),
        ("descendant::p", "can't be honoured"),
        ("//a |", "can't be honoured"),
        ("", "empty"),
    ],
)
def test_other_xpath_is_refused_in_one_line(expression: str, reason: str) -> None:
    with pytest.raises(OptionError, match=f"prune_xpath.*{reason}") as raised:
        checked_xpaths("prune_xpath", expression)
    assert "\n" not in str(raised.value)


HOSTILE = {
    "nested": lambda size: "<div class=a>" * size,
    "flat": lambda size: "<p class=a>x</p>" * size,
    "both": lambda size: "<div class=a>" * 400 + "<p class=a>x</p>" * size + "</div>" * 400,
}


@pytest.mark.parametrize("shape", HOSTILE)
def test_selectors_take_linear_time(shape: str) -> None:
    selectors = (".b > .a .a .a", "p ~ p ~ p:not(.b)", "div:has(.b)", "p:nth-last-of-type(2n)", ".a:has(~ .b)", ".b .a")
    expressions = ("//div[@class='a']//p[@class='a']", "//div//div//div//*", "//p/../p[last()]", "//div[.//p[b]]")
    for given in selectors:
        checked_selectors("prune", given)
    checked_xpaths("prune_xpath", expressions)
    document = Document.from_html(HOSTILE[shape](60_000))
    start = process_time()
    css_rows(document, selectors)
    xpath_rows(document, expressions)
    assert process_time() - start < 20  # two seconds; the parser's own engine takes hours


def test_rules_add_up_by_host(tmp_path: Path) -> None:
    tables = {
        "*": {"prune": "nav"},
        "Mill.example": {"prune": [".ad"], "keep": ".box"},
        "a.mill.example": {"keep": "b"},
    }
    file = tmp_path / "rules.json"
    file.write_text(json.dumps(tables), encoding="utf-8")
    rules = read_rules(file)
    given = {"prune": ("i",), "keep": ()}
    assert with_rules(given, rules, None) == {"prune": ("i", "nav"), "keep": ()}
    assert with_rules(given, rules, "http://[") == {"prune": ("i", "nav"), "keep": ()}
    assert with_rules(given, rules, "https://mill.example/1") == {"prune": ("i", "nav", ".ad"), "keep": (".box",)}
    found = with_rules(given, rules, "https://A.mill.example:8080/")
    assert found == {"prune": ("i", "nav", ".ad"), "keep": (".box", "b")}
    assert with_rules(given, rules, "https://amill.example/") == {"prune": ("i", "nav"), "keep": ()}


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("r.toml", "x", "not TOML"),
        ("r.json", "{", "not TOML, or JSON"),
        ("r.json", "[]", "tables by host"),
        ("r.toml", "['a.example']\ndrop = 'p'", "a.example: a table has prune and keep, not drop"),
        ("r.toml", "a = 3", "a: a table has prune and keep, not 3"),
        ("r.toml", "[a]\nprune = '['", "a: prune: '\\[' is not a CSS selector"),
        ("missing.toml", None, "can't be read"),
    ],
)
def test_wrong_rules_are_one_line(name: str, content: str | None, reason: str, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(OptionError, match=reason) as raised:
        read_rules(tmp_path / name)
    assert "\n" not in str(raised.value)
