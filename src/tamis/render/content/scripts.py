"""Superscripts and subscripts as text."""

from __future__ import annotations


def script_text(kind: str, content: str, before: str) -> str:
    """What text and Markdown show for a <sup> or <sub> after the character `before`."""
    del before
    return ("^" if kind == "sup" else "_") + content.strip()
