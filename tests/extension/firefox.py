"""Firefox with the extension, by its own protocol (Marionette): the only one that reaches an extension's keys."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
from pathlib import Path
from typing import Any

from tests.extension.browser import eventually

ADDON = "tamis@tamis.invalid"
_NAMES = ("firefox", "firefox-esr")
_PREFERENCES = {
    "app.update.enabled": False,
    "browser.dom.window.dump.enabled": True,
    "datareporting.policy.dataSubmissionEnabled": False,
    "toolkit.telemetry.enabled": False,
    "network.captive-portal-service.enabled": False,
}


def program() -> str | None:
    """The path of the machine's Firefox."""
    return next((path for name in _NAMES if (path := shutil.which(name))), None)


class Firefox:
    """A started Firefox with one tab. Close it when done."""

    def __init__(self, path: str, addon: Path, profile: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        lines = [f"user_pref({json.dumps(n)}, {json.dumps(v)});" for n, v in _PREFERENCES.items()]
        lines.append(f'user_pref("marionette.port", {port});')
        (profile / "user.js").write_text("\n".join(lines), encoding="utf-8")
        self.log = profile / "firefox.log"
        with self.log.open("wb") as log:
            arguments = [path, "--headless", "--marionette", "--remote-allow-system-access", "--profile", str(profile)]
            self._process = subprocess.Popen(arguments, stdout=log, stderr=subprocess.STDOUT)
        self._waiting = b""
        self._last = 0
        self._socket: socket.socket = eventually(lambda: self._connect(port), "Firefox", 60)
        self._receive()  # its greeting
        self._command("WebDriver:NewSession", capabilities={})
        self._command("Addon:Install", path=str(addon), temporary=True)
        self.host = str(self.chrome(f"return WebExtensionPolicy.getByID('{ADDON}').mozExtensionHostname"))

    @staticmethod
    def _connect(port: int) -> socket.socket | None:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=30)
        except OSError:
            return None

    def _receive(self) -> Any:
        while b":" not in self._waiting:
            self._waiting += self._more()
        length, _, rest = self._waiting.partition(b":")
        while len(rest) < int(length):
            rest += self._more()
        self._waiting = rest[int(length) :]
        return json.loads(rest[: int(length)])

    def _more(self) -> bytes:
        read = self._socket.recv(1 << 16)
        if not read:
            raise AssertionError("Firefox is gone")
        return read

    def _command(self, name: str, **parameters: Any) -> Any:
        self._last += 1
        message = json.dumps([0, self._last, name, parameters]).encode()
        self._socket.sendall(str(len(message)).encode() + b":" + message)
        _, _, error, result = self._receive()
        if error:
            raise AssertionError(error)
        return result

    def go(self, url: str) -> None:
        self._command("WebDriver:Navigate", url=url)

    def page(self, script: str) -> Any:
        """What a script returns in the page."""
        return self._command("WebDriver:ExecuteScript", script=script, args=[])["value"]

    def chrome(self, script: str) -> Any:
        """What a script returns in the browser's own window."""
        self._command("Marionette:SetContext", value="chrome")
        try:
            return self._command("WebDriver:ExecuteScript", script=script, args=[], sandbox="system")["value"]
        finally:
            self._command("Marionette:SetContext", value="content")

    def key(self, key: str) -> None:
        """Do what Alt, Shift and this key do."""
        self.chrome(f"""
          const keys = [...document.querySelectorAll("keyset[id^=ext-keyset] key")];
          keys.find((each) => each.getAttribute("key") === "{key}").doCommand();
        """)

    def choose(self, extractor: str) -> None:
        """Remember an extractor, from a page of the extension."""
        self.go(f"moz-extension://{self.host}/panel.html")
        self.page(f"return browser.storage.local.set({{ extractor: '{extractor}' }})")

    def close(self) -> None:
        self._socket.close()
        self._process.kill()
        self._process.wait()
