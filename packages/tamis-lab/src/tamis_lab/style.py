"""One look for all pages that the laboratory writes: `style.css`, in the colours of explanations, light and dark."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any

from tamis.render import safe
from tamis_lab.extras import needs

_CHARTS = Path(__file__).with_name("charts.mplstyle")  # matplotlib's style of all charts
_IDS = re.compile(r'(\bid="|url\(#|href="#)')


def head(title: str, *, scripts: str = "'none'") -> str:
    """The head of a page, complete in itself; `scripts` is the digest of its script, see `safe.policy`."""
    style = Path(__file__).with_suffix(".css").read_text(encoding="utf-8")
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n{safe.policy(scripts=scripts)}\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f'<title>{safe.text(title)}</title>\n<link rel="icon" href="data:,">\n<style>\n{style}</style>\n</head>'
    )


def svg(draw: Callable[[Any], None], size: tuple[float, float], described: str, name: str = "") -> str:
    """A chart of so many inches, drawn on matplotlib's axes. It has no background, so that a page can be dark.

    Its ids begin with `name`, or with a digest of the chart: a page with several has one set of ids. Raises
    MissingExtra.
    """
    with needs("bench", "charts"):
        import matplotlib as mpl
        from matplotlib.figure import Figure
    with mpl.rc_context(fname=_CHARTS):
        figure = Figure(figsize=size, dpi=72, layout="constrained")
        draw(figure.add_subplot())
        file = io.StringIO()
        figure.savefig(file, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    drawn = file.getvalue().partition("<svg ")[2]
    name = name or f"c{sha256(drawn.encode()).hexdigest()[:8]}"
    return f'<svg role="img" aria-label="{escape(described)}" ' + _IDS.sub(rf"\g<1>{name}-", drawn)
