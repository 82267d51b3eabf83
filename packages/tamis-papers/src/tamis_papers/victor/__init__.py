"""Victor: the Web-Page Cleaning Tool (Spousta, Marek, Pecina; WAC4 2008)."""

from pathlib import Path

WEIGHTS = Path(__file__).parent / "weights"
