"""A page that a browser shows: what it hides by style, shadow roots, frames, changes under the reader, size."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tamis import Document
from tamis.extractor.declared import PAGE
from tamis.extractor.tamis import tamis
from tests.extension.pages import HUGE
from tests.extension.parity.harness import BOILERNET_VECTORS, Core
from tests.extension.parity.pages import FIELDS, FOLDED

pytestmark = pytest.mark.xdist_group("extension core")

VECTORS = json.loads(BOILERNET_VECTORS.read_text(encoding="utf-8"))

# How many steps of a loop there are between two looks at the clock (core/pace.js).
STEPS = 256
# How many nodes are converted at once, about: a thousand elements and their texts (core/content/markdown.js).
PART = 2_500


def shapes(*quick: str) -> list[object]:
    """All shapes of huge pages; those that are not quick are nightly."""
    return [pytest.param(each, marks=() if each in quick else pytest.mark.nightly) for each in HUGE]


def seen(core: Core, html: str, **others: str) -> list[str]:
    core.show(html, **others)
    found: list[str] = core.ask("seen")
    return found


def test_what_style_sheets_hide_is_not_seen(core: Core) -> None:
    html = """<style>@media screen { .gone { display: none } }
        .unseen { visibility: hidden } .back { visibility: visible }
        .clear { opacity: 0 } .through { display: contents }</style>
        <p class=gone>gone <b>too</b></p><p class=unseen>unseen<b class=back>back</b></p><p class=clear>clear</p>
        <p class=through>through</p><img class=gone src=a><img class=unseen src=b><img src=c>"""
    assert seen(core, html) == ["back", "clear", "through", "<img>"]
    assert core.ask("seen", False) == ["gone", "too", "unseen", "back", "clear", "through", "<img>", "<img>", "<img>"]


def test_markup_that_hides_hides_in_a_browser_too(core: Core) -> None:
    html = "<style>[hidden] { display: block }</style><p hidden>no</p><p>yes</p><details><p>folded</p></details>"
    assert seen(core, html) == ["yes", "folded"]


def test_a_noscript_that_nobody_sees(core: Core) -> None:
    assert seen(core, "<noscript><p>Please turn on scripts</p></noscript><p>words") == ["words"]


def test_shadow_roots_and_what_they_leave_out(core: Core) -> None:
    html = """<div id=host>left out <b slot=a>taken</b><i>lost</i></div><script>
        document.getElementById("host").attachShadow({ mode: "open" }).innerHTML =
          "<p>inside</p><slot name=a>not needed</slot><slot name=b>fallback <u>here</u></slot>";
        </script>"""
    assert seen(core, html) == ["inside", "fallback", "here", "taken"]


def test_an_attached_root_counts_as_the_one_that_a_page_declares(core: Core) -> None:
    declared = next(vector for vector in VECTORS["pages"] if vector["name"] == "declared shadow root")
    core.show(
        """<!doctype html><x-host><b>a light</b></x-host><script>
        document.querySelector("x-host").attachShadow({ mode: "open" }).innerHTML =
          "<p>the shadow</p><p hidden>no</p><slot></slot>";</script>"""
    )
    assert core.ask("counts", "", VECTORS["vocabulary"], True) == declared["leaves"]


def test_frames_of_the_same_site_are_read_and_others_are_media(core: Core) -> None:
    html = """<p>before</p><iframe src=/inner></iframe><iframe src=/empty></iframe><iframe src=https://other.example/>
        </iframe><iframe src=/inner style="display:none"></iframe><svg><iframe>no</iframe></svg><p>after</p>"""
    inner = "<title>no</title><p>inside</p><style>.gone { display: none }</style><p class=gone>no</p><img src=x>"
    found = seen(core, html, inner=inner, empty="<p> </p>")
    assert found == ["before", "inside", "<img>", "<iframe>", "<iframe>", "<svg>", "after"]


def test_forms_and_documents_that_answer_for_themselves(core: Core) -> None:
    named = "".join(
        f"<img name={name}>" for name in ("documentElement", "body", "defaultView", "URL", "querySelectorAll")
    )
    html = f"{named}<form>{''.join(f'<input name={name}>' for name in FIELDS.split())}<p>words</p></form>"
    found = seen(core, f"<p>outside</p><iframe src=/inner></iframe>{html}", inner=html)
    assert found == ["outside", *["<img>"] * 5, "words", *["<img>"] * 5, "words"]


def test_neighbouring_texts_are_one_leaf_that_knows_its_nodes(core: Core) -> None:
    core.show("<p id=p>one </p><script>p.append('two ', '', 'three', document.createComment('x'), 'four')</script>")
    assert core.ask("nodes") == [["one ", "two ", "three"], ["four"]]


def test_the_default_reads_what_attributes_fold_away_and_not_what_style_sheets_hide(core: Core) -> None:
    unseen = "<div class=gone><p>" + "Nobody sees this sentence. " * 20 + "</p></div>"
    shown = FOLDED.replace("<h2>", f"{unseen}<h2>")
    assert unseen in shown
    core.show("<style>.gone { display: none }</style>" + shown)
    found = core.ask("kept")
    folded = [text for text in found["all"] if text not in found["seen"]]
    document = Document.from_html(FOLDED).unfolded  # Python does not see that sentence either
    leaves = np.flatnonzero(tamis.label(document).keep & document.leaves.folded & ~document.leaves.is_media).tolist()
    expected = [document.leaves.text[leaf].strip() for leaf in leaves]
    assert [text for text in folded if text] == expected
    assert [text[:8] for text in expected] == ["The mesh", "The weig", "of them,", "The age "]
    assert any(text.startswith("The price") for text in found["seen"])
    assert "The mesh of a sieve" in found["markdown"]
    assert "Nobody sees" not in found["markdown"]
    assert "text" in found["roles"]


def test_what_a_page_says_of_itself_is_read_as_it_stands_and_not_from_frames(core: Core) -> None:
    said = "The miller of the lower valley opens the sluice slowly."
    core.show(
        f"""<div id=first><p>{said}</p><p>Later.</p></div><iframe src=/inner></iframe><script>
        const data = document.createElement("script");
        data.type = "application/ld+json";
        data.textContent = JSON.stringify({{ "@type": "Product", description: "{said}" }});
        document.head.append(data);
        document.head.insertAdjacentHTML("beforeend", "<link rel=canonical href='/a/b'>");
        first.className = "comments";
        first.setAttribute("role", "main");
        </script>""",
        inner=f"""<div itemscope itemtype=https://schema.org/Recipe class=footer><p>Inner words</p><p>and others</p>
        <link rel=canonical href=/a/b/c/d/e><meta property=og:type content=article>
        <meta name=description content="{said}"><script type=application/ld+json>{{"@type": "HowTo"}}</script></div>""",
    )
    found = core.ask("given")
    page = {name: value for name, value in zip(PAGE, found["page"], strict=True) if value}
    assert page == {"data product": 1, "address": 1, "address depth": 2, "address words": 1}
    assert found["declared"] == ["", said, "", "", ""]
    assert found["openings"] == [said[:40]]
    assert [pair for _, pair in found["marks"]] == [["main", ""]]
    assert [pair for _, pair in found["called"]] == [["comments", "first"], ["footer", ""]]  # names of frames count


def test_a_page_may_change_while_it_is_read(core: Core) -> None:
    """Whatever goes or comes meanwhile, the tables are whole: no walk goes astray and nothing is thrown."""
    core.show(big(20_000))
    found = core.ask("churned")
    assert found["changes"] > 0
    assert found["leaves"] > 100
    assert found["whole"] is True


def test_reading_can_be_given_up_and_tells_how_far_it_is(core: Core) -> None:
    core.show(big(100_000))
    assert core.ask("given_up") == {"read": "AbortError", "r4": "AbortError", "tamis": "AbortError"}
    for shares in core.ask("shares").values():
        assert shares == sorted(shares)
        assert shares[0] >= 0
        assert shares[-1] == 1


@pytest.mark.parametrize("extractor", ["r4", "boilernet-small"])
def test_judging_can_be_interrupted_every_few_hundred_texts(core: Core, extractor: str) -> None:
    core.show(big(3_000))
    found = core.ask("judged", extractor)
    assert found["texts"] > 1_000
    assert found["number"] > found["texts"] / STEPS
    assert 0 < found["longest"] <= 3 * STEPS  # some texts are looked at again


def test_reading_for_the_kernel_can_be_interrupted_every_few_hundred_elements(core: Core) -> None:
    core.show(big(3_000))
    found = core.ask("judged", "tamis")
    assert found["texts"] > 1_000
    assert 0 < found["attributes"] <= 5 * STEPS  # an element has up to five that count


@pytest.mark.parametrize("shape", shapes("saying"))
def test_a_page_of_50_000_nodes_is_judged(core: Core, shape: str) -> None:
    core.show(HUGE[shape](50_000))
    found = core.ask("kept")
    assert len(found["all"]) > 10_000
    assert set(found["roles"]) == {"text"}


@pytest.mark.parametrize("shape", shapes("sections", "table", "paragraph"))
def test_writing_can_be_interrupted(core: Core, shape: str) -> None:
    core.show(HUGE[shape](6_000))
    found = core.ask("written_in_steps")
    assert len(found) == 4
    for form, stretches in found.items():
        assert stretches["number"] > stretches["texts"] > 400, form
        assert 0 < stretches["longest"] <= 3, form  # a text is looked at up to three times
        assert 0 < stretches["copied"] <= 2 * PART, form  # what is converted at once is copied twice


def test_writing_asks_for_a_rest_at_every_text(core: Core) -> None:
    core.show(big(5_000))
    found = core.ask("asked")
    assert len(found["looks"]) == 4
    assert min(found["looks"]) > found["texts"] > 1_000


@pytest.mark.parametrize("shape", HUGE)
def test_the_reader_grows_node_by_node(core: Core, shape: str) -> None:
    core.show(HUGE[shape](1_500))
    found = core.ask("added")
    assert found["elements"] > 100
    assert found["number"] > found["elements"]
    assert found["longest"] <= 2  # a node, and the group that it begins


def test_the_reader_shows_structures_and_loads_no_frame(core: Core) -> None:
    core.show(
        "<ul class=contains-task-list><li class=task-list-item><input type=checkbox checked>done</li></ul>"
        "<div class='admonition tip'><p class=admonition-title>Tip</p><p>Rest.</p></div>"
        "<pre class=language-js>a\nb</pre>"
        "<p>So<sup><a href=#fn1 id=ref1 class=footnote-ref>1</a></sup> <math><mi>x</mi></math></p>"
        "<iframe src=https://player.example/v title=Film></iframe>"
        "<section class=footnotes><ol><li id=fn1><p>Note. <a href=#ref1>↩</a></p></li></ol></section>"
    )
    shown = core.ask("read")
    for part in (
        '<li><input type="checkbox" checked="" disabled="" aria-label="done">done</li>',
        '<div role="note" class="callout callout-tip"><p class="callout-title">Tip</p>',
        '<pre><code class="language-js">a\nb</code></pre>',
        '<sup><a href="#fn-1" role="doc-noteref" id="fnref-1">1</a></sup>',
        '<math><semantics><mrow><mi>x</mi></mrow><annotation encoding="application/x-tex">x</annotation></semantics>',
        '<p><a href="https://player.example/v">Film</a></p>',
        '<section role="doc-endnotes"><ol><li id="fn-1">',
    ):
        assert part in shown, shown


def test_the_reader_numbers_the_items_of_a_long_list(core: Core) -> None:
    core.show("<ol start=3>" + "<li>item" * 60 + "</ol>")
    shown = core.ask("read")
    assert shown.startswith('<ol start="3"><div><li value="3">item</li><li>item</li>')
    assert shown.count("value=") == 2
    assert '</div><div><li value="53">' in shown


def test_the_reader_puts_blocks_together_and_tears_no_line_apart(core: Core) -> None:
    core.show(HUGE["flat"](1_500))
    assert core.ask("added")["groups"] == [50] * 6 + [2]
    lines = "".join(f"line {number}<br>" for number in range(200))
    core.show(f"<div>{lines}<p>one</p>{lines}</div><div>{'<p>two</p>' * 51}</div>")
    assert core.ask("added")["groups"] == [50, 1]


def big(nodes: int) -> str:
    """A page of this many nodes: cards of a heading, a paragraph, a list and an image."""
    card = (
        "<div class=card><h3><a href=/x>A title of some words</a></h3><p>Some words, <b>bold</b> ones and more of the "
        "text, which goes on for a while.<i>x</i></p><ul><li>one<li>two <a href=y>three</a></ul><img src=a></div>\n"
    )
    return "<!doctype html><title>big</title><main>" + card * (nodes // 20 + 1) + "</main>"
