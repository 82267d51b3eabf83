"""An explanation as one HTML page. It loads nothing from elsewhere, and all text of the explained page is escaped."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files
from string import Template

from tamis.explain.explanation import ExplainedBlock, Explanation, Reason
from tamis.explain.words import as_sentence, clean, notable_reasons, short_reasons, signed, turning_sentence
from tamis.render import safe

# With more blocks than this, less of each is shown, so that browsers can still display the file.
_MANY_BLOCKS = 3_000
_LONGEST_TEXT, _LONGEST_TEXT_OF_MANY = 3_000, 300
_REASONS, _REASONS_OF_MANY = 8, 3
_MOST_BLOCKS = 30_000

# An effect of this size, in log-odds, fills its bar.
_FULL_BAR = 4.0


def to_html(explanation: Explanation) -> str:
    """The whole page: page.html with page.css and page.js in it."""
    style, script = _read("page.css"), _read("page.js")
    blocks, confidence = explanation.blocks, explanation.page_type_confidence
    kept = sum(block.kept for block in blocks)
    more = len(blocks) - _MOST_BLOCKS
    remainder = f"<p>{more:,} more blocks are left out here.</p>" if more > 0 else ""
    return Template(_read("page.html")).substitute(
        style=style,
        script=script,
        policy=safe.policy(styles=safe.digest(style), scripts=safe.digest(script)),
        name=safe.text(clean(explanation.title or explanation.url or "a page without a title")),
        address=safe.text(clean(explanation.url or "")),
        extractor=safe.text(explanation.extractor),
        all=f"{len(blocks):,}",
        kept=f"{kept:,}",
        dropped=f"{len(blocks) - kept:,}",
        close=f"{sum(block.close for block in blocks):,}",
        threshold=f"{explanation.threshold:.2f}",
        page_type="none" if confidence is None else f"{explanation.page_type} ({100 * confidence:.0f} %)",
        remark=safe.text(as_sentence(explanation.remark)),
        hide_remark="" if explanation.remark else " hidden",
        hide_method=" hidden" if explanation.remark else "",
        blocks="".join(_block(block, many=len(blocks) > _MANY_BLOCKS) for block in blocks[:_MOST_BLOCKS]),
        remainder=remainder if blocks else "<p>The page shows no text.</p>",
    )


def _block(block: ExplainedBlock, *, many: bool) -> str:
    longest = _LONGEST_TEXT_OF_MANY if many else _LONGEST_TEXT
    text = clean(block.text)
    shown = text if len(text) <= longest else f"{text[:longest]} … ({len(text):,} characters)"
    classes = f"{'k' if block.kept else 'd'} s{round(10 * min(max(block.score, 0.0), 1.0))}{' c' * block.close}"
    return (
        f'<li class="{classes}"><div><b>{block.score:.2f}</b> {block.verdict}'
        f"<small>{block.role}{' · close' * block.close}</small></div>"
        f'<div><p class="text" dir="auto">{safe.text(shown)}</p>{_details(block, many=many)}</div></li>\n'
    )


def _details(block: ExplainedBlock, *, many: bool) -> str:
    """Reasons, note and XPath of a block, folded; the summary names the strongest reasons."""
    end = f"<p>{safe.text(as_sentence(block.note))}</p>" if block.note else ""
    end += f"<p><code>{safe.text(clean(block.xpath))}</code></p>"
    if not block.reasons:
        return f"<details><summary>where</summary>{end}</details>"
    table = _table(notable_reasons(block)[: _REASONS_OF_MANY if many else _REASONS])
    turning = turning_sentence(block)
    turning = f'<p class="turn">{safe.text(turning)}</p>' if turning else ""
    short = safe.text(short_reasons(block))
    return f"<details><summary>why: {short}</summary>{table}{turning}{end}</details>"


def _table(reasons: Iterable[Reason]) -> str:
    rows = "".join(
        f'<tr class="{"for" if reason.effect > 0 else "against"} w{_width(reason.effect)}"><td>{signed(reason.effect)}'
        f"<td>{safe.text(reason.group)}<td>{safe.text(clean(reason.words))}"
        for reason in reasons
    )
    return f"<table>{rows}</table>" if rows else ""


def _width(effect: float) -> int:
    """The width of a bar, from 1 to 10."""
    return max(1, min(10, round(10 * abs(effect) / _FULL_BAR)))


def _read(name: str) -> str:
    """A file beside this one."""
    return files("tamis.explain").joinpath(name).read_text(encoding="utf-8")
