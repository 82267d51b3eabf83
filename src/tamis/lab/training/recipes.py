"""The names of all models that can be trained. Nothing here imports PyTorch."""

from __future__ import annotations

from tamis import registry
from tamis.errors import OptionError


def recipes() -> dict[str, str]:
    """Where the recipe of each trainable model stands, as module:attribute."""
    known = {name: location for paper in registry.papers().values() for name, location in paper.recipes.items()}
    return {"tamis": "tamis.lab.training.tamis:RECIPE"} | known


def location(model: str) -> str:
    """Where the recipe of this model stands. Raises OptionError."""
    if model not in recipes():
        raise OptionError(f"no model that can be trained is called {model!r}; there are: {', '.join(recipes())}")
    return recipes()[model]
