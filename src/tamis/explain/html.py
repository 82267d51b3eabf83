"""An explanation as one HTML page. It loads nothing from elsewhere, and all text of the explained page is escaped."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from html import escape
from importlib.resources import files

from tamis.explain.explanation import ExplainedBlock, Explanation, Reason
from tamis.explain.words import METHOD, as_sentence, clean, notable_reasons, short_reasons, signed, turning_sentence

# With more blocks than this, less of each is shown, so that browsers can still display the file.
_MANY_BLOCKS = 3_000
_LONGEST_TEXT, _LONGEST_TEXT_OF_MANY = 3_000, 300
_REASONS, _REASONS_OF_MANY = 8, 3
_MOST_BLOCKS = 30_000

# An effect of this size, in log-odds, fills its bar.
_FULL_BAR = 4.0


def to_html(explanation: Explanation) -> str:
    """The whole page."""
    style, script = _read("page.css"), _read("page.js")
    policy = (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    name = clean(explanation.title or explanation.url or "a page without a title")
    blocks = explanation.blocks
    many = len(blocks) > _MANY_BLOCKS
    return "".join(
        [
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="referrer" content="no-referrer">',
            f"<title>tamis explains: {escape(name)}</title><style>{style}</style></head>\n<body>",
            _header(explanation, name),
            _filters(blocks),
            '<main><ol class="blocks">\n',
            *(_block(block, many=many) for block in blocks[:_MOST_BLOCKS]),
            "</ol>",
            _remainder(len(blocks)),
            f"</main>\n<script>{script}</script></body></html>\n",
        ]
    )


def _header(explanation: Explanation, name: str) -> str:
    blocks = explanation.blocks
    kept = sum(block.kept for block in blocks)
    page_type, confidence = explanation.page_type, explanation.page_type_confidence
    facts = (
        ("extractor", explanation.extractor),
        ("kept", f"{kept:,} of {len(blocks):,} blocks"),
        ("threshold", f"{explanation.threshold:.2f}"),
        ("close calls", f"{sum(block.close for block in blocks):,}"),
        ("page type", "none" if confidence is None else f"{page_type} ({100 * confidence:.0f} %)"),
    )
    address = f'<p class="quiet address">{escape(clean(explanation.url))}</p>' if explanation.url else ""
    if explanation.remark:
        method = f'<p class="method">{escape(as_sentence(explanation.remark))}</p>'
    else:
        paragraphs = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in METHOD)
        method = f'<details class="method"><summary>What the figures mean</summary>{paragraphs}</details>'
    return "".join(
        [
            f'<header><h1 dir="auto">{escape(name)}</h1>{address}',
            '<p class="quiet">Every block of the page in document order: kept or dropped, and why.</p><dl>',
            *(f"<div><dt>{title}</dt><dd>{escape(value)}</dd></div>" for title, value in facts),
            f"</dl>{_legend()}{method}</header>\n",
        ]
    )


def _remainder(blocks: int) -> str:
    if not blocks:
        return "<p>The page shows no text.</p>"
    return f"<p>{blocks - _MOST_BLOCKS:,} more blocks are left out here.</p>" if blocks > _MOST_BLOCKS else ""


def _legend() -> str:
    steps = "".join(f'<li class="s{step}{" d" if step < 5 else ""}"></li>' for step in range(11))
    return (
        '<div class="legend"><span>surely dropped, 0.00</span>'
        f'<ol aria-hidden="true">{steps}</ol><span>1.00, surely kept</span></div>'
    )


def _filters(blocks: tuple[ExplainedBlock, ...]) -> str:
    kept = sum(block.kept for block in blocks)
    choices = (
        ("all", "all", len(blocks)),
        ("kept", "kept", kept),
        ("dropped", "dropped", len(blocks) - kept),
        ("close", "close calls", sum(block.close for block in blocks)),
    )
    radios = "".join(
        f'<label><input type="radio" name="shown" id="{name}"{" checked" if name == "all" else ""}> '
        f"{title} ({count:,})</label>"
        for name, title, count in choices
    )
    return (
        f'<div class="filter" role="group" aria-label="Which blocks are shown">{radios}'
        '<label hidden>with the words <input type="search" id="words" autocomplete="off"></label>'
        '<span id="found" class="quiet" role="status"></span></div>\n'
    )


def _block(block: ExplainedBlock, *, many: bool) -> str:
    longest = _LONGEST_TEXT_OF_MANY if many else _LONGEST_TEXT
    text = clean(block.text)
    shown = text if len(text) <= longest else f"{text[:longest]} … ({len(text):,} characters)"
    classes = f"{'k' if block.kept else 'd'} s{round(10 * min(max(block.score, 0.0), 1.0))}{' c' * block.close}"
    return (
        f'<li class="{classes}"><div><b>{block.score:.2f}</b> {block.verdict}'
        f"<small>{block.role}{' · close' * block.close}</small></div>"
        f'<div><p class="text" dir="auto">{escape(shown, quote=False)}</p>{_details(block, many=many)}</div></li>\n'
    )


def _details(block: ExplainedBlock, *, many: bool) -> str:
    """Reasons, note and XPath of a block, folded; the summary names the strongest reasons."""
    end = f"<p>{escape(as_sentence(block.note))}</p>" if block.note else ""
    end += f"<p><code>{escape(clean(block.xpath), quote=False)}</code></p>"
    if not block.reasons:
        return f"<details><summary>where</summary>{end}</details>"
    table = _table(notable_reasons(block)[: _REASONS_OF_MANY if many else _REASONS])
    turning = turning_sentence(block)
    turning = f'<p class="turn">{escape(turning)}</p>' if turning else ""
    short = escape(short_reasons(block), quote=False)
    return f"<details><summary>why: {short}</summary>{table}{turning}{end}</details>"


def _table(reasons: Iterable[Reason]) -> str:
    rows = "".join(
        f'<tr class="{"for" if reason.effect > 0 else "against"} w{_width(reason.effect)}"><td>{signed(reason.effect)}'
        f"<td>{escape(reason.group)}<td>{escape(clean(reason.words), quote=False)}"
        for reason in reasons
    )
    return f"<table>{rows}</table>" if rows else ""


def _width(effect: float) -> int:
    """The width of a bar, from 1 to 10."""
    return max(1, min(10, round(10 * abs(effect) / _FULL_BAR)))


def _read(name: str) -> str:
    """A file beside this one."""
    return files("tamis.explain").joinpath(name).read_text(encoding="utf-8")


def _digest(content: str) -> str:
    """The hash by which the page's content security policy allows this style or script."""
    return "sha256-" + b64encode(sha256(content.encode()).digest()).decode()
