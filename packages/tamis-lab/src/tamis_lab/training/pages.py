"""Training pages: read from corpora, with the label of each leaf, and the roles that names on the page tell."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar

import numpy as np

from tamis.arrays import Bools
from tamis.document import Document
from tamis.document.addresses import registrable_domain
from tamis.errors import OptionError
from tamis.page_type import PageType
from tamis_lab.corpora.catalogue import Source, info_of, pages_of, require_corpora
from tamis_lab.corpora.reader import CorpusInfo, CorpusPage
from tamis_lab.gold import LeafGold, leaf_gold


@dataclass(frozen=True, eq=False)
class LabelledPage:
    """A page and what is content on it."""

    name: str  # corpus/page
    site: str  # the registrable domain, or a digest of the page where the corpus has no URLs
    html: bytes = field(repr=False)
    url: str | None
    gold: LeafGold = field(repr=False)
    page_type: str | None = None  # where the corpus says it
    marks: tuple[str, ...] | None = None  # the annotators' mark of each leaf, where they marked the page itself

    @property
    def corpus(self) -> str:
        """The corpus that the page is from."""
        return self.name.partition("/")[0]

    @property
    def digest(self) -> str:
        """Of the page and its gold."""
        parts = (self.name.encode(), self.html, self.gold.content.tobytes(), self.gold.known.tobytes())
        return sha256(b"".join(sha256(part).digest() for part in parts)).hexdigest()

    def document(self) -> Document:
        """The page as tables; parsed again on each call, since keeping all of them takes gigabytes."""
        return Document.from_html(self.html, url=self.url)


def read_pages(sources: Iterable[str], data: Path | None = None) -> Iterator[LabelledPage]:
    """The pages of corpora, each `NAME` or `NAME:SPLIT`, that can be learned from.

    Pages of which nothing is known and pages on which too little of the gold was found are left out.
    """
    for page in (page for source in sources for page in pages_of(source, data)):
        if (page.gold_text or page.leaf_labels) and not (labelled := label(page)).gold.is_bad:
            yield labelled


def label(page: CorpusPage) -> LabelledPage:
    """Place a page's gold on its leaves. Raises PageTooLarge with the name of the page."""
    document = page.document()
    name = f"{page.corpus}/{page.id}"
    return LabelledPage(
        name,
        site_of(page.html, page.url),
        page.html,
        page.url,
        leaf_gold(page, document),
        page.page_type,
        page.leaf_labels,
    )


def check_allowed(sources: Iterable[str], data: Path | None = None) -> None:
    """Raise OptionError if weights trained on one of these corpora must not be published."""
    for source in sources:
        name, split = Source.parse(source)
        require_corpora([name], data)
        info = info_of(name)
        if not ({split} if split else set(info.splits)) <= info.training_splits:
            wanted = " or ".join(f"{name}:{part}" for part in sorted(info.training_splits))
            reason = f"; what may be used of it is {wanted}" if wanted else f", which is for {_purpose(info)}"
            raise OptionError(f"weights must not be trained on {source}{reason}")


def _purpose(info: CorpusInfo) -> str:
    """The purpose of a corpus that nothing may be trained on."""
    if info.may_train == "never":
        return info.licence if info.licence.endswith(" only") else "evaluation only"
    return info.may_train


class OfSite(Protocol):
    """A page of which the site is known."""

    @property
    def site(self) -> str:
        """As of a LabelledPage."""
        ...


Known = TypeVar("Known", bound=OfSite)


def hold_out(pages: Sequence[Known], share: float, seed: int) -> tuple[list[Known], list[Known]]:
    """Training and validation pages, divided by site: pages of one site look alike."""
    sites = sorted({page.site for page in pages})
    order = np.random.default_rng(seed).permutation(len(sites))
    wanted = share * len(pages)
    held: set[str] = set()
    count = 0
    for number in order.tolist():
        if count >= wanted:
            break
        held.add(sites[number])
        count += sum(page.site == sites[number] for page in pages)
    return [page for page in pages if page.site not in held], [page for page in pages if page.site in held]


def fold_of(site: str, folds: int) -> int:
    """The fold that all pages of a site are in; the same on every machine."""
    return zlib.crc32(site.encode()) % folds


def site_of(html: bytes, url: str | None) -> str:
    """The registrable domain of a page, or a digest of the page where it has no address."""
    return (registrable_domain(url) if url else "") or sha256(html).hexdigest()


def fold_of_page(html: bytes, url: str | None, folds: int) -> int:
    """The fold of a page by its site."""
    return fold_of(site_of(html, url), folds)


def fold_folders(folder: Path) -> list[Path]:
    """The folders of a model that was trained once a fold, in order; none where it was not."""
    found: list[Path] = []
    while (folder / f"fold-{len(found)}").is_dir():
        found.append(folder / f"fold-{len(found)}")
    return found


_COMMENTS = ("comment", "disqus", "respond", "reply-list", "replies", "trackback", "talkback", "komentar", "kommentar")
_NO_COMMENTS = "commentary"  # it names a kind of article
_RELATED = ("related", "recommend", "teaser", "read-next", "more-from", "also-like", "trending", "most-read", "popular")


# Corpora whose gold has readers' comments.
COMMENTS_ARE_CONTENT = ("canola", "cleaneval", "googletrends-2017")
_MOST_COMMENTS = 0.8  # of the content


class RoleTruth(NamedTuple):
    """One value a leaf."""

    comment: Bools
    related: Bools


def role_truth(page: LabelledPage, document: Document, content: Bools) -> RoleTruth:
    """Roles by the names of the elements around each text, and by the marks of annotators.

    On a forum posts are content, not comments. Content is never related, since some pages are lists of related
    things. Some corpora count comments as content: there a name tells a comment even where the gold has its text. In
    the others the gold is right and the name is not.
    """
    if page.page_type == PageType.FORUM:
        nothing = np.zeros(len(document.leaves), dtype=np.bool_)
        return RoleTruth(nothing, nothing)
    comment = document.inside(*_named(_COMMENTS, _NO_COMMENTS))
    if page.corpus not in COMMENTS_ARE_CONTENT:
        comment &= ~content
    elif np.count_nonzero(comment & content) > _MOST_COMMENTS * np.count_nonzero(content):
        comment = np.zeros_like(comment)  # the name is about the page
    if page.marks:
        comment |= np.fromiter((mark == "comment" for mark in page.marks), np.bool_, len(page.marks))
    return RoleTruth(comment, document.inside(*_named(_RELATED)) & ~content & ~comment)


def _named(words: tuple[str, ...], no_word: str = "") -> list[str]:
    # Class names of body and the like name features of the page ("comments-open"), not its content.
    inner = ":not(body, html, article, main)"
    other = f':not([{{0}}*="{no_word}" i])' if no_word else ""
    return [
        f'{inner}[{attribute}*="{word}" i]{other.format(attribute)}' for word in words for attribute in ("class", "id")
    ]
