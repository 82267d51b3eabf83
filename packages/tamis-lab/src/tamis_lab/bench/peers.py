"""The other libraries that `tamis bench` measures, each as a function of a page.

For text they run with the defaults of their libraries, for structure and metadata at their best settings. Where a
library wants text, tamis decodes the page; where it answers with HTML, tamis turns that into text, because the
library's own text glues paragraphs together.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import warnings
from collections.abc import Callable, Mapping
from importlib import metadata
from pathlib import Path
from typing import IO, Any, Generic, NamedTuple, TypeVar, cast

import tamis
from tamis.document.decode import decode
from tamis.errors import MissingExtra, OptionError

NODE_MODULES = "TAMIS_NODE_MODULES"
FIELDS = ("title", "authors", "date")  # of metadata
_READABILITY_JS = "@mozilla/readability"
_UNFLUFF = "unfluff"


class Answer(NamedTuple):
    """The metadata that a contestant finds in a page; empty where it finds nothing."""

    title: str = ""
    authors: tuple[str, ...] = ()
    date: str = ""
    confidences: Mapping[str, float] = {}

    @property
    def says_something(self) -> bool:
        """Does any field have a value?"""
        return bool(self.title or self.authors or self.date)


Contestant = Callable[[bytes, str | None], str]
Finder = Callable[[bytes, str | None], Answer]
Called = TypeVar("Called")


class Peer(NamedTuple, Generic[Called]):
    """Another library, as it is called for text, for structure or for metadata."""

    name: str
    distribution: str  # on PyPI or npm
    load: Callable[[], Called]
    extra: str = "bench"  # the one that brings it
    whole: Callable[[], Called] | None = None  # the same, told to keep all that it can
    is_html: bool = False  # what it writes; otherwise Markdown
    fields: tuple[str, ...] = FIELDS  # of metadata that it knows

    @property
    def missing(self) -> MissingExtra:
        """The error where its package is not installed."""
        return MissingExtra(f"the peer {self.name}", self.extra, "tamis-lab")


def loaded(peer: Peer[Called], *, whole: bool = False) -> Called:
    """The function of a peer. Raises MissingExtra, and OptionError if its package is broken."""
    try:
        with warnings.catch_warnings():
            # newspaper4k warns of optional parts on import, older ones of their own syntax.
            warnings.simplefilter("ignore")
            return peer.whole() if whole and peer.whole else peer.load()
    except ImportError:
        raise peer.missing from None
    except OptionError:
        raise
    except Exception as error:
        raise OptionError(f"the peer {peer.name} can't be loaded: {error}") from None


def version(peer: Peer[Any]) -> str:
    """The version of a peer. It is loaded, because a package that it imports may be missing. Raises like `loaded`."""
    loaded(peer)
    if peer.distribution in (_READABILITY_JS, _UNFLUFF):
        _, folder, parser = _node_parts(peer.name)
        package = json.loads((folder / peer.distribution / "package.json").read_text(encoding="utf-8"))
        return str(package["version"]) + (f"+{parser}" if parser else "")
    try:
        return metadata.version(peer.distribution)
    except metadata.PackageNotFoundError:
        raise peer.missing from None


def _text_of(html: str) -> str:
    return tamis.extract(html, extractor="keep-all").text if html else ""


def _trafilatura(*, fast: bool) -> Contestant:
    from trafilatura import extract

    return lambda html, url: extract(html, url=url, fast=fast) or ""


def _trafilatura_markdown(*, favor_recall: bool = False) -> Contestant:
    from trafilatura import extract

    parts = "comments", "formatting", "images", "links", "tables"
    options: dict[str, Any] = {f"include_{part}": part != "comments" for part in parts}
    options |= {"output_format": "markdown", "favor_recall": favor_recall}
    return lambda html, url: extract(html, url=url, **options) or ""


def _trafilatura_metadata() -> Finder:
    from trafilatura import extract_metadata

    def find(html: bytes, url: str | None) -> Answer:
        found: Any = extract_metadata(decode(html).text, default_url=url, extensive=True)
        if found is None:
            return Answer()
        authors = tuple(filter(None, (found.author or "").split("; ")))
        return Answer(found.title or "", authors, found.date or "")

    return find


def _resiliparse(*, main_content: bool = True, as_html: bool = False) -> Contestant:
    from resiliparse.extract.html2text import extract_plain_text  # type: ignore[import-untyped]
    from resiliparse.parse.encoding import detect_encoding  # type: ignore[import-untyped]
    from resiliparse.parse.html import HTMLTree  # type: ignore[import-untyped]

    # Its minimal HTML has the most structure: headings, lists, preformatted text and links, without images.
    form = {"preserve_formatting": "minimal_html", "links": True} if as_html else {}
    tree: Callable[[bytes], object] = lambda html: HTMLTree.parse_from_bytes(html, detect_encoding(html))  # noqa: E731
    return lambda html, url: str(extract_plain_text(tree(html), main_content=main_content, **form))


def _markdownify() -> Contestant:
    from markdownify import markdownify

    return lambda html, url: str(markdownify(decode(html).text, heading_style="ATX"))


def _html2text() -> Contestant:
    from html2text import HTML2Text

    return lambda html, url: str(HTML2Text(baseurl=url or "", bodywidth=0).handle(decode(html).text))


def _htmldate() -> Finder:
    from htmldate import find_date

    return lambda html, url: Answer(date=find_date(decode(html).text, url=url, original_date=True) or "")


def _readability() -> Contestant:
    from readability import Document  # type: ignore[import-untyped]

    return lambda html, url: _text_of(Document(html, url=url).summary(html_partial=True))


def _justext() -> Contestant:
    import justext  # type: ignore[import-untyped]

    english = justext.get_stoplist("English")
    return lambda html, url: "\n".join(
        block.text for block in justext.justext(html, english) if not block.is_boilerplate
    )


def _boilerpy3(extractor: str) -> Contestant:
    from boilerpy3 import extractors  # type: ignore[import-untyped]

    chosen = getattr(extractors, extractor)()
    return lambda html, url: str(chosen.get_content(decode(html).text))


def _newspaper_article() -> Callable[[bytes, str | None], Any]:
    import newspaper  # type: ignore[import-untyped]

    def read(html: bytes, url: str | None) -> Any:
        # Without an address it refuses to parse; a page of a corpus is never fetched again.
        article = newspaper.Article(url or "https://example.org/", fetch_images=False)
        article.download(input_html=decode(html).text)
        article.parse()
        return article

    return read


def _newspaper_text() -> Contestant:
    article_of = _newspaper_article()
    return lambda html, url: str(article_of(html, url).text)


def _newspaper_metadata() -> Finder:
    article_of = _newspaper_article()

    def find(html: bytes, url: str | None) -> Answer:
        article = article_of(html, url)
        day = article.publish_date
        return Answer(str(article.title or ""), tuple(map(str, article.authors)), day.date().isoformat() if day else "")

    return find


def _goose() -> Contestant:
    from goose3 import Goose  # type: ignore[import-untyped]

    goose = Goose()
    return lambda html, url: str(goose.extract(url=url, raw_html=decode(html).text).cleaned_text)


def _turbohtml() -> Contestant:
    import turbohtml

    return lambda html, url: turbohtml.parse(decode(html).text).main_text()


class _NodePeer:
    """A package of npm behind a node process of its own, which runs a program beside this file."""

    def __init__(self, program: str, node: str, folder: Path, *arguments: str) -> None:
        self._command = [node, str(Path(__file__).with_name(program)), str(folder), *arguments]
        self._process: subprocess.Popen[bytes] | None = None

    def __call__(self, html: bytes, url: str | None) -> str:
        page = base64.b64encode(decode(html).text.encode("utf-8", "replace")).decode()
        request = {"html": page, "url": url or "https://example.org/"}
        try:
            answer = self._ask(json.dumps(request).encode() + b"\n")
        except BaseException:
            self.close()  # after a deadline its late answer must not be taken for that of the next page
            raise
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer["text"] if "text" in answer else _text_of(answer["html"])

    def close(self) -> None:
        """End the process; the next page starts another."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _ask(self, line: bytes) -> dict[str, str]:
        if self._process is None:
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        stdin, stdout = cast("IO[bytes]", self._process.stdin), cast("IO[bytes]", self._process.stdout)
        stdin.write(line)
        stdin.flush()
        answer = stdout.readline()
        if not answer:
            raise RuntimeError("node ended without an answer")
        return cast("dict[str, str]", json.loads(answer))


# The packages of npm that a peer needs, and the HTML parsers of which it needs one: the first one found is used.
_NODE_PACKAGES: dict[str, tuple[str, tuple[str, ...]]] = {
    "readability-js": (_READABILITY_JS, ("jsdom", "linkedom")),
    "unfluff": (_UNFLUFF, ()),
}


def _node_parts(peer: str) -> tuple[str, Path, str]:
    """Node, the folder of its packages, and the name of an HTML parser in it if the peer needs one."""
    package, parsers = _NODE_PACKAGES[peer]
    folder, node = os.environ.get(NODE_MODULES), shutil.which("node")
    root = Path(folder or ".").resolve()
    here = [name for name in (package, *parsers) if (root / name / "package.json").is_file()]
    parser = next((name for name in here if name in parsers), "")
    if not node or not folder or package not in here or bool(parsers) != bool(parser):
        wanted = f"packages {package} and {' or '.join(parsers)}" if parsers else f"package {package}"
        raise OptionError(f"{peer} needs node and the npm {wanted} in the folder named by ${NODE_MODULES}")
    return node, root, parser


_TEXT: tuple[Peer[Contestant], ...] = (
    Peer("trafilatura", "trafilatura", lambda: _trafilatura(fast=False)),  # with its fallbacks, the default
    Peer("trafilatura-fast", "trafilatura", lambda: _trafilatura(fast=True)),  # without them
    Peer("resiliparse", "resiliparse", _resiliparse),
    Peer("readability-lxml", "readability-lxml", _readability, "peers"),  # the Python port of Readability
    Peer(
        "readability-js", _READABILITY_JS, lambda: _NodePeer("readability.cjs", *_node_parts("readability-js"))
    ),  # Mozilla's
    Peer(
        "unfluff", _UNFLUFF, lambda: _NodePeer("unfluff.cjs", *_node_parts("unfluff")[:2])
    ),  # for news, through node too
    Peer("justext", "justext", _justext),
    Peer("boilerpy3-article", "boilerpy3", lambda: _boilerpy3("ArticleExtractor")),
    Peer("boilerpy3-default", "boilerpy3", lambda: _boilerpy3("DefaultExtractor")),
    Peer("newspaper4k", "newspaper4k", _newspaper_text, "peers"),  # for news
    Peer("goose3", "goose3", _goose),  # for news
    Peer("turbohtml", "turbohtml", _turbohtml),  # the parser that tamis uses
)
_MARKDOWN: tuple[Peer[Contestant], ...] = (
    Peer("trafilatura", "trafilatura", _trafilatura_markdown, whole=lambda: _trafilatura_markdown(favor_recall=True)),
    Peer(
        "resiliparse",
        "resiliparse",
        lambda: _resiliparse(as_html=True),
        whole=lambda: _resiliparse(as_html=True, main_content=False),
        is_html=True,
    ),
    # These convert the whole page; they do not look for its main content.
    Peer("markdownify", "markdownify", _markdownify),
    Peer("html2text", "html2text", _html2text),
)
_METADATA: tuple[Peer[Finder], ...] = (
    Peer("trafilatura", "trafilatura", _trafilatura_metadata),
    Peer("htmldate", "htmldate", _htmldate, fields=("date",)),
    Peer("newspaper4k", "newspaper4k", _newspaper_metadata, "peers"),
)
PEERS = {peer.name: peer for peer in _TEXT}
WRITERS = {peer.name: peer for peer in _MARKDOWN}
FINDERS = {peer.name: peer for peer in _METADATA}
