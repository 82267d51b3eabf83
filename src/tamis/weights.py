"""What was trained and is given away: one folder a model, with a config.json beside the weights.

The config says with which digest the weights were written, so that a file that was cut off, changed
or put beside another model's config is an error and not an odd answer. Weights are safetensors or
onnx, never pickle: reading them runs nothing.
"""

from __future__ import annotations

import json
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any, Self, TypeVar, overload

from tamis.errors import TamisError

CONFIG = "config.json"

# One for all: a model is read once a process.
_LOADING = Lock()

T = TypeVar("T")


class WeightsError(TamisError):
    """The weights of a model are missing, damaged or do not belong to their config."""


class loaded(cached_property[T]):  # noqa: N801
    """A cached_property for what is read from a file: of threads that ask at once one reads and the others wait."""

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type | None = None) -> T: ...

    def __get__(self, instance: object | None, owner: type | None = None) -> Self | T:
        with _LOADING:
            return super().__get__(instance, owner)


def read_config(folder: Path) -> dict[str, Any]:
    """The config of a model. Raises WeightsError."""
    path = folder / CONFIG
    try:
        config = json.loads(path.read_bytes())
    except OSError as error:
        raise WeightsError(f"{path} cannot be read: {error.strerror or error}") from error
    except ValueError as error:
        raise WeightsError(f"{path} is damaged: {error}") from error
    if not isinstance(config, dict) or not isinstance(config.get("digest"), str):
        raise WeightsError(f"{path} is damaged: it names no digest")
    return config


def read_weights(folder: Path, file: str) -> bytes:
    """The weights file of a model, which has to have the digest of the config. Raises WeightsError."""
    config = read_config(folder)
    path = folder / file
    try:
        data = path.read_bytes()
    except OSError as error:
        raise WeightsError(f"{path} cannot be read: {error.strerror or error}") from error
    if digest(data) != config["digest"]:
        raise WeightsError(f"{path} is damaged or belongs to another config.json: its digest is not the one there")
    return data


def write_config(folder: Path, config: dict[str, Any], file: str) -> None:
    """Write the config of a weights file that is there already; its digest is filled in."""
    whole = config | {"digest": digest((folder / file).read_bytes())}
    text = json.dumps(whole, ensure_ascii=False, indent=1, sort_keys=True)
    (folder / CONFIG).write_text(text + "\n", encoding="utf-8")


def digest(data: bytes) -> str:
    """The SHA-256 of a file's bytes, in hexadecimal."""
    return sha256(data).hexdigest()
