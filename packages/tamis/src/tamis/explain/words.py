"""Explanations in words: lines for the terminal, and one HTML page.

The page loads nothing from elsewhere, and all text of the explained page is escaped.
"""

from __future__ import annotations

import re
from importlib.resources import files
from string import Template

from tamis.explain.explanation import ExplainedBlock, Explanation, Reason
from tamis.render import safe

# Reasons that move the log-odds by less are not shown.
LEAST_EFFECT = 0.3
# The most reasons that are shown; a few more, also weaker ones, if the others together outweigh a shown reason.
_MOST_REASONS = 6
_MOST_WITH_MORE = 8
# The sum of the others is shown if it is at least this large.
LEAST_REST = 0.1
# Longer texts are cut on the terminal: a reader who asks about a block knows its words. Parts are cut everywhere.
_LONGEST_LINE = 300
_LONGEST_PART = 60
_SUMMARY_REASONS = 2  # reasons in a summary
_MOST_TURNING = 3  # groups in a sentence about the verdict
# The usual value in the words of a reason.
_USUAL = re.compile(r" \(usual: [^)]*\)")
# Parentheses, or a separator of two facts.
_PARENTHESES_OR_SEPARATOR = re.compile(r"\((?:[^()]|\([^()]*\))*\)|[,;] ")
# Control characters except tab and line feed, and characters that change the direction of the text after them.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def to_lines(block: ExplainedBlock) -> list[str]:
    """Verdict, XPath, the explained part, a note, the usual score, reasons, and what would change the verdict."""
    shown = _shortened_text(" ".join(without_control_characters(block.text).split()), _LONGEST_LINE)
    reasons = [
        f"{signed_effect(reason.effect)}  {reason.group}: {without_control_characters(reason.words)}"
        for reason in notable_reasons(block)
    ]
    rest = f"{signed_effect(rest_of(block))}  everything else" if abs(rest_of(block)) >= LEAST_REST else ""
    lines = [without_control_characters(block.xpath), *lead_sentences(block), *reasons, rest, turning_sentence(block)]
    verdict = f"{block.score:.2f} {block.verdict} ({block.role}; kept from {block.threshold:.2f} on): {shown}"
    return [verdict, *(f"  {line}" for line in lines if line)]


def state_sentence(explanation: Explanation) -> str:
    """What the page is, how surely, and why."""
    why = "; ".join(without_control_characters(each) for each in explanation.state_evidence)
    return f"{explanation.state} ({100 * explanation.state_probability:.0f} %){why and f': {why}'}"


def confidence_sentence(explanation: Explanation) -> str:
    """The confidence of the extraction, and what lowers it most."""
    if explanation.confidence is None:
        return "unknown"
    against = ", ".join(f"{name} ({signed_effect(effect)})" for name, effect in explanation.doubts)
    return f"{explanation.confidence:.2f}{against and f'; against it: {against}'}"


def lead_sentences(block: ExplainedBlock) -> tuple[str, str, str]:
    """The sentences before the reasons: the explained part of the block, the note, the usual score; some are empty."""
    return _part_sentence(block), as_sentence(block.note), comparison_sentence(block)


def notable_reasons(block: ExplainedBlock) -> list[Reason]:
    """The reasons that are worth a line, strongest first; none for a block that is as usual.

    If groups show the same or contradict each other, the mean over orders can point one way although making the group
    typical alone moves the score the other way. A reader could not check such a reason, so it is not shown.
    """
    score = block.network
    if block.settled or score is None or block.as_usual:
        return []
    confirmed = [reason for reason in block.reasons if (score - reason.without) * reason.effect > 0]
    shown = [each for each in confirmed if abs(each.effect) >= LEAST_EFFECT][:_MOST_REASONS]
    for reason in confirmed[len(shown) :]:
        rest, weakest = _sum_of_others(block, shown), min((abs(each.effect) for each in shown), default=0.0)
        if abs(rest) <= weakest or abs(reason.effect) < LEAST_REST or len(shown) == _MOST_WITH_MORE:
            break
        if reason.effect * rest > 0:  # else the rest would be larger without it
            shown.append(reason)
    return shown


def rest_of(block: ExplainedBlock) -> float:
    """The sum of all reasons that are not shown; 0 if none is shown."""
    shown = notable_reasons(block)
    return _sum_of_others(block, shown) if shown else 0.0


def _sum_of_others(block: ExplainedBlock, shown: list[Reason]) -> float:
    return sum(reason.effect for reason in block.reasons) - sum(reason.effect for reason in shown)


def _part_sentence(block: ExplainedBlock) -> str:
    """Which of several parts is explained; empty if a rule settled the matter or if there is one part."""
    if block.settled or block.parts == 1 or block.network is None:
        return ""
    shown = _shortened_text(without_control_characters(block.part), _LONGEST_PART)
    part = f"“{shown}”, which the network gives {block.network:.2f}"
    return f"Its {block.parts} parts are scored apart; this is about {part}."


def comparison_sentence(block: ExplainedBlock) -> str:
    """The score of a typical block of its kind; empty if a rule settled the matter, or without reasons."""
    if block.settled or block.usual is None or block.network is None:
        return ""
    if block.as_usual:
        return f"As usual for a {block.kind}: a typical one would get {block.usual:.2f} at this place of the page."
    makes = "What tipped it" if _is_tipped(block) else "What makes the difference"
    end = f" {makes}:" if notable_reasons(block) else ""
    return f"A typical {block.kind} would get {block.usual:.2f} here.{end}"


def short_reasons(block: ExplainedBlock) -> str:
    """Why, in one line: a note, that it is as usual, or the strongest reasons for the difference."""
    if block.note:
        return block.note
    if block.as_usual or block.usual is None or block.network is None:
        return f"as usual for a {block.kind}"
    shown = notable_reasons(block)
    supporting = [reason for reason in shown if (reason.effect > 0) == (block.network > block.usual)]
    chosen = (supporting or shown)[:_SUMMARY_REASONS]
    facts = (
        " · ".join(f"{_telling_fact(reason)} ({signed_effect(reason.effect)})" for reason in chosen)
        or "many small things"
    )
    return facts if _is_tipped(block) else f"{'more' if block.network > block.usual else 'less'} than usual: {facts}"


def _is_tipped(block: ExplainedBlock) -> bool:
    """Is the verdict the network's, and would a typical block of its kind get the other one?"""
    scores = (block.usual, block.network)
    return not block.note and len({score >= block.threshold for score in scores if score is not None}) == 2


def _telling_fact(reason: Reason) -> str:
    """The first fact that is not usual, else the first fact, without the usual value."""
    facts = _facts_in(without_control_characters(reason.words))
    return _USUAL.sub("", next((fact for fact in facts if _USUAL.search(fact)), facts[0]))


def turning_sentence(block: ExplainedBlock) -> str:
    """Which of the shown reasons alone would change the verdict.

    Empty for a block as usual, and for a clear verdict that no single reason would change.
    """
    if not block.reasons or block.note or block.as_usual:
        return ""
    if not block.turning:
        return "A close call, but nothing alone would change the verdict." if block.close else ""
    turning = [reason for reason in notable_reasons(block) if reason in block.turning]
    if not turning:
        return ""
    groups = ", ".join(f"{reason.group} ({reason.without:.2f})" for reason in turning[:_MOST_TURNING])
    other = "dropped" if block.kept else "kept"
    return f"{'This part' if block.part else 'It'} would be {other} if one of these were typical: {groups}."


def signed_effect(effect: float) -> str:
    """+1.5 or −1.5"""
    return f"{'−' if effect < 0 else '+'}{abs(effect):.1f}"


def as_sentence(note: str) -> str:
    """With a capital letter and a full stop; empty for an empty note."""
    return f"{note[0].upper()}{note[1:]}." if note else ""


def _shortened_text(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest]} …"


def without_control_characters(text: str) -> str:
    """Replace control characters: they are not valid in HTML, and terminals execute them."""
    return _CONTROL.sub("\ufffd", text)


def _facts_in(words: str) -> list[str]:
    """The facts of a reason. Commas and semicolons separate them, except within parentheses."""
    separators = [found.span() for found in _PARENTHESES_OR_SEPARATOR.finditer(words) if not found[0].startswith("(")]
    starts, ends = [0, *(end for _, end in separators)], [*(start for start, _ in separators), len(words)]
    return [words[start:end] for start, end in zip(starts, ends, strict=True)]


# With more blocks than this, texts are cut shorter, so that browsers can still display the file.
_MANY_BLOCKS = 3_000
_LONGEST_TEXT = 3_000
_LONGEST_TEXT_OF_MANY = 300
_MOST_BLOCKS = 30_000

# An effect of this size, in log-odds, fills its bar, which has a width from 1 to 10.
_FULL_BAR = 4.0


def to_html(explanation: Explanation) -> str:
    """The whole page: page.html with page.css and page.js in it."""
    style, script = _file_text("page.css"), _file_text("page.js")
    blocks, confidence = explanation.blocks, explanation.page_type_confidence
    kept = sum(block.kept for block in blocks)
    more = len(blocks) - _MOST_BLOCKS
    remainder = f"<p>{more:,} more blocks are left out here.</p>" if more > 0 else ""
    return Template(_file_text("page.html")).substitute(
        style=style,
        script=script,
        policy=safe.policy(styles=safe.digest(style), scripts=safe.digest(script)),
        name=safe.text(without_control_characters(explanation.title or explanation.url or "a page without a title")),
        address=safe.text(without_control_characters(explanation.url or "")),
        extractor=safe.text(explanation.extractor),
        all=f"{len(blocks):,}",
        kept=f"{kept:,}",
        dropped=f"{len(blocks) - kept:,}",
        close=f"{sum(block.close for block in blocks):,}",
        threshold=f"{explanation.threshold:.2f}",
        page_type="none" if confidence is None else f"{explanation.page_type} ({100 * confidence:.0f} %)",
        state=safe.text(state_sentence(explanation)),
        confidence=safe.text(confidence_sentence(explanation)),
        remark=safe.text(as_sentence(explanation.remark)),
        hide_remark="" if explanation.remark else " hidden",
        hide_method=" hidden" if explanation.remark else "",
        blocks="".join(_list_item(block, many=len(blocks) > _MANY_BLOCKS) for block in blocks[:_MOST_BLOCKS]),
        remainder=remainder if blocks else "<p>The page shows no text.</p>",
    )


def _list_item(block: ExplainedBlock, *, many: bool) -> str:
    longest = _LONGEST_TEXT_OF_MANY if many else _LONGEST_TEXT
    text = without_control_characters(block.text)
    shown = text if len(text) <= longest else f"{text[:longest]} … ({len(text):,} characters)"
    classes = f"{'k' if block.kept else 'd'} s{round(10 * min(max(block.score, 0.0), 1.0))}{' c' * block.close}"
    return (
        f'<li class="{classes}"><div><b>{block.score:.2f}</b> {block.verdict}'
        f"<small>{block.role}{' · close' * block.close}</small>{_typical_score(block)}</div>"
        f'<div><p class="text" dir="auto">{safe.text(shown)}</p>{_folded_details(block)}</div></li>\n'
    )


def _typical_score(block: ExplainedBlock) -> str:
    """The score of a typical block of its kind, if it differs, no rule decided and the block has one part."""
    if block.usual is None or block.as_usual or block.note or block.part:
        return ""
    return f"<small>typical {block.usual:.2f}</small>"


def _folded_details(block: ExplainedBlock) -> str:
    """Note, usual score, reasons and XPath of a block, folded; the summary names the strongest reasons."""
    end = f"<p><code>{safe.text(without_control_characters(block.xpath))}</code></p>"
    if block.usual is None:
        note = _html_paragraph(as_sentence(block.note), "lead")
        return f"<details><summary>where</summary>{note}{end}</details>"
    short = safe.text(short_reasons(block))
    lead = "".join(_html_paragraph(sentence, "lead") for sentence in lead_sentences(block))
    turning = _html_paragraph(turning_sentence(block), "turn")
    return f"<details><summary>why: {short}</summary>{lead}{_table_of_reasons(block)}{turning}{end}</details>"


def _html_paragraph(text: str, name: str) -> str:
    return f'<p class="{name}">{safe.text(text)}</p>' if text else ""


def _table_of_reasons(block: ExplainedBlock) -> str:
    """The reasons that are worth a line, and the sum of the others."""
    rows = [(each.effect, str(each.group), without_control_characters(each.words)) for each in notable_reasons(block)]
    if abs(rest := rest_of(block)) >= LEAST_REST:
        rows.append((rest, "everything else", ""))
    cells = "".join(
        f'<tr class="{"for" if effect > 0 else "against"} w{max(1, min(10, round(10 * abs(effect) / _FULL_BAR)))}">'
        f"<td>{signed_effect(effect)}<td>{safe.text(group)}<td>{safe.text(words)}"
        for effect, group, words in rows
    )
    return f"<table>{cells}</table>" if cells else ""


def _file_text(name: str) -> str:
    """A file of this folder."""
    return files("tamis.explain").joinpath(name).read_text(encoding="utf-8")
