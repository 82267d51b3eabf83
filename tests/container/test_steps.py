"""The steps of the Dockerfile are run, and then the server as a container of it would run."""

from __future__ import annotations

import http.client
import json
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.container.dockerfile import PROJECT, compose_service
from tests.container.steps import USER, Image, build, choose_python, confinement, is_open

PAGE = (PROJECT / "examples" / "harbour.html").read_bytes()
HEALTHY_SECONDS = 60
GRACE_SECONDS = 45

pytestmark = [pytest.mark.nightly, pytest.mark.xdist_group("container")]  # the image is built once


@pytest.fixture(scope="module")
def image() -> Iterator[Image]:
    """The image. pytest's own folders are closed to other users, so it lies elsewhere."""
    if not any(map(shutil.which, ("cc", "gcc", "clang"))):
        pytest.skip("no C compiler here: the steps of the Dockerfile are not run")
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        _need_index(place)
        yield build(PROJECT, Path(place) / "root", choose_python())


def _need_index(place: str) -> None:
    """Skip where pip reaches no package index."""
    ask = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--retries=0", "--timeout=15"]
    asked = subprocess.run([*ask, "--dest", f"{place}/asked", "hatchling"], capture_output=True, text=True, check=False)
    if asked.returncode:
        said = asked.stderr.strip().rpartition("\n")[2]
        pytest.skip(f"no package index here: the steps of the Dockerfile are not run ({said})")


class Container:
    """A running server: what an engine would have started."""

    def __init__(self, image: Image, command: list[str], environment: dict[str, str], confined: list[str]) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self._image = image
        self._environment = image.environment | environment
        words = [*image.stage.only("ENTRYPOINT").words, *command]
        self.process = subprocess.Popen(
            [*confined, *map(self._here, words)],
            cwd=image.root,
            env=self._environment,
            stderr=subprocess.PIPE,
            text=True,
        )

    def _here(self, word: str) -> str:
        return word.replace("8000", str(self.port))

    def is_healthy(self) -> bool:
        """What the health check says, with a proxy in the environment that is of no use for it."""
        command = list(map(self._here, self._image.stage.health_command))
        environment = self._environment | {"http_proxy": "http://127.0.0.1:9/"}
        return not subprocess.run(command, env=environment, capture_output=True, check=False).returncode

    def wait(self) -> None:
        deadline = time.monotonic() + HEALTHY_SECONDS
        while not self.is_healthy():
            assert self.process.poll() is None, self.process.communicate()[1]
            assert time.monotonic() < deadline, "it never became healthy"
            time.sleep(0.1)

    def extract(self, *, host: str = "localhost", key: str = "") -> tuple[int, Any]:
        """Status and body for the example page."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        headers = {"Content-Type": "text/html", "Host": host} | ({"X-API-Key": key} if key else {})
        connection.request("POST", "/v1/extract?formats=markdown", PAGE, headers)
        response = connection.getresponse()
        body = json.loads(response.read())
        connection.close()
        return response.status, body

    def stop(self) -> int:
        """The exit code after a SIGTERM, within the time that an engine gives."""
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=GRACE_SECONDS)
        return self.process.returncode


@contextmanager
def running(image: Image, command: list[str], environment: dict[str, str] | None = None) -> Iterator[Container]:
    container = Container(image, command, environment or {}, confinement(image.root) if is_open(image.root) else [])
    try:
        container.wait()
        yield container
    finally:
        if container.process.poll() is None:
            container.process.kill()
            container.process.communicate()


@pytest.fixture
def container(image: Image) -> Iterator[Container]:
    """A server as the image starts it."""
    with running(image, image.stage.only("CMD").words) as found:
        yield found


def test_only_what_runs_is_in_the_image(image: Image) -> None:
    assert (image.root / "opt/tamis/bin/tamis").exists()
    assert not (image.root / "src").exists()
    assert not [*image.root.glob("opt/tamis/bin/pip*")]
    assert not [*image.root.glob("opt/tamis/lib/python*/site-packages/pip")]
    compiled = [*image.root.glob("opt/tamis/lib/python*/site-packages/tamis/__pycache__/api.*.pyc")]
    assert compiled, "nothing can be compiled when it runs"


def test_a_page_goes_through_and_a_signal_ends_the_server(image: Image, container: Container) -> None:
    before = image.files()
    status, body = container.extract()
    assert status == 200, body
    assert "swing bridge" in body["markdown"]
    assert container.stop() == 0
    assert image.files() == before
    assert not container.is_healthy()


def test_a_page_of_another_name_is_refused(container: Container) -> None:
    """As of a web page that has pointed its own name at this machine."""
    assert container.extract(host="rebound.example")[0] == 400


def test_the_command_and_key_of_compose(image: Image) -> None:
    service = compose_service()
    with running(image, service["command"], dict.fromkeys(service["environment"], "a key")) as container:
        assert container.extract()[0] == 401
        assert container.extract(key="a key", host="tamis:8000")[0] == 200
        assert container.stop() == 0


def test_the_server_runs_with_nothing_but_temporary_files(image: Image, container: Container) -> None:
    """Whoever is not root is another user already, and has no way to make the file system read-only."""
    confined = confinement(image.root)
    if not confined:
        pytest.skip("the server ran as the user of the tests: no root, or no mount namespace here")
    status = Path(f"/proc/{container.process.pid}/status").read_text(encoding="utf-8")
    fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    assert fields["Uid"].split() == [str(USER)] * 4
    assert fields["NoNewPrivs"] == "1"
    assert {int(fields[name], 16) for name in ("CapInh", "CapPrm", "CapEff", "CapBnd")} == {0}
    for folder, writable in (("tmp", True), ("opt", False), ("opt/tamis/bin", False)):
        touch = [*confined, "touch", str(image.root / folder / "file")]
        assert (subprocess.run(touch, capture_output=True, check=False).returncode == 0) is writable, folder


def test_mcp_starts_in_the_image(image: Image) -> None:
    command = [*image.stage.only("ENTRYPOINT").words, "mcp", "--help"]
    done = subprocess.run(command, cwd=image.root, env=image.environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
