"""The core of the extension inside a real Chromium that reaches nothing but the files handed to it here."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import threading
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import unquote, urlsplit

import pytest

from tamis.web.browser import program

if TYPE_CHECKING:
    from playwright.async_api import Page, Route

T = TypeVar("T")

ROOT = Path(__file__).resolve().parents[3]
BOILERNET_VECTORS = ROOT / "packages/tamis-papers/tests/papers/boilernet/vectors.json"
SITE = "https://core.example"
LIMIT = 120.0  # seconds for one answer, on a busy machine

# No eval and no inline script, as on the strictest pages; networks need WebAssembly.
_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
_TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm", ".json": "application/json"}


@cache
def kernel() -> Path:
    """The kernel for the browser, from the present sources."""
    if not (shutil.which("clang") and shutil.which("wasm-ld")):
        pytest.skip("no clang or no lld here: make wasm")
    made = subprocess.run(
        ["make", "--silent", "build/kernel.wasm"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stderr
    return ROOT / "build/kernel.wasm"


@cache
def bundled() -> bytes:
    """The questions, the core and its libraries as one script."""
    command = ["node_modules/.bin/esbuild", str(Path(__file__).parent / "answers.js"), "--bundle", "--format=esm"]
    command += ["--tsconfig=tsconfig.json", "--charset=utf8", "--log-level=warning"]
    made = subprocess.run(command, cwd=ROOT / "extension", capture_output=True, check=False)
    assert made.returncode == 0, made.stderr.decode()
    return made.stdout


class Core:
    """A browser's page in which the core's modules are loaded."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._page: Page | None = None
        self._pages = {"/": "<!doctype html><title>core</title>"}  # what is at paths of the site

    async def open(self, page: Page, runtime: Path) -> None:
        """Show an empty page of a strict policy."""
        self._page = page
        files = {"/models/tamis/kernel.wasm": kernel()}
        folders = {
            "models/tamis": ROOT / "packages/tamis/src/tamis/extractor/weights",
            "models/boilernet-small": ROOT / "packages/tamis-papers/src/tamis_papers/boilernet/weights/small",
            "ort": runtime,
            "npm": ROOT / "build/npm",
        }

        def found(path: str) -> Path | None:
            if path in files:
                return files[path]
            places = (
                at / path.removeprefix(f"/{name}/") for name, at in folders.items() if path.startswith(f"/{name}/")
            )
            return next((file for file in places if file.is_file()), None)

        async def serve(route: Route) -> None:
            address = urlsplit(route.request.url)
            path = unquote(address.path)
            if f"{address.scheme}://{address.netloc}" != SITE:
                await route.abort()
            elif path in self._pages:
                # Pages that a test shows have style sheets and scripts of their own.
                policy = {"Content-Security-Policy": _POLICY} if path == "/" else {}
                headers = {"Content-Type": "text/html; charset=utf-8"} | policy
                await route.fulfill(headers=headers, body=self._pages[path])
            elif path == "/answers.js":
                await route.fulfill(headers={"Content-Type": "text/javascript; charset=utf-8"}, body=bundled())
            elif (file := found(path)) is not None:
                kind = _TYPES.get(file.suffix, "application/octet-stream")
                await route.fulfill(headers={"Content-Type": kind}, body=file.read_bytes())
            else:
                await route.fulfill(status=404)

        await page.route("**/*", serve)
        await page.goto(f"{SITE}/")

    def ask(self, question: str, *arguments: object) -> Any:
        """Call a function of answers.js."""
        call = "async ([name, rest]) => (await import('/answers.js'))[name](...rest)"
        assert self._page is not None
        return self.wait(self._page.evaluate(call, [question, arguments]))

    def show(self, html: str, **others: str) -> None:
        """Load a page, and keep others of its site ready by name."""
        assert self._page is not None
        self._pages |= {"/page": html} | {f"/{name}": other for name, other in others.items()}
        self.wait(self._page.goto(f"{SITE}/page"))

    def wait(self, work: Awaitable[T]) -> T:
        """Let the browser's own thread do something."""

        async def bounded() -> T:
            return await asyncio.wait_for(work, LIMIT)

        return asyncio.run_coroutine_threadsafe(bounded(), self._loop).result()


@contextmanager
def core_in_chromium() -> Iterator[Core]:
    """Start Chromium. It lives in a thread of its own: another one may be running in this one."""
    from playwright.async_api import async_playwright

    runtime = ROOT / "extension/node_modules/onnxruntime-web/dist"
    if not runtime.is_dir() or shutil.which("node") is None:
        pytest.skip("the extension's npm packages are not here: make extension")
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="core in Chromium")
    thread.start()
    core = Core(loop)
    try:
        playwright = core.wait(async_playwright().start())
        try:
            sandbox, flags = program.should_sandbox(), ["--disable-gpu"]
            starting = playwright.chromium.launch(
                executable_path=program.chromium_path(), chromium_sandbox=sandbox, args=flags
            )
            browser = core.wait(starting)
            core.wait(core.open(core.wait(browser.new_page()), runtime))
            yield core
            core.wait(browser.close())
        finally:
            core.wait(playwright.stop())
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
