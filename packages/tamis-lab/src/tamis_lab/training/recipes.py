"""The names of all models that can be trained. Nothing here imports PyTorch."""

from __future__ import annotations

from importlib.metadata import EntryPoint

from tamis.errors import OptionError
from tamis.plugins import RECIPES, named


def entry_point(model: str) -> EntryPoint:
    """What names the recipe of this model. Raises OptionError."""
    known = named(RECIPES)
    if model not in known:
        raise OptionError(f"no model that can be trained is called {model!r}; there are: {', '.join(known)}")
    return known[model]
