"""What classifiers said of pages that they had not learned from, in files: the picture networks take hours on a CPU.

Delete the folder build/goce to start anew.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import TypeVar, cast

from tamis.errors import InputError

FOLDER = Path("build/goce")

# The probability of being an article, or that of each type.
Answer = TypeVar("Answer", float, dict[str, float])


def path_of(classifier: str, folder: Path = FOLDER) -> Path:
    """The file with a classifier's answers."""
    return folder / f"{classifier}.json"


def digest(*inputs: object) -> str:
    """A hash of what answers depend on, given as plain data."""
    return sha256(json.dumps(inputs, sort_keys=True).encode()).hexdigest()[:16]


def read(classifier: str, inputs: str, folder: Path = FOLDER) -> dict[str, Answer] | None:
    """The answers page by page, or None where there are none or only some from other inputs, by their digest.

    Raises InputError for a file that holds none.
    """
    path = path_of(classifier, folder)
    if not path.exists():
        return None
    try:
        saved = json.loads(path.read_text(encoding="utf-8"))
        return cast("dict[str, Answer]", dict(saved["answers"])) if saved["inputs"] == inputs else None
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} holds no answers of a classifier ({error}); delete it to start anew") from None


def write(classifier: str, inputs: str, answers: dict[str, Answer], folder: Path = FOLDER) -> None:
    """Keep answers, with the digest of what they depend on."""
    path = path_of(classifier, folder)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(json.dumps({"inputs": inputs, "answers": answers}, indent=1) + "\n", encoding="utf-8")
    part.replace(path)  # never half a file
