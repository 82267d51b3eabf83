"""Boilerplate Removal using a Neural Sequence Labeling Model (Leonhardt, Anand, Khosla; WWW 2020 Companion)."""

from pathlib import Path

FULL, SMALL = (Path(__file__).parent / "weights" / size for size in ("full", "small"))
