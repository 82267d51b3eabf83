"""Short lines that are no content wherever they are: notes on advertisements, counters, share buttons, credits.

The table is noise.json, which the browser extension reads, too. Only whole runs count, never a part of a sentence. A
run is compared in lower case, with each number as 0, and in parts: "4 min read · 23 comments" has two.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tamis.arrays import Bools, places
from tamis.extractor.runs import COLUMNS, PageRuns
from tamis.page_type import PageType

_TABLE: Mapping[str, Any] = json.loads(Path(__file__).with_name("noise.json").read_text(encoding="utf-8"))
_LINES = frozenset(line for lines in _TABLE["lines"].values() for line in lines)
_LABELS = tuple(label for labels in _TABLE["labels"].values() for label in labels)  # before a name or a title

# Listings and threads count comments and views of what they list.
_COUNTING_TYPES = (PageType.LISTING, PageType.COLLECTION, PageType.FORUM)

_MOST_WORDS = 16
_MOST_COUNTED_WORDS = 5  # of the parts beside a counter: a name, a date
_PROSE_WORDS = 15

_NUMBER = re.compile(r"[0-9]+(?:[.,][0-9]+)*")
_SEPARATOR = re.compile(r"[|·•∙]| [-–—/] ")
_EDGE = " .:…*+»«›‹>→←-–—[]()!?,;\u200d"
_COUNTERS = frozenset(counter.strip(_EDGE) for counter in _TABLE["counters"])
_BEGIN, _BEFORE = 4, _EDGE + "|·•∙0123456789"  # the letters by which most runs are seen to be no noise


def _begin(text: str) -> str:
    return (text.lstrip(_BEFORE) if text[:1] in _BEFORE else text)[:_BEGIN].lower()


# The first text of a run may be shorter.
_BEGINS = frozenset(_begin(line)[:end] for line in (*_LINES, *_COUNTERS, *_LABELS) for end in range(1, _BEGIN + 1))
_DIGITS, _IN_PRE = COLUMNS.index("digits"), COLUMNS.index("in pre listing xmp")


def noise_of(runs: PageRuns, kept: Bools, page_type: PageType) -> list[int]:
    """The kept runs that are noise."""
    short = kept & (runs.words <= _MOST_WORDS) & (runs.values[:, _IN_PRE] == 0)
    begin = runs.begin
    likely = [
        run for run in places(short).tolist() if (text := begin[run])[:_BEGIN].lower() in _BEGINS or text[0] in _BEFORE
    ]
    found = [run for run in likely if _begin(begin[run]) in _BEGINS and is_noise(runs.leaf_texts(run), page_type)]
    if page_type == PageType.ARTICLE:
        found += _bylines(runs, kept, short)
    return found


def is_noise(texts: Sequence[str], page_type: PageType) -> bool:
    """Is a short run of these texts noise? The texts are tried as one line, and as parts."""
    return _is_line(" ".join(texts), page_type) or (len(texts) > 1 and _is_line("|".join(texts), page_type))


def _is_line(text: str, page_type: PageType) -> bool:
    line = _NUMBER.sub("0", " ".join(text.lower().split()))
    parts = [part for part in (part.strip(_EDGE) for part in _SEPARATOR.split(line)) if part]
    if page_type not in _COUNTING_TYPES and any(part in _COUNTERS for part in parts):
        return all(part in _COUNTERS or len(part.split()) <= _MOST_COUNTED_WORDS for part in parts)
    if line.strip(_EDGE).startswith(_LABELS):
        return True
    return bool(parts) and all(part in _LINES for part in parts)


def _bylines(runs: PageRuns, kept: Bools, short: Bools) -> list[int]:
    """Names and dates with a counter before the first kept paragraph: "Jane Doe · 4 min read".

    Other bylines and dates stay. Dropping them costs 0.05 and 0.08 points on Dragnet, whose gold has them.
    """
    end = int((kept & (runs.words >= _PROSE_WORDS)).argmax())
    counted = short[:end] & (runs.values[:end, _DIGITS] > 0)
    return [run for run in places(counted).tolist() if is_noise(runs.leaf_texts(run), PageType.ARTICLE)]
