"""What reads and runs a Dockerfile here does as Docker does, and leaves this machine alone."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.container.dockerfile import BASE_PATH, stages
from tests.container.ignore import Ignore
from tests.container.steps import StepFailed, build

TWO_STAGES = r"""
# a comment
ARG BASE=python:3.13-slim
FROM ${BASE} AS build
ENV A=1 \
    # in the middle
    B="two words"
RUN echo "$A" && \
    echo ${B:-none}
from ${BASE}
COPY --from=build --chown=1:1 /a /b
ENV PATH=/opt/bin:$PATH
WORKDIR ${HERE:-/srv}
HEALTHCHECK --interval=5s CMD ["true", "-x"]
CMD ["a b", "c"]
"""


def test_stages_instructions_and_variables() -> None:
    build, final = stages(TWO_STAGES)
    assert (build.base, build.name) == ("python:3.13-slim", "build")
    assert build.environment == {"PATH": BASE_PATH, "A": "1", "B": "two words"}
    assert build.only("RUN").value.split() == 'echo "$A" && echo ${B:-none}'.split()
    assert (final.base, final.name) == ("python:3.13-slim", "")
    copied = final.only("COPY")
    assert copied.flags == {"from": "build", "chown": "1:1"}
    assert copied.words == ["/a", "/b"]
    assert final.environment == {"PATH": f"/opt/bin:{BASE_PATH}"}
    assert final.only("WORKDIR").value == "/srv"
    assert final.health_command == ["true", "-x"]
    assert final.only("CMD").words == ["a b", "c"]


@pytest.mark.parametrize(
    "text",
    [
        "RUN before",
        "FROM a\nONBUILD RUN x",
        "FROM a\nRUN <<END\nx\nEND",
        "# escape=`\nFROM a",
        "FROM a\nWORKDIR ${A:?no}",
        "FROM a\nENV A 1",
    ],
)
def test_what_is_not_understood_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        stages(text)


@pytest.mark.parametrize(
    ("rules", "path", "ignored"),
    [
        ("*", "src/a.py", True),
        ("*\n!src", "src/a/b.py", False),
        ("*\n!src\n**/*.so", "src/a/b.so", True),
        ("*\n!src\n*.so", "src/b.so", False),
        ("**/__pycache__", "__pycache__/a.pyc", True),
        ("**/__pycache__", "a/b/__pycache__/a.pyc", True),
        ("src\n!src/a.py", "src/a.py", False),
        ("# src\n\n", "src", False),
        ("/src/", "src/a.py", True),
        ("a?c", "abc", True),
        ("a?c", "a/c", False),
        ("a.c", "abc", False),
    ],
)
def test_the_last_rule_that_fits_decides(rules: str, path: str, ignored: bool) -> None:
    assert Ignore(rules).ignores(path) is ignored


def project(folder: Path, dockerfile: str) -> Path:
    (folder / "Dockerfile").write_text(dockerfile, encoding="utf-8")
    (folder / ".dockerignore").write_text("*\n!data\n**/*.key", encoding="utf-8")
    (folder / "data" / "inner").mkdir(parents=True)
    for name in ("a.txt", "inner/b.txt", "inner/c.key"):
        (folder / "data" / name).write_text(name, encoding="utf-8")
    return folder


def test_steps_are_run_below_the_root_of_the_image(tmp_path: Path) -> None:
    dockerfile = """
        FROM a AS first
        WORKDIR /src
        COPY data data
        ENV WORD=two
        RUN mkdir -p /opt/x && cat data/inner/b.txt > /opt/x/out && echo $WORD >> /opt/x/out
        RUN echo "$(ls data/inner)" > listed && cp listed /opt/x
        FROM a
        COPY --from=first /opt/x /opt/y
        ENV WHERE=/opt/y:/usr/bin
    """
    image = build(project(tmp_path, dockerfile), tmp_path / "root", sys.executable)
    assert (image.root / "opt/y/out").read_text(encoding="utf-8") == "inner/b.txttwo\n"
    assert (image.root / "opt/y/listed").read_text(encoding="utf-8") == "b.txt\n"
    assert not (image.root / "src").exists()
    assert image.environment["WHERE"] == f"{image.root}/opt/y:/usr/bin"


@pytest.mark.parametrize(
    ("step", "error"),
    [
        ("RUN false", StepFailed),
        ("RUN touch /srv/x", ValueError),
        ("RUN rm -rf /optional", ValueError),
        ("COPY data/inner/c.key ./", FileNotFoundError),
        ("COPY missing ./", FileNotFoundError),
    ],
)
def test_a_step_that_fails_or_would_touch_this_machine(tmp_path: Path, step: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        build(project(tmp_path, f"FROM a\n{step}"), tmp_path / "root", sys.executable)
