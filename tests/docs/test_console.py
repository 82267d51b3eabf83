"""Every command of the documentation is run, or at least understood by the program that it is for."""

from __future__ import annotations

import argparse
import io
import re
import shlex
import sys
import tomllib
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from tamis import registry
from tamis.cli.main import main
from tamis.cli.parser import build_parser
from tamis.plugins import RECIPES, TABLES, named
from tamis_lab.corpora.catalogue import corpora
from tests.docs.files import the_web
from tests.docs.pages import PROJECT, CodeBlock, all_blocks, blocks, inline_code, names, pipelines

CONSOLE = all_blocks("console")
WEB = "https://example.org/"
EXTRAS = {
    path.parent.name: tomllib.loads(path.read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    for path in PROJECT.glob("packages/*/pyproject.toml")
}
MAKEFILE = (PROJECT / "Makefile").read_text(encoding="utf-8")
TARGETS = set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))
VARIABLES = set(re.findall(r"\$\(([A-Z]+)\)", MAKEFILE))

# Verbs of tamis whose arguments are only parsed, and why.
PARSED = {
    "serve": "runs until it is ended; tests/server runs it",
    "mcp": "runs until it is ended; tests/server runs it",
    "bench": "needs corpora and minutes",
    "reproduce": "needs corpora and minutes",
    "train": "needs corpora, PyTorch and minutes",
    "render": "needs a browser; tests/lab/cli/test_render.py runs it",
}
# Options that make a command one that is only parsed, and why.
PARSED_WITH = {
    "--engine": "needs a cluster; tests/integrations runs it",
    "--alignment": "needs corpora; tests/lab/corpora runs it",
}
STORE = "s3://"  # needs a store; tests/batch/test_stores.py runs one
# Programs of others, and why they are not run.
OTHERS = {
    "docker": "needs an engine; tests/container runs the steps of the Dockerfile",
    "ray": "needs a cluster; tests/integrations/test_ray.py starts one",
    "ls": "shows what a folder looks like",
    "cp": "brings the example page, which is here already",
    "curl": "is any source of a page: the example page is handed on instead",
    ".venv/bin/pre-commit": "would change the checkout's hooks",
}


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a server that plays the web."""
    with the_web() as address:
        yield address


@pytest.mark.slow
@pytest.mark.xdist_group("batch-workers")
@pytest.mark.parametrize("block", CONSOLE, ids=[block.id for block in CONSOLE])
def test_a_block_of_commands(
    block: CodeBlock, server: str, html: str, examples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands = pipelines(block.code)
    assert commands, "a block of commands has one"
    for pipeline in commands:
        for command in pipeline:
            # What comes out of any other program is the example page.
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(html.encode())))
            program_of(command[0])(command[1:], server)


def program_of(name: str) -> Callable[[list[str], str], None]:
    """What tests the arguments of a program."""
    if name in OTHERS:
        return lambda arguments, server: None
    programs = {"tamis": run_tamis, "pip": check_pip, "make": check_make, "python": check_python}
    assert Path(name).name in programs, f"{name}: say in this file how it is tested or why not"
    return programs[Path(name).name]


def run_tamis(arguments: list[str], server: str) -> None:
    """Run a command; parse it where it can't run here."""
    options = parsed(arguments)
    in_store = any(argument.startswith(STORE) for argument in arguments)
    if in_store or arguments[0] in PARSED or any(option in arguments for option in PARSED_WITH):
        return
    here = []
    if any(argument.startswith(WEB) for argument in arguments):
        pytest.importorskip("httpx")
        here = ["--allow-private"]  # the server that plays the web is on this machine
    if options.verb == "batch":
        pytest.importorskip("fastwarc")
    if "boilernet" in arguments:
        pytest.importorskip("onnxruntime")
    assert main([*(argument.replace(WEB, server) for argument in arguments), *here]) == 0, arguments
    for name in ("highlight", "output"):
        written = getattr(options, name, None)
        assert not written or Path(written).exists(), f"{arguments} wrote no {written}"


def parsed(arguments: list[str]) -> argparse.Namespace:
    """The options of a command, by the real parser; corpora, extractors and papers that it names exist."""
    try:
        options = build_parser()[0].parse_args(arguments)
    except SystemExit:
        pytest.fail(f"tamis {' '.join(arguments)} is not understood")
    for corpus in getattr(options, "corpus", None) or ():
        name, _, split = corpus.partition(":")
        assert Path(name).is_dir() or (name in corpora() and split in ("", *corpora()[name].splits)), corpus
    extractors = getattr(options, "extractor", None) or ()
    for extractor in [extractors] if isinstance(extractors, str) else extractors:
        name = registry.choice(extractor).name
        assert not name or name in registry.extractors(), extractor
    if options.verb == "reproduce":
        assert options.paper in named(TABLES), options.paper
    if options.verb == "train":
        assert options.model in named(RECIPES), options.model
    return options


def check_pip(arguments: list[str], server: str) -> None:
    """`pip install` names packages of the project and extras that they have."""
    verb, *packages = arguments
    assert verb == "install"
    for package in packages:
        found = re.fullmatch(r"(?:\./packages/)?(tamis[\w-]*)(?:\[([\w,-]+)\])?", package)
        assert found, package
        assert set((found[2] or "").split(",")) <= {*EXTRAS[found[1]], ""}, package


def check_make(arguments: list[str], server: str) -> None:
    """`make` names targets and variables of the Makefile; ROOM is a folder of tests."""
    for argument in arguments:
        name, sets, value = argument.partition("=")
        assert name in (VARIABLES if sets else TARGETS), argument
        assert name != "ROOM" or any(PROJECT.glob(f"**/tests/{value}")), argument


def check_python(arguments: list[str], server: str) -> None:
    """`python -m` names a module of the project with these options, or pytest with paths that exist."""
    flag, module, *rest = arguments
    assert flag == "-m"
    if module == "pytest":
        assert all((PROJECT / path).exists() for path in rest), rest
        return
    spec = find_spec(module)
    assert spec is not None, module
    assert spec.origin is not None, module
    source = Path(spec.origin).read_text(encoding="utf-8")
    for option in rest:
        assert not option.startswith("--") or f'"{option}"' in source, f"{module} has no {option}"


def test_commands_in_a_sentence(examples: Path) -> None:
    verbs = build_parser()[1]
    for code in (code for page in names() for code in inline_code(page)):
        program, _, rest = code.partition(" ")
        if program == "make" and rest:
            check_make(shlex.split(rest), "")
        if program == "tamis" and rest.partition(" ")[0].isalpha():
            for (command,) in pipelines(code):
                assert command[1] in verbs, code
                complete = len(command) > 2 and not any(word.isupper() for word in command)
                if complete and not command[2].startswith("-"):
                    parsed(command[1:])


def test_every_block_is_of_a_kind_that_is_tested() -> None:
    """Commands and Python are run. Text is a drawing or a list of files, and there is nothing to run in it."""
    for block in (block for name in names() for block in blocks(name)):
        assert block.language in ("console", "python", "text"), block.id
