"""A framework that is not installed is named, with the command that installs it."""

from __future__ import annotations

import importlib
import sys

import pytest

from tamis.errors import MissingExtra


@pytest.mark.parametrize(
    ("module", "needs", "name", "extra"),
    [
        ("datatrove", "datatrove.pipeline.extractors.base", "datatrove", "datatrove"),
        ("haystack", "haystack.dataclasses", "Haystack", "haystack"),
        ("langchain", "langchain_core.documents", "LangChain", "langchain"),
        ("llama_index", "llama_index.core.node_parser", "LlamaIndex", "llama-index"),
        ("pandas", "pandas", "pandas", "pandas"),
        ("polars", "polars", "Polars", "polars"),
        ("scrapy", "scrapy", "Scrapy", "scrapy"),
    ],
)
def test_a_framework_that_is_missing_is_named(
    module: str, needs: str, name: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for loaded in [each for each in sys.modules if each == needs or each.startswith(f"{needs}.")]:
        monkeypatch.delitem(sys.modules, loaded)
    monkeypatch.setitem(sys.modules, needs, None)
    monkeypatch.delitem(sys.modules, f"tamis.integrations.{module}", raising=False)
    with pytest.raises(MissingExtra, match=rf"^{name} needs an extra: pip install 'tamis\[{extra}\]'$"):
        importlib.import_module(f"tamis.integrations.{module}")
