"""Sentences that the page and the terminal share."""

from __future__ import annotations

import re

from tamis.explain.explanation import ExplainedBlock

METHOD = (
    "The score is how likely a block is content, by the network. Its columns are put into groups that a person has "
    "words for: length, links, tags, place and so on. A group is taken away by setting its columns to the page's mean "
    "and its tags to the page's commonest, on all blocks at once: so a block is compared with an ordinary one of the "
    "same page, and what the group says of the blocks around counts, too.",
    "An effect is in log-odds: above 0 it speaks for keeping, below 0 for dropping, and 0.7 doubles or halves the "
    "odds. It is the mean change as the groups are brought back one by one in several orders (a Shapley value). All "
    "effects of a block add up to what parts it from an ordinary one.",
    "“It would be kept if …” is tried, not guessed: the score with that one group taken away.",
)
# All of them but tab and line feed, and those that turn the direction of the text after them.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")

# How many reasons stand beside the handle, and how many changes in a sentence.
_SHORT = 2
_CHANGES = 3


def signed(effect: float) -> str:
    """+1.5 or −1.5"""
    return f"{'−' if effect < 0 else '+'}{abs(effect):.1f}"


def short_reasons(block: ExplainedBlock) -> str:
    """The strongest reasons for what became of the block; where none of those weighs, the strongest at all."""
    agreeing = [reason for reason in block.reasons if (reason.effect > 0) == block.kept]
    chosen = (agreeing or list(block.reasons))[:_SHORT]
    return " · ".join(f"{_first_part(clean(reason.words))} ({signed(reason.effect)})" for reason in chosen)


def _first_part(words: str) -> str:
    return words.split(", ")[0].split("; ")[0]


def change_told(block: ExplainedBlock) -> str:
    """What would turn the verdict; empty where it was no close call and nothing by itself does."""
    if not block.reasons or block.note:
        return ""
    other = "dropped" if block.kept else "kept"
    if not block.turning:
        return f"A close call, but nothing by itself would have it {other}." if block.close else ""
    parts = [f"{reason.group} ({reason.without:.2f})" for reason in block.turning[:_CHANGES]]
    return f"It would be {other} if one of these were ordinary for this page: {', '.join(parts)}."


def told(note: str) -> str:
    """A note as a sentence."""
    return note[:1].upper() + note[1:] + "."


def clean(text: str) -> str:
    """Without control characters: they have no place in a page, and a terminal obeys them."""
    return _CONTROL.sub("\ufffd", text)
