"""Follow the documentation line by line in a clean environment: python -m tools.readme

    --only README.md     this page alone; repeatable
    --list               what would be run, and what not and why
    --keep               keep the folder, to look at it afterwards

The working tree, with uncommitted changes and without ignored files, is copied into a temporary folder next to a new
virtual environment with the pip that comes with the interpreter. In the copy, every command of every console block is
run as written, page by page, starting with README.md, with the files of `tests/docs/files.py`. Each block of Python is
run as a program of its own, after the earlier blocks of its page. Home is an empty folder. `tools/readme_table.py`
lists the commands that are not run as written, mostly because they need corpora. Addresses at example.org are answered
by a server on this machine: they are replaced, and --allow-private is added. So are those of a store (s3://), by an S3
server. With TAMIS_DATA set, commands that need corpora run on a few pages; without it they must refuse in one line.

Exit code 1 means that a command ended with the wrong exit code or printed a traceback; 2 that a row of the table fits
no command.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.request import Request, urlopen

from tests.docs.files import the_web, write_files
from tests.docs.pages import PROJECT, blocks, commands, names
from tools.readme_table import RunPlan, plan, python_here, row_of, stale

PATIENCE = 600.0  # seconds for one command
_SHOWN = 40  # lines of the output of a command that failed

# Installed after README.md and before the guides, which name only the extra that they are about.
_FOR_THE_GUIDES = (
    "pip install './packages/tamis[cli,batch,server]' ./packages/tamis-papers './packages/tamis-lab[bench,train]' "
    "beautifulsoup4"
)

# Names that a block of Python may use without defining them.
_AT_HAND = """\
from pathlib import Path
import tamis
html = Path("page.html").read_text(encoding="utf-8")
pages = [html, html.encode(), (html, "https://a.example/")]
"""

# The store of the guides: buckets, and an object in one of them.
_BUCKETS = ("crawl", "corpus")
_STORED = ("crawl.warc.gz", "crawl/2026/1.warc.gz")
_STORE = """\
import time, moto.server
server = moto.server.ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
server.start()
print("http://{}:{}".format(*server.get_host_and_port()), flush=True)
time.sleep(86_400)
"""


class DocStep(NamedTuple):
    """A command, or a block of Python with the program that ends in it."""

    id: str
    written: str
    program: str = ""

    @property
    def title(self) -> str:
        """One line that names it."""
        return f"Python: {self.written.splitlines()[0]} ..." if self.program else self.written


class Sandbox(NamedTuple):
    """A temporary folder that holds the copy of the project, and the variables of commands that run there."""

    folder: Path
    variables: dict[str, str]

    @property
    def copy(self) -> Path:
        """The copy of the project."""
        return self.folder / "tamis"


class CommandEnd(NamedTuple):
    """How a command ended; the code is None if it was stopped after PATIENCE."""

    code: int | None
    output: str
    seconds: float


def reading_order(pages: Iterable[str]) -> list[str]:
    """README.md first, then the guides, then the pages for developers."""
    first = ("README.md", "docs/", "CONTRIBUTING.md", "")
    return sorted(pages, key=lambda page: next(n for n, start in enumerate(first) if page.startswith(start)))


def steps(page: str) -> Iterator[DocStep]:
    """The commands and blocks of Python of a page, in order."""
    program = _AT_HAND
    for block in blocks(page):
        if block.language == "console":
            yield from (DocStep(command.id, command.text) for command in commands(block))
        if block.language == "python":
            yield DocStep(block.id, block.code, program + block.code)
            if row_of(block.code) is None:
                program += block.code


def prepared(folder: Path) -> Sandbox:
    """Copy the project into a folder, with the files that readers have, and make the environment."""
    sandbox = Sandbox(folder, _variables(folder))
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    for name in subprocess.run(listed, cwd=PROJECT, capture_output=True, check=True).stdout.decode().split("\0")[:-1]:
        if (PROJECT / name).is_file():  # it may be deleted and not yet committed
            (sandbox.copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(PROJECT / name, sandbox.copy / name)
    write_files(sandbox.copy)
    (folder / "home").mkdir()
    subprocess.run([sandbox.variables["PYTHON"], "-m", "venv", folder / "environment"], check=True)
    return sandbox


def _variables(folder: Path) -> dict[str, str]:
    """This process's variables without those that change how Python, make and tamis work; pip keeps its cache."""
    base = str(Path(sys.base_prefix) / "bin" / "python3")
    left_out = ("PYTHON", "VIRTUAL_ENV", "TAMIS_", "MAKE", "MFLAGS", "XDG_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(left_out)}
    paths = [path for path in kept["PATH"].split(os.pathsep) if Path(path).parent != Path(sys.prefix)]
    if folder_of_corpora := os.environ.get("TAMIS_DATA"):
        kept["TAMIS_DATA"] = str(Path(folder_of_corpora).resolve())
    home = Path.home()
    settings = next((path for path in (home / ".config/pip/pip.conf", home / ".pip/pip.conf") if path.exists()), None)
    if settings:
        kept.setdefault("PIP_CONFIG_FILE", str(settings))
    kept.setdefault("PIP_CACHE_DIR", str(home / ".cache" / "pip"))
    path = os.pathsep.join((str(folder / "environment" / "bin"), *paths))
    direct = ",".join(filter(None, (kept.get("no_proxy", kept.get("NO_PROXY")), "127.0.0.1")))
    changed = {"HOME": str(folder / "home"), "PATH": path, "PYTHON": base, "NO_PROXY": direct, "no_proxy": direct}
    return kept | changed


@contextmanager
def store(sandbox: Sandbox) -> Iterator[None]:
    """Run an S3 server, in an environment of its own, that the commands reach by their variables."""
    environment = sandbox.folder / "store"
    subprocess.run([sandbox.variables["PYTHON"], "-m", "venv", environment], check=True)
    python = environment / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "moto[server]>=5,<6"], check=True, env=sandbox.variables)
    with subprocess.Popen(
        [python, "-c", _STORE], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        try:
            endpoint = server.stdout.readline().strip() if server.stdout else ""
            objects = dict.fromkeys(_BUCKETS, b"") | {_STORED[1]: (sandbox.copy / _STORED[0]).read_bytes()}
            for name, data in objects.items():
                header = {"Content-Type": "application/octet-stream"}
                urlopen(Request(f"{endpoint}/{name}", data, header, method="PUT"), timeout=30).close()
            key = {"AWS_ACCESS_KEY_ID": "readme", "AWS_SECRET_ACCESS_KEY": "readme", "AWS_DEFAULT_REGION": "us-east-1"}
            sandbox.variables.update(key, AWS_ENDPOINT_URL_S3=endpoint)
            yield
        finally:
            server.kill()


def planned(step: DocStep, sandbox: Sandbox, server: str) -> RunPlan:
    """How to run a step; a program is written into the folder."""
    if not step.program or row_of(step.written):
        return plan(step.written, corpora="TAMIS_DATA" in sandbox.variables, server=server)
    path = sandbox.folder / f"{step.id.replace('/', '-').replace(':', '-')}.py"
    path.write_text(python_here(step.program, server), encoding="utf-8")
    return RunPlan(f"python {path}", "")


def run(command: str, sandbox: Sandbox, patience: float = PATIENCE) -> CommandEnd:
    """Run a line in a shell, in the copy of the project."""
    start = time.monotonic()
    with subprocess.Popen(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=sandbox.copy,
        env=sandbox.variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as process:
        try:
            output, code = process.communicate(timeout=patience)[0], process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, code = process.communicate()[0], None
        except BaseException:  # Ctrl-C does not reach another session
            os.killpg(process.pid, signal.SIGKILL)
            raise
    return CommandEnd(code, output.decode(errors="replace"), time.monotonic() - start)


def complaint(planned: RunPlan, end: CommandEnd) -> str | None:
    """Why the end of a command is a failure, or None."""
    if end.code is None:
        return f"not finished after {PATIENCE:.0f} seconds"
    for word in ("Traceback (most recent call last)", "AssertionError"):
        if word in end.output:
            return word
    if not planned.refused:
        return None if end.code == 0 else f"exit code {end.code}"
    lines = end.output.splitlines()
    if end.code not in (1, 2, 3) or len(lines) != 1:
        return f"exit code {end.code} and {len(lines)} lines, where one line should name the missing part"
    return None


def tidy(sandbox: Sandbox, kept: Iterable[str]) -> None:
    """Delete the files that the commands of a page wrote, so that every page starts with the same files."""
    for path in sandbox.copy.iterdir():
        if path.is_dir() and path.name not in kept:
            shutil.rmtree(path)
        elif path.name not in kept:
            path.unlink()


def follow(todo: Iterable[DocStep], sandbox: Sandbox, server: str) -> int:
    """Run every step and print how it went; return the number of failures."""
    failed = 0
    for step in todo:
        print(f"{step.id}  {step.title}", flush=True)
        how = planned(step, sandbox, server)
        if how.run is None:
            print(f"    left out: {how.note}")
            continue
        if not step.program and how.run != step.written:
            print(f"    run as: {how.run}", flush=True)
        end = run(how.run, sandbox)
        wrong = complaint(how, end)
        failed += wrong is not None
        verdict = f"FAILED: {wrong}" if wrong else f"refused: {end.output.splitlines()[-1]}" if how.refused else "ok"
        print(f"    {end.seconds:.1f} s  {verdict}", flush=True)
        if wrong:
            print("".join(f"    | {line}\n" for line in end.output.splitlines()[-_SHOWN:]), flush=True)
    return failed


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the arguments, look for unused rows of the table, follow the pages."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", choices=names(), metavar="PAGE")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args(arguments)
    everything = {page: list(steps(page)) for page in reading_order(names())}
    if rows := stale(step.written for found in everything.values() for step in found):
        print(
            "these rows of tools/readme_table.py fit no command, delete them:", *(row.pattern for row in rows), sep="\n"
        )
        return 2
    if options.only:
        chosen = {page: found for page, found in everything.items() if page in options.only}
        installs = [step for step in everything["README.md"] if step.written.startswith("pip ")]
        everything = {"README.md": installs, **chosen}
    everything["README.md"].append(DocStep("tools/readme.py", _FOR_THE_GUIDES))
    todo = [step for found in everything.values() for step in found]
    if options.list:
        for step in todo:
            row = row_of(step.written)
            print(f"{step.id}  {step.title}" + (f"\n    {row.how.value}: {row.why}" if row else ""))
        return 0
    folder = Path(tempfile.mkdtemp(prefix="tamis-readme-"))
    start = time.monotonic()
    try:
        with ExitStack() as servers:
            server = servers.enter_context(the_web())
            sandbox = prepared(folder)
            if any("s3://" in step.written for step in todo):
                servers.enter_context(store(sandbox))
            kept = {".venv", ".venv-check", *(path.name for path in sandbox.copy.iterdir())}
            failed = 0
            for found in everything.values():
                tidy(sandbox, kept)
                failed += follow(found, sandbox, server)
    finally:
        if options.keep:
            print(f"kept: {folder}")
        else:
            shutil.rmtree(folder)
    print(f"{len(todo)} steps, {failed} failed, {(time.monotonic() - start) / 60:.1f} minutes")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
