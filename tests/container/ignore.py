"""What a .dockerignore leaves of a folder."""

from __future__ import annotations

import shutil
from pathlib import Path

from pathspec import GitIgnoreSpec


class Ignore:
    """The rules of a .dockerignore: those of a .gitignore whose patterns all begin at the folder."""

    def __init__(self, text: str) -> None:
        lines = [line.strip() for line in text.splitlines()]
        rules = [line for line in lines if line and not line.startswith("#")]
        anchored = [f"{'!' * rule.startswith('!')}/{rule.removeprefix('!').strip('/')}" for rule in rules]
        self._rules = GitIgnoreSpec.from_lines(anchored)

    def ignores(self, path: str) -> bool:
        """Is this path, relative to the folder, left out?"""
        return self._rules.match_file(path)

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
