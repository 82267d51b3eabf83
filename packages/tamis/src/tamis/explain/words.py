"""Explanations in words: lines for the terminal, and the sentences that the HTML page has too."""

from __future__ import annotations

import re

from tamis.explain.explanation import ExplainedBlock, Reason

# Reasons that move the log-odds by less are not shown.
LEAST_EFFECT = 0.3
# Nor are more reasons than this, or weaker ones, unless what is left outweighs a reason that is shown: then there are a
# few more. What is left is added up and shown from LEAST_REST on.
_MOST_REASONS, _MOST_WITH_MORE = 6, 8
LEAST_REST = 0.1
# Longer texts are cut on the terminal: whoever asks about a block knows its words. Parts of a block are cut anywhere.
_LONGEST_LINE, _LONGEST_PART = 300, 60
# How many reasons a summary has, and how many groups a sentence about the verdict.
_SUMMARY_REASONS, _MOST_TURNING = 2, 3
# What is usual, in the words of a reason; and parentheses, or what separates two facts.
_USUAL = re.compile(r" \(usual: [^)]*\)")
_PARENTHESES_OR_SEPARATOR = re.compile(r"\((?:[^()]|\([^()]*\))*\)|[,;] ")
# Control characters except tab and line feed, and characters that change the direction of the text after them.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def to_lines(block: ExplainedBlock) -> list[str]:
    """Verdict, XPath, which part is meant, a note, what is usual, reasons, and what would change the verdict."""
    shown = _cut(" ".join(clean(block.text).split()), _LONGEST_LINE)
    reasons = [f"{signed(reason.effect)}  {reason.group}: {clean(reason.words)}" for reason in notable_reasons(block)]
    rest = f"{signed(rest_of(block))}  everything else" if abs(rest_of(block)) >= LEAST_REST else ""
    lines = [clean(block.xpath), *lead_sentences(block), *reasons, rest, turning_sentence(block)]
    verdict = f"{block.score:.2f} {block.verdict} ({block.role}; kept from {block.threshold:.2f} on): {shown}"
    return [verdict, *(f"  {line}" for line in lines if line)]


def lead_sentences(block: ExplainedBlock) -> tuple[str, str, str]:
    """What comes before the reasons: which part of the block is meant, the note and what is usual; empty where none."""
    return _part_sentence(block), as_sentence(block.note), comparison_sentence(block)


def notable_reasons(block: ExplainedBlock) -> list[Reason]:
    """The reasons that are worth a line, strongest first; none for a block that is as usual.

    Where groups show the same or contradict each other, the mean over orders can point one way, and making the group
    typical alone move the score the other way. Nobody could check such a reason, so it is not shown.
    """
    score = block.network
    if block.settled or score is None or block.as_usual:
        return []
    confirmed = [reason for reason in block.reasons if (score - reason.without) * reason.effect > 0]
    shown = [each for each in confirmed if abs(each.effect) >= LEAST_EFFECT][:_MOST_REASONS]
    for reason in confirmed[len(shown) :]:
        rest, weakest = _rest(block, shown), min((abs(each.effect) for each in shown), default=0.0)
        if abs(rest) <= weakest or abs(reason.effect) < LEAST_REST or len(shown) == _MOST_WITH_MORE:
            break
        if reason.effect * rest > 0:  # else the rest would be larger without it
            shown.append(reason)
    return shown


def rest_of(block: ExplainedBlock) -> float:
    """What all reasons that are not shown add up to; 0 where none is shown."""
    shown = notable_reasons(block)
    return _rest(block, shown) if shown else 0.0


def _rest(block: ExplainedBlock, shown: list[Reason]) -> float:
    return sum(reason.effect for reason in block.reasons) - sum(reason.effect for reason in shown)


def _part_sentence(block: ExplainedBlock) -> str:
    """Which of several parts the rest is about; empty where a rule settled the matter or there is one part."""
    if block.settled or block.parts == 1 or block.network is None:
        return ""
    part = f"“{_cut(clean(block.part), _LONGEST_PART)}”, which the network gives {block.network:.2f}"
    return f"Its {block.parts} parts are scored apart; this is about {part}."


def comparison_sentence(block: ExplainedBlock) -> str:
    """What a typical block of its kind gets; empty where a rule settled the matter or there are no reasons."""
    if block.settled or block.usual is None or block.network is None:
        return ""
    if block.as_usual:
        return f"As usual for a {block.kind}: a typical one would get {block.usual:.2f} at this place of the page."
    makes = "What tipped it" if _is_tipped(block) else "What makes the difference"
    end = f" {makes}:" if notable_reasons(block) else ""
    return f"A typical {block.kind} would get {block.usual:.2f} here.{end}"


def short_reasons(block: ExplainedBlock) -> str:
    """Why, in a line: a note, that it is as usual, or the strongest reasons for the difference."""
    if block.note:
        return block.note
    if block.as_usual or block.usual is None or block.network is None:
        return f"as usual for a {block.kind}"
    shown = notable_reasons(block)
    supporting = [reason for reason in shown if (reason.effect > 0) == (block.network > block.usual)]
    chosen = (supporting or shown)[:_SUMMARY_REASONS]
    facts = " · ".join(f"{_telling(reason)} ({signed(reason.effect)})" for reason in chosen) or "many small things"
    return facts if _is_tipped(block) else f"{'more' if block.network > block.usual else 'less'} than usual: {facts}"


def _is_tipped(block: ExplainedBlock) -> bool:
    """Is the verdict the network's, and would it be the other one on a typical block of its kind?"""
    scores = (block.usual, block.network)
    return not block.note and len({score >= block.threshold for score in scores if score is not None}) == 2


def _telling(reason: Reason) -> str:
    """The first fact that is not usual, or the first of all, without what is usual."""
    facts = _facts(clean(reason.words))
    return _USUAL.sub("", next((fact for fact in facts if _USUAL.search(fact)), facts[0]))


def turning_sentence(block: ExplainedBlock) -> str:
    """Which of the shown reasons alone would change the verdict.

    Empty for a block as usual and for a clear verdict that none would change.
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


def signed(effect: float) -> str:
    """+1.5 or −1.5"""
    return f"{'−' if effect < 0 else '+'}{abs(effect):.1f}"


def as_sentence(note: str) -> str:
    """With a capital letter and a full stop; empty for an empty note."""
    return f"{note[0].upper()}{note[1:]}." if note else ""


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest]} …"


def clean(text: str) -> str:
    """Replace control characters: they are not valid in HTML, and terminals execute them."""
    return _CONTROL.sub("\ufffd", text)


def _facts(words: str) -> list[str]:
    """The facts of a reason. Commas and semicolons separate them, except within parentheses."""
    separators = [found.span() for found in _PARENTHESES_OR_SEPARATOR.finditer(words) if not found[0].startswith("(")]
    starts, ends = [0, *(end for _, end in separators)], [*(start for start, _ in separators), len(words)]
    return [words[start:end] for start, end in zip(starts, ends, strict=True)]
