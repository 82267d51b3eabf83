"""Arguments that several verbs of the laboratory have."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_data(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """Add --data, the folder of the corpora."""
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="where the corpora are (default: $TAMIS_DATA or ./data)"
    )
