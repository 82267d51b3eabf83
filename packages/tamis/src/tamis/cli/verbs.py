"""Every verb: its module and its line in the help, so that a help text imports no verb."""

from __future__ import annotations

from functools import cache

# The verbs of the product, in the order of the help.
PRODUCT = {
    "extract": ("tamis.cli.extract", "extract the main content of pages"),
    "explain": ("tamis.cli.explain", "show why each block of a page was kept or dropped"),
    "batch": ("tamis.cli.batch", "extract whole crawls: WARC, JSONL, Parquet or folders in, Parquet or JSONL out"),
    "serve": ("tamis.cli.serve", "serve extraction over HTTP, with a playground"),
    "mcp": ("tamis.cli.mcp", "give language models tools that read pages (Model Context Protocol)"),
    "extractors": ("tamis.cli.extractors", "list the extractors with the paper each comes from"),
    "config": ("tamis.cli.config", "show every setting and where it comes from"),
    "completion": ("tamis.cli.completion", "print the script that completes commands in a shell"),
    "render": ("tamis.cli.render", "draw pages as a browser shows them"),
}


@cache
def verbs() -> dict[str, tuple[str, str]]:
    """The verbs of the product, and those that other packages add. Raises PluginError."""
    from tamis.plugins import commands  # reading all entry points takes longer than a verb of the product should wait

    return PRODUCT | commands()


def summary(verb: str) -> str:
    """The line of a verb in the help."""
    return (PRODUCT.get(verb) or verbs()[verb])[1]


def names() -> set[str]:
    """Every verb, including those of tamis-lab if it is not installed."""
    from tamis.plugins import LAB

    return {*verbs(), *LAB.commands}


def missing(verb: str) -> str:
    """The command that installs the package of a verb; empty if the package is installed or the verb unknown."""
    from tamis.plugins import LAB, install_command

    return f"{verb} is a command of {LAB.name}: {install_command(LAB)}" if verb in LAB.commands else ""
