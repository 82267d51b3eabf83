"""Web2Text: Deep Structured Boilerplate Removal (Vogels, Ganea, Eickhoff; ECIR 2018)."""

from pathlib import Path

WEIGHTS = Path(__file__).parent / "weights"
