"""Which Chromium is used, and with which arguments."""

from __future__ import annotations

import os
import shutil
from importlib.util import find_spec

from tamis.errors import BrowserMissing, MissingExtra

VARIABLE = "TAMIS_CHROMIUM"  # the path of the program; the word "none" stands for a machine without one
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

# Chromium takes the last of two lists, so here are Playwright's own (1.65) once more, and below them ours:
# each window would load a page for the list under its address bar, which is half of a page's time.
_DISABLED = """
AvoidUnnecessaryBeforeUnloadCheckSync DestroyProfileOnBrowserClose HttpsUpgrades HttpsFirstBalancedModeAutoEnable
LensOverlay MediaRouter PaintHolding ThirdPartyStoragePartitioning AvoidCorsURLLoaderRestartOnRedirect
TcpPortRandomizationWin OptimizationHints NetworkTimeServiceQuerying AimEnabled PreconnectToSearch
WebUIOmniboxPopup WebUIOmniboxAimPopup SpareRendererForSitePerProcess
""".split()

_ALWAYS = (
    f"--disable-features={','.join(_DISABLED)}",
    "--disable-gpu",
    "--hide-scrollbars",
    "--disable-background-networking",
    "--disable-domain-reliability",
    "--disable-quic",
    "--no-pings",
)

# A page's requests are refused one by one (show.py). This is the wall behind that, for all that is no
# request of a page: sockets, preconnects, name lookups. No name resolves, that of the proxy neither,
# and everything has to go through the proxy, this machine's own addresses too.
_WITHOUT_NETWORK = (
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=http://proxy.invalid:9",
    "--proxy-bypass-list=<-loopback>",
    # WebRTC sends UDP past a proxy unless told not to. The switch has had both names.
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
)


def chromium() -> str:
    """The path of the Chromium to start. Raises BrowserMissing where there is none."""
    chosen = os.environ.get(VARIABLE, "")
    if chosen and chosen != "none":
        if path := shutil.which(chosen):
            return path
        raise BrowserMissing(f"{VARIABLE} is {chosen}, which is no program")
    if not chosen:
        for name in _NAMES:
            if path := shutil.which(name):
                return path
    raise BrowserMissing("rendering needs Chromium, which is not found")


def available() -> bool:
    """Can pages be rendered here? Nothing is started to find out."""
    try:
        require()
    except (BrowserMissing, MissingExtra):
        return False
    return True


def require() -> str:
    """The path of Chromium. Raises MissingExtra without Playwright, BrowserMissing without Chromium."""
    if find_spec("playwright") is None:
        raise MissingExtra("rendering", "render")
    return chromium()


def arguments(*, network: bool, marker: str) -> list[str]:
    """What Chromium is started with; the marker changes nothing, its process is found by it."""
    return [*_ALWAYS, *(() if network else _WITHOUT_NETWORK), marker]


def sandboxed() -> bool:
    """Shall Chromium lock up its renderers? It refuses to do so, and to start, as root."""
    return not hasattr(os, "geteuid") or os.geteuid() != 0
