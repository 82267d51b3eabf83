"""All errors that tamis raises on purpose; TamisError catches them all.

TamisError
 ├── InputError            the page could not be read
 │    ├── PageTooLarge     the page or an output of it exceeds a limit
 │    │    └── OutOfMemory a MemoryError, too
 │    ├── PageTooSlow      the timeout expired
 │    ├── NotAPage         a PDF, an image or another file that is not a web page (tamis.inputs)
 │    ├── FetchError       the URL could not be fetched
 │    │    ├── FetchRefused    the rules forbid it: a private address, a port, a scheme, robots.txt
 │    │    └── FetchTimeout    it takes longer than the timeout
 │    ├── RenderError      the browser could not draw the page
 │    ├── BadEncoding, BodyTooLarge, BadCharset   the body of a response can't be decoded (tamis.batch)
 │    ├── LowConfidence    the extraction is probably worse than was asked for (tamis.batch)
 │    ├── StoreFailed      a store does not answer, or refuses (tamis.batch.stores)
 │    ├── NotRead          an item of a batch that ended a worker when it was read (tamis.batch)
 │    ├── PageFailed       one page of many failed: too slow, too large, crash ... (tamis.extract_many)
 │    └── CorpusError      a corpus is damaged (tamis_lab.corpora.files)
 │         └── CorpusMissing   it is not there (tamis_lab.corpora.catalogue)
 ├── OptionError           options that do not exist or contradict each other
 │    ├── UnknownExtractor
 │    ├── NotContent       a URL or a file name where a page is wanted (tamis.inputs)
 │    └── UnknownCorpus    (tamis_lab.corpora.catalogue)
 ├── WeightsError          a model's weights are missing or damaged
 ├── MissingExtra          an optional dependency is not installed
 ├── PluginError           what another package adds can't be loaded
 ├── ServiceBusy           too many pages are waiting, or the service is shutting down (tamis.worker.service)
 ├── WorkerLost            worker processes end before they start a page (tamis.worker.service)
 ├── RequestError          a request to the server is wrong (tamis.server.problems)
 ├── ClusterFailed         a cluster failed (tamis.integrations.ray)
 ├── ContractError         an extractor breaks the contract (tamis.testing)
 └── BrowserMissing        no Chromium was found, or it does not start
"""

from __future__ import annotations

TYPE_CHECKING = False  # every start of the command line imports this file
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Literal


def did_you_mean(word: str, names: Iterable[str]) -> str:
    """A question for the message about an unknown word; empty if no name is similar."""
    from difflib import get_close_matches

    close = get_close_matches(word, [*names], 1)
    return f"did you mean {close[0]}?" if close else ""


class TamisError(Exception):
    """The root of the tree. Messages are one line, for the person who runs tamis."""


class InputError(TamisError):
    """The page could not be read."""


class PageTooLarge(InputError):
    """The page has more characters, tags or elements than the limits allow, or an output of it would be too long."""


class OutOfMemory(PageTooLarge, MemoryError):
    """The page needs more memory than there is."""


class PageTooSlow(InputError):
    """The page takes longer than the timeout."""


class FetchError(InputError):
    """The URL could not be fetched."""


class FetchRefused(FetchError):
    """The rules forbid the URL or where it redirects to: a private address, a port, a scheme, robots.txt."""


class FetchTimeout(FetchError):
    """The URL takes longer to fetch than the timeout."""


class RenderError(InputError):
    """The browser could not draw the page; `kind` is the reason."""

    def __init__(self, message: str, kind: Literal["timeout", "crash", "error"]) -> None:
        super().__init__(message)
        self.kind = kind


class PageFailed(InputError):
    """One page of many failed; `kind` is the reason: timeout, crash, memory, parse-error ..."""

    def __init__(self, message: str, kind: str, url: str | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.url = url


class OptionError(TamisError, ValueError):
    """An option that does not exist, or two that contradict each other."""


class UnknownExtractor(OptionError):
    """No extractor has this name."""

    def __init__(self, name: str, known: Iterable[str], hint: str = "") -> None:
        super().__init__(f"no extractor is called {name!r}; there are: {', '.join(known)}{hint}")


class WeightsError(TamisError):
    """The weights of a model are missing, damaged or do not belong to their config."""


class MissingExtra(TamisError, ImportError):
    """An optional dependency is not installed; the message has the command that installs it."""

    def __init__(self, purpose: str, extra: str, package: str = "tamis") -> None:
        super().__init__(f"{purpose} needs an extra: pip install '{package}[{extra}]'")


class PluginError(TamisError):
    """Another package adds something to tamis that can't be loaded."""


class BrowserMissing(TamisError):
    """No Chromium was found, or it does not start; the message says how to install one."""

    def __init__(self, why: str) -> None:
        super().__init__(f"{why}; on Debian and Ubuntu: apt install chromium, or set TAMIS_CHROMIUM to its path")
