"""Which elements of made-up pages count as found, lost or made up."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tamis.cli.main import main
from tamis_lab.bench import contestants, runner
from tamis_lab.bench.peers import WRITERS
from tamis_lab.bench.runner import Selection
from tamis_lab.bench.structure import scores
from tamis_lab.bench.structure.elements import PageElements, read_elements
from tamis_lab.bench.structure.page import address, plain_tex, words
from tamis_lab.bench.structure.scores import (
    ElementCounts,
    StructureResult,
    StructureScorer,
    by_gold,
    compare,
    read_output,
    summarise,
    tables,
)
from tamis_lab.corpora.reader import CorpusPage
from tamis_lab.report import write_structure_report
from tests.golden import GoldenFile
from tests.lab.bench.fakes import FakeCorpus

URL = "https://harbour.example/news/bridge"
BEFORE = "Every spring the swing bridge over the river is closed for a week to be painted and oiled."
AFTER = "When it opens again the first boat through it carries the mayor and a band."


def page_of(middle: str) -> str:
    menu = "<nav><ul><li><a href='/'>Home</a><li><a href='/boats'>Boats</a></ul></nav>"
    return f"<body>{menu}<main><p>{BEFORE}</p>{middle}<p>{AFTER}</p></main></body>"


def counts(middle: str, gold: str, output: str, kind: str, *, is_html: bool = False) -> ElementCounts:
    page = read_elements(page_of(middle), URL)
    whole_page = read_elements(page_of(middle), URL, like=page, with_hidden=True)
    wanted = by_gold(page, whole_page, f"{BEFORE} {gold} {AFTER}")
    assert wanted is not None
    whole = f"<p>{BEFORE}</p>{output}<p>{AFTER}</p>" if is_html else f"{BEFORE}\n\n{output}\n\n{AFTER}"
    found = read_output(whole, URL, page, is_html=is_html)
    return compare(wanted, found, page, whole).counts[kind]


# Of each kind: a part of a page, its gold text, and Markdown that has it, lost it, glued it or has it twice.
TABLE = "<table><tr><th>Ship<th>Tons<tr><td>Anna<td>300<tr><td>Berta<td>450</table>"
CODE = "<pre><code class='language-python'>def open(bridge):\n    bridge.turn()\n</code></pre>"
NOTE = (
    "<p>The bridge was built long ago by two brothers<sup><a id='r1' href='#fn1'>1</a></sup> from the town.</p>"
    "<ol><li id='fn1'>Their names are on the eastern pier. <a href='#r1'>↩</a></ol>"
)
KATEX = (
    "<p>Its weight in tons is <span class='katex'><span class='katex-mathml'><math><semantics><mrow><mi>m</mi></mrow>"
    "<annotation encoding='application/x-tex'>m = \\rho V</annotation></semantics></math></span>"
    "<span class='katex-html' aria-hidden='true'>m=ρV</span></span> as always.</p>"
)
CASES = {
    "heading": (
        "<h2>How it <em>turns</em></h2><p>A small motor does it.</p>",
        "How it turns. A small motor does it.",
        "## How it *turns*\n\nA small motor does it.",
        "How it turns\n\nA small motor does it.",
        "## How it turns A small motor does it.",
        "## How it turns\n\n## How it turns\n\nA small motor does it.",
    ),
    "heading level": (
        "<h3>How it turns</h3>",
        "How it turns.",
        "### How it turns",
        "How it turns",
        "## How it turns",
        "### How it turns\n\n### How it turns",
    ),
    "list item": (
        "<ul><li>Grease the old hinges</ul>",
        "Grease the old hinges",
        "- Grease the old hinges",
        "Grease the old hinges",
        "- Grease the old hinges and go home",
        "- Grease the old hinges\n- Grease the old hinges",
    ),
    "list depth": (
        "<ul><li>Grease<ol><li>the old hinges first</ol></ul>",
        "Grease the old hinges first",
        "- Grease\n  1. the old hinges first",
        "- Grease\n\nthe old hinges first",
        "- Grease\n  - the old hinges first",
        "- Grease\n  1. the old hinges first\n  2. the old hinges first",
    ),
    "code": (
        CODE,
        "def open(bridge): bridge.turn()",
        "```\ndef open(bridge):\n    bridge.turn()\n```",
        "def open(bridge): bridge.turn()",
        "```\ndef open(bridge): bridge.turn()\n```",
        "```\ndef open(bridge):\n    bridge.turn()\n```\n\n```\ndef open(bridge):\n    bridge.turn()\n```",
    ),
    "code language": (
        CODE,
        "def open(bridge): bridge.turn()",
        "```py\ndef open(bridge):\n    bridge.turn()\n```",
        "```\ndef open(bridge):\n    bridge.turn()\n```",
        "```ruby\ndef open(bridge):\n    bridge.turn()\n```",
        "```py\ndef open(bridge):\n    bridge.turn()\n```\n\n```py\ndef open(bridge):\n    bridge.turn()\n```",
    ),
    "formula": (
        KATEX,
        "Its weight in tons is m = rho V as always.",
        "Its weight in tons is $m=\\rho V$ as always.",
        "Its weight in tons is m=ρV as always.",
        "Its weight in tons is $mm=\\rho V$ as always.",
        "Its weight in tons is $m=\\rho V$ $m=\\rho V$ as always.",
    ),
    "footnote": (
        NOTE,
        "The bridge was built long ago by two brothers 1 from the town. Their names are on the eastern pier.",
        "The bridge was built by two brothers[^a] from the town.\n\n[^a]: Their names are on the eastern pier.",
        "The bridge was built long ago by two brothers1 from the town.\n\n1. Their names are on the eastern pier.",
        "Built by two brothers[^a].\n\n[^a]: Their names are on the eastern pier. When it opens again",
        "Two[^a] brothers[^b].\n\n"
        "[^a]: Their names are on the eastern pier.\n\n[^b]: Their names are on the eastern pier.",
    ),
    "callout": (
        "<div class='admonition warning'><p>Warning</p><p>Keep away from the moving parts.</p></div>",
        "Warning. Keep away from the moving parts.",
        "> [!WARNING]\n> Keep away from the moving parts.",
        "> Keep away from the moving parts.",
        "> [!WARNING]\n> Keep away from the moving parts. When it opens",
        "> [!WARNING]\n> Keep away from the moving parts.\n\n!\n\n> [!NOTE]\n> Keep away from the moving parts.",
    ),
    "link": (
        "<p>Tickets for the boat are sold <a href='/tickets?day=1'>at the pier</a> from nine.</p>",
        "Tickets for the boat are sold at the pier from nine.",
        "Tickets for the boat are sold [at the pier](/tickets?day=1) from nine.",
        "Tickets for the boat are sold at the pier from nine.",
        "Tickets for the boat are [sold at the pier](/tickets?day=1) from nine.",
        "Tickets [at the pier](/tickets?day=1) [at the pier](https://harbour.example/tickets?day=1) from nine.",
    ),
    "image": (
        "<figure><img src='data:image/gif,A' data-src='/pier.jpg' srcset='/pier-9.jpg 9w,/pier-2.jpg 2w'></figure>",
        "",
        "![The pier](/pier-9.jpg)",
        "The pier",
        "![The pier](/blank.gif)",
        "![The pier](/pier-9.jpg)\n\n![The pier](/pier.jpg)",
    ),
    "quotation": (
        "<blockquote><p>It never rains on the day of the boat.</p></blockquote>",
        "It never rains on the day of the boat.",
        "> It never rains on the day of the boat.",
        "It never rains on the day of the boat.",
        "> It never rains on the day of the boat. That is a lie.",
        "> It never rains on the day of the boat.\n>\n> It never rains on the day of the boat.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", CASES)
def test_each_kind_is_found_lost_glued_or_duplicated(kind: str) -> None:
    middle, gold, found, lost, glued, twice = CASES[kind]
    all_of_it = counts(middle, gold, found, kind)
    expected = all_of_it.expected
    assert all_of_it == ElementCounts(expected, expected, expected, 0, 0)
    assert all_of_it.f1 == 1
    assert counts(middle, gold, lost, kind).hits == expected - 1
    assert counts(middle, gold, lost, kind).made_up == 0
    assert counts(middle, gold, glued, kind)[1:2] + counts(middle, gold, glued, kind)[3:] == (expected - 1, 0, 1)
    assert counts(middle, gold, twice, kind)[1:2] + counts(middle, gold, twice, kind)[3:] == (expected, 0, 1)


def test_cells_count_by_row_and_column() -> None:
    gold = "Ship Tons Anna 300 Berta 450"
    as_it_is = "| Ship | Tons |\n| --- | --- |\n| Anna | 300 |\n| Berta | 450 |"
    assert counts(TABLE, gold, as_it_is, "table cell") == ElementCounts(6, 6, 6, 0, 0)
    headless = "| | |\n| --- | --- |\n| Ship | Tons |\n| Anna | 300 |\n| Berta | 450 |"
    assert counts(TABLE, gold, headless, "table cell").hits == 6
    assert counts(TABLE, gold, TABLE, "table cell").hits == 6, "HTML inside Markdown"
    exchanged = "| Ship | Tons |\n| --- | --- |\n| Anna | 450 |\n| Berta | 300 |"
    assert counts(TABLE, gold, exchanged, "table cell") == ElementCounts(6, 4, 6, 0, 2)
    assert counts(TABLE, gold, "Ship Tons\n\nAnna 300\n\nBerta 450", "table cell") == ElementCounts(6, 0, 6, 0, 0)


def test_spans_are_filled() -> None:
    spanned = "<table><tr><th>Ship<th colspan=2>Tons<tr><td rowspan=2>Anna<td>300<td>310<tr><td>320<td>330</table>"
    gold = "Ship Tons Anna 300 310 320 330"
    filled = "| Ship | Tons | Tons |\n| --- | --- | --- |\n| Anna | 300 | 310 |\n| Anna | 320 | 330 |"
    assert counts(spanned, gold, filled, "table cell") == ElementCounts(9, 9, 9, 0, 0)
    empty = "| Ship | Tons | |\n| --- | --- | --- |\n| Anna | 300 | 310 |\n| | 320 | 330 |"
    assert counts(spanned, gold, empty, "table cell").hits == 4


def test_layout_tables_are_neither_wanted_nor_wrong() -> None:
    layout = f"<table><tr><td><h1>Boats</h1><td>{'many words of the page ' * 20}</table>"
    page = read_elements(page_of(layout), URL)
    assert not any(element.sure for element in page.elements if element.kind == "table cell")


def test_code_without_line_numbers_and_with_lines_by_element() -> None:
    numbered = (
        "<pre><span class='lineno'>1</span><span>a = 1  </span>\n<span class='lineno'>2</span><span>b</span></pre>"
    )
    by_element = "<pre><div class='line'>a = 1<br></div><div class='line'><br></div><div class='line'>b</div></pre>"
    assert kinds_of(read_elements(numbered, URL), "code") == [("a = 1\nb",)]
    assert kinds_of(read_elements(by_element, URL), "code") == [("a = 1\n\nb",)]
    assert kinds_of(read_elements("<code style='white-space: pre'>a\nb</code>", URL), "code") == [("a\nb",)]
    assert not kinds_of(read_elements("<code>a</code>", URL), "code")


@pytest.mark.parametrize(
    "markup",
    [
        "<pre class='brush: js'>a</pre>",
        "<div class='highlight-source-js'><pre>a</pre></div>",
        "<pre><code class='hljs javascript'>a</code></pre>",
        "<pre data-language='JavaScript'>a</pre>",
        "<div class='sourceCode'><pre class='sourceCode javascript'><code>a</code></pre></div>",
    ],
)
def test_languages(markup: str) -> None:
    assert kinds_of(read_elements(markup, URL), "code language") == [("a", "javascript")]


def test_formulas_of_every_source() -> None:
    sources = (
        '<math alttext="x^2"><mi>x</mi></math>',
        '<span class="MathJax">drawn</span><script type="math/tex">x^2</script>',
        '<span class="mwe-math-element"><math><annotation encoding="application/x-tex">{\\displaystyle x^{2}}'
        '</annotation></math><img alt="{\\displaystyle x^{2}}"></span>',
        '<img class="latex" alt="x^2">',
        '<script src="mathjax.js"></script><p>so \\(x^2\\) is</p>',
        '<script src="katex.js"></script><span class="math inline">\\(x^2\\)</span>',
    )
    for source in sources:
        (found,) = kinds_of(read_elements(source, URL), "formula")
        assert found[0].replace("{2}", "2") == "x^2"
    assert not kinds_of(read_elements("<p>so \\(x^2\\) is, for $5 and $6</p>", URL), "formula"), (
        "no script that would draw it"
    )
    assert read_elements("<math><mi>x</mi></math>", URL).unnamed_formulas == 1


def test_marks_of_notes_are_no_part_of_a_text() -> None:
    item = "<ul><li>Grease the old hinges<sup><a href='#n1'>1</a></sup></ul>"
    for output in (
        "- Grease the old hinges[^n]\n\n[^n]: A note",
        "- Grease the old hinges",
        "- Grease the old hinges[1]",
    ):
        assert counts(item, "Grease the old hinges", output, "list item") == ElementCounts(1, 1, 1, 0, 0)


def test_what_is_beyond_the_gold_is_no_invention() -> None:
    middle, gold, found, *_ = CASES["link"]
    output = f"[Home](/) [Boats](/boats) [Nowhere](/nowhere)\n\n{found}"
    measured = counts(middle, gold, output, "link")
    assert measured == ElementCounts(1, 1, 1, 2, 1)
    assert (measured.recall, measured.precision) == (1, 0.25)


def test_what_may_be_written_in_two_ways_is_not_judged() -> None:
    middle, gold, found, *_ = CASES["link"]
    embeds = "<iframe src='https://www.youtube.com/embed/a1'></iframe><a href='/card'><h4>A card</h4><p>of us</p></a>"
    output = f"{found}\n\n[A film](https://www.youtube.com/watch?v=a1)\n\n[A card](/card)\n\n- **Term**\n  meaning"
    middle += f"{embeds}<dl><dt>Term<dd>meaning</dl>"
    assert counts(middle, gold, output, "link") == ElementCounts(1, 1, 1, 0, 0)
    items, wanted, _, _, _, _ = CASES["list item"]
    assert counts(middle + items, f"{gold} {wanted}", output, "list item").made_up == 0


def test_hidden_text_is_not_wanted() -> None:
    page = read_elements(
        "<div style='display: none'><h2>Hidden</h2></div><h2>Shown</h2><noscript><h2>Never</h2></noscript>", URL
    )
    assert kinds_of(page, "heading") == [("shown",)]
    middle, gold, found, *_ = CASES["heading"]
    hidden = f"<div hidden><h2>Hidden</h2></div>{middle}"
    assert counts(hidden, gold, f"## Hidden\n\n{found}", "heading") == ElementCounts(1, 1, 1, 1, 0), (
        "shown, and not made up"
    )


def test_keys() -> None:
    assert words("10^6 H₂O, x_(i,j) and soft\u00adware") == words("106 H2O xi,j and software")
    assert words("two words") != words("twowords")
    assert words("a word[12], and another[b]") == "a word and another"
    assert plain_tex("{\\displaystyle  a + b.}") == plain_tex("$a+b$")
    assert address("../a%20b#c", "https://Host.example/x/y") == "host.example/a b#c"
    assert address("javascript:void(0)", URL) == address("http://[", URL) == ""


def kinds_of(reading: PageElements, kind: str) -> list[tuple[str, ...]]:
    return [element.key for element in reading.elements if element.kind == kind]


@pytest.mark.parametrize("name", ["tamis", *WRITERS])
def test_every_contestant_keeps_something(name: str) -> None:
    html = page_of(f"<h1>The bridge</h1>{CODE}<h2>Ships</h2><p>{AFTER}</p><ul><li>One<li>Two</ul><p>{BEFORE}</p>")
    text = contestants.load_writer(name)(html.encode(), URL)
    page = read_elements(html, URL)
    found = read_output(text, URL, page, is_html=name in WRITERS and WRITERS[name].is_html)
    assert {"heading", "code"} <= {element.kind for element in found.elements}
    assert contestants.writer_version(name)


def corpus() -> FakeCorpus:
    whole = page_of(f"{TABLE}<h2>How it turns</h2>").encode()
    gold = f"{BEFORE} Ship Tons Anna 300 Berta 450 How it turns {AFTER}"
    return FakeCorpus(
        [
            CorpusPage("fake", "a", whole, "all", gold_text=gold),
            CorpusPage("fake", "b", page_of("").encode(), "all", gold_text=f"{BEFORE} {AFTER}"),
            CorpusPage("fake", "c", b"<p>no gold", "all"),
        ]
    )


def test_a_run_and_its_summary(tmp_path: Path) -> None:
    selection = Selection(corpus().as_corpus())
    names = ["keep-all", "html2text"]
    results = runner.run(StructureScorer(), [selection], names, tmp_path / "lines.jsonl", workers=1)["fake"]
    assert [(result.contestant, result.id, result.status) for result in results] == [
        ("html2text", "a", "ok"), ("html2text", "b", "ok"), ("keep-all", "a", "ok"), ("keep-all", "b", "ok"),
    ]  # fmt: skip
    assert len((tmp_path / "lines.jsonl").read_text().splitlines()) == 4
    summary = summarise("fake", names, results)
    assert list(summary.contestants) == names
    assert summary.pages == 1
    lines = {line.kind: line for line in summary.lines}
    assert lines["table cell"].counts["keep-all"].expected == 6
    assert lines["heading"].lead is not None
    assert json.dumps(summary.as_json())
    assert [table.row_count for table in tables(summary)] == [len(lines)] * 2


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    golden = tmp_path / "golden"
    (golden / "blocks").mkdir(parents=True)
    bodies = {"fragment": "<ul><li>One thing</ul>", "page": "<html><body><ul><li>One thing</ul>"}
    for name, html in bodies.items():
        GoldenFile("", html, {"markdown": "- One thing"}).write(golden / "blocks" / f"{name}.html")
    monkeypatch.setattr(scores, "GOLDEN_FOLDER", golden)
    monkeypatch.setattr("tamis_lab.cli.bench._selections", lambda options: {})
    output = tmp_path / "out"
    assert main(["bench", "--structure", "--no-peers", "--report", "--workers", "1", "-o", str(output)]) == 0
    assert "list item" in capsys.readouterr().out
    (summary,) = json.loads((output / "structure.json").read_text())
    assert summary["elements"]["list item"]["contestants"]["tamis"]["f1"] == 1, "the page is read within an article"
    assert summary["pages"] == 2
    assert "list item" in (output / "structure.html").read_text()


def test_who_was_trained_on_the_pages_does_not_lead(tmp_path: Path) -> None:
    hits = {"tamis": 9, "html2text": 5, "markdownify": 4}
    results = [
        StructureResult("wcxb", "", "dev", page, name, "1", "ok", 0, "", {"heading": ElementCounts(10, found)})
        for name, found in hits.items()
        for page in ("a", "b")
    ]
    found = summarise("wcxb:dev", list(hits), results)
    (line,) = found.lines
    assert line.lead is not None
    assert line.lead.contestant == "html2text"
    chosen = {"wcxb:dev": Selection(corpus().as_corpus(), limit=2, seed=7)}
    write_structure_report(tmp_path / "structure.html", [found], chosen, {"resiliparse": "it is <gone>"})
    html = (tmp_path / "structure.html").read_text(encoding="utf-8")
    assert "tamis: trained on pages of this corpus: a fit, not a measurement" in html
    assert "<strong>0.667</strong> (1.00, 0.50)" in html
    assert "2 pages with structure, chosen by page type, seed 7." in html
    assert "<dt>resiliparse</dt><dd>it is &lt;gone&gt;</dd>" in html
