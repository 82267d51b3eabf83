"""Characters that have no shape: a reader does not see them, a language model does."""

from __future__ import annotations

import re

_BREAKS = re.compile("[\x0b\x0c\x85\u2028\u2029]")
# Controls, marks of direction, and all that has no shape, such as the tags U+E0000 ff., in which whole sentences fit.
_SHAPELESS = re.compile(
    "[\x00-\x08\x0e-\x1f\r\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
# Persian, Hindi and emoji need one or two of these between letters; more spell something, also over several texts.
_JOINERS = re.compile(r"\A[\u200c\u200d\ufe00-\ufe0f]+|[\u200c\u200d\ufe00-\ufe0f]{3,}")


def clean(text: str) -> str:
    """A text without characters that nobody sees."""
    return _JOINERS.sub("", _SHAPELESS.sub("", _BREAKS.sub("\n", text)))
