"""The lock file agrees with pyproject.toml, and the audit of it never passes in silence."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from packaging.requirements import Requirement

import tamis
import tamis_lab
import tamis_papers
from tests.servers import LocalHandler, LocalServer
from tools import audit
from tools.lock import LOCK, PACKAGES, ROOT, build_requirements, facts, pins

PROJECTS = {package.name: facts(package)["project"] for package in PACKAGES}
GROUPS = facts(ROOT)["dependency-groups"]
NOT_LOCKED = ("gs", "azure")  # the development needs one store


def required(package: str, extra: str = "") -> Iterator[Requirement]:
    """What a package asks for, and one of its extras, with what the packages of the project that they name ask for."""
    project = PROJECTS[package]
    for word in (*project["dependencies"], *(project["optional-dependencies"][extra] if extra else ())):
        requirement = Requirement(word)
        if requirement.name not in PROJECTS:
            yield requirement
        elif requirement.name != package or requirement.extras:
            for inner in ("", *requirement.extras):
                yield from required(requirement.name, inner)


def grouped(group: str) -> Iterator[Requirement]:
    """What a dependency group asks for, with the groups that it includes."""
    for word in GROUPS[group]:
        if isinstance(word, str):
            yield Requirement(word)
        else:
            yield from grouped(word["include-group"])


def test_every_package_of_the_development_is_locked_within_its_bounds() -> None:
    locked = pins(LOCK.read_text(encoding="utf-8"))
    extras = [(name, extra) for name, project in PROJECTS.items() for extra in project["optional-dependencies"]]
    wanted = [
        *map(Requirement, build_requirements()),
        *(requirement for name, extra in extras if extra not in NOT_LOCKED for requirement in required(name, extra)),
        *(requirement for group in ("dev", "release") for requirement in grouped(group)),
    ]
    for requirement in wanted:
        versions = [pin.version for pin in locked if pin.name == requirement.name.lower()]
        assert versions, f"{requirement.name} is not locked: make lock"
        assert all(map(requirement.specifier.contains, versions)), f"{requirement} and not {versions}: make lock"


def test_the_packages_have_one_version() -> None:
    assert tamis_papers.__version__ == tamis_lab.__version__ == tamis.__version__
    own = [Requirement(word) for project in PROJECTS.values() for word in project["dependencies"]]
    pinned = [str(each.specifier) for each in own if each.name in PROJECTS]
    assert pinned == 3 * [f"=={tamis.__version__}"]


def test_the_lock_names_no_host() -> None:
    assert "://" not in LOCK.read_text(encoding="utf-8")


@pytest.mark.parametrize("line", ["numpy==2.0.0\n", "numpy>=2 \\\n    --hash=sha256:00\n", "--index-url x\n", "-e .\n"])
def test_a_line_without_a_version_or_a_hash_is_found(line: str) -> None:
    with pytest.raises(ValueError, match="not a pin with hashes"):
        pins(LOCK.read_text(encoding="utf-8") + line)


class Database(LocalHandler):
    """A database of vulnerabilities that knows one package."""

    def do_POST(self) -> None:
        questions = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["queries"]
        known = {("PyPI", "numpy"): {"vulns": [{"id": "OSV-1"}]}, ("npm", "esbuild"): {"vulns": [{"id": "OSV-2"}]}}
        results = [known.get((each["package"]["ecosystem"], each["package"]["name"]), {}) for each in questions]
        answer = {"/": {"results": results}, "/short": {"results": results[1:]}, "/other": {}}[self.path]
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())


@pytest.fixture(scope="module")
def database() -> Iterator[LocalServer]:
    with LocalServer(Database).running() as running:
        yield running


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "*")


def test_advisories_are_printed_and_fail(database: LocalServer, capsys: pytest.CaptureFixture[str]) -> None:
    assert audit.main(database.address("/")) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(" ")[0] for line in lines if "OSV-1" in line] == ["numpy"] * (len(lines) - 2)
    assert lines[-2].startswith("esbuild ")
    assert lines[-1] == f"{len(audit.locked())} packages audited, {len(lines) - 1} advisories"


def test_what_was_accepted_is_no_failure(
    database: LocalServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(audit, "ACCEPTED", {"OSV-1": "not called", "OSV-2": "only to build"})
    assert audit.main(database.address("/")) == 0
    assert capsys.readouterr().out.endswith("packages audited, 0 advisories\n")


@pytest.mark.parametrize("path", ["/short", "/other", "/missing"])
def test_without_an_answer_one_line_says_so(
    path: str, database: LocalServer, capsys: pytest.CaptureFixture[str]
) -> None:
    assert audit.main(database.address(path)) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("dependencies were not audited: no answer from the database of vulnerabilities (")


def test_without_a_network_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert audit.main("http://127.0.0.1:1/") == 0
    assert "refused" in capsys.readouterr().out
