from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests import needs

# Extractors that look at pages would start a browser for each of thousands of pages, in every process of the tests.
# Tests that want one take the fixture `chromium`.
_VARIABLE = "TAMIS_CHROMIUM"
# Remembered in the environment, too: the processes that tests are spread over read this file again.
_CHOSEN = os.environ.setdefault("TAMIS_TESTS_CHROMIUM", os.environ.get(_VARIABLE, ""))
os.environ[_VARIABLE] = "none"
os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"  # it would report to the web, and write into the home folder

_TESTS = Path(__file__).parent


class _Lacking(pytest.File):
    """A folder or module whose packages are not installed: it is reported as skipped, and nothing in it is imported."""

    def collect(self) -> list[pytest.Item]:
        missing = needs.missing_for(_name(self.path))
        pytest.skip(f"all of {_name(self.path)}; not installed: {', '.join(missing)}", allow_module_level=True)


def _name(path: Path) -> str:
    return path.relative_to(_TESTS).as_posix()


@pytest.hookimpl(tryfirst=True)
def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Skip a folder whose packages are not installed."""
    return _Lacking.from_parent(parent, path=path) if needs.missing_for(_name(path)) else None


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Skip a module whose packages are not installed."""
    return _Lacking.from_parent(parent, path=module_path) if needs.missing_for(_name(module_path)) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip single tests whose packages are not installed."""
    for item in items:
        test = f"{_name(item.path)}::{getattr(item, 'originalname', item.name)}"
        callspec = getattr(item, "callspec", None)
        missing = needs.missing_for(test) + needs.missing_for_extractors(callspec.params.values() if callspec else ())
        if missing:
            item.add_marker(pytest.mark.skip(reason=f"not installed: {', '.join(missing)}"))


@contextmanager
def one_thread() -> Iterator[None]:
    """Networks this small get slower by more threads; what a test turns on in PyTorch ends with it."""
    torch = sys.modules.get("torch")
    if torch is None:
        yield
        return
    threads, strict = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)
    torch.use_deterministic_algorithms(strict)


@pytest.fixture(autouse=True, scope="module")
def _one_thread() -> Iterator[None]:
    """Tests run side by side; a few threads each for networks this small only wait for each other."""
    with one_thread():
        yield


@contextmanager
def own_chromium() -> Iterator[None]:
    """The machine's own Chromium, or the one that was chosen before the tests began; skips where there is none."""
    from tamis.lab.browser import available

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(_VARIABLE, _CHOSEN)
        if not available():
            pytest.skip("no Chromium or no Playwright here")
        yield


@pytest.fixture
def chromium() -> Iterator[None]:
    """For a test that wants a browser."""
    with own_chromium():
        yield
