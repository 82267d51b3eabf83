"""Genre-Oriented Web Content Extraction with Deep Convolutional Neural Networks (Nguyen-Hoang et al.; PACLIC 2018)."""

from pathlib import Path

HTML, PICTURES = (Path(__file__).parent / "weights" / kind for kind in ("html", "pictures"))
