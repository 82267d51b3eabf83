"""Explained blocks as lines of text."""

from __future__ import annotations

from tamis.explain.explanation import ExplainedBlock
from tamis.explain.words import change_told, clean, signed, told

# A block of more characters is cut: who asks about it knows its words.
_LONGEST = 300

# Groups that move the log-odds by less are left out.
_LEAST = 0.1


def to_lines(block: ExplainedBlock) -> list[str]:
    """The verdict, the place, the reasons and what would turn it."""
    text = " ".join(clean(block.text).split())
    shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"
    verdict = "kept" if block.kept else "dropped"
    lines = [f"{block.score:.2f} {verdict} ({block.role}): {shown}", f"  {clean(block.xpath)}"]
    lines += [
        f"  {signed(reason.effect)}  {reason.group}: {clean(reason.words)}"
        for reason in block.reasons
        if abs(reason.effect) >= _LEAST
    ]
    change = change_told(block)
    lines += [f"  {change}"] if change else []
    lines += [f"  {told(block.note)}"] if block.note else []
    return lines
