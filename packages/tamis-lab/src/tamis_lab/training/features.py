"""Prepared pages as a file: pages are read where the corpora are, and networks trained where the GPU is."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from tamis.errors import InputError
from tamis.extractor.runs import VERSION
from tamis_lab.training.tamis_examples import RUN_COLUMNS, Example, PreparedPage

_PAGE_COLUMNS = ("page_type", "age", "gate")


def write_features(path: Path, pages: Sequence[PreparedPage], made_of: Sequence[str]) -> None:
    """Write pages; `made_of` names the corpora and the seed. Raises InputError."""
    examples = [example for page in pages for example in (*page.examples, *page.rewritten)]
    columns = {name: np.concatenate([getattr(example, name) for example in examples]) for name in RUN_COLUMNS}
    columns["values"] = np.ascontiguousarray(columns["values"].T)  # columns side by side can be packed better
    columns["sizes"] = np.array([len(example) for example in examples])
    columns["page_type"] = np.array([example.page_type for example in examples])
    columns["age"] = np.array([example.age for example in examples])
    columns["gate"] = np.array([example.gate for example in examples])
    facts = [[page.name, page.site, page.digest, len(page.examples), len(page.rewritten)] for page in pages]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        save_file(columns, path, {"pages": json.dumps(facts), "made_of": json.dumps([VERSION, *made_of])})
    except (OSError, SafetensorError) as error:
        raise InputError(f"{path}: can't be written: {error}") from None


def read_features(path: Path, made_of: Sequence[str]) -> list[PreparedPage]:
    """Read pages. Raises InputError for a file of other corpora, another seed or another version."""
    try:
        with safe_open(path, framework="numpy") as file:
            facts = file.metadata() or {}
            if json.loads(facts["made_of"]) != [VERSION, *made_of]:
                raise InputError(f"{path}: made of other corpora, with another seed, or by another version of tamis")
            columns = {name: file.get_tensor(name) for name in (*RUN_COLUMNS, "sizes", *_PAGE_COLUMNS)}
            pages = json.loads(facts["pages"])
    except (OSError, SafetensorError, KeyError, ValueError) as error:
        raise InputError(f"{path}: no file of features: {error}") from None
    columns["values"] = np.ascontiguousarray(columns["values"].T)
    bounds = np.concatenate(([0], np.cumsum(columns["sizes"]))).tolist()
    examples = iter(
        Example(**{name: columns[name][start:end] for name in RUN_COLUMNS}, page_type=kind, age=age, gate=gate)
        for start, end, kind, age, gate in zip(
            bounds, bounds[1:], columns["page_type"].tolist(), columns["age"].tolist(), columns["gate"], strict=False
        )
    )
    return [
        PreparedPage(name, site, digest, tuple(islice(examples, count)), tuple(islice(examples, rewritten)))
        for name, site, digest, count, rewritten in pages
    ]
