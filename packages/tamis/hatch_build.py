"""Compiles the kernel when hatchling builds a wheel, which it does for every installation from source."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from packaging.tags import platform_tags


class KernelHook(BuildHookInterface[Any]):
    """Puts the library beside the Python files, from where the wheel takes it, or an editable installation loads it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and tag the wheel: for one platform and, since Python's own interface is not used, any Python 3."""
        build = [sys.executable, "kernel/build.py", "library", "src/tamis/kernel/kernel.so"]
        if subprocess.run(build, cwd=self.root).returncode:
            sys.exit(1)  # not an exception: what is wrong has been said, and no traceback should hide it
        # What manylinux or musllinux asks for is looked at later, by `make wheel`.
        platform = next(each for each in platform_tags() if not each.startswith(("manylinux", "musllinux")))
        build_data.update(pure_python=False, tag=f"py3-none-{platform}")
