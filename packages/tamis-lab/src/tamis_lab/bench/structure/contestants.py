"""Who takes part: extractors of tamis and libraries that write Markdown or HTML, each at its best settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import tamis
from tamis.document.decode import decode
from tamis.errors import OptionError
from tamis.registry import extractors
from tamis_lab.bench import competitors, trained
from tamis_lab.bench.competitors import Contestant, Peer


class Writer(NamedTuple):
    """A peer, whether it writes Markdown or HTML, and itself told to keep all that it can, if that is possible."""

    peer: Peer[Contestant]
    is_html: bool = False
    whole: Callable[[], Contestant] | None = None


def load(name: str, *, whole: bool = False) -> Contestant:
    """The contestant of this name; with `whole` it is to keep the whole page. Raises OptionError and MissingExtra."""
    if whole and name not in WRITERS:
        return load("keep-all")
    if trained.is_trained(name):
        chosen = trained.extractor_of(name)
        return lambda html, url: tamis.extract(html, url=url, extractor=chosen(html, url)).markdown
    if name in extractors():
        return lambda html, url: tamis.extract(html, url=url, extractor=name).markdown
    if name not in WRITERS:
        raise OptionError(f"no writer of structure is called {name!r}; there are: tamis, {', '.join(WRITERS)}")
    writer = WRITERS[name]
    return competitors.loaded(writer.peer._replace(load=writer.whole) if whole and writer.whole else writer.peer)


def is_html(name: str) -> bool:
    """Does a contestant write HTML?"""
    return name in WRITERS and WRITERS[name].is_html


def version(name: str) -> str:
    """The version of a contestant. Raises OptionError and MissingExtra."""
    if name in WRITERS:
        return competitors.peer_version(WRITERS[name].peer)
    load(name)
    return competitors.version(name)


def unavailable() -> dict[str, str]:
    """The peers that can't run here, each with the reason."""
    return competitors.unavailable(WRITERS, version)


def _trafilatura(*, favor_recall: bool = False) -> Contestant:
    from trafilatura import extract

    return lambda html, url: (
        extract(
            html,
            url=url,
            output_format="markdown",
            favor_recall=favor_recall,
            include_comments=False,
            include_formatting=True,
            include_images=True,
            include_links=True,
            include_tables=True,
        )
        or ""
    )


def _resiliparse(*, main_content: bool = True) -> Contestant:
    from resiliparse.extract.html2text import extract_plain_text  # type: ignore[import-untyped]
    from resiliparse.parse.encoding import detect_encoding  # type: ignore[import-untyped]
    from resiliparse.parse.html import HTMLTree  # type: ignore[import-untyped]

    tree: Callable[[bytes], object] = lambda html: HTMLTree.parse_from_bytes(html, detect_encoding(html))  # noqa: E731
    # Its minimal HTML has the most structure: headings, lists, preformatted text and links. It has no images.
    return lambda html, url: str(
        extract_plain_text(tree(html), main_content=main_content, preserve_formatting="minimal_html", links=True)
    )


def _markdownify() -> Contestant:
    from markdownify import markdownify

    return lambda html, url: str(markdownify(decode(html).text, heading_style="ATX"))


def _html2text() -> Contestant:
    from html2text import HTML2Text

    def contestant(html: bytes, url: str | None) -> str:
        writer = HTML2Text(baseurl=url or "", bodywidth=0)
        return str(writer.handle(decode(html).text))

    return contestant


# The last two convert the whole page; they do not look for its main content.
_WRITERS = (
    Writer(Peer("trafilatura", "trafilatura", _trafilatura), whole=lambda: _trafilatura(favor_recall=True)),
    Writer(
        Peer("resiliparse", "resiliparse", _resiliparse),
        is_html=True,
        whole=lambda: _resiliparse(main_content=False),
    ),
    Writer(Peer("markdownify", "markdownify", _markdownify)),
    Writer(Peer("html2text", "html2text", _html2text)),
)
WRITERS = {writer.peer.name: writer for writer in _WRITERS}
