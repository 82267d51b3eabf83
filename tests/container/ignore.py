"""What a .dockerignore leaves of a folder."""

from __future__ import annotations

import re
import shutil
from pathlib import Path, PurePosixPath

_PIECES = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
_PIECE = re.compile(r"\*\*/|\*\*|\*|\?")


class Ignore:
    """The rules of a .dockerignore: the last one that fits a path, or a folder above it, decides."""

    def __init__(self, text: str) -> None:
        """Classes of characters, [a-z], are not understood and raise ValueError."""
        lines = [line.strip() for line in text.splitlines()]
        rules = [line for line in lines if line and not line.startswith("#")]
        if any("[" in rule for rule in rules):
            raise ValueError("a class of characters")
        self._rules = [(_pattern(rule.removeprefix("!").strip("/")), not rule.startswith("!")) for rule in rules]

    def ignores(self, path: str) -> bool:
        """Is this path, relative to the folder, left out?"""
        ignored = False
        names = [path, *(parent.as_posix() for parent in PurePosixPath(path).parents)]
        for pattern, leaves_out in self._rules:
            if any(pattern.fullmatch(name) for name in names if name != "."):
                ignored = leaves_out
        return ignored

    def copy(self, folder: Path, name: str, target: Path) -> None:
        """Copy a file or folder of a folder, without what is ignored. Raises FileNotFoundError if nothing is left."""
        source = folder / name
        paths = [source] if source.is_file() else sorted(path for path in source.rglob("*") if path.is_file())
        kept = [path for path in paths if not self.ignores(path.relative_to(folder).as_posix())]
        if not kept:
            raise FileNotFoundError(name)
        for path in kept:
            place = target / path.relative_to(source) if path != source else target
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, place)


def _pattern(rule: str) -> re.Pattern[str]:
    parts = _PIECE.split(rule)
    pieces = [*map(_PIECES.__getitem__, _PIECE.findall(rule)), ""]
    return re.compile("".join(re.escape(part) + piece for part, piece in zip(parts, pieces, strict=True)))
