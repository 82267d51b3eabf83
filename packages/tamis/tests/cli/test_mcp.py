"""The command line of `tamis mcp`."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest.importorskip("mcp")

from tamis.cli.main import main

WITHOUT_SDK = "import sys; sys.modules['mcp'] = None; from tamis.cli.main import main; sys.exit(main(['mcp']))"


def test_the_missing_extra_is_said() -> None:
    ended = subprocess.run([sys.executable, "-c", WITHOUT_SDK], capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert ended.stderr == "tamis: the MCP server needs an extra: pip install 'tamis[mcp]'\n"
    assert ended.stdout == ""


@pytest.mark.parametrize(
    "options", [["--port", "8300"], ["--host", "0.0.0.0"], ["--allow-host", "a.example"], ["--api-key-file", "key"]]
)
def test_options_of_http_need_it(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mcp", *options]) == 2
    assert capsys.readouterr().err == f"tamis: {options[0]} needs --http\n"


def test_other_machines_need_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mcp", "--http", "--host", "0.0.0.0"]) == 2
    assert "--allow-host NAME" in capsys.readouterr().err


def test_a_key_file_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mcp", "--http", "--api-key-file", "no-such-file"]) == 2
    assert "no-such-file" in capsys.readouterr().err


def test_the_help_shows_the_settings_of_a_client(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["mcp", "--help"])
    shown = capsys.readouterr().out
    assert '{"mcpServers": {"tamis": {"command": "tamis", "args": ["mcp"]}}}' in shown
    assert "--allow-private" in shown
