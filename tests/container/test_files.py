"""Dockerfile, .dockerignore and compose.yaml agree with each other and with the server."""

from __future__ import annotations

import argparse
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from tamis.cli.parser import build_parser
from tamis.server.run import config
from tamis.server.settings import Settings
from tests.container.dockerfile import PROJECT, Ignore, Stage, compose_service, stages
from tests.docs.pages import blocks

FACTS = tomllib.loads((PROJECT / "packages/tamis/pyproject.toml").read_text(encoding="utf-8"))["project"]
DOCKERFILE = (PROJECT / "Dockerfile").read_text(encoding="utf-8")
IGNORE = Ignore((PROJECT / ".dockerignore").read_text(encoding="utf-8"))
BUILD, FINAL = stages(DOCKERFILE)


@pytest.fixture(scope="module")
def service() -> dict[str, Any]:
    return compose_service()


def options_of(command: list[str]) -> argparse.Namespace:
    return build_parser()[0].parse_args(command)


@pytest.mark.parametrize("stage", [BUILD, FINAL], ids=["build", "final"])
def test_the_base_is_a_slim_python_that_tamis_promises_to_run_on(stage: Stage) -> None:
    found = re.fullmatch(r"python:(\d+\.\d+)(?:\.\d+)?-slim-[a-z]+(?:@sha256:[0-9a-f]{64})?", stage.base)
    assert found, stage.base
    assert f"Programming Language :: Python :: {found[1]}" in FACTS["classifiers"]


def test_the_user_is_a_number_and_not_root(service: dict[str, Any]) -> None:
    user = FINAL.only("USER").value
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", user)
    assert service["user"] == user


def test_the_last_stage_installs_nothing() -> None:
    assert not FINAL.all("RUN")
    assert [step.flags for step in FINAL.all("COPY")] == [{"from": BUILD.name}]


def test_the_image_has_the_extras_of_server_and_mcp() -> None:
    (extras,) = re.findall(r"\.whl\)\[([\w,-]+)\]", DOCKERFILE)
    assert extras.split(",") == ["server", "mcp"]
    assert {*extras.split(",")} <= {*FACTS["optional-dependencies"]}


def test_labels_say_what_the_project_says() -> None:
    labels = FINAL.only("LABEL").pairs
    start = "org.opencontainers.image."
    assert labels[f"{start}title"] == FACTS["name"]
    assert labels[f"{start}licenses"] == FACTS["license"]
    assert labels[f"{start}source"] == FACTS["urls"]["Homepage"]
    assert labels[f"{start}documentation"].startswith(FACTS["urls"]["Documentation"])


def test_copied_files_exist_and_are_sent_to_the_engine(tmp_path: Path) -> None:
    sources = [source for step in BUILD.all("COPY") for source in step.words[:-1]]
    assert "packages/tamis" in sources
    for source in sources:
        IGNORE.copy(PROJECT, source, tmp_path / source)
    assert (tmp_path / "packages/tamis/src/tamis/__init__.py").exists()
    assert (tmp_path / "packages/tamis/kernel/build.py").exists()
    assert not [*tmp_path.rglob("*.so"), *tmp_path.rglob("__pycache__")]


def test_nothing_else_is_sent_to_the_engine() -> None:
    sources = {source for step in BUILD.all("COPY") for source in step.words[:-1]}
    places = (PROJECT, PROJECT / "tools", PROJECT / "packages")
    names = {path.relative_to(PROJECT).as_posix() for place in places for path in place.iterdir()} - {
        "tools",
        "packages",
    }
    assert {name for name in names if not IGNORE.ignores(name)} == sources
    for name in (
        ".env",
        "api-key.txt",
        ".git/config",
        ".venv/bin/python",
        "packages/tamis/src/tamis/kernel/kernel.so",
        "packages/tamis/tests/golden.py",
        "dist/a.whl",
    ):
        assert IGNORE.ignores(name), name


def test_no_secret_is_written_down(service: dict[str, Any]) -> None:
    secret = re.compile(r"key|token|secret|password", re.IGNORECASE)
    named = [name for stage in (BUILD, FINAL) for name in stage.environment]
    named += re.findall(r"^ARG (\w+)", DOCKERFILE, re.MULTILINE)
    assert not [*filter(secret.search, named)]
    for name, value in service["environment"].items():
        assert not secret.search(name) or value.startswith(f"${{{name}:?"), f"{name} is not asked for"


def test_one_port_everywhere(service: dict[str, Any]) -> None:
    port = FINAL.only("EXPOSE").value
    for command in (FINAL.only("CMD").words, service["command"]):
        assert str(options_of(command).port) == port
    assert f"http://127.0.0.1:{port}/healthz" in FINAL.health_command[-1]
    assert service["ports"] == [f"127.0.0.1:{port}:{port}"]  # this machine alone


def test_the_health_check_has_a_name_that_the_server_answers_to(service: dict[str, Any]) -> None:
    for command in (FINAL.only("CMD").words, service["command"]):
        options = options_of(command)
        assert options.host == "0.0.0.0"
        hosts = Settings(host=options.host, allowed_hosts=tuple(options.allow_host)).hosts
        assert hosts is not None, "any web page could reach the server"
        assert "127.0.0.1" in hosts


def test_compose_checks_health_as_the_image_does(service: dict[str, Any]) -> None:
    check = dict(service["healthcheck"])
    assert check.pop("test") == ["CMD", *FINAL.health_command]
    flags = {name.replace("-", "_"): value for name, value in FINAL.only("HEALTHCHECK").flags.items()}
    assert {name: str(value) for name, value in check.items()} == flags


def test_compose_takes_away_what_the_server_does_not_need(service: dict[str, Any]) -> None:
    assert service["read_only"] is True
    assert [each.partition(":")[0] for each in service["tmpfs"]] == ["/tmp"]
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["init"] is True
    assert not {"privileged", "cap_add", "network_mode", "pid", "ipc", "devices", "volumes"} & {*service}


def test_compose_has_memory_and_threads_for_all_that_the_server_allows_itself(service: dict[str, Any]) -> None:
    options = options_of(service["command"])
    memory = re.fullmatch(r"(\d+)g", service["mem_limit"])
    assert memory
    assert int(memory[1]) * 1_024 >= (options.workers + 1) * options.memory
    assert service["pids_limit"] >= 2 * Settings().fetches + 8 * options.workers


def test_the_server_has_time_to_finish_what_it_has_begun(service: dict[str, Any]) -> None:
    assert FINAL.only("STOPSIGNAL").value == "SIGTERM"
    needed = config(Settings(timeout=options_of(service["command"]).timeout)).timeout_graceful_shutdown
    assert needed is not None
    grace = re.fullmatch(r"(\d+)s", service["stop_grace_period"])
    assert grace
    assert int(grace[1]) > needed


def test_the_example_for_kubernetes(service: dict[str, Any]) -> None:
    (text,) = [block.code for block in blocks("docs/how-to/container.md") if block.code.startswith("apiVersion")]
    pod = yaml.safe_load(text)["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    options = options_of(container["args"])
    port = int(FINAL.only("EXPOSE").value)
    assert (options.host, options.port) == ("0.0.0.0", port)
    assert container["ports"] == [{"containerPort": port}]
    hosts = Settings(host=options.host, allowed_hosts=tuple(options.allow_host)).hosts
    for name in ("readinessProbe", "livenessProbe", "startupProbe"):
        asked = container[name]["httpGet"]
        assert (asked["path"], asked["port"]) == ("/healthz", port)
        assert asked["httpHeaders"][0]["value"] in (hosts or ())
    assert f"{pod['terminationGracePeriodSeconds']}s" == service["stop_grace_period"]
    assert container["resources"]["limits"]["memory"] == service["mem_limit"].replace("g", "Gi")
    assert [mount["mountPath"] for mount in container["volumeMounts"]] == ["/tmp"]
    assert container["securityContext"]["readOnlyRootFilesystem"] is True
