"""The templates of all reports."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tamis.lab.extras import needs

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
