"""Every verb: its module and its line in the help, so that a help text imports no verb."""

from __future__ import annotations

# In the order of the help. Modules of the laboratory are imported by name only.
VERBS = {
    "extract": ("tamis.cli.extract", "extract the main content of pages"),
    "explain": ("tamis.cli.explain", "show why each block of a page was kept or dropped"),
    "batch": ("tamis.cli.batch", "extract whole crawls: WARC, JSONL, Parquet or folders in, Parquet or JSONL out"),
    "serve": ("tamis.cli.serve", "serve extraction over HTTP, with a playground"),
    "mcp": ("tamis.cli.mcp", "give language models tools that read pages (Model Context Protocol)"),
    "extractors": ("tamis.cli.extractors", "list the extractors with the paper each comes from"),
    "config": ("tamis.cli.config", "show every setting and where it comes from"),
    "completion": ("tamis.cli.completion", "print the script that completes commands in a shell"),
    "corpora": ("tamis.lab.cli.corpora", "list the public corpora, and which of them are here"),
    "bench": ("tamis.lab.cli.bench", "measure extractors and their peers on corpora"),
    "reproduce": ("tamis.lab.cli.reproduce", "run a paper's experiments and compare with its figures"),
    "train": ("tamis.lab.cli.train", "learn an extractor's weights from corpora"),
    "render": ("tamis.lab.cli.render", "draw pages as a browser shows them"),
}
