"""An explanation as one HTML page. It loads nothing from elsewhere, and all text of the explained page is escaped."""

from __future__ import annotations

from importlib.resources import files
from string import Template

from tamis.explain.explanation import ExplainedBlock, Explanation
from tamis.explain.words import (
    LEAST_REST,
    as_sentence,
    clean,
    lead_sentences,
    notable_reasons,
    rest_of,
    short_reasons,
    signed,
    turning_sentence,
)
from tamis.render import safe

# With more blocks than this, less of each is shown, so that browsers can still display the file.
_MANY_BLOCKS = 3_000
_LONGEST_TEXT, _LONGEST_TEXT_OF_MANY = 3_000, 300
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
        f"<small>{block.role}{' · close' * block.close}</small>{_typical(block)}</div>"
        f'<div><p class="text" dir="auto">{safe.text(shown)}</p>{_details(block)}</div></li>\n'
    )


def _typical(block: ExplainedBlock) -> str:
    """What a typical block of its kind would get, if that is something else, no rule decided and it has one part."""
    if block.usual is None or block.as_usual or block.note or block.part:
        return ""
    return f"<small>typical {block.usual:.2f}</small>"


def _details(block: ExplainedBlock) -> str:
    """Note, what is usual, reasons and XPath of a block, folded; the summary names the strongest reasons."""
    end = f"<p><code>{safe.text(clean(block.xpath))}</code></p>"
    if block.usual is None:
        note = _paragraph(as_sentence(block.note), "lead")
        return f"<details><summary>where</summary>{note}{end}</details>"
    short = safe.text(short_reasons(block))
    lead = "".join(_paragraph(sentence, "lead") for sentence in lead_sentences(block))
    turning = _paragraph(turning_sentence(block), "turn")
    return f"<details><summary>why: {short}</summary>{lead}{_table(block)}{turning}{end}</details>"


def _paragraph(text: str, name: str) -> str:
    return f'<p class="{name}">{safe.text(text)}</p>' if text else ""


def _table(block: ExplainedBlock) -> str:
    """The reasons that are worth a line, and what the others add up to."""
    rows = [(each.effect, str(each.group), clean(each.words)) for each in notable_reasons(block)]
    if abs(rest := rest_of(block)) >= LEAST_REST:
        rows.append((rest, "everything else", ""))
    cells = "".join(
        f'<tr class="{"for" if effect > 0 else "against"} w{_width(effect)}"><td>{signed(effect)}'
        f"<td>{safe.text(group)}<td>{safe.text(words)}"
        for effect, group, words in rows
    )
    return f"<table>{cells}</table>" if cells else ""


def _width(effect: float) -> int:
    """The width of a bar, from 1 to 10."""
    return max(1, min(10, round(10 * abs(effect) / _FULL_BAR)))


def _read(name: str) -> str:
    """A file beside this one."""
    return files("tamis.explain").joinpath(name).read_text(encoding="utf-8")
