"""Trained models: one folder each, with the weights and a config.json.

The config has the digest of the weights, so that a truncated, changed or exchanged file is an error and not a
wrong result. `digests.json` of a package has the digests of the configs that it ships, so that a whole model can't be
exchanged unnoticed either; models outside of packages are not listed. Weights are safetensors or ONNX, never pickle:
reading them runs no code.
"""

from __future__ import annotations

import json
import os
from functools import cache
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any, Self, TypeVar, overload

from tamis.cached import cached_property
from tamis.errors import WeightsError

CONFIG = "config.json"
DIGESTS = "digests.json"  # of a package, written by tools/digests.py
PACKAGE = Path(__file__).resolve().parent

# One lock for all models: each is read once a process.
_LOADING = Lock()


def _renew_lock() -> None:
    """In a forked process the lock may be held by a thread that does not exist there: make a new one."""
    global _LOADING
    _LOADING = Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_lock)

T = TypeVar("T")


class loaded(cached_property[T]):  # noqa: N801
    """A cached_property that one thread computes while others wait, for values that are read from a file."""

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type | None = None) -> T: ...

    def __get__(self, instance: object | None, owner: type | None = None) -> Self | T:
        with _LOADING:
            return super().__get__(instance, owner)


def read_config(folder: Path) -> dict[str, Any]:
    """The config of a model. Raises WeightsError."""
    path = Path(folder) / CONFIG
    data = _read(path)
    place = path.resolve()
    package = _package_of(place.parent.parent)
    shipped = _shipped_digests(package).get(place.relative_to(package).as_posix()) if package else None
    if shipped and shipped != digest(data):
        raise WeightsError(f"{path} is not the file that was shipped: its digest differs")
    config = _parse(path, data)
    if not isinstance(config.get("digest"), str):
        raise WeightsError(f"{path} is damaged: it has no digest")
    return config


def read_weights(folder: Path, file: str) -> bytes:
    """The weights file of a model. Raises WeightsError, also if its digest is not that of the config."""
    expected = read_config(folder)["digest"]
    path = Path(folder) / file
    data = _read(path)
    if digest(data) != expected:
        raise WeightsError(f"{path} is damaged or does not belong to its config.json: the digests differ")
    return data


def write_config(folder: Path, config: dict[str, Any], file: str) -> None:
    """Write the config of an existing weights file, with the digest of that file."""
    whole = config | {"digest": digest((folder / file).read_bytes())}
    text = json.dumps(whole, ensure_ascii=False, indent=1, sort_keys=True)
    (folder / CONFIG).write_text(text + "\n", encoding="utf-8")


def digest(data: bytes) -> str:
    """The SHA-256 of a file's bytes, in hexadecimal."""
    return sha256(data).hexdigest()


def _package_of(folder: Path) -> Path | None:
    """The package that a folder belongs to: the outermost of the folders around it that hold Python code."""
    inside = [folder, *folder.parents]
    first = next((place for place, each in enumerate(inside[:3]) if (each / "__init__.py").is_file()), None)
    if first is None:
        return None
    return next(each for each in inside[first:] if not (each.parent / "__init__.py").is_file())


@cache
def _shipped_digests(package: Path) -> dict[str, str]:
    """The digests of the configs that a package ships, by their places in it. Raises WeightsError."""
    file = package / DIGESTS
    return _parse(file, _read(file)) if package == PACKAGE or file.is_file() else {}


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise WeightsError(f"{path} cannot be read: {error.strerror or error}") from error


def _parse(path: Path, data: bytes) -> dict[str, Any]:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise WeightsError(f"{path} is damaged: {error}") from error
    if not isinstance(value, dict):
        raise WeightsError(f"{path} is damaged: it is not a JSON object")
    return value
