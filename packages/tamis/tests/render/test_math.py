"""TeX to MathML and back, and formulas, superscripts and subscripts as text."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.document import Document
from tamis.render.content import Child, Node
from tamis.render.content.formula_text import clean_tex, plain_formula, readable
from tamis.render.content.formulas import raw_formulas
from tamis.render.content.mathml import presentation, to_tex
from tamis.render.content.source import PageSource
from tamis.render.content.symbols import script_text
from tamis.render.content.tex import content_of


def markup(node: Child) -> str:
    if isinstance(node, str):
        return node
    return f"<{node.name}>{''.join(map(markup, node.children))}</{node.name}>"


def from_markup(html: str) -> Node:
    document = Document.from_html(html)
    source = PageSource(document, document.leaves.visible)
    names = ("mathvariant", "linethickness", "columnalign", "open", "close", "separators", "width", "stretchy")
    return source.subtree(document.elements.tag.index("math"), names)


@pytest.mark.parametrize(
    ("tex", "expected"),
    [
        (r"\frac12x", "<mrow><mfrac><mn>1</mn><mn>2</mn></mfrac><mi>x</mi></mrow>"),
        ("x^10", "<mrow><msup><mi>x</mi><mn>1</mn></msup><mn>0</mn></mrow>"),
        ("f''", "<msup><mi>f</mi><mo>″</mo></msup>"),
        (r"\sum_{i}^n i", "<mrow><munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover><mi>i</mi></mrow>"),
        (r"{a \over b}", "<mfrac><mi>a</mi><mi>b</mi></mfrac>"),
        (r"\text{if $x$}", "<mrow><mtext>if\u00a0</mtext><mi>x</mi></mrow>"),
        (r"\hat x", "<mover><mi>x</mi><mo>^</mo></mover>"),
        (r"\unknown{x}", r"<mrow><mtext>\unknown</mtext><mi>x</mi></mrow>"),
        (r"} x & \right) \end{y}", "<mi>x</mi>"),
        (r"\left( x", "<mrow><mo>(</mo><mi>x</mi></mrow>"),
        ("", "<mrow></mrow>"),
        ("\\", "<mrow></mrow>"),
        (
            r"\begin{pmatrix} a & b \\ c & d \end{pmatrix}",
            "<mrow><mo>(</mo><mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr>"
            "<mtr><mtd><mi>c</mi></mtd><mtd><mi>d</mi></mtd></mtr></mtable><mo>)</mo></mrow>",
        ),
    ],
)
def test_mathml(tex: str, expected: str) -> None:
    assert markup(content_of(tex)) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<msup><mrow><mi>a</mi><mi>b</mi></mrow><mn>2</mn></msup>", "{ab}^2"),
        ("<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover>", r"\sum_{i=1}^n"),
        ("<munder><mo>lim</mo><mrow><mi>x</mi><mo>→</mo><mi>∞</mi></mrow></munder>", r"\lim_{x\to\infty}"),
        ("<mover><mrow><mi>A</mi><mi>B</mi></mrow><mo>→</mo></mover>", r"\overrightarrow{AB}"),
        ("<mfenced open='[' close=')'><mi>a</mi><mi>b</mi></mfenced>", "[a,b)"),
        ("<mrow><mo>(</mo><mfrac><mi>a</mi><mi>b</mi></mfrac><mo>)</mo></mrow>", r"\left(\frac{a}{b}\right)"),
        ("<mi>sin</mi><mo>&#x2061;</mo><mi>x</mi>", r"\sin x"),
        ("<mi>𝑥</mi><mo>−</mo><mi>α</mi><mi>y</mi>", r"x-\alpha y"),
        ("<mtext>if 5 % {</mtext>", r"\text{if 5 \% \{}"),
        ("<mmultiscripts><mi>C</mi><mprescripts/><mn>6</mn><mn>14</mn></mmultiscripts>", "{}_6^{14}C"),
        (
            "<mrow><mo>[</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr></mtable><mo>]</mo></mrow>",
            r"\begin{bmatrix} 1 & 0 \end{bmatrix}",
        ),
        (
            "<mrow><mo>{</mo><mtable><mtr><mtd><mi>a</mi></mtd></mtr><mtr><mtd><mi>b</mi></mtd></mtr></mtable></mrow>",
            r"\begin{cases} a \\ b \end{cases}",
        ),
        ("<mfrac><mn>1</mn></mfrac>", "1"),
        ("x", "x"),
    ],
)
def test_tex_of_mathml(html: str, expected: str) -> None:
    assert to_tex(from_markup(f"<p><math>{html}</math>")) == expected


@pytest.mark.parametrize(
    ("tex", "expected"),
    [
        ("E=mc^2", "E = mc^2"),
        ("f'(x) = -2x+1", "f′(x) = −2x + 1"),
        (r"a_{ij}\in\mathbb{R}^{n\times m}", "a_ij ∈ ℝ^(n×m)"),
        (r"x_{n+1}", "xₙ₊₁"),
        (r"\frac{a+b}{2}", "(a + b)/2"),
        (r"1\frac12", "1 1/2"),
        (r"\frac12x", "(1/2)x"),
        (r"O(n\log n)", "O(n log n)"),
        (r"10^{-6}\,\mathrm{m}", "10^−6 m"),
        (r"n!", "n!"),
        (r"\sum_{i=1}^n i", None),
        (r"x^{a^b}", None),
        (r"\frac{\frac12}{3}", None),
        (r"\int_0^1 x", None),
        (r"\hat x", None),
        (r"\begin{matrix}a\end{matrix}", None),
        (r"\unknown", None),
        ("", None),
    ],
)
def test_readable(tex: str, expected: str | None) -> None:
    assert readable(tex) == expected
    assert plain_formula(tex) == (expected or f"${tex}$")


@pytest.mark.parametrize(
    ("tex", "expected"),
    [
        (r"\displaystyle x", "x"),
        (r"{\displaystyle a}{b}", r"{\displaystyle a}{b}"),
        ("\\begin{equation}\n a % why\n = 5\\% \\end{equation}", r"a = 5\%"),
        ("50%", r"50\%"),
        (r"\text{if $x$}", r"\text{if \(x\)}"),
        (r"\{x\}", r"\{x\}"),
    ],
)
def test_clean(tex: str, expected: str) -> None:
    assert clean_tex(tex) == expected


COMMANDS = r"\alpha \infty \sin \log \times \leq \to \cdots \langle \quad \, \mid \nabla \hbar \{ \| \unknown".split()
ATOMS = st.sampled_from([*"abxyzABN012579+-=<>/!,()|", *COMMANDS, "12.5", "'", r"\text{if a}", r"\mathrm{max}"])


def _nested(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    row = st.lists(inner, min_size=1, max_size=4).map(" ".join)
    return st.one_of(
        row,
        st.builds(r"\frac{{{}}}{{{}}}".format, row, row),
        st.builds(r"\sqrt{{{}}}".format, row),
        st.builds(r"\sqrt[{}]{{{}}}".format, inner, row),
        st.builds("{{{}}}^{{{}}}".format, row, row),
        st.builds("x_{{{}}}^{{{}}}".format, row, row),
        st.builds(r"\sum_{{{}}}^{{{}}} {}".format, row, row, inner),
        st.builds(r"\left( {} \right]".format, row),
        st.builds(r"\mathbf{{{}}}".format, row),
        st.builds(r"\hat{{{}}}".format, row),
        st.builds(r"\underbrace{{{}}}_{{{}}}".format, row, row),
        st.builds(r"\overset{{{}}}{{{}}}".format, row, row),
        st.builds(r"\binom{{{}}}{{{}}}".format, row, row),
        st.builds(r"\begin{{cases}} {} & {} \\ {} \end{{cases}}".format, row, row, row),
        st.builds(r"\begin{{aligned}} {} & {} \\ & {} \end{{aligned}}".format, row, row, row),
        st.builds(r"\begin{{bmatrix}} {} & {} \end{{bmatrix}}".format, row, row),
    )


TEX = st.recursive(ATOMS, _nested, max_leaves=12)


@given(TEX)
def test_tex_of_our_mathml_is_stable(tex: str) -> None:
    once = to_tex(content_of(tex))
    assert to_tex(content_of(once)) == once


@given(st.text(st.sampled_from("\\{}^_&$%~'[]()<>ab1 .\n\u00e9\u0338\U0001d465"), max_size=60))
def test_nothing_fails(text: str) -> None:
    to_tex(content_of(text))
    plain_formula(clean_tex(text))
    places = [place for first, last, _ in raw_formulas(text, dollars=True) for place in (first, last)]
    assert places == sorted(places)


@pytest.mark.nightly
@pytest.mark.parametrize(
    "unit",
    ["{", "x^", r"\frac", r"\left(", r"\begin{matrix}", r"\sqrt[", r"\text{$", r"\mathrm{", "a\\over ", "x_1", "'",
     r"\(", "$", r"\begin{align}", "% \n", "$a $", r"\not", "1", r"\\", "&", r"{\displaystyle ", r"\newcommand{"],
)  # fmt: skip
def test_hostile_formulas_take_linear_time(unit: str) -> None:
    tex = unit * (200_000 // len(unit))
    start = time.process_time()
    tree = content_of(tex)
    to_tex(tree)
    readable(tex[:1_000])
    clean_tex(tex)
    list(raw_formulas(tex, dollars=True))
    list(raw_formulas(tex + r"\)\]$$\end{align}", dollars=False))
    assert time.process_time() - start < 5
    assert depth(tree) < 60


def depth(node: Child) -> int:
    level, nodes = 0, [node]
    while nodes:
        level += 1
        nodes = [child for each in nodes if isinstance(each, Node) for child in each.children]
    return level


def test_of_the_mathml_of_a_page_only_the_formula_is_written() -> None:
    html = """<math><semantics><mrow><mi href='javascript:1'>x</mi><mtext><b>y</b></mtext>
    <mfenced><mi>z</mi><mn>1</mn></mfenced></mrow>
    <annotation encoding=x>q</annotation></semantics></math>"""
    found = "".join(map(markup, presentation(from_markup(html))))
    assert found == (
        "<mrow><mi>x</mi><mtext>y</mtext><mrow><mo>(</mo><mi>z</mi><mo>,</mo><mn>1</mn><mo>)</mo></mrow></mrow>"
    )


@pytest.mark.parametrize(
    ("text", "dollars", "expected"),
    [
        ("a $x$ b", False, []),
        ("a $x$ b", True, ["x"]),
        ("$5 and $6", True, []),
        (r"\$5 $x$", True, ["$", "x"]),
        (r"\begin{align}a\end{align} \begin{x}", False, [r"\begin{align}a\end{align}"]),
        (r"\(x", False, []),
    ],
)  # fmt: skip
def test_raw_formulas(text: str, dollars: bool, expected: list[str]) -> None:
    found = [child for _, _, child in raw_formulas(text, dollars)]
    assert [child if isinstance(child, str) else child.attributes["tex"] for child in found] == expected


@pytest.mark.parametrize(
    ("name", "content", "before", "after", "expected"),
    [
        ("sup", "n+1", "x", "", "^(n+1)"),
        ("sup", "th", "the n", "", "th"),
        ("sup", "e", "MAX", "", "^e"),
        ("sup", "me", "M", "", "me"),
        ("sup", "*", "word", "", "*"),
        ("sup", "[3]", "word", "", "[3]"),
        ("sup", "citation needed", "word", "", " citation needed"),
        ("sup", "1", "add ", "⁄", "1"),
        ("sub", "i", "x", "", "ᵢ"),
        ("sub", "n+1", "x", "", "ₙ₊₁"),
        ("sub", " ", "x", "", ""),
        ("sub", "2", "", "", "2"),
    ],
)
def test_scripts(name: str, content: str, before: str, after: str, expected: str) -> None:
    assert script_text(name, content, before, after) == expected


MATH = '<math {}alttext="a=b"><mi>a</mi><mo>=</mo><mi>b</mi></math>'


@pytest.mark.parametrize(
    "html",
    [
        f"<dl><dd>{MATH.format('')}</dd></dl>",
        f"<ul><li><span>{MATH.format('')}</span></li></ul>",
        f"<dl><dd>{MATH.format('')},</dd></dl>",
        f"<table class=ltx_eqn_table><tbody><tr><td></td><td>{MATH.format('')}</td><td></td></tr></table>",
    ],
)
def test_an_indented_formula_is_displayed(html: str) -> None:
    markdown = tamis.extract(f"<p>Text</p>{html}<p>more.</p>", extractor="keep-all").markdown
    assert "$$\na=b\n$$" in markdown
    assert "- " not in markdown
    assert "|" not in markdown


def test_the_number_of_an_equation_stays_beside_it() -> None:
    html = f"<p>Text</p><dl><dd>{MATH.format('')} (1)</dd></dl>"
    assert tamis.extract(html, extractor="keep-all").markdown == "Text\n\n$$\na=b\n$$\n\n(1)"


def test_parts_of_an_equation_in_several_cells_are_one() -> None:
    cell = f"<td>{MATH.format('')}</td>"
    html = f"<table class=ltx_eqn_table><tr>{cell}{cell}</tr><tr>{cell}</tr></table>"
    assert tamis.extract(html, extractor="keep-all").markdown == "$$\na=b a=b\n$$\n\n$$\na=b\n$$"


@pytest.mark.parametrize(
    "html",
    [
        f"<ul><li>Where {MATH.format('')} holds</li></ul>",
        f"<dl><dt>Law</dt><dd>{MATH.format('')}</dd></dl>",
    ],
)
def test_other_items_stay_items(html: str) -> None:
    assert "- " in tamis.extract(html, extractor="keep-all").markdown
