"""A browser with the extension in it, and its panel in the hands of a test."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Playwright

from tests.extension.pipe import Failed, Pipe
from tests.extension.web import Web

FLAGS = [
    "--headless=new",
    "--remote-debugging-port=0",
    "--enable-unsafe-extension-debugging",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-domain-reliability",
    "--disable-features=OptimizationHints,MediaRouter,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,PaintHolding",
    "--force-device-scale-factor=1",
    "--lang=en-US",
    # Everything goes through our own web, whatever its address.
    "--proxy-bypass-list=<-loopback>",
]
LIMIT = 15.0  # seconds to wait for anything


def eventually(look: Callable[[], Any], what: str, limit: float = LIMIT) -> Any:
    """The first true answer. Fails after the limit."""
    deadline = time.monotonic() + limit
    while not (answer := look()):
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {limit:.0f} s for {what}")
        time.sleep(0.03)
    return answer


class Panel:
    """The open panel: the real one, as a click on the button opens it."""

    def __init__(self, pipe: Pipe, target: str) -> None:
        self._pipe = pipe
        self.target = target
        self.session = pipe.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Runtime", "Log", "Page", "Network"):
            pipe.send(f"{domain}.enable", self.session)
        self.wait("document.readyState === 'complete'")

    def evaluate(self, expression: str) -> Any:
        """The value of an expression in the panel. A panel that closed meanwhile raises Failed."""
        answer = self._pipe.send(
            "Runtime.evaluate",
            self.session,
            expression=expression,
            returnByValue=True,
            awaitPromise=True,
            userGesture=True,
        )
        if "exceptionDetails" in answer:
            raise AssertionError(answer["exceptionDetails"])
        return answer["result"].get("value")

    def wait(self, expression: str, limit: float = LIMIT) -> Any:
        return eventually(lambda: self.evaluate(expression), f"{expression} (status: {self.status})", limit)

    @property
    def status(self) -> str:
        return str(self.evaluate("document.getElementById('status')?.textContent ?? ''"))

    def settle(self) -> str:
        """Wait until the page is read or refused; the panel's words."""
        self.wait("document.body.getAttribute('aria-busy') !== 'true' && document.getElementById('status').textContent")
        return self.status

    def press(self, action: str) -> None:
        """Click one of the four views, once there is something to click."""
        self.wait("!document.getElementById('controls').inert")
        self.evaluate(f"document.querySelector('[data-action={action}]').click()")

    def switch(self, action: str, *, on: bool) -> None:
        """Click a view and wait until it is on or off."""
        self.press(action)
        self.settle()
        self.wait(
            f"document.querySelector('[data-action={action}]').getAttribute('aria-pressed') === '{str(on).lower()}'"
        )

    def choose(self, extractor: str) -> None:
        """Choose an extractor, once there is a choice, and wait for its answer."""
        self.wait("!document.getElementById('extractor').disabled")
        self.evaluate(
            f"(() => {{ const s = document.getElementById('extractor'); s.value = '{extractor}';"
            " s.dispatchEvent(new Event('change')); })()"
        )
        self.settle()
        assert self.evaluate("document.getElementById('extractor').value") == extractor

    def key(self, key: str) -> None:
        """Press a key, as a keyboard does."""
        text = {"Enter": "\r", "Space": " "}.get(key, key if len(key) == 1 else "")
        name = " " if key == "Space" else key
        code = {"Tab": 9, "Enter": 13, "Space": 32, "Escape": 27}.get(key, ord(key.upper()) if len(key) == 1 else 0)
        about: dict[str, Any] = {"key": name, "windowsVirtualKeyCode": code}
        self._pipe.send("Input.dispatchKeyEvent", self.session, type="keyDown", text=text, **about)
        self._pipe.send("Input.dispatchKeyEvent", self.session, type="keyUp", **about)

    def picture(self) -> str:
        """A screenshot, as base64."""
        return str(self._pipe.send("Page.captureScreenshot", self.session)["data"])

    @property
    def is_open(self) -> bool:
        targets = self._pipe.send("Target.getTargets")["targetInfos"]
        return any(target["targetId"] == self.target for target in targets)

    def close(self) -> None:
        if self.is_open:
            self._pipe.send("Target.closeTarget", targetId=self.target)
            eventually(lambda: not self.is_open, "the panel to close")


class ExtensionBrowser:
    """Chromium, the extension, Playwright for the pages."""

    def __init__(
        self, playwright: Playwright, program: str, folder: Path, profile: Path, web: Web, *flags: str
    ) -> None:
        self.web = web
        flags = (*FLAGS, f"--proxy-server=http://127.0.0.1:{web.server_port}", *flags, "about:blank")
        self.pipe = Pipe(program, list(flags), profile)
        self.id = str(self.pipe.send("Extensions.loadUnpacked", path=str(folder))["id"])
        port_file = profile / "DevToolsActivePort"
        eventually(lambda: port_file.exists() and port_file.read_text().count("\n"), "Chromium's port")
        port = port_file.read_text().split()[0]
        self.browser: Browser = playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{port}")
        self.context = self.browser.contexts[0]
        self.panel: Panel | None = None
        self.worker = self._attach("service_worker")
        # The target is there before the worker has its interfaces and its listeners.
        eventually(lambda: self.in_worker("globalThis.chrome?.commands?.onCommand.hasListeners()"), "the background")

    def _attach(self, kind: str) -> str:
        def find() -> list[dict[str, Any]]:
            found: list[dict[str, Any]] = self.pipe.send("Target.getTargets")["targetInfos"]
            return [target for target in found if target["type"] == kind and self.id in target["url"]]

        target = eventually(find, f"the extension's {kind}")[0]["targetId"]
        session = str(self.pipe.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"])
        for domain in ("Runtime", "Log", "Network"):
            self.pipe.send(f"{domain}.enable", session)
        return session

    def in_worker(self, expression: str) -> Any:
        """The value of an expression in the extension's background."""
        answer = self.pipe.send(
            "Runtime.evaluate", self.worker, expression=expression, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in answer:
            raise AssertionError(answer["exceptionDetails"])
        return answer["result"].get("value")

    def open(self, url: str, *, width: int = 1000, height: int = 700) -> Page:
        """A page in a tab of its own, in front."""
        page = self.context.new_page()
        page.set_viewport_size({"width": width, "height": height})
        page.goto(url)
        page.bring_to_front()
        return page

    def show(self, url: str, extractor: str = "") -> tuple[Page, Panel]:
        """A page in a tab of its own and the panel beside it, when the extension has read it."""
        page = self.open(url)
        panel = self.click_button(page, extractor)
        panel.settle()
        return page, panel

    def click_button(self, page: Page, extractor: str = "") -> Panel:
        """Press the extension's button on a page: the panel opens, and the extension may see the page."""
        self.close_panel()
        page.bring_to_front()
        own = self.context.new_cdp_session(page)
        mine = own.send("Target.getTargetInfo")["targetInfo"]["targetId"]
        own.detach()
        tabs = self.pipe.send("Target.getTargets", filter=[{"type": "tab"}])["targetInfos"]
        for tab in tabs:
            if self._page_of(tab["targetId"]) == mine:
                self.pipe.send("Extensions.triggerAction", id=self.id, targetId=tab["targetId"])
                break
        else:
            raise AssertionError("the page is in no tab")
        self.panel = Panel(self.pipe, eventually(self._panel_target, "the panel"))
        if extractor:
            self.panel.choose(extractor)
        return self.panel

    def _page_of(self, tab: str) -> str:
        """The page that a tab shows."""
        session = self.pipe.send("Target.attachToTarget", targetId=tab, flatten=True)["sessionId"]
        before = len(self.pipe.events)
        self.pipe.send("Target.setAutoAttach", session, autoAttach=True, waitForDebuggerOnStart=False, flatten=True)
        shown = [
            event["params"]["targetInfo"]["targetId"]
            for event in self.pipe.events[before:]
            if event.get("method") == "Target.attachedToTarget" and event["params"]["targetInfo"]["type"] == "page"
        ]
        self.pipe.send("Target.detachFromTarget", sessionId=session)
        return str(shown[0]) if shown else ""

    def _panel_target(self) -> str:
        for target in self.pipe.send("Target.getTargets")["targetInfos"]:
            if target["type"] == "page" and target["url"].endswith("/panel.html"):
                return str(target["targetId"])
        return ""

    def close_panel(self) -> None:
        if self.panel is not None:
            self.panel.close()
            self.panel = None

    def complaints(self) -> list[str]:
        """Errors and warnings in the background and in panels, since the last call."""
        self.pipe.send("Target.getTargets")  # so that what was said until now is read
        found = [text for event in self.pipe.events if (text := _complaint(event))]
        self.pipe.events.clear()
        return found

    def close(self) -> None:
        try:
            self.browser.close()
        finally:
            self.pipe.close()


def _complaint(event: dict[str, Any]) -> str:
    parameters = event.get("params", {})
    match event.get("method"):
        case "Runtime.exceptionThrown":
            return str(parameters["exceptionDetails"])
        case "Runtime.consoleAPICalled" if parameters["type"] in ("error", "warning", "assert"):
            return str(parameters["args"])
        case "Log.entryAdded" if parameters["entry"]["level"] in ("error", "warning"):
            return str(parameters["entry"])
    return ""


__all__ = ["ExtensionBrowser", "Failed", "Panel", "eventually"]
