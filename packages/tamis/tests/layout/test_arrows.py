"""Who may import whom in the product; docs/design.md draws the main arrows. Lazy imports count like all others."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import tamis

ROOT = Path(tamis.__file__).parent

# Room by room: the rooms that it may import. A room is a module or package directly below `tamis`.
_ARROWS = """
arrays:
cached:
errors:
renamed:
kernel: errors
deadline: errors
page_type:
page_data: page_type
weights: errors
worker: errors
inputs: document errors
web: document errors inputs
document: arrays deadline errors kernel renamed
labels: arrays document errors kernel page_type
protocol: document labels
plugins: errors
registry: errors plugins protocol weights
option_table: registry
options: document errors inputs option_table protocol registry renamed
extractor: arrays deadline document errors kernel labels page_type weights
render: arrays deadline document errors kernel labels page_data
metadata: arrays deadline document errors extractor labels page_data page_type render weights
worth: arrays cached deadline document errors labels page_type weights
records: arrays cached deadline document errors labels metadata page_data page_type render weights
page: deadline document extractor labels metadata option_table page_data page_type renamed records render worth
api: deadline document errors inputs labels metadata options page protocol registry render
site: api arrays deadline document errors extractor inputs labels options page page_type weights
testing: api arrays document errors labels page protocol
explain: api arrays document extractor inputs labels page page_type protocol registry render worth
batch: api document errors inputs labels metadata option_table options page page_data page_type protocol \
    registry renamed site weights worker
server: api arrays document errors explain inputs labels option_table options page page_data page_type \
    registry renamed render web worker
compat: api batch document errors inputs labels page render web
integrations: api batch document errors inputs option_table options page protocol registry render web weights \
    worker
cli: api batch document errors explain inputs integrations metadata option_table page page_data plugins protocol \
    registry server site web worker
"""
ALLOWED = {
    room: set(imports.split()) for room, _, imports in (line.partition(":") for line in _ARROWS.strip().splitlines())
}
PRODUCT = set(ALLOWED)
# The public surface; everybody may read the version from it.
SURFACE = "__init__"
# Files that import what an entry or an entry point names.
BY_NAME = {"__init__.py", "registry.py", "cli/parser.py"}


@cache
def imports_of(path: Path) -> list[tuple[str, int]]:
    """The modules below tamis that a file imports anywhere, also by `import_module`, with line numbers."""
    return list(_imports_of(path))


def _imports_of(path: Path) -> Iterator[tuple[str, int]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: imports are absolute"
            if node.module == "tamis":
                yield from ((alias.name if is_module(alias.name) else SURFACE, node.lineno) for alias in node.names)
            elif (node.module or "").startswith("tamis."):
                yield (node.module or "").removeprefix("tamis."), node.lineno
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name == "tamis":
                    yield SURFACE, node.lineno
                elif alias.name.startswith("tamis."):
                    yield alias.name.removeprefix("tamis."), node.lineno
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            name = "".join(str(part.value) for part in ast.walk(node) if isinstance(part, ast.Constant))
            if name.startswith("tamis.") and relative(path) not in BY_NAME:
                yield name.removeprefix("tamis."), node.lineno


def is_module(name: str) -> bool:
    return (ROOT / f"{name}.py").exists() or (ROOT / name / "__init__.py").exists()


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def room_of(path: Path) -> str:
    return Path(relative(path)).parts[0].removesuffix(".py")


def is_allowed(path: Path, module: str) -> bool:
    here, there = room_of(path), module.partition(".")[0]
    if there in ("cached", here, SURFACE):
        return True
    return there in (PRODUCT if here in (SURFACE, "__main__") else ALLOWED[here])


def test_every_import_follows_an_arrow() -> None:
    wrong = [
        f"{relative(path)}:{line} imports tamis.{module}"
        for path in sorted(ROOT.rglob("*.py"))
        for module, line in imports_of(path)
        if not is_allowed(path, module)
    ]
    assert not wrong, "\n".join(wrong)


def test_there_are_no_cycles_between_rooms() -> None:
    arrows: dict[str, set[str]] = {}
    for path in ROOT.rglob("*.py"):
        here = room_of(path)
        there = {module.partition(".")[0] for module, _ in imports_of(path)} - {here, SURFACE}
        arrows.setdefault(here, set()).update(there)
    TopologicalSorter(arrows).prepare()  # raises CycleError


def test_every_room_has_its_arrows() -> None:
    rooms = {room_of(path) for path in ROOT.rglob("*.py")}
    assert rooms == PRODUCT | {SURFACE, "__main__"}


def product_modules() -> list[str]:
    found = [path for path in ROOT.rglob("*.py") if room_of(path) in PRODUCT]
    return sorted(
        ".".join(("tamis", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__") for path in found
    )


def test_product_modules_need_no_extra() -> None:
    """Those of integrations and server are made for other packages; all others work on a core install."""
    made_for_others = ("tamis.integrations.", "tamis.server.")
    modules = [module for module in product_modules() if not module.startswith(made_for_others)]
    program = f"""
import sys
from importlib import import_module

CORE = {{"numpy", "safetensors", "turbohtml", "tamis"}} | set(sys.stdlib_module_names)

class CoreOnly:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in CORE and not name.startswith("_"):
            raise ModuleNotFoundError(f"{{name}} is not part of a core install", name=name)

sys.meta_path.insert(0, CoreOnly())
for module in {modules!r}:
    import_module(module)
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
