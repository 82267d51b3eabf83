"""Markdown to HTML by an independent parser of CommonMark with GitHub's tables, footnotes and formulas."""

from __future__ import annotations

import re
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Any

from tamis_lab.extras import needs

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

# Brackets behind a backslash are punctuation in Markdown. As formulas they count as well as dollars.
_BRACKETS = re.compile(r"\\\(([^\n]+?)\\\)|\\\[((?:[^\n]|\n(?!\n))+?)\\\]")


def to_html(markdown: str, *, with_formulas: bool) -> str:
    """The HTML of Markdown. Dollars are dollars unless the page is known to have formulas."""
    if with_formulas:
        markdown = _BRACKETS.sub(lambda found: f"${found[1].strip()}$" if found[1] else f"$${found[2]}$$", markdown)
    return str(_parser(with_formulas).render(markdown))


@cache
def _parser(with_formulas: bool) -> MarkdownIt:
    with needs("bench", "reading Markdown"):
        from markdown_it import MarkdownIt
        from mdit_py_plugins.dollarmath import dollarmath_plugin
        from mdit_py_plugins.footnote import footnote_plugin

    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    parser.use(footnote_plugin, inline=False)
    if with_formulas:
        parser.use(dollarmath_plugin, allow_labels=False, double_inline=True)
        for rule in ("math_inline", "math_inline_double", "math_block"):
            parser.add_render_rule(rule, _formula)
    return parser


def _formula(renderer: Any, tokens: Any, number: int, options: Any, environment: Any) -> str:
    del renderer, options, environment
    return f'<math alttext="{escape(tokens[number].content.strip())}"></math>'
