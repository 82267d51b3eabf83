"""Explanations in words: lines for the terminal, and the sentences that the HTML page has too."""

from __future__ import annotations

import re

from tamis.explain.explanation import ExplainedBlock, Reason

# Reasons that move the log-odds by less are not shown.
LEAST_EFFECT = 0.1
# Longer texts are cut on the terminal: whoever asks about a block knows its words.
_LONGEST_LINE = 300
# How many reasons a summary has, and how many groups a sentence about the verdict.
_SUMMARY_REASONS, _MOST_TURNING = 2, 3
# Control characters except tab and line feed, and characters that change the direction of the text after them.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def to_lines(block: ExplainedBlock) -> list[str]:
    """Verdict, XPath, reasons, what would change the verdict, and the note, if there is one."""
    text = " ".join(clean(block.text).split())
    shown = text if len(text) <= _LONGEST_LINE else f"{text[:_LONGEST_LINE]} …"
    reasons = [f"{signed(reason.effect)}  {reason.group}: {clean(reason.words)}" for reason in notable_reasons(block)]
    lines = [clean(block.xpath), *reasons, turning_sentence(block), as_sentence(block.note)]
    return [f"{block.score:.2f} {block.verdict} ({block.role}): {shown}", *(f"  {line}" for line in lines if line)]


def notable_reasons(block: ExplainedBlock) -> list[Reason]:
    """The reasons that are worth a line."""
    return [reason for reason in block.reasons if abs(reason.effect) >= LEAST_EFFECT]


def short_reasons(block: ExplainedBlock) -> str:
    """The strongest reasons for the verdict; if none supports it, the strongest of all."""
    supporting = [reason for reason in block.reasons if (reason.effect > 0) == block.kept]
    chosen = (supporting or list(block.reasons))[:_SUMMARY_REASONS]
    return " · ".join(f"{re.split('[,;] ', clean(reason.words))[0]} ({signed(reason.effect)})" for reason in chosen)


def turning_sentence(block: ExplainedBlock) -> str:
    """Which groups alone would change the verdict; empty for a clear verdict that none would change."""
    if not block.reasons or block.note:
        return ""
    if not block.turning:
        return "A close call, but no group alone would change the verdict." if block.close else ""
    groups = ", ".join(f"{reason.group} ({reason.without:.2f})" for reason in block.turning[:_MOST_TURNING])
    other = "dropped" if block.kept else "kept"
    return f"It would be {other} if one of these were average for this page: {groups}."


def signed(effect: float) -> str:
    """+1.5 or −1.5"""
    return f"{'−' if effect < 0 else '+'}{abs(effect):.1f}"


def as_sentence(note: str) -> str:
    """With a capital letter and a full stop; empty for an empty note."""
    return f"{note[0].upper()}{note[1:]}." if note else ""


def clean(text: str) -> str:
    """Replace control characters: they are not valid in HTML, and terminals execute them."""
    return _CONTROL.sub("\ufffd", text)
