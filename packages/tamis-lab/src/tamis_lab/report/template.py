"""The templates of all reports."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from tamis_lab.bench.runner import Selection
from tamis_lab.extras import needs

if TYPE_CHECKING:
    from jinja2 import Template


def template(name: str) -> Template:
    """A template of this folder. What it is given is escaped, and a missing value is an error. Raises MissingExtra."""
    with needs("bench", "the benchmark's report"):
        from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        autoescape=True,
        loader=FileSystemLoader(Path(__file__).parent),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    ).get_template(name)


def sampled(selections: Mapping[str, Selection]) -> Callable[[str], str]:
    """From the label of a corpus to words on how its pages were chosen, which are empty if all were."""
    seeds = {label: selection.seed for label, selection in selections.items() if selection.limit}
    return lambda label: f", chosen by page type, seed {seeds[label]}" if label in seeds else ""
