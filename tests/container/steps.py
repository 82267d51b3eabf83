"""Runs the steps of a Dockerfile without an engine, below a folder that stands for the root of the image.

/src and /opt of the image are folders below it; all else is this machine's: its Python, its compiler, its shell. Each
stage begins with an empty folder at the same place, so scripts that know their own path work after COPY --from.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.container.dockerfile import Ignore, Instruction, Stage, stages

_OWN = re.compile(r"(?<![\w./~-])(?=/(?:src|opt)(?![\w.-]))")
_ABSOLUTE = re.compile(r"(?<![\w./~-])/\w[\w.-]*")
USER = 10001


class StepFailed(Exception):
    """A step of the Dockerfile ended with an error."""


class Image:
    """The last stage of a Dockerfile, as it lies below `root`."""

    def __init__(self, root: Path, stage: Stage) -> None:
        self.root, self.stage = root, stage

    def mapped(self, text: str) -> str:
        """A text with the paths of the image."""
        return _mapped(text, self.root)

    @property
    def environment(self) -> dict[str, str]:
        """The variables that a process in a container has. An engine gives / to a user without a home."""
        found = {name: self.mapped(value) for name, value in self.stage.environment.items()}
        return found | {"HOME": "/", "TMPDIR": str(self.root / "tmp")}

    def files(self) -> dict[str, tuple[int, int]]:
        """Each file and folder but temporary ones, with its time and size."""
        paths = [path for path in self.root.rglob("*") if not path.is_relative_to(self.root / "tmp")]
        states = {path: path.lstat() for path in paths}
        return {str(path): (state.st_mtime_ns, state.st_size) for path, state in states.items()}


def build(project: Path, root: Path, python: str) -> Image:
    """Run all steps with this Python; `root` does not exist yet.

    Raises StepFailed, and ValueError for a step that would touch this machine.
    """
    ignore = Ignore((project / ".dockerignore").read_text(encoding="utf-8"))
    found = stages((project / "Dockerfile").read_text(encoding="utf-8"))
    for number, stage in enumerate(found):
        (root / "usr/local/bin").mkdir(parents=True)
        (root / "tmp").mkdir()
        (root / "tmp").chmod(0o1777)
        # Not a link: a virtual environment would look for Python's library beside it.
        program = root / "usr/local/bin/python"
        program.write_text(f'#!/bin/sh\nexec {python} "$@"\n', encoding="utf-8")
        program.chmod(0o755)
        _run_stage(stage, project, ignore, root)
        if number < len(found) - 1:
            root.rename(root.with_name(stage.name))
    return Image(root, found[-1])


def _run_stage(stage: Stage, project: Path, ignore: Ignore, root: Path) -> None:
    own = ("PYTHON", "VIRTUAL_ENV", "COV")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(own)}
    environment["PATH"] = f"{root}/usr/local/bin:{environment['PATH']}"
    here = root
    for step in stage.instructions:
        if step.name == "WORKDIR":
            here = root / step.value.lstrip("/")
            here.mkdir(parents=True, exist_ok=True)
        elif step.name == "ENV":
            environment |= {name: _mapped(value, root) for name, value in step.pairs.items() if name != "PATH"}
        elif step.name == "COPY":
            _copy(step, project, ignore, here, root)
        elif step.name == "RUN" and not step.value.startswith("apt-get "):
            _run(step.value, here, environment, root)


def _copy(step: Instruction, project: Path, ignore: Ignore, here: Path, root: Path) -> None:
    *sources, last = step.words
    target = root / last.lstrip("/") if last.startswith("/") else here / last
    if "from" in step.flags:
        (source,) = sources
        shutil.copytree(root.with_name(step.flags["from"]) / source.lstrip("/"), target, symlinks=True)
        return
    for source in sources:
        ignore.copy(project, source, target / source if last.endswith("/") else target)


def _run(command: str, here: Path, environment: dict[str, str], root: Path) -> None:
    if foreign := [path for path in _ABSOLUTE.findall(command) if path not in ("/src", "/opt")]:
        raise ValueError(f"RUN {command}: {foreign[0]} is this machine's")
    done = subprocess.run(
        ["sh", "-c", _mapped(command, root)], cwd=here, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise StepFailed(f"RUN {command}\n{done.stdout[-2000:]}{done.stderr[-4000:]}")


def _mapped(text: str, root: Path) -> str:
    return _OWN.sub(str(root), text)


def choose_python() -> str:
    """A Python that can make a virtual environment: one that every user can run, if there is one."""
    own = [getattr(sys, "_base_executable", sys.executable), "/usr/bin/python3", "/usr/local/bin/python3"]
    check = "import ensurepip, sys; sys.exit(sys.version_info < (3, 11))"
    works = [each for each in own if Path(each).exists() and not subprocess.run([each, "-c", check]).returncode]
    return next(filter(is_open, works), works[0])


def is_open(path: str | Path) -> bool:
    """Can every user reach this file?"""
    place = Path(path).resolve()
    return all(folder.stat().st_mode & 0o001 for folder in place.parents)


def confinement(root: Path) -> list[str]:
    """What stands before a command so that it runs as in a container of compose.yaml; empty where that can't be done.

    Another user, no capability, no way to get one, and a read-only file system but for temporary files.
    """
    mounts = (
        f"mount --bind {root} {root} && mount -o remount,bind,ro {root} && mount -o remount,bind,ro / && "
        f"mount -t tmpfs -o size=64m,mode=1777 tmpfs {root}/tmp"
    )
    drop = f"setpriv --reuid={USER} --regid={USER} --clear-groups --inh-caps=-all --bounding-set=-all --no-new-privs"
    command = ["unshare", "--mount", "sh", "-c", f'{mounts} && exec {drop} -- "$@"', "sh"]
    if os.geteuid() != 0 or not shutil.which("unshare") or not shutil.which("setpriv"):
        return []
    tried = subprocess.run([*command, f"{root}/opt/tamis/bin/python", "-c", "pass"], capture_output=True, check=False)
    return [] if tried.returncode else command
