"""One look for all pages that the laboratory writes: `style.css`, in the colours of explanations, light and dark."""

from __future__ import annotations

from pathlib import Path

from tamis.render import safe

CHARTS = Path(__file__).with_name("charts.mplstyle")  # matplotlib's style of all charts


def head(title: str, *, scripts: str = "'none'") -> str:
    """The head of a page, complete in itself; `scripts` is the digest of its script, see `safe.policy`."""
    style = Path(__file__).with_suffix(".css").read_text(encoding="utf-8")
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n{safe.policy(scripts=scripts)}\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f'<title>{safe.text(title)}</title>\n<link rel="icon" href="data:,">\n<style>\n{style}</style>\n</head>'
    )
