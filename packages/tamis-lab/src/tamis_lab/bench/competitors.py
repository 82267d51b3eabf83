"""Every contestant of the benchmark by name: the extractors of tamis, its peers (other libraries), and your own.

A contestant is a function from the bytes of a page and its URL to text. Peers run with the defaults of their
libraries. Where a library wants text, tamis decodes the page; where it answers with HTML, tamis turns that into
text, because the library's own text glues paragraphs together.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import shutil
import subprocess
import warnings
from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module, metadata
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any, Generic, NamedTuple, TypeVar, cast

import tamis
import tamis_papers
from tamis.document.decode import decode
from tamis.errors import BrowserMissing, MissingExtra, OptionError
from tamis.registry import extractors
from tamis.web.browser.program import chromium
from tamis_lab.bench import trained
from tamis_lab.training import recipes

Contestant = Callable[[bytes, str | None], str]
Loaded = TypeVar("Loaded")  # a Contestant, or what another benchmark calls

NODE_MODULES = "TAMIS_NODE_MODULES"
_NODE_PARSERS = ("jsdom", "linkedom")  # the first one found is used

# Many libraries load word lists and compile patterns in their first call, which is no page's fault.
WARM_UP = b"<html><body><article><h1>Warm up</h1><p>A first page, for all that is lazy.</p></article></body></html>"
_DRAWING = ("onnxruntime", "PIL", "playwright")  # the extra `render`

# Folders and files of tamis that change no extraction; the rest is part of an extractor's version.
_BESIDE_THE_CORE = frozenset("cli batch worker integrations __pycache__".split())
_NO_EXTRACTION = ("*.md",)

# What may follow the name of an extractor, for corpora whose gold has it: "tamis+comments+title".
_OPTIONS = {"+comments": "include_comments", "+title": "include_title"}


class Peer(NamedTuple, Generic[Loaded]):
    """Another library."""

    name: str
    distribution: str  # on PyPI or npm
    load: Callable[[], Loaded]
    extra: str = "bench"  # the one that brings it


def load(name: str) -> Contestant:
    """The contestant of this name, the one at "module:callable", or an extractor with weights of yours.

    An extractor of tamis may have "+comments" and "+title" behind its name. Raises OptionError where there is none and
    MissingExtra where its package is not installed.
    """
    system, options = _divided(name)
    if trained.is_trained(system):
        chosen = trained.extractor_of(system)
        return lambda html, url: tamis.extract(html, url=url, extractor=chosen(html, url), **options).text
    if system in extractors():
        return lambda html, url: tamis.extract(html, url=url, extractor=system, **options).text
    if name in PEERS:
        return loaded(PEERS[name])
    module, _, attribute = name.partition(":")
    if module and attribute:
        try:
            found = getattr(import_module(module), attribute)
        except Exception as error:  # somebody's module may raise anything
            raise OptionError(f"{name}: can't be loaded: {error}") from None
        if not callable(found):
            raise OptionError(f"{name}: can't be called")
        return cast("Contestant", found)
    raise OptionError(
        f"no contestant is called {name!r}; there are: {', '.join([*extractors(), *PEERS])}, "
        "or a module:callable, NAME=FOLDER, or the path of a folder of weights"
    )


def _divided(name: str) -> tuple[str, dict[str, Any]]:
    """An extractor without what follows its name, and the options that this stands for."""
    options: dict[str, Any] = {}
    while suffix := next(filter(name.endswith, _OPTIONS), ""):
        name = name.removesuffix(suffix)
        options[_OPTIONS[suffix]] = True
    return name, options


def version(name: str) -> str:
    """The version of a contestant; it changes when its results may. The contestant is loaded, to see that it can be.

    Raises like `load`, and MissingExtra or BrowserMissing for an extractor that can't run here.
    """
    system, _ = _divided(name)
    if trained.is_trained(system):
        _try(trained.entry_of(system).name)
        return f"{tamis.__version__}+{core_digest()}+{trained.digest(system)}"
    if system in extractors():
        _try(system)
        return f"{tamis.__version__}+{core_digest()}"
    if name in PEERS:
        return peer_version(PEERS[name])
    load(name)
    return _source_digest(name)


def has_seen(name: str, corpus: str, split: str) -> bool:
    """Was a contestant trained on pages of this split? Then its score is a fit. Of peers it is not known."""
    system, _ = _divided(name)
    if trained.is_trained(system):
        trained_on = trained.trained_on(system)
    else:
        trained_on = extractors()[system].trained_on if system in extractors() else ()
    return recipes.has_seen(trained_on, corpus, split)


def kind(name: str) -> str:
    """Whether a contestant is an `extractor` of tamis, a `peer`, or your `own`."""
    system, _ = _divided(name)
    if system in extractors() or trained.is_trained(system):
        return "extractor"
    return "peer" if name in PEERS else "own"


def unavailable(names: Iterable[str], version: Callable[[str], str] = version) -> dict[str, str]:
    """Those of these contestants that lack a package or a browser here, each with the reason. Raises WeightsError."""
    reasons = {}
    for name in names:
        try:
            version(name)
        except (BrowserMissing, MissingExtra, OptionError) as error:
            reasons[name] = str(error)
    return reasons


@cache
def _try(name: str) -> None:
    """Can an extractor of tamis run here? Raises MissingExtra, and BrowserMissing where it needs a browser."""
    if not extractors()[name].draws:
        tamis.extract(WARM_UP, extractor=name)
        return
    # To draw a page takes seconds, so only what drawing needs is looked for.
    if not all(map(find_spec, _DRAWING)):
        raise MissingExtra(name, "render", "tamis-papers")
    chromium()


def loaded(peer: Peer[Loaded]) -> Loaded:
    """What a peer's package has to call. Raises MissingExtra, and OptionError if the package is broken."""
    try:
        with warnings.catch_warnings():
            # newspaper4k warns of optional parts on import, older ones of their own syntax.
            warnings.simplefilter("ignore")
            return peer.load()
    except ImportError:
        raise MissingExtra(f"the peer {peer.name}", peer.extra, "tamis-lab") from None
    except OptionError:
        raise
    except Exception as error:
        raise OptionError(f"the peer {peer.name} can't be loaded: {error}") from None


def peer_version(peer: Peer[Any]) -> str:
    """The version of a peer. It is loaded, because a package that it imports may be missing. Raises like `loaded`."""
    loaded(peer)
    if peer.distribution == _READABILITY_JS:
        return _node_version()
    if peer.distribution == _UNFLUFF:
        return _npm_version(_unfluff_parts()[1] / _UNFLUFF)
    try:
        return metadata.version(peer.distribution)
    except metadata.PackageNotFoundError:
        raise MissingExtra(f"the peer {peer.name}", peer.extra, "tamis-lab") from None


@cache
def core_digest() -> str:
    """A hash over tamis, without what does not extract, and the papers: versions do not change between two releases."""
    digest = hashlib.sha256()
    for root in (Path(package.__path__[0]) for package in (tamis, tamis_papers)):
        for path in sorted(root.rglob("*")):
            beside = _BESIDE_THE_CORE.intersection(path.relative_to(root).parts) or any(map(path.match, _NO_EXTRACTION))
            if path.is_file() and not beside:
                digest.update(str(path.relative_to(root)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:8]


def _source_digest(location: str) -> str:
    """A hash of the module that has the contestant. Raises OptionError."""
    try:
        spec = find_spec(location.partition(":")[0])
    except ValueError:  # of the main module
        spec = None
    if spec is None or spec.origin is None or not Path(spec.origin).is_file():
        raise OptionError(f"{location}: its module is no file")
    return hashlib.sha256(Path(spec.origin).read_bytes()).hexdigest()[:8]


def _text_of(html: str) -> str:
    return tamis.extract(html, extractor="keep-all").text if html else ""


def _trafilatura(*, fast: bool) -> Contestant:
    from trafilatura import extract

    return lambda html, url: extract(html, url=url, fast=fast) or ""


def _resiliparse() -> Contestant:
    from resiliparse.extract.html2text import extract_plain_text  # type: ignore[import-untyped]
    from resiliparse.parse.encoding import detect_encoding  # type: ignore[import-untyped]
    from resiliparse.parse.html import HTMLTree  # type: ignore[import-untyped]

    tree: Callable[[bytes], object] = lambda html: HTMLTree.parse_from_bytes(html, detect_encoding(html))  # noqa: E731
    return lambda html, url: str(extract_plain_text(tree(html), main_content=True))


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


def _newspaper() -> Contestant:
    import newspaper  # type: ignore[import-untyped]

    def contestant(html: bytes, url: str | None) -> str:
        # Without an address it refuses to parse; a page of a corpus is never fetched again.
        article = newspaper.Article(url or "https://example.org/", fetch_images=False)
        article.download(input_html=decode(html).text)
        article.parse()
        return str(article.text)

    return contestant


def _goose() -> Contestant:
    from goose3 import Goose  # type: ignore[import-untyped]

    goose = Goose()
    return lambda html, url: str(goose.extract(url=url, raw_html=decode(html).text).cleaned_text)


def _turbohtml() -> Contestant:
    import turbohtml

    return lambda html, url: turbohtml.parse(decode(html).text).main_text()


_READABILITY_JS, _UNFLUFF = "@mozilla/readability", "unfluff"


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


def _node_parts() -> tuple[str, Path, str]:
    """Node, the folder of its packages and the name of an HTML parser in it."""
    folder, node = os.environ.get(NODE_MODULES), shutil.which("node")
    needs = f"readability-js needs node and the npm packages {_READABILITY_JS} and jsdom or linkedom"
    if not node or not folder:
        raise OptionError(f"{needs} in the folder named by ${NODE_MODULES}")
    root = Path(folder).resolve()
    parser = next((name for name in _NODE_PARSERS if (root / name / "package.json").is_file()), None)
    if parser is None or not (root / _READABILITY_JS / "package.json").is_file():
        raise OptionError(f"{needs}; {folder} lacks one")
    return node, root, parser


def _node_version() -> str:
    _, folder, parser = _node_parts()
    return f"{_npm_version(folder / _READABILITY_JS)}+{parser}"


def _unfluff_parts() -> tuple[str, Path]:
    """Node and the folder of its packages, if unfluff is one of them."""
    folder, node = os.environ.get(NODE_MODULES), shutil.which("node")
    root = Path(folder or ".").resolve()
    if not node or not folder or not (root / _UNFLUFF / "package.json").is_file():
        raise OptionError(f"unfluff needs node and the npm package unfluff in the folder named by ${NODE_MODULES}")
    return node, root


def _npm_version(package: Path) -> str:
    return str(json.loads((package / "package.json").read_text(encoding="utf-8"))["version"])


_PEERS: tuple[Peer[Contestant], ...] = (
    Peer("trafilatura", "trafilatura", lambda: _trafilatura(fast=False)),  # with its fallbacks, the default
    Peer("trafilatura-fast", "trafilatura", lambda: _trafilatura(fast=True)),  # without them
    Peer("resiliparse", "resiliparse", _resiliparse),
    Peer("readability-lxml", "readability-lxml", _readability, "peers"),  # the Python port of Readability
    Peer("readability-js", _READABILITY_JS, lambda: _NodePeer("readability.cjs", *_node_parts())),  # Mozilla's
    Peer("unfluff", _UNFLUFF, lambda: _NodePeer("unfluff.cjs", *_unfluff_parts())),  # for news, through node too
    Peer("justext", "justext", _justext),
    Peer("boilerpy3-article", "boilerpy3", lambda: _boilerpy3("ArticleExtractor")),
    Peer("boilerpy3-default", "boilerpy3", lambda: _boilerpy3("DefaultExtractor")),
    Peer("newspaper4k", "newspaper4k", _newspaper, "peers"),  # for news
    Peer("goose3", "goose3", _goose),  # for news
    Peer("turbohtml", "turbohtml", _turbohtml),  # the parser that tamis uses
)
PEERS = {peer.name: peer for peer in _PEERS}
