"""The verbs of the command line that the laboratory adds."""

from __future__ import annotations

import argparse
from pathlib import Path

# Each with its module and its line in the help, so that a help text imports no verb.
COMMANDS = {
    "corpora": ("tamis_lab.cli.corpora", "list the public corpora, and which of them are here"),
    "bench": ("tamis_lab.cli.bench", "measure extractors and their peers on corpora"),
    "reproduce": ("tamis_lab.cli.reproduce", "run a paper's experiments and compare with its figures"),
    "train": ("tamis_lab.cli.train", "learn an extractor's weights from corpora"),
}


def add_data(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """Add --data, the folder of the corpora."""
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="where the corpora are (default: $TAMIS_DATA or ./data)"
    )
