"""TeX, MathML, raw formulas, superscripts and subscripts are read and written alike by Python and by JavaScript."""

from __future__ import annotations

import json
import random
from typing import Any

from tamis.render.content.formulas import split_raw
from tamis.render.content.node import Child, Node
from tamis.render.content.scripts import written
from tamis.render.math import katex
from tamis.render.math.mathml import clean, presentation, to_tex, without_bars
from tamis.render.math.readable import plain
from tamis.render.math.symbols import TABLE
from tamis.render.math.tex import content_of
from tests.extension.parity.test_node import HERE, node

_PIECES = [
    *("{", "}", "^", "_", "'", "&", "\\\\", "\\", "$", "$$", "%", "\n", " ", "~", "[", "]", "(", ")", "|", "12", "3.5"),
    *("x", "=", "+", ",", "é", "𝑥", "𝐱", "\u0338", "−", r"\(", r"\)", r"\[", r"\]", r"\left", r"\right", r"\cdot"),
    *(r"\begin{cases}", r"\end{cases}", r"\begin{align*}", r"\end{align*}", r"\frac", r"\sqrt", r"\text{a $b$ "),
    *(r"\mathrm{ab}", r"\mathbf", r"\hat", r"\over", r"\displaystyle", r"\sum", r"\underbrace", r"\not", r"\pmod"),
    *(r"\operatorname*{arg max}", r"\unknown", r"\lim", r"\substack{", r"\overset", r"\xrightarrow", r"\binom"),
    *(r"\tag{1}", r"\color{red}", r"\rm"),
]
_NAMES = (
    "mrow mi mn mo mtext mspace mfrac msqrt mroot msub msup msubsup munder mover munderover mtable mtr mtd mlabeledtr "
    "mfenced mmultiscripts mprescripts none semantics annotation mphantom mstyle span"
).split()
_TEXTS = [
    "x",
    "12",
    "+",
    "(",
    ")",
    "{",
    "|",
    "α",
    "sin",
    "lim",
    "max",
    "∑",
    "→",
    "^",
    "¯",
    "⏟",
    "",
    " a b ",
    "%",
    "𝑥",
    "\\x",
]
_ATTRIBUTES = [
    *({"mathvariant": name} for name in ("bold", "normal", "double-struck", "italic")),
    *({}, {"linethickness": "0"}, {"columnalign": "right left"}, {"stretchy": "false"}, {"width": "1em"}),
    *({"width": ".2em"}, {"open": "[", "close": ""}, {"separators": ";,"}, {"linebreak": "newline"}),
    *({"class": name} for name in ("msupsub", "mfrac", "vlist", "vlist-t2", "sqrt", "op-limits", "mop", "strut")),
]
_SCRIPTS = [
    "1",
    "22",
    "st",
    "e",
    "TM",
    "n+1",
    "i,j",
    "max",
    "2+",
    "-6",
    "(n)",
    "[3]",
    "*",
    "a b c d e f",
    "β",
    "é",
    "𝑥",
]
_BEFORE = ["", "x", "the 1", "XIX", "M", "n", "$19", "€ 5", "a ", "1⁄", ")", "𝑥", "MAX"]


def listed(child: Child) -> Any:
    return (
        child if isinstance(child, str) else [child.name, child.attributes, [listed(each) for each in child.children]]
    )


def tree(chance: random.Random, depth: int) -> Child:
    if depth > 3 or chance.random() < 0.2:
        return chance.choice(_TEXTS)
    children = [tree(chance, depth + 1) for _ in range(chance.randint(0, 3))]
    return Node(chance.choice(_NAMES), chance.choice(_ATTRIBUTES), children)


def of_python(text: str) -> dict[str, Any]:
    content = content_of(text)
    return {
        "mathml": listed(content),
        "tex": to_tex(content),
        "clean": clean(text),
        "plain": plain(text),
        "bars": without_bars(text),
        "raw": [listed(part) for part in split_raw(text, dollars=False)],
        "rawDollars": [listed(part) for part in split_raw(text, dollars=True)],
    }


def test_formulas_and_scripts_are_the_same() -> None:
    chance = random.Random(0)
    texts = ["".join(chance.choices(_PIECES, k=chance.randint(1, 14))) for _ in range(4_000)]
    texts += [
        f"a\\{name} b"
        for key in ("letters", "operators", "large", "integrals", "limits", "accents")
        for name in TABLE[key]
    ]
    texts += [
        f"\\{name}{{xA1}}" for key in ("fonts", "unders", "arrows", "texts", "transparent") for name in TABLE[key]
    ]
    texts += ["{" * 100, "\\frac" * 100, "x^" * 100]
    trees = [Node("math", {}, [tree(chance, 0) for _ in range(3)]) for _ in range(2_000)]
    scripts = [
        (name, content, before, after)
        for name in ("sup", "sub")
        for content in _SCRIPTS
        for before in _BEFORE
        for after in ("", "/", "⁄", "x")
    ]
    given = {"texts": texts, "trees": [listed(each) for each in trees], "scripts": scripts}
    found = json.loads(node(str(HERE / "math.mjs"), given=json.dumps(given)))
    for text, answer in zip(texts, found["texts"], strict=True):
        assert answer == of_python(text), text
    for each, answer in zip(trees, found["trees"], strict=True):
        expected = {
            "tex": to_tex(each),
            "katex": katex.to_tex(each),
            "presentation": [*map(listed, presentation(each))],
        }
        assert answer == expected, listed(each)
    for script, shown in zip(scripts, found["scripts"], strict=True):
        assert shown == written(*script), script
