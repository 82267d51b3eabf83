"""The message of `pip install .` in the folder of the project, which is not a package itself."""

from __future__ import annotations

import sys
from typing import NoReturn


def _say_what_to_type(*_: object, **__: object) -> NoReturn:
    sys.exit("""
This folder holds three packages; install those that you need:

    pip install ./packages/tamis                                                    tamis itself
    pip install ./packages/tamis ./packages/tamis-papers                            and the published methods
    pip install ./packages/tamis ./packages/tamis-papers ./packages/tamis-lab       and benchmarks, training, tables
""")


get_requires_for_build_wheel = get_requires_for_build_editable = get_requires_for_build_sdist = _say_what_to_type
build_wheel = build_editable = build_sdist = _say_what_to_type
