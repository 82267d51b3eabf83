"""The Chromium that is used, and its arguments."""

from __future__ import annotations

import os
import shutil
from importlib.util import find_spec

from tamis.errors import BrowserMissing, MissingExtra

VARIABLE = "TAMIS_CHROMIUM"  # the path of the program; "none" hides all browsers
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

# Chromium only uses the last of two lists, so this one repeats Playwright's (1.65). The last line is ours: without it,
# each window loads a page for the list under its address bar, which takes half of a page's time.
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

# show.py refuses the requests of a page one by one. These arguments stop the rest: sockets, preconnects, name lookups.
# Everything has to go through a proxy, even requests to this machine, and names never resolve, not even the proxy's.
_WITHOUT_NETWORK = (
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=http://proxy.invalid:9",
    "--proxy-bypass-list=<-loopback>",
    # By default WebRTC sends UDP around the proxy. Both names of the switch, old and new.
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
)


def chromium() -> str:
    """The path of Chromium. Raises BrowserMissing if there is none."""
    chosen = os.environ.get(VARIABLE, "")
    names = () if chosen == "none" else (chosen,) if chosen else _NAMES
    if path := next(filter(None, map(shutil.which, names)), None):
        return path
    if chosen not in ("", "none"):
        raise BrowserMissing(f"{VARIABLE} is {chosen}, which is no program")
    raise BrowserMissing("rendering needs Chromium, which is not found")


def available() -> bool:
    """Are Playwright and Chromium installed? Does not start them."""
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
    """The arguments of Chromium, which ignores the marker; its process is found by it."""
    return [*_ALWAYS, *(() if network else _WITHOUT_NETWORK), marker]


def sandboxed() -> bool:
    """Should Chromium use its sandbox? As root it does not start with one."""
    return not hasattr(os, "geteuid") or os.geteuid() != 0
